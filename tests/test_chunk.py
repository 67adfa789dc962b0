"""Passages are exact slices of one page and one section."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from local_rag.adapters.splitter import recursive_splitter
from local_rag.ingest.chunk import chunk_document
from local_rag.ingest.sections import HeadingFound, build_sections
from local_rag.model.document import Chunk, Extraction, Page, Section, Table

_SPLIT = recursive_splitter(200, 40)


def _document(*texts: str, headings: list[HeadingFound] | None = None) -> Extraction:
    pages = tuple(Page(number, text) for number, text in enumerate(texts, 1))
    return Extraction(pages, build_sections(headings or [], pages))


def test_a_chunk_knows_its_place_its_section_and_its_headings() -> None:
    text = "Intro\n\nGoals\n\nWe aim high."
    headings = [HeadingFound(1, "Intro", 1, 0), HeadingFound(2, "Goals", 1, 7)]
    chunks = chunk_document("d" * 32, _document(text, headings=headings), _SPLIT)
    digest = hashlib.sha256(f"{'d' * 32}\0001\0007\00026\0{text[7:]}".encode()).hexdigest()
    assert chunks == (
        Chunk(
            digest[:32], "d" * 32, 0, 1, 7, 26, "Goals\n\nWe aim high.", "1.1", ("Intro", "Goals")
        ),
    )


def test_a_heading_is_never_a_passage_of_its_own_even_before_a_long_paragraph() -> None:
    text = "Goals\n\n" + "All of this is one long paragraph without any end in sight " * 20
    document = _document(text, headings=[HeadingFound(1, "Goals", 1, 0)])
    chunks = chunk_document("d", document, _SPLIT)
    assert chunks[0].text.startswith("Goals\n\nAll of this")
    assert all(len(chunk.text) <= 200 for chunk in chunks)


def test_a_markdown_heading_with_its_underline_is_left_out_when_nothing_follows() -> None:
    text = "Top\n===\n\n## Below ##\n\nBody text."
    headings = [HeadingFound(1, "Top", 1, 0), HeadingFound(2, "Below", 1, 9)]
    chunks = chunk_document("d", _document(text, headings=headings), _SPLIT)
    assert [chunk.text for chunk in chunks] == ["## Below ##\n\nBody text."]


def test_a_document_of_headings_only_keeps_them() -> None:
    headings = [HeadingFound(1, "One", 1, 0), HeadingFound(1, "Two", 1, 5)]
    chunks = chunk_document("d", _document("One\n\nTwo", headings=headings), _SPLIT)
    assert [(chunk.ordinal, chunk.text) for chunk in chunks] == [(0, "One"), (1, "Two")]


def test_the_rest_of_a_section_on_the_next_page_is_its_own_passage() -> None:
    document = _document("A\n\nfirst", "second", headings=[HeadingFound(1, "A", 1, 0)])
    chunks = chunk_document("d", document, _SPLIT)
    assert [(c.page_number, c.text, c.section_id) for c in chunks] == [
        (1, "A\n\nfirst", "1"),
        (2, "second", "1"),
    ]


def test_a_short_rest_joins_its_predecessor_where_it_fits() -> None:
    def halves(text: str) -> list[tuple[int, int]]:
        return [(0, len(text))] if len(text) < 150 else [(0, 100), (100, len(text))]

    fitting = chunk_document("d", _document("x" * 149), halves)
    assert [len(chunk.text) for chunk in fitting] == [149]

    def thirds(text: str) -> list[tuple[int, int]]:
        return [(0, 100), (100, 200), (200, len(text))] if len(text) > 200 else [(0, len(text))]

    merged = chunk_document("d", _document("y" * 230), thirds)
    assert [len(chunk.text) for chunk in merged] == [100, 130]


def test_the_same_document_gives_the_same_chunks_and_another_id_gives_others() -> None:
    document = _document("Some words. " * 100)
    first = chunk_document("a", document, _SPLIT)
    assert first == chunk_document("a", document, _SPLIT)
    assert {c.chunk_id for c in first}.isdisjoint(
        c.chunk_id for c in chunk_document("b", document, _SPLIT)
    )
    assert all(len(chunk.chunk_id) == 32 for chunk in first)


_TEXT = st.text(st.sampled_from("abC. \n\t#|é中。"), max_size=300)


@settings(max_examples=120)
@given(
    texts=st.lists(_TEXT, min_size=1, max_size=3),
    marks=st.lists(
        st.tuples(
            st.integers(1, 3), st.integers(1, 3), st.integers(0, 299), st.text("abC", max_size=4)
        ),
        max_size=5,
    ),
    size=st.integers(20, 90),
)
def test_chunks_are_exact_slices_within_one_section_and_lose_only_headings(
    texts: list[str], marks: list[tuple[int, int, int, str]], size: int
) -> None:
    document = _document(
        *texts, headings=[HeadingFound(lv, title, page, at) for lv, page, at, title in marks]
    )
    chunks = chunk_document("d", document, recursive_splitter(size, size // 4))
    by_id = {section.section_id: section for section in document.sections}
    covered: set[tuple[int, int]] = set()
    for ordinal, chunk in enumerate(chunks):
        page = document.pages[chunk.page_number - 1]
        section = by_id[chunk.section_id]
        assert chunk.text == page.text[chunk.start : chunk.end]
        assert chunk.text
        assert chunk.text == chunk.text.strip()
        assert chunk.ordinal == ordinal
        assert chunk.heading_path == section.path
        assert len(chunk.text) <= size
        place = (chunk.page_number, chunk.start)
        assert (section.page_number, section.start) <= place
        assert (chunk.page_number, chunk.end) <= (section.end_page_number, section.end)
        covered.update((chunk.page_number, i) for i in range(chunk.start, chunk.end))
    assert len({chunk.chunk_id for chunk in chunks}) == len(chunks)
    assert bool(chunks) == bool("".join(texts).strip())
    if chunks:
        lost = [
            (page, i)
            for page, text in enumerate(texts, 1)
            for i, char in enumerate(text)
            if not char.isspace() and (page, i) not in covered
        ]
        assert all(_near_a_heading(place, document) for place in lost)


def _near_a_heading(place: tuple[int, int], document: Extraction) -> bool:
    """Whether the character belongs to the heading at the head of its section."""
    page, offset = place
    for section in document.sections:
        if section.title and section.page_number == page and section.start <= offset:
            text = document.pages[page - 1].text[section.start : offset + 1]
            head = "".join(filter(str.isalnum, text.casefold()))
            if len(head) <= len(section.title) + 20:
                return True
    return False


def test_a_passage_that_begins_inside_a_table_leads_with_its_header():
    header = "| city | people |\n| --- | --- |"
    rows = [f"| place {n:02d} | {n * 1000} |" for n in range(12)]
    table = "\n".join([header, *rows])
    text = f"Before it.\n\n{table}\n\nAfter it, there is no table."
    start = text.index("| city")
    pages = (Page(1, text),)
    extraction = Extraction(
        pages,
        (Section("0", "", 0, (), 1, 0, 1, len(text)),),
        tables=(Table(1, start, start + len(table), header),),
    )
    chunks = chunk_document("d" * 32, extraction, recursive_splitter(120, 0))
    rows_only = [chunk for chunk in chunks if chunk.text.startswith("| place")]
    assert len(rows_only) > 1
    assert {chunk.lead for chunk in rows_only} == {header}
    assert {chunk.lead for chunk in chunks if chunk not in rows_only} == {""}
    assert rows_only[0].read_text == f"{header}\n{rows_only[0].text}"
    assert chunks[0].read_text == chunks[0].text
    assert all(pages[0].text[chunk.start : chunk.end] == chunk.text for chunk in chunks)


def test_titles_and_headings_stand_once_before_what_a_passage_is_found_by():
    text = "Press it."
    chunk = Chunk("c", "d", 0, 1, 0, len(text), text, "1", ("Manual", "Reset button"), "| a |")
    assert chunk.indexed_text("Manual") == "Manual\nReset button\n| a |\nPress it."
    assert chunk.indexed_text(None) == "Manual\nReset button\n| a |\nPress it."
    assert chunk.indexed_text("HP-200") == "HP-200\nManual\nReset button\n| a |\nPress it."
    named = replace(chunk, text="Reset button\n\nPress it.", lead="")
    assert named.indexed_text("") == "Manual\nReset button\n\nPress it."


def test_the_overlap_in_a_table_begins_with_a_whole_row_and_the_header() -> None:
    header = "| Tool | Price | Deposit |\n|---|---|---|"
    rows = [f"| Pressure washer number {n}, electric | {n}.00 | {n}0 |" for n in range(1, 40)]
    table = "\n".join([header, *rows])
    pages = (Page(1, table),)
    extraction = Extraction(
        pages, build_sections((), pages), tables=(Table(1, 0, len(table), header),)
    )
    chunks = chunk_document("d" * 32, extraction, recursive_splitter(400, 70))
    assert len(chunks) > 3
    for before, chunk in pairwise(chunks):
        assert chunk.text.split("\n")[0] in rows
        assert chunk.lead == header
        assert before.end - 70 < chunk.start <= before.end + 1
    assert {row for chunk in chunks for row in chunk.text.split("\n")} >= set(rows)


def test_a_row_longer_than_a_passage_loses_nothing() -> None:
    header = "| Note |\n|---|"
    words = " ".join(f"word{n}" for n in range(300))
    table = f"{header}\n| {words} |\n| end |"
    pages = (Page(1, table),)
    extraction = Extraction(
        pages, build_sections((), pages), tables=(Table(1, 0, len(table), header),)
    )
    chunks = chunk_document("d" * 32, extraction, recursive_splitter(200, 40))
    read = {word for chunk in chunks for word in chunk.text.split()}
    assert read >= set(words.split()) | {"end"}
