from __future__ import annotations

import json

import pytest

from local_rag.text.runaway import runs_away


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1' + " " * 300,
        '{"a": 1' + "\n\t" * 150,
        "x" * 500,
        "It was built. " + "It was built in 1873. " * 30,
        "".join(f'{{"quote": "{"w" * 150}"}},' for _ in range(10)),
    ],
)
def test_padding_and_repetition_are_told(text):
    assert runs_away(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "It was built in 1873. " * 5,
        json.dumps([{"claim": f"Claim {n}.", "source": n} for n in range(200)], indent=4),
        "| a | b |\n|---|---|\n" + "\n".join(f"| {n} | {n * n} |" for n in range(100)),
        " ".join(str(n) for n in range(1000)),
        '{"a": 1}' + "\n" * 20,
    ],
)
def test_what_ends_is_left_alone(text):
    assert not runs_away(text)
