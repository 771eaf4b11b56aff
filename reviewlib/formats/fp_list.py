"""A list of ``{fp, response}`` in call order: the cassette of a recorder at the SDK seam that keeps answers only.

``fp`` is a 16-digit request hash; ``any`` marks a hand-written entry that answers whatever is asked.
"""

from reviewlib.formats import http
from reviewlib.formats.format import NO_REQUESTS, Context, Format, Parsed
from reviewlib.model.cassette import Exchange, Response
from reviewlib.model.frozen import Plain

ANY = "any"


def recognise(tree: Plain) -> bool:
    """Tell whether every item has exactly ``fp`` and ``response``."""
    return (
        isinstance(tree, list)
        and bool(tree)
        and all(
            isinstance(item, dict) and item.keys() == {"fp", "response"} and isinstance(item["fp"], str)
            for item in tree
        )
    )


def parse(tree: Plain, _context: Context) -> Parsed:
    """Read the answers in call order; equal hashes are occurrences of one request."""
    return Parsed(
        interactions=tuple(
            Exchange(
                index=index,
                request=None,
                response=Response(body=http.body(item["response"])),
                key=None if item["fp"] == ANY else item["fp"],
            )
            for index, item in enumerate(tree)
        ),
        not_recorded=(*NO_REQUESTS, "tool_results", "tool_errors", "http_status"),
        synthetic=any(item["fp"] == ANY for item in tree),
    )


FORMAT = Format(
    "fp-list",
    "list of fingerprint and response",
    frozenset({"json", "yaml"}),
    recognise,
    parse,
    summary="Written by recorders that projects make for themselves around an SDK client, a JSON list a test. It holds the answers in call order, "
    "each under a hash of its request. Neither requests nor tool results are held: an edited prompt shows only as another hash.",
)
