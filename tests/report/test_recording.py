"""One cassette as text."""

import unicodedata

import pytest

from reviewlib.model.cassette import Cassette, Exchange, ToolExecution
from reviewlib.model.trajectory import AssistantText, Attempt, Failure, OtherTraffic, Reasoning
from reviewlib.report import recording
from tests.report.hostile import HOSTILE, UNSEEN
from tests.reviews import recording as recorded
from tests.reviews import (
    tool_call,
    trajectory,
    turn,
    unreadable,
)


def test_a_cassette_is_shown_step_by_step_with_calls_and_results():
    steps = (
        tool_call("issue_refund", {"amount": 39}, {"ok": True}),
        tool_call("get_order", index=3, result="gone", is_error=True, arguments={"id": 1}),
        tool_call("web_search", {"q": "x"}, index=4, server_side=True),
        tool_call("broken", index=5, arguments_raw='{"a": '),
        AssistantText(index=6, turn=1, text="Done.\nBye."),
        Reasoning(index=7, turn=1, text=None),
        Failure(index=8, turn=1, text="model: retired", http_status=404),
    )
    printed = recording.render(recorded("x.yaml", trajectory(*steps)), "x.yaml", "HEAD")
    assert "x.yaml (HEAD): vcrpy, 1 interaction, 1 conversation\n" in printed
    assert "conversation 1: 1 turn, issue_refund → get_order → web_search → broken\n" in printed
    for line in (
        "    system    You are a support agent.",
        "    user      Refund order 1234.",
        "  turn 1: claude-sonnet-4-20250514, end_turn, 1,000 → 100 tokens",
        '    call-1    issue_refund {"amount": 39}',
        '              → {"ok": true}',
        "              → error: gone",
        '    call-3    web_search {"q": "x"} (run by the provider)',
        "              → result not recorded",
        '    call-4    broken (unparsable) {"a": ',
        "    says      Done.",
        "            │ Bye.",
        "    thinks    (withheld by the provider)",
        "    fails     model: retired",
    ):
        assert f"{line}\n" in printed
    assert printed.index("  turn 1:") > printed.index("    user ")


def test_what_the_format_does_not_record_is_said():
    cassette = Cassette(
        path="x",
        content="a",
        format="seed002",
        interactions=(Exchange(index=0, request=None, response=None), ToolExecution(index=1, tool="t")),
        synthetic=True,
        notes=("read by the generic fallback",),
    )
    notes = (*cassette.notes, "two runs")
    read = recorded("x", not_recorded=("requests", "system_prompt"), notes=notes).model_copy(
        update={"cassette": cassette}
    )
    printed = recording.render(read, "x", "worktree")
    assert "seed002, 2 interactions, 1 conversation, written by hand\n" in printed
    assert "not recorded by this format: requests, system prompt\n" in printed
    assert "note: read by the generic fallback\nnote: two runs\n" in printed
    assert printed.count("note: ") == 2, "what the format says and what its reading says, each once"


@pytest.mark.parametrize(
    ("more", "line"),
    [
        ({"usage": None}, "usage not recorded"),
        ({"http_status": 404, "stop_reason": "error"}, "error, HTTP 404"),
        ({"model": None, "requested_model": None}, "model not recorded"),
        ({"stop_reason": "other", "stop_reason_raw": "MALFORMED"}, "MALFORMED"),
        ({"attempts": (Attempt(interaction=0, http_status=529, text="busy"),)}, "after 1 failed attempt"),
    ],
)
def test_a_turn_says_what_is_known_of_it(more, line):
    printed = recording.render(recorded("x", trajectory(turns=(turn(**more),))), "x", "HEAD")
    assert line in next(each for each in printed.splitlines() if each.startswith("  turn 1"))


def test_a_turn_without_any_step_is_shown_all_the_same():
    empty = trajectory(turns=(turn(), turn(2, first=3, end=3)))
    assert "  turn 2:" in recording.render(recorded("x", empty), "x", "HEAD")


def test_other_traffic_is_named_and_no_model_call():
    other = OtherTraffic(interaction=3, method="GET", uri="https://api.example.org/v1/x", http_status=200)
    printed = recording.render(recorded("x", other_traffic=(other,)), "x", "HEAD")
    assert "no model call: interaction 4, GET https://api.example.org/v1/x 200\n" in printed


def test_an_unreadable_cassette_says_where_reading_stopped_and_why():
    printed = recording.render(unreadable("b.yaml"), "b.yaml", "HEAD")
    assert printed == "b.yaml (HEAD)\nunreadable at decode: the JSON ends in the middle of a string\n"


def test_a_long_text_is_cut_with_its_length():
    printed = recording.render(recorded("x", trajectory(AssistantText(index=2, turn=1, text="x" * 9000))), "x", "HEAD")
    assert "… (+5,000 characters)" in printed


def test_a_hostile_cassette_is_shown_as_text():
    word = f"::error::{HOSTILE}\n::warning::##[group]x"
    steps = (tool_call(word, {word: word}, word), AssistantText(index=3, turn=1, text=word))
    printed = recording.render(recorded(word, trajectory(*steps), notes=(word,)), word, word)
    assert not {unicodedata.category(char) for char in printed.replace("\n", "")} & UNSEEN
    assert not any(line.strip().startswith("::") for line in printed.splitlines())
    assert "##[" not in printed
