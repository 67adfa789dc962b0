"""The laws of ``ports.Reranker``, on the fake and on a cross-encoder; and what a reranking does."""

import numpy as np
import onnx
import pytest
from fakes import FakeReranker
from onnx import TensorProto, helper, numpy_helper
from test_hybrid import FERRY, LIGHTHOUSE, ROOF, finder
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from local_rag.adapters.cross_encoder import CrossEncoder
from local_rag.errors import ModelFault

VOCABULARY = ["[UNK]", "[CLS]", "[SEP]", "tin", "lighthouse", "ferry"]


def save_model(folder, weights, *, width=1, types=True):
    """A cross-encoder whose logit is the sum of its tokens' weights."""
    (folder / "onnx").mkdir(parents=True, exist_ok=True)
    tokenizer = Tokenizer(models.WordLevel({w: i for i, w in enumerate(VOCABULARY)}, "[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 1), ("[SEP]", 2)],
    )  # fmt: skip
    tokenizer.save(str(folder / "tokenizer.json"))
    names = ["input_ids", "attention_mask", *(["token_type_ids"] if types else [])]
    inputs = [helper.make_tensor_value_info(n, TensorProto.INT64, [1, "n"]) for n in names]
    table = np.array([[w] * width for w in weights], np.float32)
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["rows"]),
        helper.make_node("ReduceSum", ["rows", "axis"], ["logits"], keepdims=0),
    ]
    graph = helper.make_graph(
        nodes, "g", inputs,
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1, width])],
        [numpy_helper.from_array(table, "table"), numpy_helper.from_array(np.array([1]), "axis")],
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, folder / "onnx" / "model.onnx")
    return folder


@pytest.fixture(params=["fake", "cross-encoder", "two logits, no types"])
def reranker(request, tmp_path):
    if request.param == "fake":
        return FakeReranker("tin")
    two = request.param.startswith("two")
    folder = save_model(tmp_path / "tiny", [0, 0, 0, 5, 1, 0], width=1 + two, types=not two)
    return CrossEncoder(folder, threads=1)


def test_each_passage_gets_a_score_of_its_own(reranker):
    passages = ["a roof of tin", "a ferry", "tin tin tin"]
    scores = reranker.scores("what is it", passages)
    assert scores[2] > scores[0] > scores[1]
    assert [reranker.scores("what is it", [p])[0] for p in passages] == scores
    assert reranker.scores("what is it", []) == []
    assert reranker.name


def test_a_long_passage_is_cut_at_its_end(tmp_path):
    model = CrossEncoder(save_model(tmp_path / "tiny", [0, 0, 0, 5, 1, 0]), threads=1)
    near, far = model.scores("q", ["tin " + "ferry " * 900, "ferry " * 900 + "tin"])
    assert near > far == 0


def test_a_folder_without_its_files_is_named_at_the_start(tmp_path):
    with pytest.raises(ModelFault, match=r"no model\.onnx or no tokenizer\.json"):
        CrossEncoder(tmp_path)


def test_a_model_that_does_not_run_is_an_error_with_what_to_do(tmp_path):
    folder = save_model(tmp_path / "tiny", [0] * 6)
    (folder / "onnx" / "model.onnx").write_bytes(b"no graph")
    with pytest.raises(ModelFault, match="tiny does not run"):
        CrossEncoder(folder).scores("q", ["p"])


def test_the_first_passages_come_in_the_rerankers_order_and_say_its_score():
    question = "Where is the lighthouse, the ferry or the roof?"
    find = finder(LIGHTHOUSE, FERRY, ROOF, top_k=3, reranker=FakeReranker("tin"))
    found = find(question)
    (ledger,) = found.ledgers
    assert ledger.rows[0].evidence.chunk.text == ROOF
    assert [row.evidence.reranked for row in ledger.rows] == [1.0, 0.0, 0.0]
    assert "rerank" in found.timings_ms
    short = finder(LIGHTHOUSE, FERRY, ROOF, top_k=3, rerank_depth=1, reranker=FakeReranker("tin"))
    plain = finder(LIGHTHOUSE, FERRY, ROOF, top_k=3)
    texts = [[r.evidence.chunk.text for r in f(question).ledgers[0].rows] for f in (short, plain)]
    assert texts[0] == texts[1]
