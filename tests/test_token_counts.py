from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from local_rag.adapters.minilm import TOKENIZER
from local_rag.text.token_counts import fewest_tokens, most_tokens

TEXTS = [
    "The keeper's lighthouse was built in 1873, and rebuilt (twice!) by 1901.",
    "Übermäßige Straßenlärmschutzmaßnahmen, §§ 12–14 BGB.",
    "La pression d'épreuve s'élève à 12,5 bar à l'intérieur du récipient.",
    "def f(x):\n    return {'a': [x ** 2, x // 3]}  # 0x7F\n" * 3,
    "灯台は千八百七十三年に建てられた。",
    "Маяк построен в 1873 году.",
]


@pytest.mark.parametrize("text", TEXTS)
def test_the_bounds_enclose_what_a_real_tokenizer_counts(text):
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_buffer(TOKENIZER.read())
    tokenizer.no_truncation()
    tokenizer.no_padding()
    count = len(tokenizer.encode(text, add_special_tokens=False).ids)
    assert fewest_tokens(text) <= count <= most_tokens(text)


@given(st.text())
def test_the_bounds_do_not_cross(text):
    assert 0 <= fewest_tokens(text) <= most_tokens(text) <= 2 * len(text.encode("utf-8", "replace"))


@given(st.text(), st.text())
def test_a_longer_text_has_no_lower_bounds(one, other):
    assert most_tokens(one + other) >= most_tokens(one) - 1
    assert fewest_tokens(f"{one} {other}") == fewest_tokens(one) + fewest_tokens(other)
