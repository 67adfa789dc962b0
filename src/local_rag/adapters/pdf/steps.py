"""The order of a diagram's boxes, and its arrows as sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from local_rag.adapters.pdf.sheet import Box

_SIGNS = ("–", "→", "↔")
_MAX_STEPS = 60
_MAX_CHARS = 1_000
_MAX_NAME_CHARS = 80
# Boxes whose tops differ by less stand side by side.
_LEVEL_PT = 4.0


class Step(NamedTuple):
    """A connector: from box to box, with its label; ``heads`` as in ``arrows.Join``."""

    start: int
    end: int
    heads: int
    label: str = ""


def flow_order(boxes: Mapping[int, Box], steps: Iterable[Step]) -> list[int]:
    """The boxes as the arrows run, from those that none points to; the topmost, leftmost first."""
    arrows = [step for step in steps if step.heads == 1]
    after: dict[int, set[int]] = {number: set() for number in boxes}
    before: dict[int, set[int]] = {number: set() for number in boxes}
    for step in arrows:
        after[step.start].add(step.end)
        before[step.end].add(step.start)
    waiting = sorted(boxes, key=lambda i: (round(boxes[i][1] / _LEVEL_PT), boxes[i][0]))
    ordered: list[int] = []
    placed: set[int] = set()
    while waiting:
        # In a loop none is free: then the first one that the flow has reached.
        free = (i for i in waiting if before[i] <= placed)
        reached = (i for i in waiting if before[i] & placed)
        chosen = next(free, None)
        if chosen is None:
            chosen = next(reached, waiting[0])
        waiting.remove(chosen)
        placed.add(chosen)
        ordered.append(chosen)
    return ordered


def written_steps(names: Mapping[int, str], order: Sequence[int], steps: Iterable[Step]) -> str:
    """One numbered sentence for each connector, in the order of the flow.

    Connectors beyond the sixtieth or the thousandth character are left out: "…" says so.
    """
    rank = {number: i for i, number in enumerate(order)}
    text = "Diagram:"
    for number, step in enumerate(sorted(steps, key=lambda s: (rank[s.start], rank[s.end])), 1):
        label = f"({step.label}) " if step.label else ""
        sign = _SIGNS[step.heads]
        sentence = f" {number}. {_name(names[step.start])} {sign} {label}{_name(names[step.end])}"
        sentence += "" if sentence.endswith(("?", "!", "…")) else "."
        if number > _MAX_STEPS or len(text) + len(sentence) > _MAX_CHARS:
            return f"{text} …"
        text += sentence
    return text


def _name(text: str) -> str:
    text = text.rstrip(" .")
    if len(text) <= _MAX_NAME_CHARS:
        return text
    return text[: _MAX_NAME_CHARS - 1].rsplit(" ", 1)[0] + "…"
