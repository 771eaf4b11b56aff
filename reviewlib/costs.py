"""What a recording used: tokens summed over its turns, and their price.

Prices come from the snapshot that genai-prices ships; it is never refreshed over the network, so the same cassette costs the
same on every machine with the same version. What is not known stays None: a missing usage is no usage of 0, and a sum with one
unknown price is no price.
"""

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal

from genai_prices import Usage as BilledUsage
from genai_prices import calc_price

from reviewlib.model.call import Usage
from reviewlib.model.review import Totals
from reviewlib.model.trajectory import Recording, Turn
from reviewlib.usage import BUCKETS, answered, total_usage


def totals(recording: Recording, at: datetime) -> Totals:
    """Sum the usage of all turns, and price them at the rates of ``at`` (an aware datetime).

    The usage is None where an answered turn does not say, the cost where a billed turn has no known price: a part is no total.
    """
    turns = answered(recording.conversations)
    return Totals(
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


def _total_cost(turns: Iterable[Turn], at: datetime) -> Decimal | None:
    # Providers do not bill a call that they refused, so a recorded 401 without usage leaves the sum known.
    costs = [turn_cost(turn, at) for turn in turns if not _refused(turn)]
    known = [cost for cost in costs if cost is not None]
    return sum(known, Decimal(0)) if known and len(known) == len(costs) else None


def _refused(turn: Turn) -> bool:
    return turn.usage is None and turn.http_status is not None and turn.http_status >= 400


def _price(usage: Usage, model: str, at: datetime) -> Decimal | None:
    billed = {name: getattr(usage, name) for name in BUCKETS if name != "reasoning_tokens"}
    try:
        # Reasoning tokens are part of the output tokens, and billed as such.
        return calc_price(BilledUsage(**billed), model, genai_request_timestamp=at).total_price
    except (LookupError, ValueError):  # an unknown model; tokens that contradict each other
        return None
