"""The VCR proxy of Datadog's test agent: one call a file, named ``<path>_<method>_<hash of the request>.json``.

A run is spread over the files of its folder in no order, and a changed prompt has another name: a folder is one recording, as with
every format whose names are request hashes. Bodies are text, or ``base64:`` and base64 where they were none.
"""

import re

from reviewlib.formats import http
from reviewlib.formats.format import Context, Format, Parsed
from reviewlib.model.cassette import Exchange
from reviewlib.model.frozen import Plain

NAMES = r".+_(?:get|head|post|put|patch|delete|options)_(?P<hash>[0-9a-f]{8})\.json"
"""The files of one folder that are one cassette."""

_BASE64 = "base64:"


def recognise(tree: Plain) -> bool:
    """Whether the object is exactly one HTTP request with its answer, whose status is ``{code, message}``."""
    if not http.is_pair(tree, "url") or len(tree) != 2:
        return False
    status = tree["response"].get("status")
    return isinstance(status, dict) and "code" in status


def parse(tree: Plain, context: Context) -> Parsed:
    """Read one exchange a file, in the order of file names, which means nothing."""
    named = context.files or ((context.path, tree),)
    exchanges = tuple(_exchange(index, path, item) for index, (path, item) in enumerate(named))
    return Parsed(interactions=exchanges, ordered=len(exchanges) < 2)


def _exchange(index: int, path: str, tree: dict[str, Plain]) -> Exchange:
    sent, got = tree["request"], tree["response"]
    named = re.fullmatch(NAMES, path.rpartition("/")[2])
    return Exchange(
        index=index,
        request=http.request(sent.get("method"), sent["url"], sent.get("headers"), _content(sent.get("body"))),
        response=http.response(got["status"]["code"], got.get("headers"), _content(got.get("body"))),
        key=named["hash"] if named else None,
    )


def _content(body: Plain) -> Plain:
    is_encoded = isinstance(body, str) and body.startswith(_BASE64)
    return http.from_base64(body.removeprefix(_BASE64)) if is_encoded else body


FORMAT = Format(
    "ddapm",
    "Datadog test agent",
    frozenset({"json"}),
    recognise,
    parse,
    gather=NAMES,
    summary="Written by the VCR proxy of Datadog's APM test agent, one HTTP call a JSON file, named by a hash of the request. A folder of "
    "them is read as one recording whose order only the requests' histories tell. It stores no time, and of equal requests only one.",
)
