"""Names of calls inside texts: harnesses write a provider's id into messages and results, and it is new in every recording.

``Attachments from tool call toolu_01A…`` becomes ``Attachments from tool call call-1``, the name that the step has here.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from reviewlib.model.trajectory import AssistantText, Step, SystemPrompt, ToolCall, Trajectory, UserMessage
from reviewlib.trajectory.resources import renamed
from reviewlib.trajectory.script import Answer, Event
from reviewlib.trajectory.texts import said, texts_in

LEAST = 8
"""Characters of an id that is looked for. The shortest that a provider is known to make has nine (Mistral); ``call_1`` may be a word."""

_WORD = re.compile(r"[\w-]+(?:[.:][\w-]+)*")
_BEGINNING = 5
_FEW = 8


def call_names(events: Sequence[Event]) -> dict[str, str]:
    """Return the name of each call of a conversation by the provider's id; an id that stands for two calls names none."""
    ids = [part.call_id for event in events if isinstance(event, Answer) for part in event.parts if part.kind == "call"]
    names: dict[str, str] = {}
    twice: set[str] = set()
    for number, name in enumerate(ids, start=1):
        if name is not None and len(name) >= LEAST and any(map(str.isdigit, name)):
            twice |= {name} & names.keys()
            names[name] = f"call-{number}"
    return {name: call for name, call in names.items() if name not in twice}


def with_names(trajectory: Trajectory, names: Mapping[str, str]) -> Trajectory:
    """Return a trajectory in whose texts and values calls have their names in place of ids."""
    if not names:
        return trajectory
    rename = _renamer(names, texts_in(said(trajectory)))
    if rename is None:
        return trajectory
    steps = tuple(_named(step, rename) for step in trajectory.steps)
    if all(one is other for one, other in zip(steps, trajectory.steps, strict=True)):
        return trajectory
    return trajectory.model_copy(update={"steps": steps})


def _renamer(names: Mapping[str, str], texts: str) -> Callable[[str], str] | None:
    """Return what renames in one text, in time linear in it; None where none of ``texts`` holds an id, which is told by how the ids begin."""
    beginnings = {name[:_BEGINNING] for name in names}
    told_apart = len(beginnings) <= _FEW
    if told_apart and not any(start in texts for start in beginnings):
        return None

    def rename(text: str) -> str:
        if len(text) < LEAST or (told_apart and not any(start in text for start in beginnings)):
            return text
        return _WORD.sub(lambda match: names.get(match[0], match[0]), text)

    return rename


def _named(step: Step, rename: Callable[[str], str]) -> Step:
    if isinstance(step, (UserMessage, AssistantText, SystemPrompt)):
        text = rename(step.text)
        return step if text == step.text else step.model_copy(update={"text": text})
    if isinstance(step, ToolCall):
        values = {"arguments": renamed(step.arguments, rename), "result": renamed(step.result, rename)}
        changed = {field: value for field, value in values.items() if value is not getattr(step, field)}
        return step.model_copy(update=changed) if changed else step
    return step
