"""A turn together with what it did, and the keys by which two of them are recognised as the same."""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property

from reviewlib.model.trajectory import AssistantText, Failure, ToolCall, Trajectory, Turn
from reviewlib.values import canonical

ABNORMAL = frozenset({"max_tokens", "refusal", "content_filter", "error"})
"""Stop reasons after which a run does not go on by itself."""


@dataclass(frozen=True)
class Act:
    """One turn of a trajectory: its calls in the order written, its text, and its failure. ``place`` counts from 0."""

    place: int
    turn: Turn
    calls: tuple[ToolCall, ...]
    texts: tuple[AssistantText, ...]
    failure: Failure | None

    @cached_property
    def text(self) -> str:
        """The words of the turn; whitespace at the ends of lines is no wording."""
        joined = "\n".join(step.text for step in self.texts)
        return "\n".join(line.rstrip() for line in joined.strip().splitlines())

    @cached_property
    def ending(self) -> str:
        """The stop reason where it is one that ends a run early, otherwise nothing."""
        return self.turn.stop_reason if self.turn.stop_reason in ABNORMAL and self.turn.stop_reason else ""

    @cached_property
    def _outcomes(self) -> tuple[tuple[str, str, str, str], ...]:
        return tuple(outcome_key(call) for call in self.calls)

    @cached_property
    def exact(self) -> Hashable:
        """Equal for turns that did and said the same, and got the same results."""
        return (self.ending, tuple(sorted(self._outcomes)), self.text)

    @cached_property
    def calling(self) -> Hashable:
        """Equal for turns that make the same calls with the same arguments, in whatever order."""
        return (self.ending, tuple(sorted(key[:2] for key in self._outcomes)), not self.calls and self.text)

    @cached_property
    def tools(self) -> Hashable:
        """Equal for turns that request the same tools."""
        return (self.ending, tuple(sorted(call.tool for call in self.calls)))


def call_key(call: ToolCall) -> tuple[str, str]:
    """Return tool and canonical arguments; equal exactly for calls that ask for the same."""
    return call.tool, call.arguments_raw if call.arguments_raw is not None else canonical(call.arguments)


def outcome_key(call: ToolCall) -> tuple[str, str, str, str]:
    """Return what a call asked for and what came of it; equal exactly for calls that are the same in both."""
    return (*call_key(call), canonical(call.result) if call.result_recorded else "", str(call.is_error))


def acts_of(trajectory: Trajectory) -> tuple[Act, ...]:
    """Return the turns of a trajectory with their steps."""
    return tuple(_act(place, turn, trajectory) for place, turn in enumerate(trajectory.turns))


def _act(place: int, turn: Turn, trajectory: Trajectory) -> Act:
    steps = trajectory.steps[turn.first : turn.end]
    return Act(
        place=place,
        turn=turn,
        calls=tuple(step for step in steps if isinstance(step, ToolCall)),
        texts=tuple(step for step in steps if isinstance(step, AssistantText)),
        failure=next((step for step in steps if isinstance(step, Failure)), None),
    )
