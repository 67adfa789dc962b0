"""Runs of golden cases: failures stay failures, a run that was cut off goes on, statuses part."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from fakes import FakeChatModel
from golden_set import DOCUMENTS, FEW, cases, write_set
from program_server import serving_program

from local_rag import providers
from local_rag.adapters.extraction import ProcessExtractor
from local_rag.cli.evaluate.main import main
from local_rag.cli.files import find_files
from local_rag.errors import InvalidRequest, ModelServerUnreachable
from local_rag.evaluation.asking import Known, NoAnswer, within
from local_rag.evaluation.corpus import open_corpus
from local_rag.evaluation.observed import Observed
from local_rag.evaluation.runner import Options, data_set_of, run
from local_rag.evaluation.state import State
from local_rag.evaluation.variants import Variant, variant_of, variants_of
from local_rag.model.answer import REFUSAL
from local_rag.settings import load_settings

_TESTS = Path(__file__).parent
_CASES = {case.case_id: case for case in cases()}


@pytest.fixture(autouse=True)
def _own_settings(monkeypatch, tmp_path_factory):
    monkeypatch.setenv("RAG_DATA_DIR", str(tmp_path_factory.getbasetemp() / "models"))
    monkeypatch.setenv("RAG_CHAT_PROVIDER", "extractive")


class _Source:
    """Refuses every question but those that are to go wrong."""

    def __init__(self, wrong: dict[str, BaseException] | None = None) -> None:
        self.unread: dict[str, str] = {}
        self.wrong = wrong or {}
        self.asked: list[str] = []
        self.documents = [
            Known(name, name, _sha(name)) for name in DOCUMENTS if name not in self.unread
        ]

    def settings(self, variant):
        return None

    @contextmanager
    def asker(self, variant):
        yield self

    def ask(self, question, document_ids, timeout_s):
        self.asked.append(question)
        if question in self.wrong:
            raise self.wrong[question]
        return Observed(REFUSAL, refused=True, ranked=(), cited=(), timings_ms={"total": 5.0})


def _sha(name: str) -> str:
    import hashlib

    return hashlib.sha256(DOCUMENTS[name].encode()).hexdigest()


def _some(*ids: str):
    return [_CASES[one] for one in ids]


_SET = {"name": "x", "sha256": "1", "cases": 1, "approved": 1}


def test_a_case_that_fails_costs_itself_alone() -> None:
    chosen = _some("seats", "no-orbit", "journey")
    source = _Source({_CASES["seats"].question: NoAnswer("No answer within 5 s.")})
    (variant,) = run(chosen, [Variant()], source, _SET).variants
    by_id = {one.case_id: one for one in variant.results}
    assert by_id["seats"].failure == "No answer within 5 s."
    assert by_id["seats"].scores == {}
    assert by_id["journey"].scores["false_abstention"] == 1.0
    figure = variant.figures["false_abstention"]
    assert (figure.value, figure.n, figure.of) == (1.0, 1, 2)


def test_a_case_whose_document_is_not_there_fails_and_is_not_asked() -> None:
    source = _Source()
    source.documents = [one for one in source.documents if one.name != "library.txt"]
    chosen = [*_some("seats"), _CASES["journey"].model_copy(update={"document_ids": ["gone.txt"]})]
    (variant,) = run(chosen, [Variant()], source, _SET).variants
    assert [one.failure for one in variant.results] == [
        "Not among the documents: library.txt.",
        "Not among the documents: gone.txt.",
    ]
    assert source.asked == []


def test_a_case_names_its_documents_by_id_hash_or_name() -> None:
    from local_rag.evaluation.corpus import Documents

    known = [Known("i1", "a.txt", "a" * 64), Known("i2", "b.txt", "b" * 64)]
    case = _CASES["no-orbit"].model_copy(update={"document_ids": ["i1", "b" * 64, "a.txt"]})
    assert Documents(known).asked(case) == ["i1", "i2", "i1"]


def test_work_that_takes_too_long_is_told_to_stop() -> None:
    stopped = threading.Event()
    cancel = threading.Event()

    def work():
        cancel.wait(20)
        stopped.set()

    with pytest.raises(NoAnswer, match=r"No answer within 0\.05 s"):
        within(0.05, work, cancel)
    assert stopped.is_set()


def test_what_goes_wrong_in_the_program_is_told_without_its_text() -> None:
    def work():
        raise ValueError("secret words")

    with pytest.raises(NoAnswer, match=r"^Unexpected ValueError\.$"):
        within(5, work, threading.Event())


def test_a_run_goes_on_where_it_was_cut_off(tmp_path) -> None:
    chosen = _some("no-orbit", "seats", "journey", "depot")
    path = tmp_path / "state.jsonl"
    cut = _Source({
        _CASES["seats"].question: NoAnswer("down"),
        _CASES["journey"].question: KeyboardInterrupt(),
    })  # fmt: skip
    state = State(path, resume=False)
    with pytest.raises(KeyboardInterrupt):
        run(chosen, [Variant()], cut, _SET, state=state)
    state.close()
    path.write_bytes(path.read_bytes() + b'{"key": "torn')

    source, state = _Source(), State(path, resume=True)
    found = run(chosen, [Variant()], source, _SET, state=state)
    assert source.asked == [_CASES[one].question for one in ("seats", "journey", "depot")]
    assert [one.failure for one in found.variants[0].results] == [""] * 4
    state.close()

    again, state = _Source(), State(path, resume=True)
    assert run(chosen, [Variant()], again, _SET, state=state).variants == found.variants
    assert again.asked == []
    state.close()


@pytest.mark.parametrize("changed", ["set", "settings", "documents", "k", "program"])
def test_results_under_other_circumstances_are_not_taken_up(tmp_path, changed) -> None:
    chosen = _some("no-orbit")
    with closing(State(tmp_path / "s", resume=False)) as state:
        run(chosen, [Variant()], _Source(), _SET, state=state)
    source = _Source()
    if changed == "documents":
        source.documents = source.documents[1:]
    data_set = _SET | {"sha256": "2"} if changed == "set" else _SET
    variant = Variant(changes={"top_k": "9"}) if changed == "settings" else Variant()
    options = Options(k=3) if changed == "k" else Options()
    with closing(State(tmp_path / "s", resume=True)) as state:
        about = {"chat": "another"} if changed == "program" else {}
        run(chosen, [variant], source, data_set, options, state=state, about=about)
    assert len(source.asked) == 1


def _eval(folder: Path, *more: str) -> int:
    return main([str(folder / "cases.jsonl"), "--documents", str(folder / "documents"), *more])


def test_a_killed_run_goes_on(tmp_path, capsys) -> None:
    write_set(tmp_path)
    out = tmp_path / "run.json"
    state = tmp_path / "run.json.state.jsonl"
    command = [sys.executable, "-m", "local_rag.cli.evaluate.main", str(tmp_path / "cases.jsonl"),
               "--documents", str(tmp_path / "documents"), "--out", str(out)]  # fmt: skip
    process = subprocess.Popen(
        command, env=dict(os.environ), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    end = time.monotonic() + 120
    while not (state.exists() and state.read_bytes().count(b"\n") >= 2):
        assert process.poll() is None
        assert time.monotonic() < end
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = state.read_bytes().count(b"\n")
    assert not out.exists()

    assert _eval(tmp_path, "--out", str(out), "--resume") == 0
    assert capsys.readouterr().err.count("… kept: ") == kept
    assert len(json.loads(out.read_text())["variants"][0]["results"]) == len(_CASES)
    assert not state.exists()


def test_only_approved_cases_count_and_without_one_nothing_does(tmp_path, capsys) -> None:
    write_set(tmp_path, FEW, review_status="needs_review", approved_at=None)
    assert _eval(tmp_path, "--quiet") == 2
    assert "None of the 4 cases is approved." in capsys.readouterr().err
    out = tmp_path / "run.json"
    assert _eval(tmp_path, "--quiet", "--all-statuses", "--out", str(out)) == 2
    said = capsys.readouterr()
    assert "not approved, for no gate" in said.out
    assert "no case is approved" in said.err
    row = json.loads(out.read_text())
    assert (row["gates"], row["variants"][0]["figures"]) == ([], {})
    assert row["variants"][0]["not_approved"]["hit"]["n"] == 3


def test_passages_are_made_anew_only_for_a_variant_that_needs_others(tmp_path, capsys) -> None:
    write_set(tmp_path, FEW)
    status = _eval(
        tmp_path, "--json", "--split", "dev",
        "--variant", "default", "--variant", "narrow:top_k=2",
        "--variant", "small:chunk_size=200,chunk_overlap=20", "--variant", "words:strategy=lexical",
    )  # fmt: skip
    said = capsys.readouterr()
    assert said.err.count("reading 5 documents") == 2
    row = json.loads(said.out)
    assert [one["name"] for one in row["variants"]] == ["default", "narrow", "small", "words"]
    assert row["variants"][3]["settings"] == {"strategy": "lexical"}
    widest = max(len(f["text"]) for r in row["variants"][2]["results"] for f in r["found"])
    assert widest <= 200
    assert {one["against"] for one in row["comparisons"]} == {"default"}
    assert status == (0 if all(one["kept"] for one in row["gates"]) else 1)
    assert "key" not in json.dumps(row["program"])


def test_a_file_is_read_once_for_all_ways_of_making_passages(tmp_path, monkeypatch) -> None:
    documents, _ = write_set(tmp_path)
    read = []
    real = ProcessExtractor.extract

    def counted(self, path, *arguments, **more):
        read.append(path.name)
        return real(self, path, *arguments, **more)

    monkeypatch.setattr(ProcessExtractor, "extract", counted)
    variants = [Variant(), Variant("small", {"chunk_size": "200", "chunk_overlap": "20"})]
    with open_corpus(find_files([documents])) as corpus:
        found = [corpus.settings(one) for one in variants][:0]
        for variant in variants:
            with corpus.asker(variant) as asker:
                found.append(asker.ask("What is the annual rent of a plot?", None, 60).ranked[0])
    assert sorted(read) == sorted(DOCUMENTS)
    assert all("84 euros" in passage.text for passage in found)


def test_the_library_is_asked_where_no_folder_is_named(tmp_path, monkeypatch, capsys) -> None:
    from local_rag.composition import open_services

    write_set(tmp_path, FEW)
    monkeypatch.setenv("RAG_DATA_DIR", str(tmp_path / "data"))
    with open_services(load_settings()) as services:
        for name in DOCUMENTS:
            services.library.add(tmp_path / "documents" / name, name)
    arguments = [str(tmp_path / "cases.jsonl"), "--quiet", "--json"]
    assert (
        main([*arguments, "--variant", "a", "--variant", "b:chunk_size=300,chunk_overlap=40"]) == 0
    )
    row = json.loads(capsys.readouterr().out)
    assert row["program"]["documents"] == 5
    assert row["program"]["unread"] == {}
    assert [len(one["results"]) for one in row["variants"]] == [4, 4]


def test_a_running_program_is_asked_over_http(tmp_path, capsys) -> None:
    write_set(tmp_path, FEW)
    settings = load_settings(data_dir=tmp_path / "data")
    with serving_program(settings) as (url, services):
        for name in DOCUMENTS:
            services.library.add(tmp_path / "documents" / name, name)
        arguments = [str(tmp_path / "cases.jsonl"), "--url", url, "--json", "--quiet"]
        assert main(arguments) == 0
        row = json.loads(capsys.readouterr().out)
        assert main([*arguments, "--variant", "x:top_k=1"]) == 2
        assert main([*arguments, "--documents", str(tmp_path)]) == 2
    results = row["variants"][0]["results"]
    assert {"request", "total"} <= set(results[0]["timings_ms"])
    assert row["variants"][0]["figures"]["hit"]["value"] == 1.0
    assert row["program"]["health"]["chat"]["provider"] == "extractive"
    assert main(arguments) == 2  # nothing answers any more


class _Broken(BaseHTTPRequestHandler):
    """Knows the documents, and answers questions as nobody should."""

    replies = iter(())

    def do_GET(self) -> None:
        names = [{"document_id": n, "name": n, "source_sha256": _sha(n)} for n in DOCUMENTS]
        self._send(200, b"{}" if self.path == "/health" else json.dumps({"documents": names}))

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        reply = next(self.replies)
        if reply is None:
            time.sleep(6.0)
        self._send(*(reply or (200, b"{}")))

    def _send(self, status: int, body) -> None:
        body = body if isinstance(body, bytes) else body.encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments) -> None:
        pass


def test_replies_that_are_none_fail_their_case(tmp_path, capsys) -> None:
    write_set(tmp_path, (*FEW, "mirror", "founder"))
    error = {"error": {"code": "store-fault", "message": "Gone.", "fix": "x"}}
    replies = [(500, json.dumps(error)), (200, b"no json"), (200, b'{"answer": 3}'), (502, b""),
               (200, b"[]"), None]  # fmt: skip
    handler = type("Handler", (_Broken,), {"replies": iter(replies)})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        url = f"http://127.0.0.1:{server.server_port}"
        arguments = [str(tmp_path / "cases.jsonl"), "--url", url, "--json", "--quiet"]
        assert main([*arguments, "--timeout", "2"]) == 1
    finally:
        server.shutdown()
        server.server_close()
    row = json.loads(capsys.readouterr().out)
    why = [one["failure"] for one in row["variants"][0]["results"]]
    assert why[0] == "Gone. [store-fault]"
    assert [one.startswith("The reply has not the form") for one in why[1:5]] == [True] * 4
    assert why[5] == "No answer within 2 s."
    assert all(not one["scores"] for one in row["variants"][0]["results"])
    assert {one["metric"] for one in row["gates"] if one["kept"]} == set()


class _Unreachable(FakeChatModel):
    def complete(self, *_arguments, **_more):
        raise ModelServerUnreachable("Nothing answers there.")


def test_a_model_that_does_not_answer_fails_the_case_though_sentences_are_quoted(
    tmp_path, monkeypatch, capsys
) -> None:
    write_set(tmp_path, FEW)
    monkeypatch.setattr(providers, "configured_chat", lambda _: _Unreachable())
    monkeypatch.setenv("RAG_CHAT_PROVIDER", "ollama")
    assert _eval(tmp_path, "--quiet", "--json", "--split", "dev") == 1
    results = json.loads(capsys.readouterr().out)["variants"][0]["results"]
    failed = [one for one in results if one["failure"]]
    assert {one["case_id"] for one in failed} >= {"seats", "plot-rent"}
    assert "Nothing answers there." in failed[0]["failure"]
    assert all(not one["scores"] for one in failed)


def test_variants_are_read_from_the_command_line() -> None:
    found = variant_of("wide: top_k=8, fusion=rank,strategy=dense")
    assert found == Variant("wide", {"top_k": "8", "fusion": "rank"}, "dense")
    assert found.settings().top_k == 8
    assert variants_of([]) == [Variant("default")]
    for wrong in (":top_k=1", "a:data_dir=/x", "a:top_k", "a:strategy=both", "a:openai_api_key=k"):
        with pytest.raises(InvalidRequest):
            variant_of(wrong)
    with pytest.raises(InvalidRequest, match="Two variants"):
        variants_of(["a", "a:top_k=2"])
    with pytest.raises(InvalidRequest, match="RAG_TOP_K"):
        variant_of("a:top_k=0").settings()


def test_the_set_is_told_by_its_hash(tmp_path) -> None:
    _, path = write_set(tmp_path)
    told = data_set_of(path, cases())
    assert (told["cases"], told["approved"], told["version"]) == (25, 25, "1")
    assert told["cases_sha256"] == data_set_of(path, cases()[::-1])["cases_sha256"]
    assert told["cases_sha256"] != data_set_of(path, cases()[1:])["cases_sha256"]


def test_the_door_tells_what_is_wrong(tmp_path, capsys) -> None:
    _, path = write_set(tmp_path)
    assert main([str(tmp_path / "none.jsonl")]) == 2
    assert main([str(path), "--resume"]) == 2
    assert main([str(path), "--baseline", str(path)]) == 2
    assert main([str(path), "--split", "holdout"]) == 2
    assert "split holdout" in capsys.readouterr().err


def test_the_set_and_its_runs_are_no_documents_though_they_stand_among_them(tmp_path) -> None:
    documents, path = write_set(tmp_path, FEW)
    inside = documents / "cases.jsonl"
    path.rename(inside)
    out, again = documents / "run.json", documents / "again.json"
    arguments = [str(inside), "--documents", str(documents), "--quiet"]
    assert main([*arguments, "--out", str(out)]) == 0
    assert main([*arguments, "--baseline", str(out), "--out", str(again)]) == 0
    for row in (json.loads(one.read_text("utf-8")) for one in (out, again)):
        assert row["program"]["documents"] == len(DOCUMENTS)


def test_a_folder_of_nothing_but_the_set_holds_no_document(tmp_path, capsys) -> None:
    _, path = write_set(tmp_path, FEW)
    alone = tmp_path / "alone"
    alone.mkdir()
    path = path.rename(alone / "cases.jsonl")
    for command in ([], ["tune"]):
        assert main([*command, str(path), "--documents", str(alone)]) == 2
        assert "no document besides" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--out", "--html"])
def test_nothing_that_was_named_to_be_read_is_overwritten(tmp_path, capsys, option) -> None:
    _, path = write_set(tmp_path, FEW)
    baseline, gates = tmp_path / "run.json", tmp_path / "gates.json"
    gates.write_text("{}")
    assert _eval(tmp_path, "--quiet", "--out", str(baseline)) == 0
    for file in (path, baseline, gates):
        before = file.read_bytes()
        read = ("--baseline", str(baseline), "--gates", str(gates))
        assert _eval(tmp_path, "--quiet", *read, option, str(file)) == 2
        assert f"{file.name} would be overwritten" in capsys.readouterr().err
        assert file.read_bytes() == before
    both = str(tmp_path / "both")
    assert _eval(tmp_path, "--quiet", "--out", both, "--html", both) == 2


@pytest.mark.parametrize("option", ["--out", "--html"])
def test_a_place_that_takes_no_file_is_told_before_anything_is_asked(
    tmp_path, capsys, option
) -> None:
    write_set(tmp_path, FEW)
    for place in (tmp_path, tmp_path / "none" / "file"):
        assert _eval(tmp_path, option, str(place)) == 2
        said = capsys.readouterr().err
        assert "cannot be written" in said
        assert "default: " not in said


@pytest.mark.parametrize("seconds", ["nan", "inf", "-1", "0", "1e300"])
def test_a_time_that_cannot_be_waited_is_refused(tmp_path, capsys, seconds) -> None:
    write_set(tmp_path, FEW)
    with pytest.raises(SystemExit) as left:
        _eval(tmp_path, "--timeout", seconds)
    assert left.value.code == 2
    assert "is to be above 0" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("wrong", "status", "told"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), 2, "No space left"),
        (KeyboardInterrupt(), 130, "stopped"),
    ],
)
def test_what_ends_a_run_is_no_missed_gate(
    tmp_path, capsys, monkeypatch, wrong, status, told
) -> None:
    def keep(self, key, result):
        raise wrong

    write_set(tmp_path, FEW)
    monkeypatch.setattr(State, "keep", keep)
    assert _eval(tmp_path, "--quiet", "--out", str(tmp_path / "run.json")) == status
    assert told in capsys.readouterr().err


def test_ids_of_a_set_do_not_steer_the_terminal_nor_forge_lines(tmp_path, capsys) -> None:
    _, path = write_set(tmp_path, FEW)
    row = json.loads(path.read_text("utf-8").splitlines()[0])
    row["case_id"] = "x\x1b[2J\nkept   default: hit: 1.000"
    row["document_ids"] = ["gone\x1b[31m"]
    path.write_text(json.dumps(row), "utf-8")
    assert _eval(tmp_path) == 1
    said = capsys.readouterr()
    assert "\x1b" not in said.out + said.err
    assert "\nkept   default: hit" not in said.out + said.err


def test_nesting_without_end_is_no_run(tmp_path, capsys) -> None:
    write_set(tmp_path, FEW)
    deep = tmp_path / "deep.json"
    deep.write_text("[" * 100_000)
    for option in ("--gates", "--baseline"):
        assert _eval(tmp_path, option, str(deep)) == 2
        assert "cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize("failed", ["NaN", "Infinity", "1.5", "-1", "true", '"x"'])
def test_a_number_of_failed_cases_is_a_count(tmp_path, capsys, failed) -> None:
    write_set(tmp_path, FEW)
    gates = tmp_path / "gates.json"
    gates.write_text(f'{{"failed": {failed}}}')
    assert _eval(tmp_path, "--gates", str(gates)) == 2
    assert "number of cases" in capsys.readouterr().err


def test_a_report_shows_the_cited_pages(tmp_path) -> None:
    documents, _ = write_set(tmp_path, ("no-chess",))
    (documents / "champions.pdf").write_bytes(
        _pdf("Robert Fischer won the chess world championship in 1972.")
    )
    page = tmp_path / "r.html"
    assert _eval(tmp_path, "--quiet", "--html", str(page)) == 1
    assert "no-chess" in page.read_text("utf-8")
    assert "data:image/" in page.read_text("utf-8")
    with open_corpus(find_files([documents])) as corpus, corpus.asker(Variant()) as asker:
        (known,) = (one for one in asker.documents if one.name.endswith(".pdf"))
        assert corpus.page_image(known.document_id, 1).startswith(b"\x89PNG")


def test_a_file_that_cannot_be_read_is_named(tmp_path, capsys) -> None:
    documents, _ = write_set(tmp_path, FEW)
    (documents / "broken.pdf").write_bytes(b"%PDF-1.7 no more")
    assert _eval(tmp_path, "--json") == 0
    said = capsys.readouterr()
    assert list(json.loads(said.out)["program"]["unread"]) == ["broken.pdf"]
    assert "broken.pdf" in said.err


def _pdf(text: str) -> bytes:
    import pymupdf

    with pymupdf.open() as document:
        document.new_page().insert_text((72, 72), text)
        return document.tobytes()
