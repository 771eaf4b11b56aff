"""The ModelResponse of pydantic-ai: parts, arguments, usage, finish reasons."""

import pytest

from reviewlib.model.call import CallPart, Usage
from tests.providers.bodies import PYDANTIC_ANSWER, answered, brief, must_read

CALL = {"part_kind": "tool-call", "tool_name": "f", "tool_call_id": "c", "args": "{}"}


def _answer(*parts, **more):
    return answered(PYDANTIC_ANSWER | {"parts": list(parts)} | more)


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ({"part_kind": "text", "content": "Hi"}, ["Hi"]),
        ({"part_kind": "text", "content": ""}, []),
        ({"part_kind": "thinking", "content": "Hm"}, [{"Hm"}]),
        ({"part_kind": "thinking", "content": ""}, [{None}]),
        (CALL | {"args": {"a": 1}}, [("f", {"a": 1})]),
        (CALL | {"args": '{"a": 1}'}, [("f", {"a": 1})]),
        (CALL | {"args": None}, [("f", {})]),
        (CALL | {"args": "{oops"}, [("f", "raw {oops")]),
        (
            {"part_kind": "file", "content": {"media_type": "image/png", "data": "AAAA"}},
            [("image/png", 3, "709e80c88487a241", None)],
        ),
        ({"part_kind": "novel", "x": 1}, ['{"part_kind": "novel", "x": 1}']),
    ],
)
def test_parts(part, expected):
    assert brief(_answer({"part_kind": "text", "content": ""}, part).parts) == expected


def test_a_builtin_tool_holds_its_result():
    asked = {"part_kind": "builtin-tool-call", "tool_name": "web_search", "tool_call_id": "b", "args": {"query": "q"}}
    returned = {
        "part_kind": "builtin-tool-return",
        "tool_name": "web_search",
        "tool_call_id": "b",
        "content": '{"hits": 1}',
    }
    (part,) = _answer(asked, returned, finish_reason="stop").parts
    assert isinstance(part, CallPart)
    assert (part.server_side, part.result, part.result_recorded) == (True, {"hits": 1}, True)


@pytest.mark.parametrize(
    ("finish", "raw", "parts", "expected"),
    [
        ("stop", "stop", [], "end_turn"),
        ("tool_call", "tool_use", [CALL], "tool_use"),
        ("tool_call", "tool_calls", [CALL], "tool_use"),
        ("stop", None, [CALL], "tool_use"),
        (None, None, [CALL], "tool_use"),
        (None, None, [], None),
        ("length", "max_tokens", [CALL], "max_tokens"),
        ("length", "incomplete", [], "max_tokens"),
        ("content_filter", "refusal", [], "refusal"),
        ("content_filter", None, [], "content_filter"),
        ("error", None, [], "error"),
        ("novel", None, [], "other"),
    ],
)
def test_finish_reasons(finish, raw, parts, expected):
    details = {"finish_reason": raw} if raw else None
    text = {"part_kind": "text", "content": "x"}
    response = _answer(text, *parts, finish_reason=finish, provider_details=details)
    assert (response.stop_reason, response.stop_reason_raw) == (expected, raw or finish)


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"input_tokens": 600, "output_tokens": 40}, Usage(input_tokens=600, output_tokens=40)),
        (
            {
                "input_tokens": 600,
                "output_tokens": 40,
                "cache_read_tokens": 0,
                "details": {"reasoning_tokens": 9, "input_tokens": 600},
            },
            Usage(input_tokens=600, output_tokens=40, cache_read_tokens=0, reasoning_tokens=9),
        ),
        ({"input_tokens": 0, "output_tokens": 0}, None),
        ({}, None),
        (None, None),
    ],
)
def test_usage_is_taken_once_and_no_tokens_at_all_are_no_usage(usage, expected):
    assert answered(PYDANTIC_ANSWER | {"usage": usage}).usage == expected


@pytest.mark.parametrize(("state", "complete"), [("complete", True), (None, True), ("interrupted", False)])
def test_an_interrupted_answer_is_incomplete(state, complete):
    assert answered(PYDANTIC_ANSWER | {"state": state}).complete is complete


def test_it_has_no_request():
    call = must_read(None, PYDANTIC_ANSWER)
    assert (call.provider, call.request) == ("pydantic_ai", None)
