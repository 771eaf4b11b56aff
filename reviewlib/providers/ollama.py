"""Ollama's own API, /api/chat and /api/generate, as JSON and as newline-delimited JSON.

Read: messages and prompts, tool calls (without ids, so results belong to them by name and order), thinking, images. Not read: the
context tokens that /api/generate hands on, and durations.
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
    Usage,
)
from reviewlib.model.frozen import Plain
from reviewlib.providers._content import call, result_value, split_system, text_part
from reviewlib.providers._failure import error_in
from reviewlib.providers._media import media
from reviewlib.providers._plain import Tree, count, string, tree, trees
from reviewlib.providers._request import parameters, tool_schema
from reviewlib.providers.provider import Assembled, Provider

STOP_REASONS: Mapping[str, StopReason] = {"stop": "end_turn", "length": "max_tokens"}


def _read_request(body: Tree) -> ModelRequest:
    messages = [_read_message(message) for message in trees(body.get("messages"))]
    if "prompt" in body:
        messages.append(Message(role="user", parts=(*text_part(body["prompt"]), *_images(body))))
    system, messages_after = split_system(messages)
    return ModelRequest(
        model=string(body.get("model")),
        system="\n\n".join(filter(None, (string(body.get("system")), system))) or None,
        messages=messages_after,
        tools=tuple(tool_schema(tree(tool.get("function")), "parameters") for tool in trees(body.get("tools"))),
        parameters=parameters(body, {"messages", "prompt", "images", "system", "context", "keep_alive"}),
        stream=body.get("stream") is not False,  # it is the default
    )


def _read_message(message: Tree) -> Message:
    match message.get("role"):
        case "system":
            return Message(role="system", parts=text_part(message.get("content")))
        case "assistant":
            return Message(role="assistant", parts=_read_assistant(message))
        case "tool":
            name = string(message.get("tool_name")) or string(message.get("name"))
            result = result_value(message.get("content"))
            return Message(
                role="tool", parts=(ResultPart(call_id=string(message.get("tool_call_id")), tool=name, result=result),)
            )
        case _:
            return Message(role="user", parts=(*text_part(message.get("content")), *_images(message)))


def _images(message: Tree) -> list[Part]:
    images = message.get("images")
    return [media("image", image) for image in images] if isinstance(images, list) else []


def _read_assistant(message: Tree) -> tuple[Part, ...]:
    """The parts of a message; of /api/generate the answer itself is one, with ``response`` for its content."""
    thought = string(message.get("thinking"))
    parts: list[Part] = [Thinking(text=thought)] if thought else []
    parts += text_part(message.get("content", message.get("response")))
    for item in trees(message.get("tool_calls")):
        function = tree(item.get("function"))
        parts.append(call(item.get("id"), function.get("name"), function.get("arguments")))
    return tuple(parts)


def _read_answer(body: Tree) -> ModelResponse:
    parts = _read_assistant(tree(body.get("message")) or body)
    raw = string(body.get("done_reason"))
    error = error_in(body)
    return ModelResponse(
        model=string(body.get("model")),
        parts=parts,
        stop_reason="error" if error else _stop_reason(raw, parts, done=body.get("done") is True),
        stop_reason_raw=raw,
        usage=_read_usage(body),
        error=error,
        complete=body.get("done") is True,
    )


def _stop_reason(raw: str | None, parts: Sequence[Part], *, done: bool) -> StopReason | None:
    """Servers before 0.1.35 say only that they are done."""
    if raw in {None, "stop"} and any(isinstance(part, CallPart) for part in parts):
        return "tool_use"
    if raw is None:
        return "end_turn" if done else None
    return STOP_REASONS.get(raw, "other")


def _read_usage(body: Tree) -> Usage | None:
    sent, written = count(body.get("prompt_eval_count")), count(body.get("eval_count"))
    return None if sent is None and written is None else Usage(input_tokens=sent, output_tokens=written)


def _assemble(events: Sequence[Tree]) -> Assembled:
    """The last line says how it ended; each line has a piece of the message."""
    pieces: dict[str, list[str]] = {}
    calls: list[Plain] = []
    for event in events:
        message = tree(event.get("message")) or event
        for key in ("content", "thinking", "response"):
            if isinstance(piece := message.get(key), str):
                pieces.setdefault(key, []).append(piece)
        calls += trees(message.get("tool_calls"))
    joined: Tree = {key: "".join(texts) for key, texts in pieces.items()}
    last = {
        key: value for event in events for key, value in event.items() if key not in {"message", "response", "thinking"}
    }
    return Assembled(last | {"message": joined | {"tool_calls": calls}}, last.get("done") is True)


def _answers(body: Tree) -> bool:
    spoken = isinstance(body.get("message"), dict) or isinstance(body.get("response"), str)
    return spoken and isinstance(body.get("done"), bool) and isinstance(body.get("model"), str)


PROVIDER = Provider(
    name="ollama",
    title="Ollama",
    summary="Ollama's own /api/chat and /api/generate, as JSON and as newline-delimited JSON. Its tool calls have no ids, so results belong to "
    "them by name and order. Context tokens and durations are left out.",
    path=re.compile(r"/api/(?:chat|generate)$"),
    sends=lambda body: (
        "options" in body and isinstance(body.get("model"), str) and not {"messages", "prompt"}.isdisjoint(body)
    ),
    may_send=lambda body: isinstance(body.get("model"), str) and not {"messages", "prompt"}.isdisjoint(body),
    answers=_answers,
    streams=_answers,
    read_request=_read_request,
    read_answer=_read_answer,
    assemble=_assemble,
)
