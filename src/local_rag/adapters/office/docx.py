"""Reads Word documents (.docx) from their XML.

python-docx knows neither lists' numbers, text boxes, notes, tracked changes nor hidden text, and
fails on files that refer to a missing picture; only the tests use it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from local_rag.adapters.office.archive import parse_xml, part
from local_rag.adapters.office.builder import PageBuilder, extraction_of, tidy
from local_rag.adapters.office.docx_blocks import DROPPED, blocks_of, cells_of, rows_of, span
from local_rag.adapters.office.docx_colors import Backdrop
from local_rag.adapters.office.docx_styles import Numbering, Styles, numeral
from local_rag.adapters.office.opc import child, is_on, local, opened_package, value
from local_rag.adapters.office.smart_art import data_relation, texts_of
from local_rag.adapters.raised import with_exponent

if TYPE_CHECKING:
    from pathlib import Path

    from local_rag.adapters.office.opc import Package
    from local_rag.model.document import Extraction
    from local_rag.ports import Progress

_BODY_OUTLINE = 9
_NOTES = {"footnoteReference": "footnotes", "endnoteReference": "endnotes"}


def read_docx(path: Path, progress: Progress | None = None) -> Extraction:
    """A Word document: one page (where pages break is decided by who prints), its headings.

    Raises:
        EmptyFile, WrongContent, PasswordRequired, UnreadableFile, TooLarge, NoText.
    """
    with opened_package(path, "Word document", "document") as package:
        builder = PageBuilder(1)
        reader = _Reader(package, builder)
        reader.read()
        extraction = extraction_of([builder], tidy(package.title() or "") or reader.title)
    if progress is not None:
        progress(1, 1)
    return extraction


class _Reader:
    """The state of a walk through a document.

    Attributes:
        title: the first paragraph in the style of a title.
    """

    def __init__(self, package: Package, builder: PageBuilder) -> None:
        self.title: str | None = None
        self._package = package
        self._builder = builder
        self._styles = Styles(package.related(package.main, "styles"))
        self._numbering = Numbering(package.related(package.main, "numbering"), self._styles)
        self._backdrop = Backdrop(package.root, self._styles)
        self._faint = False
        self._fields: list[bool] = []  # for each open field: whether its result has begun
        self._boxes: list[Any] = []
        self._art: list[str] = []
        self._relations = package.relations(package.main)
        self._notes: list[tuple[str, str, str]] = []  # kind, id, mark
        self._note_counts = {"footnotes": 0, "endnotes": 0}
        self._in_notes = False
        self._carried = ""

    def read(self) -> None:
        body = child(self._package.root, "body")
        for block in blocks_of(body if body is not None else ()):
            self._block(block)
        self._write_notes()

    def _block(self, block: Any) -> None:
        if local(block) == "p":
            self._paragraph(block)
        else:
            self._table(block)
        self._write_boxes()

    def _write_boxes(self) -> None:
        art, self._art = self._art, []
        for text in art:
            self._builder.item(text)
        boxes, self._boxes = self._boxes, []
        for box in boxes:
            with self._backdrop.within(None, unknown=True):
                for block in blocks_of(box):
                    self._block(block)

    def _paragraph(self, paragraph: Any) -> None:
        properties = child(paragraph, "pPr")
        style_id = value(child(properties, "pStyle")) or self._styles.default
        text = self._carried + self._text(paragraph, properties, style_id)
        self._carried = ""
        if child(properties, "rPr", "del") is not None:
            self._carried = text  # its end is deleted: it goes on in the next one
            return
        marker, depth = self._marker(properties, style_id)  # empty items count too
        if not text.strip():
            return
        level = self._level(properties, style_id)
        if level is not None:
            numbered = f"{marker} {text}" if marker and marker != "-" else text
            if self.title is None and self._styles.is_title(style_id):
                self.title = " ".join(tidy(text).split())
            self._builder.heading(numbered, level)
        elif marker is not None:
            self._builder.item(text, depth, marker)
        else:
            self._builder.paragraph(text)

    def _level(self, properties: Any, style_id: str | None) -> int | None:
        outline = value(child(properties, "outlineLvl"))
        if outline is not None and outline.isdecimal():
            return int(outline) + 1 if int(outline) < _BODY_OUTLINE else None
        if self._styles.is_title(style_id):
            return 1
        return self._styles.heading_level(style_id)

    def _marker(self, properties: Any, style_id: str | None) -> tuple[str | None, int]:
        own = child(properties, "numPr")
        from_style, level_of_style = self._styles.numbering(style_id)
        num_id = value(child(own, "numId")) or from_style
        level = value(child(own, "ilvl")) or level_of_style or "0"
        if not num_id or num_id == "0" or not level.isdecimal():
            return None, 0
        return self._numbering.marker(num_id, int(level)), int(level)

    def _text(self, element: Any, properties: Any, style_id: str | None) -> str:
        """The visible text of a paragraph; text boxes and notes are put aside."""
        self._backdrop.enter_paragraph(properties, style_id)
        parts: list[str] = []
        self._inline(element, self._styles.is_hidden(style_id), parts)
        return "".join(parts)

    def _inline(self, element: Any, hidden: bool, parts: list[str]) -> None:
        for inner in element:
            name = local(inner)
            if name in DROPPED:
                continue
            if name == "r":
                self._run(inner, hidden, parts)
            elif name in ("drawing", "pict", "object"):
                self._find_boxes(inner, hidden)
                self._smart_art(inner, hidden)
            elif name in ("t", "tab", "br", "cr", "fldChar", "noBreakHyphen") or name in _NOTES:
                self._piece(inner, name, hidden, parts)
            elif name not in ("delText", "instrText"):
                self._inline(inner, hidden, parts)  # links, fields, insertions, controls, formulas

    def _run(self, run: Any, hidden: bool, parts: list[str]) -> None:
        properties = child(run, "rPr")
        if properties is not None:
            mark = child(properties, "vanish")
            style = value(child(properties, "rStyle"))
            if mark is not None:
                hidden = is_on(mark)
            elif style:
                hidden = hidden or self._styles.is_hidden(style)
        # Of the text only: boxes in the run have colours of their own.
        before, self._faint = self._faint, self._backdrop.swallows(properties)
        at = len(parts)
        self._inline(run, hidden, parts)
        self._faint = before
        if properties is not None and value(child(properties, "vertAlign")) == "superscript":
            parts[at:] = [with_exponent("".join(parts[:at]), "".join(parts[at:]))]

    def _piece(self, element: Any, name: str, hidden: bool, parts: list[str]) -> None:
        if name == "fldChar":
            self._field(value(element, "fldCharType"))
        elif not all(self._fields):
            return  # a field's instruction
        elif hidden or self._faint:
            if (element.text or "").strip():
                self._builder.hidden = True
        elif name == "t":
            parts.append(element.text or "")
        elif name in _NOTES:
            parts.append(self._note_mark(_NOTES[name], value(element, "id") or ""))
        else:
            parts.append({"tab": "\t", "noBreakHyphen": "-"}.get(name, "\n"))

    def _field(self, kind: str | None) -> None:
        if kind == "begin":
            self._fields.append(False)
        elif kind == "separate" and self._fields:
            self._fields[-1] = True
        elif kind == "end" and self._fields:
            self._fields.pop()

    def _find_boxes(self, drawing: Any, hidden: bool) -> None:
        for inner in drawing:
            name = local(inner)
            if name == "txbxContent":
                if hidden:
                    self._builder.hidden = True
                else:
                    self._boxes.append(inner)
            elif name != "Fallback":
                self._find_boxes(inner, hidden)

    def _smart_art(self, drawing: Any, hidden: bool) -> None:
        relation = self._relations.get(data_relation(drawing) or "")
        if relation is None:
            return
        if hidden:
            self._builder.hidden = True
            return
        try:
            data = parse_xml(part(self._package.archive, relation.target))
        except KeyError:
            self._builder.lossy = True
            return
        self._art += texts_of(data)

    def _note_mark(self, kind: str, note_id: str) -> str:
        if self._in_notes:
            return ""
        self._note_counts[kind] = number = self._note_counts[kind] + 1
        mark = f"[{number if kind == 'footnotes' else numeral(number, 'lowerRoman')}]"
        self._notes.append((kind, note_id, mark))
        return mark

    def _write_notes(self) -> None:
        self._in_notes = True
        found: dict[tuple[str, str], Any] = {}
        for kind in sorted({kind for kind, _, _ in self._notes}):
            root = self._package.related(self._package.main, kind)
            for note in root if root is not None else ():
                found[kind, value(note, "id") or ""] = note
        for kind, note_id, mark in self._notes:
            note = found.get((kind, note_id))
            text = "" if note is None else self._flat(note)
            if text.strip():
                self._builder.paragraph(f"{mark} {text}")

    def _flat(self, container: Any) -> str:
        """The blocks in a cell or a note on one line; tables in it are flattened."""
        parts: list[str] = []
        for block in blocks_of(container):
            if local(block) == "p":
                properties = child(block, "pPr")
                style_id = value(child(properties, "pStyle")) or self._styles.default
                text = self._text(block, properties, style_id)
                marker = self._marker(properties, style_id)[0]
                parts.append(f"{marker} {text}" if marker and text.strip() else text)
            else:
                parts += [text for row in self._table_rows(block) for text in row]
            boxes, self._boxes = self._boxes, []
            for box in boxes:
                with self._backdrop.within(None, unknown=True):
                    parts.append(self._flat(box))
        art, self._art = self._art, []
        return " ".join(" ".join([*parts, *art]).split())

    def _table(self, table: Any) -> None:
        rows = list(rows_of(table))
        if len(rows) == 1:
            cells = list(cells_of(rows[0]))
            if len(cells) == 1:  # a frame around blocks
                with (
                    self._backdrop.within(child(table, "tblPr")),
                    self._backdrop.within(child(cells[0], "tcPr")),
                ):
                    for block in blocks_of(cells[0]):
                        self._block(block)
                return
        self._builder.table(self._table_rows(table))

    def _table_rows(self, table: Any) -> list[list[str]]:
        with self._backdrop.within(child(table, "tblPr")):
            return [self._row(row) for row in rows_of(table)]

    def _row(self, row: Any) -> list[str]:
        before = value(child(row, "trPr", "gridBefore"))
        texts = [""] * span(before, 0)
        for cell in cells_of(row):
            properties = child(cell, "tcPr")
            merged = child(properties, "vMerge")
            goes_on = merged is not None and value(merged) != "restart"
            merged_left = value(child(properties, "hMerge")) == "continue"
            with self._backdrop.within(properties):
                texts.append("" if goes_on or merged_left else self._flat(cell))
            texts += [""] * (span(value(child(properties, "gridSpan")), 1) - 1)
        return texts
