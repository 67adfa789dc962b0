"""``local-rag-eval CASES.jsonl``: how good the program is on golden cases."""

from __future__ import annotations

import argparse
import errno
import json
import os
import sys
from contextlib import ExitStack, closing, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from local_rag.cli.evaluate.shown import run_lines
from local_rag.cli.files import find_files
from local_rag.cli.show import Board
from local_rag.errors import EnvironmentFault, InvalidRequest
from local_rag.evaluation.cases import read_cases
from local_rag.evaluation.corpus import open_corpus
from local_rag.evaluation.gates import Gates, baseline_kept, bounds_kept, read_gates
from local_rag.evaluation.over_http import RunningProgram
from local_rag.evaluation.release import manifest_path
from local_rag.evaluation.results import run_from_json
from local_rag.evaluation.runner import TIMEOUT_S, Options, data_set_of
from local_rag.evaluation.runner import run as run_cases
from local_rag.evaluation.scoring import DEPTH
from local_rag.evaluation.state import State
from local_rag.evaluation.variants import variants_of
from local_rag.text.names import FOLDER_MARK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.cli.files import FoundFile
    from local_rag.evaluation.cases import Case
    from local_rag.evaluation.corpus import Corpus
    from local_rag.evaluation.results import Run

_APPROVED = "approved_gold"
_LONGEST_S = 86_400.0


def run(arguments: Sequence[str]) -> int:
    """Runs the cases, prints what came of them; returns 1 if a gate is not kept.

    Raises:
        LocalRagError: the cases, the documents or the settings cannot be used.
    """
    options = _parser().parse_args(arguments)
    _check_outputs(options)
    cases = _chosen(read_cases(options.cases), options)
    gates = read_gates(options.gates) if options.gates else Gates()
    baseline = _baseline(options.baseline) if options.baseline else None
    with ExitStack() as stack:
        source = _source(options, stack)
        found = _found(cases, source, options)
        kept = [one for variant in found.variants for one in bounds_kept(variant, gates)]
        has_approved = any(case.review_status == _APPROVED for case in cases)
        if has_approved:
            kept += baseline_kept(found, baseline, gates) if baseline else []
            found = replace(found, gates=tuple(kept))
        _write(found, source, options)
    print(json.dumps(found.to_json(), ensure_ascii=False) if options.json else run_lines(found))
    if not has_approved:
        print("local-rag-eval: no case is approved: nothing counts for gates.", file=sys.stderr)
        return 2
    return 0 if all(one.kept for one in found.gates) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="local-rag-eval",
        description="Asks golden cases and scores what comes of them. Exit status: 0 all gates "
        "are kept, 1 one is missed, 2 nothing could be measured.",
    )
    add = parser.add_argument
    add("cases", type=Path, help="golden cases, a JSON object a line")
    add("--documents", type=Path, action="append", metavar="DIR",
        help="ask these files instead of the library")  # fmt: skip
    add("--url", help="ask the program that runs at this address")
    add("--data-dir", type=Path, help="data folder of the library (default: RAG_DATA_DIR)")
    add("--variant", action="append", default=[], metavar="NAME[:KEY=VALUE,…]",
        help="settings to measure; several are compared with the first, such as "
        "narrow:top_k=2 or words:strategy=lexical")  # fmt: skip
    add("--split", choices=("dev", "holdout", "smoke"), help="only the cases of this split")
    add("--all-statuses", action="store_true",
        help="ask cases that are not approved too; they count for no gate")  # fmt: skip
    add("--k", type=_count, default=DEPTH, help=f"passages that count (default: {DEPTH})")
    add("--timeout", type=_seconds, default=TIMEOUT_S, metavar="SECONDS",
        help="longest time of one case")  # fmt: skip
    add("--gates", type=Path, metavar="FILE", help="bounds as JSON or TOML")
    add("--baseline", type=Path, metavar="RUN.json", help="an earlier run that must not be missed")
    add("--out", type=Path, metavar="RUN.json", help="write the run, for --baseline and reports")
    add("--resume", action="store_true", help="go on with a run to --out that was cut off")
    add("--html", type=Path, metavar="FILE", help="write a report")
    add("--json", action="store_true", help="print the run as JSON")
    add("--quiet", action="store_true", help="do not say how far it is")
    return parser


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("is to be at least 1")
    return number


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds <= _LONGEST_S:
        raise argparse.ArgumentTypeError(f"is to be above 0, and {_LONGEST_S:g} at most")
    return seconds


def _chosen(cases: Sequence[Case], options: argparse.Namespace) -> list[Case]:
    """The cases that are asked.

    Raises:
        InvalidRequest: none is left.
    """
    chosen = [case for case in cases if options.split in (None, case.split)]
    if not options.all_statuses:
        chosen = [case for case in chosen if case.review_status == _APPROVED]
    if not chosen:
        split = f" of the split {options.split}" if options.split else ""
        raise InvalidRequest(
            f"None of the {len(cases)} cases{split} is approved."
            if not options.all_statuses
            else f"There is no case{split}.",
            fix="Approve cases with `local-rag-eval-data`, or try others with --all-statuses.",
        )
    return chosen


def _source(options: argparse.Namespace, stack: ExitStack) -> Corpus | RunningProgram:
    if options.url:
        if options.documents:
            raise InvalidRequest(
                "--url asks a running program's own documents.", fix="Leave --documents out."
            )
        program = RunningProgram(options.url)
        stack.callback(program.close)
        return program
    overrides = {} if options.data_dir is None else {"data_dir": options.data_dir}
    files = None if options.documents is None else document_files(options.documents, _own(options))

    def tell(line: str) -> None:
        if not options.quiet:
            print(line, file=sys.stderr)

    return stack.enter_context(open_corpus(files, overrides, tell))


def _own(options: argparse.Namespace) -> list[Path]:
    """The files of the evaluation itself, which hold questions and answers."""
    named = (options.cases, options.gates, options.baseline, options.out, options.html)
    own = [path for path in named if path is not None]
    beside = [] if options.out is None else [state_path(options.out)]
    return [*own, *beside, manifest_path(options.cases)]


def _check_outputs(options: argparse.Namespace) -> None:
    """Before anything is asked: a run is never written over what it is held against.

    Raises:
        InvalidRequest: the file to write is the set, the gates, the baseline or the other output.
        EnvironmentFault: its folder is not there.
    """
    taken = [path for path in (options.cases, options.gates, options.baseline) if path is not None]
    for path in (options.out, options.html):
        if path is None:
            continue
        if path.resolve() in [one.resolve() for one in taken]:
            raise InvalidRequest(
                f"{path.name} would be overwritten by what is written here.",
                fix="Name another file for --out or --html.",
            )
        if path.is_dir() or not path.parent.is_dir():
            why = errno.EISDIR if path.is_dir() else errno.ENOENT
            raise _unwritable(path, OSError(why, os.strerror(why)))
        taken.append(path)


def document_files(folders: Sequence[Path], own: Sequence[Path]) -> list[FoundFile]:
    """The files, called by their way from the folder that was named.

    Args:
        own: files of the evaluation; in a folder of documents they are none.

    Raises:
        InvalidRequest: nothing is left to read.
    """
    left_out = {path.resolve() for path in own}
    files = [file for file in find_files(folders) if file.path.resolve() not in left_out]
    if not files:
        raise InvalidRequest(
            "The folder holds no document besides the files of the evaluation.",
            fix="Name the folder of the documents that the cases are about.",
        )
    if len(folders) > 1:
        return files
    return [replace(f, name=f.name.partition(FOLDER_MARK)[2] or f.name) for f in files]


def _found(
    cases: Sequence[Case],
    source: Corpus | RunningProgram,
    options: argparse.Namespace,
) -> Run:
    variants = variants_of(options.variant)
    board = None if options.quiet else Board(len(cases) * len(variants), sys.stderr)
    state = _state(options)
    asking = Options(options.k, options.timeout)
    data_set = data_set_of(options.cases, cases)
    about = _told_of(source) if options.url else {}
    with closing(state) if state is not None else nullcontext():
        found = run_cases(
            cases, variants, source, data_set, asking,
            state=state, watcher=board, about=_lasting(about),
        )  # fmt: skip
    if options.url:
        found.program["health"] = about
    return found


def _told_of(source: Corpus | RunningProgram) -> dict[str, Any]:
    """Version and models of a running program."""
    told = source.told if isinstance(source, RunningProgram) else {}
    return {name: told.get(name) for name in ("version", "chat", "embedding", "store", "jev_mode")}


def _lasting(about: dict[str, Any]) -> dict[str, Any]:
    """What tells a program from another: not whether its chat model is loaded by now."""
    chat = about.get("chat")
    if not isinstance(chat, dict):
        return about
    return {**about, "chat": {name: value for name, value in chat.items() if name != "state"}}


def _state(options: argparse.Namespace) -> State | None:
    if options.out is None:
        if options.resume:
            raise InvalidRequest(
                "--resume goes on with the run of a file.", fix="Name the file with --out."
            )
        return None
    try:
        return State(state_path(options.out), resume=options.resume)
    except OSError as exc:
        raise _unwritable(options.out, exc) from exc


def state_path(out: Path) -> Path:
    """Where the results so far stand while a run to this file goes on."""
    return out.with_name(out.name + ".state.jsonl")


def _baseline(path: Path) -> Run:
    try:
        row = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as exc:
        raise InvalidRequest(
            f"{path.name} cannot be read as a run.", fix="Name a file that --out has written."
        ) from exc
    found = run_from_json(row)
    if not found.variants:
        raise InvalidRequest(f"{path.name} has no variant.", fix="Name a whole run.")
    return found


def _write(found: Run, source: Corpus | RunningProgram, options: argparse.Namespace) -> None:
    if options.out is not None:
        text = json.dumps(found.to_json(), ensure_ascii=True, indent=1) + "\n"
        _replace(options.out, text)
        state_path(options.out).unlink(missing_ok=True)
    if options.html is not None:
        from local_rag.evaluation.report import html_report

        _replace(options.html, html_report(found, source.page_image))


def _replace(path: Path, text: str) -> None:
    """Puts the file there in one step."""
    beside = path.with_name(path.name + ".part")
    try:
        beside.write_text(text, "utf-8", errors="replace", newline="\n")
        beside.replace(path)
    except OSError as exc:
        raise _unwritable(path, exc) from exc


def _unwritable(path: Path, error: OSError) -> EnvironmentFault:
    return EnvironmentFault(
        f"{path.name} cannot be written ({error.strerror}).",
        fix="Name another file, or make its folder.",
    )
