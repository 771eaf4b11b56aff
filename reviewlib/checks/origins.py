"""Checks of where a recording comes from: a person or a robot, a provider or a keyboard, another sample of the same."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from reviewlib.checks.check import Check, Given, Sides, Sighting
from reviewlib.model.change import SENT
from reviewlib.model.review import Pair
from reviewlib.model.trajectory import Recording

_ROBOT = re.compile(
    r"\[bot\]|^(?:github-actions|gitlab-ci|dependabot|renovate|semantic-release|pre-commit-ci|jenkins|circleci|buildkite|azure-pipelines)\b"
    r"|@(?:bots?|ci)\.|(?:\b|_)(?:ci|bot|automation|robot)(?:_[0-9a-f]+)?@|[-_ ]bot$|^(?:ci|bot)$",
    re.IGNORECASE,
)
"""Names and mail addresses of forges' and CI services' own accounts."""


def automated(recording: Recording, given: Given) -> Iterator[Sighting]:
    """See cassettes that a robot committed: nobody has looked at them before."""
    origin = given.around.origin(recording.path)
    if origin is None:
        return
    is_known = any(_ROBOT.search(each) for each in (origin.name, origin.email))
    if is_known or given.policy.hygiene.is_automation(origin.name, origin.email):
        yield Sighting(f"recorded by automation: {origin.name} committed it", key=origin.name)


_ASKED = SENT | {"request_hash", "conversation_added", "conversation_removed"}
_UNSAID = frozenset({"requests", "system_prompt", "user_messages", "tool_schemas", "parameters", "requested_model"})


def another_sample(sides: Sides) -> Iterator[Sighting]:
    """See re-records in which the agent does something else although nothing that is sent to it changed."""
    if _UNSAID & {*sides.baseline.not_recorded, *sides.head.not_recorded} or _shares_answers(sides):
        return
    roots = [change for change in sides.diff.changes if change.cause is None]
    kinds = {change.kind for change in sides.diff.changes}
    behaviour = [change for change in roots if change.significance == "behaviour"]
    if not behaviour or kinds & _ASKED or any(change.kind in {"result", "failure"} for change in roots):
        return
    yield Sighting(
        "nothing that is sent changed, and the agent does something else: one more sample of the same model, not an effect of an edit",
        behaviour[0].head_step,
    )


def _ids(recording: Recording) -> frozenset[str]:
    return frozenset(
        turn.response_id
        for item in recording.conversations
        for turn in item.turns
        if turn.response_id and turn.recorded
    )


def _shares_answers(sides: Sides) -> bool:
    one, other = _ids(sides.baseline), _ids(sides.head)
    return not one or not other or bool(one & other)


_NAMED = 3
"""Copies that are named; more are counted."""

_INVENTED = re.compile(
    r"synthetic|fake|dummy|mock|placeholder|example|^(?:msg|chatcmpl|resp|gen)[-_]?(?:\w{0,8}|test.*)$", re.IGNORECASE
)
_ISSUED = re.compile(
    r"^(?:msg_(?:bdrk_|vrtx_)?[0-9A-Za-z]{20,}|chatcmpl-[0-9A-Za-z-]{20,}|resp_[0-9a-f]{30,}|gen-\d+-\w{15,})$"
)
"""Ids that somebody typed, and ids as Anthropic, OpenAI and OpenRouter give them."""


def half_synthetic(recording: Recording) -> Iterator[Sighting]:
    """See answers that somebody wrote beside answers that a provider gave."""
    ids = _ids(recording)
    given = {each for each in ids if _ISSUED.match(each)}
    written = sorted(each for each in ids - given if _INVENTED.search(each))
    if written and given:
        yield Sighting(
            f"{len(written)} of {len(ids)} answers were written by hand ({written[0]}), beside recorded ones",
            key="written",
        )


def duplicates(pairs: Sequence[Pair], _given: Given) -> Iterator[Sighting]:
    """See cassettes of head that hold the same answers, by id: one was copied, not recorded."""
    holding: defaultdict[frozenset[str], list[Pair]] = defaultdict(list)
    for pair in pairs:
        if isinstance(pair.head, Recording) and not pair.head.cassette.synthetic and (ids := _ids(pair.head)):
            holding[ids].append(pair)
    for same in holding.values():
        if len(same) > 1 and not _were_the_same(same):
            names = ", ".join(pair.path for pair in same[:_NAMED])
            more = f" and {len(same) - _NAMED} more" if len(same) > _NAMED else ""
            yield Sighting(f"{len(same)} cassettes hold the same answers, by id: {names}{more}")


def _were_the_same(pairs: list[Pair]) -> bool:
    before = {_ids(pair.baseline) if isinstance(pair.baseline, Recording) else frozenset() for pair in pairs}
    return len(before) == 1 and frozenset() not in before


CHECKS = (
    Check(
        "same-requests-other-behaviour",
        "The same was sent, and something else was done",
        "info",
        pair=another_sample,
    ),
    Check("synthetic-mixed", "Written by hand beside recorded answers", "warning", recording=half_synthetic),
    Check("recorded-by-automation", "A robot committed the recording", "info", ruled=automated),
    Check("duplicate", "Cassettes that are copies of one another", "info", suite=duplicates),
)
