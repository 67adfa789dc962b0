"""Packages that are installed only where a setting asks for them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from local_rag.errors import StoreFault


def import_optional(module: str, *, extra: str, setting: str) -> Any:
    """The module, imported now.

    Args:
        extra: the optional dependency of this program that brings it.
        setting: the variable that asks for it.

    Raises:
        StoreFault: it is not installed; the fix names the command that installs it.
    """
    try:
        return import_module(module)
    except ImportError as exc:
        raise StoreFault(
            f"{setting} needs the package {module.partition('.')[0]}, which is not installed.",
            fix=(
                f"Run `uv sync --extra {extra}` in the checkout, or "
                f"`pip install 'local-rag[{extra}]'`, or leave {setting} empty."
            ),
        ) from exc
