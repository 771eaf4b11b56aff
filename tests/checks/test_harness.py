"""Of every finding about the harness: a pair of cassettes that has it, and one that nearly has it."""

import json

import pytest

from reviewlib.checks import harness
from reviewlib.checks.failing import reads_as_error
from reviewlib.model.call import ToolSchema
from reviewlib.model.trajectory import SystemPrompt
from reviewlib.pipeline import compare
from reviewlib.policy import DEFAULT_POLICY
from tests.checks.cassettes import DONE, GET, GOOD, PAID, PATH, PAY, READ, TODAY, A, call, cassette, compared, findings
from tests.trajectories import NOTHING, C, T, recording, trajectory

CODES = {check.code for check in harness.CHECKS}
BOTH = [("get_order", GET), ("issue_refund", PAY)]
FAILED = call(result=("Error: there is no order 4471", True))
SEARCH = [("web_search", {"query": "refunds"})]
FINAL = {"name": "final_result", "description": "The final response which ends this conversation", "input_schema": {}}
UNSURE = call(result={"total": 39, "read": 1}), call(result={"total": 39, "read": 2})
AGAIN = {"order_id": "4472"}
TWO = (READ, call(arguments=AGAIN))
THINKING = {"type": "thinking", "thinking": "Nothing is left to say.", "signature": "c2ln"}

CASES = {
    "a run": (GOOD, []),
    "a call whose result never came": ((call(messages=[]), DONE), ["missing-result"]),
    "a parallel call whose result never came": ((A(calls=BOTH, messages=[[0]]), DONE), ["missing-result"]),
    "the last call of a recording": ((READ, A("Wait.", messages=[]), DONE), []),
    "results in two messages": ((A(calls=BOTH, messages=[[0], [1]]), DONE), ["split-parallel-results"]),
    "results in one message": ((A(calls=BOTH, messages=[[1, 0]]), DONE), []),
    "results of two turns, in a message each": ((READ, READ, DONE), []),
    "a tool that was not offered": ((call("get_odrer"), DONE), ["unknown-tool"]),
    "a tool of the provider": ((A("See.", calls=SEARCH, server_side=True, messages=[]), DONE), []),
    "an argument of another type": (
        (call("issue_refund", PAY | {"amount": "39"}), DONE),
        ["invalid-arguments"],
    ),
    "an argument that is missing": ((call(arguments={}), DONE), ["invalid-arguments"]),
    "an argument that the tool does not know": (
        (call("issue_refund", PAY | {"note": "sorry"}), DONE),
        ["invalid-arguments"],
    ),
    "an argument more than was described, where the tool allows it": ((call(arguments=GET | {"note": "x"}), DONE), []),
    "a whole number where a number is asked for": ((call("issue_refund", PAY | {"amount": 39.0}), DONE), []),
    "arguments that are no JSON": (
        (call(arguments='{"order_id": "44', stop="max_tokens"), DONE),
        ["truncated", "unparsable-arguments"],
    ),
    "arguments as the text of JSON": ((call(arguments=json.dumps(GET)), DONE), []),
    "an answer that was cut off": ((READ, A("I refun", stop="max_tokens")), ["truncated"]),
    "an answer that ends at a stop sequence": ((READ, A("I refunded", stop="stop_sequence")), []),
    "a refusal": ((READ, A("I can't help with that.", stop="refusal")), ["refusal"]),
    "a refusal without words": ((READ, A(stop="refusal")), ["refusal"]),
    "no in words alone": ((READ, A("I can't help with that.")), []),
    "an empty answer": ((READ, A()), ["empty-answer"]),
    "an answer of reasoning alone": ((READ, A(more=[THINKING])), ["empty-answer"]),
    "an answer of few words": ((READ, A(".")), []),
    "a run that ends on a call": ((READ, PAID), ["unhandled-stop"]),
    "a run that ends on a pause": (
        (READ, A("Wait.", calls=SEARCH, server_side=True, stop="pause_turn")),
        ["unhandled-stop"],
    ),
    "a single answer": ((READ,), []),
    "a run that ends with an answer in a call": ((READ, call("final_result", {"refunded": True})), []),
    "three times the same": ((READ, READ, READ, DONE), ["loop"]),
    "three times the same two": ((*TWO, *TWO, *TWO, DONE), ["loop"]),
    "twice the same": ((READ, READ, DONE), []),
    "three times the same, with something between": ((READ, READ, PAID, READ, DONE), []),
    "three times the same call, with a result of its own each": ((*UNSURE, READ, DONE), []),
    "three times the same tool for other orders": (
        (READ, call(arguments=AGAIN), call(arguments={"order_id": "1"}), DONE),
        [],
    ),
    "an error without its mark": ((call(result="Error: no order 4471"), DONE), ["unmarked-error"]),
    "an error with its mark": ((FAILED, DONE), []),
    "a result that speaks of errors": ((call(result="No error was found."), DONE), []),
}


@pytest.mark.parametrize("case", CASES)
def test_a_recording_that_is_new_has_exactly_the_findings_that_it_should(case):
    answers, expected = CASES[case]
    tools = (*READ_AND_PAY, FINAL)
    found = compared(cassette(*GOOD), cassette(*answers, run="b", tools=tools)).findings
    assert sorted({item.code for item in found if item.code in CODES and item.since == "new"}) == expected


READ_AND_PAY = (
    {
        "name": "get_order",
        "input_schema": {"type": "object", "properties": {"order_id": {"type": "string"}}, "required": ["order_id"]},
    },
    {
        "name": "issue_refund",
        "input_schema": {
            "type": "object",
            "properties": {"order_id": {"type": "string"}, "amount": {"type": "number"}},
            "additionalProperties": False,
        },
    },
)


def test_what_the_baseline_had_already_is_known_and_what_head_has_no_more_is_gone():
    loop, other = cassette(READ, READ, READ, DONE), cassette(READ, READ, READ, DONE, run="b")
    assert [item.since for item in findings(loop, other, "loop")] == ["known"]
    assert [item.since for item in findings(loop, cassette(*GOOD, run="b"), "loop")] == ["gone"]
    assert [item.since for item in findings(None, loop, "loop")] == ["new"]


def test_messages_name_the_tool_what_was_seen_and_the_step():
    wrong = cassette(call("issue_refund", PAY | {"amount": "39"}), DONE)
    (found,) = findings(None, wrong, "invalid-arguments")
    assert found.message == "issue_refund breaks its schema: amount: '39' is not of type 'number'"
    assert found.step == (0, 1)
    (found,) = findings(None, cassette(*TWO, *TWO, *TWO, DONE), "loop")
    assert found.message == "get_order ran 3 times in a row with the same arguments and the same result"


def test_a_request_that_offers_no_tools_is_not_asked_for_them():
    assert findings(None, cassette(*GOOD, tools=()), "unknown-tool") == []


SWALLOWED = {
    "the same words without the mark": (FAILED, call(result=("Error: there is no order 4471", False)), True),
    "the same words, which are no error by themselves": (
        call(result=("order 4471 is closed", True)),
        call(result=("order 4471 is closed", False)),
        True,
    ),
    "other words of an error": (FAILED, call(result={"error": "no such order"}), True),
    "the call succeeds now": (FAILED, READ, False),
    "it is marked still": (FAILED, call(result=("Error: the shop is closed", True)), False),
    "it never was marked": (
        call(result="Error: there is no order 4471"),
        call(result="Error: there is no order 4471"),
        False,
    ),
}


@pytest.mark.parametrize("case", SWALLOWED)
def test_an_error_that_lost_its_mark_is_told(case):
    one, other, seen = SWALLOWED[case]
    found = findings(cassette(one, DONE), cassette(other, DONE, run="b"), "error-swallowed")
    assert [item.severity for item in found] == (["error"] if seen else [])
    assert all(item.step == (0, 1) for item in found)


def marked(is_error, result="Error: no order", provider="bedrock_converse", **more):
    """A recording of one call, of an API that marks errors where there are any."""
    story = trajectory(T([C("get_order", GET, result, is_error)]), T(text="Done."))
    turns = tuple(turn.model_copy(update={"provider": provider}) for turn in story.turns)
    return recording(story.model_copy(update={"turns": turns}), path=PATH, **more)


@pytest.mark.parametrize(
    ("head", "seen"),
    [
        (marked(None), True),
        (marked(None, provider="openai_chat"), False),
        (marked(False, provider="openai_chat"), True),
        (marked(None, NOTHING), False),
        (marked(None, "It is on its way."), False),
        (marked(None, not_recorded=("tool_errors",)), False),
    ],
    ids=["no mark", "an API without marks", "marked as none", "no result", "a success", "not held by the format"],
)
def test_a_mark_is_lost_where_the_api_still_has_one(head, seen):
    found = compare(marked(True), head, DEFAULT_POLICY, TODAY).findings
    assert ("error-swallowed" in {item.code for item in found}) is seen


def test_a_result_that_neither_side_holds_has_lost_nothing():
    found = compare(marked(True, NOTHING), marked(None, NOTHING), DEFAULT_POLICY, TODAY).findings
    assert "error-swallowed" not in {item.code for item in found}


def story(*turns, **more):
    return recording(trajectory(*turns), path=PATH, **more)


LATER = T(text="Done.")
OPEN = T([C("get_order", GET)])
OFFERED = (ToolSchema(name="issue_refund"),)


@pytest.mark.parametrize(
    ("code", "held", "missing"),
    [
        ("missing-result", story(OPEN, LATER), "requests"),
        ("unknown-tool", recording(trajectory(OPEN, LATER, tools=OFFERED), path=PATH), "tool_schemas"),
        ("empty-answer", story(T()), "answers"),
        ("unmarked-error", marked(False), "tool_errors"),
    ],
)
def test_a_fact_that_the_format_does_not_hold_is_not_judged(code, held, missing):
    unheld = held.model_copy(update={"not_recorded": (missing,)})
    told = [{item.code for item in compare(None, each, DEFAULT_POLICY, TODAY).findings} for each in (held, unheld)]
    assert [code in codes for codes in told] == [True, False]


@pytest.mark.parametrize(
    ("provider", "missing", "seen"),
    [
        ("anthropic", (), True),
        ("bedrock_converse", (), True),
        ("openai_chat", (), False),
        ("anthropic", ("parameters",), False),
    ],
    ids=["Anthropic", "Bedrock", "an API of a message for each", "messages that no API was sent"],
)
def test_results_are_split_where_the_api_wants_them_in_one_message(provider, missing, seen):
    made = trajectory(T([C("get_order", GET, "a"), C("issue_refund", PAY, "b")]), LATER)
    steps = tuple(
        step.model_copy(update={"result_message": step.index}) if step.kind == "tool_call" else step
        for step in made.steps
    )
    turns = tuple(turn.model_copy(update={"provider": provider}) for turn in made.turns)
    whole = recording(made.model_copy(update={"steps": steps, "turns": turns}), path=PATH, not_recorded=missing)
    codes = {item.code for item in compare(None, whole, DEFAULT_POLICY, TODAY).findings}
    assert ("split-parallel-results" in codes) is seen


def test_results_that_the_format_drops_are_not_missed():
    held = story(OPEN, LATER)
    dropping = held.cassette.model_copy(update={"not_recorded": ("tool_results",)})
    for whole, seen in ((held, True), (held.model_copy(update={"cassette": dropping}), False)):
        codes = {item.code for item in compare(None, whole, DEFAULT_POLICY, TODAY).findings}
        assert ("missing-result" in codes) is seen


def test_calls_whose_results_are_not_known_are_no_loop():
    known, unknown = T([C("get_order", GET, "ok")]), OPEN
    for turn, seen in ((known, True), (unknown, False)):
        whole = story(turn, turn, turn, LATER)
        assert ("loop" in {item.code for item in compare(None, whole, DEFAULT_POLICY, TODAY).findings}) is seen


def test_a_loop_is_told_once_however_long_it_is():
    (found,) = findings(None, cassette(*[READ] * 7, DONE), "loop")
    assert found.message.startswith("get_order ran 7 times in a row")
    whole = cassette(*[READ] * 3, PAID, *[READ] * 4, DONE)
    assert [item.step for item in findings(None, whole, "loop")] == [(0, 1), (0, 5)]


def test_a_call_that_hands_over_to_another_agent_is_told_to_it_in_words():
    held = trajectory(OPEN, LATER)
    steps = list(held.steps)
    steps.insert(3, SystemPrompt(index=3, turn=2, text="You are the writer."))
    turns = (held.turns[0], held.turns[1].model_copy(update={"first": 4, "end": 5}))
    moved = [step.model_copy(update={"index": number}) for number, step in enumerate(steps)]
    handed = held.model_copy(update={"steps": tuple(moved), "turns": turns})
    assert "missing-result" not in {
        item.code for item in compare(None, recording(handed, path=PATH), DEFAULT_POLICY, TODAY).findings
    }


def test_calls_that_were_written_as_prose_are_not_judged_by_what_was_offered():
    prose = T([C("Search", {"q": 1}, "found", origin="text")])
    held = recording(trajectory(prose, LATER, tools=OFFERED), path=PATH)
    assert "unknown-tool" not in {item.code for item in compare(None, held, DEFAULT_POLICY, TODAY).findings}


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ("Traceback (most recent call last):\n  File …", True),
        ("ValueError: no order", True),
        ("ToolException('no order')", True),
        ("error: no such order", True),
        (["Error: in a block"], True),
        ({"error": "no order"}, True),
        ({"error": None}, False),
        ({"error": "", "stdout": "4"}, False),
        ("Errors were not found", False),
        ("The error: none", False),
        ("", False),
        (None, False),
        ([], False),
        (4, False),
    ],
)
def test_results_that_read_as_errors_begin_like_them(result, expected):
    assert reads_as_error(result) is expected
