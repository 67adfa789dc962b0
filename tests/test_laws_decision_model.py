"""The laws of ``ports.DecisionModel``, on the fake, over real HTTP, and from a file."""

from __future__ import annotations

import threading

import pytest
from decision_server import DecisionServer
from fakes import FakeDecisionModel

from local_rag.adapters.recorded_decisions import RecordedDecisions, RecordingDecisions
from local_rag.adapters.servers.systemone import SystemOne
from local_rag.errors import Cancelled, ModelTimeout
from local_rag.model.decision import ChoiceQuestion, NoulQuestion, ScoreQuestion

STATE = {"text": "The lighthouse was built in 1873.", "more": ["a", {"b": 1}]}
QUESTIONS = {
    "kind": ChoiceQuestion("What does `text` tell?", {"a year": "A date.", "a place": None}),
    "detail": ScoreQuestion("How detailed is `text`?", ("bare", "some", "much")),
    "old": NoulQuestion("Is it old?", "Over 100 years.", "Not so old."),
}


@pytest.fixture(params=["fake", "system one", "recorded"])
def model(request, tmp_path):
    if request.param == "fake":
        yield FakeDecisionModel()
        return
    with DecisionServer() as server:
        asked = SystemOne(server.url, "julia-1")
        if request.param == "recorded":
            path = tmp_path / "decisions.jsonl"
            RecordingDecisions(asked, path).decide(STATE, QUESTIONS, seconds=20)
            asked = RecordedDecisions(path)
        yield asked


def test_each_question_gets_an_answer_of_its_kind_and_no_other_does(model):
    decision = model.decide(STATE, QUESTIONS, seconds=20)
    assert list(decision.answers) == list(QUESTIONS)
    choice, score, noul = decision.answers.values()
    assert choice.probabilities.keys() == {"a year", "a place"}
    assert choice.probabilities[choice.choice] == max(choice.probabilities.values())
    assert sum(choice.probabilities.values()) == pytest.approx(1, abs=0.01)
    assert len(score.probabilities) == 3
    assert score.probabilities[score.level] == max(score.probabilities)
    assert 0 <= noul.p_yes <= 1


def test_what_a_decision_took_is_told(model):
    decision = model.decide(STATE, QUESTIONS, seconds=20)
    assert decision.model == model.info.model
    assert decision.input_tokens > 0
    assert decision.output_tokens > 0
    assert decision.elapsed_s >= 0


def test_no_question_is_no_request(model):
    with pytest.raises(ValueError, match="no question"):
        model.decide(STATE, {}, seconds=20)


def test_it_can_be_looked_at(model):
    model.check_usable(20)
    assert model.info.local


@pytest.fixture(params=["fake", "system one"])
def slow(request):
    if request.param == "fake":
        model = FakeDecisionModel()
        model.delay_s = 30
        yield model
        return
    with DecisionServer() as server:
        server.does.delay_s = 30
        yield SystemOne(server.url, "julia-1")
        server.stopped.set()


def test_one_that_takes_longer_than_allowed_is_a_timeout(slow):
    with pytest.raises(ModelTimeout):
        slow.decide(STATE, QUESTIONS, seconds=0.2)


def test_a_cancelled_call_ends(slow):
    cancel = threading.Event()
    threading.Timer(0.2, cancel.set).start()
    with pytest.raises(Cancelled):
        slow.decide(STATE, QUESTIONS, seconds=30, cancel=cancel)


@pytest.mark.parametrize("count", [0, 1, 256])
def test_a_choice_has_2_to_255_options(count):
    with pytest.raises(ValueError):
        ChoiceQuestion("Which?", {str(n): None for n in range(count)})


@pytest.mark.parametrize("count", [0, 1, 11])
def test_a_score_has_2_to_10_levels(count):
    with pytest.raises(ValueError):
        ScoreQuestion("How much?", ("level",) * count)
