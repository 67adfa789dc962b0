"""The page's files as they lie in their folder: read and packed once, named by their version.

Modules are found by their import statements, so that a page can ask for all of them at once where
the browser would find one after the other.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import os
import posixpath
import re
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SHELL = "index.html"
ENTRY = "js/main.js"
LANGUAGES = "js/languages/"
_IMPORT = re.compile(
    r"^(?:(?:import|export)\b[^'\";]*\bfrom|import)\s*'(\.{1,2}/[^']+)'", re.MULTILINE
)
_WORD = re.compile(r"^  (\w+): '((?:[^'\\]|\\.)*)',$", re.MULTILINE)
_ESCAPE = re.compile(r"\\(.)")
_PACKED = frozenset({".css", ".html", ".js", ".json", ".svg"})
_VERSION_HEX = 16


@dataclass(frozen=True)
class PageFile:
    """A file as it is sent; ``packed`` is its gzip form, ``None`` where that would not help."""

    body: bytes
    packed: bytes | None
    media_type: str
    etag: str


@dataclass(frozen=True)
class Edition:
    """All files of one moment.

    Attributes:
        version: lower hex, of the names and contents of all files.
        files: by path within the folder, with ``/``; the page itself is not among them.
        shell: the page before words and links are put in.
        modules: paths of the modules that the page's script imports, the script first.
        words: for each language, its texts that need no value.
    """

    version: str
    files: Mapping[str, PageFile]
    shell: str
    modules: tuple[str, ...]
    words: Mapping[str, Mapping[str, str]]

    def link(self, path: str) -> str:
        """Where a file is had for good: a name that changes whenever any file does."""
        return f"/static/v-{self.version}/{path}"


class PageFiles:
    """The newest edition of a folder; a file that was changed makes another."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen: list[tuple[str, int, int]] = []
        self._edition: Edition | None = None

    def edition(self) -> Edition:
        """The files as they are now. Unless one has changed since, none is read."""
        seen = sorted(_stamps(self._folder))
        if self._edition is None or seen != self._seen:
            self._edition = _read(self._folder, [path for path, _, _ in seen])
            self._seen = seen
        return self._edition


def web_folder() -> Path:
    """Where the page's files lie: inside the installed package, else beside ``src``."""
    packaged = Path(str(resources.files("local_rag"))) / "web"
    return packaged if packaged.is_dir() else Path(__file__).parents[3] / "web"


def _stamps(folder: Path) -> Iterator[tuple[str, int, int]]:
    """Each file's path, time of change in ns, and size in bytes."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                for path, changed_ns, size in _stamps(Path(entry.path)):
                    yield f"{entry.name}/{path}", changed_ns, size
            else:
                about = entry.stat()
                yield entry.name, about.st_mtime_ns, about.st_size


def _read(folder: Path, paths: list[str]) -> Edition:
    bodies = {path: (folder / path).read_bytes() for path in paths}
    whole = hashlib.sha256()
    for path, body in bodies.items():
        whole.update(f"{path} {len(body)}\n".encode() + body)
    shell = bodies.pop(SHELL).decode()
    sources = {path: body.decode() for path, body in bodies.items() if path.endswith(".js")}
    words = {
        path.removeprefix(LANGUAGES).removesuffix(".js"): _words(source)
        for path, source in sources.items()
        if path.startswith(LANGUAGES)
    }
    files = {path: _file(path, body) for path, body in bodies.items()}
    version = whole.hexdigest()[:_VERSION_HEX]
    return Edition(version, files, shell, _imported(sources, ENTRY), words)


def _file(path: str, body: bytes) -> PageFile:
    media_type = mimetypes.guess_type(path)[0] or "application/octet-stream"
    if path.endswith(".js"):
        media_type = "text/javascript"  # some systems guess what browsers refuse as a module
    if media_type.startswith("text/"):
        media_type += "; charset=utf-8"
    packed = gzip.compress(body, mtime=0) if Path(path).suffix in _PACKED else None
    etag = f'"{hashlib.sha256(body).hexdigest()[:_VERSION_HEX]}"'
    return PageFile(body, packed, media_type, etag)


def _imported(sources: Mapping[str, str], entry: str) -> tuple[str, ...]:
    """The entry and all that it imports by statement, the nearest first."""
    found = [entry]
    for path in found:
        for target in _IMPORT.findall(sources[path]):
            name = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
            if name in sources and name not in found:
                found.append(name)
    return tuple(found)


def _words(source: str) -> dict[str, str]:
    """The texts of a catalogue that stand on one line, by their names."""
    return {name: _ESCAPE.sub(r"\1", text) for name, text in _WORD.findall(source)}
