"""The texts of a conversation, all at once: what none of them holds is told by one look, and most hold neither an id of a call nor of a file."""

from collections.abc import Iterable, Iterator

from reviewlib.model.frozen import Plain
from reviewlib.model.trajectory import ToolCall, Trajectory, UserMessage


def texts_in(values: Iterable[Plain]) -> str:
    """Return the texts in some values, in their order, each in a line of its own; keys are none."""
    found: list[str] = []
    _collect(list(values), found)
    return "\n".join(found)


def _collect(value: Plain, found: list[str]) -> None:
    for item in value.values() if isinstance(value, dict) else value:
        if isinstance(item, str):
            found.append(item)
        elif isinstance(item, (dict, list)):
            _collect(item, found)


def said(trajectory: Trajectory) -> Iterator[Plain]:
    """Yield what was said and done in a conversation, step by step."""
    for step in trajectory.steps:
        yield step.text
        if isinstance(step, ToolCall):
            yield step.arguments
            yield step.result
        elif isinstance(step, UserMessage):
            yield from (media.url for media in step.media)


def asked(trajectory: Trajectory) -> Iterator[Plain]:
    """Yield what was set beside the messages, turn by turn."""
    for turn in trajectory.turns:
        yield turn.parameters
        yield from (tool.options for tool in turn.tools or () if tool.options)
