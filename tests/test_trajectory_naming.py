"""Ids of calls inside texts: they are new in every recording, and a step is named by its number."""

import time

import pytest

from reviewlib.trajectory import conversations
from reviewlib.trajectory.naming import LEAST
from tests.trajectory_calls import answered, asked, back, call, got, said, user, want


def run(name, *, between="", result="ok", **arguments):
    """A run of two calls: of a tool under an id, and of one that was told about it."""
    first = want("fetch", name, url="/a.png")
    opening = user("Fetch it")
    history = [opening, said(first), back(got(result, name)), *([user(between)] if between else [])]
    return conversations(
        [
            call(0, asked(opening), answered(first)),
            call(1, asked(*history), answered(want("describe", f"{name}-2", **arguments))),
        ]
    ).conversations


NAMES = ["toolu_01AbCdEfGh", "call_9f8e7d6c5b", "9X3Ws5q4O", "functions.fetch:00001"]


@pytest.mark.parametrize("name", NAMES)
def test_a_message_that_names_a_call_by_its_id_names_it_by_its_number(name):
    (told,) = run(name, between=f"Attachments from tool call {name}:")
    assert [step.text for step in told.steps if step.kind == "user_message"][-1] == "Attachments from tool call call-1:"


@pytest.mark.parametrize("name", NAMES)
def test_arguments_and_results_name_calls_by_their_numbers_too(name):
    (told,) = run(name, result=f"Error in {name}.", of=[{"call": name}], n=1)
    assert told.calls[0].result == "Error in call-1."
    assert told.calls[1].arguments == {"of": [{"call": "call-1"}], "n": 1}


def test_two_runs_that_differ_in_ids_alone_are_equal_step_by_step():
    one, other = (run(name, between=f"See {name}.", result={"id": name}, of=name) for name in NAMES[:2])
    assert [told.steps for told in one] == [told.steps for told in other]


@pytest.mark.parametrize("text", ["toolu_01AbCdEfGhX", "xtoolu_01AbCdEfGh", "toolu_01AbCdEfGh-9"])
def test_a_longer_word_that_holds_an_id_is_left_alone(text):
    (told,) = run("toolu_01AbCdEfGh", between=text)
    assert [step.text for step in told.steps if step.kind == "user_message"][-1] == text


@pytest.mark.parametrize("name", ["call_1", "describe-it"])
def test_a_short_id_or_one_that_reads_as_words_names_nothing(name):
    assert len("call_1") < LEAST
    (told,) = run(name, between=f"please {name} now")
    assert [step.text for step in told.steps if step.kind == "user_message"][-1] == f"please {name} now"


def test_an_id_that_two_calls_share_names_neither():
    calls = [want("fetch", "<redacted-0000>", n=n) for n in range(2)]
    opening = user("Fetch both")
    history = [opening, said(*calls), back(*(got("ok", "<redacted-0000>") for _ in calls)), user("of <redacted-0000>")]
    (told,) = conversations(
        [call(0, asked(opening), answered(*calls)), call(1, asked(*history), answered("Done."))]
    ).conversations
    assert [step.text for step in told.steps if step.kind == "user_message"][-1] == "of <redacted-0000>"


def test_thousands_of_calls_are_named_in_linear_time():
    names = [f"{number:04d}x{number * 7919 % 99991:05d}abc" for number in range(3000)]
    calls = [want("fetch", name, n=number) for number, name in enumerate(names)]
    results = back(*(got(f"{name} and more words {name}", name) for name in names))
    opening = user("Fetch all")
    made = [
        call(0, asked(opening), answered(*calls)),
        call(1, asked(opening, said(*calls), results), answered("Done.")),
    ]
    start = time.process_time()
    (told,) = conversations(made).conversations
    assert time.process_time() - start < 3
    assert told.calls[2999].result == "call-3000 and more words call-3000"
