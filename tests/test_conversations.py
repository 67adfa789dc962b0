"""Conversations over a real server on loopback: asked in, reopened, listed, deleted."""

from __future__ import annotations

import base64
import json
import re
import threading

import httpx
import pymupdf
import pytest
from fakes import FakeChatModel, FakeConversationStore
from program_server import serving_program

from local_rag.errors import Cancelled, InvalidRequest, UnknownConversation
from local_rag.model.answer import NO_DOCUMENTS, NO_SELECTION, REFUSAL, Answer
from local_rag.model.conversation import Turn
from local_rag.model.evidence import Ledger, Weights
from local_rag.settings import Settings
from local_rag.usecases.conversations import Conversations
from local_rag.usecases.kept import KeptConversations, title_of

REPORT = (
    "The revenue of the harbour was 31 million euros in 2020.\n\n"
    "The revenue of the harbour was 47 million euros in 2021.\n\n"
    "The ferry to the island leaves at eight in the morning.\n\n"
    "In 2021 a storm took the roof of the boathouse.\n"
)
OF_THE_CONVERSATION = {"question", "understood_as", "asked_at"}


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


@pytest.fixture
def client(server):
    with httpx.Client(base_url=server[0], timeout=60) as made:
        made.delete("/api/documents").raise_for_status()
        made.delete("/api/conversations").raise_for_status()
        yield made


def upload(client, text, name="report.txt"):
    reply = client.post("/api/documents", files={"file": (name, text.encode())})
    assert reply.status_code == 201
    return reply.json()["document"]["document_id"]


def begin(client, **body) -> str:
    reply = client.post("/api/conversations", json=body)
    assert reply.status_code == 201
    assert reply.headers["location"] == f"/api/conversations/{reply.json()['conversation_id']}"
    return reply.json()["conversation_id"]


def ask(client, conversation_id, question, **more):
    body = {"question": question, "conversation_id": conversation_id, **more}
    reply = client.post("/api/query", json=body)
    assert reply.status_code == 200, reply.text
    return reply.json()


def show(client, conversation_id, **query):
    reply = client.get(f"/api/conversations/{conversation_id}", params=query)
    assert reply.status_code == 200, reply.text
    return reply.json()


def refused(reply) -> tuple[int, str]:
    assert set(reply.json()["error"]) == {"code", "message", "fix"}
    return reply.status_code, reply.json()["error"]["code"]


def answer_of(shown):
    """What ``answer_json`` gave, without what tells of the conversation."""
    others = OF_THE_CONVERSATION | {
        "conversation_id", "turn", "number", "document_ids", "gone_documents",
    }  # fmt: skip
    return {key: value for key, value in shown.items() if key not in others}


def test_a_follow_up_is_searched_for_together_with_what_it_follows(client):
    upload(client, REPORT)
    conversation = begin(client)
    first = ask(client, conversation, "What was the revenue of the harbour in 2020?")
    assert first["answer"] == "The revenue of the harbour was 31 million euros in 2020. [1]"
    assert (first["turn"], first["understood_as"]) == (1, "")
    second = ask(client, conversation, "and in 2021?")
    assert second["answer"] == "The revenue of the harbour was 47 million euros in 2021. [1]"
    assert second["question"] == "and in 2021?"
    assert second["turn"] == 2
    assert second["understood_as"] == ("What was the revenue of the harbour in 2020? and in 2021?")
    third = ask(client, conversation, "When does the ferry to the island leave?")
    assert (third["turn"], third["understood_as"]) == (3, "")
    alone = client.post("/api/query", json={"question": "and in 2021?"}).json()
    assert [part["context"] for part in alone["ledger"]] == [""]
    assert [part["context"] for part in second["ledger"]] == [first["question"]]
    assert not OF_THE_CONVERSATION & set(alone)


def test_a_follow_up_of_a_follow_up_knows_what_the_run_began_with(client):
    upload(client, REPORT)
    conversation = begin(client)
    ask(client, conversation, "What was the revenue of the harbour in 2021?")
    ask(client, conversation, "and in 2019?")
    third = ask(client, conversation, "and in 2020?")
    assert third["answer"] == "The revenue of the harbour was 31 million euros in 2020. [1]"
    assert third["understood_as"] == (
        "What was the revenue of the harbour in 2021? and in 2019? and in 2020?"
    )
    fourth = ask(client, conversation, "and in 2018?")
    assert fourth["understood_as"] == (
        "What was the revenue of the harbour in 2021? and in 2020? and in 2018?"
    )


def test_what_is_reopened_is_what_was_sent(client):
    upload(client, REPORT)
    conversation = begin(client)
    sent = [
        ask(client, conversation, question)
        for question in ("What was the revenue of the harbour in 2020?", "and in 2021?", "Why?")
    ]
    reopened = show(client, conversation)
    assert [answer_of(turn) for turn in reopened["turns"]] == [answer_of(turn) for turn in sent]
    for turn, first in zip(reopened["turns"], sent, strict=True):
        assert {key: turn[key] for key in OF_THE_CONVERSATION} == {
            key: first[key] for key in OF_THE_CONVERSATION
        }
        assert turn["number"] == first["turn"]
        markers = set(map(int, re.findall(r"\[(\d+)\]", turn["answer"])))
        assert markers == {citation["id"] for citation in turn["citations"]}
        assert turn["gone_documents"] == []
    assert reopened["turn_count"] == 3
    assert [turn["number"] for turn in show(client, conversation, last=2)["turns"]] == [2, 3]


@pytest.mark.parametrize("how", ["replaced", "removed"])
def test_an_answer_stays_as_it_was_when_its_document_is_not(client, how):
    document = upload(client, REPORT)
    conversation = begin(client)
    sent = ask(client, conversation, "What was the revenue of the harbour in 2020?")
    if how == "replaced":
        assert upload(client, REPORT.replace("31", "32")) != document
    else:
        client.delete(f"/api/documents/{document}")
    (turn,) = show(client, conversation)["turns"]
    assert answer_of(turn) == answer_of(sent)
    assert turn["gone_documents"] == [document]
    assert turn["citations"][0]["quote"].startswith("The revenue of the harbour was 31")


@pytest.mark.parametrize("reading", [0, 3])
def test_refusals_are_kept_too(client, server, monkeypatch, reading):
    monkeypatch.setattr(type(server[1].jobs), "unfinished", lambda self: reading)
    conversation = begin(client)
    assert ask(client, conversation, "Is anything here?")["answer"] == NO_DOCUMENTS
    upload(client, REPORT)
    ask(client, conversation, "Who invented the telescope?")
    ask(client, conversation, "What is there?", document_ids=[])
    turns = show(client, conversation)["turns"]
    assert [turn["answer"] for turn in turns] == [NO_DOCUMENTS, REFUSAL, NO_SELECTION]
    assert [turn["document_ids"] for turn in turns] == [None, None, []]
    assert {turn["still_reading"] for turn in turns} == {reading}


def test_a_question_that_fails_leaves_nothing(client):
    conversation = begin(client)
    for body in ({"question": " "}, {"question": "x" * 2001}, {"document_ids": ["f" * 32]}):
        sent = {"question": "What?", "conversation_id": conversation, **body}
        assert client.post("/api/query", json=sent).status_code in (404, 422)
    shown = show(client, conversation)
    assert (shown["turns"], shown["turn_count"], shown["title"]) == ([], 0, "")


def test_what_is_unknown_is_said_in_one_shape(client):
    for unknown in ("f" * 32, "no", "%00", "é"):
        path = f"/api/conversations/{unknown}"
        for reply in (
            client.get(path),
            client.patch(path, json={"title": "T"}),
            client.delete(path),
        ):
            assert refused(reply) == (404, "unknown-conversation")
    body = {"question": "What?", "conversation_id": "f" * 32}
    assert refused(client.post("/api/query", json=body)) == (404, "unknown-conversation")


@pytest.mark.parametrize(
    ("call", "path", "body"),
    [
        ("POST", "", {"title": "x" * 201}),
        ("POST", "", {"name": "x"}),
        ("PATCH", "/{id}", {"title": ""}),
        ("PATCH", "/{id}", {"title": " \u202e\0 "}),
        ("PATCH", "/{id}", {"title": "x" * 201}),
        ("PATCH", "/{id}", {}),
        ("GET", "?limit=0", None),
        ("GET", "?limit=201", None),
        ("GET", "?before=yesterday", None),
        ("GET", "/{id}?last=0", None),
        ("GET", "/{id}?last=99999999999999999999", None),
    ],
)
def test_a_bad_request_is_refused(client, call, path, body):
    path = path.format(id=begin(client, title="Kept"))
    reply = client.request(call, f"/api/conversations{path}", json=body)
    assert refused(reply) == (422, "invalid-request")
    assert client.get("/api/conversations").json()["conversations"][0]["title"] == "Kept"


def test_conversations_are_listed_renamed_and_deleted(client):
    ids = [begin(client, title=f"Number {n}") for n in range(5)]
    assert len(set(ids)) == 5
    assert all(re.fullmatch(r"[0-9a-f]{32}", known) for known in ids)
    ask(client, ids[0], "What?")
    seen, query = [], {"limit": 2}
    while True:
        page = client.get("/api/conversations", params=query).json()
        seen += [c["conversation_id"] for c in page["conversations"]]
        if page["next"] is None:
            break
        query["before"] = page["next"]
    assert seen == [ids[0], *reversed(ids[1:])]
    renamed = client.patch(f"/api/conversations/{ids[1]}", json={"title": " New\ntitle\u202e "})
    assert renamed.json()["title"] == "New title"
    assert client.delete(f"/api/conversations/{ids[2]}").status_code == 204
    listed = client.get("/api/conversations").json()["conversations"]
    assert [c["conversation_id"] for c in listed] == [ids[0], ids[4], ids[3], ids[1]]
    assert listed[-1] == renamed.json()
    assert client.delete("/api/conversations").json() == {"deleted": 4}
    assert client.get("/api/conversations").json() == {"conversations": [], "next": None}
    assert client.post("/api/conversations").json()["title"] == ""


def test_questions_that_look_like_markup_or_controls_come_back_as_they_are(client):
    upload(client, REPORT)
    question = "</script><img src=x onerror=alert(1)> \x07\x1b[31m\u202eharbour\u2028 שלום?\t"
    conversation = begin(client)
    ask(client, conversation, question)
    shown = show(client, conversation)
    assert shown["turns"][0]["question"] == question.strip()
    assert shown["title"] == "</script><img src=x onerror=alert(1)> [31mharbour שלום?"
    ask(client, conversation, "a\0b " + "é" * 1996)
    assert show(client, conversation)["turns"][1]["question"] == "a b " + "é" * 1996


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("When was it built?", "When was it built?"),
        ("\u202e When\r\n was\tit\0 built? ", "When was it built?"),
        ("word " * 30, "word " * 15 + "word…"),
        ("a word " + "x" * 2000, "a word " + "x" * 72 + "…"),
        ("水" * 2000, "水" * 79 + "…"),
        ("1234567, " * 40, "1234567, " * 7 + "1234567…"),
    ],
)
def test_a_title_is_the_question_shortened_at_a_word(question, title):
    assert title_of(question) == title
    assert len(title) <= 80


def a_conversation(store) -> str:
    return KeptConversations(store, catalog=None).begin().conversation_id


class StubDesk:
    """Answers with what was searched for."""

    chat = None

    def __init__(self, during=None):
        self.during = during or (lambda: None)

    def answer(self, question, document_ids, *, asked, cancel, **watching):
        self.during()
        if cancel is not None and cancel.is_set():
            raise Cancelled("stopped")
        ledgers = tuple(Ledger(part, (), Weights(1, 1, "")) for part in asked.parts)
        return Answer(asked.parts[0].search_text, (), True, ledgers=ledgers)


def test_a_question_that_is_stopped_leaves_nothing():
    conversations = Conversations(StubDesk(), FakeConversationStore())
    conversation_id = a_conversation(conversations.store)
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        conversations.ask(conversation_id, "When was it built?", cancel=stop)
    assert conversations.store.turns(conversation_id) == []


def test_a_conversation_that_is_deleted_meanwhile_takes_no_answer():
    store = FakeConversationStore()
    conversations = Conversations(StubDesk(store.delete_all), store)
    conversation_id = a_conversation(conversations.store)
    with pytest.raises(UnknownConversation):
        conversations.ask(conversation_id, "When was it built?")


def test_a_question_does_not_grow_with_the_run_of_follow_ups_before_it():
    conversations = Conversations(StubDesk(), FakeConversationStore())
    conversation_id = a_conversation(conversations.store)
    conversations.ask(conversation_id, "When was the lighthouse built?")
    for year in range(1900, 1930):
        turn = conversations.ask(conversation_id, f"and in {year}?")
    assert isinstance(turn, Turn)
    assert turn.answer.text == turn.understood_as
    assert len(turn.understood_as) < 120


def test_a_place_in_the_list_is_no_other_text():
    conversations = KeptConversations(FakeConversationStore(), catalog=None)
    for before in ("x", "_", "2026", "2026-13-01T00:00:00_a"):
        with pytest.raises(InvalidRequest):
            conversations.page(5, before)
    assert conversations.page(5, "2026-01-01T00:00:00.000000_a") == ([], "")


def a_pdf(*pages: str, **save) -> bytes:
    document = pymupdf.open()
    for text in pages:
        document.new_page().insert_textbox((72, 72, 523, 770), text, fontsize=11)
    return document.tobytes(**save)


def test_a_conversation_and_one_answer_come_as_files(client):
    content = a_pdf("Of the coast and its harbours.", "The lighthouse was built in 1873.")
    files = {"file": ("coast [x](y) <b>.pdf", content)}
    document = client.post("/api/documents", files=files).json()["document"]
    conversation = begin(client, title="Über <b>Türme</b>")
    ask(client, conversation, "When was the lighthouse built?")
    ask(client, conversation, "Who invented the telescope?")
    path = f"/api/conversations/{conversation}"
    plain = client.get(f"{path}/export")
    assert plain.headers["content-type"] == "text/markdown; charset=utf-8"
    assert plain.headers["content-disposition"] == (
        'attachment; filename="_ber b T_rme b.md"; filename*='
        "UTF-8''%C3%9Cber%20b%20T%C3%BCrme%20b.md"
    )
    assert "# Über \\<b\\>Türme\\</b\\>" in plain.text
    assert "[^1-1]: **coast \\[x\\](y) \\<b\\>.pdf**, page 2: “The lighthouse" in plain.text
    told = client.get(f"{path}/export", params={"format": "json"}).json()
    assert told.pop("format") == "local-rag-conversation/1"
    assert told == show(client, conversation)
    one = client.get(f"{path}/turns/1/export", params={"format": "html", "pages": True})
    assert one.headers["content-type"] == "text/html; charset=utf-8"
    assert one.headers["content-disposition"].startswith("attachment;")
    picture = re.search(r'src="data:image/png;base64,([^"]+)"', one.text)
    assert base64.b64decode(picture[1]).startswith(b"\x89PNG")
    assert one.text.count("<rect ") == 1
    assert "telescope" not in one.text
    client.delete(f"/api/documents/{document['document_id']}")
    gone = client.get(f"{path}/export", params={"format": "html", "pages": True}).text
    assert "<img" not in gone
    assert "This page is not shown. The document is no longer in the library." in gone
    assert "<mark>The lighthouse was built in 1873.</mark>" in gone


def test_what_cannot_be_exported_is_said(client):
    conversation = begin(client)
    path = f"/api/conversations/{conversation}"
    assert client.get(f"{path}/export").status_code == 200
    assert refused(client.get(f"{path}/turns/1/export")) == (404, "unknown-turn")
    assert refused(client.get(f"{path}/turns/{10**30}/export")) == (404, "unknown-turn")
    assert refused(client.get(f"{path}/turns/x/export")) == (422, "invalid-request")
    assert refused(client.get(f"{path}/export?format=pdf")) == (422, "invalid-request")
    assert refused(client.get(f"{path}/export?pages=true")) == (422, "invalid-request")
    unknown = f"/api/conversations/{'f' * 32}/export"
    assert refused(client.get(unknown)) == (404, "unknown-conversation")


def test_the_description_of_the_interface_names_what_there_is(client):
    paths = client.get("/api/openapi.json").json()["paths"]
    base = "/api/conversations"
    assert {f"{method} {path}" for path in paths if base in path for method in paths[path]} == {
        f"post {base}",
        f"get {base}",
        f"delete {base}",
        f"get {base}/{{conversation_id}}",
        f"patch {base}/{{conversation_id}}",
        f"delete {base}/{{conversation_id}}",
        f"get {base}/{{conversation_id}}/export",
        f"get {base}/{{conversation_id}}/turns/{{number}}/export",
    }


class StubChoice:
    """``ChatChoice`` of a model that is there."""

    def __init__(self):
        self.chat = FakeChatModel()

    def says(self, question):
        self.chat.deltas = (json.dumps({"question": question}),)

    def model(self):
        return self.chat


def test_a_model_that_rewrites_a_follow_up_is_shown_what_was_asked_before():
    desk = StubDesk()
    desk.chat = StubChoice()
    conversations = Conversations(desk, FakeConversationStore())
    conversation_id = a_conversation(conversations.store)
    first = conversations.ask(conversation_id, "When was the lighthouse built?")
    assert desk.chat.chat.prompts == []
    assert first.understood_as == ""
    desk.chat.says("How high is the lighthouse?")
    second = conversations.ask(conversation_id, "And how high is it?")
    assert second.understood_as == "How high is the lighthouse?"
    assert second.answer.text == "How high is the lighthouse?"
    desk.chat.says("How old is the lighthouse?")
    third = conversations.ask(conversation_id, "And how old is it?")
    assert third.understood_as == "How old is the lighthouse?"
    assert "Question: How high is the lighthouse?" in desk.chat.chat.prompts[1][-1].content
    fourth = conversations.ask(conversation_id, "Who painted the sunflowers of Arles?")
    assert fourth.understood_as == ""
    assert len(desk.chat.chat.prompts) == 2
