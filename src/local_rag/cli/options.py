"""The options of ``local-rag conversations``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any


def add_conversations(commands: Any, common: argparse.ArgumentParser) -> None:
    """Adds the command.

    Args:
        commands: where it is added to, of ``add_subparsers``.
        common: options that every command has.
    """
    parser = commands.add_parser(
        "conversations",
        parents=[common],
        help="list, show, rename, delete and export conversations",
        description="Without an action: lists them. Works beside a running program.",
    )
    parser.add_argument("--json", action="store_true", help="print them as the API gives them")
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    # What stands before the action counts, unless it stands after it too.
    after = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    after.add_argument("--data-dir", type=Path, help=argparse.SUPPRESS)

    show = actions.add_parser("show", parents=[after], help="print a conversation")
    show.add_argument("id", metavar="ID")
    show.add_argument(
        "--json",
        action="store_true",
        default=argparse.SUPPRESS,
        help="print it as the API gives it",
    )

    rename = actions.add_parser("rename", parents=[after], help="give a conversation another title")
    rename.add_argument("id", metavar="ID")
    rename.add_argument("title", metavar="TITLE")

    delete = actions.add_parser("delete", parents=[after], help="delete conversations")
    delete.add_argument("ids", nargs="+", metavar="ID")

    export = actions.add_parser(
        "export", parents=[after], help="write a conversation, or one answer, to a file"
    )
    export.add_argument("id", metavar="ID")
    export.add_argument("--turn", type=int, metavar="N", help="only its question number N")
    export.add_argument(
        "--format",
        choices=("markdown", "html", "json"),
        default="markdown",
        help="form of the file (default: markdown)",
    )
    export.add_argument(
        "--pages", action="store_true", help="html only: with pictures of the cited pages"
    )
    export.add_argument(
        "-o",
        dest="output",
        type=Path,
        metavar="FILE",
        help="file to write, or a folder to write it into; else it is printed",
    )
