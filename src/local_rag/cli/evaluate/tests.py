"""``local-rag-eval tests``: the tests that were saved in the library, as a file of golden cases."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from local_rag.beside import open_cases
from local_rag.errors import EnvironmentFault, InvalidRequest
from local_rag.evaluation.cases import ReviewStatus, write_cases
from local_rag.evaluation.library_cases import LibraryCases
from local_rag.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Sequence


def tests(arguments: Sequence[str]) -> int:
    """Writes or prints the tests of the library; returns 0.

    Raises:
        LocalRagError: the library cannot be opened, or the file cannot be written or is there.
    """
    options = _parser().parse_args(arguments)
    if options.out is not None and options.out.exists() and not options.force:
        raise InvalidRequest(
            f"{options.out.name} is there already.",
            fix="Name another file, or write over it with --force.",
        )
    overrides = {} if options.data_dir is None else {"data_dir": options.data_dir}
    with open_cases(load_settings(**overrides)) as store:
        cases = LibraryCases(store)
        if options.out is None:
            sys.stdout.write(cases.exported(options.status))
            return 0
        kept = [one.case for one in reversed(cases.all(options.status))]
    try:
        write_cases(options.out, kept)
    except OSError as exc:
        raise EnvironmentFault(
            f"{options.out.name} cannot be written ({type(exc).__name__}).",
            fix="Name a file in a folder that can be written.",
        ) from exc
    print(f"{len(kept)} tests written to {options.out.name}", file=sys.stderr)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="local-rag-eval tests",
        description="Writes the tests that were saved in the library as golden cases, a JSON "
        "object a line; also while the program runs.",
    )
    parser.add_argument(
        "out", type=Path, nargs="?", metavar="CASES.jsonl", help="file to write (default: print)"
    )
    parser.add_argument("--force", action="store_true", help="write over a file that is there")
    parser.add_argument("--status", choices=get_args(ReviewStatus), help="only those of a status")
    parser.add_argument(
        "--data-dir", type=Path, help="data folder of the library (default: RAG_DATA_DIR)"
    )
    return parser
