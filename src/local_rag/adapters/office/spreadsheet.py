"""Reads Excel workbooks (.xlsx): a page for each visible sheet, a table for each block of cells."""

from __future__ import annotations

import warnings
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from local_rag.adapters.office.builder import PageBuilder, extraction_of
from local_rag.adapters.office.cell_colors import CellColors
from local_rag.adapters.office.cell_format import hides, shown
from local_rag.adapters.office.opc import child, local, opened_package, refuse_strict, value
from local_rag.errors import NoText, TooLarge

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from local_rag.adapters.office.opc import Package
    from local_rag.model.document import Extraction
    from local_rag.ports import Progress

_MAX_CELLS = 2_000_000
_MAX_PLACES = 20_000_000
_MAX_COLUMNS = 16_384
_PAINTS = ("{*}tablePart", "{*}conditionalFormatting", "{*}picture")


def read_xlsx(path: Path, progress: Progress | None = None) -> Extraction:
    """A workbook: a page and a section for each visible sheet that is made of cells.

    A formula is its last computed value; where the file holds none, its cell is empty and the
    page is flagged ``low-coverage``.

    Raises:
        EmptyFile, WrongContent, PasswordRequired, UnreadableFile, TooLarge, NoText.
    """
    from openpyxl import load_workbook

    with (
        opened_package(path, "Excel workbook", "workbook") as package,
        path.open("rb") as file,  # openpyxl refuses a path without a known ending
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")  # of what openpyxl leaves out, none is text of a cell
        refuse_strict(package)
        sheets, some_hidden = _visible_sheets(package)
        # No links: openpyxl would not follow them, but read what another file last said.
        opened = load_workbook(file, read_only=True, data_only=True, keep_links=False)
        with closing(opened) as workbook:
            budget = _Budget()
            builders = []
            for number, (name, part_name) in enumerate(sheets, 1):
                builder = PageBuilder(number, name)
                builder.heading(name, 1)
                hidden = _hidden_in(package, part_name)
                builder.lossy = hidden.uncomputed > 0
                _write_sheet(workbook[name], hidden, builder, budget)
                builders.append(builder)
                if progress is not None:
                    progress(number, len(sheets))
        title = package.title()
    if not any(builder.has_body for builder in builders):
        raise NoText("The workbook's sheets hold no values.", fix="Send a workbook with values.")
    if some_hidden:
        builders[0].hidden = True
    return extraction_of(builders, title)


def _visible_sheets(package: Package) -> tuple[list[tuple[str, str]], bool]:
    """Name and part of each, and whether any other sheet is hidden."""
    relations = package.relations(package.main)
    sheets = []
    some_hidden = False
    listed = child(package.root, "sheets")
    for sheet in listed if listed is not None else ():
        relation = relations.get(value(sheet, "id") or "")
        if relation is None or relation.kind != "worksheet":
            continue  # charts, macros
        if (value(sheet, "state") or "visible") != "visible":
            some_hidden = True
        elif value(sheet, "name"):
            sheets.append((value(sheet, "name") or "", relation.target))
    return sheets, some_hidden


@dataclass(slots=True)
class _Hidden:
    """What openpyxl does not say of a sheet when it reads it row by row.

    Attributes:
        rows, columns: hidden ones, from 1.
        uncomputed: how many formulas have no value.
        painted: whether a table's style or a condition may colour its cells.
    """

    rows: set[int] = field(default_factory=set)
    columns: set[int] = field(default_factory=set)
    uncomputed: int = 0
    painted: bool = False


def _hidden_in(package: Package, name: str) -> _Hidden:
    from lxml import etree

    hidden = _Hidden()
    row_number = 0
    with package.archive.open(name) as source:
        steps = etree.iterparse(
            source,
            events=("start", "end"),
            tag=("{*}row", "{*}col", *_PAINTS),
            resolve_entities=False,
            load_dtd=False,
            no_network=True,
            huge_tree=False,
        )
        for event, element in steps:
            tag = local(element)
            if event == "start":
                if tag == "row":
                    row_number = int(element.get("r") or row_number + 1)
                    if _is_hidden(element):
                        hidden.rows.add(row_number)
                elif tag not in ("row", "col"):
                    hidden.painted = True
                elif _is_hidden(element):
                    first, last = int(element.get("min")), int(element.get("max"))
                    hidden.columns.update(range(first, min(last, _MAX_COLUMNS) + 1))
            elif tag == "row":
                formulas = element.iter("{*}f")
                hidden.uncomputed += sum(_is_uncomputed(f.getparent()) for f in formulas)
                element.clear()
                while element.getprevious() is not None:
                    del element.getparent()[0]
    return hidden


def _is_hidden(element: Any) -> bool:
    # Also what was dragged to no height or width.
    size = element.get("ht") or element.get("width")
    switch = element.get("hidden") in ("1", "true")
    return switch or (size is not None and float(size) == 0)


def _is_uncomputed(cell: Any) -> bool:
    computed = child(cell, "v")
    return computed is None or not (computed.text or cell.get("t") == "str")


@dataclass(slots=True)
class _Budget:
    """What a workbook may hold in all."""

    cells: int = 0
    places: int = 0

    def spend(self, cells: int, places: int) -> None:
        self.cells += cells
        self.places += places
        if self.cells > _MAX_CELLS or self.places > _MAX_PLACES:
            raise TooLarge(
                f"The workbook has more than {_MAX_CELLS:,} cells.",
                fix="Delete the sheets and rows that matter least, or split the workbook.",
            )


def _write_sheet(sheet: Any, hidden: _Hidden, builder: PageBuilder, budget: _Budget) -> None:
    for block in _blocks(_rows(sheet, hidden, builder, budget)):
        _write_block(block, builder)


def _rows(
    sheet: Any, hidden: _Hidden, builder: PageBuilder, budget: _Budget
) -> Iterator[dict[int, str]]:
    """The texts of each row that is shown, by column from 0; empty cells left out."""
    colors = CellColors(painted=hidden.painted)
    sheet.reset_dimensions()  # what the file says of them is often wrong
    for number, row in enumerate(sheet.iter_rows(), 1):
        texts: dict[int, str] = {}
        filled = 0
        for at, cell in enumerate(row):
            content = cell.value
            if content is None or content == "":
                continue
            filled += 1
            number_format = cell.number_format
            covered = hides(number_format) or colors.hide(cell)
            if covered or number in hidden.rows or at + 1 in hidden.columns:
                builder.hidden = True
                continue
            text = shown(content, number_format)
            if text.strip():
                texts[at] = text
        budget.spend(filled, len(row) + 1)
        if number not in hidden.rows:
            yield texts


def _blocks(rows: Iterable[dict[int, str]]) -> Iterator[list[dict[int, str]]]:
    """Runs of rows that are not empty."""
    block: list[dict[int, str]] = []
    for row in rows:
        if row:
            block.append(row)
        elif block:
            yield block
            block = []
    if block:
        yield block


def _write_block(rows: list[dict[int, str]], builder: PageBuilder) -> None:
    columns = sorted({at for row in rows for at in row})
    # Lines above a table's header, in its first column only, are its caption.
    captions = 0
    if len(columns) > 1:
        while captions < len(rows) and list(rows[captions]) == [columns[0]]:
            captions += 1
        if captions == len(rows) or len(rows[captions]) < 2:
            captions = 0
    for row in rows[:captions]:
        builder.paragraph(row[columns[0]])
    if len(columns) == 1:
        builder.paragraph("\n".join(" ".join(row[columns[0]].split()) for row in rows))
    else:
        builder.table([row.get(at, "") for at in columns] for row in rows[captions:])
