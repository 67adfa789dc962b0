"""Reads PowerPoint presentations (.pptx): a page for each slide, in the order of the show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from local_rag.adapters.office.archive import parse_xml
from local_rag.adapters.office.builder import PageBuilder, extraction_of
from local_rag.adapters.office.opc import child, local, opened_package, refuse_strict, value
from local_rag.adapters.office.smart_art import data_relation, texts_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from local_rag.model.document import Extraction
    from local_rag.ports import Progress

_ROW_SHARE = 0.03  # of the slide's height: shapes less apart than this stand in one row
_MAX_GROUPS = 60


def read_pptx(path: Path, progress: Progress | None = None) -> Extraction:
    """A presentation: a page for each slide, with its title as heading and its notes at the end.

    A hidden slide is an empty page, so that pages are numbered as slides are; what lies beside a
    slide is not read.

    Raises:
        EmptyFile, WrongContent, PasswordRequired, UnreadableFile, TooLarge, NoText.
    """
    from pptx import Presentation

    with opened_package(path, "PowerPoint presentation", "presentation") as package:
        refuse_strict(package)
        presentation = Presentation(str(path))
        slides = list(presentation.slides)
        size = presentation.slide_width or 0, presentation.slide_height or 0
        builders = []
        for number, slide in enumerate(slides, 1):
            builder = PageBuilder(number)
            if value(slide.element, "show") in ("0", "false"):
                builder.hidden = True
            else:
                _Slide(builder, size).write(slide)
            builders.append(builder)
            if progress is not None:
                progress(number, len(slides))
        title = package.title()
    shown = next((b.headings[0].title for b in builders if b.headings), None)
    return extraction_of(builders, _real(title) or shown)


def _real(title: str | None) -> str | None:
    """PowerPoint and python-pptx name every file so."""
    return None if title in ("PowerPoint Presentation", "PowerPoint-Präsentation") else title


class _Slide:
    def __init__(self, builder: PageBuilder, size: tuple[int, int]) -> None:
        self._builder = builder
        self._width, self._height = size
        self._tolerance = int(self._height * _ROW_SHARE)

    def write(self, slide: Any) -> None:
        _choose_alternatives(slide.element)
        shapes = list(slide.shapes)
        title = slide.shapes.title
        if title is not None and not self._is_hidden(title) and not self._is_outside(title):
            self._builder.heading(title.text_frame.text.replace("\v", " "), 1)
        rest = [s for s in shapes if title is None or s.shape_id != title.shape_id]
        self._shapes(rest, 0)
        if slide.has_notes_slide:
            frame = slide.notes_slide.notes_text_frame
            notes = "" if frame is None else _lines(p.text for p in frame.paragraphs)
            if notes:
                self._builder.paragraph(f"Notes: {notes}")

    def _shapes(self, shapes: Iterable[Any], depth: int) -> None:
        for shape in self._ordered(shapes):
            if _is_furniture(shape) or self._is_hidden(shape):
                continue
            if depth == 0 and self._is_outside(shape):  # in a group places are its own
                continue
            if hasattr(shape, "shapes"):
                if depth < _MAX_GROUPS:
                    self._shapes(shape.shapes, depth + 1)
            elif getattr(shape, "has_table", False):
                self._builder.table(_table(shape.table))
            elif getattr(shape, "has_chart", False):
                self._chart(shape)
            elif shape.has_text_frame:
                self._text(shape)
            elif (data := data_relation(shape.element)) is not None:
                self._smart_art(shape, data)

    def _smart_art(self, shape: Any, data: str) -> None:
        try:
            root = parse_xml(shape.part.related_part(data).blob)
        except KeyError:
            self._builder.lossy = True
            return
        for text in texts_of(root):
            self._builder.item(text)

    def _ordered(self, shapes: Iterable[Any]) -> Iterator[Any]:
        """Top to bottom; what stands in one row, left to right."""
        row: list[Any] = []
        for shape in sorted(shapes, key=lambda s: s.top or 0):
            if row and (shape.top or 0) > (row[0].top or 0) + self._tolerance:
                yield from sorted(row, key=lambda s: s.left or 0)
                row = []
            row.append(shape)
        yield from sorted(row, key=lambda s: s.left or 0)

    def _is_hidden(self, shape: Any) -> bool:
        properties = next((e for e in shape.element.iter() if local(e) == "cNvPr"), None)
        if value(properties, "hidden") not in ("1", "true"):
            return False
        self._leave_out(shape)
        return True

    def _is_outside(self, shape: Any) -> bool:
        """Whether it lies beside the slide."""
        left, top, width, height = shape.left, shape.top, shape.width, shape.height
        if None in (left, top, width, height) or not self._width or not self._height:
            return False
        if getattr(shape, "rotation", 0):  # as far as its corners may reach
            reach = width + height
            left, top = left + (width - reach) // 2, top + (height - reach) // 2
            width = height = reach
        beside = left + width < 0 or left > self._width
        if not beside and top + height >= 0 and top <= self._height:
            return False
        self._leave_out(shape)
        return True

    def _leave_out(self, shape: Any) -> None:
        if any(local(e) == "t" and e.text for e in shape.element.iter()):
            self._builder.hidden = True

    def _text(self, shape: Any) -> None:
        in_list = _has_bullets(shape)
        numbers: dict[int, int] = {}
        for paragraph in shape.text_frame.paragraphs:
            text = paragraph.text.replace("\v", "\n")
            level = paragraph.level
            mark = _bullet(paragraph, in_list)
            for deeper in [at for at in numbers if at > level or (at == level and mark != "1.")]:
                del numbers[deeper]
            if not text.strip():
                continue
            if mark == "1.":
                numbers[level] = numbers.get(level, _start(paragraph) - 1) + 1
                mark = f"{numbers[level]}."
            if mark is None:
                self._builder.paragraph(text)
            else:
                self._builder.item(text, level, mark)

    def _chart(self, shape: Any) -> None:
        """The chart's numbers, a row for each category."""
        try:
            chart = shape.chart
            plot = next(iter(chart.plots), None)
            if plot is None:
                return
            title = chart.chart_title.text_frame.text if chart.has_title else ""
            categories = [" ".join(map(str, c)) for c in plot.categories.flattened_labels]
            series = [(str(s.name), list(s.values)) for s in plot.series]
        except (AttributeError, KeyError, TypeError, ValueError, NotImplementedError):
            self._builder.lossy = True  # of a kind that python-pptx cannot read
            return
        self._builder.paragraph(title)
        rows = [["", *(name for name, _ in series)]]
        count = max([len(categories), *(len(values) for _, values in series)], default=0)
        for at in range(count):
            label = categories[at] if at < len(categories) else ""
            numbers = [values[at] if at < len(values) else None for _, values in series]
            rows.append([label, *("" if n is None else f"{n:.15g}" for n in numbers)])
        self._builder.table(rows)


def _choose_alternatives(root: Any) -> None:
    """Puts what is offered in two versions into its place, in the first: shapes with formulas."""
    for alternative in [e for e in root.iter() if local(e) == "AlternateContent"]:
        parent = alternative.getparent()
        chosen = child(alternative, "Choice")
        if chosen is None:
            chosen = child(alternative, "Fallback")
        if parent is None:
            continue
        at = parent.index(alternative)
        for inner in reversed(list(chosen) if chosen is not None else []):
            parent.insert(at, inner)
        parent.remove(alternative)


def _is_furniture(shape: Any) -> bool:
    """Date, footer and number of the slide."""
    from pptx.enum.shapes import PP_PLACEHOLDER

    return shape.is_placeholder and shape.placeholder_format.type in (
        PP_PLACEHOLDER.DATE,
        PP_PLACEHOLDER.FOOTER,
        PP_PLACEHOLDER.HEADER,
        PP_PLACEHOLDER.SLIDE_NUMBER,
    )


def _has_bullets(shape: Any) -> bool:
    """Whether paragraphs have bullets unless they say otherwise."""
    from pptx.enum.shapes import PP_PLACEHOLDER

    return shape.is_placeholder and shape.placeholder_format.type in (
        PP_PLACEHOLDER.BODY,
        PP_PLACEHOLDER.OBJECT,
        PP_PLACEHOLDER.VERTICAL_BODY,
        PP_PLACEHOLDER.VERTICAL_OBJECT,
    )


def _bullet(paragraph: Any, in_list: bool) -> str | None:
    """``-``, ``1.`` or none."""
    for element in _properties(paragraph):
        name = local(element)
        if name == "buNone":
            return None
        if name in ("buChar", "buBlip"):
            return "-"
        if name == "buAutoNum":
            return "1."
    return "-" if in_list or paragraph.level else None


def _start(paragraph: Any) -> int:
    for element in _properties(paragraph):
        start = value(element, "startAt") if local(element) == "buAutoNum" else None
        if start is not None and start.isdecimal():
            return int(start)
    return 1


def _properties(paragraph: Any) -> Any:
    properties = child(paragraph._element, "pPr")  # noqa: SLF001 - python-pptx has no public way
    return properties if properties is not None else ()


def _table(table: Any) -> Iterator[list[str]]:
    for row in table.rows:
        yield ["" if cell.is_spanned else cell.text_frame.text for cell in row.cells]


def _lines(texts: Iterable[str]) -> str:
    return "\n".join(text.replace("\v", "\n") for text in texts if text.strip())
