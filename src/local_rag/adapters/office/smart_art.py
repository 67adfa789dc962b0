"""The text of SmartArt, which lies in a part of its own."""

from __future__ import annotations

from typing import Any

from local_rag.adapters.office.opc import local, value

_DRAWN_ONLY = frozenset(("pres", "parTrans", "sibTrans"))


def data_relation(drawing: Any) -> str | None:
    """The id under which a drawing refers to the data of its SmartArt; ``None``: it has none."""
    found = next((e for e in drawing.iter() if local(e) == "relIds"), None)
    return value(found, "dm")


def texts_of(data: Any) -> list[str]:
    """What stands in its boxes, in the order in which they were made."""
    texts = []
    for point in data.iter():
        if local(point) == "pt" and value(point, "type") not in _DRAWN_ONLY:
            lines = [
                "".join(t.text or "" for t in paragraph.iter() if local(t) == "t")
                for paragraph in point.iter()
                if local(paragraph) == "p"
            ]
            texts.append("\n".join(filter(None, lines)))
    return [text for text in texts if text.strip()]
