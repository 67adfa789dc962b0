"""``local-rag``: serve the page, or use the library from the shell."""

from __future__ import annotations

import argparse
import io
import logging
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from local_rag import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

    from local_rag.settings import Settings

_ABOUT = ("-h", "--help", "--version")
_EXIT_FAILED = 1
_EXIT_ERROR = 2
_EXIT_INTERRUPTED = 130
_EXIT_TERMINATED = 143


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command; returns the exit status: 0 done, 1 some files failed, 2 an error."""
    words = list(sys.argv[1:] if argv is None else argv)
    if not words or (words[0].startswith("-") and words[0] not in _ABOUT):
        words.insert(0, "serve")
    arguments = _parser().parse_args(words)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a name may not fit the terminal's set
    from local_rag.cli.show import one_line
    from local_rag.errors import EnvironmentFault, LocalRagError
    from local_rag.settings import load_settings

    try:
        signal.signal(signal.SIGTERM, _end)
        settings = load_settings(**_overrides(arguments))
        logging.basicConfig(
            level=settings.log_level if arguments.command == "serve" else "WARNING",
            format="%(asctime)s %(levelname)s %(name)s %(message)s",
            stream=sys.stderr,
        )
        return _run(arguments, settings)
    except LocalRagError as error:
        print(f"local-rag: {one_line(error)}", file=sys.stderr)
        return _EXIT_ERROR
    except KeyboardInterrupt:
        return _EXIT_INTERRUPTED
    except BrokenPipeError:
        sys.stderr.close()  # whoever read our output has closed it: no traceback about that
        return _EXIT_FAILED
    except OSError as error:
        refused = EnvironmentFault(
            f"The system refused to read or write ({error.strerror or type(error).__name__}).",
            fix="See that the disk has room and that you may write in the data folder.",
        )
        print(f"local-rag: {one_line(refused)}", file=sys.stderr)
        return _EXIT_ERROR


def _end(_signal: int, _frame: FrameType | None) -> NoReturn:
    """Leaves as after Ctrl-C: files that are being written are finished or taken back."""
    sys.exit(_EXIT_TERMINATED)


def _parser() -> argparse.ArgumentParser:
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument(
        "--data-dir", type=Path, help="folder of the library (RAG_DATA_DIR; default: data)"
    )
    parser = argparse.ArgumentParser(
        prog="local-rag",
        description="Ask questions of your own documents on your own machine.",
        epilog="Without a command it serves the page. Settings: see .env.example.",
    )
    parser.add_argument("--version", action="version", version=f"local-rag {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    serve = commands.add_parser("serve", parents=[common], help="serve the page (the default)")
    serve.add_argument("--host", help="address to listen on (default: 127.0.0.1)")
    serve.add_argument(
        "--port", type=int, help="port to listen on, 0 for a free one (default: 8000)"
    )
    serve.add_argument("--no-browser", action="store_true", help="do not open the page")
    ask = commands.add_parser(
        "ask",
        parents=[common],
        help="answer one question from files, or from the library",
        description="With files: reads them, answers, forgets them. Without: asks the library.",
    )
    ask.add_argument("files", nargs="*", type=Path, metavar="FILE")
    ask.add_argument("question")
    ask.add_argument(
        "--format",
        choices=("text", "json", "markdown", "html"),
        default="text",
        help="how the answer is printed (default: text)",
    )
    ask.add_argument(
        "--json",
        action="store_const",
        const="json",
        dest="format",
        help="print the answer as the API gives it; the same as --format json",
    )
    ask.add_argument(
        "--conversation",
        metavar="ID",
        help="ask the library in this conversation, or in a new one for 'new', and keep the answer",
    )
    add = commands.add_parser("add", parents=[common], help="add files and folders to the library")
    add.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    listing = commands.add_parser("list", parents=[common], help="list the library")
    listing.add_argument("--json", action="store_true", help="print it as the API gives it")
    remove = commands.add_parser("remove", parents=[common], help="remove documents")
    remove.add_argument("names", nargs="+", metavar="NAME_OR_ID")
    from local_rag.cli.options import add_conversations

    add_conversations(commands, common)
    commands.add_parser(
        "reindex",
        parents=[common],
        help="embed the library with the configured model",
        description="Makes the search index anew from the stored texts, if it was made with "
        "another embedding model or an earlier tokenizer. A running server does so by itself.",
    )
    doctor = commands.add_parser(
        "doctor",
        parents=[common],
        help="look at each piece of the set-up",
        description="Says of each piece whether it works, and what mends it. "
        "Exit status 1: one that is configured does not work.",
    )
    doctor.add_argument("--json", action="store_true", help="print it as JSON")
    return parser


def _overrides(arguments: argparse.Namespace) -> dict[str, object]:
    given = {name: getattr(arguments, name, None) for name in ("data_dir", "host", "port")}
    overrides: dict[str, object] = {k: v for k, v in given.items() if v is not None}
    if getattr(arguments, "no_browser", False):
        overrides["open_browser"] = False
    return overrides


def _run(arguments: argparse.Namespace, settings: Settings) -> int:
    if arguments.command == "doctor":
        from local_rag.cli.doctor import doctor

        return doctor(settings, as_json=arguments.json)
    if not getattr(arguments, "files", None):  # files are asked without the library
        from local_rag.cli.data_folder import check_data_folder

        check_data_folder(settings.data_dir)
    if arguments.command == "serve":
        from local_rag.cli.serve import serve

        return serve(settings)
    if arguments.command == "conversations":
        from local_rag.cli.conversations import conversations

        return conversations(settings, arguments)
    if arguments.command == "ask":
        from local_rag.cli.ask import ask

        return ask(
            settings,
            arguments.files,
            arguments.question,
            form=arguments.format,
            conversation=arguments.conversation,
        )
    from local_rag.cli import commands

    if arguments.command == "add":
        return commands.add(settings, arguments.paths)
    if arguments.command == "list":
        return commands.list_documents(settings, as_json=arguments.json)
    if arguments.command == "reindex":
        return commands.reindex(settings)
    return commands.remove(settings, arguments.names)


if __name__ == "__main__":
    sys.exit(main())
