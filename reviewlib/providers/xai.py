"""xAI's gRPC chat, as recorders keep it: the JSON form of its protobuf messages.

Read: whole answers and streamed chunks; function calls, the tools that xAI runs with the results that stand in the same answer,
reasoning, attachments. Enums come as their names (``ROLE_USER``, ``REASON_STOP``). Not read: citations, encrypted reasoning, and the
settings that the answer repeats.
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
    Usage,
)
from reviewlib.model.frozen import Plain
from reviewlib.providers._content import call, result_value, split_system, text_part, unknown, with_server_results
from reviewlib.providers._media import media
from reviewlib.providers._plain import Tree, count, string, structure, total, tree, trees
from reviewlib.providers._request import parameters, tool_schema
from reviewlib.providers._usage import with_reasoning
from reviewlib.providers.provider import Assembled, Provider

STOP_REASONS: Mapping[str, StopReason] = {
    "REASON_STOP": "end_turn",
    "REASON_TOOL_CALLS": "tool_use",
    "REASON_MAX_LEN": "max_tokens",
    "REASON_MAX_CONTEXT": "max_tokens",
    "REASON_TIME_LIMIT": "other",
}
_CLIENT_SIDE = "TOOL_CALL_TYPE_CLIENT_SIDE_TOOL"


def _read_request(body: Tree) -> ModelRequest:
    system, messages = split_system([_read_message(message) for message in trees(body.get("messages"))])
    return ModelRequest(
        model=string(body.get("model")),
        system=system,
        messages=messages,
        tools=tuple(map(_read_tool, trees(body.get("tools")))),
        parameters=parameters(body, {"messages", "previous_response_id"}),
        previous=string(body.get("previous_response_id")),
    )


def _read_tool(tool: Tree) -> ToolSchema:
    """A function, whose schema is a text; or a tool that xAI runs, by its name."""
    function = tree(tool.get("function"))
    if not function:
        name = next(iter(tool), "")
        return ToolSchema(name=name, options=tree(tool.get(name)))
    made, schema = tool_schema(function, "parameters"), function.get("parameters")
    parsed = structure(schema) if isinstance(schema, str) else None
    return made if parsed is None else made.model_copy(update={"schema_": parsed})


def _read_message(message: Tree) -> Message:
    content = _read_content(message.get("content"))
    match message.get("role"):
        case "ROLE_SYSTEM" | "ROLE_DEVELOPER":
            return Message(role="system", parts=content)
        case "ROLE_ASSISTANT":
            return Message(role="assistant", parts=(*_reasoning(message), *content, *_calls(message)))
        case "ROLE_TOOL":
            return Message(role="tool", parts=(_result(message),))
        case _:
            return Message(role="user", parts=content)


def _read_content(content: Plain) -> tuple[Part, ...]:
    """Text, or a list of contents with one key each."""
    if not isinstance(content, list):
        return text_part(content)
    return tuple(part for item in trees(content) for part in _read_item(item))


def _read_item(item: Tree) -> tuple[Part, ...]:
    if "text" in item:
        return text_part(item["text"])
    if "image_url" in item:
        return (media("image", url=tree(item["image_url"]).get("image_url")),)
    if "file" in item:
        file = tree(item["file"])
        return (media("file", file.get("data"), file.get("url") or file.get("file_id")),)
    return (unknown(item),)


def _reasoning(message: Tree) -> list[Thinking]:
    words = string(message.get("reasoning_content"))
    return [Thinking(text=words)] if words or message.get("encrypted_content") else []


def _calls(message: Tree) -> list[CallPart]:
    made = []
    for item in trees(message.get("tool_calls")):
        function = tree(item.get("function"))
        server_side = string(item.get("type")) not in {None, _CLIENT_SIDE}
        made.append(call(item.get("id"), function.get("name"), function.get("arguments"), server_side=server_side))
    return made


def _result(message: Tree) -> ResultPart:
    """A result: of the call that it names, or (xAI's own tools) repeats. Older clients name none, and order tells."""
    content = message.get("content")
    texts = [item["text"] for item in trees(content) if "text" in item] or content
    repeated = next(iter(trees(message.get("tool_calls"))), {})
    return ResultPart(
        call_id=string(message.get("tool_call_id")) or string(repeated.get("id")),
        result=result_value(texts[0] if isinstance(texts, list) and len(texts) == 1 else texts),
    )


def _read_answer(body: Tree) -> ModelResponse:
    outputs = trees(body.get("outputs"))
    parts: list[Part] = []
    for output in outputs:
        message = tree(output.get("message"))
        if message.get("role") == "ROLE_TOOL":
            parts.append(_result(message))
        else:
            parts += [*_reasoning(message), *_read_content(message.get("content")), *_calls(message)]
    raw = next((found for output in reversed(outputs) if (found := string(output.get("finish_reason")))), None)
    return ModelResponse(
        response_id=string(body.get("id")),
        model=string(body.get("model")),
        parts=with_server_results(parts),
        stop_reason=STOP_REASONS.get(raw, "other") if raw else None,
        stop_reason_raw=raw,
        usage=_read_usage(tree(body.get("usage"))),
    )


def _read_usage(usage: Tree) -> Usage | None:
    """Zero counts are left out of the JSON form. The prompt includes what was cached; reasoning is counted apart."""
    sent, written, thought = (
        count(usage.get(key)) for key in ("prompt_tokens", "completion_tokens", "reasoning_tokens")
    )
    whole = count(usage.get("total_tokens"))
    if whole is None:
        return None
    if written is None:
        written = 0 if whole == total((sent, thought)) else None
    return Usage(
        input_tokens=sent,
        output_tokens=with_reasoning(written, thought, (sent,), whole),
        cache_read_tokens=count(usage.get("cached_prompt_text_tokens")),
        reasoning_tokens=thought,
    )


def _assemble(events: Sequence[Tree]) -> Assembled:
    """The answer that the chunks build: deltas by index, calls whole; every count is the last one given."""
    answer: Tree = {}
    outputs: dict[int, _Output] = {}
    for event in events:
        chunk = tree(event.get("chunk")) or event
        answer |= {key: chunk[key] for key in ("id", "model", "usage") if chunk.get(key)}
        for piece in trees(chunk.get("outputs")):
            outputs.setdefault(count(piece.get("index")) or 0, _Output()).add(piece)
    whole = [outputs[index].whole() for index in sorted(outputs)]
    return Assembled(answer | {"outputs": whole}, bool(whole) and "finish_reason" in whole[-1])


class _Output:
    """One output while its deltas arrive."""

    def __init__(self) -> None:
        self._texts: dict[str, list[str]] = {"content": [], "reasoning_content": []}
        self._message: Tree = {}
        self._calls: list[Plain] = []
        self._rest: Tree = {}

    def add(self, piece: Tree) -> None:
        delta = tree(piece.get("delta"))
        for key, value in delta.items():
            if key in self._texts and isinstance(value, str):
                self._texts[key].append(value)
            elif key != "tool_calls" and value:
                self._message[key] = value
        self._calls += trees(delta.get("tool_calls"))
        self._rest |= {key: piece[key] for key in ("finish_reason",) if string(piece.get(key))}

    def whole(self) -> Tree:
        texts = {key: "".join(pieces) for key, pieces in self._texts.items()}
        return self._rest | {"message": self._message | texts | {"tool_calls": self._calls}}


def _sends(body: Tree) -> bool:
    return any(str(message.get("role")).startswith("ROLE_") for message in trees(body.get("messages")))


def _has_outputs(body: Tree, key: str) -> bool:
    outputs = trees((tree(body.get("chunk")) or body).get("outputs"))
    return any(isinstance(output.get(key), dict) for output in outputs)


PROVIDER = Provider(
    name="xai",
    title="xAI gRPC chat",
    summary="xAI's gRPC chat in the JSON form of its protobuf messages, whole and streamed, with the tools that xAI runs (results in the same "
    "answer) and reasoning. Citations and encrypted reasoning are left out.",
    path=re.compile(r"/xai_api\.Chat/Get(?:Completion|CompletionChunk)$"),
    sends=_sends,
    may_send=_sends,
    answers=lambda body: _has_outputs(body, "message"),
    streams=lambda event: _has_outputs(event, "delta"),
    read_request=_read_request,
    read_answer=_read_answer,
    assemble=_assemble,
)
