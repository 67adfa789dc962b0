"""The wheel, built and installed apart from the checkout: the page must be in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
import venv
import zipfile
from pathlib import Path

import pytest

pytestmark = [pytest.mark.packaging, pytest.mark.timeout(600)]
ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(["uv", "build", "-q", "--wheel", "-o", str(folder), str(ROOT)], check=True)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_the_page_and_the_migrations_and_no_test(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    page = {
        f"local_rag/web/{p.relative_to(ROOT / 'web').as_posix()}"
        for p in (ROOT / "web").rglob("*")
        if p.is_file()
    }
    assert page <= set(names)
    assert "local_rag/web/index.html" in page
    assert "local_rag/adapters/migrations/versions/v0001_library.py" in names
    assert not [name for name in names if name.startswith(("tests/", "evaluation/"))]


def test_the_installed_wheel_serves_the_page(wheel, tmp_path):
    """Its own code comes from the wheel, its dependencies from the environment of this test."""
    environment = tmp_path / "venv"
    venv.create(environment, with_pip=False)
    (site,) = environment.glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    dependencies = [path for path in sys.path if path.endswith("site-packages")]
    code = (
        f"import sys; sys.path += {dependencies!r}\n"
        "import local_rag; assert 'venv' in local_rag.__file__, local_rag.__file__\n"
        "from local_rag.cli.main import main\n"
        "sys.exit(main(['serve', '--port', '0', '--no-browser']))"
    )
    variables = {k: v for k, v in os.environ.items() if not k.startswith("RAG_")}
    with subprocess.Popen(
        [str(environment / "bin" / "python"), "-c", code],
        stdout=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env=variables,
    ) as process:
        url = process.stdout.readline().split()[-1]
        with urllib.request.urlopen(url + "/") as reply:
            assert b"<html" in reply.read()
        with urllib.request.urlopen(url + "/static/js/main.js") as reply:
            assert reply.headers["content-type"].startswith("text/javascript")
        with urllib.request.urlopen(url + "/health") as reply:
            assert json.load(reply)["status"] == "ok"
        process.terminate()
