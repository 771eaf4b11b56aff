"""Recorded text made harmless: everything that could act, hide or reorder is turned into something that can be read."""

import html
import re

_NAMED = {code: chr(0x2400 + code) for code in range(0x20) if code not in (0x09, 0x0A)} | {0x7F: "␡"}
"""The C0 controls as their pictures (ESC, which starts a terminal sequence, becomes ␛); tab and line feed stay."""

_HIDDEN = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls
    "\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff"  # bidi controls and invisible joiners
    "\ud800-\udfff"  # lone surrogates, which no browser can be sent
    "\U000e0000-\U000e007f"  # tag characters: text that no person sees and a model reads
    "]"
)


def visible(text: str) -> str:
    """Show what would otherwise be invisible: ``␛`` for a control character, ``⟨U+202E⟩`` for one that has no picture."""
    return _HIDDEN.sub(_shown, text.replace("\r\n", "\n"))


def escaped(text: str) -> str:
    """Text for HTML, in elements and in quoted attributes: visible, and without markup."""
    return html.escape(visible(text), quote=True)


def one_line(text: str, limit: int = 200) -> str:
    """The beginning of a text on one line; ``…`` says that there is more."""
    line = " ".join(visible(text[: limit * 4]).split())
    return line if len(line) <= limit and len(text) <= limit * 4 else f"{line[:limit].rstrip()}…"


def _shown(match: re.Match[str]) -> str:
    code = ord(match.group())
    return _NAMED.get(code, f"⟨U+{code:04X}⟩")
