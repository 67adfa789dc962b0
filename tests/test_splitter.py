"""Spans are exact, small enough, and begin where a reader would begin."""

from __future__ import annotations

import re
from itertools import pairwise, product

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from local_rag.adapters.splitter import _ABOVE_LINES, _WITHIN_LINES, _langchain, recursive_splitter

_PROSE = " ".join(f"Sentence number {i} says that things are as they are." for i in range(60))


def test_a_short_text_is_one_span_without_its_outer_white_space() -> None:
    assert recursive_splitter(100, 20)("  hello there \n") == [(2, 13)]


def test_white_space_gives_no_span() -> None:
    assert recursive_splitter(100, 20)(" \n\t ") == []


def test_prose_is_cut_at_sentences_and_every_span_begins_with_one() -> None:
    spans = recursive_splitter(400, 80)(_PROSE)
    assert len(spans) > 5
    for start, end in spans:
        assert _PROSE[start:end].startswith("Sentence number")
        assert _PROSE[start:end].endswith(".")


def test_neighbours_share_text_up_to_the_overlap() -> None:
    spans = recursive_splitter(400, 80)(_PROSE)
    shared = [a[1] - b[0] for a, b in pairwise(spans)]
    assert all(0 < overlap <= 81 for overlap in shared)


def test_repeated_text_keeps_its_places() -> None:
    text = "same words here. " * 100
    spans = recursive_splitter(200, 40)(text)
    assert spans[0][0] == 0
    assert spans[-1][1] == len(text.rstrip())
    assert all(b[0] <= a[1] + 1 for a, b in pairwise(spans))


def test_chinese_is_cut_after_its_full_stops() -> None:
    text = "这是一个很长的句子，用来检查切分的位置。" * 40
    spans = recursive_splitter(200, 0)(text)
    assert len(spans) > 2
    assert all(text[start:end].endswith("。") for start, end in spans)


def test_markdown_is_cut_before_its_headings() -> None:
    text = "\n".join(f"# Part {i}\n\n{'word ' * 30}" for i in range(6))
    spans = recursive_splitter(250, 0)(text)
    assert [text[start:end][:8] for start, end in spans] == [f"# Part {i}" for i in range(6)]


def test_an_abbreviation_does_not_end_a_sentence() -> None:
    text = "The value that was found in Fig. 3 and by J. Smith et al. is not the end of it. " * 10
    for start, _ in recursive_splitter(200, 0)(text):
        assert text[start:].startswith("The value")


def test_marks_and_joiners_stay_with_their_letter() -> None:
    family = "👨\u200d👩\u200d👧"
    texts = (family * 60, "e\u0301" * 200, "👍🏽" * 150)
    for text, size in product(texts, range(47, 53)):
        for start, end in recursive_splitter(size, 0)(text):
            assert end - start <= size
            assert not re.match("[\u0301\u200d\U0001f3fd]", text[start])
            assert text[end - 1] != "\u200d"


def test_no_span_is_longer_than_the_size_whatever_the_length_of_the_text() -> None:
    split = recursive_splitter(200, 90)
    for text, length in product((_PROSE, "word " * 200), range(200, 900, 3)):
        assert max(end - start for start, end in split(text[:length])) <= 200
    tower = ("e" + "\u0301" * 25) * 20
    assert max(end - start for start, end in recursive_splitter(50, 0)(tower)) <= 50


def test_an_overlap_does_not_reach_back_to_the_start_of_the_span_before() -> None:
    text = "X" * 20 + ". Yyy yyy yyy " + "W" * 25
    assert recursive_splitter(50, 20)(text) == [(0, 21), (22, 33), (26, 59)]


def test_an_overlap_as_large_as_the_size_is_refused() -> None:
    with pytest.raises(ValueError, match="overlap 10"):
        recursive_splitter(10, 10)


_MIXED = st.text(
    st.one_of(st.sampled_from("ab. \n#|`。，中国é\u0301\u200d\r\t"), st.characters()), max_size=700
)


@settings(max_examples=150)
@given(text=_MIXED, size=st.integers(8, 120))
@example(text="a" * 700, size=100)
@example(text=" " * 700, size=7)
def test_text_without_borders_is_cut_as_langchain_cuts_between_any_two_letters(
    text: str, size: int
) -> None:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    plain = RecursiveCharacterTextSplitter(
        chunk_size=size,
        chunk_overlap=0,
        separators=[*_ABOVE_LINES, r"\n", *_WITHIN_LINES, ""],
        is_separator_regex=True,
        keep_separator="end",
        strip_whitespace=False,
    )
    assume("\n" * size not in text)  # a blank stretch that fills a passage is kept together
    assert _langchain(size).split_text(text) == plain.split_text(text)


@pytest.mark.timeout(10)  # half a second; letter by letter it takes 16
@pytest.mark.parametrize("text", ["a" * 4_000_000, "b" + "\n" * 4_000_000 + "c"])
def test_megabytes_without_a_border_are_cut_at_once(text: str) -> None:
    assert recursive_splitter(8000, 2000)(text)[0][0] == 0


@settings(max_examples=150)
@given(
    text=_MIXED,
    size=st.integers(10, 120),
    share=st.integers(0, 49),
)
@example(text="word " * 100, size=20, share=25)
def test_spans_are_exact_bounded_ordered_and_lose_no_text(text: str, size: int, share: int) -> None:
    spans = recursive_splitter(size, size * share // 100)(text)
    covered: set[int] = set()
    for start, end in spans:
        piece = text[start:end]
        assert piece
        assert piece == piece.strip()
        assert len(piece) <= size
        covered.update(range(start, end))
    assert spans == sorted(spans)
    assert len(set(spans)) == len(spans)
    assert all(char.isspace() for i, char in enumerate(text) if i not in covered)


@settings(max_examples=60)
@given(st.lists(st.text("abcdefg", min_size=1, max_size=9), min_size=30, max_size=200))
def test_no_span_begins_within_a_word_that_fits(words: list[str]) -> None:
    text = " ".join(words)
    for start, _ in recursive_splitter(60, 25)(text):
        assert start == 0 or text[start - 1] == " "
