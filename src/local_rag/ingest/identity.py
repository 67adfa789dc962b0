"""Ids that follow from content: the same bytes under the same name are the same document."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def file_sha256(path: Path) -> str:
    """Digest of the file's bytes, lower hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def document_id(source_sha256: str, name: str) -> str:
    """32 hex digits from the bytes' digest and the name (NFC)."""
    return hashlib.sha256(f"{source_sha256}\0{name}".encode()).hexdigest()[:32]
