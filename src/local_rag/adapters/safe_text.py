"""Text that every database can hold."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

if TYPE_CHECKING:
    from sqlalchemy.engine import Dialect

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def storable(text: str) -> str:
    """The text with U+FFFD for each character that a database may refuse."""
    return _UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", text)


class SafeText(sa.types.TypeDecorator[str]):
    """``TEXT`` in which NUL and lone surrogates are U+FFFD.

    PostgreSQL refuses the one, UTF-8 has no form for the other. One character stands for one, so
    that places in the text stay what they are.
    """

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:  # noqa: ARG002
        """What is sent to the database."""
        return value if value is None else storable(value)
