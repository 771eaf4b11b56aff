"""Apply listed differences to the baseline's value: it must become the head's, or the list was not all."""

import json
import re
from collections import defaultdict
from typing import Any

from reviewlib.model.change import Absent, Detail

_PART = re.compile(r'\[(?P<index>\d+)\]|\[(?P<quoted>"(?:[^"\\]|\\.)*")\]|\.?(?P<name>[^.\[]+)')


def parsed(path: str) -> tuple[str | int, ...]:
    """Read a path as ``values.written`` writes it."""
    parts: list[str | int] = []
    for match in _PART.finditer(path):
        if match["index"] is not None:
            parts.append(int(match["index"]))
        elif match["quoted"] is not None:
            parts.append(json.loads(match["quoted"]))
        else:
            parts.append(match["name"])
    return tuple(parts)


def applied(baseline: Any, details: tuple[Detail, ...]) -> Any:
    """Return the baseline's value with its differing leaves replaced.

    In a list, replaced and removed items stand at the baseline's places, added ones at the head's.
    """
    return baseline if not details else _patched(baseline, [(parsed(detail.path), detail) for detail in details])


def _patched(value: Any, edits: list[tuple[tuple[str | int, ...], Detail]]) -> Any:
    whole = next((detail for path, detail in edits if not path), None)
    if whole is not None:
        return whole.head
    below: defaultdict[str | int, list[tuple[tuple[str | int, ...], Detail]]] = defaultdict(list)
    for path, detail in edits:
        below[path[0]].append((path[1:], detail))
    if isinstance(value, dict):
        return _patched_dict(value, below)
    return _patched_list(value, below)


def _patched_dict(value: dict[str, Any], below: Any) -> dict[str, Any]:
    result = dict(value)
    for key, edits in below.items():
        leaf = next((detail for path, detail in edits if not path), None)
        if leaf is not None and isinstance(leaf.head, Absent):
            del result[key]
        elif leaf is not None:
            result[key] = leaf.head
        else:
            result[key] = _patched(value[key], edits)
    return result


def _patched_list(value: list[Any], below: Any) -> list[Any]:
    added = {
        place: detail.head
        for place, edits in below.items()
        for path, detail in edits
        if not path and isinstance(detail.baseline, Absent)
    }
    kept = []
    for place, item in enumerate(value):
        edits = [
            (path, detail) for path, detail in below.get(place, ()) if path or not isinstance(detail.baseline, Absent)
        ]
        if any(not path and isinstance(detail.head, Absent) for path, detail in edits):
            continue
        kept.append(_patched(item, edits) if edits else item)
    for place in sorted(added):
        kept.insert(place, added[place])
    return kept
