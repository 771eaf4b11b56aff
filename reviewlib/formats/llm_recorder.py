"""Mastra's llm-recorder: ``{meta, recordings}`` in JSON, earlier the bare list; one HTTP call each under the ``hash`` of its request.

A streamed answer is the list of its pieces in ``chunks``.
"""

from reviewlib.formats import http
from reviewlib.formats.format import Context, Format, Parsed
from reviewlib.model.cassette import Exchange
from reviewlib.model.frozen import Plain


def recognise(tree: Plain) -> bool:
    """Whether every recording has a ``hash``, a request with a ``url``, and a response."""
    items = _items(tree)
    if items is None or not all(_is_recording(item) for item in items):
        return False
    return bool(items) or (isinstance(tree, dict) and tree.keys() == {"meta", "recordings"})


def parse(tree: Plain, _context: Context) -> Parsed:
    """Read the recordings in file order; nothing is missing but the request headers."""
    meta = tree.get("meta") if isinstance(tree, dict) else None
    return Parsed(
        interactions=tuple(_exchange(index, item) for index, item in enumerate(_items(tree) or ())),
        recorded_at=http.epoch(meta.get("createdAt")) if isinstance(meta, dict) else None,
    )


def _items(tree: Plain) -> list[Plain] | None:
    items = tree.get("recordings") if isinstance(tree, dict) else tree
    return items if isinstance(items, list) else None


def _is_recording(item: Plain) -> bool:
    return http.is_pair(item, "url") and isinstance(item.get("hash"), str)


def _exchange(index: int, item: dict[str, Plain]) -> Exchange:
    sent, got = item["request"], item["response"]
    milliseconds = http.epoch(sent.get("timestamp"))
    return Exchange(
        index=index,
        request=http.request(sent.get("method"), sent["url"], sent.get("headers"), sent.get("body")),
        response=http.response(got.get("status"), got.get("headers"), got.get("chunks") or got.get("body")),
        key=item["hash"],
        recorded_at=None if milliseconds is None else milliseconds / 1000,
    )


FORMAT = Format(
    "llm-recorder",
    "Mastra llm-recorder",
    frozenset({"json"}),
    recognise,
    parse,
    summary="Written by the recorder of the Mastra framework into __recordings__, a JSON file a suite. It holds every HTTP call to a model "
    "with its answer, but no request headers; equal requests share one recording on replay.",
)
