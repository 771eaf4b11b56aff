"""OpenAI Responses: items, server-side tools, reasoning, status, streams."""

import pytest

from reviewlib.model.call import CallPart, ModelResponse, Usage
from reviewlib.providers import read_call
from tests.providers.bodies import (
    RESPONSES_ANSWER,
    RESPONSES_EVENTS,
    RESPONSES_REQUEST,
    answered,
    brief,
    exchange,
    must_read,
    sent,
    sse,
)

WORDS = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Hi"}]}
CALL = {"type": "function_call", "id": "fc", "call_id": "c", "name": "f", "arguments": '{"a": 1}'}
OUTPUT = {"type": "function_call_output", "call_id": "c", "output": '{"b": 2}'}


def _answer(*output, **more) -> ModelResponse:
    return answered(RESPONSES_ANSWER | {"output": list(output)} | more)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"instructions": "A", "input": "Q"}, "A"),
        ({"instructions": None, "input": [{"role": "developer", "content": "B"}]}, "B"),
        (
            {"instructions": "A", "input": [{"role": "system", "content": "B"}, {"role": "user", "content": "Q"}]},
            "A\n\nB",
        ),
        ({"instructions": "", "input": [{"role": "user", "content": "Q"}]}, None),
    ],
)
def test_instructions_and_leading_messages_are_the_system_prompt(body, expected):
    assert sent(RESPONSES_REQUEST | body).system == expected


@pytest.mark.parametrize(
    ("history", "expected"),
    [
        ("Q", [("user", ["Q"])]),
        ([{"role": "user", "content": [{"type": "input_text", "text": "Q"}]}], [("user", ["Q"])]),
        (
            [{"role": "user", "content": "Q"}, WORDS, CALL, OUTPUT],
            [("user", ["Q"]), ("assistant", ["Hi", ("f", {"a": 1})]), ("tool", [("->", {"b": 2})])],
        ),
        (
            [CALL, CALL | {"call_id": "d"}, OUTPUT, OUTPUT | {"call_id": "d"}],
            [("assistant", [("f", {"a": 1})] * 2), ("tool", [("->", {"b": 2})] * 2)],
        ),
        ([{"role": "user", "content": "a"}, {"role": "user", "content": "b"}], [("user", ["a"]), ("user", ["b"])]),
        ([{"type": "item_reference", "id": "rs_1"}, OUTPUT], [("assistant", []), ("tool", [("->", {"b": 2})])]),
        (
            [{"type": "reasoning", "summary": [], "encrypted_content": "x"}, CALL],
            [("assistant", [{None}, ("f", {"a": 1})])],
        ),
        (
            [{"role": "user", "content": [{"type": "input_image", "image_url": "https://x.test/i"}]}],
            [("user", [("image", None, None, "https://x.test/i")])],
        ),
        (
            [{"role": "user", "content": [{"type": "input_file", "file_id": "file-1"}]}],
            [("user", [("file", None, None, "file-1")])],
        ),
        (
            [{"type": "function_call_output", "call_id": "c", "output": [{"type": "input_text", "text": "ok"}]}],
            [("tool", [("->", "ok")])],
        ),
        ([{"type": "mcp_approval_response", "approval_request_id": "r", "approve": True}], [("tool", [("->", True)])]),
        ([{"type": "novel", "x": 1}], [("assistant", ['{"type": "novel", "x": 1}'])]),
    ],
)
def test_histories(history, expected):
    request = sent(RESPONSES_REQUEST | {"input": history})
    assert [(message.role, brief(message.parts)) for message in request.messages] == expected


def test_what_continues_on_the_server_is_named_and_is_no_parameter():
    request = sent(
        RESPONSES_REQUEST
        | {"previous_response_id": "resp_0", "conversation": "conv_1", "temperature": 1, "store": True}
    )
    assert request.previous == "resp_0"
    assert request.parameters == {"temperature": 1, "store": True}


def test_tools_in_a_namespace_and_tools_that_the_history_adds_are_offered_as_well():
    inner = [{"type": "function", "name": name, "parameters": {}} for name in ("f", "g")]
    body = {
        "tools": [
            {"type": "namespace", "name": "shop", "description": "Orders.", "tools": inner},
            {"type": "tool_search"},
        ],
        "input": [
            {"role": "user", "content": "Q"},
            {"type": "additional_tools", "tools": [{"type": "function", "name": "h"}]},
        ],
    }
    assert [tool.name for tool in sent(RESPONSES_REQUEST | body).tools] == ["shop", "f", "g", "tool_search", "h"]


SEARCH = {
    "type": "tool_search_call",
    "id": "tsc",
    "call_id": None,
    "execution": "server",
    "arguments": {"paths": ["f"]},
}
FOUND = {"type": "tool_search_output", "id": "tso", "call_id": None, "execution": "server", "tools": [{"name": "f"}]}


def test_what_the_provider_finds_among_deferred_tools_is_the_result_of_its_search_in_the_answer_and_in_the_history():
    for parts in (
        _answer(SEARCH, FOUND, CALL).parts,
        sent(RESPONSES_REQUEST | {"input": [SEARCH, FOUND, CALL]}).messages[0].parts,
    ):
        searched, called = parts
        assert (searched.tool, searched.arguments, searched.server_side) == ("tool_search", {"paths": ["f"]}, True)
        assert searched.result == [{"name": "f"}]
        assert called.tool == "f"


def test_a_search_that_the_harness_runs_is_its_call_and_the_result_a_message_of_its_own():
    search, found = ({**item, "execution": "client", "call_id": "s"} for item in (SEARCH, FOUND))
    assert not _answer(search).parts[0].server_side
    assert _answer(search).stop_reason == "tool_use"
    messages = sent(RESPONSES_REQUEST | {"input": [search, found]}).messages
    assert [message.role for message in messages] == ["assistant", "tool"]
    assert messages[1].parts[0].call_id == "s"


def test_tools_keep_their_options():
    tools = [
        {"type": "function", "name": "f", "parameters": {"type": "object"}, "strict": False, "description": "d"},
        {"type": "web_search", "search_context_size": "low"},
        {"type": "mcp", "server_label": "wiki", "server_url": "https://x.test"},
    ]
    assert [
        (tool.name, tool.description, tool.schema_, tool.options)
        for tool in sent(RESPONSES_REQUEST | {"tools": tools}).tools
    ] == [
        ("f", "d", {"type": "object"}, {"strict": False}),
        ("web_search", None, None, {"type": "web_search", "search_context_size": "low"}),
        ("wiki", None, None, {"type": "mcp", "server_label": "wiki", "server_url": "https://x.test"}),
    ]


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (
            {"type": "web_search_call", "id": "w", "status": "completed", "action": {"type": "search", "query": "q"}},
            ("web_search", {"type": "search", "query": "q"}, None, None),
        ),
        (
            {"type": "web_search_call", "id": "w", "action": {"type": "search", "sources": [{"url": "u"}]}},
            ("web_search", {"type": "search"}, [{"url": "u"}], False),
        ),
        ({"type": "web_search_call", "id": "w", "status": "completed"}, ("web_search", {}, None, None)),
        (
            {
                "type": "code_interpreter_call",
                "id": "i",
                "code": "1+1",
                "container_id": "x",
                "outputs": [{"type": "logs", "logs": "2"}],
            },
            ("code_interpreter", {"code": "1+1", "container_id": "x"}, [{"type": "logs", "logs": "2"}], False),
        ),
        (
            {"type": "file_search_call", "id": "s", "queries": ["q"], "results": [{"text": "t"}], "status": "failed"},
            ("file_search", {"queries": ["q"]}, [{"text": "t"}], True),
        ),
        (
            {"type": "mcp_call", "id": "m", "name": "ask", "arguments": '{"q": 1}', "output": '{"a": 2}'},
            ("ask", {"q": 1}, {"a": 2}, False),
        ),
        (
            {"type": "mcp_call", "id": "m", "name": "ask", "arguments": "{}", "error": "refused"},
            ("ask", {}, "refused", True),
        ),
        ({"type": "mcp_approval_request", "id": "m", "name": "ask", "arguments": "{}"}, ("ask", {}, None, None)),
        ({"type": "brand_new_call", "id": "n", "depth": 3}, ("brand_new", {"depth": 3}, None, None)),
        (
            {"type": "image_generation_call", "id": "g", "result": "AAAA"},
            (
                "image_generation",
                {},
                {"kind": "media", "media_type": "image", "size": 3, "digest": "709e80c88487a241"},
                False,
            ),
        ),
    ],
)
def test_tools_that_the_server_runs(item, expected):
    (part,) = _answer(item).parts
    assert isinstance(part, CallPart)
    assert part.server_side
    assert part.result_recorded == (expected[2] is not None)
    assert (part.tool, part.arguments, part.result, part.is_error) == expected


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (CALL, ("f", {"a": 1}, "c")),
        ({"type": "custom_tool_call", "call_id": "c", "name": "sh", "input": "ls {"}, ("sh", "ls {", "c")),
        (
            {"type": "computer_call", "call_id": "c", "action": {"type": "click", "x": 1}},
            ("computer", {"type": "click", "x": 1}, "c"),
        ),
        (
            {"type": "local_shell_call", "call_id": "c", "action": {"command": ["ls"]}},
            ("local_shell", {"command": ["ls"]}, "c"),
        ),
    ],
)
def test_tools_that_the_harness_runs(item, expected):
    response = _answer(item)
    (part,) = response.parts
    assert isinstance(part, CallPart)
    assert not part.server_side
    assert (part.tool, part.arguments, part.call_id) == expected
    assert response.stop_reason == "tool_use"


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ({"summary": [{"text": "One"}, {"text": "Two"}]}, "One\n\nTwo"),
        ({"summary": [], "content": [{"type": "reasoning_text", "text": "Raw"}]}, "Raw"),
        ({"summary": [], "encrypted_content": "gAAA"}, None),
        ({}, None),
    ],
)
def test_reasoning_is_shown_where_it_can_be_read(item, expected):
    assert brief(_answer({"type": "reasoning", "id": "rs"} | item).parts) == [{expected}]


@pytest.mark.parametrize(
    ("more", "output", "expected", "raw"),
    [
        ({}, [WORDS], "end_turn", "completed"),
        ({}, [WORDS, CALL], "tool_use", "completed"),
        ({}, [{"type": "web_search_call", "id": "w"}, WORDS], "end_turn", "completed"),
        ({}, [{"type": "message", "content": [{"type": "refusal", "refusal": "No."}]}], "refusal", "completed"),
        (
            {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}},
            [CALL],
            "max_tokens",
            "max_output_tokens",
        ),
        (
            {"status": "incomplete", "incomplete_details": {"reason": "content_filter"}},
            [],
            "content_filter",
            "content_filter",
        ),
        ({"status": "queued"}, [], None, "queued"),
        ({"status": "cancelled"}, [], "other", "cancelled"),
        ({"status": None}, [WORDS], None, None),
        ({"status": "failed", "error": {"message": "boom"}}, [], "error", "failed"),
    ],
)
def test_the_status_is_the_stop_reason(more, output, expected, raw):
    response = _answer(*output, **more)
    assert (response.stop_reason, response.stop_reason_raw) == (expected, raw)


def test_a_failed_response_is_a_failure():
    assert _answer(status="failed", error={"code": "server_error", "message": "boom"}).error == "boom"


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        (
            {
                "input_tokens": 9,
                "output_tokens": 7,
                "input_tokens_details": {"cached_tokens": 4},
                "output_tokens_details": {"reasoning_tokens": 6},
            },
            Usage(input_tokens=9, output_tokens=7, cache_read_tokens=4, reasoning_tokens=6),
        ),
        (None, None),
    ],
)
def test_usage_counts_inclusively(usage, expected):
    assert answered(RESPONSES_ANSWER | {"usage": usage}).usage == expected


# -- streams -----------------------------------------------------------------------------------------------------------------


def test_a_last_event_without_output_leaves_the_items_that_came_before_it():
    events = [*RESPONSES_EVENTS[:-1], {"type": "response.completed", "response": RESPONSES_ANSWER | {"output": []}}]
    assert answered(chunks=events) == answered(RESPONSES_ANSWER)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("response.output_text.delta", ["ab"]),
        ("response.refusal.delta", ["ab"]),
        ("response.function_call_arguments.delta", [("", "raw ab")]),
        ("response.custom_tool_call_input.delta", [("", "ab")]),
        ("response.mcp_call_arguments.delta", [("", "raw ab")]),
        ("response.code_interpreter_call_code.delta", [("code_interpreter", {"code": "ab"})]),
        ("response.audio.delta", []),
    ],
)
def test_a_stream_that_breaks_off_inside_an_item_keeps_its_pieces(kind, expected):
    response = answered(sse([{"type": kind, "output_index": 0, "delta": piece} for piece in "ab"]))
    assert not response.complete
    assert brief(response.parts) == expected


@pytest.mark.parametrize(
    "last",
    [
        {"type": "error", "code": "server_error", "message": "boom"},
        {"type": "error", "error": {"message": "boom"}},
        {"type": "response.failed", "response": {"status": "failed", "error": {"message": "boom"}}},
    ],
)
def test_an_error_event_is_a_failure_that_keeps_what_had_arrived(last):
    response = answered(sse([*RESPONSES_EVENTS[:5], last]))
    assert (response.error, response.stop_reason, response.complete) == ("boom", "error", False)
    assert brief(response.parts) == ["One moment."]


@pytest.mark.parametrize(
    "body",
    [
        {"model": "m", "input": [{"role": "user", "content": "q"}]},
        {"model": "m", "input": "q", "instructions": "i"},
        {"model": "m", "input": "q", "tools": []},
        {"model": "m", "previous_response_id": "resp_0", "input": [OUTPUT]},
    ],
)
def test_a_request_alone_is_recognised(body):
    assert must_read(body).provider == "openai_responses"


def test_two_calls_that_share_a_server_are_linked_by_the_id():
    first = must_read(RESPONSES_REQUEST, RESPONSES_ANSWER)
    second = must_read(RESPONSES_REQUEST | {"previous_response_id": "resp_1", "input": [OUTPUT]})
    assert first.response is not None
    assert second.request is not None
    assert second.request.previous == first.response.response_id


# -- background responses, which are fetched until they have come -----------------------------------------------------------

BACKGROUND = RESPONSES_ANSWER | {"background": True}


@pytest.mark.parametrize("status", ["queued", "in_progress"])
def test_a_background_response_is_incomplete_at_first(status):
    response = answered(BACKGROUND | {"status": status, "output": []})
    assert (response.stop_reason, response.stop_reason_raw, response.complete) == (None, status, False)


def test_fetching_it_brings_the_answer_of_the_call_that_it_names():
    url = "https://api.openai.com/v1/responses/resp_1?include=reasoning"
    call = must_read(None, BACKGROUND, url=url, status=200, method="GET")
    assert call.provider == "openai_responses"
    assert call.request is not None
    assert (call.request.previous, call.request.messages) == ("resp_1", ())
    assert call.response == answered(RESPONSES_ANSWER)


@pytest.mark.parametrize(
    "answer",
    [
        BACKGROUND | {"status": "in_progress"},
        BACKGROUND | {"status": "queued"},
        RESPONSES_ANSWER,
        {"object": "list", "data": []},
    ],
)
def test_fetching_what_has_not_come_or_was_answered_before_is_other_traffic(answer):
    assert (
        read_call(exchange(None, answer, url="https://api.openai.com/v1/responses/resp_1", status=200, method="GET"))
        is None
    )
