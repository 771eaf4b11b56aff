"""Checks of the models behind a recording: which one an alias stands for, how long one will answer, who answered."""

import re
from collections import defaultdict
from collections.abc import Iterator
from datetime import date, timedelta

from reviewlib.checks.check import Check, Given, Sides, Sighting
from reviewlib.checks.retirements import RETIREMENTS
from reviewlib.model.cassette import Exchange
from reviewlib.model.trajectory import Recording
from reviewlib.model_names import family

_NO_VENDOR = frozenset({"unknown", "pydantic"})
"""Readers of what a framework wrote, which hold the answers of any vendor."""

_RESELLER = re.compile(r"[a-z]+://[^/?#]*(?:azure|aiplatform|amazonaws)", re.IGNORECASE)
"""Hosts that serve a vendor's models by a calendar of their own."""


def alias_drift(sides: Sides) -> Iterator[Sighting]:
    """See names that stood for one version of a model at the baseline, and stand for another in head."""
    before, after = _served(sides.baseline), _served(sides.head)
    for asked in sorted(before.keys() & after.keys()):
        one, other = before[asked] - {asked}, after[asked] - {asked}
        if one and other and not one & other and {*map(family, one)} == {*map(family, other)}:
            names = " and ".join(sorted(one)), " and ".join(sorted(other))
            yield Sighting(
                f"{asked} was asked for on both sides; {names[0]} answered before, {names[1]} does now", key=asked
            )


def _served(recording: Recording) -> dict[str, set[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for conversation in recording.conversations:
        for turn in conversation.turns:
            if turn.requested_model and turn.model:
                found[turn.requested_model].add(turn.model)
    return found


def retired_models(recording: Recording, given: Given) -> Iterator[Sighting]:
    """See requests for models that do not answer any more on the day of the judgement, or soon will not."""
    today, hygiene = given.today.date(), given.policy.hygiene
    days = {**RETIREMENTS, **hygiene.retired_models}
    resold = _resold(recording)
    asked = {
        turn.requested_model: None
        for conversation in recording.conversations
        for turn in conversation.turns
        if turn.requested_model and turn.interaction not in resold
    }
    for model in asked:
        day = days.get(model, days.get(model.removeprefix("models/")))
        if day is not None and day <= today + timedelta(days=hygiene.retirement_notice_days):
            yield Sighting(_told(model, day, today), key=model)


def _resold(recording: Recording) -> frozenset[int]:
    exchanges = [item for item in recording.cassette.interactions if isinstance(item, Exchange)]
    return frozenset(item.index for item in exchanges if item.request and _RESELLER.match(item.request.uri or ""))


def _told(model: str, day: date, today: date) -> str:
    if day <= today:
        return f"{model} has not answered since {day}: this cannot be recorded again"
    return f"{model} answers until {day}: record with another in time"


def mixed_providers(recording: Recording) -> Iterator[Sighting]:
    """See conversations whose turns were answered by several vendors' APIs."""
    for number, conversation in enumerate(recording.conversations):
        answered = [turn for turn in conversation.turns if turn.recorded and turn.http_status in {None, 200}]
        vendors = {turn.provider.partition("_")[0]: turn for turn in reversed(answered)}
        names = sorted(vendors.keys() - _NO_VENDOR)
        if len(names) > 1:
            later = max((vendors[name] for name in names), key=lambda turn: turn.turn)
            step = (number, later.first) if later.first < later.end else None
            yield Sighting(f"{' and '.join(names)} answered in one conversation", step, " ".join(names))


CHECKS = (
    Check("retired-model", "The model does not answer any more", "warning", ruled=retired_models),
    Check("alias-drift", "Another version answered to the same name", "warning", pair=alias_drift),
    Check("mixed-providers", "Several providers answered in one conversation", "info", recording=mixed_providers),
)
