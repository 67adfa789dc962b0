"""``local-rag-eval-data``: makes, checks, reviews, freezes and compares golden sets."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from local_rag.cli.show import counted, one_line
from local_rag.errors import InvalidRequest, LocalRagError
from local_rag.evaluation.cases import read_cases, write_cases
from local_rag.evaluation.review import approved, rejected
from local_rag.text.names import one_visible_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.evaluation.sources import SourceText

_PROG = "local-rag-eval-data"


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command; returns the exit status."""
    options = _parser().parse_args(argv)
    try:
        return int(options.run(options))
    except LocalRagError as error:
        print(f"{_PROG}: {one_line(error)}", file=sys.stderr)
    except OSError as error:
        print(f"{_PROG}: {error.strerror or error}", file=sys.stderr)
    except KeyboardInterrupt:
        print(f"{_PROG}: stopped", file=sys.stderr)
    return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=_PROG,
        description="Golden sets, JSON lines: candidates from documents, their review, releases. "
        "Exit status: 0 done, 1 rules are broken or sets differ, 2 it could not be done.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    generate = commands.add_parser("generate", help="candidates from the texts of documents")
    generate.add_argument("source", type=Path, metavar="SOURCE", help="a file, or a folder of them")
    generate.add_argument("out", type=Path, metavar="OUT", help="the set to write")
    generate.add_argument(
        "--force", action="store_true", help="make the candidates of OUT anew; reviewed cases stay"
    )
    generate.add_argument("--most", type=int, default=20, help="of a document (default: 20)")
    generate.add_argument("--dataset-version", default="1", help="of the new cases (default: 1)")
    generate.set_defaults(run=_generate)

    validate = commands.add_parser("validate", help="name each broken rule with its line")
    _add_set(validate)
    _add_documents(validate)
    validate.set_defaults(run=_validate)

    review = commands.add_parser("review", help="decide case by case, the source first")
    _add_set(review)
    _add_reviewer(review)
    _add_documents(review)
    review.set_defaults(run=_review)

    for name, verdict in (("approve", approved), ("reject", rejected)):
        decide = commands.add_parser(name, help=f"{name} cases by their ids")
        _add_set(decide)
        decide.add_argument("ids", nargs="+", metavar="ID")
        _add_reviewer(decide)
        decide.set_defaults(run=_decide, verdict=verdict)

    freeze = commands.add_parser("freeze", help="write the approved cases and their manifest")
    _add_set(freeze)
    freeze.add_argument("out", type=Path, metavar="OUT", help="the release to write")
    freeze.add_argument("--version", help="of the release (default: that of its cases)")
    freeze.set_defaults(run=_freeze)

    compare = commands.add_parser("diff", help="what B has that A has not, and the other way")
    compare.add_argument("before", type=Path, metavar="A")
    compare.add_argument("after", type=Path, metavar="B")
    compare.set_defaults(run=_diff)
    return parser


def _add_set(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="the set")


def _add_reviewer(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--reviewer", required=True, metavar="NAME", help="who decides")


def _add_documents(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--documents", type=Path, metavar="DIR", help="the documents that the set is about"
    )


def _generate(options: argparse.Namespace) -> int:
    from local_rag.cli.evaluate.data_generate import generate

    return generate(
        options.source,
        options.out,
        force=options.force,
        most=options.most,
        dataset_version=options.dataset_version,
    )


def _validate(options: argparse.Namespace) -> int:
    import re

    from local_rag.evaluation.cases import checked_lines
    from local_rag.evaluation.release import broken_against, broken_manifest

    try:
        text = options.file.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as exc:
        raise InvalidRequest(
            f"{options.file.name} cannot be read.", fix="Name a file of JSON lines in UTF-8."
        ) from exc
    cases, wrong = checked_lines(re.split(r"\r?\n", text))
    wrong += broken_manifest(options.file, cases)
    if options.documents is not None:
        wrong += broken_against(cases, _read(options.documents))
    for line in wrong:
        print(one_visible_line(line))
    print(f"{counted(len(cases), 'case')}, {counted(len(wrong), 'broken rule')}")
    return 1 if wrong else 0


def _review(options: argparse.Namespace) -> int:
    from local_rag.cli.evaluate.data_review import review

    texts = _read(options.documents) if options.documents is not None else []
    return review(options.file, options.reviewer, texts)


def _decide(options: argparse.Namespace) -> int:
    cases = read_cases(options.file)
    known = {case.case_id for case in cases}
    if missing := [one for one in options.ids if one not in known]:
        raise InvalidRequest(
            f"{options.file.name} has no case {', '.join(missing)}.",
            fix="Name ids of its cases; nothing was changed.",
        )
    now = datetime.now(UTC)
    wanted = set(options.ids)
    new = [
        options.verdict(case, options.reviewer, now) if case.case_id in wanted else case
        for case in cases
    ]
    write_cases(options.file, new)
    status = "approved" if options.verdict is approved else "rejected"
    print(f"{counted(len(wanted), 'case')} {status} by {one_visible_line(options.reviewer)}")
    return 0


def _freeze(options: argparse.Namespace) -> int:
    from local_rag.evaluation.release import freeze, manifest_path

    made = freeze(options.file, options.out, options.version)
    print(f"{options.out.name}: {counted(made['counts']['cases'], 'case')}, {made['sha256']}")
    print(f"{manifest_path(options.out).name}: {counted(len(made['sources']), 'source')}")
    return 0


def _diff(options: argparse.Namespace) -> int:
    from local_rag.evaluation.release import diff

    found = diff(read_cases(options.before), read_cases(options.after))
    lines = [f"+ {case_id}" for case_id in found.added]
    lines += [f"- {case_id}" for case_id in found.removed]
    lines += [f"~ {case_id}: {', '.join(fields)}" for case_id, fields in found.changed.items()]
    lines += [f"~ {case_id}: {old} → {new}" for case_id, (old, new) in found.status.items()]
    for line in lines:
        print(one_visible_line(line))
    print(
        f"{len(found.added)} added, {len(found.removed)} removed, {len(found.changed)} changed, "
        f"{len(found.status)} of another status"
    )
    return 1 if found else 0


def _read(folder: Path) -> list[SourceText]:
    """The texts of the documents; what cannot be read is said and left out."""
    from local_rag.beside import open_extractor
    from local_rag.evaluation.sources import find_sources, read_sources
    from local_rag.settings import load_settings

    texts = []
    with open_extractor(load_settings()) as extractor:
        for source, read in read_sources(find_sources(folder), extractor):
            if isinstance(read, LocalRagError):
                print(f"{source.name}: {one_line(read)}", file=sys.stderr)
            else:
                texts.append(read)
    return texts


if __name__ == "__main__":
    sys.exit(main())
