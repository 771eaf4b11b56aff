"""Exchanges that are no model call (embeddings, files, pictures, other services): listed and never compared, so how many differ is counted."""

from collections import Counter
from collections.abc import Iterator

from reviewlib.model.cassette import Exchange, Request, Response
from reviewlib.model.frozen import Plain
from reviewlib.model.trajectory import Recording
from reviewlib.values import canonical


def differing(baseline: Recording | None, head: Recording | None) -> int:
    """Return how many exchanges that are no model call one side has and the other has not, by address, status and bodies; 0 for a lone side.

    Ids and times in them count: what they mean is not known.
    """
    if baseline is None or head is None or not (baseline.other_traffic or head.other_traffic):
        return 0
    one, other = Counter(_told(baseline)), Counter(_told(head))
    return max((one - other).total(), (other - one).total())


def _told(recording: Recording) -> Iterator[str]:
    listed = {item.interaction for item in recording.other_traffic}
    for exchange in recording.cassette.interactions:
        if isinstance(exchange, Exchange) and exchange.index in listed:
            yield canonical([*_sent(exchange.request), *_got(exchange.response)])


def _sent(request: Request | None) -> tuple[Plain, ...]:
    return () if request is None else (request.method, request.uri, request.body)


def _got(response: Response | None) -> tuple[Plain, ...]:
    return () if response is None else (response.status, response.body, list(response.chunks or ()))
