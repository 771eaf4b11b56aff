"""The OpenAI Chat Completions API, with the many hosts that speak it (Azure, Groq, Mistral, OpenRouter, DeepSeek, xAI, Together, vLLM …).

Read: JSON and streams; function calls and custom tools, refusals, audio, the hosts' ways of sending reasoning. Every choice is read,
in order. Not read: log probabilities, annotations, encrypted reasoning.
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
    Thinking,
    ToolSchema,
)
from reviewlib.model.frozen import Plain
from reviewlib.providers._content import call, result_value, split_system, text_part, thinking_part, unknown
from reviewlib.providers._failure import error_in
from reviewlib.providers._media import attachment, media
from reviewlib.providers._memory import remembered
from reviewlib.providers._openai_chat_stream import assemble
from reviewlib.providers._plain import Tree, kind, string, tree, trees
from reviewlib.providers._request import parameters, tool_schema
from reviewlib.providers._usage import openai_counts
from reviewlib.providers.provider import Provider

STOP_REASONS: Mapping[str, StopReason] = {
    "stop": "end_turn",
    "tool_calls": "tool_use",
    "function_call": "tool_use",
    "length": "max_tokens",
    "model_length": "max_tokens",  # Mistral
    "content_filter": "content_filter",
    "error": "error",  # OpenRouter
}
_ROLES: Mapping[str, str] = {
    "system": "system",
    "developer": "system",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}


def _read_request(body: Tree) -> ModelRequest:
    system, messages = split_system([_read_message(message) for message in trees(body.get("messages"))])
    tools = [_read_tool(tool) for tool in trees(body.get("tools"))]
    tools += [tool_schema(tool, "parameters") for tool in trees(body.get("functions"))]
    return ModelRequest(
        model=string(body.get("model")),
        system=system,
        messages=messages,
        tools=tuple(tools),
        parameters=parameters(body, {"messages", "functions"}),
        stream=body.get("stream") is True,
    )


@remembered
def _read_tool(tool: Tree) -> ToolSchema:
    """``{type: function, function: {…}}``, or a tool of the host's own kind."""
    return tool_schema(tree(tool.get(kind(tool) or "function")) or tool, "parameters")


@remembered
def _read_message(message: Tree) -> Message:
    match _ROLES.get(string(message.get("role")) or "", "user"):
        case "system":
            return Message(role="system", parts=_read_content(message.get("content")))
        case "assistant":
            return Message(role="assistant", parts=_read_assistant(message))
        case "tool":
            result = ResultPart(
                call_id=string(message.get("tool_call_id")),
                tool=string(message.get("name")),
                result=result_value(message.get("content")),
            )
            return Message(role="tool", parts=(result,))
        case _:
            return Message(role="user", parts=_read_content(message.get("content")))


def _read_content(content: Plain) -> tuple[Part, ...]:
    if isinstance(content, list):
        return tuple(part for block in content for part in _read_block(block))
    return text_part(content)


def _read_block(block: Plain) -> tuple[Part, ...]:
    inner = tree(block)
    if not inner:
        return text_part(block)
    match inner.get("type"):
        case "text" | "refusal" as key:
            return text_part(inner.get(key))
        case "thinking":  # Mistral
            pieces = inner.get("thinking")
            words = "".join(string(piece.get("text")) or "" for piece in trees(pieces))
            return (thinking_part(words or pieces),)
    return (attachment(inner) or unknown(inner),)


def _read_assistant(message: Tree) -> tuple[Part, ...]:
    """The parts of an assistant's message, the same in an answer and in the history of the next request."""
    parts = [*_read_reasoning(message), *_read_content(message.get("content")), *text_part(message.get("refusal"))]
    if audio := _filled(message.get("audio")):
        parts += [media("audio", audio.get("data")), *text_part(audio.get("transcript"))]
    parts += [_read_call(item) for item in trees(message.get("tool_calls"))]
    if function := _filled(message.get("function_call")):  # before tool_calls existed
        parts.append(call(None, function.get("name"), function.get("arguments")))
    return tuple(parts)


def _read_call(item: Tree) -> CallPart:
    """A function call, or one of a custom tool, whose input is free text."""
    if custom := _filled(item.get("custom")):
        made = call(item.get("id"), custom.get("name"), None)
        return made.model_copy(update={"arguments": custom.get("input")})
    function = tree(item.get("function"))
    return call(item.get("id"), function.get("name"), function.get("arguments"))


def _filled(value: Plain) -> Tree:
    """The object, or an empty one where a host wrote out every member that was not set (Snowflake: ``""`` and 0)."""
    inner = tree(value)
    return inner if any(member for key, member in inner.items() if key != "expires_at") else {}


def _read_reasoning(message: Tree) -> list[Thinking]:
    """``reasoning_content`` (DeepSeek, vLLM), ``reasoning`` (OpenRouter, Groq), or details that may be encrypted."""
    words = string(message.get("reasoning_content")) or string(message.get("reasoning"))
    if words or message.get("reasoning_details"):
        return [Thinking(text=words)]
    return []


def _read_answer(body: Tree) -> ModelResponse:
    choices = trees(body.get("choices"))
    messages = [tree(choice.get("message")) for choice in choices]
    parts = tuple(part for message in messages for part in _read_assistant(message))
    raw = next((found for choice in choices if isinstance(found := choice.get("finish_reason"), str)), None)
    error = error_in(body) or next((found for choice in choices if (found := error_in(choice))), None)
    refused = any(string(message.get("refusal")) for message in messages)
    return ModelResponse(
        response_id=string(body.get("id")),
        model=string(body.get("model")),
        parts=parts,
        stop_reason="error" if error else _stop_reason(raw, parts, refused=refused),
        stop_reason_raw=raw,
        usage=openai_counts(tree(body.get("usage"))),
        error=error,
    )


def _stop_reason(raw: str | None, parts: Sequence[Part], *, refused: bool) -> StopReason | None:
    """Hosts say ``stop`` or nothing where tool calls are present; an empty reason with nothing to go by is unknown."""
    if raw in {None, "", "stop"} and any(isinstance(part, CallPart) for part in parts):
        return "tool_use"
    if raw in {None, "", "stop"} and refused:
        return "refusal"
    return STOP_REASONS.get(raw.lower(), "other") if raw else None


def _sends(body: Tree) -> bool:
    """A model and a history with roles, without what only Anthropic's dialect has."""
    messages = trees(body.get("messages"))
    foreign = (
        "system" in body
        or "anthropic_version" in body
        or "options" in body  # Ollama
        or any("input_schema" in tool for tool in trees(body.get("tools")))
    )
    blocks = {kind(block) for message in messages for block in trees(message.get("content"))}
    roles = [message.get("role") for message in messages]
    has_roles = bool(roles) and all(
        isinstance(role, str) and not role.startswith("ROLE_") for role in roles
    )  # xAI's gRPC
    return has_roles and isinstance(body.get("model"), str) and not foreign and not blocks & {"tool_use", "tool_result"}


def _answers(body: Tree) -> bool:
    choices = body.get("choices")
    return isinstance(choices, list) and (
        body.get("object") == "chat.completion"
        or any(isinstance(choice.get("message"), dict) for choice in trees(choices))
    )


def _streams(event: Tree) -> bool:
    choices = event.get("choices")
    return isinstance(choices, list) and (
        event.get("object") == "chat.completion.chunk"
        or any(isinstance(choice.get("delta"), dict) for choice in trees(choices))
    )


PROVIDER = Provider(
    name="openai_chat",
    title="OpenAI Chat Completions",
    summary="Chat Completions of OpenAI and of the many hosts that speak it (Azure, Groq, Mistral, OpenRouter, DeepSeek, xAI, Together, "
    "vLLM, Hugging Face): JSON and streams, with custom tools, refusals and each host's reasoning. Log probabilities and annotations "
    "are left out.",
    path=re.compile(r"(?:/deployments/(?P<model>[^/]+))?/chat/completions$"),
    sends=_sends,
    may_send=lambda body: isinstance(body.get("messages"), list),
    answers=_answers,
    streams=_streams,
    read_request=_read_request,
    read_answer=_read_answer,
    assemble=assemble,
)
