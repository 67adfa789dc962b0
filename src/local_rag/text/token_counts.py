"""How many tokens a text is for a model whose tokenizer is not here: bounds, not a count.

The tokenizers in use cut a text at white space before anything else, so no token holds two words;
English takes about one for four letters, digits and signs up to one each, other scripts one to two
for a character.
"""

from __future__ import annotations

import re

_LETTERS_PER_TOKEN = 3

_LATIN = re.compile(r"[A-Za-z ]+")


def most_tokens(text: str) -> int:
    """A count that is hardly ever exceeded: three Latin letters a token, all else one to a char.

    A character of several bytes counts half a token more for each byte after its first.
    """
    latin = sum(len(run) for run in _LATIN.findall(text))
    others = len(text) - latin
    extra_bytes = len(text.encode("utf-8", "replace")) - len(text)
    return -(-latin // _LETTERS_PER_TOKEN) + others + -(-extra_bytes // 2)


def fewest_tokens(text: str) -> int:
    """A count that is hardly ever fallen short of: one token for each word."""
    return len(text.split())
