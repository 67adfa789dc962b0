"""Headings become a tree of sections that covers the text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from local_rag.ingest.sections import HeadingFound, build_sections
from local_rag.model.document import Page, Section


def _pages(*texts: str) -> tuple[Page, ...]:
    return tuple(Page(number, text) for number, text in enumerate(texts, 1))


def _covered(sections: tuple[Section, ...], pages: tuple[Page, ...]) -> list[tuple[int, int]]:
    """Every (page number, offset) inside a section, in the order of the sections."""
    places = []
    for section in sections:
        for page in pages[section.page_number - 1 : section.end_page_number]:
            start = section.start if page.page_number == section.page_number else 0
            last = page.page_number == section.end_page_number
            stop = section.end if last else len(page.text)
            places += [(page.page_number, offset) for offset in range(start, stop)]
    return places


def test_a_section_runs_to_the_next_heading_of_any_level() -> None:
    pages = _pages("intro One a", "b Two c")
    headings = [HeadingFound(1, "One", 1, 6), HeadingFound(2, "Two", 2, 2)]
    assert build_sections(headings, pages) == (
        Section("0", "", 0, (), 1, 0, 1, 6),
        Section("1", "One", 1, ("One",), 1, 6, 2, 2),
        Section("1.1", "Two", 2, ("One", "Two"), 2, 2, 2, 7),
    )


def test_a_section_before_a_heading_at_the_head_of_a_page_ends_on_the_page_before() -> None:
    sections = build_sections(
        [HeadingFound(1, "A", 1, 0), HeadingFound(1, "B", 3, 0)], _pages("A", "more", "B")
    )
    assert [(s.section_id, s.end_page_number, s.end) for s in sections] == [
        ("1", 2, 4),
        ("2", 3, 1),
    ]


def test_gaps_between_levels_are_closed_and_ids_stay_distinct() -> None:
    levels = [2, 4, 3, 4, 2, 1, 3]
    pages = _pages("0123456")
    headings = [HeadingFound(level, str(i), 1, i) for i, level in enumerate(levels)]
    ids = [section.section_id for section in build_sections(headings, pages)]
    assert ids == ["1", "1.1", "1.2", "1.2.1", "2", "3", "3.1"]


def test_white_space_before_the_first_heading_makes_no_section_of_its_own() -> None:
    sections = build_sections([HeadingFound(1, "A", 2, 2)], _pages(" ", "\n\nA text"))
    assert [(s.section_id, s.page_number, s.start) for s in sections] == [("1", 1, 0)]


def test_one_page_without_headings_is_section_zero() -> None:
    pages = _pages("one")
    assert build_sections([], pages) == (Section("0", "", 0, (), 1, 0, 1, 3),)


def test_pages_without_headings_are_sections_of_their_own_without_a_path() -> None:
    assert build_sections([], _pages("one", "three")) == (
        Section("1", "Page 1", 1, (), 1, 0, 1, 3),
        Section("2", "Page 2", 1, (), 2, 0, 2, 5),
    )
    many = build_sections([], _pages(*["x"] * 23))
    assert [(s.section_id, s.title, s.level) for s in many if s.level == 1] == [
        ("1", "Pages 1–10", 1),
        ("2", "Pages 11–20", 1),
        ("3", "Pages 21–23", 1),
    ]
    assert many[-1] == Section("3.3", "Page 23", 2, (), 23, 0, 23, 1)


def test_no_section_begins_before_the_given_place() -> None:
    pages = _pages("front\nbody")
    assert build_sections([HeadingFound(1, "front", 1, 0)], pages, begin=6) == (
        Section("0", "", 0, (), 1, 6, 1, 10),
    )


@given(
    texts=st.lists(st.text("ab \n", max_size=12), min_size=1, max_size=4),
    marks=st.lists(st.tuples(st.integers(1, 6), st.integers(1, 5), st.integers(0, 12)), max_size=8),
)
def test_sections_cover_every_character_once_and_in_order(
    texts: list[str], marks: list[tuple[int, int, int]]
) -> None:
    pages = _pages(*texts)
    sections = build_sections([HeadingFound(lv, "h", page, at) for lv, page, at in marks], pages)
    everything = [(p.page_number, offset) for p in pages for offset in range(len(p.text))]
    covered = _covered(sections, pages)
    if sections:
        assert covered == everything
    else:
        assert not "".join(texts).strip()
    assert len({section.section_id for section in sections}) == len(sections)
    assert all(len(section.path) in (0, section.level) for section in sections)
