"""Recorded text made harmless before it reaches a terminal, a CI log or a forge.

A cassette is written by whoever opens the pull request. Its text may carry escape sequences that rewrite the screen, characters
that turn the reading direction, and lines that a CI runner obeys.
"""

import re
import unicodedata

_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
"""Unicode categories without a glyph of their own: control, format (bidi, zero width, tags), surrogates, line separators."""

_KEPT = "\u200c\u200d"  # joiners that emoji and several scripts are spelled with

_COMMAND = re.compile(r"##(?=\[|vso\[)")  # Azure and GitHub obey `##[…]` and `##vso[…]` anywhere in a line


def visible(text: str) -> str:
    r"""Spell out every character that has no glyph (``\x1b``, ``\u202e``); newlines and tabs as well (``\n``, ``\t``)."""
    if text.isprintable():  # nearly every text is
        return text
    return "".join(_spelled(char) for char in text)


def one_line(text: str) -> str:
    """Fold text into one line: runs of white space become one space, everything else without a glyph is spelled out."""
    return _COMMAND.sub("# #", visible(" ".join(text.split())))


def lines(text: str) -> tuple[str, ...]:
    """Keep the lines of a text, each made visible. Tabs are spaces here."""
    return tuple(_COMMAND.sub("# #", visible(line.expandtabs(4))) for line in text.split("\n"))


def capped(text: str, limit: int) -> str:
    """Cut a text, and say how much was cut: ``beginning of… (+1,234 characters)``."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]}… (+{len(text) - limit:,} characters)"


def log_safe(printed: str) -> str:
    """Take the force of command from lines that a CI runner would obey: GitHub trims a line and obeys ``::error::…``."""
    return "\n".join(
        line.replace("::", ": :", 1) if line.lstrip().startswith("::") else line for line in printed.split("\n")
    )


def _spelled(char: str) -> str:
    if unicodedata.category(char) not in _UNSEEN or char in _KEPT:
        return char
    return ascii(char)[1:-1]
