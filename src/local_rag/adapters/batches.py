"""Stretches of what comes one by one."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

T = TypeVar("T")


def batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Lists of ``size`` items each, the last one of what is left."""
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch
