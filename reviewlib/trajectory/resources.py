"""Files, containers and stores that a provider made while a run was recorded: their ids are new in every recording.

An id that a recorded answer holds is named by its kind and by the order in which the conversation speaks of it (``file-1``). One that no
answer holds was there before: it stays, and another one in its place is a change.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain

from reviewlib.model.call import Media, ToolSchema
from reviewlib.model.cassette import Exchange, Interaction
from reviewlib.model.frozen import Plain
from reviewlib.model.trajectory import AssistantText, Step, ToolCall, Trajectory, Turn, UserMessage
from reviewlib.trajectory.texts import asked, said, texts_in

_MADE = re.compile(
    r"(?<![A-Za-z0-9])(?:(?:file|cfile|cntr|container|vs)[-_]|files/|cachedContents/)(?=[a-z]*(?:\d|[A-Z]))[A-Za-z0-9]{10,}(?![A-Za-z0-9])"
)
_HINTS = ("file-", "file_", "files/", "cntr_", "container_", "vs_", "cachedContents/")
_NAMES = {"cfile": "file", "files": "file", "cntr": "container", "vs": "store", "cachedContents": "cache"}


def with_resources(trajectories: Sequence[Trajectory], interactions: Sequence[Interaction]) -> tuple[Trajectory, ...]:
    """Return conversations in which what the provider made is named by its kind and number."""
    spoken = [_ids(chain(said(trajectory), asked(trajectory))) for trajectory in trajectories]
    made = _answered(interactions) if any(spoken) else frozenset()
    return tuple(
        _named(trajectory, [name for name in names if name in made])
        for trajectory, names in zip(trajectories, spoken, strict=True)
    )


def _ids(values: Iterable[Plain]) -> list[str]:
    """Return the ids in some values, in order, again each time."""
    texts = texts_in(values)
    return _MADE.findall(texts) if any(hint in texts for hint in _HINTS) else []


def _answered(interactions: Sequence[Interaction]) -> frozenset[str]:
    """Return the ids that recorded answers hold, those of uploads too."""
    answers = (item.response for item in interactions if isinstance(item, Exchange) and item.response is not None)
    return frozenset(name for answer in answers for name in _ids([answer.body, *(answer.chunks or ())]))


def _named(trajectory: Trajectory, made: Sequence[str]) -> Trajectory:
    names: dict[str, str] = {}
    counts: dict[str, int] = {}
    for name in dict.fromkeys(made):
        prefix = re.split(r"[-_/]", name, maxsplit=1)[0]
        kind = _NAMES.get(prefix, prefix)
        counts[kind] = counts.get(kind, 0) + 1
        names[name] = f"{kind}-{counts[kind]}"
    if not names:
        return trajectory

    def rename(text: str) -> str:
        return _MADE.sub(lambda match: names.get(match[0], match[0]), text)

    steps = tuple(_step(step, rename) for step in trajectory.steps)
    turns = tuple(_turn(turn, rename) for turn in trajectory.turns)
    return trajectory.model_copy(update={"steps": steps, "turns": turns})


def _step(step: Step, rename: Callable[[str], str]) -> Step:
    if isinstance(step, UserMessage):
        media = tuple(_media(item, rename) for item in step.media)
        return step.model_copy(update={"text": rename(step.text), "media": media})
    if isinstance(step, AssistantText):
        return step.model_copy(update={"text": rename(step.text)})
    if isinstance(step, ToolCall):
        values = {"arguments": renamed(step.arguments, rename), "result": renamed(step.result, rename)}
        return step.model_copy(update=values)
    return step


def _media(media: Media, rename: Callable[[str], str]) -> Media:
    return media.model_copy(update={"url": rename(media.url)}) if media.url else media


def _turn(turn: Turn, rename: Callable[[str], str]) -> Turn:
    tools = None if turn.tools is None else tuple(_tool(tool, rename) for tool in turn.tools)
    return turn.model_copy(update={"parameters": renamed(turn.parameters, rename), "tools": tools})


def _tool(tool: ToolSchema, rename: Callable[[str], str]) -> ToolSchema:
    return tool.model_copy(update={"options": renamed(tool.options, rename)}) if tool.options else tool


def renamed(value: Plain, rename: Callable[[str], str]) -> Plain:
    """Return a value with every text in it renamed; the value itself where there is nothing to rename."""
    if isinstance(value, str):
        text = rename(value)
        return value if text == value else text
    if isinstance(value, list):
        items = [renamed(item, rename) for item in value]
        return items if any(one is not other for one, other in zip(items, value, strict=True)) else value
    if isinstance(value, dict):
        named = {key: renamed(item, rename) for key, item in value.items()}
        return named if any(named[key] is not value[key] for key in value) else value
    return value
