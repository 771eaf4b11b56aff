"""Server-sent events in one text.

The rules are those of the WHATWG event stream: lines end with CR, LF or CRLF, ``data`` lines of one event are joined, a line that
starts with a colon is a comment, a byte order mark may come first. Beyond them: an unterminated last event counts if it is
whole JSON, and data that is no JSON object (``[DONE]``, keep-alive words) is skipped.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from reviewlib.providers._plain import Tree, structure, tree

_LINE_END = re.compile(r"\r\n|\n|\r")  # not str.splitlines(): U+2028 may stand inside the data
FIELD = re.compile(r"(?:\A\ufeff?|[\r\n])(?:data|event|id|retry)[ \t]*:")


def is_event_stream(text: str) -> bool:
    """True for text that has a field line of an event stream."""
    return FIELD.search(text) is not None


@dataclass(frozen=True, slots=True)
class Stream:
    """The JSON objects of a stream, in order; ``ended`` is True where the closing ``[DONE]`` was recorded."""

    events: tuple[Tree, ...] = ()
    ended: bool = False


def read_text(text: str) -> Stream:
    """The events of an event stream; none for text that is no event stream."""
    if not is_event_stream(text):
        return Stream()
    data = list(_data(text.removeprefix("\ufeff")))
    return Stream(tuple(event for lines in data for event in objects_in(lines)), ["[DONE]"] in data)


def _data(text: str) -> Iterator[list[str]]:
    """The ``data`` lines of each event."""
    lines: list[str] = []
    for line in _LINE_END.split(text):
        if not line:
            if lines:
                yield lines
            lines = []
        name, _, value = line.partition(":")
        if name.strip() == "data":
            lines.append(value.removeprefix(" "))
    if lines:
        yield lines


def objects_in(lines: list[str]) -> Iterator[Tree]:
    """The objects in one event's lines: all of them together, or else (a server that leaves the blank lines out) each."""
    for candidate in (["\n".join(lines)], lines):
        found = [value for text in candidate if isinstance(value := structure(text), dict)]
        if found:
            yield from map(tree, found)
            return
