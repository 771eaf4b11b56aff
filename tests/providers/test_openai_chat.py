"""OpenAI Chat Completions and the hosts that speak it: messages, tool calls, finish reasons, usage, streams."""

import pytest

from reviewlib.model.call import CallPart, ResultPart, Usage
from tests.providers.bodies import (
    CHAT_ANSWER,
    CHAT_EVENTS,
    CHAT_REQUEST,
    answered,
    brief,
    call_delta,
    chat_chunk,
    must_read,
    sent,
    sse,
)

CALL = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}


def _answer(message, finish="stop", **more):
    choice = {"index": 0, "message": {"role": "assistant"} | message, "finish_reason": finish}
    return answered(CHAT_ANSWER | {"choices": [choice]} | more)


def _request(*messages):
    return sent(CHAT_REQUEST | {"messages": list(messages)})


@pytest.mark.parametrize(
    ("messages", "system", "history"),
    [
        ([{"role": "system", "content": "A"}, {"role": "user", "content": "Q"}], "A", ["user"]),
        (
            [
                {"role": "system", "content": "A"},
                {"role": "developer", "content": "B"},
                {"role": "user", "content": "Q"},
            ],
            "A\n\nB",
            ["user"],
        ),
        ([{"role": "system", "content": [{"type": "text", "text": "A"}, {"type": "text", "text": "B"}]}], "A\n\nB", []),
        ([{"role": "user", "content": "Q"}, {"role": "system", "content": "late"}], None, ["user", "system"]),
        ([{"role": "user", "content": "Q"}, {"role": "mystery", "content": "x"}], None, ["user", "user"]),
    ],
)
def test_system_messages_at_the_start_are_the_system_prompt(messages, system, history):
    request = _request(*messages)
    assert (request.system, [message.role for message in request.messages]) == (system, history)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"role": "user", "content": "Hi"}, ["Hi"]),
        ({"role": "user", "content": [{"type": "text", "text": "Hi"}, "you"]}, ["Hi", "you"]),
        ({"role": "user", "content": None}, []),
        ({"role": "assistant", "content": None, "tool_calls": [CALL]}, [("f", {})]),
        (
            {"role": "assistant", "content": "Hm", "function_call": {"name": "f", "arguments": '{"a": 1}'}},
            ["Hm", ("f", {"a": 1})],
        ),
        ({"role": "assistant", "refusal": "No."}, ["No."]),
        ({"role": "assistant", "content": [{"type": "refusal", "refusal": "No."}]}, ["No."]),
        ({"role": "assistant", "reasoning_content": "Think", "content": "Say"}, [{"Think"}, "Say"]),
        ({"role": "assistant", "reasoning": "Think", "content": "Say"}, [{"Think"}, "Say"]),
        (
            {"role": "assistant", "reasoning_details": [{"type": "reasoning.encrypted"}], "content": "Say"},
            [{None}, "Say"],
        ),
        (
            {"role": "assistant", "content": [{"type": "thinking", "thinking": [{"type": "text", "text": "Th"}]}]},
            [{"Th"}],
        ),
        (
            {"role": "assistant", "audio": {"data": "AAAA", "transcript": "Spoken"}},
            [("audio", 3, "709e80c88487a241", None), "Spoken"],
        ),
        ({"role": "tool", "tool_call_id": "c", "content": '{"a": 1}'}, [("->", {"a": 1})]),
        ({"role": "tool", "content": [{"type": "text", "text": "ok"}]}, [("->", "ok")]),
        (
            {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "https://x.test/i"}}]},
            [("image", None, None, "https://x.test/i")],
        ),
        (
            {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}]},
            [("image/png", 3, "709e80c88487a241", None)],
        ),
        (
            {"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}}]},
            [("audio/wav", 3, "709e80c88487a241", None)],
        ),
        (
            {"role": "user", "content": [{"type": "file", "file": {"file_data": "data:application/pdf;base64,AAAA"}}]},
            [("application/pdf", 3, "709e80c88487a241", None)],
        ),
        (
            {"role": "user", "content": [{"type": "file", "file": {"file_id": "file-1"}}]},
            [("file", None, None, "file-1")],
        ),
        ({"role": "user", "content": [{"type": "new", "x": 1}]}, ['{"type": "new", "x": 1}']),
    ],
)
def test_messages(message, expected):
    (made,) = _request(message).messages
    assert brief(made.parts) == expected


def test_a_result_is_linked_by_its_id_or_named_by_its_function():
    tool, function = _request(
        {"role": "tool", "tool_call_id": "c", "content": "1"}, {"role": "function", "name": "f", "content": "2"}
    ).messages
    assert tool.parts == (ResultPart(call_id="c", result="1"),)
    assert function.parts == (ResultPart(call_id=None, tool="f", result="2"),)
    assert {tool.role, function.role} == {"tool"}


@pytest.mark.parametrize(
    ("arguments", "parsed", "raw"),
    [
        ('{"amount": 39.0}', {"amount": 39.0}, None),
        ('{"id": 12345678901234567890123}', {"id": 12345678901234567890123}, None),
        ("", {}, None),
        ("  ", {}, None),
        (None, {}, None),
        ({"already": "parsed"}, {"already": "parsed"}, None),
        ('{"amount": 39', None, '{"amount": 39'),
        ("{'amount': 39}", None, "{'amount': 39}"),
        ("NaN", None, "NaN"),
        ('"word"', None, '"word"'),
    ],
)
def test_arguments_are_parsed_or_kept_as_they_were_written(arguments, parsed, raw):
    (part,) = _answer({"tool_calls": [{"id": "c", "function": {"name": "f", "arguments": arguments}}]}).parts
    assert isinstance(part, CallPart)
    assert (part.arguments, part.arguments_raw) == (parsed, raw)
    assert (part.call_id, part.origin, part.server_side, part.result_recorded) == ("c", "native", False, False)


def test_members_that_a_host_writes_out_unset_are_none():
    """Snowflake sends every member of the schema, empty where it is not set."""
    unset = {"function_call": {"name": "", "arguments": ""}, "audio": {"id": "", "data": "", "expires_at": 1}}
    function = {"name": "f", "arguments": '{"a": 1}'}
    calls = [{"id": "c", "type": "function", "function": function, "custom": {"name": "", "input": ""}}]
    said = _answer({"role": "assistant", "content": "", "refusal": "", "tool_calls": calls} | unset, finish="")
    assert brief(said.parts) == [("f", {"a": 1})]
    assert said.stop_reason == "tool_use"
    assert brief(_answer({"role": "assistant", "content": "Hi", "tool_calls": None} | unset).parts) == ["Hi"]


def test_a_custom_tool_takes_free_text():
    (part,) = _answer({"tool_calls": [{"id": "c", "type": "custom", "custom": {"name": "sh", "input": "ls {"}}]}).parts
    assert isinstance(part, CallPart)
    assert (part.tool, part.arguments, part.arguments_raw) == ("sh", "ls {", None)


@pytest.mark.parametrize(
    ("finish", "message", "expected"),
    [
        ("stop", {"content": "a"}, "end_turn"),
        ("stop", {"tool_calls": [CALL]}, "tool_use"),
        ("tool_calls", {"tool_calls": [CALL]}, "tool_use"),
        ("function_call", {"function_call": {"name": "f"}}, "tool_use"),
        ("length", {"tool_calls": [CALL]}, "max_tokens"),
        ("model_length", {"content": "a"}, "max_tokens"),
        ("content_filter", {"content": ""}, "content_filter"),
        ("stop", {"refusal": "No."}, "refusal"),
        ("STOP", {"content": "a"}, "end_turn"),
        ("", {"content": "a"}, None),
        ("", {"tool_calls": [CALL]}, "tool_use"),
        (None, {"content": "a"}, None),
        (None, {"tool_calls": [CALL]}, "tool_use"),
        ("eos", {"content": "a"}, "other"),
    ],
)
def test_finish_reasons(finish, message, expected):
    response = _answer(message, finish)
    assert (response.stop_reason, response.stop_reason_raw) == (expected, finish)


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}, Usage(input_tokens=10, output_tokens=5)),
        (
            {
                "prompt_tokens": 10,
                "completion_tokens": 5,
                "total_tokens": 15,
                "completion_tokens_details": {"reasoning_tokens": 4},
            },
            Usage(input_tokens=10, output_tokens=5, reasoning_tokens=4),
        ),
        (
            {
                "prompt_tokens": 10,
                "completion_tokens": 5,
                "total_tokens": 19,
                "completion_tokens_details": {"reasoning_tokens": 4},
            },
            Usage(input_tokens=10, output_tokens=9, reasoning_tokens=4),
        ),
        ({"prompt_tokens": True, "completion_tokens": "5"}, Usage()),
        ({}, None),
        (None, None),
    ],
)
def test_output_tokens_include_reasoning_also_where_the_host_counts_it_apart(usage, expected):
    assert answered(CHAT_ANSWER | {"usage": usage}).usage == expected


def test_several_choices_are_all_kept():
    choices = [
        {"index": index, "message": {"content": word}, "finish_reason": "stop"} for index, word in enumerate("ab")
    ]
    assert brief(answered(CHAT_ANSWER | {"choices": choices}).parts) == ["a", "b"]


def test_tools_of_every_kind():
    tools = [
        {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}, "strict": True}},
        {"name": "flat", "parameters": {}},
        {"type": "custom", "custom": {"name": "sh", "format": {"type": "text"}}},
        {"type": "web_search"},
    ]
    made = sent(CHAT_REQUEST | {"tools": tools, "functions": [{"name": "old", "parameters": {}}]}).tools
    assert [(tool.name, tool.schema_, tool.options) for tool in made] == [
        ("f", {"type": "object"}, {"strict": True}),
        ("flat", {}, {}),
        ("sh", None, {"format": {"type": "text"}}),
        ("web_search", None, {"type": "web_search"}),
        ("old", {}, {}),
    ]


def test_parameters_are_everything_else_that_shapes_the_answer():
    more = {
        "temperature": 0,
        "stream": True,
        "stream_options": {"include_usage": True},
        "user": "u",
        "seed": None,
        "response_format": {"type": "json_object"},
    }
    assert sent(CHAT_REQUEST | more).parameters == {"temperature": 0, "response_format": {"type": "json_object"}}


@pytest.mark.parametrize(
    ("url", "model"),
    [
        ("https://x.openai.azure.test/openai/deployments/my-gpt/chat/completions?api-version=1", "my-gpt"),
        ("https://openrouter.test/api/v1/chat/completions", None),
    ],
)
def test_azure_says_the_deployment_in_the_path(url, model):
    request = must_read({"messages": []}, CHAT_ANSWER, url=url, status=200).request
    assert request is not None
    assert request.model == model


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"error": {"message": "No such model.", "code": "model_not_found"}}, "No such model."),
        ({"error": {"code": "429"}}, "429"),
        ({"error": "model not found"}, "model not found"),
        ({"detail": "Unauthorized"}, "Unauthorized"),
        ([{"error": {"message": "wrapped"}}], "wrapped"),
        ({"error": {}}, "HTTP 404"),
        (b"\xff\xfe", "\ufffd\ufffd"),
    ],
)
def test_a_failure_is_its_message(body, expected):
    response = must_read(CHAT_REQUEST, body, status=404).response
    assert response is not None
    assert (response.error, response.stop_reason) == (expected, "error")


def test_an_error_inside_a_choice_is_a_failure_that_keeps_the_words_before_it():
    choice = {"message": {"content": "Half"}, "finish_reason": "error", "error": {"message": "Provider went away"}}
    response = answered(CHAT_ANSWER | {"choices": [choice]})
    assert (response.error, response.stop_reason, brief(response.parts)) == ("Provider went away", "error", ["Half"])


# -- streams -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "pieces",
    [
        [
            call_delta(0, "", "a", "f"),
            call_delta(1, "", "b", "g"),
            call_delta(1, '{"y": 2}'),
            call_delta(0, '{"x": 1}'),
        ],
        [call_delta(0, '{"x": 1}', "a", "f"), call_delta(0, '{"y": 2}', "b", "g")],
        [call_delta(0, '{"x"', "a", "f"), call_delta(0, ": 1}", "a", "f"), call_delta(1, '{"y": 2}', "b", "g")],
        [call_delta(0, '{"x"', "a", "f"), call_delta(0, ": 1}", "other"), call_delta(1, '{"y": 2}', "b", "g")],
        [
            {
                "tool_calls": [
                    call_delta(None, '{"x": 1}', "a", "f")["tool_calls"][0],
                    call_delta(None, '{"y": 2}', "b", "g")["tool_calls"][0],
                ]
            }
        ],
    ],
    ids=["by-index", "one-index-two-ids", "name-repeated", "id-drifts", "no-index"],
)
def test_fragments_find_their_call(pieces):
    response = answered(chunks=[chat_chunk(piece) for piece in pieces])
    assert brief(response.parts) == [("f", {"x": 1}), ("g", {"y": 2})]
    assert [part.call_id for part in response.parts if isinstance(part, CallPart)] == ["a", "b"]


def test_arguments_that_come_as_an_object_are_kept():
    piece = {"index": 0, "id": "a", "function": {"name": "f", "arguments": {"x": 1}}}
    assert brief(answered(chunks=[chat_chunk({"tool_calls": [piece]})]).parts) == [("f", {"x": 1})]


def test_the_old_function_call_and_a_custom_tool_stream_as_well():
    old = [
        chat_chunk({"function_call": {"name": "f", "arguments": '{"x"'}}),
        chat_chunk({"function_call": {"arguments": ": 1}"}}),
    ]
    assert brief(answered(chunks=old).parts) == [("f", {"x": 1})]
    custom = [{"index": 0, "id": "c", "custom": {"name": "sh", "input": "l"}}, {"index": 0, "custom": {"input": "s"}}]
    assert brief(answered(chunks=[chat_chunk({"tool_calls": [piece]}) for piece in custom]).parts) == [("sh", "ls")]


def test_reasoning_and_blocks_of_content_stream_as_well():
    events = [
        chat_chunk({"reasoning": "Th"}),
        chat_chunk({"reasoning": "ink"}),
        chat_chunk({"content": [{"type": "text", "text": "Say"}]}),
        chat_chunk({"reasoning_details": [{"type": "reasoning.encrypted"}]}),
    ]
    assert brief(answered(chunks=events).parts) == [{"Think"}, "Say"]


@pytest.mark.parametrize(
    ("events", "end", "complete", "stop"),
    [
        ([chat_chunk({"content": "a"}, "stop")], "", True, "end_turn"),
        ([chat_chunk({"content": "a"}, "")], "", True, None),
        ([chat_chunk({"content": "a"})], "", False, None),
        ([chat_chunk({"content": "a"})], "data: [DONE]\n\n", True, None),
        ([chat_chunk(call_delta(0, "{}", "c", "f"))], "data: [DONE]\n\n", True, "tool_use"),
    ],
)
def test_a_stream_is_complete_with_a_finish_reason_or_its_closing_line(events, end, complete, stop):
    response = answered(sse(events, end=end))
    assert (response.complete, response.stop_reason) == (complete, stop)


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        (CHAT_EVENTS[:-1], None),
        (
            [
                chat_chunk({"content": "a"}),
                {"choices": [], "object": "chat.completion.chunk", "usage": {"prompt_tokens": 1}},
            ],
            Usage(input_tokens=1),
        ),
        ([chat_chunk({"content": "a"}, x_groq={"usage": {"prompt_tokens": 2}})], Usage(input_tokens=2)),
        ([chat_chunk({"content": "a"}, usage={"prompt_tokens": 3}), chat_chunk({})], Usage(input_tokens=3)),
    ],
)
def test_usage_of_a_stream_is_unknown_unless_a_chunk_says_it(events, expected):
    assert answered(chunks=events).usage == expected


@pytest.mark.parametrize("beside", [{}, {"choices": [], "object": "chat.completion.chunk"}])
def test_an_error_in_the_middle_of_a_stream_is_a_failure_that_keeps_what_had_arrived(beside):
    response = answered(sse([*CHAT_EVENTS[:3], {"error": {"message": "upstream died"}} | beside]))
    assert (response.error, response.complete, brief(response.parts)) == ("upstream died", False, ["One moment."])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"model": "m", "messages": [{"role": "user", "content": "q"}]}, "openai_chat"),
        ({"model": "m", "messages": [{"role": "user", "content": "q"}], "system": "s"}, "anthropic"),
        ({"model": "m", "messages": [{"role": "user", "content": [{"type": "tool_result"}]}]}, "anthropic"),
    ],
)
def test_a_request_alone_is_told_from_its_neighbours(body, expected):
    assert must_read(body).provider == expected
