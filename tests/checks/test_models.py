"""Which model an alias stands for, how long one will answer, and who answered."""

from datetime import UTC, date, datetime

import pytest

from reviewlib.checks.retirements import RETIREMENTS
from tests.checks.judging import given, made, since, told
from tests.trajectories import T, call

GET = call("get_order", {"order_id": "4471"}, {"total": 39})


def asked(name, served, run="a", **more):
    return made(T(text="Done.", requested=name, model=served), run=run, **more)


DRIFTS = {
    "another snapshot answered to the alias": ("gpt-4o", "gpt-4o-2024-08-06", "gpt-4o", "gpt-4o-2024-11-20", True),
    "the same snapshot answered": ("gpt-4o", "gpt-4o-2024-08-06", "gpt-4o", "gpt-4o-2024-08-06", False),
    "another alias was asked for": ("gpt-4o", "gpt-4o-2024-08-06", "gpt-4.1", "gpt-4.1-2025-04-14", False),
    "the snapshot was asked for by its name": ("gpt-4o", "gpt-4o", "gpt-4o", "gpt-4o-2024-11-20", False),
    "another family answered": ("router", "gpt-4o-2024-08-06", "router", "claude-sonnet-5", False),
    "who answered is not recorded": ("gpt-4o", None, "gpt-4o", "gpt-4o-2024-11-20", False),
}


@pytest.mark.parametrize("case", DRIFTS)
def test_an_alias_drifts_where_another_version_of_the_same_family_answers_to_it(case):
    name, served, other_name, other_served, seen = DRIFTS[case]
    one = asked(name, served) if served else made(T(text="x", requested=name), changes={1: {"model": None}})
    assert since("alias-drift", one, asked(other_name, other_served, run="b")) == ["new"] * seen


def test_a_drifted_alias_names_what_answered_before_and_now():
    pair = asked("gpt-4o", "gpt-4o-2024-08-06"), asked("gpt-4o", "gpt-4o-2024-11-20", run="b")
    ((_, message),) = told("alias-drift", *pair)
    assert (
        message == "gpt-4o was asked for on both sides; gpt-4o-2024-08-06 answered before, gpt-4o-2024-11-20 does now"
    )


def test_a_model_is_told_from_a_month_before_its_last_day_on():
    one = asked("claude-opus-4-1", "claude-opus-4-1-20250805")
    assert RETIREMENTS["claude-opus-4-1"] == date(2026, 8, 5)
    for day, seen in ((date(2026, 7, 5), False), (date(2026, 7, 6), True), (date(2026, 8, 5), True)):
        today = datetime(day.year, day.month, day.day, tzinfo=UTC)
        assert since("retired-model", None, one, given(today=today)) == ["new"] * seen, day


def test_before_the_last_day_another_model_is_advised_and_after_it_that_this_cannot_be_recorded():
    one = asked("claude-opus-4-1", "claude-opus-4-1-20250805")
    days = [datetime(2026, 8, day, tzinfo=UTC) for day in (4, 5)]
    assert [told("retired-model", None, one, given(today=day))[0][1] for day in days] == [
        "claude-opus-4-1 answers until 2026-08-05: record with another in time",
        "claude-opus-4-1 has not answered since 2026-08-05: this cannot be recorded again",
    ]


def test_a_retired_model_is_new_where_only_head_asks_for_it_and_told_once():
    gone, there = asked("gpt-4", "gpt-4-0613"), asked("claude-sonnet-5", "claude-sonnet-5")
    twice = made(GET, T(text="x"), model="gpt-4")
    assert [since("retired-model", *pair) for pair in ((there, gone), (gone, gone), (gone, there), (None, twice))] == [
        ["new"],
        ["known"],
        ["gone"],
        ["new"],
    ]


@pytest.mark.parametrize(
    "model", ["openai/gpt-4", "anthropic.claude-3-haiku-20240307-v1:0", "my-deployment", "gpt-4-mine"]
)
def test_a_model_by_another_route_or_of_another_name_is_not_judged(model):
    assert since("retired-model", None, asked(model, "gpt-4-0613")) == []


def test_googles_own_way_to_write_a_name_is_understood():
    assert since("retired-model", None, asked("models/gemini-1.5-pro", "gemini-1.5-pro-002")) == ["new"]


@pytest.mark.parametrize(
    ("uri", "seen"),
    [
        ("https://api.openai.com/v1/chat/completions", True),
        ("https://gateway.example.com/v1/chat/completions", True),
        ("https://shop.openai.azure.com/openai/deployments/gpt-4/chat/completions", False),
        ("https://us-east5-aiplatform.googleapis.com/v1/projects/x", False),
        ("https://example.com/?next=//azure.com/", True),
    ],
)
def test_resellers_have_calendars_of_their_own(uri, seen):
    assert since("retired-model", None, asked("gpt-4", "gpt-4-0613", uri=uri)) == ["new"] * seen


def test_a_project_adds_models_and_sets_the_notice():
    one = asked("my-finetune", "my-finetune")
    assert since("retired-model", None, one, given(retired_models={"my-finetune": date(2026, 12, 20)})) == ["new"]
    late = given(retired_models={"my-finetune": date(2026, 12, 20)}, retirement_notice_days=5)
    assert since("retired-model", None, one, late) == []


def test_the_table_of_retirements_has_each_model_once_with_a_day():
    assert len(RETIREMENTS) > 140
    assert all(date(2024, 1, 1) <= day <= date(2028, 1, 1) for day in RETIREMENTS.values())
    assert not any(" " in model or "/" in model for model in RETIREMENTS)


MIXED = {
    "two vendors": ({2: {"provider": "openai_chat"}}, True),
    "two APIs of one vendor": ({1: {"provider": "openai_chat"}, 2: {"provider": "openai_responses"}}, False),
    "one vendor": ({}, False),
    "a framework that hides the vendor": ({2: {"provider": "pydantic_ai"}}, False),
    "a vendor that only refused": ({2: {"provider": "openai_chat", "http_status": 529}}, False),
    "an answer that is not in the cassette": ({2: {"provider": "openai_chat", "recorded": False}}, False),
}


@pytest.mark.parametrize("case", MIXED)
def test_a_conversation_is_mixed_where_two_vendors_answered_in_it(case):
    changes, seen = MIXED[case]
    assert since("mixed-providers", None, made(GET, T(text="Done."), changes=changes)) == ["new"] * seen


def test_two_conversations_of_two_vendors_are_not_mixed():
    one, other = made(T(text="x")), made(T(text="y"), changes={1: {"provider": "openai_chat"}}, run="b")
    both = one.model_copy(update={"conversations": (*one.conversations, *other.conversations)})
    assert since("mixed-providers", None, both) == []
