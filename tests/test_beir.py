"""``local-rag-eval beir``: a small set through the real search, its figures, and broken folders."""

from __future__ import annotations

import io
import json

import pytest

from local_rag.cli.evaluate.main import main
from local_rag.cli.evaluate.meter import Meter
from local_rag.composition import open_bench
from local_rag.errors import InvalidRequest, ModelFault
from local_rag.evaluation import beir as measuring
from local_rag.evaluation.beir import run_beir
from local_rag.evaluation.beir_set import read_beir
from local_rag.settings import load_settings

CORPUS = [
    ("ship", "Ferries", "The ferry to the island sails at seven each morning."),
    ("bees", "Bees", "A bee colony keeps its honey for the winter."),
    ("bread", "", "Rye bread rises for two hours before it is baked."),
    ("rock", "Granite", "Granite is a rock of quartz and feldspar."),
    ("lamp", "Lamps", "The lighthouse lamp turns once in ten seconds."),
]
QUERIES = {
    "1": "When does the ferry to the island sail?",
    "2": "What does a bee colony keep for the winter?",
    "3": "Which minerals is granite made of?",
}
QRELS = [("1", "ship", "2"), ("1", "lamp", "1"), ("2", "bees", "1"), ("3", "rock", "1")]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return write(tmp_path / "little")


def write(folder, corpus=CORPUS, queries=None, qrels=QRELS, header=True, file="qrels/test.tsv"):
    queries = QUERIES if queries is None else queries
    (folder / file).parent.mkdir(parents=True, exist_ok=True)
    rows = [{"_id": name, "title": title, "text": text} for name, title, text in corpus]
    (folder / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    rows = [{"_id": name, "text": text} for name, text in queries.items()]
    (folder / "queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    lines = [("query-id", "corpus-id", "score")] * header + list(qrels)
    (folder / file).write_text("".join("\t".join(line) + "\n" for line in lines))
    return folder


def figures_of(capsys, *arguments):
    assert main(["beir", *map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_each_leg_and_the_hybrid_are_measured(folder, capsys):
    found = figures_of(capsys, folder)
    assert (found["set"], found["qrels"]) == ("little", "qrels/test.tsv")
    assert (found["questions"], found["measured"], found["failures"]) == (3, 3, {})
    assert (found["documents"], found["passages"], found["notes"]) == (5, 5, [])
    for leg in ("dense", "lexical", "hybrid"):
        figures = found["legs"][leg]["figures"]
        assert figures["mrr@10"] == {"value": 1.0, "low": 1.0, "high": 1.0, "n": 3, "of": 3}
        latency = found["legs"][leg]["latency_ms"]
        assert 0 < latency["p50"] <= latency["p95"]
    # Of five documents the ranking by meaning lists all; no word of the first question is in
    # the passage on the lamp.
    assert found["legs"]["dense"]["figures"]["recall@10"]["value"] == 1.0
    assert found["legs"]["lexical"]["figures"]["recall@10"]["value"] == pytest.approx(2.5 / 3)


def test_grades_weigh_in_the_ndcg(folder, capsys):
    lexical = figures_of(capsys, folder)["legs"]["lexical"]["figures"]["ndcg@10"]
    ideal = 2 + 1 / 1.584962500721156  # grade 1 in the second place is not found
    assert lexical["value"] == pytest.approx((2 / ideal + 1 + 1) / 3)
    assert lexical["low"] == pytest.approx(2 / ideal)


def test_the_hybrid_is_measured_as_far_as_its_list_reaches(folder, capsys):
    legs = figures_of(capsys, folder)["legs"]
    assert set(legs["hybrid"]["figures"]) == {"ndcg@10", "mrr@10", "recall@10", "recall@25"}
    assert set(legs["dense"]["figures"]) == set(legs["hybrid"]["figures"]) | {"recall@100"}
    legs = figures_of(capsys, folder, "--top-k", "100")["legs"]
    assert set(legs["hybrid"]["figures"]) == {"ndcg@10", "mrr@10", "recall@10", "recall@100"}


def test_documents_that_fill_the_first_passages_do_not_hide_the_others(folder, monkeypatch, capsys):
    monkeypatch.setattr(measuring, "DEPTH", 4)
    long = " ".join(
        f"The ferry to the island sails at {hour} in week {hour}." for hour in range(99)
    )
    write(folder, [("long", "", long), *CORPUS], qrels=[("1", "ship", "1")])
    monkeypatch.setenv("RAG_CHUNK_SIZE", "200")
    monkeypatch.setenv("RAG_CHUNK_OVERLAP", "0")
    found = figures_of(capsys, folder)
    assert found["passages"] > 20
    assert found["legs"]["dense"]["figures"]["recall@4"]["value"] == 1.0


def test_the_settings_decide_how_the_hybrid_is_fused(folder, monkeypatch, capsys):
    seen = []

    def noting(settings):
        seen.append(settings.fusion)
        return open_bench(settings)

    monkeypatch.setattr(measuring, "open_bench", noting)
    monkeypatch.setenv("RAG_FUSION", "minmax")
    monkeypatch.setenv("RAG_LEXICAL_WEIGHT", "10")
    monkeypatch.setenv("RAG_DENSE_WEIGHT", "0")
    legs = figures_of(capsys, folder)["legs"]
    assert seen == ["minmax"]
    assert legs["hybrid"]["figures"]["recall@10"] == legs["lexical"]["figures"]["recall@10"]


def test_named_servers_are_not_touched_by_a_measurement(folder, monkeypatch, tmp_path):
    named = {"database_url": "postgresql://127.0.0.1:9/x", "qdrant_url": "http://127.0.0.1:9"}
    with open_bench(load_settings(data_dir=tmp_path, **named)) as bench:
        assert bench.space.index.count() == 0
        assert bench.catalog.documents() == []


def test_the_first_questions_alone_can_be_asked(folder, capsys):
    found = figures_of(capsys, folder, "--limit", "2")
    assert (found["questions"], found["measured"]) == (2, 2)
    assert found["legs"]["hybrid"]["figures"]["ndcg@10"]["of"] == 2
    one = figures_of(capsys, folder, "--limit", "1")["legs"]["dense"]["figures"]["mrr@10"]
    assert one == {"value": 1.0, "low": None, "high": None, "n": 1, "of": 1}
    assert main(["beir", str(folder), "--limit", "1"]) == 0
    assert "\nmrr@10      1.0000                  1.0000" in capsys.readouterr().out


def test_a_question_that_fails_is_counted_and_not_averaged(folder, monkeypatch, tmp_path):
    from local_rag.adapters.minilm import MiniLmEmbedder

    embed = MiniLmEmbedder.embed_query

    def failing(self, text):
        if "granite" in text:
            raise ModelFault("The model does not run.")
        return embed(self, text)

    monkeypatch.setattr(MiniLmEmbedder, "embed_query", failing)
    result = run_beir(load_settings(data_dir=tmp_path), read_beir(folder), top_k=10)
    assert (result.questions, result.measured) == (3, 2)
    assert result.failures == {"The model does not run.": 1}
    ndcg = result.legs["dense"].figures["ndcg@10"]
    assert (ndcg.n, ndcg.of) == (2, 3)
    assert ndcg.value > 0.9


def test_where_every_question_fails_nothing_is_measured(folder, monkeypatch, capsys):
    from local_rag.adapters.minilm import MiniLmEmbedder

    def failing(self, text):
        raise ModelFault("The model does not run.")

    monkeypatch.setattr(MiniLmEmbedder, "embed_query", failing)
    assert main(["beir", str(folder)]) == 2
    assert "No question could be searched for: The model does not run." in capsys.readouterr().err


def test_the_table_says_what_is_left_out(folder, capsys):
    corpus = [*CORPUS, ("void", "", " ")]
    qrels = [*QRELS, ("2", "gone", "1"), ("9", "ship", "1"), ("3", "void", "0")]
    queries = QUERIES | {"4": "What bakes?"}
    write(folder, corpus, queries, [*qrels, ("4", "bread", "0"), ("4", "rock", "-1")])
    assert main(["beir", str(folder)]) == 0
    told = capsys.readouterr().out
    assert "little, qrels/test.tsv: 3 of 3 questions, 6 documents, 5 passages" in told
    for measure in ("ndcg@10", "mrr@10", "recall@10", "recall@25", "recall@100", "p50", "p95"):
        assert f"\n{measure} " in told
    assert told.count("not reached") == 1
    assert (
        "note: corpus.jsonl: documents without text, which nothing finds: 1, the first in line 6."
    )
    assert (
        "note: qrels/test.tsv: questions that queries.jsonl lacks, left out: 1, the first 9."
        in told
    )
    assert "questions without a grade above 0, left out: 1, the first 4." in told
    assert "relevant documents that corpus.jsonl lacks, missed always: 1, the first gone." in told


def test_a_relevant_document_that_is_not_there_is_missed(folder, capsys):
    write(folder, qrels=[("2", "bees", "1"), ("2", "gone", "1")])
    found = figures_of(capsys, folder)
    assert found["legs"]["hybrid"]["figures"]["recall@10"]["value"] == 0.5


@pytest.mark.parametrize("header", [True, False])
def test_judgements_may_have_a_header(folder, header):
    assert read_beir(write(folder, header=header)).grades == {
        "1": {"ship": 2.0, "lamp": 1.0},
        "2": {"bees": 1.0},
        "3": {"rock": 1.0},
    }


def test_a_split_is_named(folder):
    write(folder, qrels=[("3", "rock", "1")], file="qrels/dev.tsv")
    assert list(read_beir(folder, "dev").questions) == ["3"]
    assert list(read_beir(folder).questions) == ["1", "2", "3"]


def test_judgements_may_lie_beside_the_corpus(tmp_path):
    assert read_beir(write(tmp_path / "flat", file="qrels.tsv")).qrels == "qrels.tsv"


def test_numbers_serve_as_ids(folder):
    (folder / "queries.jsonl").write_text('{"_id": 1, "text": "When does it sail?"}\n')
    assert read_beir(folder).questions == {"1": "When does it sail?"}


def test_every_fault_of_a_set_is_named_with_its_line(folder):
    with (folder / "corpus.jsonl").open("a") as corpus:
        corpus.write(
            '{"_id": "ship", "text": "Again."}\n\n[1]\n{"_id": "x"}\n{"text": "y"}\n{"_id"\n'
        )
    (folder / "queries.jsonl").write_text('{"_id": "1", "text": "a"}\n{"_id": "1", "text": "b"}\n')
    (folder / "qrels/test.tsv").write_text(
        "q\td\ts\n1\tship\t1\n1\tship\t2\n1 bees 1\n1\tbees\tgood\n1\tbees\tnan\n1\t\t1\n"
    )
    with pytest.raises(InvalidRequest) as raised:
        read_beir(folder)
    assert raised.value.message.splitlines() == [
        "The set has 11 faults:",
        "corpus.jsonl, line 6: _id ship is that of line 1 too",
        "corpus.jsonl, line 8: is no JSON object",
        "corpus.jsonl, line 9: has no text",
        "corpus.jsonl, line 10: has no _id",
        "corpus.jsonl, line 11: is no JSON object",
        "queries.jsonl, line 2: _id 1 is that of line 1 too",
        "qrels/test.tsv, line 3: grades a document that has another grade before",
        "qrels/test.tsv, line 4: is not question, document and grade, with tabs",
        "qrels/test.tsv, line 5: 'good' is no grade",
        "qrels/test.tsv, line 6: 'nan' is no grade",
        "qrels/test.tsv, line 7: is not question, document and grade, with tabs",
    ]


def test_of_many_faults_the_first_are_named(folder):
    (folder / "corpus.jsonl").write_text("[]\n" * 50)
    with pytest.raises(InvalidRequest, match="The set has 50 faults") as raised:
        read_beir(folder)
    assert raised.value.message.endswith("line 20: is no JSON object\nand 30 more")


@pytest.mark.parametrize("file", ["corpus.jsonl", "queries.jsonl", "qrels/test.tsv"])
def test_a_missing_file_is_named(folder, file, capsys):
    (folder / file).unlink()
    assert main(["beir", str(folder)]) == 2
    assert f"{file}: is not there" in capsys.readouterr().err


def test_a_file_in_another_encoding_is_named(folder):
    (folder / "queries.jsonl").write_bytes('{"_id": "1", "text": "Fähre"}'.encode("latin-1"))
    with pytest.raises(InvalidRequest, match=r"queries\.jsonl: is not UTF-8"):
        read_beir(folder)


def test_a_set_that_judges_nothing_cannot_be_measured(folder, capsys):
    write(folder, qrels=[("1", "ship", "0")])
    assert main(["beir", str(folder)]) == 2
    assert "judges no question" in capsys.readouterr().err


def test_options_out_of_range_are_refused(folder, capsys):
    for wrong in (["--limit", "0"], ["--top-k", "9"], ["--top-k", "x"]):
        with pytest.raises(SystemExit) as ended:
            main(["beir", str(folder), *wrong])
        assert ended.value.code == 2


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_shows_a_bar_that_goes_away(monkeypatch):
    monkeypatch.setenv("COLUMNS", "41")
    out = Terminal()
    with Meter(out) as meter:
        meter.show("asking", 5, 10)
        meter.show("asking", 6, 10)  # too soon
    bar, blank = out.getvalue().removeprefix("\r").split("\r", 1)
    assert bar == "[##########----------] asking 5/10".ljust(40)
    assert blank == " " * 40 + "\r"


def test_a_pipe_shows_no_bar():
    out = io.StringIO()
    with Meter(out) as meter:
        meter.show("asking", 5, 10)
    assert out.getvalue() == ""
