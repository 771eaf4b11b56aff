"""What a recording as a whole shows: facts that it could hold and does not, and runs that it holds more than once."""

from collections import Counter
from collections.abc import Iterator, Sequence

from reviewlib.model.call import ModelCall
from reviewlib.model.cassette import Fact, ToolExecution
from reviewlib.model.trajectory import ToolCall, Trajectory

_ASKED: tuple[Fact, ...] = ("requests", "system_prompt", "user_messages", "tool_schemas", "parameters")


def never_seen(
    calls: Sequence[ModelCall], executions: Sequence[ToolExecution], conversations: Sequence[Trajectory]
) -> frozenset[Fact]:
    """Return the facts of which not one instance was recorded, though there was something to record them of."""
    if not calls:
        return frozenset({"model_calls"} if executions else ())
    return frozenset(_missing(calls, conversations))


def _missing(calls: Sequence[ModelCall], conversations: Sequence[Trajectory]) -> Iterator[Fact]:
    turns = [turn for trajectory in conversations for turn in trajectory.turns]
    if all(call.request is None for call in calls):
        yield from _ASKED
    if all(call.response is None for call in calls):
        yield "answers"
    if all(turn.requested_model is None for turn in turns):
        yield "requested_model"
    if all(turn.usage is None for turn in turns):
        yield "usage"
    if all(turn.model is None for turn in turns):
        yield "model"
    if all(turn.stop_reason is None for turn in turns):
        yield "stop_reasons"
    if all(call.http_status is None for call in calls):
        yield "http_status"
    own = [
        (call, trajectory)
        for trajectory in conversations
        for call in trajectory.calls
        if not call.server_side and call.executed is not False
    ]
    if own and not any(call.result_recorded or _lacks_its_result(call, trajectory) for call, trajectory in own):
        yield "tool_results"


def _lacks_its_result(call: ToolCall, trajectory: Trajectory) -> bool:
    """Tell whether the request that the result would stand in is here: then it was not sent, which is a fact that is known."""
    following = trajectory.turns[call.turn : call.turn + 1]
    return call.origin == "native" and any(turn.parameters is not None for turn in following)


def repeated_runs(conversations: Sequence[Trajectory]) -> tuple[str, ...]:
    """Return a sentence for each opening (prompt, tools and first message) that several conversations share."""
    openings = Counter(opening for trajectory in conversations if (opening := _opening(trajectory)) is not None)
    return tuple(
        f"A run that opens with “{_short(message)}” was recorded {times} times in this file."
        for (message, *_), times in openings.items()
        if times > 1
    )


def _opening(trajectory: Trajectory) -> tuple[str, ...] | None:
    """Return the opening messages, the system prompt, and the names of the tools offered.

    None where the conversation was handed over, or its messages are not recorded.
    """
    if not trajectory.turns or not trajectory.turns[0].recorded:
        return None
    first = trajectory.turns[0]
    before = trajectory.steps[: first.first]
    message = "\n".join(step.text for step in before if step.kind == "user_message")
    system = "\n".join(step.text for step in before if step.kind == "system_prompt")
    return (message, system, *(tool.name for tool in first.tools or ())) if message else None


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:59]}…"
