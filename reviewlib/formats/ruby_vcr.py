"""Ruby VCR: HTTP interactions in YAML (or JSON) under ``http_interactions``.

A body is ``{encoding, string}``: what Ruby holds as ASCII-8BIT and is no text is written with the local tag ``!binary``; with
``preserve_exact_body_bytes`` the body is ``base64_string`` instead. Times are HTTP dates.
"""

from reviewlib.formats import http
from reviewlib.formats.format import Context, Format, Parsed
from reviewlib.model.cassette import Exchange
from reviewlib.model.frozen import Plain


def recognise(tree: Plain) -> bool:
    """Whether every item of ``http_interactions`` has a request with a ``uri`` and a response."""
    items = tree.get("http_interactions") if isinstance(tree, dict) else None
    return isinstance(items, list) and all(http.is_pair(item, "uri") for item in items)


def parse(tree: Plain, _context: Context) -> Parsed:
    """Read the interactions in file order; whole requests and answers are held, so nothing is missing."""
    return Parsed(interactions=tuple(_exchange(index, item) for index, item in enumerate(tree["http_interactions"])))


def _exchange(index: int, item: dict[str, Plain]) -> Exchange:
    sent, got = item["request"], item["response"]
    status = got.get("status")
    return Exchange(
        index=index,
        request=http.request(sent.get("method"), sent["uri"], sent.get("headers"), _content(sent.get("body"))),
        response=http.response(
            status.get("code") if isinstance(status, dict) else status, got.get("headers"), _content(got.get("body"))
        ),
        recorded_at=http.epoch(item.get("recorded_at")),
    )


def _content(body: Plain) -> Plain:
    if not isinstance(body, dict):
        return body
    return http.from_base64(body["base64_string"]) if "base64_string" in body else body.get("string")


FORMAT = Format(
    "ruby-vcr",
    "Ruby VCR",
    frozenset({"yaml", "json"}),
    recognise,
    parse,
    summary="Written by the Ruby gem vcr, one YAML file a test. It holds every HTTP request and answer whole, failures and retries too. "
    "Tool results are seen only where a later request sends them back.",
)
