"""nDCG@10 of each ranking and of their fusion, as `local-rag-eval beir` measures it, held against targets.

    python evaluation/bench_quality.py [--data DIR] [--sets scifact cranfield ...]

DIR (default: $LOCAL_RAG_BENCH_DATA) holds ``retrieval/<set>`` in the BEIR layout. Exits with 1 where a target is missed.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from local_rag.evaluation.beir import LEGS, run_beir
from local_rag.evaluation.beir_set import read_beir
from local_rag.settings import Settings

TARGETS = {
    "scifact": 0.73, "cranfield": 0.43,
    "xquad-en": 0.98, "xquad-de": 0.93, "xquad-zh": 0.97, "xquad-ar": 0.88,
}  # fmt: skip
"""Least nDCG@10 of the hybrid."""
BELOW_BETTER_LEG = 0.01
TOP_K = 25


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("LOCAL_RAG_BENCH_DATA"))
    parser.add_argument("--sets", nargs="+", default=list(TARGETS))
    arguments = parser.parse_args()
    if arguments.data is None:
        parser.error("give --data or set LOCAL_RAG_BENCH_DATA")
    missed = 0
    print(f"{'set':<12}{'dense':>8}{'lexical':>9}{'hybrid':>8}{'passages':>10}{'seconds':>9}")
    with tempfile.TemporaryDirectory() as models:
        settings = Settings(data_dir=Path(models))
        for name in arguments.sets:
            beir = read_beir(Path(arguments.data) / "retrieval" / name)
            result = run_beir(settings, beir, top_k=TOP_K)
            dense, lexical, hybrid = (result.legs[leg].figures["ndcg@10"].value for leg in LEGS)
            least = max(dense, lexical) - BELOW_BETTER_LEG
            least = max(least, TARGETS.get(name, 0.0))
            verdict = f"{'ok' if hybrid >= least else 'MISSED'}: at least {least:.4f}"
            missed += hybrid < least
            print(
                f"{name:<12}{dense:>8.4f}{lexical:>9.4f}{hybrid:>8.4f}"
                f"{result.passages:>10}{result.elapsed_s:>9.1f}  {verdict}",
                flush=True,
            )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
