"""Opens the ZIP archives that office files are, and refuses what would not end well."""

from __future__ import annotations

import logging
import struct
import zipfile
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from local_rag.errors import (
    EmptyFile,
    PasswordRequired,
    TooLarge,
    UnreadableFile,
    WrongContent,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_LOG = logging.getLogger(__name__)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_MAX_ENTRIES = 10_000
_MAX_TOTAL_BYTES = 512_000_000
_MAX_PART_BYTES = 100_000_000
# Deflate gives at most 1032 to 1; a sheet of equal rows has been seen at 150 to 1.
_MAX_RATIO = 300
_RATIO_MATTERS_BYTES = 20_000_000
_SCAN_BYTES = 1 << 20
_HEAD_BYTES = 256
_DTD = (b"<!DOCTYPE", b"<!ENTITY")
_XML_ENDINGS = (".xml", ".rels", ".vml")


@contextmanager
def opened_archive(path: Path, kind: str) -> Iterator[zipfile.ZipFile]:
    """The archive, within its bounds.

    Args:
        kind: what the name says that it is, such as "Word document".

    Raises:
        EmptyFile, WrongContent, PasswordRequired, UnreadableFile.
        TooLarge: too many entries, or too many bytes once decompressed.
    """
    _check_magic(path, kind)
    with translated_faults(), zipfile.ZipFile(path) as archive:
        _check_bounds(archive.infolist())
        yield archive


def _check_magic(path: Path, kind: str) -> None:
    with path.open("rb") as file:
        head = file.read(8)
        if not head:
            raise EmptyFile("The file is empty.")
        if head == _OLE:
            if _holds(file, (_ENCRYPTED,)):
                raise PasswordRequired("The document is protected with a password.")
            raise WrongContent(
                f"The file is named as a {kind}, but its content is an old Office document.",
                fix="Open it in its own program, save it in the format of its ending, and send "
                "the new copy.",
            )
    if not head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        raise WrongContent(f"The file is named as a {kind}, but its content is something else.")


def _check_bounds(entries: list[zipfile.ZipInfo]) -> None:
    if len(entries) > _MAX_ENTRIES:
        raise TooLarge(f"The file is an archive of more than {_MAX_ENTRIES:,} entries.")
    # Python's reader stops at the declared size, so that no entry gives more than it says.
    if sum(entry.file_size for entry in entries) > _MAX_TOTAL_BYTES:
        raise TooLarge(
            f"The file's content is larger than {_MAX_TOTAL_BYTES // 1_000_000} MB when unpacked.",
            fix="Split the document and send its parts.",
        )
    for entry in entries:
        if entry.flag_bits & 1:
            raise PasswordRequired("The file is an archive that is protected with a password.")
        if entry.file_size > max(_RATIO_MATTERS_BYTES, _MAX_RATIO * entry.compress_size):
            raise TooLarge(
                "The file unpacks to many times its size, as no ordinary document does.",
                fix="Open the file in its own program, save it again, and send the new copy.",
            )


def part(archive: zipfile.ZipFile, name: str, max_bytes: int = _MAX_PART_BYTES) -> bytes:
    """The bytes of an entry.

    Raises:
        KeyError: there is none of this name.
        TooLarge: it is larger than ``max_bytes``.
    """
    entry = archive.getinfo(name)
    if entry.file_size > max_bytes:
        raise TooLarge(
            f"A part of the file is larger than {max_bytes // 1_000_000} MB when unpacked.",
            fix="Split the document and send its parts.",
        )
    return archive.read(entry)


def refuse_dtds(archive: zipfile.ZipFile) -> None:
    """Office files have no document type; one is there to do harm (entities that multiply).

    Raises:
        UnreadableFile.
    """
    marks = tuple(
        mark.decode().encode(code) for code in ("utf-8", "utf-16-le", "utf-16-be") for mark in _DTD
    )
    for entry in archive.infolist():
        with archive.open(entry) as file:
            # A part may have any name.
            head = file.read(_HEAD_BYTES).lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n\0")
        if head.startswith(b"<") or entry.filename.lower().endswith(_XML_ENDINGS):
            with archive.open(entry) as file:
                if _holds(file, marks):
                    raise UnreadableFile("The file declares entities, which no office file does.")


def _holds(file: Any, marks: tuple[bytes, ...]) -> bool:
    tail = b""
    overlap = max(map(len, marks))
    while block := file.read(_SCAN_BYTES):
        seen = tail + block
        if any(mark in seen for mark in marks):
            return True
        tail = seen[-overlap:]
    return False


def parse_xml(data: bytes) -> Any:
    """The root element. Entities stay unresolved, nothing is loaded, depth is bounded.

    Raises:
        lxml.etree.XMLSyntaxError.
    """
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    return etree.fromstring(data, parser)


@contextmanager
def translated_faults() -> Iterator[None]:
    """What parsers raise on damaged files becomes ``UnreadableFile``, on deep ones ``TooLarge``.

    They promise no exception class of their own: whatever a wrong value leads to comes out.
    """
    from lxml.etree import LxmlError

    try:
        yield
    except RecursionError as exc:
        raise _too_deep() from exc
    except (
        zipfile.BadZipFile,
        zlib.error,
        struct.error,
        LxmlError,
        ArithmeticError,
        AttributeError,
        EOFError,
        LookupError,
        NotImplementedError,
        SyntaxError,
        TypeError,
        ValueError,
    ) as exc:
        if isinstance(exc, LxmlError) and "xcessive depth" in str(exc):
            raise _too_deep() from exc
        # Not the message: it may hold text of the document.
        _LOG.warning("reading failed with %s", type(exc).__name__)
        raise UnreadableFile("The file is damaged, or not written as its format asks.") from exc


def _too_deep() -> TooLarge:
    return TooLarge(
        "The file's parts (tables in tables, boxes in boxes) are nested too deeply to be read.",
        fix="Take the innermost tables or boxes out of the others, and send the new copy.",
    )
