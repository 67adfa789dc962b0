"""Which tables and headings ``pymupdf``'s own Markdown has, and which of them ours keeps.

    python evaluation/bench_tables.py --data DIR [--pages 40] [--no-reference] [--show-misses]

DIR holds PDF files, in folders or not. Of a longer file ``--pages`` pages, evenly spread, are
compared; the reading itself is timed over all of them. What the reference takes for a table is
not always one (tables of contents, forms, code): ``kept`` is a share to look into, not to
maximise. So it is with headings: captions, labels in margins and lines of formulas are among the
reference's. One is kept where a title of ours on its page, or the document's title, says the same:
a title may be cut in two or run on into the text on either side. CPU time is that of this process, one page at a time; the first page pays for imports.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import re
import statistics
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from local_rag.adapters import pdf_reader
from local_rag.adapters.pdf import page as pdf_page
from local_rag.adapters.pdf.glyphs import letters_and_digits
from local_rag.errors import LocalRagError

if TYPE_CHECKING:
    from local_rag.model.document import Extraction

CPU_TARGET_MS = 29.0
KEPT_SHARE = 0.6
SAME_TITLE_SHARE = 0.8
# Shorter keys are part of many others.
_MIN_KEY_CHARS = 4
_MARKUP = re.compile(r"<[^>]+>|[*_`~]")


def signs(text: str) -> Counter[str]:
    """Runs of three letters or digits, cell borders and markup left out: spaces differ."""
    key = letters_and_digits(_MARKUP.sub("", text))
    return Counter(key[i : i + 3] for i in range(len(key) - 2))


def blocks_of_rows(markdown: str) -> list[str]:
    """The Markdown tables of a text, each with at least two rows."""
    found: list[list[str]] = [[]]
    for line in markdown.splitlines():
        if line.startswith("|"):
            found[-1].append(line)
        elif found[-1]:
            found.append([])
    return ["\n".join(rows) for rows in found if len(rows) > 2]


def headings_of(markdown: str) -> list[str]:
    lines = [line.lstrip("#") for line in markdown.splitlines() if line.startswith("#")]
    texts = [_MARKUP.sub("", line).strip() for line in lines]
    return [text for text in texts if letters_and_digits(text)]


def is_same_heading(one: str, other: str) -> bool:
    """Whether one title holds the other, or most of their runs of three signs are the same."""
    a, b = letters_and_digits(one), letters_and_digits(other)
    if a == b:
        return True
    if min(len(a), len(b)) < _MIN_KEY_CHARS:
        return False
    mine, theirs = signs(one), signs(other)
    larger = max(mine.total(), theirs.total())
    return a in b or b in a or (mine & theirs).total() >= SAME_TITLE_SHARE * larger


def is_kept(reference: str, ours: list[str]) -> bool:
    wanted = signs(reference)
    total = sum(wanted.values())
    # Tables side by side are one in the reference, two in ours.
    candidates = [*ours, "\n".join(ours)]
    return any(sum((wanted & signs(t)).values()) >= KEPT_SHARE * total for t in candidates)


def read(path: Path) -> tuple[Extraction, list[tuple[int, bool, bool]], float]:
    """The extraction; of each page tables, model, slow; milliseconds of CPU."""
    kinds: list[tuple[int, bool, bool]] = []
    original = pdf_page.find_tables

    def observed(*args: Any) -> Any:
        found = original(*args)
        kinds.append((len(found.grids), found.by_model, found.slow))
        return found

    pdf_page.find_tables = observed
    began = time.process_time()
    try:
        extraction = pdf_reader.read_pdf(path)
    finally:
        pdf_page.find_tables = original
    return extraction, kinds, (time.process_time() - began) * 1e3


def reference_pages(path: Path, numbers: list[int]) -> tuple[dict[int, str], float]:
    import pymupdf

    began = time.process_time()
    made = {}
    with pymupdf.open(path) as document, contextlib.redirect_stdout(io.StringIO()):
        for number in numbers:
            made[number] = str(document.to_markdown(pages=[number - 1], use_ocr=False))
    return made, (time.process_time() - began) * 1e3


def compare(
    path: Path, extraction: Extraction, limit: int
) -> tuple[Counter[str], float, list[str], list[str]]:
    """Counts, milliseconds of the reference, pages of tables and headings that it has alone."""
    numbers = [page.page_number for page in extraction.pages if page.text.strip()]
    numbers = numbers[:: max(1, -(-len(numbers) // limit))]
    reference, elapsed_ms = reference_pages(path, numbers)
    counted: Counter[str] = Counter(pages=len(numbers))
    missed = []
    titles = {
        n: [s.title for s in extraction.sections if s.page_number == n and s.path] for n in numbers
    }
    heads_missed = []
    document_title = [extraction.title] if extraction.title else []
    for number, markdown in reference.items():
        page = extraction.pages[number - 1]
        ours = [page.text[t.start : t.end] for t in extraction.tables if t.page_number == number]
        theirs = blocks_of_rows(markdown)
        kept = [is_kept(table, ours) for table in theirs]
        counted["tables"] += len(theirs)
        counted["kept"] += sum(kept)
        alone = [not any(is_kept(table, [other]) for other in theirs) for table in ours]
        counted["ours alone"] += sum(alone)
        missed += [f"page {number}" for k in kept if not k]
        heads = headings_of(markdown)
        counted["headings"] += len(heads)
        candidates = titles[number] + document_title
        lost = [h for h in heads if not any(is_same_heading(h, ours) for ours in candidates)]
        counted["headings kept"] += len(heads) - len(lost)
        heads_missed += [f"  page {number}: {head}" for head in lost]
        counted["our headings"] += len(titles[number])
        counted["headings alone"] += sum(
            not any(is_same_heading(title, head) for head in heads) for title in titles[number]
        )
    return counted, elapsed_ms, missed, heads_missed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--pages", type=int, default=40)
    parser.add_argument("--no-reference", action="store_true")
    parser.add_argument("--show-misses", action="store_true", help="list the headings not kept")
    options = parser.parse_args()
    total: Counter[str] = Counter()
    cpu_ms, reference_ms, rates = 0.0, 0.0, []
    for path in sorted(options.data.rglob("*.pdf")):
        try:
            extraction, kinds, elapsed_ms = read(path)
        except LocalRagError as exc:
            print(f"{path.relative_to(options.data)}: {type(exc).__name__}")
            continue
        pages = len(extraction.pages)
        rates.append(elapsed_ms / pages)
        cpu_ms += elapsed_ms
        total.update(
            read=pages,
            found=len(extraction.tables),
            model=sum(by_model for _, by_model, _ in kinds),
            slow=sum(slow for *_, slow in kinds),
        )
        asked = [i + 1 for i, (_, by_model, _) in enumerate(kinds) if by_model]
        line = f"{path.relative_to(options.data)}: {pages} pages, {rates[-1]:.1f} ms a page, "
        line += f"{len(extraction.tables)} tables" + (f", model on {asked}" if asked else "")
        if not options.no_reference:
            counted, spent_ms, missed, heads_missed = compare(path, extraction, options.pages)
            total.update(counted)
            reference_ms += spent_ms
            line += f"; kept {counted['kept']}/{counted['tables']}"
            line += f", headings {counted['headings kept']}/{counted['headings']}"
            line += f" ({counted['headings alone']} of {counted['our headings']} ours alone)"
            line += f", missed on {missed}" if missed else ""
            if options.show_misses:
                line = "\n".join([line, *heads_missed])
        print(line, flush=True)
    mean_ms = cpu_ms / max(total["read"], 1)
    print(
        f"{total['read']} pages: {mean_ms:.1f} ms CPU a page (median of files "
        f"{statistics.median(rates):.1f}), {total['found']} tables, "
        f"model on {total['model']}, given up on {total['slow']}"
    )
    if total["pages"]:
        print(
            f"reference, {total['pages']} pages: {reference_ms / total['pages']:.0f} ms CPU a page; "
            f"tables kept {total['kept']}/{total['tables']}, ours alone {total['ours alone']}; "
            f"headings kept {total['headings kept']}/{total['headings']}, "
            f"ours alone {total['headings alone']} of {total['our headings']}"
        )
    return 1 if mean_ms > CPU_TARGET_MS else 0


if __name__ == "__main__":
    sys.exit(main())
