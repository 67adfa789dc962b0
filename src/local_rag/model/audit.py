"""What is said of an answer's claims beside the answer: checks by a decision model, and flags."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

AuditMode = Literal["off", "observe", "repair"]
"""``observe``: claims are checked, the answer stays as it is; ``repair``: a claim whose passages
do not suffice may cite another one of its part instead."""

Relation = Literal["supported", "contradicted", "insufficient"]

Action = Literal["keep", "withhold", "review"]
"""What the policy suggests; nobody withholds anything by it."""

FlagKind = Literal["number", "date", "unit", "entity", "negation", "hedge", "overlap"]


@dataclass(frozen=True, slots=True)
class Assessment:
    """What the decision model makes of a claim and its excerpts.

    Attributes:
        relation: the likeliest one.
    """

    relation: Relation
    p_supported: float
    p_contradicted: float
    p_insufficient: float


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A passage as it was sent.

    Attributes:
        citation: its number in the answer; ``None`` where the answer does not cite it.
        sha256: of what was sent of it, UTF-8, lower hex.
    """

    citation: int | None
    chunk_id: str
    sha256: str


@dataclass(frozen=True, slots=True)
class AuditCheck:
    """One claim held against some excerpts.

    Attributes:
        action: ``None`` where the check is unavailable.
        request: which of the answer's requests it was, from 1; claims that share one share its
            id, its time and its token counts. ``None``: nothing was sent.
        requested_model, returned_model: as named in the request, and in the reply.
        request_id: the server's own name of the request.
        error: why it is unavailable, one sentence without any text of a document; else empty.
    """

    excerpts: tuple[Excerpt, ...]
    status: Literal["completed", "unavailable"]
    action: Action | None
    assessment: Assessment | None
    requested_model: str
    request: int | None = None
    returned_model: str | None = None
    request_id: str | None = None
    elapsed_s: float = 0.0
    input_tokens: int | None = None
    output_tokens: int | None = None
    error: str = ""


@dataclass(frozen=True, slots=True)
class Repair:
    """How other passages were tried for a claim.

    Attributes:
        original: the check of the claim as it was written.
        attempts: the checks with one other passage each, in the order of retrieval.
        succeeded: whether the last one bore the claim out, which cites that passage now.
    """

    original: AuditCheck
    attempts: tuple[AuditCheck, ...]
    succeeded: bool
    policy_version: str


@dataclass(frozen=True, slots=True)
class Audit:
    """All that is known of one claim.

    Attributes:
        claim: its text, without markers.
        part: which part of the question it answers, from 0.
        check: of the claim with the passages that the answer cites for it.
        threshold: the probability that the policy asks for.
    """

    claim: str
    part: int
    check: AuditCheck
    threshold: float
    policy_version: str
    prompt_version: str
    repair: Repair | None = None

    @property
    def checks(self) -> tuple[AuditCheck, ...]:
        """Every check that was made for it, in order."""
        if self.repair is None:
            return (self.check,)
        return (self.repair.original, *self.repair.attempts)


@dataclass(frozen=True, slots=True)
class AuditUsage:
    """What the checks of an answer took."""

    requests: int
    input_tokens: int
    output_tokens: int


def usage_of(audits: Iterable[Audit]) -> AuditUsage:
    """The sum over all requests, each counted once however many claims shared it."""
    counts = {
        check.request: (check.input_tokens or 0, check.output_tokens or 0)
        for audit in audits
        for check in audit.checks
        if check.request is not None
    }
    return AuditUsage(
        len(counts), sum(i for i, _ in counts.values()), sum(o for _, o in counts.values())
    )


def renumbered(audits: Iterable[Audit], numbers: Mapping[str, int]) -> tuple[Audit, ...]:
    """The audits with the citation numbers of the answer as it is now.

    Args:
        numbers: of each cited passage, by its chunk id.
    """

    def check_of(check: AuditCheck) -> AuditCheck:
        excerpts = (replace(e, citation=numbers.get(e.chunk_id)) for e in check.excerpts)
        return replace(check, excerpts=tuple(excerpts))

    def audits_of() -> Iterator[Audit]:
        for audit in audits:
            repair = audit.repair
            if repair is not None:
                repair = replace(
                    repair,
                    original=check_of(repair.original),
                    attempts=tuple(map(check_of, repair.attempts)),
                )
            yield replace(audit, check=check_of(audit.check), repair=repair)

    return tuple(audits_of())


_MESSAGES: dict[str, str] = {
    "number": "check the number {}: not in the cited text",
    "date": "check the date {}: not in the cited text",
    "unit": "check {}: not given in this unit in the cited text",
    "entity": "check the name {}: not in the cited text",
    "negation": "check the denial “{}”: not in the cited text",
    "hedge": "check how certain it is: the cited text says “{}”",
    "overlap": "check the whole statement: these words are not in the cited text: {}",
}


@dataclass(frozen=True, slots=True)
class ClaimFlag:
    """A doubt that rules have about a claim; no verdict, and no part of the audit.

    Attributes:
        claim: its text, without markers.
        citations: the numbers that it cites.
        kind: ``number``, ``date``, ``unit``, ``entity``, ``negation``: in the claim and not in
            the cited text; ``hedge``: in the cited text only; ``overlap``: hardly a word of the
            claim is in the cited text.
        surface: the words that it is about.
    """

    claim: str
    citations: tuple[int, ...]
    kind: FlagKind
    surface: str

    @property
    def message(self) -> str:
        """What to look at."""
        return _MESSAGES[self.kind].format(self.surface)
