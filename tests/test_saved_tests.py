"""Tests made of answers, over a real server on loopback: saved, reviewed, given away, taken in."""

from __future__ import annotations

import json

import httpx
import pymupdf
import pytest
from fakes import FakeCatalog
from program_server import serving_program

from local_rag.cli.evaluate.main import main
from local_rag.errors import InvalidRequest
from local_rag.evaluation.cases import Case, checked_lines, read_cases
from local_rag.evaluation.saved import Said, saved_case
from local_rag.evaluation.saved_facts import chosen_facts
from local_rag.model.answer import Answer, Citation, Rectangle, Span
from local_rag.model.conversation import Turn
from local_rag.model.document import Chunk, Document
from local_rag.model.evidence import Fused
from local_rag.settings import Settings

WALL = "The harbour wall of Brockhaven was finished on 3 May 1931 by forty masons."
PEARS = "The pear trees of Tillingdale were planted in 1874 by monks."
FILLER = "Rain fell on most days of the month, and the boats stayed where they were."
QUESTION = "When was the harbour wall of Brockhaven finished?"
NOWHERE = "Which colour does the bicycle of the vicar have?"


def pdf(*pages: str) -> bytes:
    with pymupdf.open() as document:
        for text in pages:
            document.new_page().insert_text((72, 100), text, fontsize=11)
        return bytes(document.tobytes())


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    settings = Settings(
        data_dir=tmp_path_factory.mktemp("data"),
        chat_provider="extractive",
        open_browser=False,
        _env_file=None,
    )
    with serving_program(settings) as world:
        yield world


@pytest.fixture(scope="module")
def asked(server):
    """A library, and a conversation in which the wall, the pears and a bicycle were asked for."""
    with httpx.Client(base_url=server[0], timeout=60) as client:
        files = {"wall.pdf": pdf(FILLER, WALL), "pears.txt": PEARS.encode()}
        for name, content in files.items():
            client.post("/api/documents", files={"file": (name, content)}).raise_for_status()
        conversation = client.post("/api/conversations", json={}).json()["conversation_id"]
        for question in (QUESTION, "Who planted the pear trees of Tillingdale?", NOWHERE):
            body = {"question": question, "conversation_id": conversation}
            client.post("/api/query", json=body).raise_for_status()
    return conversation


@pytest.fixture
def client(server, asked):
    with httpx.Client(base_url=server[0], timeout=60) as made:
        made.delete("/api/tests").raise_for_status()
        yield made


@pytest.fixture
def save(client, asked):
    def saving(turn=1, verdict="right", *, expect=201, path="/api/tests", **more):
        body = {"conversation_id": asked, "turn": turn, "verdict": verdict, **more}
        reply = client.post(path, json=body)
        assert reply.status_code == expect, reply.text
        return reply.json()

    return saving


def ids(client):
    names = client.get("/api/documents").json()["documents"]
    return {row["name"]: row["document_id"] for row in names}


def revealed(client, case_id):
    return client.get(f"/api/tests/{case_id}", params={"revealed": True}).json()


def exported(client, **query) -> list[Case]:
    cases, wrong = checked_lines(client.get("/api/tests/export", params=query).text.splitlines())
    assert wrong == []
    return cases


def refused(reply) -> tuple[int, str]:
    assert set(reply.json()["error"]) == {"code", "message", "fix"}
    return reply.status_code, reply.json()["error"]["code"]


def test_a_right_answer_becomes_a_case_that_names_its_evidence(client, save):
    saved = save(tags=["harbour"])
    assert saved["outcome"] == "created"
    [case] = exported(client)
    [place] = case.expected_evidence
    assert (case.question, case.answerable) == (QUESTION, True)
    assert (case.generation_method, case.review_status) == ("saved-answer", "needs_review")
    assert (case.split, case.question_type) == ("dev", "fact")
    assert case.tags == ["verdict:right", "harbour"]
    assert case.reference_answer == WALL
    assert (place.source, place.page, place.contains) == ("wall.pdf", 2, [WALL])
    assert place.bbox[0] == pytest.approx(72, abs=2)
    assert case.required_facts[0] == "3 May 1931"


def test_a_right_refusal_becomes_a_case_that_has_no_answer(client, save):
    save(3)
    [case] = exported(client)
    assert (case.answerable, case.question_type) == (False, "unanswerable")
    assert (case.expected_evidence, case.required_facts, case.reference_answer) == ([], [], "")


def test_an_answer_that_should_have_been_refused_has_no_evidence(client, save):
    save(1, "should_have_been_refused")
    [case] = exported(client)
    assert (case.answerable, case.expected_evidence, case.reference_answer) == (False, [], "")


def test_a_wrong_answer_is_saved_with_the_right_one_to_be_reviewed(client, save):
    error = save(1, "wrong", expect=422)["error"]
    assert "reference_answer: an answerable case needs one" in error["message"]
    written = "It was finished on 3 May 1931."
    save(1, "wrong", reference_answer=written, required_facts=["3 May 1931"])
    [case] = exported(client)
    assert (case.reference_answer, case.required_facts) == (written, ["3 May 1931"])
    assert case.review_status == "needs_review"


def test_a_wrong_refusal_is_saved_with_the_place_that_answers(client, save):
    place = {"document_id": ids(client)["pears.txt"], "page": None, "contains": ["by monks"]}
    saying = {"reference_answer": "Monks did.", "places": [place], "required_facts": ["monks"]}
    save(3, "should_have_been_answered", **saying)
    [case] = exported(client)
    [evidence] = case.expected_evidence
    assert (evidence.source, evidence.page, evidence.bbox) == ("pears.txt", None, None)
    assert case.answerable


@pytest.mark.parametrize(
    ("page", "words", "told"),
    [
        (1, [WALL], "are not on page 1"),
        (2, ["of the bicycle"], "are not on page 2"),
        (2, ["  "], "are not on page 2"),
    ],
)
def test_a_place_where_the_words_do_not_stand_is_refused(client, save, page, words, told):
    place = {"document_id": ids(client)["wall.pdf"], "page": page, "contains": words}
    error = save(1, places=[place], expect=422)["error"]
    assert told in error["message"]
    assert save(1, places=[place | {"page": 9}], expect=404)["error"]["code"] == "unknown-page"


def test_a_place_on_a_page_gets_the_box_of_its_words(client, save):
    place = {"document_id": ids(client)["wall.pdf"], "page": 2, "contains": ["forty  MASONS"]}
    save(1, citations=[], places=[place])
    [evidence] = exported(client)[0].expected_evidence
    assert evidence.bbox[0] > 200


@pytest.mark.parametrize(
    ("turn", "verdict"),
    [(3, "wrong"), (3, "should_have_been_refused"), (1, "should_have_been_answered")],
)
def test_a_verdict_that_does_not_fit_the_answer_is_refused(save, turn, verdict):
    assert "so it cannot be" in save(turn, verdict, expect=422)["error"]["message"]


def test_what_is_not_there_is_said(client, save):
    assert save(9, expect=404)["error"]["code"] == "unknown-turn"
    assert save(1, citations=[7], expect=422)["error"]["code"] == "invalid-request"
    assert refused(client.get("/api/tests/none")) == (404, "unknown-case")
    assert refused(client.delete("/api/tests/none")) == (404, "unknown-case")
    assert refused(client.patch("/api/tests/none", json={})) == (404, "unknown-case")


def test_a_fact_that_is_not_in_the_evidence_is_named(save):
    error = save(required_facts=["1932"], expect=422)["error"]
    assert "required_facts: '1932' is not in the evidence" in error["message"]


def test_the_same_question_is_kept_once_and_that_is_said(client, save):
    first = save()
    again = save(1, "should_have_been_refused", question=f"  {QUESTION.upper()} ", expect=200)
    assert again == {"outcome": "duplicate", "test": first["test"]}
    assert save(path="/api/tests/draft", expect=200)["same_as"] == first["test"]["case_id"]
    assert len(exported(client)) == 1


def test_a_draft_shows_what_would_be_saved_and_saves_nothing(client, save):
    draft = save(path="/api/tests/draft", expect=200)
    assert (draft["reference_answer"], draft["same_as"]) == (WALL, None)
    assert client.get("/api/tests").json()["tests"] == []


def test_a_person_who_has_checked_the_evidence_approves_at_once(client, save):
    saved = save(confirmed_by="  Edith\n Marlowe ")["test"]
    assert (saved["review_status"], saved["reviewer"]) == ("approved_gold", "Edith Marlowe")
    written = {"reference_answer": "Never.", "required_facts": [], "confirmed_by": "Edith"}
    assert "reviewed first" in save(1, "wrong", expect=422, **written)["error"]["message"]


def test_a_follow_up_is_saved_as_it_was_understood(client, server, save):
    conversation = client.post("/api/conversations", json={}).json()["conversation_id"]
    for question in (QUESTION, "and by whom?"):
        body = {"question": question, "conversation_id": conversation}
        client.post("/api/query", json=body).raise_for_status()
    turn = server[1].kept.store.turn(conversation, 2)
    assert turn.understood_as
    body = {"conversation_id": conversation, "turn": 2, "verdict": "right"}
    assert client.post("/api/tests", json=body).status_code == 201
    assert exported(client)[0].question == turn.understood_as


def test_the_review_hides_the_proposed_answer_until_it_is_asked_for(client, save):
    case_id = save()["test"]["case_id"]
    hidden = client.get(f"/api/tests/{case_id}").json()
    assert hidden["places"][0]["passages"] == [WALL]
    assert (hidden["places"][0]["page"], hidden["places"][0]["is_same"]) == (2, True)
    del hidden["places"]
    for shown in (hidden, client.get("/api/tests").json()):
        assert "1931" not in json.dumps(shown)
        assert "verdict" not in json.dumps(shown)
    shown = revealed(client, case_id)
    assert shown["proposed"]["reference_answer"] == WALL
    assert shown["proposed"]["verdict"] == "right"


def test_a_case_is_edited_approved_and_rejected_with_reviewer_and_time(client, save):
    case_id = save()["test"]["case_id"]
    path = f"/api/tests/{case_id}"
    assert refused(client.patch(path, json={"decision": "approve"})) == (422, "invalid-request")
    gold = client.patch(path, json={"decision": "approve", "reviewer": "Ann"}).json()["test"]
    assert (gold["review_status"], gold["reviewer"]) == ("approved_gold", "Ann")
    assert gold["reviewed_at"]
    edit = {"reference_answer": "On 3 May 1931.", "required_facts": ["3 May 1931"], "tags": ["b"]}
    edited = client.patch(path, json=edit).json()
    assert (edited["test"]["review_status"], edited["test"]["reviewer"]) == ("needs_review", "")
    assert edited["proposed"]["reference_answer"] == "On 3 May 1931."
    assert (edited["test"]["tags"], edited["proposed"]["verdict"]) == (["b"], "right")
    rejected = client.patch(path, json={"decision": "reject", "reviewer": "Bob"}).json()["test"]
    assert (rejected["review_status"], rejected["reviewer"]) == ("rejected", "Bob")


def test_a_place_is_added_in_the_review_as_a_group_of_its_own(client, save):
    case_id = save()["test"]["case_id"]
    place = {"document_id": ids(client)["pears.txt"], "page": 1, "contains": [PEARS]}
    change = client.patch(f"/api/tests/{case_id}", json={"places": [place]}).json()
    evidence = change["proposed"]["expected_evidence"]
    assert [(one["source"], one["evidence_group"]) for one in evidence] == [
        ("wall.pdf", "1"),
        ("pears.txt", "2"),
    ]


def test_an_edit_that_breaks_a_rule_or_comes_too_late_is_refused(client, save):
    saved, other = save()["test"], save(2)["test"]
    path = f"/api/tests/{saved['case_id']}"
    assert refused(client.patch(path, json={"reference_answer": ""})) == (422, "invalid-request")
    late = {"split": "smoke", "updated_at": other["updated_at"]}
    assert refused(client.patch(path, json=late)) == (409, "case-changed")
    same = {"question": other["question"]}
    assert refused(client.patch(path, json=same)) == (409, "case-changed")
    assert refused(client.patch(path, json={"case_id": "x"})) == (422, "invalid-request")
    assert exported(client, status="needs_review")[0].question == QUESTION


def test_the_queue_is_filtered_by_status(client, save):
    save()
    gold = save(2, confirmed_by="Ann")["test"]
    listed = client.get("/api/tests", params={"status": "approved_gold"}).json()
    assert listed["tests"] == [gold]
    assert listed["counts"]["needs_review"] == listed["counts"]["approved_gold"] == 1
    assert [case.case_id for case in exported(client, status="approved_gold")] == [gold["case_id"]]
    assert refused(client.get("/api/tests?status=any")) == (422, "invalid-request")


def test_what_was_given_away_can_be_taken_in_once(client, save):
    save()
    save(2, confirmed_by="Ann")
    reply = client.get("/api/tests/export")
    assert "tests.jsonl" in reply.headers["content-disposition"]
    before = exported(client)
    client.delete("/api/tests").raise_for_status()
    file = {"file": ("tests.jsonl", b"\xef\xbb\xbf" + reply.content)}
    taken = client.post("/api/tests/import", files=file).json()
    assert (len(taken["added"]), taken["skipped"]) == (2, [])
    assert sorted(exported(client), key=lambda case: case.case_id) == sorted(
        before, key=lambda case: case.case_id
    )
    again = client.post("/api/tests/import", files=file).json()
    assert (again["added"], len(again["skipped"])) == ([], 2)


def test_a_file_that_breaks_a_rule_is_refused_whole_with_its_lines(client, save):
    save()
    good = client.get("/api/tests/export").text
    client.delete("/api/tests").raise_for_status()
    content = good + "{}\n" + "no json\n"
    reply = client.post("/api/tests/import", files={"file": ("a.jsonl", content.encode())})
    assert refused(reply) == (422, "invalid-request")
    assert "line 2: question" in reply.json()["error"]["message"]
    assert "line 3: " in reply.json()["error"]["message"]
    for content in (b"\n", b"\xff\xfe"):
        reply = client.post("/api/tests/import", files={"file": ("a.jsonl", content)})
        assert refused(reply) == (422, "invalid-request")
    assert client.get("/api/tests").json()["tests"] == []


def test_a_case_of_any_id_is_found_and_deleted(client, save):
    save()
    row = json.loads(client.get("/api/tests/export").text) | {"case_id": "a/b ü?#"}
    client.delete("/api/tests").raise_for_status()
    file = {"file": ("a.jsonl", json.dumps(row).encode())}
    client.post("/api/tests/import", files=file).raise_for_status()
    path = "/api/tests/a%2Fb%20%C3%BC%3F%23"
    assert client.get(path).json()["test"]["case_id"] == "a/b ü?#"
    assert client.delete(path).status_code == 204
    assert client.get("/api/tests").json()["tests"] == []


def test_the_tests_of_a_library_are_written_to_a_file_while_it_runs(
    client, server, save, tmp_path, capsys
):
    save(confirmed_by="Ann")
    save(2)
    folder, out = str(server[1].settings.data_dir), tmp_path / "cases.jsonl"
    assert main(["tests", str(out), "--data-dir", folder]) == 0
    assert read_cases(out) == exported(client)
    assert main(["tests", str(out), "--data-dir", folder]) == 2
    assert "--force" in capsys.readouterr().err
    assert main(["tests", str(out), "--force", "--data-dir", folder]) == 0
    capsys.readouterr()
    assert main(["tests", "--status", "approved_gold", "--data-dir", folder]) == 0
    [line] = capsys.readouterr().out.splitlines()
    assert Case.model_validate_json(line) == exported(client, status="approved_gold")[0]
    assert main(["tests", str(tmp_path), "--data-dir", folder]) == 2


def test_what_has_left_the_library_is_said_in_the_review(client, save):
    case_id = save(2)["test"]["case_id"]
    row = json.loads(client.get("/api/tests/export").text)
    row["expected_evidence"][0] |= {"source": "gone.txt", "source_sha256": "0" * 64}
    client.delete("/api/tests").raise_for_status()
    file = {"file": ("a.jsonl", json.dumps(row).encode())}
    client.post("/api/tests/import", files=file).raise_for_status()
    [place] = client.get(f"/api/tests/{case_id}").json()["places"]
    assert (place["source"], place["document_id"], place["passages"]) == ("gone.txt", None, [])


def test_another_site_may_not_save(client):
    headers = {"Origin": "http://evil.example"}
    for method, path in (("POST", ""), ("POST", "/import"), ("DELETE", "")):
        reply = client.request(method, f"/api/tests{path}", json={}, headers=headers)
        assert refused(reply) == (403, "request-refused")


@pytest.mark.parametrize(
    ("question", "answer", "quoted", "facts"),
    [
        ("When?", "It was on 3 May 1931.", "On 3 May 1931 it was.", ["3 May 1931"]),
        ("How many in 1931?", "In 1931 there were 40 masons.", "40 masons in 1931", ["40"]),
        ("How much?", "It costs 19 euros.", "It cost 1,019 euros.", []),
        ("Who?", "The keeper was Edith Marlowe.", "Edith Marlowe kept it.", ["Edith Marlowe"]),
        ("Who?", "The keeper was Edith Marlowe.", "Nobody kept it.", []),
        ("Was it Edith Marlowe?", "Yes, Edith Marlowe.", "Edith Marlowe kept it.", []),
    ],
)
def test_facts_are_figures_dates_and_names_of_answer_and_evidence(question, answer, quoted, facts):
    assert chosen_facts(question, answer, quoted) == facts


def _turn(text: str, *citations: Citation, refused: bool = False) -> Turn:
    at = "2026-01-01T00:00:00.000000+00:00"
    return Turn(1, at, "What?", "", None, Answer(text, citations, refused))


def _citation(number: int, text: str, *spans: Span) -> Citation:
    chunk = Chunk(f"{number:032x}", "d" * 32, number, 3, 0, len(text), text, "1", ())
    document = Document("d" * 32, "a.pdf", "application/pdf", "0" * 64, 9, 9, 1, "T", "")
    quote = " … ".join(text[span.start : span.end] for span in spans)
    fused = Fused(chunk.chunk_id, 0.1, 1, None, 0.5, None)
    box = (Rectangle(1, 2, 3, 4), Rectangle(0, 5, 2, 6))
    return Citation(number, chunk, document, fused, quote, spans, box, None, 500, 700)


def test_each_claim_is_a_group_of_the_stretches_that_it_rests_on():
    text = "Pears are green. Apples are red."
    both = _citation(1, text, Span(0, 16), Span(17, 32))
    other = _citation(2, "Pears grow.", Span(0, 11))
    turn = _turn("- Pears are green. [1][2]\n- Apples are red. [1]", both, other)
    case = saved_case(turn, Said("right"), FakeCatalog())
    assert [(one.evidence_group, one.contains) for one in case.expected_evidence] == [
        ("1", ["Pears are green."]),
        ("1", ["Pears grow."]),
        ("2", ["Apples are red."]),
    ]
    assert case.expected_evidence[1].bbox == [0, 2, 3, 6]


def test_citations_that_prove_nothing_are_left_out():
    first, second = _citation(1, "A is 5.", Span(0, 7)), _citation(2, "B is 6.", Span(0, 7))
    turn = _turn("A is 5. [1] B is 6. [2]", first, second)
    case = saved_case(turn, Said("right", citations=[2]), FakeCatalog())
    assert [one.contains for one in case.expected_evidence] == [["B is 6."]]
    with pytest.raises(InvalidRequest, match="needs at least one place"):
        saved_case(turn, Said("right", citations=[]), FakeCatalog())
