"""The folder of one question goes with its owner, or at the next start."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from local_rag.adapters import throwaway_folder as module
from local_rag.adapters.throwaway_folder import remove_ownerless, throwaway_folder
from local_rag.errors import EnvironmentFault


def test_a_killed_question_s_folder_is_removed_by_the_next_one(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    code = (
        "import sys, time\nfrom local_rag.adapters.throwaway_folder import throwaway_folder\n"
        "with throwaway_folder() as folder:\n"
        "    (folder / 'catalog.sqlite3').write_text('')\n"
        "    print(folder, flush=True)\n    sys.stdin.read()\n"
    )
    (tmp_path / "local-rag-notes").mkdir()  # somebody's, not made by the program
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "local-rag-link").symlink_to("elsewhere")
    (tmp_path / "elsewhere" / ".local-rag-owner").write_bytes(b"")
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"TMPDIR": str(tmp_path)},
    ) as owner:
        theirs = Path(owner.stdout.readline().strip())
        with throwaway_folder() as ours:
            assert theirs.parent == ours.parent == tmp_path
            assert (theirs / "catalog.sqlite3").exists()  # its owner lives
            remove_ownerless()
            assert ours.exists()
        assert not ours.exists()
        owner.kill()
    assert theirs.exists()
    with throwaway_folder():
        assert not theirs.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "elsewhere",
        "local-rag-link",
        "local-rag-notes",
    ]
    assert (tmp_path / "elsewhere" / ".local-rag-owner").exists()


def test_a_folder_that_a_sweep_took_before_it_was_locked_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    lock, swept = module._try_lock, []

    def late(file):
        if not swept:
            swept.append(Path(file.name).parent)
            remove_ownerless()  # locks, marks and removes it first
        return lock(file)

    monkeypatch.setattr(module, "_try_lock", late)
    with throwaway_folder() as folder:
        assert folder.exists()
        assert [folder] != swept
        assert not swept[0].exists()


def test_without_a_temporary_folder_there_is_advice(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    with pytest.raises(EnvironmentFault, match="No temporary folder"), throwaway_folder():
        pass
