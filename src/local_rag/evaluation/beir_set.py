"""Retrieval sets in BEIR's layout: ``corpus.jsonl``, ``queries.jsonl``, ``qrels/SPLIT.tsv``."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from local_rag.errors import InvalidRequest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_LAYOUT = "corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv, all in UTF-8"
_MOST_TOLD = 20
_COLUMNS = 3


class CorpusRow(NamedTuple):
    """A document of the set."""

    name: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class BeirSet:
    """A set that keeps the layout.

    Attributes:
        qrels: the file of judgements, as a path below the folder.
        questions: those with something relevant, by id, in the order of the judgements.
        grades: of the relevant documents, above 0, by question; an unknown document among them
            is one that cannot be found.
        document_count: rows of the corpus.
        notes: what the figures leave out or cannot reach, in words.
    """

    folder: Path
    qrels: str
    questions: dict[str, str]
    grades: dict[str, dict[str, float]]
    document_count: int
    notes: tuple[str, ...]

    def corpus(self) -> Iterator[CorpusRow]:
        """The documents in order; read anew each time, for they may be millions."""
        for _, name, row in _rows(self.folder, "corpus.jsonl", []):
            yield CorpusRow(name, str(row.get("title") or "").strip(), str(row.get("text") or ""))


def read_beir(folder: Path, split: str = "test", limit: int | None = None) -> BeirSet:
    """The set in a folder. Without a folder ``qrels`` a file ``qrels.tsv`` holds the judgements.

    Args:
        limit: the first so many questions only.

    Raises:
        InvalidRequest: a file is missing or broken; each fault is named with its line.
    """
    wrong: list[str] = []
    qrels = f"qrels/{split}.tsv"
    if not (folder / "qrels").is_dir() and (folder / "qrels.tsv").is_file():
        qrels = "qrels.tsv"
    names, empty = set(), []
    for number, name, row in _rows(folder, "corpus.jsonl", wrong):
        names.add(name)
        if not f"{row.get('title') or ''}{row.get('text') or ''}".strip():
            empty.append(number)
    queries = {
        name: str(row.get("text") or "").strip()
        for _, name, row in _rows(folder, "queries.jsonl", wrong)
    }
    judged = _judged(folder, qrels, wrong)
    if wrong:
        more = len(wrong) - _MOST_TOLD
        told = wrong[:_MOST_TOLD] + ([f"and {more} more"] if more > 0 else [])
        raise InvalidRequest(
            f"The set has {len(wrong)} faults:\n" + "\n".join(told),
            fix=f"Mend the lines; a set is {_LAYOUT}.",
        )
    grades = {
        query: {name: grade for name, grade in found.items() if grade > 0}
        for query, found in judged.items()
    }
    asked = [query for query, found in grades.items() if found and query in queries][:limit]
    if not asked:
        raise InvalidRequest(
            f"{qrels} judges no question of queries.jsonl as having a relevant document.",
            fix="Name another split by --split, or mend the ids.",
        )
    return BeirSet(
        folder,
        qrels,
        {query: queries[query] for query in asked},
        {query: grades[query] for query in asked},
        len(names),
        tuple(_notes(qrels, judged, grades, names, queries, empty)),
    )


def _notes(
    qrels: str,
    judged: dict[str, dict[str, float]],
    grades: dict[str, dict[str, float]],
    names: set[str],
    queries: dict[str, str],
    empty: list[int],
) -> Iterator[str]:
    if empty:
        yield f"corpus.jsonl: documents without text, which nothing finds: {_lines(empty)}."
    unknown = [query for query in judged if query not in queries]
    if unknown:
        yield f"{qrels}: questions that queries.jsonl lacks, left out: {_ids(unknown)}."
    barren = [query for query, found in grades.items() if not found and query in queries]
    if barren:
        yield f"{qrels}: questions without a grade above 0, left out: {_ids(barren)}."
    lost = [name for found in grades.values() for name in found if name not in names]
    if lost:
        yield f"{qrels}: relevant documents that corpus.jsonl lacks, missed always: {_ids(lost)}."


def _rows(folder: Path, file: str, wrong: list[str]) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Line number, id and object of each line that has them; the faults go to ``wrong``."""
    seen: dict[str, int] = {}
    for number, line in _lines_of(folder, file, wrong):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict):
            wrong.append(f"{file}, line {number}: is no JSON object")
            continue
        name = row.get("_id")
        if isinstance(name, bool) or not isinstance(name, str | int) or not str(name).strip():
            wrong.append(f"{file}, line {number}: has no _id")
        elif str(name) in seen:
            wrong.append(f"{file}, line {number}: _id {name} is that of line {seen[str(name)]} too")
        elif not isinstance(row.get("text"), str):
            wrong.append(f"{file}, line {number}: has no text")
        else:
            seen[str(name)] = number
            yield number, str(name), row


def _judged(folder: Path, file: str, wrong: list[str]) -> dict[str, dict[str, float]]:
    """The grades by question and document; a first line of words is a header."""
    judged: dict[str, dict[str, float]] = {}
    for number, line in _lines_of(folder, file, wrong):
        cells = [cell.strip() for cell in line.split("\t")]
        grade = _grade(cells[-1])
        if len(cells) != _COLUMNS or not all(cells):
            wrong.append(f"{file}, line {number}: is not question, document and grade, with tabs")
        elif grade is None:
            if number > 1:
                wrong.append(f"{file}, line {number}: {cells[-1]!r} is no grade")
        elif judged.setdefault(cells[0], {}).setdefault(cells[1], grade) != grade:
            wrong.append(f"{file}, line {number}: grades a document that has another grade before")
    return judged


def _grade(cell: str) -> float | None:
    try:
        grade = float(cell)
    except ValueError:
        return None
    return grade if math.isfinite(grade) else None


def _lines_of(folder: Path, file: str, wrong: list[str]) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, numbered from 1."""
    try:
        with (folder / file).open(encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield number, line.rstrip("\n")
    except FileNotFoundError:
        wrong.append(f"{file}: is not there")
    except UnicodeDecodeError:
        wrong.append(f"{file}: is not UTF-8")
    except OSError as exc:
        wrong.append(f"{file}: cannot be read ({exc.strerror or type(exc).__name__})")


def _lines(numbers: list[int]) -> str:
    return f"{len(numbers)}, the first in line {numbers[0]}"


def _ids(names: list[str]) -> str:
    return f"{len(names)}, the first {names[0]}"
