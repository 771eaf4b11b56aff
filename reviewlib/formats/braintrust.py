"""Braintrust's recorder for JavaScript: ``{meta, entries}`` in JSON, each with a ``matchKey``.

A body says its ``kind``: ``json``, ``text``, ``sse`` (the list of events, without the blank lines between them), ``base64``, ``empty``, or
``binary``, which stands in a file of its own: ``x.cassette.json`` keeps those in ``x.cassette.blobs/<sha256>.bin``.
"""

from reviewlib.formats import http
from reviewlib.formats.format import Companions, Context, Format, Parsed
from reviewlib.model.cassette import Exchange
from reviewlib.model.frozen import Plain

_TOP = {"version", "meta", "entries"}
_ENDING = ".cassette.json"
_BLOBS = r"[0-9a-f]{64}\.bin"


def recognise(tree: Plain) -> bool:
    """Whether there is ``meta`` beside ``entries``, and every entry has a ``matchKey``, a request with a ``url``, and a response."""
    if not isinstance(tree, dict) or not tree.keys() <= _TOP or not isinstance(tree.get("meta"), dict):
        return False
    entries = tree.get("entries")
    return isinstance(entries, list) and all(http.is_pair(entry, "url") and "matchKey" in entry for entry in entries)


def parse(tree: Plain, context: Context) -> Parsed:
    """Read the entries in file order. Bodies in files that are not at hand are told in a note."""
    blobs = {file.path.rpartition("/")[2].partition(".")[0]: file.data for file in context.sidecars if not file.missing}
    bodies = [entry[side].get("body") for entry in tree["entries"] for side in ("request", "response")]
    absent = sum(1 for body in bodies if _is_aside(body) and _content(body, blobs) is None)
    return Parsed(
        interactions=tuple(_exchange(index, entry, blobs) for index, entry in enumerate(tree["entries"])),
        recorded_at=http.epoch(tree["meta"].get("createdAt")),
        notes=(f"Binary bodies in files that are not here: {absent}.",) if absent else (),
    )


def beside(path: str) -> Companions | None:
    """Tell where the binary bodies of a cassette are."""
    return Companions(f"{path.removesuffix('.json')}.blobs", _BLOBS) if path.endswith(_ENDING) else None


def _exchange(index: int, entry: dict[str, Plain], blobs: dict[str, bytes]) -> Exchange:
    sent, got = entry["request"], entry["response"]
    return Exchange(
        index=index,
        request=http.request(sent.get("method"), sent["url"], sent.get("headers"), _content(sent.get("body"), blobs)),
        response=http.response(got.get("status"), got.get("headers"), _content(got.get("body"), blobs)),
        recorded_at=http.epoch(entry.get("recordedAt")),
    )


def _is_aside(body: Plain) -> bool:
    return isinstance(body, dict) and body.get("kind") == "binary"


def _content(body: Plain, blobs: dict[str, bytes]) -> Plain:
    if not isinstance(body, dict):
        return body
    if _is_aside(body):
        sha = body.get("sha256")
        return blobs.get(sha) if isinstance(sha, str) else None
    if body.get("kind") == "sse" and isinstance(body.get("chunks"), list):
        return "".join(f"{event}\n\n" for event in body["chunks"] if isinstance(event, str))
    value = body.get("value")
    return http.from_base64(value) if body.get("kind") == "base64" else value


FORMAT = Format(
    "braintrust",
    "Braintrust cassette",
    frozenset({"json"}),
    recognise,
    parse,
    beside=beside,
    summary="Written by the recorder of Braintrust's JavaScript SDK as x.cassette.json; binary bodies stand in x.cassette.blobs. It holds "
    "every HTTP request and answer whole, with its time, but drops the request headers.",
)
