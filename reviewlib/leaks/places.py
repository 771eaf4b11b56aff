"""Where the marks of secrets stand in a recording."""

from collections.abc import Iterator
from typing import TypeAlias

from reviewlib.leaks.marks import marks
from reviewlib.leaks.texts import texts
from reviewlib.model.cassette import Exchange, Interaction
from reviewlib.model.frozen import Frozen, Plain
from reviewlib.model.leak import Leak
from reviewlib.model.trajectory import Recording, Step, ToolCall

_Place: TypeAlias = tuple[str, tuple[int, int] | None]

_IN_STEP = {
    "system_prompt": "the system prompt",
    "user_message": "a user message",
    "assistant_text": "the model's words",
    "reasoning": "the model's reasoning",
    "failure": "a failure's message",
}


def sightings(recording: Recording) -> tuple[Leak, ...]:
    """Name each secret whose mark is in a recording once, with its first place: a step, where it is in one."""
    places: dict[tuple[str, str], list[_Place]] = {}
    for value, place in _parts(recording):
        for text in texts(value):
            for found in marks(text):
                seen = places.setdefault(found, [])
                if place not in seen:
                    seen.append(place)
    return tuple(
        Leak(kind=kind, digest=digest, place=seen[0][0], step=seen[0][1], places=len(seen))
        for (kind, digest), seen in places.items()
    )


def steps_by_place(recording: Recording) -> Iterator[tuple[Plain, str, tuple[int, int]]]:
    """Yield what the steps of a recording hold, with the place in words and the step."""
    for number, conversation in enumerate(recording.conversations):
        for step in conversation.steps:
            for value, words in _of_step(step):
                yield value, words, (number, step.index)


def _parts(recording: Recording) -> Iterator[tuple[Plain | Frozen, _Place]]:
    """Yield the parts of a recording with their places; steps come first, as they are what a reader is led to."""
    for value, words, step in steps_by_place(recording):
        yield value, (words, step)
    for interaction in recording.cassette.interactions:
        for value, words in _of_interaction(interaction):
            yield value, (f"{words} of interaction {interaction.index + 1}", None)
    for conversation in recording.conversations:
        yield conversation.turns, ("the tools or the parameters that were sent", None)
    yield (recording.notes, recording.orphans), ("a note of the recorder", None)


def _of_step(step: Step) -> Iterator[tuple[Plain, str]]:
    if isinstance(step, ToolCall):
        yield (step.arguments, step.arguments_raw, step.text, step.tool), "the arguments of a tool call"
        yield step.result, "the result of a tool call"
    else:
        yield step, _IN_STEP[step.kind]


def _of_interaction(interaction: Interaction) -> Iterator[tuple[Plain, str]]:
    if not isinstance(interaction, Exchange):
        yield interaction, "the tool run"
        return
    if sent := interaction.request:
        yield from ((value, f"the request header {name}") for name, value in sent.headers.items())
        yield sent.uri, "the address"
        yield sent.body, "the request"
    if got := interaction.response:
        yield from ((value, f"the response header {name}") for name, value in got.headers.items())
        yield (got.body, got.chunks), "the answer"
