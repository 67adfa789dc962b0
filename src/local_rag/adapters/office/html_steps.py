"""A walk through the tree of an HTML page."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selectolax.lexbor import LexborNode


def steps(root: LexborNode) -> Iterator[tuple[LexborNode, bool, list[bool]]]:
    """Each node on entering and each element on leaving; the list takes ``True`` to skip it.

    Without recursion: pages nest as deep as they like.
    """
    open_nodes: list[LexborNode] = []
    node: LexborNode | None = root
    while node is not None:
        skip = [False]
        yield node, True, skip
        child = None if skip[0] else node.first_child
        if child is not None:
            open_nodes.append(node)
            node = child
            continue
        if not skip[0]:
            yield node, False, skip
        while open_nodes and node.next is None:
            node = open_nodes.pop()
            yield node, False, skip
        node = node.next if open_nodes else None
