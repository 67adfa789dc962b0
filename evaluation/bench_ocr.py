"""How well and how fast pictures of pages are read.

    python evaluation/bench_ocr.py --data DIR [--dpi 200] [--only PART]

DIR holds PDF files and a ``manifest.json``: a list of objects with ``path``, ``kinds`` and, for
files of the kind ``scanned``, ``expected_text``: phrases read from the rendered pages by eye.
Files with a text layer are drawn as pictures and compared with that layer.

words: share of the expected words that were found, accents and case ignored
spelt: the same, accents kept
phrases: of the expected phrases, those whose words stand in a row (scanned files only)
off: median distance in points of a word's box's sides from the text layer's, up or down and left
    or right, over words that occur once on both sides
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
import unicodedata
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pymupdf

from local_rag.adapters.ocr.reading import OcrPage, read_picture
from local_rag.text.tokens import words

if TYPE_CHECKING:
    from collections.abc import Iterable

# Of files with a text layer: dense columns, a form, tables, a manual, German, formulas.
LAYERED = [
    ("pdf_js/tracemonkey.pdf", 1),
    ("pdf_js/prefilled_f1040.pdf", 0),
    ("docling/2305.03393v1-pg9.pdf", 0),
    ("docling/redp5110_sampled.pdf", 8),
    ("pdfplumber/federal-register-2020-17221.pdf", 3),
    ("pdfplumber/nics-background-checks-2015-11-rotated.pdf", 0),
    ("sample-files/GeoTopo-komprimiert.pdf", 20),
    ("AI-research-assistant/1706.03762.pdf", 4),
]
LEAST_WORDS = 0.95
LEAST_WORDS_LAYERED = 0.90
MOST_CPU_S = 6.0


def picture_of(page: Any, dpi: int) -> np.ndarray:
    pixmap = page.get_pixmap(dpi=dpi, alpha=False)
    return np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.h, pixmap.w, pixmap.n)


def text_of(page: OcrPage) -> str:
    return "\n".join(line.text for line in page.lines.lines)


def folded(text: str) -> str:
    marks = unicodedata.normalize("NFKD", text.replace("œ", "oe").replace("æ", "ae"))
    return "".join(c for c in marks if not unicodedata.combining(c))


def bag(text: str) -> Counter[str]:
    return Counter(w.surface.casefold() for w in words(text.replace("’", "'")))


def recall(expected: Counter[str], found: Counter[str]) -> float:
    return sum((expected & found).values()) / max(1, sum(expected.values()))


def joined(text: str) -> str:
    """Words that a hyphen parts at the end of a line in one piece, as far as both sides can."""
    return text.replace("-\n", "").replace("\u00ad\n", "")


def offsets(layer: list[Any], page: OcrPage) -> list[tuple[float, float]]:
    ours: dict[str, list[Any]] = {}
    for line in page.lines.lines:
        for piece in line.pieces:
            ours.setdefault(piece.text, []).append(piece)
    theirs: dict[str, list[Any]] = {}
    for word in layer:
        theirs.setdefault(word[4], []).append(word)
    found = []
    for text, boxes in theirs.items():
        if len(boxes) == 1 and len(ours.get(text, [])) == 1 and len(text) > 2:
            box, piece = boxes[0], ours[text][0]
            across = (abs(piece.x0 - box[0]) + abs(piece.x1 - box[2])) / 2
            upright = (abs(piece.y0 - box[1]) + abs(piece.y1 - box[3])) / 2
            found.append((across, upright))
    return found


def scanned_files(data: Path) -> Iterable[tuple[str, list[str]]]:
    for entry in json.loads((data / "manifest.json").read_text("utf-8")):
        if "scanned" in entry["kinds"]:
            yield entry["path"], entry.get("expected_text", [])


def read(page: Any, dpi: int) -> tuple[OcrPage, float]:
    picture = picture_of(page, dpi)
    started = time.process_time()
    found = read_picture(picture, dpi)
    return found, time.process_time() - started


def bench_scanned(data: Path, dpi: int, only: str) -> list[str]:
    missed = []
    print(f"{'scanned':38} {'words':>6} {'spelt':>6} {'phrases':>8} {'CPU-s':>6}  turn, skew")
    for path, phrases in scanned_files(data):
        if only not in path:
            continue
        texts, cpu, turns = [], [], []
        with pymupdf.open(data / path) as document:
            for page in document:
                found, seconds = read(page, dpi)
                texts.append(text_of(found))
                cpu.append(seconds)
                turns.append(f"{found.turn_deg} {found.skew_deg:+.1f}")
        text = joined("\n".join(texts))
        if not phrases:
            print(f"{path:38} {len(bag(text)):5} words{'':11} {statistics.mean(cpu):6.2f}")
            continue
        whole = sum((bag(p) for p in phrases), Counter())
        plain = sum((bag(folded(p)) for p in phrases), Counter())
        share = recall(plain, bag(folded(text)))
        row = " ".join(w.surface.casefold() for w in words(text.replace("’", "'")))
        hits = sum(
            " ".join(w.surface.casefold() for w in words(p.replace("’", "'"))) in row
            for p in phrases
        )
        print(
            f"{path:38} {share:6.3f} {recall(whole, bag(text)):6.3f} {hits:5}/{len(phrases):<2} "
            f"{statistics.mean(cpu):6.2f}  {', '.join(turns)}"
        )
        if share < LEAST_WORDS:
            missed.append(f"{path}: words {share:.3f}, target {LEAST_WORDS}")
        if statistics.mean(cpu) > MOST_CPU_S:
            missed.append(f"{path}: {statistics.mean(cpu):.1f} CPU-s, target {MOST_CPU_S}")
    return missed


def bench_layered(data: Path, dpi: int, only: str) -> list[str]:
    missed = []
    print(f"\n{'with a text layer':52} {'words':>6} {'spelt':>6} {'off':>10} {'CPU-s':>6}")
    for path, index in LAYERED:
        if only not in path or not (data / path).is_file():
            continue
        with pymupdf.open(data / path) as document:
            page = document[index]
            layer_text = joined(page.get_text())
            # The words' boxes are those of the page before it is turned.
            layer = [
                (*(pymupdf.Rect(w[:4]) * page.rotation_matrix).normalize(), w[4])
                for w in page.get_text("words")
            ]
            found, seconds = read(page, dpi)
        text = joined(text_of(found))
        share = recall(bag(folded(layer_text)), bag(folded(text)))
        away = offsets(layer, found)
        off = [statistics.median(side) for side in zip(*away, strict=True)] or [0.0, 0.0]
        print(
            f"{path + ' p. ' + str(index + 1):52} {share:6.3f} "
            f"{recall(bag(layer_text), bag(text)):6.3f} {off[1]:5.1f}{off[0]:5.1f} {seconds:6.2f}"
        )
        if share < LEAST_WORDS_LAYERED:
            missed.append(f"{path}: words {share:.3f}, target {LEAST_WORDS_LAYERED}")
    return missed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", default=os.environ.get("LOCAL_RAG_BENCH_DATA"), type=Path)
    parser.add_argument("--dpi", default=200, type=int)
    parser.add_argument("--only", default="", help="only files whose path holds this")
    arguments = parser.parse_args()
    if arguments.data is None:
        parser.error("--data or LOCAL_RAG_BENCH_DATA must name the folder")
    missed = bench_scanned(arguments.data, arguments.dpi, arguments.only)
    missed += bench_layered(arguments.data, arguments.dpi, arguments.only)
    for line in missed:
        print("missed:", line)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
