"""``local-rag-eval-data review``: case by case in a terminal, the source before the answer."""

from __future__ import annotations

import json
import re
import textwrap
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from local_rag.cli.show import counted
from local_rag.errors import InvalidRequest
from local_rag.evaluation.cases import normalised, read_cases, write_cases
from local_rag.evaluation.review import EDITABLE, approved, edited, is_decided, rejected
from local_rag.text.names import one_visible_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from local_rag.evaluation.cases import Case
    from local_rag.evaluation.sources import SourceText

_AROUND_CHARS = 700
_WIDTH = 96
_CHOICES = "[a]pprove, [r]eject, [e]dit, [s]kip, [q]uit"


def review(
    path: Path,
    reviewer: str,
    texts: Sequence[SourceText],
    ask: Callable[[str], str] = input,
    show: Callable[[str], None] = print,
) -> int:
    """Goes through the cases that nobody has decided; each verdict is saved at once.

    Args:
        texts: the documents; without them the passage that a case names is all there is to see.
        ask: shows a prompt and returns a line; ends the review with EOFError.

    Raises:
        InvalidRequest: the set cannot be read, or the reviewer has no name.
    """
    if not one_visible_line(reviewer):
        raise InvalidRequest("A verdict needs a reviewer.", fix="Name who decides.")
    cases = read_cases(path)
    waiting = [i for i, case in enumerate(cases) if not is_decided(case)]
    decided = 0
    for number, i in enumerate(waiting, 1):
        show(f"\n── {number} of {len(waiting)}: {one_visible_line(cases[i].case_id)}")
        try:
            verdict = _one(cases[i], reviewer, texts, ask, show)
        except EOFError:
            verdict = None
        if verdict is None:
            break
        if verdict is not cases[i]:
            if _saved(path, cases[i], verdict):
                decided += is_decided(verdict)
            else:
                show("The case was changed in the file meanwhile: this verdict is not saved.")
    left = sum(not is_decided(case) for case in read_cases(path))
    show(f"\n{counted(decided, 'case')} decided, {left} left to decide.")
    return 0


def _saved(path: Path, shown: Case, verdict: Case) -> bool:
    """Puts a verdict into the file as it stands now, beside the verdicts of other reviewers.

    ``False`` where the case is no longer the one that was shown.
    """
    cases = read_cases(path)
    if shown not in cases:
        return False
    cases[cases.index(shown)] = verdict
    write_cases(path, cases)
    return True


def _one(
    case: Case,
    reviewer: str,
    texts: Sequence[SourceText],
    ask: Callable[[str], str],
    show: Callable[[str], None],
) -> Case | None:
    """The case with its verdict, the case as it is where it is skipped, ``None`` to stop."""
    show(_block("Question", case.question))
    for source in _sources(case, texts):
        show(source)
    if not case.expected_evidence:
        names = ", ".join(text.source.name for text in texts) or "the documents"
        show(_block("Source", f"None: it is said that nothing in {names} answers it."))
    ask("\nPress Enter once you have read the source. ")
    own = ask("Your own answer (may stay empty): ").strip()
    if own:
        show(_block("Your answer", own))
    while True:
        show(_proposed(case))
        choice = ask(f"{_CHOICES}: ").strip().casefold()[:1]
        if choice == "q":
            return None
        if choice == "s":
            return case
        try:
            if choice == "a":
                return approved(case, reviewer, datetime.now(UTC))
            if choice == "r":
                return rejected(case, reviewer, datetime.now(UTC))
            if choice == "e":
                case = _edit(case, ask, show)
        except InvalidRequest as error:
            show(f"{error.message} {error.fix}")


def _edit(case: Case, ask: Callable[[str], str], show: Callable[[str], None]) -> Case:
    """The case with other values; an empty line leaves a field as it is."""
    changes: dict[str, Any] = {}
    for name in EDITABLE:
        old = getattr(case, name)
        told = old if isinstance(old, str) else _as_json(case, name)
        show(f"{name}: {one_visible_line(told)}")
        line = ask("  new, or Enter to leave it: ").strip()
        if not line:
            continue
        if isinstance(old, str):
            changes[name] = line
            continue
        try:
            changes[name] = json.loads(line)
        except (ValueError, RecursionError):
            show("  That is no JSON; the field stays as it is.")
    return edited(case, changes)


def _as_json(case: Case, name: str) -> str:
    return json.dumps(case.model_dump(mode="json", exclude_none=True)[name], ensure_ascii=False)


def _sources(case: Case, texts: Sequence[SourceText]) -> list[str]:
    """Each page that the case names, once, with all that should stand there."""
    places: dict[tuple[str, str, int | None], list[str]] = {}
    for one in case.expected_evidence:
        places.setdefault((one.source, one.source_sha256, one.page), []).extend(one.contains)
    return [_source(*place, words, texts) for place, words in places.items()]


def _source(
    source: str, sha256: str, page: int | None, words: Sequence[str], texts: Sequence[SourceText]
) -> str:
    place = source if page is None else f"{source}, page {page}"
    text = next((t for t in texts if t.source.sha256 == sha256), None)
    if text is None:
        why = "" if not texts else " (not among the documents; as the case has it)"
        return _block(f"Source: {place}{why}", "\n".join(words))
    parts, missing = [], list(words)
    for one in text.extraction.pages:
        if page is None or one.page_number == page:
            spans = [span for span in (_span(w, one.text) for w in words) if span]
            missing = [w for w in missing if _span(w, one.text) is None]
            parts += [_whole_words(one.text, *span) for span in _merged(spans)]
    told = "".join(f"\n\nThese words are not there: {w}" for w in missing)
    return _block(f"Source: {place}", "\n[…]\n".join(parts) + told)


def _span(words: str, text: str) -> tuple[int, int] | None:
    """Where the words stand in the text with what is around them, or nothing."""
    pattern = r"\s+".join(map(re.escape, words.split()))
    match = re.search(pattern, text, re.IGNORECASE)
    if match is not None:
        return max(0, match.start() - _AROUND_CHARS), min(len(text), match.end() + _AROUND_CHARS)
    plain, wanted = normalised(text), normalised(words)
    at = plain.find(wanted)
    if at < 0:
        return None
    near = int(at / len(plain) * len(text))  # ligatures and the like change lengths a little
    return max(0, near - _AROUND_CHARS), min(len(text), near + len(words) + _AROUND_CHARS)


def _merged(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans in order, those that touch as one."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], end)
        else:
            merged.append((start, end))
    return merged


def _whole_words(text: str, start: int, end: int) -> str:
    while start > 0 and not text[start - 1].isspace():
        start -= 1
    while end < len(text) and not text[end].isspace():
        end += 1
    return text[start:end].strip("\n")


def _proposed(case: Case) -> str:
    if not case.answerable:
        return _block("Proposed", "No answer: the documents do not hold it.")
    facts = "\n".join(f"- {fact}" for fact in case.required_facts) or "none"
    return _block("Proposed answer", case.reference_answer) + _block("Required facts", facts)


def _block(title: str, text: str) -> str:
    lines = [
        wrapped
        for line in text.split("\n")
        for wrapped in textwrap.wrap(one_visible_line(line), _WIDTH) or [""]
    ]
    return f"\n{one_visible_line(title)}\n" + "".join(f"  {line}\n" for line in lines)
