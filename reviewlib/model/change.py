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

SENT: frozenset[ChangeKind] = frozenset({"system_prompt", "user_message", "tool_schema", "parameters", "model"})
"""What the harness sends, where it is recorded; ``request_hash`` stands for it where only its hash is."""

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


class Edit(Frozen):
    """One step of the script that turns the canonical form of the baseline into head's (``diff/form.py``, ``diff/apply.py``).

    ``what`` names the thing and ``action`` what becomes of it. Turns are named by their place in the baseline, calls by their step there
    (``place``); what is put or moved goes ``to`` a turn of head, and ``content`` is the form of what is put. ``set`` replaces the
    leaves of ``field`` (the whole thing where that is empty) that ``details`` list; None: those of the change that the edit belongs to.
    ``conversation`` indexes ``Diff.conversations``. ``reason`` says why an edit belongs to no change: ``placeholder`` a recorder's
    stand-in · ``unknown`` a side does not record it · ``origin`` another id, handed on from the same result · ``leftover`` the baseline's own
    recording, kept in head.
    """

    conversation: int
    action: Literal["put", "drop", "move", "set"]
    what: Literal["conversation", "turn", "call", "usage"]
    place: int | None = None
    to: int | None = None
    field: str = ""
    details: tuple[Detail, ...] | None = None
    content: Plain = None
    reason: Literal["", "placeholder", "unknown", "origin", "leftover"] = ""


class Change(Frozen):
    """One difference inside a pair.

    ``cause`` is None, or the index in the pair's changes of the earlier change that this one follows from.
    ``note`` is a short sentence for a person. ``marked`` says that a fact (number, id, date, URL) moved inside prose.
    ``edits`` are what it does to the baseline; ``unlisted`` are the leaves beyond those that ``details`` list.
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
    edits: tuple[Edit, ...] = ()
    unlisted: tuple[Detail, ...] = ()


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
    """All changes of one pair, in reading order, and the rows that show them. ``limits`` says which budgets were hit,
    and what could as well have been compared with something else.

    ``leftovers`` counts conversations of head that are the baseline's own recording, kept beside a newer one; they are not compared.
    ``conversations`` are the numbers of those that were compared, None where a side has none. ``silent`` are the edits that no change
    tells, since what they replace counts as equal: with those of the changes they are the whole script.
    """

    changes: tuple[Change, ...]
    rows: tuple[Row, ...]
    significance: Significance
    leftovers: int = 0
    limits: tuple[str, ...] = ()
    conversations: tuple[tuple[int | None, int | None], ...] = ()
    silent: tuple[Edit, ...] = ()
