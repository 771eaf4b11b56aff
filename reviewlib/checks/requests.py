"""Checks of what is sent: whether the same test would send the same again, so that its recording is found and the prompt cache is hit."""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

from reviewlib.checks.ages import recorded_at
from reviewlib.checks.check import Check, Sides, Sighting
from reviewlib.model.call import ToolSchema
from reviewlib.model.change import Detail
from reviewlib.model.frozen import Plain
from reviewlib.model.trajectory import Recording, SystemPrompt, Trajectory, Turn

_DATE = r"\b20\d\d-[01]\d-[0-3]\d"
_TIME = r"[T ][0-2]\d:[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?"
_MOMENT = re.compile(
    rf"(?P<iso>{_DATE}{_TIME})|(?P<day>{_DATE})(?![\w-])|\b(?P<epoch>1[5-9]\d{{8}}|2\d{{9}})(?P<milli>\d{{3}})?\b"
)
_VOLATILE: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("a moment", _MOMENT),
    ("a UUID", re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", re.IGNORECASE)),
    ("a clock time", re.compile(r"\b[0-2]?\d:[0-5]\d:[0-5]\d\b")),
    (
        "an id",
        re.compile(
            r"\b(?:session|sess|run|trace|request|req|conv|conversation|thread)[-_]?(?:id)?[-_=: ]{1,4}[\w-]{0,40}\d[\w-]{5,80}",
            re.IGNORECASE,
        ),
    ),
)
"""What is another value in every run, by what a person calls it."""

_NAMED = re.compile(r"(?:^|[._\[])(?:session|trace|request|run|conversation|thread)_?id\]?$", re.IGNORECASE)
"""Parameters that are another value in every run, by their name."""

_LONGEST = 100_000
"""Characters of one prompt that are searched."""

_SOON = timedelta(days=1)


def now_values(recording: Recording) -> Iterator[Sighting]:
    """See prompts that hold the moment of their own recording, and tools that are offered in another order from turn to turn."""
    dated = [
        (number, step)
        for number, conversation in enumerate(recording.conversations)
        for step in conversation.steps
        if isinstance(step, SystemPrompt) and _MOMENT.search(step.text, 0, _LONGEST)
    ]
    moment = recorded_at(recording) if dated else None
    for number, conversation in enumerate(recording.conversations):
        for place, step in dated:
            found = _now_in(step.text[:_LONGEST], moment) if place == number and moment is not None else None
            if found:
                message = (
                    f"the system prompt holds the moment of its recording ({found}): it is another one in every run"
                )
                yield Sighting(message, (number, step.index), "now")
        if _reordered(conversation):
            yield Sighting("the same tools are offered in another order from turn to turn", key="order")


def _now_in(text: str, moment: float) -> str | None:
    """Find a time of day within a day of a moment, or its very date."""
    recorded = datetime.fromtimestamp(moment, UTC)
    for hit in _MOMENT.finditer(text):
        if hit["epoch"]:
            near = abs(float(hit["epoch"]) - moment) < _SOON.total_seconds()
        else:
            near = abs(_day(hit[0][:10], recorded.date()) - recorded.date()) < (2 * _SOON if hit["iso"] else _SOON)
        if near:
            return hit[0]
    return None


def _day(text: str, otherwise: date) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:  # 2026-02-31
        return otherwise + timedelta(days=9999)


def _reordered(conversation: Trajectory) -> bool:
    offered = [_names(turn.tools) for turn in conversation.turns if turn.tools]
    return any(one != other and sorted(one) == sorted(other) for one, other in pairwise(offered))


def _names(tools: Sequence[ToolSchema]) -> list[str]:
    return [tool.name for tool in tools]


def volatile_between(sides: Sides) -> Iterator[Sighting]:
    """See requests that differ in nothing but moments and ids, and the same tools offered in another order."""
    told: set[str] = set()
    for change in sides.diff.changes:
        if change.kind not in {"system_prompt", "user_message", "parameters"}:
            continue
        where = "a parameter" if change.kind == "parameters" else f"the {change.kind.replace('_', ' ')}"
        for detail in change.details:
            what = _volatile(detail)
            if what and f"{where} {what}" not in told:
                told.add(f"{where} {what}")
                yield Sighting(
                    f"{where} differs in {what} only: it is another one in every run",
                    change.head_step,
                    f"{where} {what}",
                )
    if _order_flipped(sides):
        yield Sighting("the same tools are offered in another order than before", key="order")


def _volatile(detail: Detail) -> str | None:
    """Say what two texts differ in, if it is nothing but what changes with every run."""
    one, other = detail.baseline, detail.head
    if not isinstance(one, str | int | float) or not isinstance(other, str | int | float):
        return None
    if _NAMED.search(detail.path):
        return "an id"
    texts = str(one), str(other)
    if max(map(len, texts)) > _LONGEST:
        return None
    for what, pattern in _VOLATILE:
        texts = pattern.sub("\0", texts[0]), pattern.sub("\0", texts[1])
        if texts[0] == texts[1]:
            return what
    return None


def _order_flipped(sides: Sides) -> bool:
    pairs = zip(sides.baseline.conversations, sides.head.conversations, strict=False)
    return any(
        sorted(map(str, names[0])) == sorted(map(str, names[1])) and names[0] != names[1]
        for one, other in pairs
        if (names := (_first_offer(one), _first_offer(other)))[0] and names[1]
    )


def _first_offer(conversation: Trajectory) -> list[str]:
    return next((_names(turn.tools) for turn in conversation.turns if turn.tools), [])


_PINNABLE = frozenset(
    {
        "anthropic",
        "openai_chat",
        "openai_completions",
        "openai_responses",
        "gemini",
        "bedrock_converse",
        "cohere",
        "ollama",
    }
)
_REASONS = re.compile(
    r"^(?:o\d|gpt-5|gpt-6|claude-(?:opus|sonnet|haiku|fable|mythos)-(?:4-[7-9]|[5-9])|.*(?:thinking|reasoner|deep-research))"
)
"""Models that refuse a temperature: OpenAI's reasoning ones, Anthropic's from Opus 4.7 on."""


def unpinned(recording: Recording) -> Iterator[Sighting]:
    """See requests that leave to chance what their provider lets one fix: no temperature of 0, and no seed."""
    turns = [turn for item in recording.conversations for turn in item.turns if turn.recorded]
    free = [turn for turn in turns if _is_pinnable(turn) and not _is_pinned(turn)]
    if free:
        yield Sighting(
            f"{len(free)} of {len(turns)} requests set neither a temperature of 0 nor a seed: another run may answer otherwise"
        )


def _is_pinnable(turn: Turn) -> bool:
    thinks = turn.parameters is not None and any(
        key in turn.parameters for key in ("thinking", "reasoning", "reasoning_effort")
    )
    name = (turn.requested_model or "").rpartition("/")[2]
    return (
        turn.parameters is not None
        and turn.provider in _PINNABLE
        and bool(name)
        and not thinks
        and not _REASONS.match(name)
    )


def _is_pinned(turn: Turn) -> bool:
    settings = dict(_leaves(turn.parameters or {}))
    return settings.get("temperature") == 0 or settings.get("seed") is not None


def _leaves(parameters: dict[str, Plain]) -> Iterator[tuple[str, Plain]]:
    """Yield the settings of a request; Gemini, Bedrock and Ollama keep theirs one level down."""
    for key, value in parameters.items():
        if isinstance(value, dict):
            yield from value.items()
        else:
            yield key, value


CHECKS = (
    Check("volatile-key", "Another value is sent in every run", "warning", recording=now_values, pair=volatile_between),
    Check("unpinned-sampling", "Temperature and seed are left to chance", "info", recording=unpinned),
)
