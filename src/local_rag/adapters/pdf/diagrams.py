"""Flow diagrams: boxes with words inside, joined by arrows.

Precision comes before recall: three boxes and two arrows between them at the least.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from local_rag.adapters.pdf.arrows import joins_of
from local_rag.adapters.pdf.drawn import drawn_around
from local_rag.adapters.pdf.rows import rows_of
from local_rag.adapters.pdf.shapes import distance_to_path
from local_rag.adapters.pdf.sheet import facing
from local_rag.adapters.pdf.steps import Step, flow_order, written_steps

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from local_rag.adapters.pdf.arrows import Join
    from local_rag.adapters.pdf.content import Content
    from local_rag.adapters.pdf.lines import Line
    from local_rag.adapters.pdf.rows import Row
    from local_rag.adapters.pdf.shapes import Area
    from local_rag.adapters.pdf.sheet import Box

_MIN_BOXES = 3
_MIN_ARROWS = 2
# More is a map or a plot.
_MAX_SHAPES = 300
_MAX_STROKES = 600
_MAX_BOX_WORDS = 60
_MARGIN_PT = 2.0
_SAME_SHAPE = 0.6
_LABEL_WORDS = 5
_LABEL_LINES = 3
_LABEL_PT = 10.0
# A word, not the name of a variable; East Asian words may be of one character.
_WORD = re.compile(r"[^\W\d_]{3}|[\u2e80-\ud7ff\uf900-\ufaff]")


@dataclass(slots=True)
class Diagram:
    """A diagram before it is written.

    Attributes:
        parts: the words of each box in the order of the flow, a connector's label after the box
            that it starts from; the rows of each are one paragraph.
        box: around them, in the reading frame.
        steps: its arrows as sentences.
    """

    parts: list[list[Row]]
    box: Box
    steps: str

    @property
    def lines(self) -> list[Line]:
        """All of its text."""
        return [line for part in self.parts for row in part for line in row.lines]


def find_diagrams(
    page: Any, content: Content | None, lines: Sequence[Line]
) -> tuple[list[Line], list[Diagram]]:
    """The diagrams of a ``pymupdf.Page``, and its lines, cut where they run over several boxes.

    Args:
        content: of the page; without it nothing is found.
        lines: of the page, as ``lines.read_lines`` has them.
    """
    unchanged: tuple[list[Line], list[Diagram]] = list(lines), []
    directions = Counter(line.direction for line in lines if line.direction != 4)
    if not directions or content is None:
        return unchanged
    direction = directions.most_common(1)[0][0]
    upright = [line for line in lines if line.direction == direction]
    drawn = drawn_around(page, content, upright)
    if drawn is None or len(drawn.shapes) < _MIN_BOXES or len(drawn.strokes) < _MIN_ARROWS:
        return unchanged
    if len(drawn.shapes) > _MAX_SHAPES or len(drawn.strokes) > _MAX_STROKES:
        return unchanged
    shapes = _apart(drawn.shapes)
    cut = _cut(lines, shapes, direction)
    inside = _lines_inside(cut, shapes, direction)
    numbers = [i for i in sorted(inside) if _is_node(i, shapes, inside)]
    boxes = [shapes[i].box for i in numbers]
    words = [inside[i] for i in numbers]
    joins = joins_of(boxes, drawn.strokes, drawn.heads)
    found = list(_diagrams(boxes, words, joins, cut, direction))
    return (cut, found) if found else unchanged


def _apart(shapes: Sequence[Area]) -> list[Area]:
    """The shapes, smallest first, each once: its fill, its border and its shadow are one."""
    kept: list[Area] = []
    for shape in sorted(shapes, key=lambda s: _area(s.box)):
        if not any(_common(shape.box, k.box) > _SAME_SHAPE * _area(shape.box) for k in kept):
            kept.append(shape)
    return kept


def _slot(x: float, y: float, shapes: Sequence[Area]) -> int | None:
    """The smallest shape that holds the point."""
    return next((i for i, shape in enumerate(shapes) if _holds(shape.box, x, y)), None)


def _cut(lines: Sequence[Line], shapes: Sequence[Area], direction: int) -> list[Line]:
    """The lines, those that run over several shapes in parts."""
    made: list[Line] = []
    for line in lines:
        touched = line.direction == direction and len(line.pieces) > 1
        if not touched or sum(_meets(line, shape.box) for shape in shapes) < 2:
            made.append(line)
            continue
        owners = []
        for piece in line.pieces:
            x0, y0, x1, y1 = facing(piece[1:5], direction)
            owners.append(_slot((x0 + x1) / 2, (y0 + y1) / 2, shapes))
        if len(set(owners)) == 1:
            made.append(line)
            continue
        at = 0
        for _, group in groupby(owners):
            count = len(list(group))
            made.append(line.part(at, at + count))
            at += count
    return made


def _lines_inside(
    lines: Sequence[Line], shapes: Sequence[Area], direction: int
) -> dict[int, list[Line]]:
    inside: dict[int, list[Line]] = {}
    for line in lines:
        if line.direction != direction:
            continue
        owner = _slot((line.x0 + line.x1) / 2, (line.y0 + line.y1) / 2, shapes)
        if owner is not None:
            inside.setdefault(owner, []).append(line)
    return inside


def _is_node(number: int, shapes: Sequence[Area], inside: dict[int, list[Line]]) -> bool:
    """Whether a shape is a box with words of its own, not a frame around others."""
    x0, _, x1, _ = box = shapes[number].box
    lines = inside[number]
    if sum(len(line.pieces) for line in lines) > _MAX_BOX_WORDS:
        return False
    if any(line.x0 < x0 - line.size or line.x1 > x1 + line.size for line in lines):
        return False
    if not any(c.isalnum() for line in lines for c in line.text):
        return False
    return not any(
        other < number and _common(box, shapes[other].box) > 0.9 * _area(shapes[other].box)
        for other in inside
    )


def _diagrams(
    boxes: Sequence[Box],
    words: Sequence[list[Line]],
    joins: Sequence[Join],
    lines: Sequence[Line],
    direction: int,
) -> Iterator[Diagram]:
    named = [any(_WORD.search(line.text) for line in of_box) for of_box in words]
    groups = [group for group in _groups(joins) if _flows(group, named)]
    used = {i for group in groups for join in group for i in (join.start, join.end)}
    taken = {id(line) for i in used for line in words[i]}
    free = [line for line in lines if line.direction == direction and id(line) not in taken]
    labels = _labels([join for group in groups for join in group], free)
    for group in groups:
        numbers = {i for join in group for i in (join.start, join.end)}
        steps: dict[Step, list[Line]] = {}
        for join in group:
            beside = labels.get(id(join), [])
            text = " ".join(line.text for line in beside)
            steps.setdefault(Step(join.start, join.end, join.heads, text), beside)
        order = flow_order({i: boxes[i] for i in numbers}, steps)
        parts: list[list[Row]] = []
        for i in order:
            parts.append(_rows(words[i]))
            parts += [_rows(beside) for s, beside in steps.items() if s.start == i and beside]
        names = {i: " ".join(line.text for line in _in_rows(words[i])) for i in numbers}
        around = [boxes[i] for i in numbers]
        x0s, y0s, x1s, y1s = zip(*around, strict=True)
        whole = min(x0s), min(y0s), max(x1s), max(y1s)
        yield Diagram(parts, whole, written_steps(names, order, steps))


def _flows(group: Sequence[Join], named: Sequence[bool]) -> bool:
    """Whether arrows alone join enough boxes with words; notes that point at something do not."""
    for arrows in _groups([join for join in group if join.heads]):
        boxes = {i for join in arrows for i in (join.start, join.end)}
        pairs = {(join.start, join.end) for join in arrows}
        if sum(named[i] for i in boxes) >= _MIN_BOXES and len(pairs) >= _MIN_ARROWS:
            return True
    return False


def _groups(joins: Sequence[Join]) -> list[list[Join]]:
    """The connectors, those that hang together in one group."""
    groups: list[tuple[set[int], list[Join]]] = []
    for join in joins:
        numbers, members = {join.start, join.end}, [join]
        apart = []
        for group in groups:
            if group[0] & numbers:
                numbers |= group[0]
                members = group[1] + members
            else:
                apart.append(group)
        groups = [*apart, (numbers, members)]
    return [members for _, members in groups]


def _labels(joins: Sequence[Join], lines: Sequence[Line]) -> dict[int, list[Line]]:
    """The few words beside a connector, by its identity; each goes to the nearest."""
    labels: dict[int, list[Line]] = {}
    for line in lines:
        if len(line.pieces) > _LABEL_WORDS:
            continue
        near = [(_distance(line, join), i) for i, join in enumerate(joins)]
        distance, nearest = min(near, default=(_LABEL_PT + 1, 0))
        if distance <= _LABEL_PT:
            labels.setdefault(id(joins[nearest]), []).append(line)
    return {join: beside for join, beside in labels.items() if len(beside) <= _LABEL_LINES}


def _distance(line: Line, join: Join) -> float:
    """From the nearest of a line's ends and middle, at half its height."""
    y = (line.y0 + line.y1) / 2
    places = ((line.x0, y), ((line.x0 + line.x1) / 2, y), (line.x1, y))
    return min(distance_to_path(place, path) for place in places for path in join.paths)


def _in_rows(lines: Sequence[Line]) -> list[Line]:
    """From top to bottom; side by side in the order in which they are drawn."""
    rows: list[tuple[float, list[Line]]] = []
    for line in sorted(lines, key=lambda line: line.y0 + line.y1):
        middle = (line.y0 + line.y1) / 2
        if rows and middle - rows[-1][0] < 0.5 * line.size:
            rows[-1][1].append(line)
        else:
            rows.append((middle, [line]))
    number = {id(line): i for i, line in enumerate(lines)}
    return [line for _, row in rows for line in sorted(row, key=lambda i: number[id(i)])]


def _rows(lines: Sequence[Line]) -> list[Row]:
    return rows_of(_in_rows(lines))


def _area(box: Box) -> float:
    return max(box[2] - box[0], 0.0) * max(box[3] - box[1], 0.0)


def _common(a: Box, b: Box) -> float:
    return _area((max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])))


def _holds(box: Box, x: float, y: float) -> bool:
    return (
        box[0] - _MARGIN_PT <= x <= box[2] + _MARGIN_PT
        and box[1] - _MARGIN_PT <= y <= box[3] + _MARGIN_PT
    )


def _meets(line: Line, box: Box) -> bool:
    y = (line.y0 + line.y1) / 2
    return box[1] <= y <= box[3] and line.x0 < box[2] and box[0] < line.x1
