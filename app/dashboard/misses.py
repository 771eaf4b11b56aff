"""Why a request would not be answered from a cassette: the recorded ones that are nearest, and where each differs. Pure; no streamlit."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from reviewlib.decode import decode_body
from reviewlib.errors import UsageError
from reviewlib.leaks.masking import masked
from reviewlib.model.cassette import Cassette, Exchange, Request
from reviewlib.model.change import Detail
from reviewlib.model.frozen import Plain
from reviewlib.redact import mask
from reviewlib.values import differing, similarity

NEAREST = 3
"""Recorded requests that are shown."""

_LARGEST = 5_000_000
"""Characters of a pasted request that are read."""


@dataclass(frozen=True, slots=True)
class Near:
    """A recorded request, how alike it is (0 to 1), and the paths at which it differs: recorded first, then what was asked."""

    interaction: int
    name: str
    likeness: float
    details: tuple[Detail, ...]


def asked(text: str) -> Plain:
    """Read a pasted request: a JSON body, or an object with ``method``, ``uri`` and ``body``.

    Raises:
        UsageError: it is no JSON; where it stops being that is in the message.

    """
    if len(text) > _LARGEST:
        raise UsageError(f"The request has {len(text):,} characters; up to {_LARGEST:,} are read.")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(
            f"This is no JSON: {error}. Paste the body of the request, or an object with method, uri and body."
        ) from error
    return masked(_whole(value) if isinstance(value, dict) and "body" in value else {"body": value})


def nearest(cassette: Cassette, request: Plain) -> tuple[Near, ...]:
    """The recorded requests that are most like it. A part that was not pasted (a method, a URI) is not compared."""
    found = []
    for exchange, recorded in _requests(cassette):
        mine = {key: value for key, value in recorded.items() if key in request}
        found.append((similarity(mine, request), exchange, mine))
    found.sort(key=lambda item: (-item[0], item[1].index))
    return tuple(
        Near(exchange.index, _name(exchange.request), likeness, differing(mine, request))
        for likeness, exchange, mine in found[:NEAREST]
    )


def recorded_requests(cassette: Cassette) -> tuple[tuple[str, Plain], ...]:
    """The requests that a cassette holds, each with a name, to be picked instead of pasted."""
    return tuple(
        (f"{exchange.index + 1} · {_name(exchange.request)}", request) for exchange, request in _requests(cassette)
    )


def _requests(cassette: Cassette) -> Iterator[tuple[Exchange, dict[str, Plain]]]:
    for interaction in cassette.interactions:
        if isinstance(interaction, Exchange) and interaction.request is not None:
            request = interaction.request
            yield interaction, mask({"method": request.method, "uri": request.uri, "body": request.body})


def _whole(value: dict[str, Plain]) -> dict[str, Plain]:
    """A request with its body decoded, as cassettes hold it."""
    body = value["body"]
    uri = value.get("uri", value.get("url"))
    known = {"method": value.get("method"), "uri": uri, "body": decode_body(body) if isinstance(body, str) else body}
    return {key: item for key, item in known.items() if item is not None}


def _name(request: Request | None) -> str:
    if request is None:
        return "no request"
    model = request.body.get("model") if isinstance(request.body, dict) else None
    return " ".join(str(part) for part in (request.method, request.uri, model) if part) or "a request"
