"""Claims held against what they cite: grouping, budget, policy, repair; without a network."""

from __future__ import annotations

import hashlib
import threading
from dataclasses import replace

import pytest
from decision_server import CONTRADICTED, INSUFFICIENT, SUPPORTED, UNSURE
from fakes import FakeDecisionModel
from hypothesis import given
from hypothesis import strategies as st
from test_cite import DOCUMENT, evidence

from local_rag.audit.question import POLICY_VERSION, PROMPT_VERSION
from local_rag.cite.number import kept_order, number_citations
from local_rag.errors import Cancelled, ModelServerFault, ModelServerUnreachable
from local_rag.model.answer import Claim, Draft, Support
from local_rag.model.audit import usage_of
from local_rag.model.document import Page
from local_rag.model.evidence import EQUAL, Ledger, LedgerRow
from local_rag.model.question import Part
from local_rag.usecases.audit import Auditor, repaired_claims

IDS = "abcdef"
ROWS = {one: evidence(one, f"Passage {one} tells of the harbour {one}.") for one in IDS}
PAGE = Page(1, "", None, 0, 0, ())


def page_of(_document_id, _page_number):
    return PAGE


def claim(text, *cited, part=0):
    return Claim(text, tuple(Support(one, 0, 9) for one in cited), part)


def ledger(*ids):
    rows = tuple(LedgerRow(ROWS[one], place < 2, "adds") for place, one in enumerate(ids))
    return Ledger(Part("What?"), rows, EQUAL)


def citations_of(claims):
    return number_citations(Draft(tuple(claims)), list(ROWS.values()), page_of)[1]


def audit(claims, judge=None, *, mode="observe", ledgers=None, model=None, **options):
    """The audits, and the states that the model was shown."""
    model = model or FakeDecisionModel(judge)
    ledgers = ledgers or [ledger(*IDS)] * 3
    auditor = Auditor(model, mode, **options)
    return auditor.audit(claims, citations_of(claims), ledgers), model.states


def always(p):
    return lambda claim, excerpts: p


def by_text(**wanted):
    """Judges by the letter of the passage, insufficient where none is named."""

    def judge(claim, excerpts):
        found = [
            p for one, p in wanted.items() if any(f"harbour {one}" in t for t in excerpts.values())
        ]
        return found[0] if found else INSUFFICIENT

    return judge


def test_claims_of_equal_cited_sets_share_a_request_and_keep_their_order():
    claims = [
        claim("One.", "a"),
        claim("Two.", "a", "b"),
        claim("Three.", "a"),
        claim("4.", "b", "a"),
    ]
    audits, states = audit(claims, always(SUPPORTED))
    assert [one.claim for one in audits] == ["One.", "Two.", "Three.", "4."]
    assert [list(state["claims"].values()) for state in states] == [
        ["One.", "Three."],
        ["Two.", "4."],
    ]
    assert [one.check.request for one in audits] == [1, 2, 1, 2]
    assert [len(state["cited_excerpts"]) for state in states] == [1, 2]


def test_a_shared_request_is_counted_once():
    audits, states = audit([claim("One.", "a"), claim("Two.", "a"), claim("3.", "b")])
    words = [len(str(state).split()) for state in states]
    usage = usage_of(audits)
    assert (usage.requests, usage.input_tokens, usage.output_tokens) == (2, sum(words), 3)
    assert audits[0].check.input_tokens == audits[1].check.input_tokens == words[0]


def test_claims_of_two_parts_share_no_request():
    audits, states = audit([claim("One.", "a"), claim("Two.", "a", part=1)])
    assert len(states) == 2
    assert [one.part for one in audits] == [0, 1]


def test_a_record_tells_what_was_sent_and_what_came_back():
    (one,), (state,) = audit([claim("One [3].", "b")], always(UNSURE), threshold=0.8)
    text = ROWS["b"].chunk.text
    assert state == {"claims": {"claim_1": "One."}, "cited_excerpts": {"1": text}}
    assert one.claim == "One."
    assert (one.threshold, one.policy_version, one.prompt_version) == (
        0.8,
        POLICY_VERSION,
        PROMPT_VERSION,
    )
    (excerpt,) = one.check.excerpts
    assert (excerpt.citation, excerpt.chunk_id) == (1, "b")
    assert excerpt.sha256 == hashlib.sha256(text.encode()).hexdigest()
    assert one.check.requested_model == one.check.returned_model == "fake-judge"
    assert one.check.assessment.p_supported == 0.6
    assert (one.check.status, one.check.action, one.check.error) == ("completed", "review", "")


def test_the_lead_of_a_table_goes_with_its_passage():
    row = replace(ROWS["a"], chunk=replace(ROWS["a"].chunk, lead="| Name | Depth |"))
    (citation,) = number_citations(Draft((claim("One.", "a"),)), [row], page_of)[1]
    model = FakeDecisionModel()
    Auditor(model, "observe").audit([claim("One.", "a")], [citation], [ledger("a")])
    assert model.states[0]["cited_excerpts"]["1"] == f"| Name | Depth |\n{row.chunk.text}"


@pytest.mark.parametrize(
    ("p", "action"),
    [
        (SUPPORTED, "keep"),
        (CONTRADICTED, "withhold"),
        (INSUFFICIENT, "withhold"),
        (UNSURE, "review"),
        ({"supported": 0.9, "contradicted": 0.1, "insufficient": 0.0}, "keep"),
        ({"supported": 0.899, "contradicted": 0.101, "insufficient": 0.0}, "review"),
        ({"supported": 0.1, "contradicted": 0.45, "insufficient": 0.45}, "review"),
    ],
)
def test_the_policy_suggests_by_probability(p, action):
    (one,), _ = audit([claim("One.", "a")], always(p))
    assert one.check.action == action


def test_nothing_is_sent_without_a_claim():
    audits, states = audit([])
    assert (audits, states) == ((), [])


def test_nothing_is_sent_where_something_cited_is_unknown():
    model = FakeDecisionModel()
    known = citations_of([claim("One.", "a")])
    (one,) = Auditor(model, "observe").audit([claim("One.", "a", "zz")], known, [ledger("a")])
    assert model.states == []
    assert (one.check.status, one.check.request) == ("unavailable", None)


class Clock:
    """Goes on by what each decision takes."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Timed(FakeDecisionModel):
    """Takes its time on the clock; gives up where it is not enough."""

    def __init__(self, clock, takes_s, judge=None) -> None:
        super().__init__(judge)
        self.clock = clock
        self.takes_s = takes_s

    def decide(self, state, questions, *, seconds, cancel=None):
        self.clock.now += min(self.takes_s, seconds)
        self.delay_s = 0.0 if self.takes_s <= seconds else seconds + 1
        return super().decide(state, questions, seconds=0.0 if self.delay_s else 9, cancel=cancel)


def test_a_budget_keeps_what_is_finished_and_leaves_the_rest_unavailable():
    clock = Clock()
    model = Timed(clock, 4.0)
    claims = [claim("One.", "a"), claim("Two.", "b"), claim("Three.", "c")]
    audits, _ = audit(claims, model=model, clock=clock, budget_s=5.0)
    assert clock.now == 5.0
    assert [one.check.status for one in audits] == ["completed", "unavailable", "unavailable"]
    assert [one.check.request for one in audits] == [1, 2, None]
    assert {one.check.error for one in audits[1:]} == {"The time for checks was over."}


def test_each_of_three_parts_has_a_budget_of_its_own_and_a_fourth_has_none():
    clock = Clock()
    claims = [claim(f"Claim {n}.", "a", part=n) for n in range(4)]
    audits, _ = audit(
        claims, model=Timed(clock, 4.0), clock=clock, budget_s=5.0, ledgers=[ledger("a")] * 4
    )
    assert [one.check.status for one in audits] == ["completed"] * 3 + ["unavailable"]
    assert "first three parts" in audits[3].check.error
    assert clock.now == 12.0


def test_repairs_share_the_budget_of_their_part():
    clock = Clock()
    model = Timed(clock, 2.0, always(INSUFFICIENT))
    (one,), _ = audit([claim("One.", "a")], model=model, clock=clock, mode="repair")
    assert clock.now == 5.0
    assert [check.status for check in one.repair.attempts] == [
        "completed",
        "unavailable",
        "unavailable",
    ]


@pytest.mark.parametrize(
    ("error", "sent"), [(ModelServerFault("Odd."), 3), (ModelServerUnreachable("Gone."), 1)]
)
def test_a_server_that_cannot_be_used_is_not_asked_again(error, sent):
    class Broken(FakeDecisionModel):
        def decide(self, state, *_, **__):
            self.states.append(state)
            raise error

    claims = [claim("One.", "a"), claim("Two.", "b"), claim("Three.", "c", part=1)]
    audits, states = audit(claims, model=Broken())
    assert len(states) == sent
    assert all(one.check.status == "unavailable" and one.check.error for one in audits)


def test_a_bug_costs_a_check_and_no_answer(caplog):
    class Buggy(FakeDecisionModel):
        def decide(self, *_, **__):
            raise RuntimeError("Passage a tells")

    (one,), _ = audit([claim("One.", "a")], model=Buggy())
    assert (one.check.status, one.check.error) == ("unavailable", "The check failed.")
    assert "tells" not in caplog.text
    assert "RuntimeError" in caplog.text


def test_a_cancelled_question_ends_the_checks():
    cancel = threading.Event()
    cancel.set()
    model = FakeDecisionModel()
    model.delay_s = 1.0
    claims = [claim("One.", "a")]
    with pytest.raises(Cancelled):
        Auditor(model, "observe").audit(claims, citations_of(claims), [ledger("a")], cancel=cancel)


# Repair


def test_the_first_passage_that_reaches_the_threshold_is_taken():
    judge = by_text(c=UNSURE, d=SUPPORTED, e=SUPPORTED)
    (one,), states = audit([claim("One.", "a")], judge, mode="repair")
    tried = [list(state["cited_excerpts"].values()) for state in states]
    assert tried == [[ROWS[i].chunk.text] for i in "abcd"]
    assert one.repair.succeeded
    assert one.repair.original.action == "withhold"
    assert [check.action for check in one.repair.attempts] == ["withhold", "review", "keep"]
    assert one.check == one.repair.attempts[-1]
    assert [e.chunk_id for e in one.check.excerpts] == ["d"]


@pytest.mark.parametrize("p", [SUPPORTED, CONTRADICTED, UNSURE])
def test_only_what_does_not_suffice_is_repaired(p):
    (one,), states = audit([claim("One.", "a")], always(p), mode="repair")
    assert one.repair is None
    assert len(states) == 1


def test_a_likeliest_insufficient_below_the_threshold_is_repaired_too():
    p = {"supported": 0.3, "contradicted": 0.2, "insufficient": 0.5}
    (one,), _ = audit([claim("One.", "a")], by_text(a=p, b=SUPPORTED), mode="repair")
    assert one.repair.original.action == "review"
    assert one.repair.succeeded


def test_where_nothing_bears_it_out_the_claim_keeps_what_it_cites():
    claims = [claim("One.", "a")]
    audits, states = audit(claims, always(INSUFFICIENT), mode="repair")
    assert len(states) == len(IDS)
    assert not audits[0].repair.succeeded
    assert audits[0].check == audits[0].repair.original
    assert repaired_claims(claims, audits, [ledger(*IDS)], "en") == (tuple(claims), ())


def test_a_passage_of_another_part_is_never_tried():
    ledgers = [ledger("a", "b"), ledger("c", "d")]
    claims = [claim("One.", "a"), claim("Two.", "c", part=1)]
    _, states = audit(claims, by_text(), mode="repair", ledgers=ledgers)
    tried = [next(iter(state["cited_excerpts"].values()))[-2] for state in states]
    assert tried == ["a", "b", "c", "d"]


def test_passages_that_no_writer_read_are_tried_too():
    judge = by_text(f=SUPPORTED)
    claims = [claim("The harbour f is deep.", "a")]
    audits, _ = audit(claims, judge, mode="repair")
    (moved,), rows = repaired_claims(claims, audits, [ledger(*IDS)], "en")
    assert [row.chunk.chunk_id for row in rows] == ["f"]
    assert {s.chunk_id for s in moved.supports} == {"f"}
    assert all(0 <= s.start < s.end <= len(ROWS["f"].chunk.text) for s in moved.supports)


def test_numbers_move_only_where_they_must():
    assert kept_order(["a", "b", "c"], [claim("1", "a"), claim("2", "d"), claim("3", "c")]) == [
        "a", "d", "c",
    ]  # fmt: skip
    assert kept_order(["a", "b"], [claim("1", "a"), claim("2", "d"), claim("3", "a", "b")]) == [
        "a", "b", "d",
    ]  # fmt: skip
    assert kept_order(["a", "b", "c"], [claim("1", "a"), claim("3", "c")]) == ["a", "c"]


CITED = st.lists(st.sampled_from(IDS), min_size=1, max_size=3, unique=True)
CLAIMS = st.lists(st.tuples(CITED, st.integers(0, 2)), min_size=1, max_size=5).map(
    lambda made: [
        claim(f"Claim {n} of the harbour.", *cited, part=part)
        for n, (cited, part) in enumerate(made)
    ]
)
RELATIONS = st.dictionaries(
    st.sampled_from(IDS), st.sampled_from([SUPPORTED, CONTRADICTED, UNSURE]), max_size=3
)


@given(CLAIMS, RELATIONS)
def test_a_repair_touches_neither_text_nor_ledger_and_markers_stay_a_bijection(claims, relations):
    ledgers = [ledger("a", "b", "c"), ledger("c", "d"), ledger("e", "f", "a")]
    shown = [tuple(one.rows) for one in ledgers]
    before = citations_of(claims)
    auditor = Auditor(FakeDecisionModel(by_text(**relations)), "repair")
    audits = auditor.audit(claims, before, ledgers)
    moved, _ = repaired_claims(claims, audits, ledgers, "en")
    assert [tuple(one.rows) for one in ledgers] == shown
    assert [one.text for one in moved] == [one.text for one in claims]
    assert [one.claim for one in audits] == [one.text for one in claims]
    for old, new, one in zip(claims, moved, audits, strict=True):
        if one.repair is None or not one.repair.succeeded:
            assert new == old
        else:
            own = {row.evidence.chunk.chunk_id for row in ledgers[old.part].rows}
            assert {s.chunk_id for s in new.supports} <= own
    ids = [citation.chunk.chunk_id for citation in before]
    text, after = number_citations(
        Draft(moved), list(ROWS.values()), page_of, kept_order(ids, moved)
    )
    numbers = {citation.chunk.chunk_id: citation.number for citation in after}
    assert sorted(numbers.values()) == list(range(1, len(after) + 1))
    assert numbers.keys() == {s.chunk_id for one in moved for s in one.supports}
    assert all(f"[{number}]" in text for number in numbers.values())
    if all(one in numbers for one in ids):
        assert [numbers[one] for one in ids] == list(range(1, len(ids) + 1))
    assert DOCUMENT.name not in str(auditor.model.states)
