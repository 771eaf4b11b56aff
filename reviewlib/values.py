"""Equality of recorded values, and the paths at which two of them differ.

Equality is typed: ``True`` is not 1, ``"4471"`` is not 4471, integers are exact at any size, 39 equals 39.0 (JavaScript writes 39 where
Python writes 39.0) and NaN equals NaN. DeepDiff only lists the leaves of values that are already known to differ: with its number
options it holds ``True`` equal to 1 and neighbouring 19-digit ids equal.
"""

import base64
import json
import re
from collections.abc import Iterator
from math import isfinite
from typing import TYPE_CHECKING, Any, cast

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

_NAME = re.compile(r"[A-Za-z_][\w-]*\Z")
_MAX_DEPTH = 200


def canonical(value: Plain) -> str:
    """Return a text that is equal for two values exactly when they are the same. Key order does not count."""
    simple = _simplify(value, 0)
    try:
        return orjson.dumps(simple, option=orjson.OPT_SORT_KEYS).decode()
    except (TypeError, ValueError):  # an integer beyond 64 bits, or a lone surrogate
        return json.dumps(simple, sort_keys=True, separators=(",", ":"))


def same(one: Plain, other: Plain) -> bool:
    """Tell whether two values are the same."""
    return one is other or canonical(one) == canonical(other)


def _simplify(value: Plain, depth: int) -> Plain:
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, (bytes, bytearray)):
        return {"\0bytes": base64.b64encode(value).decode()}
    if depth > _MAX_DEPTH:
        return {"\0deep": str(type(value))}
    if isinstance(value, dict):
        return {str(key): _simplify(item, depth + 1) for key, item in value.items()}
    return [_simplify(item, depth + 1) for item in value]


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
    """List the leaves at which two values differ, with both values, in the order of their paths.

    Lists are aligned before they are compared, so one inserted item is one detail. Empty when the values are the same.
    """
    if same(baseline, head):
        return ()
    one, other = _simplify(baseline, 0), _simplify(head, 0)
    if size(one) + size(other) > MAX_NODES:
        return (Detail(path="", baseline=baseline, head=head),)
    found = tuple(_differences((), one, other))
    if not found:  # an empty DeepDiff never means equal
        return (Detail(path="", baseline=baseline, head=head),)
    if len(found) > MAX_DETAILS:
        rest = len(found) - MAX_DETAILS
        more = Detail(path=f"… {rest} more", baseline=Absent(), head=Absent())
        return (*found[:MAX_DETAILS], more)
    return found


def _differences(path: tuple[str | int, ...], one: Plain, other: Plain) -> Iterator[Detail]:
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


def _of_level(path: tuple[str | int, ...], level: "DiffLevel") -> Iterator[Detail]:
    from deepdiff.helper import notpresent  # noqa: PLC0415 - as above

    inner = (*path, *level.path(output_format="list"))
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


def _list_differences(path: tuple[str | int, ...], one: list[Plain], other: list[Plain]) -> Iterator[Detail]:
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
    path: tuple[str | int, ...], one: list[Plain], other: list[Plain], removed: list[int], added: list[int]
) -> Iterator[Detail]:
    both = min(len(removed), len(added))
    for left, right in zip(removed[:both], added[:both], strict=True):
        yield from _differences((*path, left), one[left], other[right])
    for left in removed[both:]:
        yield Detail(path=written((*path, left)), baseline=one[left], head=Absent())
    for right in added[both:]:
        yield Detail(path=written((*path, right)), baseline=Absent(), head=other[right])


def written(path: tuple[str | int, ...]) -> str:
    """Write a path as people do: ``items[2].sku``; keys that are no names stand in brackets and quotes."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        elif _NAME.match(part):
            text += f".{part}" if text else part
        else:
            text += f"[{json.dumps(part, ensure_ascii=False)}]"
    return text
