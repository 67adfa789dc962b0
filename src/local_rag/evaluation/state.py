"""Results as they come, a JSON object a line, so that a run that was cut off can go on."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from local_rag.evaluation.results import case_result_of

if TYPE_CHECKING:
    from pathlib import Path

    from local_rag.evaluation.results import CaseResult


class State:
    """The results of a run so far.

    A result is found again under the same key only: of the set, the documents and the settings.
    A failed case is kept for the record and asked again.

    Args:
        resume: whether what the file has counts; else it is begun anew.

    Raises:
        OSError: the file cannot be read or written.
    """

    def __init__(self, path: Path, *, resume: bool) -> None:
        self.path = path
        self._known: dict[tuple[str, str], CaseResult] = {}
        torn = False
        if resume and path.exists():
            text = path.read_text("utf-8", errors="replace")
            torn = bool(text) and not text.endswith("\n")
            for line in text.split("\n"):
                self._read(line)
        self._file = path.open("a" if resume else "w", encoding="utf-8", newline="\n")
        if torn:
            self._file.write("\n")

    def known(self, key: str, case_id: str) -> CaseResult | None:
        """The result of a case that has one."""
        return self._known.get((key, case_id))

    def keep(self, key: str, result: CaseResult) -> None:
        """Writes a result; it is in the file when this returns."""
        row = {"key": key, "result": asdict(result)}
        self._file.write(json.dumps(row, ensure_ascii=True) + "\n")
        self._file.flush()

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def discard(self) -> None:
        """Closes and removes the file: the run is whole."""
        self.close()
        self.path.unlink(missing_ok=True)

    def _read(self, line: str) -> None:
        """Takes up a line; one that is torn is passed over."""
        try:
            row = json.loads(line)
            result = case_result_of(row["result"])
            if not result.failure:
                self._known[row["key"], result.case_id] = result
        except (ValueError, KeyError, TypeError):
            return
