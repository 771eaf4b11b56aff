"""mcp-cassette: the JSON-RPC messages between an MCP client and its server. The model is not in it: tool runs are all there is."""

from reviewlib.formats import http
from reviewlib.formats.format import NO_REQUESTS, Context, Format, Parsed
from reviewlib.formats.plain import text, tree, trees
from reviewlib.model.cassette import ToolExecution
from reviewlib.model.frozen import Plain


def recognise(tree_: Plain) -> bool:
    """Whether the object has ``format_version`` and ``transport``, and its messages are JSON-RPC with their sender."""
    if not isinstance(tree_, dict) or not tree_.keys() >= {"format_version", "transport"}:
        return False
    messages = tree_.get("messages")
    return isinstance(messages, list) and all(
        isinstance(message, dict) and "sender" in message and isinstance(message.get("payload"), dict)
        for message in messages
    )


def parse(tree_: Plain, _context: Context) -> Parsed:
    """Every ``tools/call`` in the order it was sent, with its result or its error."""
    payloads = [message["payload"] for message in tree_["messages"]]
    answers = {_key(payload): payload for payload in payloads if "method" not in payload}
    calls = [payload for payload in payloads if payload.get("method") == "tools/call"]
    return Parsed(
        interactions=tuple(_run(index, call, answers.get(_key(call))) for index, call in enumerate(calls)),
        not_recorded=(*NO_REQUESTS, "usage", "model", "stop_reasons", "http_status", "model_calls"),
        sees_executions=True,
        recorded_at=http.epoch(tree_.get("recorded_at")),
    )


def _key(payload: dict[str, Plain]) -> str:
    """What links an answer to its request: JSON-RPC tells the ids 1 and "1" apart."""
    return repr(payload.get("id"))


def _run(index: int, call: dict[str, Plain], answer: dict[str, Plain] | None) -> ToolExecution:
    params, got = tree(call.get("params")), tree(answer)
    result, error = tree(got.get("result")), got.get("error")
    return ToolExecution(
        index=index,
        tool=text(params.get("name")) or "",
        arguments=params.get("arguments", {}),
        result=_value(result) if error is None else error,
        result_recorded=answer is not None,
        is_error=None if answer is None else error is not None or result.get("isError") is True,
    )


def _value(result: dict[str, Plain]) -> Plain:
    """What a tool returned: structured where it is, else its one text, else its content."""
    if result.get("structuredContent") is not None:
        return result["structuredContent"]
    content = trees(result.get("content"))
    if len(content) == 1 and content[0].get("type") == "text":
        return http.body(content[0].get("text"))
    return content


FORMAT = Format(
    "mcp-cassette",
    "mcp-cassette",
    frozenset({"json", "yaml"}),
    recognise,
    parse,
    summary="Written by mcp-cassette, one JSON file a test: the messages between an MCP client and one server. It holds every tool call with "
    "arguments, result and error, and nothing of the model that asked for it.",
)
