"""The elements of a page by number, in document order, with what selectors ask of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from local_rag.adapters.office.html_steps import steps

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from selectolax.lexbor import LexborHTMLParser

    Places = NDArray[np.int64]


class PageIndex:
    """Arrays of shape (n,), one entry for each element.

    Attributes:
        place: an element's number by its node's ``mem_id``.
        parents, before: the number of the parent, of the sibling before it; -1: there is none.
        ends: the number after the last one in the element's subtree.
    """

    def __init__(self, tree: LexborHTMLParser) -> None:
        self.place: dict[int, int] = {}
        self._tags: list[str] = []
        self._listed: dict[tuple[str, str], list[int]] = {}
        self._named: dict[tuple[str, str], Places] = {}
        self._positions: dict[str, Places] = {}
        parents, before, ends = self._walk(tree)
        self.parents: Places = np.array(parents, dtype=np.int64)
        self.before: Places = np.array(before, dtype=np.int64)
        self.ends: Places = np.array(ends, dtype=np.int64)

    @property
    def size(self) -> int:
        """How many elements the page has."""
        return len(self._tags)

    def named(self, kind: str, name: str) -> Places:
        """The numbers of those of a ``tag``, ``class`` or ``id``, shape (m,)."""
        key = (kind, name)
        if key not in self._named:
            self._named[key] = np.array(self._listed.get(key, []), dtype=np.int64)
        return self._named[key]

    def positions(self, name: str) -> Places:
        """The place of each element among its siblings as ``nth-child`` and its like count."""
        if name not in self._positions:
            self._positions[name] = self._counted(name)
        return self._positions[name]

    def _counted(self, name: str) -> Places:
        order = range(len(self._tags))
        seen: dict[tuple[int, str], int] = {}
        positions = np.zeros(len(self._tags), dtype=np.int64)
        parents = self.parents.tolist()
        for at in reversed(order) if "last" in name else order:
            key = parents[at], self._tags[at] if "type" in name else ""
            positions[at] = seen[key] = seen.get(key, 0) + 1
        return positions

    def _walk(self, tree: LexborHTMLParser) -> tuple[list[int], list[int], list[int]]:
        """Of each element: its parent, the sibling before it (-1: none), the end of its subtree."""
        parents: list[int] = []
        before: list[int] = []
        ends: list[int] = []
        open_ones, last = [-1], [-1]
        for node, entering, _ in steps(tree.root) if tree.root is not None else ():
            if not node.is_element_node:
                continue
            if not entering:
                ends[open_ones.pop()] = len(parents)
                last.pop()
                continue
            at = self.place[node.mem_id] = len(parents)
            parents.append(open_ones[-1])
            before.append(last[-1])
            ends.append(at + 1)
            last[-1] = at
            open_ones.append(at)
            last.append(-1)
            tag = node.tag or ""
            self._tags.append(tag)
            self._listed.setdefault(("tag", tag), []).append(at)
            attributes = node.attributes
            for name in set((attributes.get("class") or "").split()):
                self._listed.setdefault(("class", name), []).append(at)
            if attributes.get("id"):
                self._listed.setdefault(("id", attributes["id"] or ""), []).append(at)
        return parents, before, ends
