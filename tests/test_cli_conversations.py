"""Conversations from the shell: asked in, listed, shown, renamed, exported, deleted."""

from __future__ import annotations

import contextlib
import json
import re
import threading

import pymupdf
import pytest

from local_rag.cli.main import main
from local_rag.composition import open_services
from local_rag.settings import load_settings

ASKED = "When was the lighthouse built?"
BUILT = "The lighthouse was built in 1873. [1]"


@pytest.fixture(scope="module")
def prepared_models(tmp_path_factory):
    return tmp_path_factory.mktemp("models")


@pytest.fixture
def folder(tmp_path, prepared_models, monkeypatch):
    made = tmp_path / "data"
    made.mkdir()
    (made / "models").symlink_to(prepared_models)
    monkeypatch.setenv("RAG_DATA_DIR", str(made))
    monkeypatch.setenv("RAG_CHAT_PROVIDER", "extractive")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("signal.signal", lambda *_: None)
    document = pymupdf.open()
    document.new_page().insert_text((72, 72), "Of the coast.")
    document.new_page().insert_text((72, 72), "The lighthouse was built in 1873.")
    (tmp_path / "coast.pdf").write_bytes(document.tobytes())
    return made


@pytest.fixture
def run(folder, capfdbinary):
    def call(*words: str, check: int = 0):
        capfdbinary.readouterr()
        assert main([*words]) == check
        out, err = capfdbinary.readouterr()
        return out.decode(), err.decode()

    return call


@pytest.fixture
def conversation(run) -> str:
    run("add", "coast.pdf")
    out, err = run("ask", "--conversation", "new", ASKED)
    assert out.splitlines()[0] == BUILT
    return re.fullmatch(r"Conversation ([0-9a-f]{32})\n", err)[1]


def test_a_conversation_goes_on_and_is_shown(run, conversation):
    out, err = run("ask", "--conversation", conversation, "and in 1874?")
    assert err == ""
    shown = run("conversations", "show", conversation)[0].splitlines()
    assert shown[:7] == [
        ASKED, "", f"1. {ASKED}", BUILT, "", "Sources", "[1] coast.pdf, page 2",
    ]  # fmt: skip
    assert shown[9:11] == ["2. and in 1874?", f"Searched for: {ASKED} and in 1874?"]
    assert "\n".join(shown[11:]) + "\n" == out
    told = json.loads(run("conversations", "show", conversation, "--json")[0])
    assert [turn["question"] for turn in told["turns"]] == [ASKED, "and in 1874?"]


def test_conversations_are_listed_renamed_and_deleted(run, conversation):
    out = run("conversations")[0]
    assert re.fullmatch(
        rf"{conversation}  20\d\d-\d\d-\d\dT\d\d:\d\d     1 question  When was .* built\?\n", out
    )
    assert run("conversations", "rename", conversation, "Towers")[0] == "renamed to Towers\n"
    (told,) = json.loads(run("conversations", "--json")[0])["conversations"]
    assert (told["conversation_id"], told["title"]) == (conversation, "Towers")
    err = run("conversations", "delete", conversation, "f" * 32, check=2)[1]
    assert "nothing was deleted" in err
    assert "[unknown-conversation]" in err
    assert run("conversations", "delete", conversation, conversation)[0] == "deleted Towers\n"
    assert "There are no conversations." in run("conversations")[0]


def test_a_conversation_is_exported_to_the_output_a_file_or_a_folder(run, conversation, tmp_path):
    out = run("conversations", "export", conversation)[0]
    assert out.startswith(f"# {ASKED}\n")
    assert "[^1-1]: **coast.pdf**, page 2: “The lighthouse was built in 1873.”" in out
    target = tmp_path / "out.json"
    err = run(
        "conversations", "export", conversation, "--turn", "1", "--format", "json",
        "-o", str(target),
    )[1]  # fmt: skip
    assert err == f"wrote {target}\n"
    assert json.loads(target.read_text())["turns"][0]["answer"] == BUILT
    run("conversations", "export", conversation, "--format", "html", "--pages", "-o", str(tmp_path))
    page = (tmp_path / "When was the lighthouse built.html").read_text()
    assert page.count('<img alt="coast.pdf, page 2" src="data:image/png;base64,iVBORw0KGgo') == 1
    run("remove", "coast.pdf")
    gone = run("conversations", "export", conversation, "--format", "html", "--pages")[0]
    assert "This page is not shown. The document is no longer in the library." in gone
    shown = run("conversations", "show", conversation)[0]
    assert shown.endswith("\ncoast.pdf is no longer in the library.\n")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["conversations", "show", "x"], "unknown-conversation"),
        (["conversations", "rename", "x", "T"], "unknown-conversation"),
        (["conversations", "export", "x"], "unknown-conversation"),
        (["ask", "--conversation", "x", "When?"], "unknown-conversation"),
        (["ask", "--conversation", "new", "coast.pdf", "When?"], "invalid-request"),
        (["ask", "--conversation", "new", " "], "invalid-question"),
    ],
)
def test_what_cannot_be_done_is_said_and_leaves_nothing(run, words, code):
    out, err = run(*words, check=2)
    assert f"[{code}]" in err
    assert out == ""
    assert "There are no conversations." in run("conversations")[0]


def test_an_export_that_cannot_be_written_or_has_no_pages_says_so(run, conversation, tmp_path):
    export = ["conversations", "export", conversation]
    assert "cannot be written" in run(*export, "-o", str(tmp_path / "no" / "x"), check=2)[1]
    assert "[invalid-request]" in run(*export, "--pages", check=2)[1]
    assert "[unknown-turn]" in run(*export, "--turn", "2", check=2)[1]


def test_an_answer_is_printed_in_each_form(run):
    asked = ["ask", "coast.pdf", ASKED, "--format"]
    assert run(*asked, "text")[0].splitlines()[0] == BUILT
    assert json.loads(run(*asked, "json")[0]) | {"timings_ms": 0} == json.loads(
        run("ask", "coast.pdf", ASKED, "--json")[0]
    ) | {"timings_ms": 0}
    assert run(*asked, "markdown")[0].startswith(f"# {ASKED}\n\n*Asked 20")
    assert "<mark>The lighthouse was built in 1873.</mark>" in run(*asked, "html")[0]
    assert "There are no conversations." in run("conversations")[0]


def test_conversations_can_be_read_and_exported_beside_a_running_program(run, conversation):
    with contextlib.ExitStack() as stack:
        services = stack.enter_context(open_services(load_settings()))
        asking = threading.Thread(target=services.conversations.ask, args=(conversation, ASKED))
        asking.start()
        asking.join()
        shown = run("conversations", "show", conversation)[0]
        assert shown.count(BUILT) == 2
        run("conversations", "rename", conversation, "Towers")
        out = run("conversations", "export", conversation, "--format", "html", "--pages")[0]
        assert out.count("data:image/png") == 1
        assert services.kept.store.conversation(conversation).title == "Towers"
        assert "[store-locked]" in run("ask", "--conversation", conversation, ASKED, check=2)[1]


def test_the_data_folder_can_be_named_before_and_after_the_action(run, conversation, tmp_path):
    other = ["--data-dir", str(tmp_path / "other")]
    assert "no conversations" in run("conversations", *other)[0]
    err = run("conversations", *other, "show", conversation, check=2)[1]
    assert "[unknown-conversation]" in err
    err = run("conversations", "show", conversation, *other, check=2)[1]
    assert "[unknown-conversation]" in err
    assert BUILT in run("conversations", "show", conversation)[0]
