"""Whether the same test would send the same again."""

from datetime import UTC, datetime
from time import perf_counter

import pytest

from reviewlib.model.call import ToolSchema
from tests.checks.judging import made, since, told
from tests.trajectories import T, call

MOMENT = datetime(2026, 6, 3, 12, 30, tzinfo=UTC).timestamp()
GET = call("get_order", {"order_id": "4471"}, {"total": 39})
DONE = T(text="Done.")
ONE, TWO = ("3f2b8c1e-0d4a-4c53-9a77-1b6f0e2d9c10", "9c10e2d1-77aa-4c53-8c1e-b6f03f2b0d4a")


def prompted(system="You are a support agent.", run="a", **more):
    return made(GET, DONE, run=run, system=system, **more)


NOW = {
    "the minute of the recording": ("It is 2026-06-03T12:29:58Z.", True),
    "the day of the recording": ("Today is 2026-06-03.", True),
    "a moment of the same day elsewhere": ("It is 2026-06-04 01:00:00+12:00.", True),
    "the recording's second": (f"Now: {int(MOMENT) - 20}", True),
    "the recording's millisecond": (f"Now: {int(MOMENT)}123", True),
    "another day": ("The policy is of 2026-01-31.", False),
    "a day that is none": ("See 2026-06-39, and 2026-19-03.", False),
    "a name with the day in it": ("The model is gpt-x-2026-06-03-mini.", False),
    "a number like a second": ("Order 1893456000 is late.", False),
    "no moment": ("You are a support agent.", False),
}


@pytest.mark.parametrize("case", NOW)
def test_a_system_prompt_that_holds_the_moment_of_its_recording_is_told(case):
    system, seen = NOW[case]
    assert since("volatile-key", None, prompted(system, recorded_at=MOMENT)) == ["new"] * seen


def test_without_a_time_of_recording_a_moment_may_be_a_fixed_one():
    assert since("volatile-key", None, prompted("Today is 2026-06-03.")) == []


BETWEEN = {
    "moments": ("It is 2026-06-03T12:29:58Z.", "It is 2026-07-01T08:00:00Z.", "a moment"),
    "seconds": ("Now: 1780489800", "Now: 1780999999", "a moment"),
    "UUIDs": (f"Session {ONE}.", f"Session {TWO}.", "a UUID"),
    "clock times": ("At 12:29:58.", "At 09:00:01.", "a clock time"),
    "ids": ("session_id: a81f-2290ff", "session_id: 77c0-1102ab", "an id"),
    "a UUID and a word": (f"Session {ONE}.", f"Run {TWO}.", None),
    "words": ("Be kind.", "Be quick.", None),
    "an order": ("Refund order 4471.", "Refund order 4472.", None),
    "a moment that is gone": ("It is 2026-06-03T12:29:58Z.", "It is now.", None),
}


@pytest.mark.parametrize("case", BETWEEN)
def test_prompts_that_differ_in_nothing_but_what_every_run_makes_anew_are_told(case):
    before, after, what = BETWEEN[case]
    found = told("volatile-key", prompted(before), prompted(after, run="b"))
    said = f"the system prompt differs in {what} only: it is another one in every run"
    assert found == ([("new", said)] if what else [])


def test_a_user_message_and_parameters_are_looked_at_too():
    one, other = (made(DONE, run=run, user=f"Ticket {uuid}") for run, uuid in (("a", ONE), ("b", TWO)))
    assert [message[:27] for _, message in told("volatile-key", one, other)] == ["the user message differs in"]
    one, other = (prompted(run=run, parameters={"metadata": {"session_id": run * 9}}) for run in "ab")
    assert [message[:33] for _, message in told("volatile-key", one, other)] == ["a parameter differs in an id only"]
    one, other = (prompted(run=run, parameters={"max_tokens": limit}) for run, limit in (("a", 512), ("b", 1024)))
    assert since("volatile-key", one, other) == []


def test_hostile_lengths_are_not_searched():
    one, other = (made(DONE, run=run, system=f"{uuid} " + "x" * 100_001) for run, uuid in (("a", ONE), ("b", TWO)))
    assert since("volatile-key", one, other) == []


def test_prompts_that_are_made_to_keep_a_judge_busy_do_not():
    hostile = ("session-" * 12_000, "session " + "a" * 99_000, "2026-" * 20_000, "1" * 99_000, "12:34:" * 16_000)
    begun = perf_counter()
    for text in hostile:
        assert since("volatile-key", prompted(text + "1", recorded_at=MOMENT), prompted(text + "2", run="b")) == []
    assert perf_counter() - begun < 10


TOOLS = tuple(ToolSchema(name=name) for name in ("check_policy", "get_order", "issue_refund"))


def test_the_same_tools_in_another_order_are_told_between_recordings_and_between_turns():
    sorted_, turned = prompted(tools=TOOLS), prompted(tools=TOOLS[::-1], run="b")
    assert since("volatile-key", sorted_, turned) == ["new"]
    assert since("volatile-key", sorted_, prompted(tools=TOOLS, run="b")) == []
    assert since("volatile-key", sorted_, prompted(tools=TOOLS[:2], run="b")) == []
    between_turns = prompted(tools=TOOLS, changes={2: {"tools": TOOLS[::-1]}})
    assert since("volatile-key", None, between_turns) == ["new"]
    assert since("volatile-key", None, prompted(tools=TOOLS, changes={2: {"tools": TOOLS[1:]}})) == []


SAMPLING = {
    "nothing set": ({}, "claude-sonnet-4-0", "anthropic", True),
    "a temperature": ({"temperature": 0.7}, "claude-sonnet-4-0", "anthropic", True),
    "a temperature of 0": ({"temperature": 0}, "claude-sonnet-4-0", "anthropic", False),
    "a temperature of 0.0, one level down": (
        {"generationConfig": {"temperature": 0.0}},
        "gemini-3.5-flash",
        "gemini",
        False,
    ),
    "a seed": ({"seed": 7, "temperature": 1}, "gpt-4o", "openai_chat", False),
    "no seed": ({"seed": None}, "gpt-4o", "openai_chat", True),
    "a reasoning model": ({}, "o3-mini", "openai_chat", False),
    "gpt-5": ({}, "gpt-5-mini", "openai_responses", False),
    "a model that refuses a temperature": ({}, "claude-opus-4-8", "anthropic", False),
    "thinking": ({"thinking": {"type": "enabled"}}, "claude-sonnet-4-0", "anthropic", False),
    "a provider that is not known": ({}, "grok-9", "xai", False),
    "parameters that are not recorded": (None, "claude-sonnet-4-0", "anthropic", False),
}


@pytest.mark.parametrize("case", SAMPLING)
def test_sampling_is_unpinned_where_the_model_takes_a_temperature_and_none_of_0_is_sent(case):
    parameters, model, provider, seen = SAMPLING[case]
    one = made(DONE, model=model, parameters=parameters, changes={1: {"provider": provider}})
    assert since("unpinned-sampling", None, one) == ["new"] * seen


def test_the_requests_that_are_left_to_chance_are_counted():
    one = made(
        GET, DONE, model="gpt-4o", parameters={}, changes={1: {"provider": "openai_chat", "parameters": {"seed": 1}}}
    )
    ((_, message),) = told("unpinned-sampling", None, one)
    assert message.startswith("1 of 2 requests")
