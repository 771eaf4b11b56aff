"""Texts in which a recorder put a placeholder: they equal what the placeholder stands for.

Recorders scrub keys, paths and ids (``[REDACTED]``, ``${workdir}``, ``X-API-KEY-XXX``), and when one begins to, every cassette changes by it.
"""

import re

from reviewlib.model.change import Absent, Detail
from reviewlib.model.frozen import Plain

MAX_TEXT = 10_000
"""Characters of a text that is compared; longer ones are compared as they are."""

MAX_PLACEHOLDERS = 8

_PLACEHOLDER = re.compile(
    r"\$\{\w+\}|<\w*(?:redacted|scrubbed|masked|removed)\w*>|\[\w*(?:redacted|scrubbed|masked|removed)\w*(?::[\w-]+)?\]"
    r"|\b(?:REDACTED|SCRUBBED|MASKED|FILTERED)\b|\b[A-Z0-9]+(?:-[A-Z0-9]+)*-X{3,}\b|\*{4,}",
    re.IGNORECASE,
)


def stands_for(one: Plain, other: Plain) -> bool:
    """Tell whether two texts are equal but for placeholders of one of them; one that is nothing else stands for any scalar."""
    if _is_placeholder(one) or _is_placeholder(other):
        return not isinstance(one, (dict, list, Absent)) and not isinstance(other, (dict, list, Absent))
    if not isinstance(one, str) or not isinstance(other, str):
        return False
    return _covers(one, other) or _covers(other, one)


def holds_one(text: str) -> bool:
    """Whether a placeholder stands anywhere in a text, or the mark of a secret (which stands for one value, and equals no other)."""
    return "[masked:" in text or _PLACEHOLDER.search(text) is not None


def _is_placeholder(value: Plain) -> bool:
    return isinstance(value, str) and len(value) <= MAX_TEXT and _PLACEHOLDER.fullmatch(value) is not None


def _covers(pattern: str, text: str) -> bool:
    """Tell whether ``text`` begins, goes on and ends as ``pattern`` does between its placeholders; linear in the text."""
    if max(len(pattern), len(text)) > MAX_TEXT:
        return False
    pieces = _PLACEHOLDER.split(pattern)
    if not 2 <= len(pieces) <= MAX_PLACEHOLDERS + 1 or not text.startswith(pieces[0]):
        return False
    place = len(pieces[0])
    for piece in pieces[1:-1]:
        found = text.find(piece, place)
        if found < 0:
            return False
        place = found + len(piece)
    return text.endswith(pieces[-1]) and len(text) - len(pieces[-1]) >= place


def without_placeholders(details: tuple[Detail, ...]) -> tuple[Detail, ...]:
    """Keep the differences that no placeholder explains."""
    return tuple(detail for detail in details if not stands_for(detail.baseline, detail.head))
