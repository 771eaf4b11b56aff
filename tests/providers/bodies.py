"""Small bodies in each dialect, all of one story: a system prompt, one question, a look-up of an order, and its result."""

import json
from typing import Any

from reviewlib.model.call import CallPart, ModelCall, ModelRequest, ModelResponse, Part, ResultPart, Text, Thinking
from reviewlib.model.cassette import Exchange, Request, Response
from reviewlib.providers import read_call

Tree = dict[str, Any]

SYSTEM = "You are the support of Birch & Co."
QUESTION = "Where is order 7?"
SCHEMA = {"type": "object", "properties": {"order_id": {"type": "string"}}}
ARGUMENTS = {"order_id": "7"}
RESULT = {"status": "shipped", "weight": 1.0}

ANTHROPIC_REQUEST: Tree = {
    "model": "claude-test",
    "max_tokens": 100,
    "system": SYSTEM,
    "tools": [{"name": "get_order", "description": "Look up.", "input_schema": SCHEMA}],
    "messages": [{"role": "user", "content": QUESTION}],
}
ANTHROPIC_ANSWER: Tree = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "claude-test-2",
    "content": [
        {"type": "text", "text": "One moment."},
        {"type": "tool_use", "id": "toolu_1", "name": "get_order", "input": ARGUMENTS},
    ],
    "stop_reason": "tool_use",
    "usage": {
        "input_tokens": 10,
        "cache_read_input_tokens": 200,
        "cache_creation_input_tokens": 3000,
        "output_tokens": 5,
    },
}
ANTHROPIC_EVENTS: list[Tree] = [
    {
        "type": "message_start",
        "message": {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "claude-test-2",
            "content": [],
            "usage": {
                "input_tokens": 10,
                "cache_read_input_tokens": 200,
                "cache_creation_input_tokens": 3000,
                "output_tokens": 1,
            },
        },
    },
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "ping"},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "One mo"}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "ment."}},
    {"type": "content_block_stop", "index": 0},
    {
        "type": "content_block_start",
        "index": 1,
        "content_block": {"type": "tool_use", "id": "toolu_1", "name": "get_order", "input": {}},
    },
    {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": ""}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": '{"order_id": '}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": '"7"}'}},
    {"type": "content_block_stop", "index": 1},
    {
        "type": "message_delta",
        "delta": {"stop_reason": "tool_use"},
        "usage": {"output_tokens": 5, "input_tokens": None},
    },
    {"type": "message_stop"},
]

CHAT_REQUEST: Tree = {
    "model": "gpt-test",
    "messages": [{"role": "system", "content": SYSTEM}, {"role": "user", "content": QUESTION}],
    "tools": [{"type": "function", "function": {"name": "get_order", "description": "Look up.", "parameters": SCHEMA}}],
}
CHAT_ANSWER: Tree = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "model": "gpt-test-2",
    "choices": [
        {
            "index": 0,
            "finish_reason": "tool_calls",
            "message": {
                "role": "assistant",
                "content": "One moment.",
                "tool_calls": [
                    {
                        "id": "call_1",
                        "type": "function",
                        "function": {"name": "get_order", "arguments": json.dumps(ARGUMENTS)},
                    }
                ],
            },
        }
    ],
    "usage": {
        "prompt_tokens": 3210,
        "completion_tokens": 5,
        "total_tokens": 3215,
        "prompt_tokens_details": {"cached_tokens": 200, "cache_write_tokens": 3000},
    },
}


def chat_chunk(delta: Tree, finish: str | None = None, **more: Any) -> Tree:
    """One chunk with one choice."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "model": "gpt-test-2",
        "choices": [choice],
        "usage": None,
    } | more


def call_delta(index: int | None, arguments: str, call_id: str | None = None, name: str | None = None) -> Tree:
    """A delta with one fragment of a tool call."""
    function = {"arguments": arguments} | ({"name": name} if name else {})
    piece = {"function": function} | ({} if index is None else {"index": index}) | ({"id": call_id} if call_id else {})
    return {"tool_calls": [piece]}


CHAT_EVENTS: list[Tree] = [
    chat_chunk({"role": "assistant", "content": ""}),
    chat_chunk({"content": "One mo"}),
    chat_chunk({"content": "ment."}),
    chat_chunk(call_delta(0, "", "call_1", "get_order")),
    chat_chunk(call_delta(0, '{"order_id": ')),
    chat_chunk(call_delta(0, '"7"}')),
    chat_chunk({}, "tool_calls"),
    {"id": "chatcmpl-1", "object": "chat.completion.chunk", "choices": [], "usage": CHAT_ANSWER["usage"]},
]

RESPONSES_REQUEST: Tree = {
    "model": "gpt-test",
    "instructions": SYSTEM,
    "input": [{"role": "user", "content": QUESTION}],
    "tools": [{"type": "function", "name": "get_order", "description": "Look up.", "parameters": SCHEMA}],
}
RESPONSES_ANSWER: Tree = {
    "id": "resp_1",
    "object": "response",
    "model": "gpt-test-2",
    "status": "completed",
    "error": None,
    "output": [
        {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "One moment."}],
        },
        {
            "type": "function_call",
            "id": "fc_1",
            "call_id": "call_1",
            "name": "get_order",
            "arguments": json.dumps(ARGUMENTS),
        },
    ],
    "usage": {
        "input_tokens": 3210,
        "output_tokens": 5,
        "input_tokens_details": {"cached_tokens": 200, "cache_write_tokens": 3000},
    },
}
RESPONSES_EVENTS: list[Tree] = [
    {"type": "response.created", "response": RESPONSES_ANSWER | {"status": "in_progress", "output": [], "usage": None}},
    {"type": "response.output_item.added", "output_index": 0, "item": {"type": "message", "content": []}},
    {"type": "response.output_text.delta", "output_index": 0, "delta": "One mo"},
    {"type": "response.output_text.delta", "output_index": 0, "delta": "ment."},
    {"type": "response.output_item.done", "output_index": 0, "item": RESPONSES_ANSWER["output"][0]},
    {
        "type": "response.output_item.added",
        "output_index": 1,
        "item": RESPONSES_ANSWER["output"][1] | {"arguments": ""},
    },
    {"type": "response.function_call_arguments.delta", "output_index": 1, "delta": '{"order_id": '},
    {"type": "response.function_call_arguments.delta", "output_index": 1, "delta": '"7"}'},
    {"type": "response.output_item.done", "output_index": 1, "item": RESPONSES_ANSWER["output"][1]},
    {"type": "response.completed", "response": RESPONSES_ANSWER},
]

PYDANTIC_ANSWER: Tree = {
    "kind": "response",
    "model_name": "gpt-test-2",
    "provider_response_id": "chatcmpl-1",
    "finish_reason": "tool_call",
    "provider_details": {"finish_reason": "tool_calls"},
    "state": "complete",
    "parts": [
        {"part_kind": "text", "content": "One moment."},
        {"part_kind": "tool-call", "tool_name": "get_order", "tool_call_id": "call_1", "args": ARGUMENTS},
    ],
    "usage": {
        "input_tokens": 3210,
        "output_tokens": 5,
        "cache_read_tokens": 200,
        "cache_write_tokens": 3000,
        "details": {},
    },
}


def sse(events: list[Tree], newline: str = "\n", end: str = "") -> str:
    """The events as the text of an event stream."""
    return "".join(f"data: {json.dumps(event)}{newline}{newline}" for event in events) + end


def exchange(
    request: Any = None,
    answer: Any = None,
    *,
    url: str | None = None,
    status: int | None = None,
    chunks: list[Any] | None = None,
    method: str | None = None,
) -> Exchange:
    """An exchange; without a body or a URL there is no request, without an answer, chunks and status no response."""
    sent = None if request is None and url is None else Request(method=method, uri=url, body=request)
    came = None
    if not (answer is None and chunks is None and status is None):
        came = Response(status=status, body=answer, chunks=None if chunks is None else tuple(chunks))
    return Exchange(index=3, request=sent, response=came)


def must_read(request: Any = None, answer: Any = None, **more: Any) -> ModelCall:
    """The call in an exchange that is one."""
    found = read_call(exchange(request, answer, **more))
    assert found is not None
    return found


def sent(request: Any, **more: Any) -> ModelRequest:
    """The request half of a call."""
    found = must_read(request, **more).request
    assert found is not None
    return found


def answered(answer: Any = None, **more: Any) -> ModelResponse:
    """The response half of a call."""
    found = must_read(None, answer, **more).response
    assert found is not None
    return found


def brief(parts: tuple[Part, ...]) -> list[Any]:
    """Parts in few words, for tables: text as itself, calls and results as tuples, thinking as ``{text}``."""
    made: list[Any] = []
    for part in parts:
        match part:
            case Text():
                made.append(part.text)
            case Thinking():
                made.append({part.text})
            case CallPart():
                raw = part.arguments_raw
                made.append((part.tool, part.arguments if raw is None else f"raw {raw}"))
            case ResultPart():
                made.append(("->", part.result))
            case _:
                made.append((part.media_type, part.size, part.digest, part.url))
    return made
