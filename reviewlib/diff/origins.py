"""Ids that a tool made while the agent ran, and what was done with them later: compared by where they came from, not by their value.

``create_order`` gives ``ord_81f`` in one run and ``ord_99c`` in the next: that is a changed result. That ``ship`` is then called with the one and
with the other is the same call. Only the same call makes another id: one that was asked for something else names something else. An amount that was
handed on is no id: it is told, as a consequence of the result.
"""

import re
from collections import defaultdict
from collections.abc import Iterable

from reviewlib.diff.matching import Matched
from reviewlib.model.change import Detail
from reviewlib.model.frozen import Plain
from reviewlib.values import canonical

_NAME = re.compile(r"(?:^|[._])(?:id|uuid|guid)$|[a-z](?:Id|ID|Uuid|UUID)$")
_SHAPE = re.compile(r"(?=(?:\D*\d){3})(?=[^A-Za-z]*[A-Za-z])[\w-]{8,64}")


class Origins:
    """The ids that differ in the results so far, with the turns of both sides that gave them. Pairs of calls are added in head's order."""

    def __init__(self) -> None:
        self._given: defaultdict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)

    def add(self, pair: Matched, results: Iterable[Detail]) -> None:
        """Remember what differs in the result of a call that asked for the same on both sides."""
        for detail in results:
            if _is_id(detail):
                self._given[_values(detail)].append((pair.baseline.turn, pair.head.turn))

    def explain(self, pair: Matched, argument: Detail) -> bool:
        """Tell whether an argument is, on both sides, the id that the same earlier result gave."""
        given = self._given.get(_values(argument), ()) if self._given else ()
        return any(i < pair.baseline.turn and j < pair.head.turn for i, j in given)


def _values(detail: Detail) -> tuple[str, str]:
    return _key(detail.baseline), _key(detail.head)


def _key(value: Plain) -> str:
    return canonical(value) if isinstance(value, (str, int)) and not isinstance(value, bool) else ""


def _is_id(detail: Detail) -> bool:
    """Tell whether a value is an id: by the name that it stands under, or by three digits and more among letters."""
    values = detail.baseline, detail.head
    if not all(map(_key, values)):
        return False
    return bool(_NAME.search(detail.path)) or all(_SHAPE.fullmatch(str(value)) for value in values)
