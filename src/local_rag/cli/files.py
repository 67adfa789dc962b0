"""Which files the paths of a command line mean, what each is called, and whether it can be read."""

from __future__ import annotations

import os
import stat
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from local_rag.errors import (
    InvalidRequest,
    LocalRagError,
    StoreFault,
    UnreadableFile,
    UnsupportedType,
)
from local_rag.ingest.kinds import ENDINGS, media_type_of
from local_rag.text.names import display_name, local_name, short_hash
from local_rag.usecases.watch import unwatched

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from local_rag.usecases.library import Added, Library
    from local_rag.usecases.watch import Watch


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file that a command was given, or a folder that could not be looked into.

    Attributes:
        path: absolute; its folders are resolved, it may itself be a link.
        name: what the document is called; no two files of one command have the same.
        fault: why nothing can be read there, if that is known already.
    """

    path: Path
    name: str
    fault: LocalRagError | None = None

    def read_into(
        self, library: Library, watch: Watch = unwatched, *, password: str | None = None
    ) -> Added:
        """Adds the file.

        Args:
            password: opens the file where it needs one.

        Raises:
            LocalRagError: whatever hinders it, in the file or in the data folder.
        """
        if self.fault:
            raise self.fault
        _check_readable(self.path)
        try:
            return library.add(self.path, self.name, watch, password=password)
        except OSError as exc:
            if exc.filename == str(self.path):
                raise _unreadable(exc) from exc
            raise StoreFault(
                f"It could not be stored ({_reason(exc)}).",
                fix="See that the disk has room and that you may write in the data folder.",
            ) from exc


def find_files(arguments: Sequence[Path]) -> list[FoundFile]:
    """The files named, and the readable ones below the folders named, hidden ones left out.

    A file named by itself is called as it is. One found in a folder is called by its way from
    that folder, the folder's own name first: adding the folder again, from anywhere, gives the
    same names. Where two files of one command would be called the same, more of the folders that
    lead to them are put before, as few as tell them apart. Links to folders are not followed.

    Raises:
        InvalidRequest: a path does not exist, or there is nothing to read.
    """
    least_parts: dict[Path, int] = {}
    faults: dict[Path, LocalRagError] = {}
    for argument in arguments:
        _check_exists(argument)
        start = _anchored(argument)
        if not os.path.isdir(start):  # noqa: PTH112 -- Path.is_dir may raise
            least_parts.setdefault(start, 1)
            continue
        for path, error in _below(start):
            parts = len(path.relative_to(start).parts) + 1
            least_parts[path] = max(parts, least_parts.get(path, 0))
            if error:
                faults[path] = _unreadable(error)
    if arguments and not least_parts:
        raise InvalidRequest(
            "The folder holds no file that can be read.", fix=f"Name {', '.join(ENDINGS)} files."
        )
    names = _names(least_parts)
    return [FoundFile(path, names[path], faults.get(path)) for path in least_parts]


_MOST_PASSED_OVER = 20


def passed_over(arguments: Sequence[Path]) -> list[str]:
    """The names of files below the folders named that have no reader, twenty of them at most."""
    names = sorted(
        {
            local_name([name])
            for argument in arguments
            for _, files in _walk(_anchored(argument), [])
            for name in files
            if not _has_reader(name)
        }
    )
    more = len(names) - _MOST_PASSED_OVER
    return names if more <= 0 else [*names[:_MOST_PASSED_OVER], f"and {more} more"]


def _check_exists(argument: Path) -> None:
    try:
        argument.lstat()
    except (FileNotFoundError, NotADirectoryError) as exc:
        raise InvalidRequest(
            f"There is no file or folder {local_name([argument.name])!r}.",
            fix="Check the path. The question of `ask` comes last, in quotes.",
        ) from exc
    except OSError:
        pass  # it may be there: reading it will tell


def _anchored(argument: Path) -> Path:
    """Absolute, so that a file given twice is one file; a link keeps the name it has."""
    if argument.name in ("", ".."):
        return Path(os.path.realpath(argument))
    return Path(os.path.realpath(argument.parent), argument.name)


def _below(folder: Path) -> Iterator[tuple[Path, OSError | None]]:
    closed: list[OSError] = []
    found = [
        Path(place, name)
        for place, files in _walk(folder, closed)
        for name in files
        if _has_reader(name)
    ]
    results: list[tuple[Path, OSError | None]] = [(path, None) for path in found]
    results += [(Path(error.filename), error) for error in closed]
    yield from sorted(results, key=lambda result: result[0])


def _walk(folder: Path, closed: list[OSError]) -> Iterator[tuple[str, list[str]]]:
    """Each folder and the names of its files, hidden ones left out; collects what is closed."""
    for place, folders, files in os.walk(folder, onerror=closed.append):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield place, [name for name in files if not name.startswith(".")]


def _has_reader(name: str) -> bool:
    try:
        media_type_of(name)
    except UnsupportedType:
        return False
    return True


def _names(least_parts: Mapping[Path, int]) -> dict[Path, str]:
    used = dict(least_parts)
    while True:
        names = {path: local_name(path.parts[1:][-count:]) for path, count in used.items()}
        times = Counter(names.values())
        alike = [path for path in names if times[names[path]] > 1]
        longer = [path for path in alike if used[path] < len(path.parts) - 1]
        if not longer:
            break
        for path in longer:
            used[path] += 1
    for path in alike:  # they differ in what is not shown
        name = Path(local_name(path.parts[1:][-least_parts[path] :]))
        names[path] = display_name(f"{name.stem} ({short_hash(str(path))}){name.suffix}")
    return names


def _check_readable(path: Path) -> None:
    """Opens it once, but no pipe or device: that could wait for ever."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISREG(mode):
            with path.open("rb"):
                return
    except OSError as exc:
        raise _unreadable(exc) from exc
    raise UnreadableFile(
        "It is a folder, a pipe, a socket or a device, not a file.",
        fix="Save what it gives as a file, and name that.",
    )


def _unreadable(error: OSError) -> UnreadableFile:
    if isinstance(error, FileNotFoundError):
        return UnreadableFile(
            "It is gone, or a link that leads nowhere.", fix="Mend the link, or name another file."
        )
    return UnreadableFile(
        f"It cannot be opened ({_reason(error)}).", fix="Give yourself the right to read it."
    )


def _reason(error: OSError) -> str:
    return error.strerror or type(error).__name__
