"""Cohere's v2 chat, and v1 chat as far as its histories go; also v1 through Bedrock InvokeModel (Command R).

Read: JSON, server-sent events, and the newline-delimited JSON of v1; tool calls and results, tool plans (as text), thinking. Calls of v1
have no ids, so results belong to them by name and order. Not read: citations, search queries and documents in answers.
"""

import re
from collections.abc import Mapping, Sequence

from reviewlib.model.call import (
    CallPart,
    Message,
    ModelRequest,
    ModelResponse,
    Part,
    ResultPart,
    StopReason,
    ToolSchema,
    Usage,
)
from reviewlib.model.frozen import Plain
from reviewlib.providers._cohere_stream import assemble
from reviewlib.providers._content import call, result_value, split_system, text_part, thinking_part, unknown
from reviewlib.providers._media import attachment
from reviewlib.providers._memory import remembered
from reviewlib.providers._plain import Tree, count, kind, string, tree, trees
from reviewlib.providers._request import parameters, tool_schema
from reviewlib.providers.provider import Provider

STOP_REASONS: Mapping[str, StopReason] = {
    "COMPLETE": "end_turn",
    "STOP_SEQUENCE": "stop_sequence",
    "MAX_TOKENS": "max_tokens",
    "ERROR_LIMIT": "max_tokens",
    "TOOL_CALL": "tool_use",
    "ERROR_TOXIC": "content_filter",
    "ERROR": "error",
    "TIMEOUT": "error",
}
_EVENTS = frozenset(
    {
        "message-start",
        "content-start",
        "content-delta",
        "tool-plan-delta",
        "tool-call-start",
        "tool-call-delta",
        "message-end",
    }
)
_OLD_EVENTS = frozenset({"stream-start", "text-generation", "tool-calls-chunk", "tool-calls-generation", "stream-end"})


def _read_request(body: Tree) -> ModelRequest:
    history = [_read_message(message) for message in trees(body.get("messages"))]
    for message in trees(body.get("chat_history")):
        history += _read_old_message(message)
    history += _read_old_message(
        {"role": "USER", "message": body.get("message"), "tool_results": body.get("tool_results")}
    )
    system, messages = split_system(history)
    return ModelRequest(
        model=string(body.get("model")),
        system="\n\n".join(filter(None, (string(body.get("preamble")), system))) or None,
        messages=messages,
        tools=tuple(map(_read_tool, trees(body.get("tools")))),
        parameters=parameters(
            body, {"messages", "message", "chat_history", "preamble", "tool_results", "conversation_id"}
        ),
        stream=body.get("stream") is True,
    )


def _read_tool(tool: Tree) -> ToolSchema:
    if "parameter_definitions" in tool:
        return tool_schema(tool, "parameter_definitions")
    return tool_schema(tree(tool.get("function")) or tool, "parameters")


@remembered
def _read_message(message: Tree) -> Message:
    match message.get("role"):
        case "system":
            return Message(role="system", parts=_read_content(message.get("content")))
        case "assistant":
            return Message(role="assistant", parts=_read_assistant(message))
        case "tool":
            content = message.get("content")
            shown = [tree(tree(block.get("document")).get("data")).get("content", block) for block in trees(content)]
            result = result_value((shown[0] if len(shown) == 1 else shown) or content)
            return Message(role="tool", parts=(ResultPart(call_id=string(message.get("tool_call_id")), result=result),))
        case _:
            return Message(role="user", parts=_read_content(message.get("content")))


def _read_old_message(message: Tree) -> list[Message]:
    """A message of v1: words, or the results of tools with the calls that they answer."""
    made = []
    results = [
        ResultPart(call_id=None, tool=string(tree(item.get("call")).get("name")), result=_unlisted(item.get("outputs")))
        for item in trees(message.get("tool_results"))
    ]
    if results:
        made.append(Message(role="tool", parts=tuple(results)))
    words = text_part(message.get("message"))
    calls = tuple(_old_call(item) for item in trees(message.get("tool_calls")))
    match message.get("role"):
        case "CHATBOT":
            made.append(Message(role="assistant", parts=(*words, *calls)))
        case "SYSTEM":
            made.append(Message(role="system", parts=words))
        case _ if words:
            made.append(Message(role="user", parts=words))
    return made


def _unlisted(outputs: Plain) -> Plain:
    return outputs[0] if isinstance(outputs, list) and len(outputs) == 1 else outputs


def _old_call(item: Tree) -> CallPart:
    return call(None, item.get("name"), item.get("parameters"))


def _read_content(content: Plain) -> tuple[Part, ...]:
    if isinstance(content, list):
        return tuple(part for block in trees(content) for part in _read_block(block))
    return text_part(content)


def _read_block(block: Tree) -> tuple[Part, ...]:
    match kind(block):
        case "text":
            return text_part(block.get("text"))
        case "thinking":
            return (thinking_part(block.get("thinking")),)
    return (attachment(block) or unknown(block),)


def _read_assistant(message: Tree) -> tuple[Part, ...]:
    """The parts of a message; the plan is what the model says before it calls tools."""
    parts = [*text_part(message.get("tool_plan")), *_read_content(message.get("content"))]
    for item in trees(message.get("tool_calls")):
        function = tree(item.get("function"))
        parts.append(call(item.get("id"), function.get("name"), function.get("arguments")))
    return tuple(parts)


def _read_answer(body: Tree) -> ModelResponse:
    if "message" in body:
        parts = _read_assistant(tree(body.get("message")))
    else:
        parts = (*text_part(body.get("text")), *(_old_call(item) for item in trees(body.get("tool_calls"))))
    raw = string(body.get("finish_reason"))
    return ModelResponse(
        response_id=string(body.get("id")) or string(body.get("generation_id")),
        parts=parts,
        stop_reason=_stop_reason(raw, parts),
        stop_reason_raw=raw,
        usage=_read_usage(tree(body.get("usage")) or tree(body.get("meta"))),
    )


def _stop_reason(raw: str | None, parts: Sequence[Part]) -> StopReason | None:
    """In v1 an answer that calls tools is as complete as any other."""
    if raw == "COMPLETE" and any(isinstance(part, CallPart) for part in parts):
        return "tool_use"
    return STOP_REASONS.get(raw, "other") if raw else None


def _read_usage(usage: Tree) -> Usage | None:
    """``tokens`` are all that went through the model, cached ones included; the billed units leave the harness of the host out."""
    tokens = tree(usage.get("tokens")) or tree(usage.get("billed_units"))
    if not tokens:
        return None
    return Usage(
        input_tokens=count(tokens.get("input_tokens")),
        output_tokens=count(tokens.get("output_tokens")),
        cache_read_tokens=count(usage.get("cached_tokens")),
    )


def _answers(body: Tree) -> bool:
    if "finish_reason" not in body or "choices" in body:
        return False
    return isinstance(body.get("message"), dict) or (isinstance(body.get("text"), str) and "generation_id" in body)


PROVIDER = Provider(
    name="cohere",
    title="Cohere chat",
    summary="Cohere's chat, v2 and v1 (also through Bedrock InvokeModel): JSON, server-sent events, and the newline-delimited JSON of v1. "
    "Tool plans are read as text. Citations, search queries and documents in answers are left out.",
    path=re.compile(r"/v2/chat$|/v1/chat$"),
    sends=lambda body: (
        isinstance(body.get("message"), str) and not {"chat_history", "preamble", "tool_results"}.isdisjoint(body)
    ),
    may_send=lambda body: isinstance(body.get("messages"), list) or isinstance(body.get("message"), str),
    answers=_answers,
    streams=lambda event: kind(event) in _EVENTS or event.get("event_type") in _OLD_EVENTS,
    read_request=_read_request,
    read_answer=_read_answer,
    assemble=assemble,
)
