"""Words put on documents, as they are kept."""

from __future__ import annotations

import pytest

from local_rag.errors import InvalidRequest
from local_rag.text.names import one_visible_line
from local_rag.usecases.tags import LONGEST_TAG_CHARS, MOST_TAGS, tag_document


class Kept:
    def __init__(self):
        self.tags = None

    def put_tags(self, document_id, tags):
        self.tags = (document_id, tags)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (["  sea \t light "], ("sea light",)),
        (["Sea", "sea", "SEA"], ("Sea",)),
        (["a,b", "c"], ("a", "b", "c")),
        (["\u200b", "\u2800", "\ufe0f", " ", ""], ()),
        (["ab", "a\u200bb"], ("ab",)),
        (["\u202elive\u202c"], ("live",)),
        (["\ud800", "x\ud800"], ("x",)),
        (["e\u0301"], ("é",)),
        (["👩\u200d🚒"], ("👩\u200d🚒",)),
    ],
)
def test_a_tag_is_what_is_seen_of_it(given, kept):
    catalog = Kept()
    assert tag_document(catalog, "d", given) == kept
    assert catalog.tags == ("d", kept)


@pytest.mark.parametrize(
    "given", [["x" * (LONGEST_TAG_CHARS + 1)], [str(n) for n in range(MOST_TAGS + 1)]]
)
def test_too_many_and_too_long_ones_are_refused(given):
    catalog = Kept()
    with pytest.raises(InvalidRequest):
        tag_document(catalog, "d", given)
    assert catalog.tags is None


@pytest.mark.parametrize("blank", ["\u2800", "\ufe0f\u200d", "\u200b \u2800"])
def test_a_line_of_which_nothing_is_seen_is_empty(blank):
    assert one_visible_line(blank) == ""
    assert one_visible_line("…") == "…"
