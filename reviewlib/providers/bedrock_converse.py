"""Amazon Bedrock's Converse and ConverseStream; also Amazon Nova through InvokeModel, whose bodies are the same.

Read: JSON, AWS event streams and boto3's own objects; tool use and results, reasoning, citations as the text they mark, attachments,
guardrails. The model is in the URL. Not read: traces of guardrails, cache points, and which source a citation names.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from reviewlib.model.call import (
    Message,
    ModelRequest,
    ModelResponse,
    Part,
    ResultPart,
    StopReason,
    Text,
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
from reviewlib.providers._media import media
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
    "guardrail_intervened": "content_filter",
    "content_filtered": "content_filter",
    "refusal": "refusal",
}
_EVENTS = frozenset({"messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop"})
"""All but ``metadata``, which is anyone's."""


def _read_request(body: Tree) -> ModelRequest:
    system = [part.text for block in trees(body.get("system")) for part in _read_block(block) if isinstance(part, Text)]
    offered = tree(body.get("toolConfig"))
    rest = parameters(body, {"messages", "system", "toolConfig", "modelId", "requestMetadata", "schemaVersion"})
    choice = {key: value for key, value in offered.items() if key != "tools"}
    return ModelRequest(
        model=string(body.get("modelId")),
        system="\n\n".join(system) or None,
        messages=tuple(made for message in trees(body.get("messages")) for made in _read_message(message)),
        tools=tuple(map(_read_tool, trees(offered.get("tools")))),
        parameters=rest | choice,
    )


@remembered
def _read_tool(tool: Tree) -> ToolSchema:
    spec = tree(tool.get("toolSpec"))
    if not spec:  # a cache point, or a tool that the provider runs
        name = next(iter(tool), "")
        return ToolSchema(name=string(tree(tool.get(name)).get("name")) or name, options=tree(tool.get(name)))
    made = tool_schema(spec, "inputSchema")
    schema = made.schema_
    return (
        made.model_copy(update={"schema_": schema["json"]}) if isinstance(schema, dict) and "json" in schema else made
    )


@remembered
def _read_message(message: Tree) -> list[Message]:
    parts = _read_content(message.get("content"))
    if message.get("role") == "assistant":
        return [Message(role="assistant", parts=with_server_results(parts))]
    return from_user(parts)


def _read_content(content: Plain) -> tuple[Part, ...]:
    return tuple(part for block in trees(content) for part in _read_block(block))


def _read_block(block: Tree) -> tuple[Part, ...]:
    found = next((key for key in _BLOCKS if key in block), None)
    if found is not None:
        return _BLOCKS[found](tree(block[found]))
    if "text" in block:
        return text_part(block["text"])
    return () if "cachePoint" in block else (unknown(block),)


def _tool_use(block: Tree) -> tuple[Part, ...]:
    server_side = kind(block) == "server_tool_use"
    return (call(block.get("toolUseId"), block.get("name"), block.get("input"), server_side=server_side),)


def _tool_result(block: Tree) -> tuple[Part, ...]:
    values = [_result_value(item) for item in trees(block.get("content"))]
    status = string(block.get("status"))
    result = ResultPart(
        call_id=string(block.get("toolUseId")),
        result=values[0] if len(values) == 1 else values,
        is_error=None if status is None else status == "error",
    )
    return (result,)


def _result_value(block: Tree) -> Plain:
    if "json" in block:
        return block["json"]
    if isinstance(block.get("text"), str):
        return result_value(block["text"])
    return [part.model_dump(exclude_none=True) for part in _read_block(block)]


def _reasoning(block: Tree) -> tuple[Part, ...]:
    """Words, or a redacted form."""
    words = tree(block.get("reasoningText")).get("text")
    return (thinking_part(words if words is not None else block.get("text")),)


def _attached(sort: str) -> Callable[[Tree], tuple[Part, ...]]:
    def read(block: Tree) -> tuple[Part, ...]:
        source = tree(block.get("source"))
        pieces = [source] if "text" in source else trees(source.get("content"))
        words = "\n".join(string(piece.get("text")) or "" for piece in pieces)
        data, link = source.get("bytes", words.encode()), tree(source.get("s3Location")).get("uri")
        return (media(f"{sort}/{string(block.get('format')) or 'unknown'}", data, link),)

    return read


_BLOCKS: Mapping[str, Callable[[Tree], tuple[Part, ...]]] = {
    "toolUse": _tool_use,
    "toolResult": _tool_result,
    "reasoningContent": _reasoning,
    "citationsContent": lambda block: tuple(
        part for item in trees(block.get("content")) for part in text_part(item.get("text"))
    ),
    "guardContent": lambda block: text_part(tree(block.get("text")).get("text")),
    "image": _attached("image"),
    "document": _attached("document"),
    "video": _attached("video"),
    "audio": _attached("audio"),
}


def _read_answer(body: Tree) -> ModelResponse:
    raw = string(body.get("stopReason"))
    message = tree(tree(body.get("output")).get("message"))
    malformed = raw if raw and raw.startswith("malformed_") and not trees(message.get("content")) else None
    return ModelResponse(
        parts=with_server_results(_read_content(message.get("content"))),
        stop_reason="error" if malformed else STOP_REASONS.get(raw, "other") if raw else None,
        stop_reason_raw=raw,
        usage=read_usage(tree(body.get("usage"))),
        error=malformed,
    )


def read_usage(usage: Tree) -> Usage | None:
    """Bedrock counts the uncached input alone, and cache reads and writes beside it."""
    if not usage:
        return None
    uncached, read, written = (
        count(usage.get(key, usage.get(f"{key.removesuffix('s')}Count")))  # Nova: cacheReadInputTokenCount
        for key in ("inputTokens", "cacheReadInputTokens", "cacheWriteInputTokens")
    )
    return Usage(
        input_tokens=None if uncached is None else total((uncached, read, written)),
        output_tokens=count(usage.get("outputTokens")),
        cache_read_tokens=read,
        cache_write_tokens=written,
    )


def _assemble(events: Sequence[Tree]) -> Assembled:
    """The answer that the events build; complete once the stop reason has come."""
    blocks: dict[int, _Block] = {}
    rest: Tree = {}
    for event in events:
        start, delta = tree(event.get("contentBlockStart")), tree(event.get("contentBlockDelta"))
        if start:
            blocks[count(start.get("contentBlockIndex")) or 0] = _Block(tree(start.get("start")))
        if delta:
            blocks.setdefault(count(delta.get("contentBlockIndex")) or 0, _Block({})).add(tree(delta.get("delta")))
        rest |= {key: value for key, value in tree(event.get("messageStop")).items() if key == "stopReason"}
        rest |= {key: value for key, value in tree(event.get("metadata")).items() if key == "usage"}
    content = [blocks[index].whole() for index in sorted(blocks)]
    return Assembled(rest | {"output": {"message": {"content": content}}}, "stopReason" in rest)


class _Block:
    """A content block while its deltas arrive."""

    def __init__(self, start: Tree) -> None:
        self._start = start
        self._pieces: dict[str, list[str]] = {}
        self._results: list[Plain] = []

    def add(self, delta: Tree) -> None:
        spelled = {
            "text": delta.get("text"),
            "toolUse": tree(delta.get("toolUse")).get("input"),
            "reasoningContent": tree(delta.get("reasoningContent")).get("text"),
        }
        for key, piece in spelled.items():
            if isinstance(piece, str):
                self._pieces.setdefault(key, []).append(piece)
        if "reasoningContent" in delta:
            self._pieces.setdefault("reasoningContent", [])
        self._results += trees(delta.get("toolResult"))

    def whole(self) -> Tree:
        joined = {key: "".join(pieces) for key, pieces in self._pieces.items()}
        if "toolResult" in self._start:
            return {"toolResult": tree(self._start["toolResult"]) | {"content": self._results}}
        if "toolUse" in self._start or "toolUse" in joined:
            return {"toolUse": tree(self._start.get("toolUse")) | {"input": joined.get("toolUse", "")}}
        if "reasoningContent" in joined:
            return {"reasoningContent": {"reasoningText": {"text": joined["reasoningContent"]}}}
        return {"text": joined.get("text", "")} if joined or not self._start else self._start


def _sends(body: Tree) -> bool:
    """Messages whose blocks have keys in place of types, and something that only this dialect has."""
    blocks = [block for message in trees(body.get("messages")) for block in trees(message.get("content"))]
    own = {"modelId", "inferenceConfig", "toolConfig", "additionalModelRequestFields"} & body.keys()
    return bool(blocks) and not any("type" in block for block in blocks) and bool(own)


PROVIDER = Provider(
    name="bedrock_converse",
    title="Bedrock Converse",
    summary="Amazon Bedrock's Converse and ConverseStream, and Amazon Nova through InvokeModel: JSON, AWS event streams and boto3's own "
    "objects. Cited passages are read as text. Traces of guardrails, cache points and the sources of citations are left out.",
    path=re.compile(
        r"/model/(?=.*nova|.*/converse)(?P<model>.+)/(?:converse(?:-stream)?|invoke(?:-with-response-stream)?)$"
    ),
    sends=_sends,
    may_send=lambda body: isinstance(body.get("messages"), list),
    answers=lambda body: "message" in tree(body.get("output")) and "stopReason" in body,
    streams=lambda event: any(isinstance(event.get(key), dict) for key in _EVENTS & event.keys()),
    read_request=_read_request,
    read_answer=_read_answer,
    assemble=_assemble,
)
