"""pytest-llm-vcr: HTTP interactions in YAML, flat: ``{method, url, request_body, status_code, response_body, chunks}``.

A streamed answer is the list of its pieces. Of a compressed answer nothing was stored (``response_body: null``): what the model said
there is known only from the history in a later request.
"""

from reviewlib.formats import http
from reviewlib.formats.format import Context, Format, Parsed
from reviewlib.model.cassette import Exchange, Response
from reviewlib.model.frozen import Plain

_KEYS = {"method", "url", "request_body", "status_code"}


def recognise(tree: Plain) -> bool:
    """Whether every interaction is flat, with a ``url``, a ``request_body`` and a ``status_code``."""
    items = tree.get("interactions") if isinstance(tree, dict) else None
    if not isinstance(items, list) or not all(_is_interaction(item) for item in items):
        return False
    return bool(items) or tree.keys() == {"name", "interactions"}


def parse(tree: Plain, _context: Context) -> Parsed:
    """Read the interactions in file order."""
    exchanges = tuple(_exchange(index, item) for index, item in enumerate(tree["interactions"]))
    absent = sum(1 for each in exchanges if each.response is not None and each.response.body is None)
    note = f"Of {absent} of {len(exchanges)} answers the recorder stored nothing but the status."
    return Parsed(interactions=exchanges, notes=(note,) if absent else ())


def _is_interaction(item: Plain) -> bool:
    return isinstance(item, dict) and item.keys() >= _KEYS and isinstance(item["url"], str)


def _exchange(index: int, item: dict[str, Plain]) -> Exchange:
    return Exchange(
        index=index,
        request=http.request(item["method"], item["url"], item.get("request_headers"), item["request_body"]),
        response=_response(item),
    )


def _response(item: dict[str, Plain]) -> Response:
    return http.response(
        item["status_code"], item.get("response_headers"), item.get("chunks") or item.get("response_body")
    )


FORMAT = Format(
    "pytest-llm-vcr",
    "pytest-llm-vcr",
    frozenset({"yaml", "json"}),
    recognise,
    parse,
    summary="Written by pytest-llm-vcr, one YAML file a test. It holds every HTTP request and answer with its status, but nothing of an "
    "answer that was compressed, and it replaces what looks like a secret, such as max_tokens. The authorization header is kept, "
    "and is masked here.",
)
