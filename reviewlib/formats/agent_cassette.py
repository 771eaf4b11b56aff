"""agent-cassette: JSON Lines of SDK calls, ``model_call`` and ``tool_call``, with the arguments of the Python call and a dump of its result."""

from reviewlib.formats import http, sdk
from reviewlib.formats.format import Context, Format, Parsed
from reviewlib.formats.plain import tree
from reviewlib.model.cassette import Exchange, Interaction
from reviewlib.model.frozen import Plain


def recognise(lines: Plain) -> bool:
    """Whether every line is a call of a model or a tool with the ``input`` and the ``output`` of a Python call."""
    return isinstance(lines, list) and bool(lines) and all(map(_is_call, lines))


def parse(lines: Plain, _context: Context) -> Parsed:
    """Every call in file order."""
    interactions = tuple(_interaction(index, line) for index, line in enumerate(lines))
    return Parsed(
        interactions=interactions, not_recorded=("http_status",), recorded_at=http.epoch(lines[0].get("timestamp"))
    )


def _is_call(line: Plain) -> bool:
    return (
        isinstance(line, dict)
        and line.get("type") in ("model_call", "tool_call")
        and line.keys() >= {"schema_version", "name", "output"}
        and tree(line.get("input")).keys() >= {"args", "kwargs"}
    )


def _interaction(index: int, line: dict[str, Plain]) -> Interaction:
    sent, got, error = line["input"], line["output"], line.get("error")
    result = got["data"] if isinstance(got, dict) and "data" in got else got
    if line["type"] == "tool_call":
        return sdk.execution(index, line["name"], {"args": sent["args"], "kwargs": sent["kwargs"]}, result, error)
    return Exchange(
        index=index,
        request=sdk.request(sent["kwargs"]),
        response=sdk.response(result) if error is None else sdk.failure(error),
        recorded_at=http.epoch(line.get("timestamp")),
        seconds=http.took(line.get("duration_ms")),
    )


FORMAT = Format(
    "agent-cassette",
    "agent-cassette",
    frozenset({"jsonl"}),
    recognise,
    parse,
    summary="Written by agent-cassette, JSON Lines. It holds the arguments and the dumped result of every call of an SDK and of the tools it "
    "wraps; there is nothing of HTTP in it.",
)
