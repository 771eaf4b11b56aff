"""Differences applied to a value: where ``values.differences`` lists what differs, this makes the one value of the other.

It is strict: what a difference says of the baseline must be so.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from reviewlib.errors import ReviewError
from reviewlib.model.change import Absent, Detail
from reviewlib.model.frozen import Plain
from reviewlib.values import Item, Part, same, written

_PART = re.compile(
    r'\[(?P<index>\d+)\]|\[(?P<quoted>"(?:[^"\\]|\\.)*")\]|\.?(?P<name>[A-Za-z_][\w-]*)'
    r'|\[(?P<key>[A-Za-z_][\w-]*)(?P<item>=(?:"(?:[^"\\]|\\.)*"|[^\]"]*))?\]'
)

Edits: TypeAlias = list[tuple[tuple[Part, ...], Detail]]


class PatchError(ReviewError):
    """A difference is not one of this value."""


def parsed(path: str) -> tuple[Part, ...]:
    """Read a path as ``values.written`` writes it."""
    parts: list[Part] = []
    place = 0
    while place < len(path):
        match = _PART.match(path, place)
        if match is None:
            raise PatchError(f"{path!r} is no path: nothing can be read at {path[place:]!r}")
        parts.append(_part(match))
        place = match.end()
    return tuple(parts)


def indexed(path: str, value: Plain) -> str:
    """Write a path with places for names, where the items that it names stand in this value; as it is where one does not."""
    found: list[Part] = []
    try:
        for part in parsed(path):
            place = _place_of(value, part) if isinstance(part, Item) and part.value is not None else part
            found.append(place)
            if not isinstance(place, Item):
                value = value[place]
    except (PatchError, LookupError, TypeError):
        return path
    return written(tuple(found))


def _part(match: re.Match[str]) -> Part:
    if match["index"] is not None:
        return int(match["index"])
    if match["quoted"] is not None:
        return str(json.loads(match["quoted"]))
    if match["name"] is not None:
        return match["name"]
    if match["item"] is None:
        return Item(match["key"], None)
    return Item(match["key"], _scalar(match["item"][1:]))


def _scalar(text: str) -> str | int:
    if text.startswith('"'):
        return str(json.loads(text))
    return int(text) if re.fullmatch(r"-?\d+", text) else text


def patched(value: Plain, details: Iterable[Detail]) -> Plain:
    """Return the value with its differing leaves replaced.

    In a list, replaced and removed items stand at the baseline's places (or are named by what identifies them), added ones at the head's.

    Raises:
        PatchError: a difference names something that the value does not have, or does not have like that.

    """
    edits = [(parsed(detail.path), detail) for detail in details]
    return _patched(value, edits) if edits else value


def _patched(value: Plain, edits: Edits) -> Plain:
    whole = [detail for path, detail in edits if not path]
    if whole:
        if len(edits) > 1:
            raise PatchError(f"{value!r} is replaced twice")
        return _replaced(value, whole[0])
    below: defaultdict[Part, Edits] = defaultdict(list)
    for path, detail in edits:
        below[path[0]].append((path[1:], detail))
    if isinstance(value, dict):
        return _dict(value, below)
    if isinstance(value, list):
        return _list(value, below)
    raise PatchError(f"{value!r} has nothing inside that could differ")


def _replaced(value: Plain, detail: Detail) -> Plain:
    if isinstance(value, Absent) is not isinstance(detail.baseline, Absent) or not same(value, detail.baseline):
        raise PatchError(f"{detail.path or 'the value'} is {value!r}, not {detail.baseline!r}")
    return detail.head


def _dict(value: dict[str, Any], below: dict[Part, Edits]) -> dict[str, Any]:
    result = dict(value)
    for key, edits in below.items():
        result_key = str(key)
        present = value[result_key] if result_key in value else Absent()
        new = _patched(present, edits)
        if isinstance(new, Absent):
            del result[result_key]
        else:
            result[result_key] = new
    return result


def _list(value: list[Any], below: dict[Part, Edits]) -> list[Any]:
    added: dict[int, Any] = {}
    at: defaultdict[int, Edits] = defaultdict(list)
    order: Detail | None = None
    column = ""
    for part, edits in below.items():
        if isinstance(part, Item) and part.value is None:
            (_, order), column = edits[0], part.key
        elif isinstance(part, Item):
            at[_place_of(value, part)] += edits
        elif isinstance(part, int):
            for path, detail in edits:
                if not path and isinstance(detail.baseline, Absent):
                    added[part] = detail.head
                else:
                    at[part].append((path, detail))
        else:
            raise PatchError(f"a list has no {part!r}")
    if any(place >= len(value) for place in at):
        raise PatchError(f"a list of {len(value)} has no item {max(at)}")
    kept = [_patched(item, at[place]) if place in at else item for place, item in enumerate(value)]
    kept = [item for item in kept if not isinstance(item, Absent)]
    if order is not None:
        kept = _ordered(kept, column, order)
    for place in sorted(added):
        kept.insert(place, added[place])
    return kept


def _place_of(value: Sequence[Any], part: Item) -> int:
    places = [
        place for place, item in enumerate(value) if isinstance(item, dict) and same(item.get(part.key), part.value)
    ]
    if len(places) != 1:
        raise PatchError(f"{len(places)} items have the {part.key} {part.value!r}, not one")
    return places[0]


def _ordered(items: list[Any], column: str, order: Detail) -> list[Any]:
    """Put items into head's order; the difference lists what identifies them, in the order of each side."""
    names = [item.get(column) for item in items]
    if not same(names, order.baseline):
        raise PatchError(f"the order of {column} is {names!r}, not {order.baseline!r}")
    rank = {name: place for place, name in enumerate(order.head)}
    return sorted(items, key=lambda item: rank[item[column]])
