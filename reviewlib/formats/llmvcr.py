"""llmvcr: interactions in YAML, whose requests are cut down to the model and each message's role and content."""

from reviewlib.formats import http, sdk
from reviewlib.formats.format import Context, Format, Parsed
from reviewlib.model.cassette import Exchange
from reviewlib.model.frozen import Plain


def recognise(tree: Plain) -> bool:
    """Whether the object names its ``llmvcr_version`` and every interaction is a request with its response."""
    items = tree.get("interactions") if isinstance(tree, dict) and "llmvcr_version" in tree else None
    return isinstance(items, list) and all(
        isinstance(item, dict) and item.keys() >= {"request", "response"} for item in items
    )


def parse(tree: Plain, _context: Context) -> Parsed:
    """Every interaction in file order."""
    return Parsed(
        interactions=tuple(
            Exchange(index=index, request=sdk.request(item["request"]), response=sdk.response(item["response"]))
            for index, item in enumerate(tree["interactions"])
        ),
        not_recorded=("tool_schemas", "parameters", "http_status"),
        recorded_at=http.epoch(tree.get("recorded_at")),
    )


FORMAT = Format(
    "llmvcr",
    "llmvcr",
    frozenset({"yaml", "json"}),
    recognise,
    parse,
    summary="Written by llmvcr, one YAML file a test. It holds whole answers, and of every request the model and the words of each message; "
    "tool schemas, parameters and the calls in the history are left out.",
)
