"""``local-rag-eval-data generate``: candidates from documents."""

from __future__ import annotations

import re
import sys
from collections import Counter
from typing import TYPE_CHECKING

from local_rag import providers
from local_rag.beside import open_extractor
from local_rag.cli.show import counted, one_line
from local_rag.errors import InvalidRequest, LocalRagError
from local_rag.evaluation.cases import checked_lines, write_cases
from local_rag.evaluation.silver import Made, candidates, corpus_version, merged
from local_rag.evaluation.silver_facts import LANGUAGES
from local_rag.evaluation.sources import SourceText, find_sources, read_sources
from local_rag.settings import load_settings
from local_rag.text.names import local_name

if TYPE_CHECKING:
    from pathlib import Path

    from local_rag.evaluation.cases import Case


def generate(source: Path, out: Path, *, force: bool, most: int, dataset_version: str) -> int:
    """Writes the candidates of the documents to ``out``.

    Args:
        force: an ``out`` that is there is made anew, but for the cases that a person has touched.
        most: cases of one document.

    Raises:
        LocalRagError: ``out`` is there, or nothing can be read.
    """
    if most < 1 or not dataset_version.strip():
        raise InvalidRequest("--most is at least 1, and a version has a name.")
    old = _old(out, force=force)
    settings = load_settings()
    texts: list[SourceText] = []
    sources = [one for one in find_sources(source) if one.path.resolve() != out.resolve()]
    with open_extractor(settings) as extractor:
        for found, read in read_sources(sources, extractor):
            if isinstance(read, LocalRagError):
                _say(f"{found.name}: {one_line(read)}")
                continue
            texts.append(read)
            if read.language not in LANGUAGES:
                _say(f"{found.name}: no questions can be worded in its language ({read.language}).")
    texts = list({text.source.sha256: text for text in texts}.values())
    chat = providers.chat_model(settings)
    made = Made(
        dataset_version=dataset_version,
        corpus_id=local_name([source.resolve().stem]),
        corpus_version=corpus_version(texts),
        most=most,
        chat=chat,
        limits=providers.chat_limits(settings),
    )
    try:
        new = candidates(texts, made, lambda name: _say(f"{name} …"))
    finally:
        if chat is not None:
            chat.close()
    cases = merged(old, new)
    if not cases:
        raise InvalidRequest(
            "The documents hold no fact that a question can be made of by rule.",
            fix="Write the questions by hand, or save them as tests in the app.",
        )
    write_cases(out, cases)
    kinds = Counter(case.question_type for case in cases)
    print(f"{out.name}: {counted(len(cases), 'case')}")
    print("\n".join(f"  {kind:<14}{count}" for kind, count in sorted(kinds.items())))
    if old:
        kept = len(cases) - sum(case.review_status == "synthetic_silver" for case in cases)
        print(f"  {counted(kept, 'reviewed case')} kept")
    return 0


def _old(out: Path, *, force: bool) -> list[Case]:
    if not out.exists():
        return []
    if not force:
        raise InvalidRequest(
            f"{out.name} is there already.",
            fix="Name another file, or make its candidates anew with --force; reviewed cases stay.",
        )
    try:
        cases, wrong = checked_lines(re.split(r"\r?\n", out.read_text("utf-8-sig")))
    except (OSError, UnicodeDecodeError) as exc:
        raise InvalidRequest(f"{out.name} cannot be read.", fix="Name another file.") from exc
    if wrong:
        raise InvalidRequest(
            f"{out.name} breaks {len(wrong)} rules, and reviewed cases in it could be lost:\n"
            + "\n".join(wrong),
            fix="Mend it, or name another file.",
        )
    return cases


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
