"""cendor-cassette: ``{version, entries}`` in JSON, model and tool calls in sequence, each under the hash of its normalised request.

The request is cut down to provider, model, messages and the stream flag. Texts of 32 letters and digits are redacted, ids among them.
"""

from reviewlib.formats import sdk
from reviewlib.formats.format import Context, Format, Parsed
from reviewlib.formats.plain import text, tree
from reviewlib.model.cassette import Exchange, Fact, Interaction
from reviewlib.model.frozen import Plain

_NOTED = frozenset({"kind", "provider"})


def recognise(tree_: Plain) -> bool:
    """Whether every entry has ``seq``, ``kind`` and ``request_hash``."""
    entries = tree_.get("entries") if isinstance(tree_, dict) else None
    return isinstance(entries, list) and bool(entries) and all(_is_entry(entry) for entry in entries)


def parse(tree_: Plain, _context: Context) -> Parsed:
    """Every entry in sequence."""
    interactions = tuple(_interaction(index, entry) for index, entry in enumerate(tree_["entries"]))
    return Parsed(
        interactions=interactions,
        not_recorded=(*_unseen(tree_["entries"]), "tool_schemas", "parameters", "http_status"),
    )


def _is_entry(entry: Plain) -> bool:
    return (
        isinstance(entry, dict)
        and entry.keys() >= {"seq", "request_hash", "response"}
        and entry.get("kind") in ("llm", "tool")
        and isinstance(entry.get("request"), dict)
    )


def _unseen(entries: list[dict[str, Plain]]) -> tuple[Fact, ...]:
    """The system prompt is kept where it is a message, which it is in OpenAI's dialect alone."""
    histories = [messages for entry in entries if isinstance(messages := entry["request"].get("messages"), list)]
    told = any(tree(message).get("role") in ("system", "developer") for history in histories for message in history)
    return () if told else ("system_prompt",)


def _interaction(index: int, entry: dict[str, Plain]) -> Interaction:
    sent = entry["request"]
    if entry["kind"] == "tool":
        return sdk.execution(index, sent.get("name"), sent.get("arguments"), entry["response"])
    return Exchange(
        index=index,
        request=sdk.request(sent, _NOTED),
        response=sdk.response(entry["response"]),
        key=text(entry["request_hash"]),
    )


FORMAT = Format(
    "cendor",
    "cendor-cassette",
    frozenset({"json"}),
    recognise,
    parse,
    summary="Written by cendor-cassette, one JSON file. It holds model, messages and answer of every call, and the runs of the tools it wraps; "
    "tool schemas, parameters and Anthropic's system prompt are left out, and long ids are redacted.",
)
