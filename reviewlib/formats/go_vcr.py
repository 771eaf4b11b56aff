"""go-vcr, versions 1 and 2: HTTP interactions in YAML; the request has a ``url``, the answer a ``code`` beside its ``status`` text."""

import re

from reviewlib.formats import http
from reviewlib.formats.format import Context, Format, Parsed
from reviewlib.model.cassette import Exchange
from reviewlib.model.frozen import Plain

_TOP = {"version", "interactions", "rwmutex"}
_UNITS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 1e-3, "µs": 1e-6, "us": 1e-6, "ns": 1e-9}
_PART = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)(ns|us|µs|ms|s|m|h)")
_DURATION = re.compile(rf"(?:{_PART.pattern}){{1,4}}")


def recognise(tree: Plain) -> bool:
    """Whether every interaction has a request with ``url`` and a response with a ``code``; an empty one is told by ``version: 2``."""
    items = tree.get("interactions") if isinstance(tree, dict) else None
    if not isinstance(items, list):
        return False
    if not items:
        return tree.keys() <= _TOP and tree.get("version") in (2, "2")
    return all(http.is_pair(item, "url") and "code" in item["response"] for item in items)


def parse(tree: Plain, _context: Context) -> Parsed:
    """Read the interactions in file order; whole requests and answers are held, so nothing is missing."""
    return Parsed(interactions=tuple(_exchange(index, item) for index, item in enumerate(tree["interactions"])))


def _exchange(index: int, item: dict[str, Plain]) -> Exchange:
    sent, got = item["request"], item["response"]
    return Exchange(
        index=index,
        request=http.request(sent.get("method"), sent["url"], sent.get("headers"), sent.get("body")),
        response=http.response(got["code"], got.get("headers"), got.get("body")),
        seconds=_seconds(got.get("duration")),
    )


def _seconds(duration: Plain) -> float | None:
    """Read what Go prints of a duration: ``968.7ms``, ``1m2.5s``. The cassette stores it with the answer."""
    if not isinstance(duration, str) or _DURATION.fullmatch(duration) is None:
        return None
    return sum(float(number) * _UNITS[unit] for number, unit in _PART.findall(duration))


FORMAT = Format(
    "go-vcr",
    "go-vcr",
    frozenset({"yaml", "json"}),
    recognise,
    parse,
    summary="Written by the Go module go-vcr (cassette versions 1 and 2), one YAML file a test. It holds every HTTP request and answer "
    "whole, failures and retries too; most projects strip the headers. It stores no time, and version 2 how long each took.",
)
