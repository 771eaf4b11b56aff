"""What a recording used: tokens summed over its turns, and their price.

Prices come from the snapshot that genai-prices ships; it is never refreshed over the network, so the same cassette costs the
same on every machine with the same version. What is not known stays None: a missing usage is no usage of 0, and a sum with one
unknown price is no price.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

from genai_prices import Usage as BilledUsage
from genai_prices import calc_price

from reviewlib.model.call import Usage
from reviewlib.model.review import Totals
from reviewlib.model.trajectory import Recording, Turn
from reviewlib.usage import BUCKETS, answered, total_usage


def totals(recording: Recording, at: datetime) -> Totals:
    """Sum the usage of all turns, and price them at the rates of ``at`` (an aware datetime).

    The usage and the seconds are None where an answered turn does not say, the cost where a billed turn has no known price: a part is no total.
    """
    turns = answered(recording.conversations)
    return Totals(
        seconds=_total_seconds(turns),
        usage=total_usage(recording.conversations),
        cost=_total_cost(turns, at),
        turns=sum(len(conversation.turns) for conversation in recording.conversations),
        calls=sum(len(conversation.calls) for conversation in recording.conversations),
    )


def turn_cost(turn: Turn, at: datetime) -> Decimal | None:
    """Price one turn in US dollars, by the model that served it, else by the one that was asked for.

    None where the tokens of either direction, the model, or its price is unknown.
    """
    if turn.usage is None or turn.usage.input_tokens is None or turn.usage.output_tokens is None:
        return None
    for model in (turn.model, turn.requested_model):
        cost = None if model is None else _price(turn.usage, model, at)
        if cost is not None:
            return cost
    return None


class Bill(NamedTuple):
    """What is known of the cost of some turns: the sum of the known prices in US dollars, and of how many turns it is.

    ``unpriced`` are the other turns that were billed, each as the model that answered it, or was asked for, if that is known.
    """

    cost: Decimal
    priced: int
    unpriced: tuple[str | None, ...]


def bill(recording: Recording, at: datetime) -> Bill:
    """Price all turns of a recording at the rates of ``at``, and say which have no known price."""
    return _bill(answered(recording.conversations), at)


def _bill(turns: Iterable[Turn], at: datetime) -> Bill:
    # Providers do not bill a call that they refused, so a recorded 401 without usage leaves the sum known.
    costs = [(turn, turn_cost(turn, at)) for turn in turns if not _refused(turn)]
    known = [cost for _, cost in costs if cost is not None]
    unpriced = tuple(turn.model or turn.requested_model for turn, cost in costs if cost is None)
    return Bill(sum(known, Decimal(0)), len(known), unpriced)


def _total_cost(turns: Iterable[Turn], at: datetime) -> Decimal | None:
    told = _bill(turns, at)
    return told.cost if told.priced and not told.unpriced else None


def _total_seconds(turns: Sequence[Turn]) -> float | None:
    known = [turn.seconds for turn in turns if turn.seconds is not None]
    return sum(known) if known and len(known) == len(turns) else None


def _refused(turn: Turn) -> bool:
    return turn.usage is None and turn.http_status is not None and turn.http_status >= 400


def _price(usage: Usage, model: str, at: datetime) -> Decimal | None:
    billed = {name: getattr(usage, name) for name in BUCKETS if name != "reasoning_tokens"}
    try:
        # Reasoning tokens are part of the output tokens, and billed as such.
        return calc_price(BilledUsage(**billed), model, genai_request_timestamp=at).total_price
    except (LookupError, ValueError):  # an unknown model; tokens that contradict each other
        return None
