"""Sets that are released: frozen with a manifest, held against their documents, compared."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from local_rag.errors import InvalidRequest
from local_rag.evaluation.cases import Case, case_line, normalised, read_cases, write_cases

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from local_rag.evaluation.sources import SourceText

MANIFEST_FORMAT = 1
_ABOUT_STATUS = frozenset(["review_status", "reviewer", "reviewed_at", "approved_at"])


def manifest_path(path: Path) -> Path:
    """Where the manifest of a set stands."""
    return path.with_name(path.name + ".manifest.json")


def freeze(source: Path, target: Path, version: str | None = None) -> dict[str, Any]:
    """Writes the approved cases of a set, and the manifest; returns the manifest.

    Args:
        version: the release's; ``None``: that of the cases.

    Raises:
        InvalidRequest: no case is approved, they are of several versions, or another set stands
            at the target.
        OSError: it cannot be written.
    """
    gold = [case for case in read_cases(source) if case.review_status == "approved_gold"]
    if not gold:
        raise InvalidRequest(
            f"{source.name} has no approved case.", fix="Review it: `local-rag-eval-data review`."
        )
    if version is not None:
        gold = [case.model_copy(update={"dataset_version": version}) for case in gold]
    versions = sorted({case.dataset_version for case in gold})
    if len(versions) > 1:
        raise InvalidRequest(
            f"The cases are of several versions: {', '.join(versions)}.",
            fix="Name the release's version with --version.",
        )
    made = manifest(gold)
    _check_free(target, made)
    write_cases(target, gold)
    beside = manifest_path(target)
    part = beside.with_name(beside.name + ".part")
    part.write_text(json.dumps(made, indent=2, ensure_ascii=False) + "\n", "utf-8", newline="\n")
    part.replace(beside)
    return made


def manifest(cases: Sequence[Case]) -> dict[str, Any]:
    """Hashes and counts of a set as ``write_cases`` writes it. Says nothing that changes by itself,
    so that the same set has the same manifest.
    """
    lines = [case_line(case) for case in cases]
    sources = {one.source: one.source_sha256 for case in cases for one in case.expected_evidence}
    return {
        "format": MANIFEST_FORMAT,
        "dataset_version": cases[0].dataset_version if cases else "",
        "sha256": _sha256("".join(line + "\n" for line in lines)),
        "cases": {case.case_id: _sha256(line) for case, line in zip(cases, lines, strict=True)},
        "sources": dict(sorted(sources.items())),
        "counts": {
            "cases": len(cases),
            "answerable": sum(case.answerable for case in cases),
            "splits": dict(sorted(Counter(case.split for case in cases).items())),
            "question_types": dict(sorted(Counter(case.question_type for case in cases).items())),
        },
    }


def broken_manifest(path: Path, cases: Sequence[Case]) -> list[str]:
    """How a set differs from the manifest beside it; nothing where there is none."""
    beside = manifest_path(path)
    if not beside.exists():
        return []
    try:
        said = json.loads(beside.read_text("utf-8"))
        known: dict[str, str] = dict(said["cases"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return [f"{beside.name}: is no manifest"]
    made = manifest(cases)
    wrong = [
        f"{beside.name}: {case_id!r} was {what} since the set was frozen"
        for what, ids in _differences(known, made["cases"]).items()
        for case_id in ids
    ]
    wrong += [
        f"{beside.name}: {name} is not that of the set"
        for name in ("format", "dataset_version", "sources", "counts")
        if said.get(name) != made[name]
    ]
    if not wrong and said.get("sha256") != made["sha256"]:
        wrong.append(f"{beside.name}: the order of the cases was changed since the set was frozen")
    exact = hashlib.sha256(path.read_bytes()).hexdigest()
    if not wrong and exact != said["sha256"]:
        wrong.append(f"{beside.name}: the file is not byte for byte what was frozen")
    return wrong


def broken_against(cases: Iterable[Case], texts: Sequence[SourceText]) -> list[str]:
    """Where cases say of documents what these do not hold: hash, page, or words."""
    by_hash = {text.source.sha256: text for text in texts}
    by_name = {text.source.name: text for text in texts}
    wrong = []
    for case in cases:
        for one in case.expected_evidence:
            told = f"{case.case_id}: {one.source}"
            text = by_hash.get(one.source_sha256)
            if text is None:
                named = one.source in by_name
                why = "has another hash in the documents" if named else "is not in the documents"
                wrong.append(f"{told}: {why}")
                continue
            page = text.page(one.page)
            if one.page is None:
                held = "\n".join(p.text for p in text.extraction.pages)
            elif page is None:
                wrong.append(f"{told}: has no page {one.page}")
                continue
            else:
                held = page.text
            place = "" if one.page is None else f" on page {one.page}"
            wrong += [
                f"{told}: does not hold {words!r}{place}"
                for words in one.contains
                if normalised(words) not in normalised(held)
            ]
    return wrong


@dataclass(frozen=True, slots=True)
class Diff:
    """What a set has that an earlier one has not.

    Attributes:
        added, removed: ids of cases.
        changed: by id the fields whose values differ, the verdict's own left out.
        status: by id the status before and after.
    """

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: Mapping[str, tuple[str, ...]]
    status: Mapping[str, tuple[str, str]]

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed or self.status)


def diff(before: Sequence[Case], after: Sequence[Case]) -> Diff:
    """Compares by ``case_id``; the order of the cases is no difference.

    Another reviewer or moment of the same verdict counts as a change of these fields.
    """
    old = {case.case_id: case.model_dump(mode="json") for case in before}
    new = {case.case_id: case.model_dump(mode="json") for case in after}
    both = [case_id for case_id in old if case_id in new]
    status = {
        case_id: (old[case_id]["review_status"], new[case_id]["review_status"])
        for case_id in both
        if old[case_id]["review_status"] != new[case_id]["review_status"]
    }
    changed = {}
    for case_id in both:
        passed_over = _ABOUT_STATUS if case_id in status else frozenset[str]()
        fields = tuple(
            name
            for name, value in new[case_id].items()
            if value != old[case_id][name] and name not in passed_over
        )
        if fields:
            changed[case_id] = fields
    return Diff(
        added=tuple(case_id for case_id in new if case_id not in old),
        removed=tuple(case_id for case_id in old if case_id not in new),
        changed=changed,
        status=status,
    )


def _differences(known: Mapping[str, str], made: Mapping[str, str]) -> dict[str, list[str]]:
    return {
        "removed": [case_id for case_id in known if case_id not in made],
        "added": [case_id for case_id in made if case_id not in known],
        "changed": [i for i in known if i in made and known[i] != made[i]],
    }


def _check_free(target: Path, made: dict[str, Any]) -> None:
    """A set that is frozen stays; freezing the same again changes nothing."""
    beside = manifest_path(target)
    if not target.exists() and not beside.exists():
        return
    try:
        said = json.loads(beside.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        said = None
    if said != made:
        raise InvalidRequest(
            f"Another set stands at {target.name}.",
            fix="Freeze under a new name; a frozen set is never replaced.",
        )


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
