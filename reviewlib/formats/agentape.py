"""agentape: interactions of the OpenAI SDK in YAML with anchors; a streamed answer is ``response: {}`` beside its ``streaming_chunks``."""

from reviewlib.formats import http, sdk
from reviewlib.formats.format import Context, Format, Parsed
from reviewlib.model.cassette import Exchange, Response
from reviewlib.model.frozen import Plain

_NOTED = frozenset({"method"})


def recognise(tree: Plain) -> bool:
    """Whether the object names its ``provider`` and every interaction has a timestamp and a request with the SDK's method."""
    items = tree.get("interactions") if isinstance(tree, dict) and isinstance(tree.get("provider"), str) else None
    return isinstance(items, list) and bool(items) and all(map(_is_interaction, items))


def parse(tree: Plain, _context: Context) -> Parsed:
    """Every interaction in file order."""
    return Parsed(
        interactions=tuple(_exchange(index, item) for index, item in enumerate(tree["interactions"])),
        not_recorded=("http_status",),
        recorded_at=http.epoch(tree.get("recorded_at")),
    )


def _is_interaction(item: Plain) -> bool:
    return (
        isinstance(item, dict)
        and item.keys() >= {"timestamp", "response"}
        and isinstance(sent := item.get("request"), dict)
        and "method" in sent
        and not sent.keys() & {"uri", "url"}
    )


def _exchange(index: int, item: dict[str, Plain]) -> Exchange:
    chunks = item.get("streaming_chunks")
    streamed = isinstance(chunks, list) and bool(chunks)
    return Exchange(
        index=index,
        request=sdk.request(item["request"], _NOTED),
        response=Response(chunks=tuple(chunks or ())) if streamed else sdk.response(item["response"] or None),
        recorded_at=http.epoch(item.get("timestamp")),
        seconds=http.took(item.get("latency_ms")),
    )


FORMAT = Format(
    "agentape",
    "agentape",
    frozenset({"yaml", "json"}),
    recognise,
    parse,
    summary="Written by agentape, a wrapper of the OpenAI client, one YAML file a test. It holds the arguments of every call with the whole "
    "answer or its stream; failed calls and tool runs are left out.",
)
