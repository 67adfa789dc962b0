"""How many altered statements the rules of ``text.facts`` find, and how many true ones they doubt.

    python evaluation/bench_grounding.py [--data DIR] [--sets xquad-en xquad-de] [--show KIND]

DIR (default: $LOCAL_RAG_BENCH_DATA) holds ``retrieval/xquad-*``. Each sentence of a paragraph is held
against its paragraph as it stands (nothing may be doubted) and altered in one place: a number made
up, a number taken from another sentence, a denial added or dropped, a name of another paragraph.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from local_rag.text.entities import names_in
from local_rag.text.facts import flags
from local_rag.text.held import lettered_words
from local_rag.text.quantities import quantities_in
from local_rag.text.sentences import sentences

if TYPE_CHECKING:
    from collections.abc import Iterator

_LEAST_WORDS = 4
_DENIED = {
    "en": re.compile(r"\bnot |\bnever "),
    "de": re.compile(r"\bnicht "),
    "zh": re.compile(r"[不没]有?(?![同仅断])"),
}
_AFFIRMED = {
    "en": re.compile(r"\b(?:is|was|are|were) (?!not)"),
    "de": re.compile(r"\b(?:ist|war|sind|waren) (?!nicht)"),
    "zh": re.compile(r"(?<!不)是"),
}
_NOT = {"en": r"\g<0>not ", "de": r"\g<0>nicht ", "zh": "不是"}


def altered(
    sentence: str, others: list[str], names: list[str], language: str, luck: random.Random
) -> Iterator[tuple[str, str]]:
    """The sentence as it is and with one thing changed, each with the kind of change."""
    yield "unchanged", sentence
    own = [q for q in quantities_in(sentence, language) if q.sure and q.surface[:1].isdigit()]
    if own:
        number = re.match(r"\d+", own[0].surface)
        if number:
            at = own[0].start + sentence[own[0].start :].index(number.group())
            end = at + len(number.group())
            made_up = str(int(number.group()) + luck.choice([1, 3, 7]))
            yield "number made up", sentence[:at] + made_up + sentence[end:]
            known = {v for q in own for v in q.values}
            for other in others:
                for q in quantities_in(other, language):
                    taken = re.match(r"\d+", q.surface)
                    alike = q.unit == own[0].unit and taken and len(taken[0]) == len(number[0])
                    if alike and taken and not known.intersection(q.values):
                        yield "number moved", sentence[:at] + taken.group() + sentence[end:]
                        break
    if language in _NOT:
        denied = _DENIED[language].search(sentence)
        if denied:
            yield "denial dropped", sentence[: denied.start()] + sentence[denied.end() :]
        elif _AFFIRMED[language].search(sentence):
            yield "denial added", _AFFIRMED[language].sub(_NOT[language], sentence, count=1)
    named = [n for n in names_in(sentence, language) if not n.code and " " in n.surface]
    if named and names:
        yield "name invented", sentence.replace(named[0].surface, luck.choice(names))


def main() -> None:
    """Prints for each set and kind of change how many statements were doubted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get("LOCAL_RAG_BENCH_DATA"))
    parser.add_argument("--sets", nargs="+", default=["xquad-en", "xquad-de", "xquad-zh"])
    parser.add_argument("--paragraphs", type=int, default=240)
    parser.add_argument("--show", metavar="KIND", help="print the statements judged wrongly")
    arguments = parser.parse_args()
    for name in arguments.sets:
        language = name.rpartition("-")[2]
        path = Path(arguments.data) / "retrieval" / name / "corpus.jsonl"
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        texts = [row["text"] for row in rows[: arguments.paragraphs]]
        luck = random.Random(0)
        every = [
            {n.surface for n in names_in(text, language) if not n.code and " " in n.surface}
            for text in texts
        ]
        total: Counter[str] = Counter()
        doubted: Counter[str] = Counter()
        for text, own in zip(texts, every, strict=True):
            foreign = sorted(
                {n for names in every for n in names if n not in text and n not in own}
            )
            parts = [text[start:end] for start, end in sentences(text, language)]
            for part in parts:
                if len(lettered_words(part, language)) < _LEAST_WORDS:
                    continue
                others = [other for other in parts if other is not part]
                for kind, claim in altered(part, others, foreign, language, luck):
                    found = flags(claim, text, language)
                    total[kind] += 1
                    doubted[kind] += bool(found)
                    if arguments.show == kind and bool(found) == (kind == "unchanged"):
                        print("   ", claim, [(f.kind, f.surface) for f in found])
        for kind, count in total.items():
            print(f"{name} {kind}: {doubted[kind]} of {count} doubted")


if __name__ == "__main__":
    main()
