"""llm-cassette: JSON Lines of SDK calls and tool runs after a header; streams as ``{events}`` (Anthropic) or ``{chunks}`` (OpenAI)."""

from reviewlib.formats import sdk
from reviewlib.formats.format import Context, Format, Parsed
from reviewlib.formats.plain import tree
from reviewlib.model.cassette import Exchange, Interaction
from reviewlib.model.frozen import Plain

_NEEDED = {"llm_call": {"provider", "request", "response"}, "tool_call": {"name", "args", "result"}}


def recognise(lines: Plain) -> bool:
    """Whether the first line is a header with ``format_version``, and every other one a call of a model or a tool."""
    if not lines or not isinstance(lines[0], dict) or lines[0].keys() != {"type", "format_version"}:
        return False
    return lines[0]["type"] == "header" and all(_is_event(line) for line in lines[1:])


def parse(lines: Plain, _context: Context) -> Parsed:
    """Every call in file order. Requests have lost every key named ``id``."""
    interactions = tuple(_interaction(index, line) for index, line in enumerate(lines[1:]))
    return Parsed(interactions=interactions, not_recorded=("http_status",))


def _is_event(line: Plain) -> bool:
    kind = line.get("type") if isinstance(line, dict) else None
    return isinstance(kind, str) and kind in _NEEDED and line.keys() >= _NEEDED[kind]


def _interaction(index: int, line: dict[str, Plain]) -> Interaction:
    if line["type"] == "tool_call":
        return sdk.execution(index, line["name"], line["args"], line["result"])
    return Exchange(
        index=index, request=sdk.request(tree(line["request"]).get("body")), response=sdk.response(line["response"])
    )


FORMAT = Format(
    "llm-cassette",
    "llm-cassette",
    frozenset({"jsonl"}),
    recognise,
    parse,
    summary="Written by llm-cassette, JSON Lines, one file a test. It holds the arguments of every SDK call, whole answers or streams, and the "
    "runs of the tools it wraps; failed calls, failed runs and ids inside requests are left out.",
)
