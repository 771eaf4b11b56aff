"""WireMock: stub mappings in JSON, one alone or a list under ``mappings``; recorded ones hold the request body as a pattern to match.

An answer whose body stands in another file (``bodyFileName``) is read without it.
"""

from reviewlib.formats import http
from reviewlib.formats.format import Context, Format, Parsed
from reviewlib.model.cassette import Exchange
from reviewlib.model.frozen import Plain

_ADDRESSES = ("url", "urlPath", "urlPattern", "urlPathPattern", "urlPathTemplate")
_SENT = {"body", "payload"}
"""What a stub has patterns for; other recorders have the body itself."""
_BODIES = ("equalToJson", "equalTo", "binaryEqualTo")


def recognise(tree: Plain) -> bool:
    """Whether every mapping has a request with an address, and a response whose status is a number."""
    mappings = _mappings(tree)
    return bool(mappings) and all(_is_mapping(mapping) for mapping in mappings)


def parse(tree: Plain, _context: Context) -> Parsed:
    """Read the mappings in file order, which means nothing: a stub answers whenever it is asked."""
    exchanges = tuple(_exchange(index, mapping) for index, mapping in enumerate(_mappings(tree)))
    aside = sum(1 for mapping in _mappings(tree) if "bodyFileName" in mapping["response"])
    notes = (f"Answers in files that are not read: {aside}.",) if aside else ()
    return Parsed(interactions=exchanges, ordered=len(exchanges) < 2, notes=notes)


def _mappings(tree: Plain) -> list[Plain]:
    if not isinstance(tree, dict):
        return []
    return tree["mappings"] if isinstance(tree.get("mappings"), list) else [tree]


def _is_mapping(mapping: Plain) -> bool:
    if not isinstance(mapping, dict):
        return False
    sent, got = mapping.get("request"), mapping.get("response")
    if not isinstance(sent, dict) or not isinstance(got, dict) or not isinstance(_address(sent), str):
        return False
    return isinstance(got.get("status"), int) and sent.keys().isdisjoint(_SENT)


def _address(sent: dict[str, Plain]) -> Plain:
    return next((sent[name] for name in _ADDRESSES if name in sent), None)


def _exchange(index: int, mapping: dict[str, Plain]) -> Exchange:
    sent, got = mapping["request"], mapping["response"]
    return Exchange(
        index=index,
        request=http.request(sent.get("method"), _address(sent), None, _asked(sent.get("bodyPatterns"))),
        response=http.response(got["status"], got.get("headers"), _answered(got)),
    )


def _asked(patterns: Plain) -> Plain:
    """Return the body that a recorded stub matches, None where the pattern is no whole body."""
    if not isinstance(patterns, list):
        return None
    wanted = ((name, item[name]) for item in patterns if isinstance(item, dict) for name in _BODIES if name in item)
    name, body = next(wanted, ("", None))
    return http.from_base64(body) if name == "binaryEqualTo" else body


def _answered(got: dict[str, Plain]) -> Plain:
    if "jsonBody" in got:
        return got["jsonBody"]
    return http.from_base64(got["base64Body"]) if "base64Body" in got else got.get("body")


FORMAT = Format(
    "wiremock",
    "WireMock stub mappings",
    frozenset({"json"}),
    recognise,
    parse,
    summary="Written by WireMock's recorder, a JSON file a stub, or all under mappings. It holds the address, the status and the answer, and the "
    "request body where the stub matches on it. It stores no time and no order, and answers kept in files of their own are not read.",
)
