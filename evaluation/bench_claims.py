"""How the rules of ``text.facts`` judge claims whose labels are known.

    python evaluation/bench_claims.py pairs.jsonl

Each line of the file: ``claim``, ``source`` (the cited text), ``label`` (support, partial,
contradict, nei, …) and ``set``.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from pathlib import Path

from local_rag.text.facts import flags


def main() -> None:
    """Prints, for each set and label, how many claims were flagged and by which rules."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--show", metavar="LABEL", help="print the flags of claims of this label")
    parser.add_argument("--evidence", action="store_true", help="cite the labelled evidence alone")
    arguments = parser.parse_args()
    totals: Counter[tuple[str, str]] = Counter()
    flagged: Counter[tuple[str, str]] = Counter()
    kinds: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for line in arguments.pairs.read_text("utf-8").splitlines():
        pair = json.loads(line)
        row = (pair["set"], pair["label"])
        cited = pair["source"]
        if arguments.evidence:
            cited = pair.get("evidence") or cited
        found = flags(pair["claim"], cited, "en")
        totals[row] += 1
        flagged[row] += bool(found)
        kinds[row].update({flag.kind for flag in found})
        if arguments.show == pair["label"] and found:
            print(pair["claim"], *((f.kind, f.surface) for f in found), sep="\n    ")
    for row, total in sorted(totals.items()):
        share = f"{flagged[row]}/{total}"
        print(*row, share, *(f"{kind}={count}" for kind, count in kinds[row].most_common()))


if __name__ == "__main__":
    main()
