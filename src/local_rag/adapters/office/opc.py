"""The parts of an Office Open XML file and how they refer to each other.

Read as they are asked for, so that a missing picture or a broken theme never fails a document.
Elements are known by their local names: "Strict" files use other namespaces for the same.
"""

from __future__ import annotations

import posixpath
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

from local_rag.adapters.office.archive import opened_archive, parse_xml, part, refuse_dtds
from local_rag.errors import UnreadableFile, WrongContent

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from zipfile import ZipFile


class Relation(NamedTuple):
    """What a part refers to.

    Attributes:
        kind: last segment of its type, such as ``styles``.
        target: name of the other part.
    """

    kind: str
    target: str


class Package:
    """An opened file.

    Attributes:
        main: name of the main part.
        root: its root element.
    """

    def __init__(self, archive: ZipFile, main: str, root: Any) -> None:
        self.archive = archive
        self.main = main
        self.root = root

    def relations(self, name: str) -> dict[str, Relation]:
        """What a part refers to inside the file, by id."""
        return _relations(self.archive, name)

    def related(self, name: str, kind: str) -> Any:
        """Root element of the first part of this kind that ``name`` refers to, or ``None``."""
        for relation in self.relations(name).values():
            if relation.kind == kind:
                try:
                    return parse_xml(part(self.archive, relation.target))
                except KeyError:
                    continue
        return None

    def title(self) -> str | None:
        """The title among the file's properties."""
        properties = self.related("", "core-properties")
        if properties is not None:
            for element in properties:
                if local(element) == "title":
                    return element.text or None
        return None


@contextmanager
def opened_package(path: Path, kind: str, root: str) -> Iterator[Package]:
    """The file, checked to be of its kind.

    Args:
        kind: such as "Word document".
        root: local name of the main part's root element.

    Raises:
        EmptyFile, WrongContent, PasswordRequired, UnreadableFile, TooLarge.
    """
    with opened_archive(path, kind) as archive:
        main = _main_part(archive)
        if main is None:
            raise WrongContent(f"The file is an archive, but no {kind}.")
        if main not in archive.namelist():
            raise UnreadableFile(f"The {kind} has lost its main part.")
        refuse_dtds(archive)
        element = parse_xml(part(archive, main))
        if local(element) != root:
            raise WrongContent(f"The file is named as a {kind}, but is another Office document.")
        yield Package(archive, main, element)


def refuse_strict(package: Package) -> None:
    """For readers whose library knows the usual namespaces only.

    Raises:
        UnreadableFile.
    """
    if "purl.oclc.org" in package.root.tag:
        raise UnreadableFile(
            "The file is saved as Strict Open XML, which is read from Word documents only.",
            fix="Save it in the usual format of its ending, without “Strict”.",
        )


def _main_part(archive: ZipFile) -> str | None:
    if "[Content_Types].xml" not in archive.namelist():
        return None
    for relation in _relations(archive, "").values():
        if relation.kind == "officeDocument":
            return relation.target
    return None


def _relations(archive: ZipFile, name: str) -> dict[str, Relation]:
    folder, _, file = name.rpartition("/")
    listed = posixpath.join(folder, "_rels", f"{file}.rels")
    if listed not in archive.namelist():
        return {}
    found = {}
    for element in parse_xml(part(archive, listed)):
        target, kind = element.get("Target", ""), element.get("Type", "")
        if element.get("TargetMode") != "External" and element.get("Id"):
            joined = target if target.startswith("/") else posixpath.join("/", folder, target)
            path = posixpath.normpath(unquote(joined)).lstrip("/")
            found[element.get("Id")] = Relation(kind.rpartition("/")[2], path)
    return found


def local(element: Any) -> str:
    """The element's name without its namespace; empty for what is no element."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def child(element: Any, *names: str) -> Any:
    """The first child of this name, its first child of the next, and so on; else ``None``."""
    for name in names:
        if element is None:
            return None
        element = next((inner for inner in element if local(inner) == name), None)
    return element


def value(element: Any, name: str = "val") -> str | None:
    """An attribute by its local name."""
    if element is None:
        return None
    for key, text in element.attrib.items():
        if key.rpartition("}")[2] == name:
            return str(text)
    return None


def is_on(element: Any) -> bool:
    """Whether a switch such as ``<w:vanish/>`` is there and not set to off."""
    return element is not None and (value(element) or "1") not in ("0", "false", "off", "none")
