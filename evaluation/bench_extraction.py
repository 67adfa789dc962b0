"""What is read from real PDF files, and how quickly.

    python evaluation/bench_extraction.py [--data DIR] [--misses 20] [--only PART_OF_PATH] [--quick]

DIR (default: $LOCAL_RAG_BENCH_DATA) holds ``pdfs/manifest.json``, a row for each file. Printed for
each file: pages, CPU milliseconds a page, which of ``expected_text`` the stored text lacks (white
space and case aside), ``expected_behaviour`` beside what happened, and for files with a
``ground_truth`` (Markdown) the share of its words that the stored text holds, each as often as
there.

The mean of CPU time is over the files that have a text layer: neither scans nor files that could
not be read. What OCR takes of it (pictures on pages with words, glimpses whether a picture holds
any, doubts of a text layer, and loading the models) is printed apart; the target is for the rest.
``--quick`` leaves scans out and OCR undone, so that words in pictures are lacking. Beside the mean
stands that of MuPDF's plain ``get_text("rawdict")`` on the same pages in the same run: processor time
grows on a busy machine, their ratio hardly.
Exits with 1 where a target is missed.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import html
import json
import os
import re
import sys
import time
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from local_rag.adapters.pdf_reader import read_pdf
from local_rag.errors import LocalRagError

if TYPE_CHECKING:
    from collections.abc import Callable

    from local_rag.model.document import Extraction

RECALL_TARGET = 0.97
CPU_TARGET_MS = 29.0
# Kinds of files without a text layer of their own.
SCANS = {"scanned", "zero-text", "ocr-layer", "font-no-unicode"}
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_ESCAPED = re.compile(r"\\([_*#\[\]<>|`~.-])")
_WORD = re.compile(r"\w+")


@dataclass(slots=True)
class Outcome:
    """What became of one file.

    Attributes:
        cpu_ms: without OCR.
        ocr_ms: CPU time of OCR.
        plain_ms: CPU time of MuPDF's own listing of the text, for comparison.
        recall: share of the ground truth's words found; ``None`` where there is none.
        missed: the ground truth's words that were not found.
    """

    row: dict[str, Any]
    happened: str
    pages: int = 0
    cpu_ms: float = 0.0
    ocr_ms: float = 0.0
    plain_ms: float = 0.0
    lacks: list[str] = field(default_factory=list)
    recall: float | None = None
    missed: list[str] = field(default_factory=list)

    @property
    def is_timed(self) -> bool:
        """Whether it counts for the mean of CPU time."""
        return self.pages > 0 and not SCANS.intersection(self.row["kinds"])


def unmarked(markdown: str) -> str:
    """The words of a Markdown text without its markup."""
    text = _LINK.sub(r"\1", _COMMENT.sub(" ", markdown))
    return html.unescape(_TAG.sub(" ", _ESCAPED.sub(r"\1", text)))


def words(text: str) -> Counter[str]:
    """Its words, NFKC and casefolded, with how often they occur."""
    return Counter(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def squeezed(text: str) -> str:
    """The text without white space, NFKC and casefolded."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


class OcrClock:
    """CPU time spent inside of OCR's functions, from when it is made."""

    def __init__(self) -> None:
        from local_rag.adapters.ocr import glimpses, reading

        self.spent_ms = 0.0
        self._is_running = False
        for module, name in (
            (reading, "read_picture"),
            (glimpses, "look"),
            (glimpses, "say"),
        ):
            setattr(module, name, self._timed(getattr(module, name)))

    def _timed(self, work: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(work)
        def timed(*args: Any, **options: Any) -> Any:
            if self._is_running:
                return work(*args, **options)
            self._is_running, started = True, time.process_time()
            try:
                return work(*args, **options)
            finally:
                self._is_running = False
                self.spent_ms += (time.process_time() - started) * 1000

        return timed


def look_at(folder: Path, row: dict[str, Any], clock: OcrClock) -> Outcome:
    """Reads one file and compares."""
    ocr_before_ms = clock.spent_ms
    started = time.process_time()
    extraction: Extraction | None = None
    try:
        extraction = read_pdf(folder / row["path"])
    except LocalRagError as exc:
        outcome = Outcome(row, f"{exc.code}: {exc.message}")
    else:
        outcome = Outcome(row, "read", len(extraction.pages))
    outcome.ocr_ms = clock.spent_ms - ocr_before_ms
    outcome.cpu_ms = (time.process_time() - started) * 1000 - outcome.ocr_ms
    text = "\n".join(page.text for page in extraction.pages) if extraction else ""
    found = squeezed(text)
    outcome.lacks = [
        wanted for wanted in row.get("expected_text") or [] if squeezed(wanted) not in found
    ]
    if row.get("ground_truth"):
        truth = words(unmarked((folder / row["ground_truth"]).read_text(encoding="utf-8")))
        missed = truth - words(text)
        outcome.recall = 1 - missed.total() / max(truth.total(), 1)
        outcome.missed = [f"{word} x{n}" for word, n in missed.most_common()]
    return outcome


def plain_ms(path: Path) -> float:
    """CPU time in which MuPDF lists the characters of all pages."""
    import pymupdf

    started = time.process_time()
    with pymupdf.open(path) as document:
        for number in range(len(document)):
            with contextlib.suppress(pymupdf.mupdf.FzErrorBase):  # pages that cannot be loaded
                document[number].get_text("rawdict")
    return (time.process_time() - started) * 1000


def show(outcome: Outcome, misses: int) -> None:
    """Prints a line for the file, and what it misses below."""
    row = outcome.row
    each = outcome.cpu_ms / max(outcome.pages, 1)
    ocr = outcome.ocr_ms / max(outcome.pages, 1)
    expected = row.get("expected_text")
    text = f"text {len(expected) - len(outcome.lacks)}/{len(expected)}" if expected else ""
    recall = f"recall {outcome.recall:.4f}" if outcome.recall is not None else ""
    print(
        f"{row['path']:52} {outcome.pages:4} pages {each:7.1f} ms"
        f" OCR {ocr:7.1f} ms {text:9} {recall:13} {'' if outcome.happened == 'read' else outcome.happened}"
    )
    if row.get("expected_behaviour"):
        print(f"    expected: {row['expected_behaviour']}\n    happened: {outcome.happened}")
    for lack in outcome.lacks:
        print(f"    lacks: {lack}")
    if outcome.missed and misses:
        print(f"    misses: {', '.join(outcome.missed[:misses])}")


def main() -> int:
    """Measures and prints; 1 where a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("LOCAL_RAG_BENCH_DATA"))
    parser.add_argument("--misses", type=int, default=20, help="words shown for each file")
    parser.add_argument("--only", default="", help="a part of the paths to look at")
    parser.add_argument("--quick", action="store_true", help="without scans and most of OCR")
    options = parser.parse_args()
    if options.data is None:
        parser.error("--data or LOCAL_RAG_BENCH_DATA is needed")
    import pymupdf  # noqa: F401  # loaded before anything is timed

    if options.quick:
        from local_rag.adapters.ocr import glimpses, reading

        glimpses.look = lambda *_: "none"
        whole = reading.read_picture
        reading.read_picture = lambda picture, dpi, **_: whole(picture[:1], dpi)
    clock = OcrClock()
    folder = Path(options.data) / "pdfs"
    rows = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    outcomes = []
    for row in rows:
        if options.only in row["path"] and not (options.quick and SCANS.intersection(row["kinds"])):
            outcomes.append(look_at(folder, row, clock))
            if outcomes[-1].is_timed:
                outcomes[-1].plain_ms = plain_ms(folder / row["path"])
            show(outcomes[-1], options.misses)
            sys.stdout.flush()
    timed = [outcome for outcome in outcomes if outcome.is_timed]
    pages = sum(outcome.pages for outcome in timed)
    mean = sum(outcome.cpu_ms for outcome in timed) / max(pages, 1)
    ocr = sum(outcome.ocr_ms for outcome in timed) / max(pages, 1)
    plain = sum(outcome.plain_ms for outcome in timed) / max(pages, 1)
    print(
        f"\n{pages} pages of {len(timed)} text files: {mean:.1f} ms of CPU a page"
        f" without OCR, {ocr:.1f} ms of OCR; plain listing {plain:.1f} ms"
    )
    failed = [] if mean < CPU_TARGET_MS else [f"CPU a page: {mean:.1f} ms"]
    failed += [
        f"{outcome.row['path']}: recall {outcome.recall:.4f}"
        for outcome in outcomes
        if outcome.recall is not None and outcome.recall < RECALL_TARGET
    ]
    for miss in failed:
        print(f"MISSED  {miss}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
