"""Anthropic Messages: blocks, results, server-side tools, usage, stop reasons, streams."""

import json

import pytest

from reviewlib.model.call import CallPart, ResultPart, Usage
from tests.providers.bodies import (
    ANTHROPIC_ANSWER,
    ANTHROPIC_EVENTS,
    ANTHROPIC_REQUEST,
    answered,
    brief,
    must_read,
    sent,
    sse,
)

PIXEL = "iVBORw0KGgo="  # eight bytes


def _answer(*content, **more):
    return answered(ANTHROPIC_ANSWER | {"content": list(content)} | more)


def _history(*messages):
    request = sent(ANTHROPIC_REQUEST | {"messages": list(messages)})
    return [(message.role, brief(message.parts)) for message in request.messages]


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        ("Be kind.", "Be kind."),
        ([{"type": "text", "text": "Be kind."}], "Be kind."),
        (
            [
                {"type": "text", "text": "Be kind.", "cache_control": {"type": "ephemeral"}},
                {"type": "text", "text": "Be brief."},
            ],
            "Be kind.\n\nBe brief.",
        ),
        ("", None),
        ([], None),
        (None, None),
    ],
)
def test_the_system_prompt_is_one_text(system, expected):
    assert sent(ANTHROPIC_REQUEST | {"system": system}).system == expected


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"role": "user", "content": "Hi"}, [("user", ["Hi"])]),
        ({"role": "user", "content": [{"type": "text", "text": "Hi"}]}, [("user", ["Hi"])]),
        ({"role": "user", "content": []}, [("user", [])]),
        ({"role": "assistant", "content": "Hello"}, [("assistant", ["Hello"])]),
        ({"role": "assistant", "content": [{"type": "text", "text": ""}]}, [("assistant", [])]),
        (
            {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "f", "input": {"a": 1}}]},
            [("assistant", [("f", {"a": 1})])],
        ),
        (
            {"role": "assistant", "content": [{"type": "thinking", "thinking": "Hm", "signature": "x"}]},
            [("assistant", [{"Hm"}])],
        ),
        ({"role": "system", "content": "From now on"}, [("system", ["From now on"])]),
        (
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "a", "content": "1"},
                    {"type": "tool_result", "tool_use_id": "b", "content": "2"},
                    {"type": "text", "text": "And now?"},
                ],
            },
            [("tool", [("->", "1"), ("->", "2")]), ("user", ["And now?"])],
        ),
        (
            {"role": "user", "content": [{"type": "new_kind", "cache_control": {}, "x": 1}]},
            [("user", ['{"type": "new_kind", "x": 1}'])],
        ),
    ],
)
def test_messages(message, expected):
    assert _history(message) == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("shipped", "shipped"),
        ('{"a": 1.0}', {"a": 1.0}),
        (' [1, "two"] ', [1, "two"]),
        ('{"a": 1', '{"a": 1'),
        ("42", "42"),
        (None, None),
        ([{"type": "text", "text": "shipped"}], "shipped"),
        ([{"type": "text", "text": '{"a": 1.0}'}], {"a": 1.0}),
        ([{"type": "text", "text": "one"}, {"type": "text", "text": "two"}], ["one", "two"]),
        (
            [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PIXEL}}],
            [{"kind": "media", "media_type": "image/png", "size": 8, "digest": "4c4b6a3be1314ab8"}],
        ),
        (
            [
                {
                    "type": "search_result",
                    "title": "T",
                    "content": [{"type": "text", "text": "x", "citations": None}],
                    "cache_control": None,
                }
            ],
            [{"type": "search_result", "title": "T", "content": [{"type": "text", "text": "x"}]}],
        ),
    ],
)
def test_a_result_is_the_same_value_however_it_was_sent(content, expected):
    block = {"type": "tool_result", "tool_use_id": "t", "content": content}
    assert _history({"role": "user", "content": [block]}) == [("tool", [("->", expected)])]


@pytest.mark.parametrize(("flag", "expected"), [({}, False), ({"is_error": False}, False), ({"is_error": True}, True)])
def test_a_result_says_whether_it_is_an_error(flag, expected):
    block = {"type": "tool_result", "tool_use_id": "t", "content": "x"} | flag
    (message,) = sent(ANTHROPIC_REQUEST | {"messages": [{"role": "user", "content": [block]}]}).messages
    assert message.parts == (ResultPart(call_id="t", result="x", is_error=expected),)


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        (
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PIXEL}},
            ("image/png", 8, "4c4b6a3be1314ab8", None),
        ),
        (
            {"type": "image", "source": {"type": "url", "url": "https://x.test/a.png"}},
            ("image", None, None, "https://x.test/a.png"),
        ),
        ({"type": "document", "source": {"type": "file", "file_id": "file_1"}}, ("document", None, None, "file_1")),
        (
            {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "word"}},
            ("text/plain", 4, "98c1eb4ee93476743763878fcb96a25f"[:16], None),
        ),
    ],
)
def test_media_are_a_type_a_size_and_a_digest_and_never_their_content(block, expected):
    assert _history({"role": "user", "content": [block]}) == [("user", [expected])]


def test_tools_keep_their_schema_and_their_options_without_the_caching():
    tools = [
        {"name": "f", "input_schema": {"type": "object"}, "strict": True, "cache_control": {"type": "ephemeral"}},
        {"type": "custom", "name": "g", "description": "d", "input_schema": {}},
        {"type": "web_search_20250305", "name": "web_search", "max_uses": 3},
    ]
    made = sent(ANTHROPIC_REQUEST | {"tools": tools}).tools
    assert [(tool.name, tool.description, tool.schema_, tool.options) for tool in made] == [
        ("f", None, {"type": "object"}, {"strict": True}),
        ("g", "d", {}, {}),
        ("web_search", None, None, {"type": "web_search_20250305", "max_uses": 3}),
    ]


def test_parameters_are_everything_else_that_shapes_the_answer():
    body = ANTHROPIC_REQUEST | {
        "temperature": 0.5,
        "top_k": None,
        "stream": True,
        "metadata": {"user_id": "u"},
        "tool_choice": {"type": "any"},
    }
    request = sent(body)
    assert request.parameters == {"max_tokens": 100, "temperature": 0.5, "tool_choice": {"type": "any"}}
    assert request.stream


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("end_turn", "end_turn"),
        ("tool_use", "tool_use"),
        ("max_tokens", "max_tokens"),
        ("model_context_window_exceeded", "max_tokens"),
        ("stop_sequence", "stop_sequence"),
        ("refusal", "refusal"),
        ("pause_turn", "pause_turn"),
        ("something_new", "other"),
        (None, None),
    ],
)
def test_stop_reasons(raw, expected):
    response = answered(ANTHROPIC_ANSWER | {"stop_reason": raw})
    assert (response.stop_reason, response.stop_reason_raw) == (expected, raw)


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"input_tokens": 10, "output_tokens": 5}, Usage(input_tokens=10, output_tokens=5)),
        (
            {"input_tokens": 10, "cache_read_input_tokens": 200, "cache_creation_input_tokens": 0, "output_tokens": 5},
            Usage(input_tokens=210, output_tokens=5, cache_read_tokens=200, cache_write_tokens=0),
        ),
        (
            {
                "input_tokens": 1,
                "cache_read_input_tokens": None,
                "output_tokens": 9,
                "output_tokens_details": {"thinking_tokens": 4},
            },
            Usage(input_tokens=1, output_tokens=9, reasoning_tokens=4),
        ),
        ({"output_tokens": 5, "cache_read_input_tokens": 7}, Usage(output_tokens=5, cache_read_tokens=7)),
        ({}, None),
        (None, None),
    ],
)
def test_input_tokens_include_the_cached_ones_and_unknown_is_never_zero(usage, expected):
    assert answered(ANTHROPIC_ANSWER | {"usage": usage}).usage == expected


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ({"type": "thinking", "thinking": "Hm", "signature": "s"}, {"Hm"}),
        ({"type": "thinking", "thinking": "", "signature": "s"}, {None}),
        ({"type": "redacted_thinking", "data": "xx"}, {None}),
    ],
)
def test_thinking_is_shown_where_it_can_be_read(block, expected):
    assert brief(_answer(block).parts) == [expected]


@pytest.mark.parametrize(
    ("call", "result", "expected"),
    [
        (
            {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": "q"}},
            {
                "type": "web_search_tool_result",
                "tool_use_id": "s",
                "content": [
                    {"type": "web_search_result", "url": "u", "encrypted_content": "zz", "page_age": "8 hours ago"}
                ],
            },
            ("web_search", {"query": "q"}, [{"type": "web_search_result", "url": "u"}], False),
        ),
        (
            {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": "q"}},
            {
                "type": "web_search_tool_result",
                "tool_use_id": "s",
                "content": {"type": "web_search_tool_result_error", "error_code": "x"},
            },
            ("web_search", {"query": "q"}, {"type": "web_search_tool_result_error", "error_code": "x"}, True),
        ),
        (
            {"type": "mcp_tool_use", "id": "m", "name": "ask", "server_name": "wiki", "input": {}},
            {
                "type": "mcp_tool_result",
                "tool_use_id": "m",
                "is_error": True,
                "content": [{"type": "text", "text": "no"}],
            },
            ("ask", {}, "no", True),
        ),
    ],
)
def test_a_server_side_call_holds_the_result_of_the_same_answer(call, result, expected):
    (part,) = _answer(call, result).parts
    assert isinstance(part, CallPart)
    assert part.server_side
    assert part.result_recorded
    assert (part.tool, part.arguments, part.result, part.is_error) == expected


def test_a_server_side_call_without_its_result_and_a_result_without_its_call_both_stay():
    call = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
    result = {"type": "web_search_tool_result", "tool_use_id": "earlier", "content": []}
    first, second = _answer(result, call, stop_reason="pause_turn").parts
    assert isinstance(first, ResultPart)
    assert first.call_id == "earlier"
    assert isinstance(second, CallPart)
    assert not second.result_recorded


def test_a_result_of_the_harness_is_never_moved_into_its_call():
    call = {"type": "tool_use", "id": "t", "name": "f", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "t", "content": "x"}
    assert brief(_answer(call, result).parts) == [("f", {}), ("->", "x")]


@pytest.mark.parametrize(
    ("status", "body", "expected"),
    [
        (529, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, "Overloaded"),
        (401, {"error": {"type": "authentication_error"}}, "authentication_error"),
        (500, "", "HTTP 500"),
        (503, None, "HTTP 503"),
        (502, "<h1>Bad gateway</h1>", "<h1>Bad gateway</h1>"),
        (200, {"type": "error", "error": {"message": "late"}}, "late"),
        (None, {"error": "plain words"}, "plain words"),
        (529, 'event: error\ndata: {"type": "error", "error": {"message": "Overloaded"}}\n\n', "Overloaded"),
    ],
)
def test_a_failure_is_its_message(status, body, expected):
    response = must_read(ANTHROPIC_REQUEST, body, status=status).response
    assert response is not None
    assert (response.error, response.stop_reason, response.parts) == (expected, "error", ())


def test_the_message_of_an_error_page_is_cut():
    response = must_read(ANTHROPIC_REQUEST, "x" * 5000, status=502).response
    assert response is not None
    assert response.error == "x" * 300 + "…"


# -- streams -----------------------------------------------------------------------------------------------------------------


def test_an_error_event_keeps_what_had_arrived():
    events = [*ANTHROPIC_EVENTS[:5], {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}]
    response = answered(sse(events))
    assert (response.error, response.stop_reason, response.complete) == ("Overloaded", "error", False)
    assert brief(response.parts) == ["One moment."]


def test_usage_of_a_stream_is_overwritten_by_the_last_event_and_never_added():
    last = {
        "type": "message_delta",
        "delta": {"stop_reason": "end_turn"},
        "usage": {"output_tokens": 50, "input_tokens": 11},
    }
    usage = answered(chunks=[*ANTHROPIC_EVENTS[:6], last]).usage
    assert usage is not None
    assert (usage.input_tokens, usage.output_tokens) == (3211, 50)


def test_a_stream_cut_before_its_last_usage_claims_only_what_it_heard():
    usage = answered(chunks=ANTHROPIC_EVENTS[:4]).usage
    assert usage is not None
    assert usage.output_tokens == 1


def test_blocks_come_in_the_order_of_their_index():
    events = [
        {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "second"}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "first"}},
        {"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": "{}"}},
    ]
    assert brief(answered(chunks=events).parts) == [{"first"}, "second", ("", {})]


def test_arguments_that_came_whole_at_the_start_are_kept():
    start = {
        "type": "content_block_start",
        "index": 0,
        "content_block": {"type": "tool_use", "id": "t", "name": "f", "input": {"a": 1}},
    }
    assert brief(answered(chunks=[start, {"type": "message_stop"}]).parts) == [("f", {"a": 1})]


@pytest.mark.parametrize(
    "request_body",
    [
        {"messages": [], "anthropic_version": "bedrock-2023-05-31", "max_tokens": 5},
        {"messages": [], "system": "s", "model": "m"},
        {"messages": [], "tools": [{"name": "f", "input_schema": {}}]},
        {"messages": [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t"}]}]},
    ],
)
def test_a_request_alone_is_recognised_by_what_only_this_dialect_has(request_body):
    assert must_read(request_body).provider == "anthropic"


def test_vertex_says_the_model_in_the_path():
    url = "https://eu.test/v1/projects/p/locations/l/publishers/anthropic/models/claude-x@2025:streamRawPredict"
    call = must_read({"anthropic_version": "vertex", "messages": []}, url=url)
    assert call.request is not None
    assert call.request.model == "claude-x@2025"


def test_an_emoji_that_the_chunks_cut_in_two_is_joined():
    halves = [json.loads('"\\ud83d"'), json.loads('"\\ude00 \\ud83d"')]
    events = [
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": half}} for half in halves
    ]
    assert brief(answered(chunks=events).parts) == ["\U0001f600 \ufffd"]
