"""Runs that write their tool calls as prose (``Action: …``) against runs that make native ones.

The same run, asked for in another way: its calls are the same calls, and the other way is one change of parameters.
"""

import re
from collections.abc import Iterator

from reviewlib.diff.draft import Draft, Place, Sides, draft
from reviewlib.model.change import Detail
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


def manner_drafts(baseline: Trajectory, head: Trajectory, conversation: int, sides: Sides) -> Iterator[Draft]:
    """Yield the change from prose to native calls, or back."""
    manners = manner(baseline), manner(head)
    if None not in manners and manners[0] != manners[1]:
        details = (Detail(path="tool calls", baseline=manners[0], head=manners[1]),)
        yield draft("parameters", "request", Place(conversation), sides, details=details)


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
