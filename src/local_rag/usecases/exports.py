"""Conversations and single answers as files to be kept elsewhere."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from local_rag.errors import InvalidRequest, LocalRagError, UnknownDocument
from local_rag.export.html import html
from local_rag.export.markdown import markdown
from local_rag.export.sheets import cited_sheets
from local_rag.export.wording import GONE, UNTITLED, Record
from local_rag.text.names import display_name
from local_rag.usecases.kept import title_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from local_rag.export.sheets import Sheet
    from local_rag.model.conversation import Turn
    from local_rag.usecases.kept import KeptConversations

    PageImage = Callable[[str, int, int], bytes]
    """Gives a page as PNG by document id, page number and dpi; raises LocalRagError."""

Format = Literal["markdown", "html", "json"]
FORMATS: tuple[Format, ...] = ("markdown", "html", "json")
MOST_PAGES = 40
_DPI = 100
_LONGEST_SIDE_PX = 1600
_ENDINGS: dict[Format, str] = {"markdown": "md", "html": "html", "json": "json"}
_TYPES: dict[Format, str] = {
    "markdown": "text/markdown; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "json": "application/json",
}
_UNFIT_IN_NAMES = re.compile(r'[<>:"/\\|?*%]+')
_WORD = re.compile(r"\w")
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Exported:
    """A file.

    Attributes:
        name: fit for every file system, with its ending.
    """

    name: str
    media_type: str
    content: bytes


def record_of(kept: KeptConversations, conversation_id: str, number: int | None = None) -> Record:
    """The conversation, or one of its turns.

    Raises:
        UnknownConversation, UnknownTurn.
    """
    conversation = kept.store.conversation(conversation_id)
    turns = (
        kept.store.turns(conversation_id)
        if number is None
        else [kept.store.turn(conversation_id, number)]
    )
    return Record(conversation, turns, kept.gone(turns), is_whole=number is None)


def exported(
    record: Record,
    form: Format,
    *,
    as_json: Callable[[Record], str],
    page_image: PageImage | None = None,
) -> Exported:
    """The record as a file.

    Args:
        as_json: what the door that was used gives as JSON.
        page_image: draws the cited pages into the file; ``None``: without them.

    Raises:
        InvalidRequest: pages are asked for in a form that has no pictures.
    """
    if page_image is not None and form != "html":
        raise InvalidRequest(
            f"Pages cannot be put into {form}.", fix="Export as html, or leave the pages out."
        )
    if form == "html":
        sheets, left_out = _drawn(record.turns, page_image) if page_image else ([], 0)
        text = html(record, sheets, left_out)
    else:
        text = markdown(record) if form == "markdown" else as_json(record)
    return Exported(
        f"{_stem(record)}.{_ENDINGS[form]}", _TYPES[form], text.encode("utf-8", "replace")
    )


def _drawn(turns: Sequence[Turn], page_image: PageImage) -> tuple[list[Sheet], int]:
    sheets = cited_sheets(turns)
    return [_draw(one, page_image) for one in sheets[:MOST_PAGES]], len(sheets[MOST_PAGES:])


def _draw(sheet: Sheet, page_image: PageImage) -> Sheet:
    longest_in = max(sheet.width_pt, sheet.height_pt) / 72
    dpi = max(1, min(_DPI, int(_LONGEST_SIDE_PX / longest_in)))
    try:
        return replace(sheet, png=page_image(sheet.document_id, sheet.page_number, dpi))
    except UnknownDocument:
        return replace(sheet, reason=f"The document is {GONE}.")
    except LocalRagError as error:
        return replace(sheet, reason=error.message)


def _stem(record: Record) -> str:
    title = title_of(_UNFIT_IN_NAMES.sub(" ", record.title))
    name = display_name(title).strip(". ") if _WORD.search(title) else UNTITLED
    if _DEVICES.match(name.split(".")[0].strip()):
        name = f"{UNTITLED} {name}"
    return name if record.is_whole else f"{name} (answer {record.turns[0].number})"
