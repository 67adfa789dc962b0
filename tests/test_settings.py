from __future__ import annotations

import re
from pathlib import Path

import pytest

from local_rag.errors import InvalidRequest
from local_rag.settings import Settings, load_settings, variable_of

EXAMPLE = Path(__file__).parents[1] / ".env.example"


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for name in Settings.model_fields:
        monkeypatch.delenv(variable_of(name), raising=False)


def documented() -> dict[str, tuple[str, str]]:
    """Default and comment of each variable of .env.example."""
    blocks = re.findall(r"((?:^# .*\n)+?)^# ([A-Z_]+)=(.*)$", EXAMPLE.read_text(), re.MULTILINE)
    return {name: (value, comment) for comment, name, value in blocks}


def test_the_example_names_every_setting_in_order_and_no_other():
    assert list(documented()) == [variable_of(name) for name in Settings.model_fields]


def test_the_example_shows_the_defaults():
    shown = {name: value for name, (value, _) in documented().items()}
    defaults = {
        variable_of(name): str(field.default).lower()
        if isinstance(field.default, bool)
        else str("" if field.default is None else field.default)
        for name, field in Settings.model_fields.items()
    }
    assert shown == defaults


def test_the_example_explains_each_setting_in_the_words_of_the_code():
    for name, field in Settings.model_fields.items():
        purpose = re.split(r"[.:;,]", field.description)[0]
        assert purpose in documented()[variable_of(name)][1], name


def test_a_value_out_of_range_is_refused_and_named(monkeypatch):
    monkeypatch.setenv("RAG_TOP_K", "99")
    with pytest.raises(InvalidRequest, match=r"RAG_TOP_K is '99'"):
        load_settings()


def test_an_overlap_of_half_the_size_is_refused():
    with pytest.raises(InvalidRequest, match="RAG_CHUNK_OVERLAP is 450"):
        load_settings(chunk_size=900, chunk_overlap=450)


def test_the_command_line_wins_over_the_environment(monkeypatch):
    monkeypatch.setenv("RAG_PORT", "9000")
    assert load_settings().port == 9000
    assert load_settings(port=9001).port == 9001
