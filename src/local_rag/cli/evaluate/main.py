"""``local-rag-eval COMMAND``: each command is a module that is imported when it is called."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_COMMANDS = {
    "run": "[run] CASES.jsonl",
    "audit": "audit LABELS.jsonl",
    "beir": "beir FOLDER",
    "tune": "tune CASES.jsonl",
    "tests": "tests [CASES.jsonl]",
}
"""What each is called with; its module in this package has a function of its name."""

_INTERRUPTED = 130
_USAGE = "\n".join(
    (
        "usage: "
        + "\n       ".join(f"local-rag-eval {form} [options]" for form in _COMMANDS.values()),
        "",
        "Measures the program on labelled data; `local-rag-eval COMMAND --help` lists the options.",
        "Exit status: 0 all gates are kept, 1 one is missed, 2 nothing could be measured.",
    )
)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command; returns the exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_USAGE)
        return 0 if arguments else 2
    first = arguments[0]
    if first not in _COMMANDS and (first.startswith("-") or Path(first).is_file()):
        arguments.insert(0, "run")
    command, *rest = arguments
    if command not in _COMMANDS:
        print(
            f"local-rag-eval: there is no command and no file {command!r}.\n{_USAGE}",
            file=sys.stderr,
        )
        return 2
    from local_rag.cli.show import one_line
    from local_rag.errors import LocalRagError

    run = getattr(import_module(f"local_rag.cli.evaluate.{command}"), command)
    try:
        return int(run(rest))
    except LocalRagError as error:
        print(f"local-rag-eval: {one_line(error)}", file=sys.stderr)
    except OSError as error:  # a full disk among them; 1 would say that a gate is missed
        print(f"local-rag-eval: {error.strerror or type(error).__name__}", file=sys.stderr)
    except KeyboardInterrupt:
        print("local-rag-eval: stopped", file=sys.stderr)
        return _INTERRUPTED
    return 2


if __name__ == "__main__":
    sys.exit(main())
