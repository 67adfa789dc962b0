"""Follow-up questions that are made to stand by themselves, and models that make them wrong."""

from __future__ import annotations

import json
import threading

import pytest
from fakes import FakeChatModel

from local_rag.errors import Cancelled, ModelServerUnreachable
from local_rag.retrieve.understand import understand
from local_rag.usecases.standalone import standalone

HISTORY = [("When was the lighthouse of Tarbet built?", "It was built in 1873. [1]")]
FOLLOW_UP = "And how high is it?"
BY_RULE = understand(FOLLOW_UP, HISTORY[0][0])


def says(question):
    return FakeChatModel((json.dumps({"question": question}),))


def test_a_model_makes_a_follow_up_stand_by_itself():
    chat = says("How high is the lighthouse of Tarbet?")
    found = standalone(FOLLOW_UP, HISTORY, chat)
    assert found == understand("How high is the lighthouse of Tarbet?")
    (prompt,) = chat.prompts
    assert FOLLOW_UP in prompt[-1].content
    assert HISTORY[0][0] in prompt[-1].content


@pytest.mark.parametrize(
    "question",
    [
        "Who painted the sunflowers?",  # nothing of the follow-up
        "How high is the lighthouse of Oban?",  # a name that nobody said
        "How high was the lighthouse in 1901?",  # a year that nobody said
        "How high is the lighthouse? " * 20,
        "",
        7,
        None,
        ["How high is it?"],
    ],
)
def test_what_a_model_makes_up_is_not_asked(question):
    assert standalone(FOLLOW_UP, HISTORY, says(question)) == BY_RULE


@pytest.mark.parametrize(
    "reply", ["", "How high is it?", '{"question": "How', "{}", "[{}]", "{" * 9]
)
def test_a_reply_of_another_form_falls_back_to_the_rule(reply):
    assert standalone(FOLLOW_UP, HISTORY, FakeChatModel((reply,))) == BY_RULE


def test_a_number_of_the_follow_up_must_stay():
    follow_up = "And what happened to it in 1901?"
    rewritten = says("What happened to the lighthouse of Tarbet?")
    assert standalone(follow_up, HISTORY, rewritten) == understand(follow_up, HISTORY[0][0])


def test_a_question_that_stands_by_itself_asks_no_model():
    chat = says("How high is the lighthouse of Tarbet?")
    question = "What does the annual report say about harbour fees?"
    assert standalone(question, HISTORY, chat) == understand(question)
    assert standalone("How high is it?", [], chat) == understand("How high is it?")
    assert chat.prompts == []


def test_without_a_model_and_with_a_failing_one_the_rule_holds():
    class Gone(FakeChatModel):
        def complete(self, *_, **__):
            raise ModelServerUnreachable("Nobody is there.")

    assert standalone(FOLLOW_UP, HISTORY, None) == BY_RULE
    assert standalone(FOLLOW_UP, HISTORY, Gone()) == BY_RULE
    assert BY_RULE.parts[0].context == HISTORY[0][0]


def test_cancelling_passes_on():
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Cancelled):
        standalone(FOLLOW_UP, HISTORY, says("How high is the lighthouse?"), cancel=cancel)
