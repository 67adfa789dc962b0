"""Fits the weights of the extractive writer on the odd half of XQuAD's questions, and prints them.

    python evaluation/fit_extractive.py [--data DIR] [--cache DIR]

* the ranking: softmax regression over the sentences at hand, each question one choice; a sentence is
  right if it holds a gold string
* the judge: logistic regression on the best sentence of each question, asked once with its own
  paragraph (1) and once without it (0); the threshold is the quantile of the former that may be
  refused wrongly

For a script: ``score`` and ``confidence`` hold what was printed, rounded. Weights that judgement
sets (``unfit``, and those of no use whose sign makes no sense) are left out of the fit.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from bench_extractive import Case, Embedded, holds, questions

from local_rag.generate import confidence, extractive, score, subject
from local_rag.generate.extractive import ExtractiveWriter
from local_rag.generate.ranking import Ranking, ranked
from local_rag.generate.units import distinct, units_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.model.evidence import Retrieval

LEFT_OUT = {"unfit", "length", "points_back", "passage"}
LEFT_OUT_PLAIN = LEFT_OUT | {"near", "cosine", "context"}
L2_RANKING = 0.003
L2_JUDGE = 0.3
GROUPS = {  # name: sets, share of answerable questions that may be refused
    "WITH_COSINE": (["xquad-en"], 0.065),
    "SPACED": (["xquad-de", "xquad-en"], 0.03),
    "UNSPACED": (["xquad-zh"], 0.03),
}


def ranking_of(writer: ExtractiveWriter, found: Retrieval) -> tuple[Ranking, Any, Any] | None:
    """The ranking of the question's first part; ``None`` where nothing can be quoted."""
    ledger = found.ledgers[0]
    rows = ledger.kept
    units = distinct([unit for i, row in enumerate(rows) for unit in units_of(i, row)], rows)
    about = list(subject.about_what_is_named(ledger.part, units, rows))
    ranking = writer.rank(ledger.part, found.question.language, about, rows)
    return (ranking, about, rows) if ranking.rows and ranking.query.terms else None


def softmax_weights(choices: Sequence[tuple[Any, Any]], used: Sequence[int]) -> Any:
    """Adam on the mean log loss of the right sentences' share.

    Args:
        choices: for each question ``(n, features)`` and ``(n,) bool``, which are right.
    """
    x = np.vstack([features[:, used] for features, _ in choices])
    right = np.concatenate([labels for _, labels in choices]).astype(float)
    sizes = [len(labels) for _, labels in choices]
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    owner = np.repeat(np.arange(len(sizes)), sizes)

    def shares(e: Any) -> Any:
        return e / np.add.reduceat(e, starts)[owner]

    w, mean, square = (np.zeros(len(used)) for _ in range(3))
    for step in range(1, 401):
        z = x @ w
        e = np.exp(z - np.maximum.reduceat(z, starts)[owner])
        slope = x.T @ (shares(e) - shares(e * right)) / len(sizes) + L2_RANKING * w
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        w -= 0.1 * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return w


def logistic_weights(x: Any, y: Any, against: Sequence[bool]) -> Any:
    """The last weight is the bias; signs that would speak the wrong way are left out one by one.

    Args:
        against: of each sign, whether it speaks against an answer.
    """
    used = list(range(x.shape[1]))
    while True:
        w = _newton(x[:, used], y)
        wrong = [(-v if against[i] else v, i) for i, v in zip(used, w[:-1], strict=True)]
        worst, at = min(wrong)
        if worst >= 0:
            weights = np.zeros(x.shape[1] + 1)
            weights[[*used, -1]] = w
            return weights
        used.remove(at)


def _newton(x: Any, y: Any) -> Any:
    x = np.hstack([x, np.ones((len(x), 1))])
    ridge = np.eye(x.shape[1]) * L2_JUDGE
    ridge[-1, -1] = 0.0
    w = np.zeros(x.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-x @ w))
        slope = x.T @ (p - y) + ridge @ w
        w -= np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + ridge, slope)
    return w


def fit_ranking(cases: Sequence[Case], writer: ExtractiveWriter, left_out: set[str]) -> Any:
    """All weights in the order of ``score.Features``; those left out are 0."""
    used = [i for i, name in enumerate(score.Features._fields) if name not in left_out]
    choices = []
    for case in cases:
        made = ranking_of(writer, case.found) if case.is_found else None
        if made is None:
            continue
        rows = made[0].rows
        right = np.array([holds(row.unit.text, case.answers) for row in rows])
        if right.any():
            choices.append((np.array([row.features for row in rows]), right))
    weights = np.zeros(len(score.Features._fields))
    weights[used] = softmax_weights(choices, used)
    return weights


def signs_and_labels(
    cases: Sequence[Case], writer: ExtractiveWriter, weights: score.Features
) -> tuple[Any, Any]:
    """What the judge sees of each question, asked with and without its paragraph."""
    x, y = [], []
    for case in cases:
        for found, label in ((case.found, 1), (case.without, 0)):
            made = ranking_of(writer, found) if label == 0 or case.is_found else None
            if made is None:
                continue
            ranking, units, rows = made
            units_in = [row.unit for row in ranking.rows]
            again = ranked(units_in, [row.features for row in ranking.rows], weights)
            ranking = Ranking(ranking.query, again, ranking.is_embedded)
            headings = extractive.headings_of(rows)
            tokens = extractive.passage_tokens(again[0].unit.evidence_index, units, headings)
            x.append(confidence.signs_of(ranking, again[0], tokens, rows))
            y.append(label)
    return np.array(x), np.array(y)


def shown(names: Sequence[str], weights: Sequence[float]) -> str:
    return ", ".join(f"{name}={value:.2f}" for name, value in zip(names, weights, strict=True))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("LOCAL_RAG_BENCH_DATA"))
    parser.add_argument("--cache", type=Path, help="folder for vectors")
    parser.add_argument("--groups", nargs="+", default=list(GROUPS))
    arguments = parser.parse_args()
    if arguments.data is None:
        parser.error("give --data or set LOCAL_RAG_BENCH_DATA")
    embedder = Embedded(arguments.cache)
    for group in arguments.groups:
        names, may_refuse = GROUPS[group]
        cases = [
            case
            for name in names
            for case in questions(Path(arguments.data) / "retrieval" / name, embedder)
            if case.number % 2
        ]
        with_cosine = group == "WITH_COSINE"
        writer = ExtractiveWriter(embedder.embed_passages if with_cosine else None)
        weights = fit_ranking(cases, writer, LEFT_OUT if with_cosine else LEFT_OUT_PLAIN)
        fitted = score.Features(*weights)._replace(unfit=score.WEIGHTS_SPACED.unfit)
        print(group, "ranking:", shown(score.Features._fields, fitted))
        x, y = signs_and_labels(cases, writer, fitted)
        against = [name.endswith("missing") for name in confidence.Signs._fields]
        judge = logistic_weights(x, y, against)
        odds = x @ judge[:-1] + judge[-1]
        print(group, "judge:", shown([*confidence.Signs._fields, "bias"], judge))
        for share in (may_refuse, 0.05, 0.08):
            least = float(np.quantile(odds[y == 1], share))
            refused = float((odds[y == 0] < least).mean())
            print(f"  least={least:.2f}: refuses {share:.0%} wrongly, {refused:.1%} rightly")
        embedder.save()
    return 0


if __name__ == "__main__":
    sys.exit(main())
