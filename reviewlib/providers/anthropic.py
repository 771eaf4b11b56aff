"""The Anthropic Messages API, also through Bedrock InvokeModel (AWS event streams) and Vertex AI, whose bodies are the same.

Read: JSON and streams; tool use and results, Anthropic's own tools and MCP with the results that stand in the same answer, thinking,
attachments, refusals and ``pause_turn``. Not read: signatures, encrypted contents, citations, cache control.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from reviewlib.model.call import (
    CallPart,
    Message,
    ModelRequest,
    ModelResponse,
    Part,
    ResultPart,
    StopReason,
    Text,
    Thinking,
    ToolSchema,
    Usage,
)
from reviewlib.model.frozen import Plain
from reviewlib.providers._content import (
    call,
    from_user,
    result_value,
    text_part,
    thinking_part,
    unknown,
    with_server_results,
)
from reviewlib.providers._media import attachment
from reviewlib.providers._memory import remembered
from reviewlib.providers._plain import Tree, count, kind, string, total, tree, trees
from reviewlib.providers._request import parameters, tool_schema
from reviewlib.providers.provider import Assembled, Provider

STOP_REASONS: Mapping[str, StopReason] = {
    "end_turn": "end_turn",
    "tool_use": "tool_use",
    "max_tokens": "max_tokens",
    "model_context_window_exceeded": "max_tokens",
    "stop_sequence": "stop_sequence",
    "refusal": "refusal",
    "pause_turn": "pause_turn",
}

_EVENTS = frozenset(
    {
        "message_start",
        "message_delta",
        "message_stop",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
    }
)
_BLOCKS: Mapping[str, Callable[[Tree], tuple[Part, ...]]] = {
    "text": lambda block: text_part(block.get("text")),
    "thinking": lambda block: (thinking_part(block.get("thinking")),),
    "redacted_thinking": lambda _: (Thinking(text=None),),
    "tool_use": lambda block: (call(block.get("id"), block.get("name"), block.get("input")),),
    "server_tool_use": lambda block: (_server_call(block),),
    "mcp_tool_use": lambda block: (_server_call(block),),
    "tool_result": lambda block: (_result(block, is_error=block.get("is_error") is True),),
    "mcp_tool_result": lambda block: (_result(block, is_error=block.get("is_error") is True),),
}


def _read_request(body: Tree) -> ModelRequest:
    messages = [made for message in trees(body.get("messages")) for made in _read_message(message)]
    return ModelRequest(
        model=string(body.get("model")),
        system="\n\n".join(part.text for part in _read_content(body.get("system")) if isinstance(part, Text)) or None,
        messages=tuple(messages),
        tools=tuple(_read_tool(tool) for tool in trees(body.get("tools"))),
        parameters=parameters(body, {"messages", "system", "container"}),  # a container is the id of a sandbox
        stream=body.get("stream") is True,
    )


@remembered
def _read_tool(tool: Tree) -> ToolSchema:
    return tool_schema(tool, "input_schema")


@remembered
def _read_message(message: Tree) -> list[Message]:
    role, parts = message.get("role"), _read_content(message.get("content"))
    if role == "assistant":
        return [Message(role="assistant", parts=with_server_results(parts))]
    if role == "system":
        return [Message(role="system", parts=parts)]
    return from_user(parts)


def _read_content(content: Plain) -> tuple[Part, ...]:
    if isinstance(content, list):
        return tuple(part for block in content for part in _read_block(block))
    return text_part(content)


def _read_block(block: Plain) -> tuple[Part, ...]:
    if not isinstance(block, dict):
        return text_part(block)
    inner = tree(block)
    named = kind(inner)
    if named in _BLOCKS:
        return _BLOCKS[named](inner)
    if named.endswith("_tool_result"):  # of a tool that Anthropic runs: web_search, code_execution, tool_search …
        return (_result(inner, is_error=kind(inner.get("content")).endswith("_error")),)
    return (attachment(inner) or unknown(inner),)


def _server_call(block: Tree) -> CallPart:
    return call(block.get("id"), block.get("name"), block.get("input"), server_side=True)


def _result(block: Tree, *, is_error: bool) -> ResultPart:
    return ResultPart(
        call_id=string(block.get("tool_use_id")), result=result_value(block.get("content")), is_error=is_error
    )


def _read_answer(body: Tree) -> ModelResponse:
    raw = string(body.get("stop_reason"))
    return ModelResponse(
        response_id=string(body.get("id")),
        model=string(body.get("model")),
        parts=with_server_results(_read_content(body.get("content"))),
        stop_reason=STOP_REASONS.get(raw, "other") if raw else None,
        stop_reason_raw=raw,
        usage=_read_usage(tree(body.get("usage"))),
    )


def _read_usage(usage: Tree) -> Usage | None:
    """Anthropic counts the uncached input alone, and cache reads and writes beside it."""
    if not usage:
        return None
    uncached, read = count(usage.get("input_tokens")), count(usage.get("cache_read_input_tokens"))
    written = count(usage.get("cache_creation_input_tokens"))
    return Usage(
        input_tokens=None if uncached is None else total((uncached, read, written)),
        output_tokens=count(usage.get("output_tokens")),
        cache_read_tokens=read,
        cache_write_tokens=written,
        reasoning_tokens=count(tree(usage.get("output_tokens_details")).get("thinking_tokens")),
    )


def _assemble(events: Sequence[Tree]) -> Assembled:
    """The message that the events build. Usage starts in ``message_start`` and is overwritten by ``message_delta``."""
    message: Tree = {}
    usage: Tree = {}
    blocks: dict[int, _Block] = {}
    stopped = False
    for event in events:
        match event.get("type"):
            case "message_start":
                message |= tree(event.get("message"))
                usage |= _known(message.get("usage"))
            case "content_block_start":
                blocks[count(event.get("index")) or 0] = _Block(tree(event.get("content_block")))
            case "content_block_delta":
                blocks.setdefault(count(event.get("index")) or 0, _Block({})).add(tree(event.get("delta")))
            case "message_delta":
                message |= _known(event.get("delta"))
                usage |= _known(event.get("usage"))
            case "message_stop":
                stopped = True
    content = [blocks[index].whole() for index in sorted(blocks)] or message.get("content")
    complete = stopped or string(message.get("stop_reason")) is not None
    return Assembled(message | {"content": content, "usage": usage}, complete)


class _Block:
    """A content block while its deltas arrive."""

    def __init__(self, start: Tree) -> None:
        self._start = start
        self._pieces: dict[str, list[str]] = {}

    def add(self, delta: Tree) -> None:
        for key in ("text", "thinking", "partial_json"):
            if isinstance(piece := delta.get(key), str):
                self._pieces.setdefault(key, []).append(piece)

    def whole(self) -> Tree:
        joined = {key: "".join(pieces) for key, pieces in self._pieces.items()}
        arguments = joined.pop("partial_json", "")
        made = self._start | {key: (string(self._start.get(key)) or "") + text for key, text in joined.items()}
        if "type" not in made:  # the start was cut off
            made["type"] = "thinking" if "thinking" in joined else "text" if "text" in joined else "tool_use"
        return made | {"input": arguments} if arguments else made


def _known(value: Plain) -> Tree:
    return {key: item for key, item in tree(value).items() if item is not None}


def _sends(body: Tree) -> bool:
    """Messages, and something that only this dialect has; a bare history looks like OpenAI's."""
    if not _has_messages(body):
        return False
    system = body.get("system")  # Bedrock's Converse has one of blocks without a type
    if "anthropic_version" in body or isinstance(system, str) or any("type" in block for block in trees(system)):
        return True
    blocks = [block for message in trees(body["messages"]) for block in trees(message.get("content"))]
    return any("input_schema" in tool for tool in trees(body.get("tools"))) or any(
        kind(block) in {"tool_use", "tool_result"} for block in blocks
    )


def _has_messages(body: Tree) -> bool:
    return isinstance(body.get("messages"), list)


PROVIDER = Provider(
    name="anthropic",
    title="Anthropic Messages",
    summary="The Messages API, also through Bedrock InvokeModel and Vertex AI: JSON and streams, with thinking, Anthropic's own tools and "
    "MCP (results in the same answer), refusals and pause_turn. Signatures, encrypted contents and citations are left out.",
    path=re.compile(
        r"/messages$|/models?/(?P<model>.*claude.*?)(?::(?:streamR|r)awPredict|/invoke(?:-with-response-stream)?)$"
    ),
    sends=_sends,
    may_send=_has_messages,
    answers=lambda body: body.get("type") == "message" and isinstance(body.get("content"), list),
    streams=lambda event: kind(event) in _EVENTS,
    read_request=_read_request,
    read_answer=_read_answer,
    assemble=_assemble,
)
