"""The HTTP door over a real server on loopback, real stores and readers."""

from __future__ import annotations

import dataclasses
import json
import shutil
import threading
import time

import httpx
import pymupdf
import pytest
from program_server import serving_program

from local_rag.adapters.file_sources import FileSourceStore
from local_rag.api.app import create_app
from local_rag.api.guard import CONTENT_SECURITY_POLICY
from local_rag.composition import open_services
from local_rag.errors import InvalidRequest
from local_rag.model.answer import NO_DOCUMENTS, REFUSAL
from local_rag.settings import Settings


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    settings = Settings(
        data_dir=tmp_path_factory.mktemp("data"),
        chat_provider="extractive",  # whatever else runs on this machine
        max_upload_mb=1,
        open_browser=False,
        _env_file=None,
    )
    with serving_program(settings) as (url, _):
        yield url


@pytest.fixture
def client(server):
    with httpx.Client(base_url=server, timeout=60) as made:
        made.delete("/api/documents").raise_for_status()
        yield made


def upload(client, content, name="notes.txt"):
    content = content.encode() if isinstance(content, str) else content
    return client.post("/api/documents", files={"file": (name, content)})


def a_pdf(*pages: str, **save) -> bytes:
    document = pymupdf.open()
    for text in pages:
        document.new_page().insert_textbox((72, 72, 523, 770), text, fontsize=11)
    return document.tobytes(**save)


def error_of(reply) -> tuple[int, str]:
    body = reply.json()
    assert set(body) == {"error"}
    assert set(body["error"]) == {"code", "message", "fix"}
    assert all(body["error"].values())
    return reply.status_code, body["error"]["code"]


def test_a_pdf_is_answered_from_with_the_lines_marked(client):
    text = "The lighthouse was built in 1873.\n\nIts light reaches 21 nautical miles."
    reply = upload(client, a_pdf("Introduction to the coast and its harbours.", text), "coast.pdf")
    assert reply.status_code == 201
    document = reply.json()["document"]
    assert (document["name"], document["page_count"]) == ("coast.pdf", 2)
    answer = client.post("/api/query", json={"question": "When was the lighthouse built?"}).json()
    assert answer["answer"] == "The lighthouse was built in 1873. [1]"
    assert answer["refused"] is False
    assert answer["strategy"] == "hybrid"
    assert answer["unsupported_parts"] == []
    assert (answer["audit_mode"], answer["audits"]) == ("off", [])
    assert {"embed", "dense", "lexical", "generate", "total"} <= set(answer["timings_ms"])
    (citation,) = answer["citations"]
    assert citation["id"] == 1
    assert citation["document_id"] == document["document_id"]
    assert citation["source_sha256"] == document["source_sha256"]
    assert (citation["source"], citation["page"]) == ("coast.pdf", 2)
    assert citation["quote"] == "The lighthouse was built in 1873."
    (span,) = citation["spans"]
    assert citation["text"][span["start"] : span["end"]] == citation["quote"]
    page = client.get(f"/api/documents/{document['document_id']}/pages/2/text").json()
    assert page["text"][citation["page_start"] : citation["page_end"]] == citation["text"]
    assert page["rectangles"] == []
    at = citation["page_start"]
    stretch = {"start": at + span["start"], "end": at + span["end"]}
    route = f"/api/documents/{document['document_id']}/pages/2/text"
    assert client.get(route, params=stretch).json()["rectangles"] == citation["rectangles"]
    assert error_of(client.get(route, params={"start": -1}))[0] == 422
    assert client.get(route, params={"start": 9, "end": 3}).json()["rectangles"] == []
    assert set(citation["ranks"]) == {"dense", "lexical"}
    (box,) = citation["rectangles"]
    assert 70 < box[0] < box[2] < 300
    assert 70 < box[1] < box[3] < 100
    assert "<mark>The lighthouse was built in 1873.</mark>" in citation["text_html"]


def test_a_page_is_drawn_and_the_original_comes_back(client):
    content = a_pdf("Only page.")
    document_id = upload(client, content, "a.pdf").json()["document"]["document_id"]
    image = client.get(f"/api/documents/{document_id}/pages/1")
    assert image.headers["content-type"] == "image/png"
    assert image.headers["cache-control"] == "no-store"
    assert image.content.startswith(b"\x89PNG")
    original = client.get(f"/api/documents/{document_id}/original")
    assert original.content == content
    assert original.headers["content-disposition"].startswith("attachment")
    assert error_of(client.get(f"/api/documents/{document_id}/pages/2")) == (404, "unknown-page")
    assert error_of(client.get(f"/api/documents/{document_id}/pages/x"))[0] == 422
    for number in ("0", "-1", "9" * 30):
        for route in (f"pages/{number}", f"pages/{number}/text"):
            reply = client.get(f"/api/documents/{document_id}/{route}")
            assert error_of(reply) == (404, "unknown-page")


def test_text_has_no_page_image_but_a_text(client):
    document_id = upload(client, "# Title\n\nSome words.", "a.md").json()["document"]["document_id"]
    assert error_of(client.get(f"/api/documents/{document_id}/pages/1")) == (404, "no-page-image")
    page = client.get(f"/api/documents/{document_id}/pages/1/text").json()
    assert page["text"] == "# Title\n\nSome words."


def test_documents_are_listed_shown_and_deleted(client):
    first = upload(client, "First text.", "1.txt").json()["document"]
    second = upload(client, "Second text.", "2.txt").json()["document"]
    assert client.get("/api/documents").json() == {"documents": [second, first]}
    assert client.get(f"/api/documents/{first['document_id']}").json() == first
    gone = client.delete(f"/api/documents/{first['document_id']}")
    assert (gone.status_code, gone.content) == (204, b"")
    assert error_of(client.get(f"/api/documents/{first['document_id']}")) == (
        404,
        "unknown-document",
    )
    assert client.delete("/api/documents").json() == {"removed": 1}


def test_outcomes_are_told_apart(client):
    assert upload(client, "One.", "a.txt").json()["outcome"] == "created"
    assert upload(client, "One.", "a.txt").json()["outcome"] == "unchanged"
    assert upload(client, "One.", "b.txt").json()["outcome"] == "duplicate"
    assert upload(client, "Two.", "a.txt").json()["outcome"] == "replaced"


@pytest.mark.parametrize(
    ("content", "name", "status", "code"),
    [
        (b"", "a.pdf", 422, "empty-file"),
        (b"MZ", "a.exe", 415, "unsupported-type"),
        (b"<html>", "a.pdf", 415, "wrong-content"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "a.txt", 415, "wrong-content"),
        (b" \n ", "a.md", 422, "no-text"),
        (b"%PDF-1.7\ngarbage", "a.pdf", 422, "unreadable-file"),
        (
            a_pdf("Secret.", encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="u", owner_pw="o"),
            "a.pdf",
            422,
            "password-required",
        ),
        (b"x" * 1_000_001, "a.txt", 413, "too-large"),
    ],
)
def test_a_bad_file_is_refused_with_its_code_and_nothing_is_stored(
    client, content, name, status, code
):
    reply = upload(client, content, name)
    assert error_of(reply) == (status, code)
    assert client.get("/health").json()["documents"] == 0
    assert client.get("/health").json()["chunks"] == 0


def test_the_limit_is_named(client):
    assert "1 MB" in upload(client, b"x" * 1_000_001, "a.txt").json()["error"]["message"]


@pytest.mark.parametrize("path", ["/api/query", "/api/documents"])
@pytest.mark.parametrize("megabytes", [2, 40])
def test_who_sends_too_much_sees_why(client, path, megabytes):
    kind = "application/json" if path == "/api/query" else "multipart/form-data; boundary=b"
    head = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
    parts = [head, *[b"x" * 1_000_000] * megabytes]
    for content in (b"".join(parts), iter(parts)):
        reply = client.post(path, content=content, headers={"content-type": kind})
        assert error_of(reply) == (413, "too-large")


def test_a_body_without_a_length_is_cut_off_at_the_limit(client):
    sent = 0

    def endless():
        nonlocal sent
        yield b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
        while sent < 2_000_000_000:
            sent += 65536
            yield b"x" * 65536

    headers = {"content-type": "multipart/form-data; boundary=b"}
    try:
        reply = client.post("/api/documents", content=endless(), headers=headers)
        assert error_of(reply) == (413, "too-large")
    except (httpx.WriteError, httpx.RemoteProtocolError, httpx.ReadError):
        pass  # the server closes on who never ends
    assert sent < 1_000_000_000
    assert client.get("/health").json()["documents"] == 0


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"question": ""}, 422, "invalid-question"),
        ({"question": "  \n"}, 422, "invalid-question"),
        ({"question": "x" * 2001}, 422, "invalid-question"),
        ({"question": "x", "document_ids": ["0" * 32]}, 404, "unknown-document"),
        ({"question": "x", "document_ids": ["../x"]}, 404, "unknown-document"),
        ({"question": "x", "document_ids": ["0" * 32] * 51}, 422, "invalid-request"),
        ({"question": 5}, 422, "invalid-request"),
        ({"query": "x"}, 422, "invalid-request"),
        ({"question": "x", "unknown": 1}, 422, "invalid-request"),
        ([], 422, "invalid-request"),
    ],
)
def test_a_bad_question_is_refused_with_its_code(client, body, status, code):
    upload(client, "Some words.")
    for route in ("/api/query", "/api/retrieve"):
        assert error_of(client.post(route, json=body)) == (status, code)


def test_a_question_of_2000_characters_is_allowed(client):
    upload(client, "Some words.")
    assert client.post("/api/query", json={"question": "x" * 2000}).json()["answer"] == REFUSAL


def test_what_is_not_json_is_refused_in_the_same_shape(client):
    headers = {"content-type": "application/json"}
    assert error_of(client.post("/api/query", content=b"{", headers=headers))[0] == 422
    for body in (b'{"question": "\\ud800"}', b'{"question": "x", "document_ids": ["\\ud800"]}'):
        assert error_of(client.post("/api/query", content=body, headers=headers))[0] in (404, 422)
    assert error_of(client.get("/api/nothing")) == (404, "not-found")
    assert error_of(client.put("/api/documents")) == (405, "method-not-allowed")
    assert error_of(client.post("/api/documents"))[0] == 422


def test_what_is_not_json_is_said_once(client):
    reply = client.post(
        "/api/query", content=b"{oops", headers={"content-type": "application/json"}
    )
    assert reply.status_code == 422
    message = reply.json()["error"]["message"]
    assert message.startswith("The body is not JSON: ")
    assert not message.endswith("..")


def test_a_large_question_is_refused_without_speaking_of_files(client):
    reply = client.post("/api/query", json={"question": "x" * 300_000})
    assert (reply.status_code, reply.json()["error"]["code"]) == (413, "too-large")
    assert reply.json()["error"]["message"] == "The request is larger than the limit of 256 KB."


def test_the_kind_of_an_upload_is_known_whatever_its_case(client):
    body = (
        b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
        + b"word " * 60_000
        + b"\r\n--b--\r\n"
    )
    reply = client.post(
        "/api/documents", content=body, headers={"content-type": "Multipart/Form-Data; boundary=b"}
    )
    assert reply.status_code == 201


def test_two_files_in_one_request_are_refused_and_neither_is_stored(client):
    files = [("file", ("a.txt", b"First.")), ("file", ("b.txt", b"Second."))]
    reply = client.post("/api/documents", files=files)
    assert reply.status_code == 422
    assert reply.json()["error"]["message"] == "The request has 2 files."
    assert client.get("/api/documents").json() == {"documents": []}


@pytest.mark.parametrize("files", [{"file": (None, "words")}, {"other": ("a.txt", b"words")}])
def test_a_request_without_a_file_says_so(client, files):
    reply = client.post("/api/documents", files=files)
    assert reply.status_code == 422
    assert reply.json()["error"]["message"] == "The request has no file."


@pytest.mark.parametrize("sent", ["bytes=abc", "bytes=9-3", "bytes=900-", "pages=1-2"])
def test_an_original_comes_whole_whatever_range_was_asked_for(client, sent):
    document_id = upload(client, "Some words.").json()["document"]["document_id"]
    path = f"/api/documents/{document_id}/original"
    reply = client.get(path, headers={"range": sent})
    assert (reply.status_code, reply.content) == (200, b"Some words.")


def test_a_full_disk_is_said_before_the_upload_is_read(client, monkeypatch):
    usage = shutil.disk_usage("/")
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage._replace(free=1000))
    reply = upload(client, "Some words.")
    assert (reply.status_code, reply.json()["error"]["code"]) == (507, "disk-full")
    monkeypatch.undo()
    assert upload(client, "Some words.").status_code == 201


def test_a_missing_original_is_a_fault_and_a_removed_document_is_not(client, server, monkeypatch):
    document_id = upload(client, "Some words.").json()["document"]["document_id"]
    path = f"/api/documents/{document_id}/original"
    kept = FileSourceStore.path

    def removed_meanwhile(store, source_sha256):
        monkeypatch.undo()
        client.delete(f"/api/documents/{document_id}")
        return kept(store, source_sha256)

    monkeypatch.setattr(FileSourceStore, "path", removed_meanwhile)
    reply = client.get(path)
    assert (reply.status_code, reply.json()["error"]["code"]) == (404, "unknown-document")


def test_an_empty_library_says_so(client):
    answer = client.post("/api/query", json={"question": "Is there anything?"}).json()
    assert (answer["answer"], answer["refused"], answer["citations"]) == (NO_DOCUMENTS, True, [])


def test_evidence_can_be_had_without_an_answer(client):
    upload(client, "The lighthouse was built in 1873.")
    found = client.post("/api/retrieve", json={"question": "lighthouse", "top_k": 2}).json()
    (row,) = found["evidence"]
    assert row["text"] == "The lighthouse was built in 1873."
    assert row["ranks"] == {"dense": 1, "lexical": 1}
    (part,) = found["ledger"]
    assert part["part"] == "lighthouse"
    assert part["weights"]["dense"] == part["weights"]["lexical"] == 1.0
    assert [(r["chunk_id"], r["verdict"]) for r in part["rows"]] == [(row["chunk_id"], "first")]


def test_health_tells_what_answers_and_that_nothing_leaves(client):
    health = client.get("/health").json()
    assert health["status"] == "ok"
    assert health["chat"] == {
        "provider": "extractive",
        "model": None,
        "state": None,
        "local": True,
    }
    assert health["embedding"]["model"] == "all-MiniLM-L6-v2"
    assert health["database"] == {"provider": "sqlite", "address": None, "local": True}
    assert health["index"] == {"provider": "qdrant-edge", "address": None, "local": True}
    assert health["sources"] == {"provider": "file", "address": None, "local": True}
    assert health["leaves_machine"] is False
    assert health["jev_mode"] == "off"
    assert health["limits"]["max_upload_bytes"] == 1_000_000


def test_health_tells_that_passages_leave_to_be_embedded_elsewhere(tmp_path):
    with open_services(Settings(data_dir=tmp_path, _env_file=None)) as services:
        app = create_app(dataclasses.replace(services, embedding_local=False))
        (route,) = [route for route in app.routes if getattr(route, "path", "") == "/health"]
        health = route.endpoint()
    assert health["leaves_machine"] is True
    assert health["embedding"]["local"] is False


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"host": "127.0.0.1.evil.example"},
        {"host": "evil.example@127.0.0.1"},
        {"host": ""},
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:1"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"},
    ],
)
def test_another_site_or_host_is_refused_on_every_route(client, headers):
    document_id = upload(client, "Some words.").json()["document"]["document_id"]
    replies = [
        client.get("/api/documents", headers=headers),
        client.post("/api/query", json={"question": "x"}, headers=headers),
        client.post("/api/documents", files={"file": ("b.txt", b"x")}, headers=headers),
        client.delete(f"/api/documents/{document_id}", headers=headers),
        client.options("/api/query", headers=headers | {"access-control-request-method": "POST"}),
    ]
    assert [error_of(reply) for reply in replies] == [(403, "request-refused")] * 5
    assert client.get("/health").json()["documents"] == 1


def test_our_own_origin_is_let_in_by_either_name(server):
    port = server.rsplit(":", 1)[1]
    for host in (f"127.0.0.1:{port}", f"localhost:{port}"):
        headers = {"host": host, "origin": f"http://{host}", "sec-fetch-site": "same-origin"}
        assert httpx.get(f"{server}/api/documents", headers=headers).status_code == 200


def test_the_page_and_every_error_carry_the_strict_policy(client):
    for reply in (client.get("/"), client.get("/nothing"), client.get("/", headers={"host": "x"})):
        assert reply.headers["content-security-policy"] == CONTENT_SECURITY_POLICY
        assert reply.headers["x-content-type-options"] == "nosniff"
    assert client.get("/").headers["content-type"].startswith("text/html")


def test_nothing_beside_the_page_is_served(client):
    for path in (
        "/static/../pyproject.toml",
        "/static/%2e%2e/pyproject.toml",
        "/static/..%2fREADME.md",
    ):
        assert client.get(path).status_code in (404, 403)


def test_markup_in_documents_and_names_comes_back_as_text(client):
    hostile = (
        "The <img src=x onerror=alert(1)> tag and ![a](https://x/?q=1) and [a](javascript:b) tag."
    )
    upload(client, hostile, "<img src=x onerror=alert(2)>.txt")
    answer = client.post("/api/query", json={"question": "What about the tag?"}).json()
    shown = answer["answer_html"] + "".join(c["text_html"] for c in answer["citations"])
    assert "<img" not in shown
    assert 'href="javascript' not in shown
    assert "https://x" not in answer["answer_html"].split("&lt;img")[0]
    assert json.dumps(answer).count("alert(1)") > 0


def test_an_unexpected_error_has_the_same_shape(client, monkeypatch):
    from local_rag.usecases.answer import Desk

    def fail(*_args):
        raise RuntimeError("secret document text")

    monkeypatch.setattr(Desk, "answer", fail)
    reply = client.post("/api/query", json={"question": "x"})
    assert error_of(reply) == (500, "internal")
    assert "secret" not in reply.text


def test_questions_do_not_wait_for_uploads(client, server, monkeypatch):
    """Sixty uploads that never end leave a thread for every question."""
    from local_rag.usecases.library import Library

    upload(client, "The lighthouse was built in 1873.")
    release = threading.Event()

    def wait(*_arguments, **_options):
        release.wait(60)
        raise InvalidRequest("stopped")

    with monkeypatch.context() as patched:
        patched.setattr(Library, "add", wait)

        def send(number: int) -> None:
            httpx.post(
                f"{server}/api/documents", files={"file": (f"{number}.txt", b"x")}, timeout=60
            )

        threads = [threading.Thread(target=send, args=(number,)) for number in range(60)]
        for thread in threads:
            thread.start()
        try:
            for _ in range(5):
                reply = client.post("/api/query", json={"question": "lighthouse"}, timeout=40)
                assert reply.json()["refused"] is False
        finally:
            release.set()
            for thread in threads:
                thread.join()


def job_ended(client, job_id):
    while (job := client.get(f"/api/jobs/{job_id}").json())["state"] not in (
        "searchable", "failed", "cancelled",
    ):  # fmt: skip
        time.sleep(0.02)
    return job


def upload_async(client, content, name="notes.txt", **data):
    return client.post(
        "/api/documents",
        files={"file": (name, content)},
        data=data,
        headers={"Prefer": "respond-async"},
    )


def test_a_file_can_be_queued_and_followed(client):
    reply = upload_async(client, b"The lighthouse was built in 1873.")
    assert reply.status_code == 202
    job = reply.json()["job"]
    assert reply.headers["location"] == f"/api/jobs/{job['job_id']}"
    ended = job_ended(client, job["job_id"])
    assert (ended["state"], ended["outcome"], ended["error"]) == ("searchable", "created", None)
    assert client.get(f"/api/documents/{ended['document_id']}").status_code == 200
    assert client.get("/api/jobs").json()["jobs"][0] == ended
    client.delete(f"/api/jobs/{job['job_id']}").raise_for_status()
    reply = client.get(f"/api/jobs/{job['job_id']}")
    assert (reply.status_code, reply.json()["error"]["code"]) == (404, "unknown-job")


def test_events_tell_each_change_of_a_job(client):
    with client.stream("GET", "/api/jobs/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        lines = stream.iter_lines()
        assert next(lines) == "retry: 2000"
        job_id = upload_async(client, b"Some words.", "events.txt").json()["job"]["job_id"]
        states = []
        for line in lines:
            if line.startswith("data: "):
                job = json.loads(line.removeprefix("data: "))
                states += [job["state"]] if job["job_id"] == job_id else []
                if states and states[-1] == "searchable":
                    break
    assert states[-1] == "searchable"


def test_a_password_opens_a_file_and_its_pages_and_is_not_stored(client, server):
    locked = a_pdf(
        "The lighthouse was built in 1873.",
        encryption=pymupdf.PDF_ENCRYPT_AES_256,
        user_pw="sesame",
    )
    assert upload(client, locked, "a.pdf").json()["error"]["code"] == "password-required"
    job = job_ended(client, upload_async(client, locked, "a.pdf").json()["job"]["job_id"])
    assert (job["error"]["code"], job["can_retry"]) == ("password-required", True)
    client.post(f"/api/jobs/{job['job_id']}/retry", json={"password": "sesame"})
    job = job_ended(client, job["job_id"])
    assert job["state"] == "searchable"
    page = client.get(f"/api/documents/{job['document_id']}/pages/1")
    assert page.headers["content-type"] == "image/png"
    client.delete(f"/api/documents/{job['document_id']}")
    assert upload_async(client, locked, "b.pdf", password="sesame").status_code == 202


def test_a_report_tells_how_each_page_was_read(client):
    document_id = upload(client, "Some words of text.").json()["document"]["document_id"]
    report = client.get(f"/api/documents/{document_id}/report").json()
    assert report["document"]["document_id"] == document_id
    assert report["words"] == sum(page["words"] for page in report["pages"])
    assert client.get("/api/documents/nothing/report").status_code == 404


def test_sections_come_with_ids_titles_and_places(client):
    text = "# Top\n\nWords.\n\n## Below\n\nMore words."
    document_id = upload(client, text, "a.md").json()["document"]["document_id"]
    sections = client.get(f"/api/documents/{document_id}/sections").json()["sections"]
    assert [(s["section_id"], s["title"], s["page_number"]) for s in sections] == [
        ("1", "Top", 1),
        ("1.1", "Below", 1),
    ]
    assert client.get("/api/documents/none/sections").status_code == 404


def test_an_answer_says_how_many_files_could_not_be_searched_yet(client, monkeypatch):
    from local_rag.usecases.library import Library

    upload(client, "The lighthouse was built in 1873.")
    ask = {"question": "When was the lighthouse built?"}
    assert client.post("/api/query", json=ask).json()["still_reading"] == 0
    release = threading.Event()
    add = Library.add

    def late(*args, **options):
        release.wait(60)
        return add(*args, **options)

    monkeypatch.setattr(Library, "add", late)
    sent = [upload_async(client, b"Words.", f"{n}.txt").json()["job"]["job_id"] for n in range(3)]
    assert client.post("/api/query", json=ask).json()["still_reading"] == 3
    release.set()
    for job_id in sent:
        job_ended(client, job_id)
    assert client.post("/api/query", json=ask).json()["still_reading"] == 0
