"""Equality of recorded values, and the paths at which two of them differ.

Equality is typed: ``True`` is not 1, ``"4471"`` is not 4471, integers are exact at any size, 39 equals 39.0 (JavaScript writes 39 where
Python writes 39.0) and NaN equals NaN. DeepDiff only lists the leaves of values that are already known to differ: with its number
options it holds ``True`` equal to 1 and neighbouring 19-digit ids equal.
"""

import base64
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import orjson

from reviewlib.align import align
from reviewlib.model.change import Absent, Detail
from reviewlib.model.frozen import Plain

if TYPE_CHECKING:
    from deepdiff.model import DiffLevel

MAX_NODES = 20_000
"""Values with more nodes than this are reported as one difference: DeepDiff takes about 0.1 ms a node."""

MAX_DETAILS = 200
"""Differing leaves that are listed; the last one then says how many more there are."""

MIN_SAME_ITEM = 0.5
"""Items that stand in one place under other names are the same item, renamed, when they are at least this like one another."""

_NAME = re.compile(r"[A-Za-z_][\w-]*\Z")
_PLAIN = re.compile(r"(?!-?\d+\Z)[\w./:@-]+\Z")
_IDENTITIES = tuple(
    re.compile(pattern)
    for pattern in (r"id\Z", r"\w*(?:_id|Id)\Z", r"(?:\w*_)?(?:uuid|key|sku|slug|code)\Z", r"(?:\w*_)?name\Z")
)
"""What names an item of a list, the plainest first; it counts only where it is unique on both sides, and shared."""

_MAX_DEPTH = 200


@dataclass(frozen=True, slots=True)
class Item:
    """A part of a path: the item of a list whose ``key`` is ``value``; with None, the order of its items by that key."""

    key: str
    value: str | int | None


Part: TypeAlias = str | int | Item
"""A part of a path: a key, an index, or an item by what identifies it."""


def canonical(value: Plain) -> str:
    """Return a text that is equal for two values exactly when they are the same. Key order does not count."""
    return _written(_simplify(value, 0))


def _written(simple: Plain) -> str:
    try:
        return orjson.dumps(simple, option=orjson.OPT_SORT_KEYS).decode()
    except (TypeError, ValueError):  # an integer beyond 64 bits, or a lone surrogate
        return json.dumps(simple, sort_keys=True, separators=(",", ":"))


def same(one: Plain, other: Plain) -> bool:
    """Tell whether two values are the same."""
    if type(one) is str and type(other) is str:
        return one == other
    return one is other or canonical(one) == canonical(other)


def _simplify(value: Plain, depth: int) -> Plain:
    # Most of what is recorded is texts under names: taken as they are where they stand, they are spared half of the time.
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, (bytes, bytearray)):
        return {"\0bytes": base64.b64encode(value).decode()}
    if depth > _MAX_DEPTH:
        return {"\0deep": str(type(value))}
    if isinstance(value, dict):
        return {
            key if type(key) is str else str(key): item if type(item) is str else _simplify(item, depth + 1)
            for key, item in value.items()
        }
    return [item if type(item) is str else _simplify(item, depth + 1) for item in value]


def _number(value: float) -> Plain:
    if not isfinite(value):
        return {"\0float": str(value)}
    return int(value) if value.is_integer() else value


def size(value: Plain, limit: int = MAX_NODES) -> int:
    """Count the nodes of a value; stops soon after ``limit``."""
    count, stack = 0, [value]
    while stack and count <= limit:
        item = stack.pop()
        count += 1
        if isinstance(item, dict):
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
    return count


def leaves(value: Plain) -> Iterator[Plain]:
    """Yield the scalars of a value, depth first."""
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            stack.extend(reversed(item.values()))
        elif isinstance(item, (list, tuple)):
            stack.extend(reversed(item))
        else:
            yield item


def similarity(one: Plain, other: Plain) -> float:
    """Return how alike two values are, from 0 to 1: the share of ``path: scalar`` leaves they have in common."""
    mine, theirs = set(_flat("", one)), set(_flat("", other))
    total = len(mine | theirs)
    return len(mine & theirs) / total if total else 1.0


def _flat(path: str, value: Plain) -> Iterator[str]:
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from _flat(f"{path}.{key}", item)
    elif isinstance(value, list) and value:
        for item in value:
            yield from _flat(f"{path}[]", item)
    else:
        yield f"{path}:{canonical(value)}"


def differing(baseline: Plain, head: Plain) -> tuple[Detail, ...]:
    """List the leaves at which two values differ, as ``differences`` does, at most ``MAX_DETAILS`` of them."""
    return listed(differences(baseline, head))


def listed(details: tuple[Detail, ...]) -> tuple[Detail, ...]:
    """Keep the details that are shown; the last one then says how many more there are."""
    rest = len(details) - MAX_DETAILS
    if rest <= 0:
        return details
    return (*details[:MAX_DETAILS], Detail(path=f"… {rest} more", baseline=Absent(), head=Absent()))


def differences(baseline: Plain, head: Plain) -> tuple[Detail, ...]:
    """List all leaves at which two values differ, with both values, in the order of their paths.

    Lists are aligned before they are compared, so one inserted item is one detail. Empty when the values are the same.
    """
    one, other = _simplify(baseline, 0), _simplify(head, 0)
    if one is other or _written(one) == _written(other):
        return ()
    if size(one) + size(other) > MAX_NODES:
        return (Detail(path="", baseline=baseline, head=head),)
    found = tuple(_differences((), one, other))
    if not found:  # an empty DeepDiff never means equal
        return (Detail(path="", baseline=baseline, head=head),)
    return found


def _differences(path: tuple[Part, ...], one: Plain, other: Plain) -> Iterator[Detail]:
    if isinstance(one, list) and isinstance(other, list):
        yield from _list_differences(path, one, other)
        return
    if not (isinstance(one, dict) and isinstance(other, dict)):
        yield Detail(path=written(path), baseline=one, head=other)
        return
    from deepdiff.diff import DeepDiff  # noqa: PLC0415 - 0.5 s, since it imports pandas: only where something differs

    tree = cast(
        "dict[str, Any]",
        DeepDiff(one, other, view="tree", custom_operators=[_Lists()], ignore_order=False, threshold_to_diff_deeper=0),
    )
    levels = [level for kind, found in tree.items() if kind != "deep_distance" for level in found]
    for level in sorted(levels, key=lambda level: [str(part) for part in level.path(output_format="list")]):
        yield from _of_level(path, level)


def _of_level(path: tuple[Part, ...], level: "DiffLevel") -> Iterator[Detail]:
    from deepdiff.helper import notpresent  # noqa: PLC0415 - as above

    parts = level.path(output_format="list")
    if (
        level.up is not None and parts and parts[-1] == "\0float"
    ):  # inside a number that JSON cannot hold: the number differs
        level, parts = level.up, parts[:-1]
    inner = (*path, *parts)
    if isinstance(level.t1, list) and isinstance(level.t2, list):
        yield from _list_differences(inner, level.t1, level.t2)
        return
    yield Detail(
        path=written(inner),
        baseline=Absent() if level.t1 is notpresent else level.t1,
        head=Absent() if level.t2 is notpresent else level.t2,
    )


class _Lists:
    """A DeepDiff operator that stops at lists: they are aligned first (one insertion among 2,600 gave 7,500 differences)."""

    def match(self, level: "DiffLevel") -> bool:
        return isinstance(level.t1, list) and isinstance(level.t2, list)

    def give_up_diffing(self, level: "DiffLevel", diff_instance: Any) -> bool:
        if not same(level.t1, level.t2):
            diff_instance.custom_report_result("lists", level)
        return True

    def normalize_value_for_hashing(self, _parent: Any, obj: Any) -> Any:
        return obj


def _list_differences(path: tuple[Part, ...], one: list[Plain], other: list[Plain]) -> Iterator[Detail]:
    key = _identity(one, other)
    if key is None:
        yield from _aligned_differences(path, one, other)
        return
    names = [item[key] for item in one], [item[key] for item in other]
    common = [name for name in names[0] if name in set(names[1])], [name for name in names[1] if name in set(names[0])]
    if common[0] == common[1]:
        yield from _named_differences(path, key, one, other)
        return
    partners = dict(zip(names[1], other, strict=True))
    for name, item in zip(names[0], one, strict=True):
        where = (*path, Item(key, name))
        if name not in partners:
            yield Detail(path=written(where), baseline=item, head=Absent())
        elif not same(item, partners[name]):
            yield from _differences(where, item, partners[name])
    for place, item in enumerate(other):
        if item[key] not in set(names[0]):
            yield Detail(path=written((*path, place)), baseline=Absent(), head=item)
    yield Detail(path=written((*path, Item(key, None))), baseline=common[0], head=common[1])


def _identity(one: list[Plain], other: list[Plain]) -> str | None:
    """Return the key that names the items of two lists: a scalar of each, unique on both sides, and mostly shared."""
    if not one or not other or not all(isinstance(item, dict) for item in (*one, *other)):
        return None
    for pattern in _IDENTITIES:
        for key in one[0]:
            if pattern.match(key) and _NAME.match(key) and _names(key, one, other):
                return str(key)
    return None


def _names(key: str, one: list[Plain], other: list[Plain]) -> bool:
    sides = [[item.get(key) for item in items] for items in (one, other)]
    if any(type(name) not in {str, int} for names in sides for name in names):
        return False
    left, right = set(sides[0]), set(sides[1])
    unique = len(left) == len(one) and len(right) == len(other)
    return unique and 2 * len(left & right) >= min(len(left), len(right))


def _named_differences(path: tuple[Part, ...], key: str, one: list[Plain], other: list[Plain]) -> Iterator[Detail]:
    """Compare lists whose common items stand in the same order, each item with that of its name."""
    removed: list[int] = []
    added: list[int] = []
    for left, right in [*align([item[key] for item in one], [item[key] for item in other]), (len(one), len(other))]:
        if left is not None and right is not None:
            yield from _named_gap(path, key, one, other, removed, added)
            removed, added = [], []
            if left < len(one) and not same(one[left], other[right]):
                yield from _differences((*path, Item(key, one[left][key])), one[left], other[right])
        elif left is not None:
            removed.append(left)
        elif right is not None:
            added.append(right)


def _named_gap(
    path: tuple[Part, ...], key: str, one: list[Plain], other: list[Plain], removed: list[int], added: list[int]
) -> Iterator[Detail]:
    """Compare items that only one side names, in one place: alike they are the same, renamed."""
    renamed = [
        (left, right)
        for left, right in zip(removed, added, strict=False)
        if similarity(one[left], other[right]) >= MIN_SAME_ITEM
    ]
    partners = dict(renamed)
    for left in removed:
        where = (*path, Item(key, one[left][key]))
        if left in partners:
            yield from _differences(where, one[left], other[partners[left]])
        else:
            yield Detail(path=written(where), baseline=one[left], head=Absent())
    for right in added:
        if right not in partners.values():
            yield Detail(path=written((*path, right)), baseline=Absent(), head=other[right])


def _aligned_differences(path: tuple[Part, ...], one: list[Plain], other: list[Plain]) -> Iterator[Detail]:
    pairs = align([canonical(item) for item in one], [canonical(item) for item in other])
    removed: list[int] = []
    added: list[int] = []
    for left, right in [*pairs, (len(one), len(other))]:
        if left is not None and right is not None:
            yield from _gap(path, one, other, removed, added)
            removed, added = [], []
        elif left is not None:
            removed.append(left)
        elif right is not None:
            added.append(right)


def _gap(
    path: tuple[Part, ...], one: list[Plain], other: list[Plain], removed: list[int], added: list[int]
) -> Iterator[Detail]:
    both = min(len(removed), len(added))
    for left, right in zip(removed[:both], added[:both], strict=True):
        yield from _differences((*path, left), one[left], other[right])
    for left in removed[both:]:
        yield Detail(path=written((*path, left)), baseline=one[left], head=Absent())
    for right in added[both:]:
        yield Detail(path=written((*path, right)), baseline=Absent(), head=other[right])


def written(path: tuple[Part, ...]) -> str:
    """Write a path as people do: ``items[2].qty``, ``items[sku=AB-1].qty``, and ``items[sku]`` for the order of items by their sku.

    Keys that are no names stand in brackets and quotes; so do names of items that are no plain words, or look like a number.
    """
    text = ""
    for part in path:
        if isinstance(part, Item):
            text += f"[{part.key}]" if part.value is None else f"[{part.key}={_named(part.value)}]"
        elif isinstance(part, int):
            text += f"[{part}]"
        elif _NAME.match(part):
            text += f".{part}" if text else part
        else:
            text += f"[{json.dumps(part, ensure_ascii=False)}]"
    return text


def _named(value: str | int) -> str:
    if isinstance(value, str) and not _PLAIN.match(value):
        return json.dumps(value, ensure_ascii=False)
    return str(value)
