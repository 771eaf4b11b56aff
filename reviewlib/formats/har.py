"""HTTP Archive: Polly.JS' recordings in JSON or YAML, and what a browser exports.

A body that is no text is base64 (``encoding``); of a streamed or compressed answer Polly writes a JSON list of base64 pieces in its
place. Cody's serializer of Polly's YAML moves a JSON request body to ``textJSON``.
"""

from reviewlib.decode import load_json
from reviewlib.errors import DecodeError
from reviewlib.formats import http
from reviewlib.formats.format import Context, Format, Parsed
from reviewlib.model.cassette import Exchange
from reviewlib.model.frozen import Plain


def recognise(tree: Plain) -> bool:
    """Whether ``log.entries`` is a list of requests with a ``url`` and their responses."""
    log = tree.get("log") if isinstance(tree, dict) else None
    entries = log.get("entries") if isinstance(log, dict) else None
    return isinstance(entries, list) and all(http.is_pair(entry, "url") for entry in entries)


def parse(tree: Plain, _context: Context) -> Parsed:
    """Read the entries in file order, which is by the time they began; nothing is missing."""
    return Parsed(interactions=tuple(_exchange(index, entry) for index, entry in enumerate(tree["log"]["entries"])))


def _exchange(index: int, entry: dict[str, Plain]) -> Exchange:
    sent, got = entry["request"], entry["response"]
    key = entry.get("_id")
    return Exchange(
        index=index,
        request=http.request(sent.get("method"), sent["url"], sent.get("headers"), _content(sent.get("postData"))),
        response=http.response(got.get("status"), got.get("headers"), _content(got.get("content"))),
        key=key if isinstance(key, str) else None,
        recorded_at=http.epoch(entry.get("startedDateTime")),
        seconds=http.took(entry.get("time")),
    )


def _content(holder: Plain) -> Plain:
    if not isinstance(holder, dict):
        return None
    if "textJSON" in holder:
        return holder["textJSON"]
    text = holder.get("text")
    return _from_base64(text) if isinstance(text, str) and holder.get("encoding") == "base64" else text


def _from_base64(text: str) -> Plain:
    """Read base64, or a JSON list of such pieces of one body."""
    try:
        pieces = load_json(text) if text.startswith("[") else None
    except DecodeError:
        return text
    return [http.from_base64(piece) for piece in pieces] if isinstance(pieces, list) else http.from_base64(text)


FORMAT = Format(
    "har",
    "HTTP Archive (Polly.JS, browsers)",
    frozenset({"json", "yaml"}),
    recognise,
    parse,
    summary="Written by Polly.JS as recording.har, in JSON or YAML, and exported by browsers and proxies. It holds every HTTP request and "
    "answer whole, with the time each began. Polly keeps the authorization header, which is masked here.",
)
