"""A data folder belongs to one process at a time."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

from local_rag.adapters.folder_lock import locked_folder
from local_rag.composition import open_services
from local_rag.errors import DiskFull, StoreFault, StoreLocked
from local_rag.settings import Settings

_HOLD = (
    "import sys\nfrom pathlib import Path\n"
    "from local_rag.adapters.folder_lock import locked_folder\n"
    "with locked_folder(Path(sys.argv[1])):\n"
    "    print('held', flush=True)\n    sys.stdin.read()"
)


def test_a_folder_that_another_process_holds_is_refused_until_that_one_is_killed(tmp_path):
    folder = tmp_path / "new" / "data"
    with subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(StoreLocked), locked_folder(folder):
            pass
        holder.kill()
        holder.wait()
    with locked_folder(folder):
        pass
    with locked_folder(folder):
        pass


def test_a_full_disk_is_said_at_the_start(tmp_path, monkeypatch):
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage._replace(free=90_000_000))
    settings = Settings(data_dir=tmp_path / "data", _env_file=None)
    with pytest.raises(DiskFull, match="about 10 MB are missing"), open_services(settings):
        pass
    assert not (tmp_path / "data" / "index").exists()


@pytest.mark.parametrize("folder", ["file", "file/below"])
def test_what_is_no_folder_is_said_so(tmp_path, folder):
    (tmp_path / "file").touch()
    with (
        pytest.raises(StoreFault, match="data folder cannot be used") as caught,
        locked_folder(tmp_path / folder),
    ):
        pass
    assert "RAG_DATA_DIR" in caught.value.fix
