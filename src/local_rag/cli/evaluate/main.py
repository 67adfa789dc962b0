"""``local-rag-eval COMMAND``: each command is a module that is imported when it is called."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_USAGE = """usage: local-rag-eval audit LABELS.jsonl [options]

Measures the program on labelled data; `local-rag-eval audit --help` lists the options.
Exit status: 0 all gates are kept, 1 one is missed, 2 nothing could be measured."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command; returns the exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_USAGE)
        return 0 if arguments else 2
    command, *rest = arguments
    if command != "audit":
        print(f"local-rag-eval: there is no command {command!r}.\n{_USAGE}", file=sys.stderr)
        return 2
    from local_rag.cli.evaluate.audit import audit
    from local_rag.cli.show import one_line
    from local_rag.errors import LocalRagError

    try:
        return audit(rest)
    except LocalRagError as error:
        print(f"local-rag-eval: {one_line(error)}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
