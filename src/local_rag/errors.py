"""The errors that a person can meet, each with a stable code and a way out.

::

    LocalRagError
    ├── InputError               what was sent cannot be used (4xx)
    │   ├── UnsupportedType      unsupported-type       415
    │   ├── WrongContent         wrong-content          415
    │   ├── EmptyFile            empty-file             422
    │   ├── UnreadableFile       unreadable-file        422
    │   ├── PasswordRequired     password-required      422
    │   ├── NoText               no-text                422
    │   ├── TooLarge             too-large              413
    │   ├── UnknownDocument      unknown-document       404
    │   ├── UnknownPage          unknown-page           404
    │   ├── NoPageImage          no-page-image          404
    │   ├── UnknownJob           unknown-job            404
    │   ├── UnknownConversation  unknown-conversation   404
    │   ├── UnknownTurn          unknown-turn           404
    │   ├── UnknownCase          unknown-case           404
    │   ├── NoRun                no-run                 404
    │   ├── CaseChanged          case-changed           409
    │   ├── RunInProgress        run-in-progress        409
    │   ├── JobUnfinished        job-unfinished         409
    │   ├── NotRetryable         not-retryable          409
    │   ├── Cancelled            cancelled              409
    │   ├── InvalidQuestion      invalid-question       422
    │   └── InvalidRequest       invalid-request        422
    ├── RequestRefused           request-refused        403   a host or origin that is not ours
    └── EnvironmentFault         environment-fault      500   this machine or its set-up
        ├── StoreLocked          store-locked           503
        ├── StoreFault           store-fault            500
        ├── DiskFull             disk-full              507
        ├── ModelFault           model-fault            500
        │   └── ModelServerFault           model-server-fault         502
        │       ├── ModelServerUnreachable model-server-unreachable   503
        │       ├── ModelServerBusy        model-server-busy          503
        │       ├── ModelServerRefusal     model-server-refusal       502
        │       ├── ModelServerBrokeOff    model-server-broke-off     502
        │       ├── ModelMissing           model-missing              503
        │       ├── ModelTimeout           model-timeout              504
        │       └── PromptTooLong          prompt-too-long            500
        ├── ExtractionCrashed    extraction-crashed     500
        ├── Interrupted          interrupted            503
        └── IndexMismatch        index-mismatch         409

A message never holds document text, a key, or a path outside the data folder. ``fix`` says in
one sentence what to do.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Mapping


class LocalRagError(Exception):
    """Base of all expected failures.

    Attributes:
        code: stable, lower case with hyphens; what a client may test.
        status: the HTTP status that the API answers with.
        fix: what the person can do about it.
    """

    code: ClassVar[str] = "internal"
    status: ClassVar[int] = 500
    default_fix: ClassVar[str] = "Look at the program's log and try again."

    def __init__(self, message: str, *, fix: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix or self.default_fix


class InputError(LocalRagError):
    """Something that was sent cannot be used."""

    code = "invalid-input"
    status = 422
    default_fix = "Change what you sent and try again."


class UnsupportedType(InputError):
    """The file's kind is not one that can be read."""

    code = "unsupported-type"
    status = 415
    default_fix = "Save the file in a format that can be read, such as .pdf or .docx."


class WrongContent(InputError):
    """The file's bytes are not what its name says."""

    code = "wrong-content"
    status = 415
    default_fix = "Check that the file is complete and that its ending matches what is in it."


class EmptyFile(InputError):
    """The file has no bytes."""

    code = "empty-file"
    default_fix = "Send a file with content."


class UnreadableFile(InputError):
    """The file is damaged beyond repair or not decodable."""

    code = "unreadable-file"
    default_fix = "Open the file in its own program, save it again, and send the new copy."


class PasswordRequired(InputError):
    """The file opens with a password only."""

    code = "password-required"
    default_fix = "Give the password, or save a copy without it and send that."


class NoText(InputError):
    """The file was read and holds no text."""

    code = "no-text"
    default_fix = "Send a version of the document with a text layer."


class TooLarge(InputError):
    """The upload exceeds a limit; the message names it."""

    code = "too-large"
    status = 413
    default_fix = "Send a smaller file, or raise RAG_MAX_UPLOAD_MB."


class UnknownDocument(InputError):
    """No document has this id."""

    code = "unknown-document"
    status = 404
    default_fix = "List the documents and use one of their ids."


class UnknownPage(InputError):
    """The document has no such page."""

    code = "unknown-page"
    status = 404
    default_fix = "Ask for a page between 1 and the document's number of pages."


class NoPageImage(InputError):
    """The document's kind has no pages that could be drawn."""

    code = "no-page-image"
    status = 404
    default_fix = "Read the page's text instead."


class UnknownJob(InputError):
    """No job has this id."""

    code = "unknown-job"
    status = 404
    default_fix = "List the jobs and use one of their ids."


class UnknownConversation(InputError):
    """No conversation has this id."""

    code = "unknown-conversation"
    status = 404
    default_fix = "List the conversations and use one of their ids, or begin a new one."


class UnknownTurn(InputError):
    """The conversation has no question of this number."""

    code = "unknown-turn"
    status = 404
    default_fix = "Use a number between 1 and the conversation's turn_count."


class UnknownCase(InputError):
    """No golden case has this id."""

    code = "unknown-case"
    status = 404
    default_fix = "List the tests and use one of their ids."


class NoRun(InputError):
    """The tests were not run yet."""

    code = "no-run"
    status = 404
    default_fix = "Run the tests first."


class CaseChanged(InputError):
    """The golden case is not the one that was read, or asks what another one asks."""

    code = "case-changed"
    status = 409
    default_fix = "Open the test again and repeat the change."


class RunInProgress(InputError):
    """The tests are being run already."""

    code = "run-in-progress"
    status = 409
    default_fix = "Wait until that run ends, or stop it where it was begun."


class JobUnfinished(InputError):
    """The job has not ended yet."""

    code = "job-unfinished"
    status = 409
    default_fix = "Wait until it ends, or cancel it."


class NotRetryable(InputError):
    """The job's file is not kept."""

    code = "not-retryable"
    status = 409
    default_fix = "Send the file again."


class Cancelled(InputError):
    """The upload was cancelled; nothing of it is stored."""

    code = "cancelled"
    status = 409
    default_fix = "Send the file again if it is wanted after all."


class InvalidQuestion(InputError):
    """The question is empty or too long."""

    code = "invalid-question"
    default_fix = "Ask a question of 1 to 2,000 characters."


class InvalidRequest(InputError):
    """A field of the request is missing, unknown or out of its range."""

    code = "invalid-request"


class RequestRefused(LocalRagError):
    """The request came from another site or was addressed to another host."""

    code = "request-refused"
    status = 403
    default_fix = "Open the app at the address that it printed when it started."


class EnvironmentFault(LocalRagError):
    """This machine, its disk or the set-up is at fault."""

    code = "environment-fault"


class StoreLocked(EnvironmentFault):
    """Another process has the data folder open."""

    code = "store-locked"
    status = 503
    default_fix = (
        "Stop the other local-rag, or give this one a folder of its own with RAG_DATA_DIR."
    )


class StoreFault(EnvironmentFault):
    """The catalogue or the index cannot be read or written."""

    code = "store-fault"


class DiskFull(EnvironmentFault):
    """The disk of the data folder has too little space left."""

    code = "disk-full"
    status = 507
    default_fix = "Make space on the disk, or move the data folder and set RAG_DATA_DIR."


class ModelFault(EnvironmentFault):
    """A model file is missing, altered or does not run."""

    code = "model-fault"
    default_fix = "Install the program again; the model's files are part of its packages."


class ModelServerFault(ModelFault):
    """A model server answered with something that is no answer, or broke off.

    Attributes:
        http_status: its status; 0 where that is not at fault.
        headers: those that came with the status; never to be shown.
        request_id: the server's own name of the request, where it gave one.
    """

    code = "model-server-fault"
    status = 502
    http_status = 0
    headers: Mapping[str, str] = MappingProxyType({})
    request_id: str | None = None
    default_fix = "See the model server's own log, and try again."


class ModelServerUnreachable(ModelServerFault):
    """No model server answers at the configured address, or it does not let us in."""

    code = "model-server-unreachable"
    status = 503


class ModelServerBusy(ModelServerFault):
    """The model server has no room for the request at the moment."""

    code = "model-server-busy"
    status = 503
    default_fix = "Wait a little and try again."


class ModelServerRefusal(ModelServerFault):
    """The model server takes the request for wrong.

    Attributes:
        said: its words, cut, lower case: to tell the cause by, never to be shown.
    """

    code = "model-server-refusal"
    said = ""


class ModelServerBrokeOff(ModelServerFault):
    """The connection ended within the answer."""

    code = "model-server-broke-off"


class ModelMissing(ModelServerFault):
    """The model server has no such model; ``fix`` is the command that installs it."""

    code = "model-missing"
    status = 503


class ModelTimeout(ModelServerFault):
    """The model took too long."""

    code = "model-timeout"
    status = 504
    default_fix = (
        "Try again: a model that was just loading answers sooner the second time. "
        "Else raise RAG_REQUEST_TIMEOUT or take a smaller model."
    )


class PromptTooLong(ModelServerFault):
    """The prompt does not fit into the model's window, or the server cut it."""

    code = "prompt-too-long"
    status = 500
    default_fix = "Lower RAG_TOP_K, or take a model, or a server's setting, with a larger context."


class ExtractionCrashed(EnvironmentFault):
    """The process that reads files died or ran out of time on this file."""

    code = "extraction-crashed"
    default_fix = "Save the file again with another program and send the new copy."


class Interrupted(EnvironmentFault):
    """The program ended while it worked on this file."""

    code = "interrupted"
    status = 503
    default_fix = "Start the program again; if the file ends it each time, leave the file out."


class IndexMismatch(EnvironmentFault):
    """The index was made with another embedding model or tokenizer than the configured one."""

    code = "index-mismatch"
    status = 409
    default_fix = "Set the embedding model back, or remove the documents and add them again."


def error_of(code: str, message: str, fix: str) -> LocalRagError:
    """The error that was recorded, or came from another process, by its code, message and fix."""
    return _by_code(LocalRagError).get(code, LocalRagError)(message, fix=fix)


def _by_code(base: type[LocalRagError]) -> dict[str, type[LocalRagError]]:
    """Those of this module; what others derive from them has the same codes."""
    found = {base.code: base} if base.__module__ == __name__ else {}
    for child in base.__subclasses__():
        found = _by_code(child) | found
    return found
