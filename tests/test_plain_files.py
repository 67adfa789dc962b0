"""Files of source code are read as they are, and asked like any other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from local_rag.adapters.text_reader import read_text
from local_rag.errors import LocalRagError
from local_rag.ingest.kinds import PLAIN, media_type_of

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = '''"""Keeps the register."""

LEAST = 3


def restore(path: str) -> None:
    # the last copy wins
    print(f"{path}\\t<b>")
'''


@pytest.mark.parametrize("name", ["register.py", "register.RS", "Makefile.toml"])
def test_source_code_is_kept_letter_for_letter(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(SOURCE)
    assert media_type_of(name) == PLAIN
    assert [page.text for page in read_text(path).pages] == [SOURCE]


def test_a_file_of_bytes_with_an_ending_of_source_code_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "film.ts"  # a film's ending as well
    path.write_bytes(bytes(range(256)) * 64)
    with pytest.raises(LocalRagError):
        read_text(path)
