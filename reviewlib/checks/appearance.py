"""Whether a text says something: in whatever capitals and spacing, and however its numbers are written."""

import re
from unicodedata import normalize

from reviewlib.diff.facts import with_plain_numbers

_WORD = re.compile(r"[^\W\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
"""Letters of words that spaces divide: not those of Thai, Lao, Burmese, Khmer, Japanese and Chinese, nor of Korean, whose particles are part of the word."""


def plain(text: str) -> str:
    """Write a text as texts are compared: small letters, single spaces, ``1390`` for ``1,390.00``, one way for each accent and width."""
    return " ".join(with_plain_numbers(normalize("NFKC", text)).casefold().split())


def holds(said: str, wanted: str) -> bool:
    """Tell whether a text holds another as whole words, numbers and ids: ``39`` is not in ``390``, ``ref`` not in ``refund``. Both are plain."""
    return _found(said, wanted, _WORD)


def mentions(said: str, unwanted: str) -> bool:
    """Tell whether a text holds another anywhere, in a longer word, too; numbers are whole all the same. Both are plain."""
    return _found(said, unwanted, re.compile(r"\d"))


def _found(said: str, wanted: str, whole: re.Pattern[str]) -> bool:
    """Search for a text whose ends are not in the middle of what must be ``whole``: of a number also not before or behind its point."""
    start = said.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        before, after = said[max(0, start - 2) : start], said[end : end + 2]
        if not _goes_on(wanted[0], before[::-1], whole) and not _goes_on(wanted[-1], after, whole):
            return True
        start = said.find(wanted, start + 1)
    return False


def _goes_on(end: str, beyond: str, whole: re.Pattern[str]) -> bool:
    """Tell whether what stands beyond an end, nearest first, belongs to it."""
    if not beyond or not whole.match(end):
        return False
    if whole.match(beyond[0]):
        return True
    return end.isdigit() and beyond[0] == "." and beyond[1:].isdigit()
