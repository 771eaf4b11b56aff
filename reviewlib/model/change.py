"""What two trajectories do differently."""

from typing import Literal, TypeAlias

from reviewlib.model.frozen import Frozen, Plain

Significance: TypeAlias = Literal["identical", "cosmetic", "request", "behaviour"]
SIGNIFICANCES: tuple[Significance, ...] = ("identical", "cosmetic", "request", "behaviour")
"""In ascending order."""

ChangeKind: TypeAlias = Literal[
    "tool_added",
    "tool_removed",
    "tool_moved",
    "arguments",
    "result",
    "failure",
    "stop_reason",
    "turns",
    "text",
    "system_prompt",
    "user_message",
    "tool_schema",
    "parameters",
    "model",
    "request_hash",
    "usage",
    "conversation_added",
    "conversation_removed",
]

StepRef: TypeAlias = tuple[int, int]
"""(conversation, step index) on one side."""


class Absent(Frozen):
    """The value of a path that one side does not have; told apart from null."""

    absent: Literal[True] = True


class Detail(Frozen):
    """One differing leaf: where (``amount``, ``items[2].sku``), and both values. ``Absent()`` where a side lacks it."""

    path: str
    baseline: Plain
    head: Plain


class Change(Frozen):
    """One difference inside a pair.

    ``cause`` is None, or the index in the pair's changes of the earlier change that this one follows from.
    ``note`` is a short sentence for a person. ``marked`` says that a fact (number, id, date, URL) moved inside prose.
    """

    kind: ChangeKind
    significance: Significance
    tool: str | None = None
    cause: int | None = None
    baseline_step: StepRef | None = None
    head_step: StepRef | None = None
    details: tuple[Detail, ...] = ()
    note: str = ""
    marked: bool = False


class Row(Frozen):
    """One line of the side-by-side view: a step of each side, or of one; ``changes`` index the pair's changes.

    ``relation``: ``same`` nothing differs · ``changed`` · ``added`` · ``removed`` · ``moved`` (both steps are set, ``baseline`` stands
    elsewhere in its own order).
    """

    baseline: StepRef | None
    head: StepRef | None
    relation: Literal["same", "changed", "added", "removed", "moved"]
    changes: tuple[int, ...] = ()


class Diff(Frozen):
    """All changes of one pair, in reading order, and the rows that show them. ``limits`` says which budgets were hit.

    ``leftovers`` counts conversations of head that are the baseline's own recording, kept beside a newer one; they are not compared.
    """

    changes: tuple[Change, ...]
    rows: tuple[Row, ...]
    significance: Significance
    leftovers: int = 0
    limits: tuple[str, ...] = ()
