"""Path patterns, as a policy writes them."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial

_FEW = 3
"""Wildcards that a regular expression tries in the time of one file; each more of them multiplies that by the length of the path."""

_WILD = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
_ENTERED = "…/"  # inside the folders of a ``**/``
_STARS = frozenset({"**", "*"})


def matches(globs: Iterable[str], path: str) -> bool:
    """Whether one of the patterns names this repository-relative path.

    ``**`` spans folders, ``*`` and ``?`` stay within a name; every other character, brackets too, stands for itself.
    """
    return any(_compiled(glob)(path) for glob in globs)


@lru_cache(maxsize=2**14)
def _compiled(glob: str) -> Callable[[str], object]:
    """Make a glob a test of whole paths. ``**/`` matches no folder as well."""
    parts = _parts(glob.removeprefix("./"))
    if sum(part in _WILD and part != "?" for part in parts[:-1]) <= _FEW:
        return re.compile("".join(_WILD.get(part) or re.escape(part) for part in parts), re.DOTALL).fullmatch
    places: list[str] = []
    for part in parts:
        places += (part, _ENTERED) if part == "**/" else (part,) if part in _WILD else part
    return partial(_walks, places)


def _parts(glob: str) -> list[str]:
    """Divide a pattern into wildcards and what stands between them; of wildcards that say the same one after the other, one."""
    parts: list[str] = []
    for part in filter(None, re.split(r"(\*\*/|\*\*|\*|\?)", glob)):
        if parts and part in _STARS and parts[-1] in _STARS:
            parts[-1] = "**"
        elif not parts or part != "**/" or parts[-1] != part:
            parts.append(part)
    return parts


def _walks(places: Sequence[str], path: str) -> bool:
    """Match by following all ways through the pattern at once: in time that grows with its length times that of the path."""
    here = _with_nothing({0}, places)
    for letter in path:
        here = _with_nothing({place for state in here for place in _next(state, places, letter)}, places)
    return len(places) in here


def _next(state: int, places: Sequence[str], letter: str) -> Iterable[int]:
    """Yield where a letter leads to from a place in the pattern."""
    part = places[state] if state < len(places) else ""
    if part in {"**", _ENTERED} or (part == "*" and letter != "/"):
        yield state
    if part == letter or (part == _ENTERED and letter == "/") or (part == "?" and letter != "/"):
        yield state + 1


def _with_nothing(states: Iterable[int], places: Sequence[str]) -> set[int]:
    """Add the places that are reached without a letter."""
    found: set[int] = set()
    waiting = list(states)
    while waiting:
        state = waiting.pop()
        if state in found:
            continue
        found.add(state)
        part = places[state] if state < len(places) else ""
        if part == "**/":
            waiting += (state + 1, state + 2)
        elif part in _STARS:
            waiting.append(state + 1)
    return found
