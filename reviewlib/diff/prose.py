"""Runs that write their tool calls as prose (``Action: …``) against runs that make native ones.

The same run, asked for in another way: its calls are the same calls, and the other way is one change of parameters.
"""

import re
from collections.abc import Iterator, Sequence

from reviewlib.diff.draft import Place, Sides, Told, draft
from reviewlib.diff.matching import Matched
from reviewlib.model.change import Detail, Edit
from reviewlib.model.trajectory import Step, ToolCall, Trajectory


def manner(trajectory: Trajectory) -> str | None:
    """Return how a run makes its calls: ``text``, ``native``, or None where it makes none or both."""
    origins = {call.origin for call in trajectory.calls if not call.server_side}
    return origins.pop() if len(origins) == 1 else None


def in_one_tongue(baseline: Trajectory, head: Trajectory) -> tuple[Trajectory, Trajectory]:
    """Give prose calls the names that the other side's native tools have: ``Ask a coworker`` is ``ask_a_coworker``."""
    manners = manner(baseline), manner(head)
    if manners == ("text", "native"):
        return _renamed(baseline, head), head
    if manners == ("native", "text"):
        return baseline, _renamed(head, baseline)
    return baseline, head


def manner_drafts(
    baseline: Trajectory, head: Trajectory, conversation: int, sides: Sides, calls: Sequence[Matched]
) -> Iterator[Told]:
    """Yield the change from prose to native calls, or back; ``calls`` are those that both sides make, by whatever names."""
    manners = manner(baseline), manner(head)
    if manners[0] == manners[1]:
        return
    details = (Detail(path="manner", baseline=manners[0], head=manners[1]),)
    edit = Edit(conversation=conversation, action="set", what="conversation", details=details)
    if manners[0] is None or manners[1] is None:
        yield edit.model_copy(update={"reason": "unknown"})
        return
    names = ((pair.baseline.index, baseline.steps, head.steps[pair.head.index]) for pair in calls)
    renamed = tuple(
        Edit(
            conversation=conversation,
            action="set",
            what="call",
            place=place,
            details=(Detail(path="tool", baseline=one.tool, head=other.tool),),
        )
        for place, steps, other in names
        if isinstance(one := steps[place], ToolCall) and isinstance(other, ToolCall) and one.tool != other.tool
    )
    shown = (Detail(path="tool calls", baseline=manners[0], head=manners[1]),)
    yield draft("parameters", "request", Place(conversation), sides, details=shown, edits=(edit, *renamed))


def _renamed(prose: Trajectory, native: Trajectory) -> Trajectory:
    names = {_plain(tool): tool for tool in native.tools}
    steps: tuple[Step, ...] = tuple(
        step.model_copy(update={"tool": names.get(_plain(step.tool), step.tool)})
        if isinstance(step, ToolCall)
        else step
        for step in prose.steps
    )
    return prose.model_copy(update={"steps": steps})


def _plain(tool: str) -> str:
    return re.sub(r"\W|_", "", tool).lower()
