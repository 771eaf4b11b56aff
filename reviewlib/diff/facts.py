"""Facts inside prose: numbers, dates, ids and URLs, apart from wording.

Text similarity misleads: ``$39.00`` against ``$390.00`` scores 0.992, a harmless rewording 0.54. So the facts of two texts are compared
as multisets, in canonical writing (``$1,390.00`` is ``1390``).
"""

import re
from collections import Counter
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation

from reviewlib.model.frozen import Plain
from reviewlib.model.trajectory import ToolCall, Trajectory, UserMessage
from reviewlib.values import leaves

MAX_TEXT = 200_000
"""Characters of one text in which facts are looked for."""

_FACT = re.compile(
    r"(?P<url>https?://[^\s<>\"')\]]+)"
    r"|(?P<date>\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?\b)"
    r"|(?P<id>\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])\w+(?:-\w+)*\b)"
    r"|(?P<number>(?<![\w.])-?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\w)|(?<![\w.])-?\d+(?:\.\d+)?(?!\w))"
)
_NEGATION = re.compile(r"\b(?:not|no|never|none|cannot|without|unable)\b|n['’]t\b", re.IGNORECASE)


def facts(text: str) -> Counter[str]:
    """Return the facts of a text with their counts, each in canonical writing."""
    found: Counter[str] = Counter()
    for match in _FACT.finditer(text[:MAX_TEXT]):
        raw = match.group()
        found[_number(raw) if match.lastgroup == "number" else raw.rstrip(".,;:!?")] += 1
    return found


def with_plain_numbers(text: str) -> str:
    """Return a text with its numbers in canonical writing (``$1,390.00`` as ``$1390``); ids, dates and URLs stay as they are."""
    return _FACT.sub(
        lambda match: _number(match.group()) if match.lastgroup == "number" else match.group(), text[:MAX_TEXT]
    )


def negations(text: str) -> int:
    """Count the words that turn a statement into its opposite."""
    return sum(1 for _ in _NEGATION.finditer(text[:MAX_TEXT]))


def run_facts(trajectory: Trajectory) -> frozenset[str]:
    """Return the facts that a run was about: those of its user messages, its arguments and its results."""
    found: set[str] = set()
    for step in trajectory.steps:
        if isinstance(step, UserMessage):
            found.update(facts(step.text))
        elif isinstance(step, ToolCall):
            found.update(_of_values([step.arguments, step.arguments_raw, step.result]))
    return frozenset(found)


def _of_values(values: Iterable[Plain]) -> set[str]:
    found: set[str] = set()
    for leaf in leaves(list(values)):
        if isinstance(leaf, str):
            found.update(facts(leaf))
        elif isinstance(leaf, (int, float)) and not isinstance(leaf, bool):
            found.add(_number(str(leaf)))
    return found


def _number(raw: str) -> str:
    try:
        value = Decimal(raw.replace(",", ""))
    except InvalidOperation:
        return raw
    if not value.is_finite():
        return raw
    return format(value.normalize(), "f") if value.adjusted() < 30 else raw
