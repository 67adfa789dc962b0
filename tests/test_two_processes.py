"""Two real servers on one library: PostgreSQL, a folder of originals, and Qdrant's stand-in."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

import httpx
import pytest
import sqlalchemy as sa
from qdrant_stand_in import serving_stand_in

from local_rag import stores
from local_rag.adapters.postgres import postgres_url as as_url
from local_rag.composition import open_services
from local_rag.errors import IndexMismatch, StoreFault, StoreLocked
from local_rag.settings import Settings

pytestmark = pytest.mark.timeout(300)
SERVE = [sys.executable, "-m", "local_rag.cli.main", "serve", "--port", "0", "--no-browser"]
WAIT_S = 90


@pytest.fixture
def shared(tmp_path, postgres_url):
    """What both servers are set to, without their data folders."""
    (tmp_path / "share").mkdir()
    with serving_stand_in("the key") as stand_in:
        yield {
            "RAG_DATABASE_URL": postgres_url,
            "RAG_QDRANT_URL": stand_in.url,
            "RAG_QDRANT_API_KEY": "the key",
            "RAG_SOURCES_URL": f"file://{tmp_path}/share",
            "RAG_JOB_LEASE": "4",
        }


@contextmanager
def serving(folder, variables):
    """A server in a process of its own, and a client of it."""
    folder.mkdir(exist_ok=True)
    kept = {k: v for k, v in os.environ.items() if not k.startswith("RAG_")}
    environment = kept | variables | {"RAG_DATA_DIR": str(folder / "data")}
    with (
        (folder / "log").open("w") as log,
        subprocess.Popen(
            SERVE, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=log, text=True
        ) as process,
    ):
        try:
            line = process.stdout.readline()
            found = re.search(r"http://127\.0\.0\.1:\d+", line)
            assert found, (folder / "log").read_text()
            with httpx.Client(base_url=found[0], timeout=WAIT_S) as client:
                client.pid = process.pid
                yield client
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


def upload(client, text, name, **headers):
    reply = client.post("/api/documents", files={"file": (name, text.encode())}, headers=headers)
    assert reply.status_code in (201, 202), reply.text
    return reply.json()


def ask(client, question):
    reply = client.post("/api/query", json={"question": question})
    assert reply.status_code == 200, reply.text
    return reply.json()


def until(condition):
    end = time.monotonic() + WAIT_S
    while not (found := condition()):
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)
    return found


def test_what_one_server_is_sent_the_other_one_answers_from(shared, tmp_path):
    with ExitStack() as stack:
        a = stack.enter_context(serving(tmp_path / "a", shared))
        b = stack.enter_context(serving(tmp_path / "b", shared))
        document = upload(a, "The lighthouse was built in 1873.", "coast.txt")["document"]
        for client in (a, b):
            answer = ask(client, "When was the lighthouse built?")
            assert answer["answer"] == "The lighthouse was built in 1873. [1]"
        original = b.get(f"/api/documents/{document['document_id']}/original")
        assert original.text == "The lighthouse was built in 1873."

        upload(b, "The lighthouse was built in 1911.", "coast.txt")
        for client in (a, b):
            assert "1911" in ask(client, "When was the lighthouse built?")["answer"]
            assert client.get("/health").json()["documents"] == 1

        (document,) = a.get("/api/documents").json()["documents"]
        assert b.delete(f"/api/documents/{document['document_id']}").status_code == 204
        for client in (a, b):
            assert ask(client, "When was the lighthouse built?")["refused"]
            assert client.get("/health").json()["chunks"] == 0
        originals = list((tmp_path / "share").rglob("originals/*/*"))
        assert originals == []

        health = a.get("/health").json()
        assert health["database"]["provider"] == "postgresql"
        assert health["index"]["provider"] == "qdrant"
        assert health["index"]["address"] == shared["RAG_QDRANT_URL"]
        assert health["sources"]["provider"] == "file"
        assert all(health[store]["local"] for store in ("database", "index", "sources"))
        assert health["leaves_machine"] is False
        assert "the key" not in str(health)


def test_when_one_server_is_killed_at_work_the_other_one_ends_it(shared, tmp_path):
    facts = [
        f"Lighthouse number {n} was built in {1000 + n} and is {n} metres high. "
        for n in range(700)
    ]
    engine = sa.create_engine(as_url(shared["RAG_DATABASE_URL"]))

    def holder():
        with engine.connect() as connection:
            query = sa.text("SELECT holder FROM job_leases WHERE holder IS NOT NULL")
            return connection.scalar(query)

    with ExitStack() as stack:
        servers = [stack.enter_context(serving(tmp_path / n, shared)) for n in ("a", "b")]
        job = upload(servers[0], "".join(facts * 2), "long.txt", Prefer="respond-async")["job"]
        path = f"/api/jobs/{job['job_id']}"
        until(lambda: servers[0].get(path).json()["state"] == "embedding")
        pid = int(holder().split(":")[1])
        (dead,) = [client for client in servers if client.pid == pid]
        (alive,) = [client for client in servers if client.pid != pid]
        os.kill(pid, signal.SIGKILL)
        assert alive.get(path).json()["state"] == "embedding"
        until(lambda: int((holder() or ":0").split(":")[1]) == alive.pid)
        until(lambda: alive.get(path).json()["state"] == "searchable")
        done = alive.get(path).json()
        assert (done["outcome"], done["attempts"]) == ("created", 2)
        assert alive.get("/health").json()["documents"] == 1
        assert "1444" in ask(alive, "When was lighthouse number 444 built?")["answer"]
        assert list((tmp_path / "share").rglob("incoming/*")) == []
        assert dead.pid != alive.pid
    engine.dispose()


def settings(tmp_path, name, shared, **changes):
    known = {key.removeprefix("RAG_").lower(): value for key, value in shared.items()}
    return Settings(data_dir=tmp_path / name, _env_file=None, **(known | changes))


def test_an_index_in_the_data_folder_serves_one_process_only(shared, tmp_path):
    with open_services(settings(tmp_path, "a", shared, qdrant_url="")) as services:
        assert services.places["index"].provider == "qdrant-edge"
        for changes in ({}, {"qdrant_url": ""}, {"sources_url": ""}):
            with (
                pytest.raises(StoreLocked, match=r"to itself|own data folder") as caught,
                open_services(settings(tmp_path, "b", shared, **changes)),
            ):
                pass
            assert "RAG_QDRANT_URL" in caught.value.fix
    with (
        open_services(settings(tmp_path, "a", shared)),
        open_services(settings(tmp_path, "b", shared)),
    ):
        pass


def test_processes_with_different_models_never_meet(shared, tmp_path, monkeypatch):
    with open_services(settings(tmp_path, "a", shared)):
        monkeypatch.setattr("local_rag.stores.TOKENIZER_VERSION", "another")
        with (
            pytest.raises(IndexMismatch) as caught,
            open_services(settings(tmp_path, "b", shared)),
        ):
            pass
        assert "stop the others" in caught.value.fix
    with open_services(settings(tmp_path, "b", shared)):  # the others have been stopped
        pass


def test_processes_of_one_new_model_make_the_index_anew_together(shared, tmp_path, monkeypatch):
    path = tmp_path / "x.txt"
    path.write_text("The lighthouse was built in 1873.")
    with open_services(settings(tmp_path, "a", shared)) as services:
        services.library.add(path, "x.txt")
    monkeypatch.setattr(stores, "TOKENIZER_VERSION", "another")
    monkeypatch.setattr(stores._space_name, "__defaults__", ("another",))
    with (
        open_services(settings(tmp_path, "a", shared)) as first,
        open_services(settings(tmp_path, "b", shared)) as second,
    ):
        path.write_text("The windmill was built in 1850.")
        second.library.add(path, "y.txt")
        for services in (first, second):
            assert services.reindex.progress.state == "running"
            services.reindex.run()
            assert services.reindex.progress.state == "done"
            assert services.spaces.serving.index.count() == 2
            assert "1850" in services.desk.answer("When was the windmill built?").text
        with monkeypatch.context() as before:
            before.setattr(stores, "TOKENIZER_VERSION", "2")
            with pytest.raises(IndexMismatch), open_services(settings(tmp_path, "c", shared)):
                pass


def test_another_library_never_takes_over_the_collection(shared, tmp_path):
    with open_services(settings(tmp_path, "a", shared)) as services:
        path = tmp_path / "x.txt"
        path.write_text("The lighthouse was built in 1873.")
        services.library.add(path, "x.txt")
        with (
            pytest.raises(StoreFault, match="another library"),
            open_services(settings(tmp_path, "b", shared, database_url="")),
        ):
            pass
        assert services.spaces.serving.index.count() == 1
        changes = {"database_url": "", "collection": "others"}
        with open_services(settings(tmp_path, "b", shared, **changes)) as others:
            assert others.spaces.serving.index.count() == 0
            others.library.add(path, "x.txt")
            others.library.remove_all()
        assert services.spaces.serving.index.count() == 1
        assert len(services.sources.hashes()) == 1


def test_a_conversation_is_one_for_both(shared, tmp_path):
    with serving(tmp_path / "a", shared) as first, serving(tmp_path / "b", shared) as second:
        upload(first, "The lighthouse was built in 1873.", "x.txt")
        begun = first.post("/api/conversations").json()["conversation_id"]
        barrier = threading.Barrier(2)

        def asking(client):
            barrier.wait()
            body = {"question": "When was the lighthouse built?", "conversation_id": begun}
            return [client.post("/api/query", json=body).json()["turn"] for _ in range(5)]

        with ThreadPoolExecutor(2) as pool:
            numbers = [n for made in pool.map(asking, (first, second)) for n in made]
        assert sorted(numbers) == list(range(1, 11))
        shown = [client.get(f"/api/conversations/{begun}").json() for client in (first, second)]
        assert shown[0] == shown[1]
        assert {turn["answer"] for turn in shown[0]["turns"]} == {
            "The lighthouse was built in 1873. [1]"
        }
        assert second.delete(f"/api/conversations/{begun}").status_code == 204
        assert first.get("/api/conversations").json()["conversations"] == []
