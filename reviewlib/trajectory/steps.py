"""Events and outcomes → the numbered steps and turns of a trajectory."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count, groupby

from reviewlib.model.call import CallPart, Media, ModelCall, Part, Text
from reviewlib.model.cassette import ToolExecution
from reviewlib.model.trajectory import (
    AssistantText,
    Failure,
    Reasoning,
    Step,
    SystemPrompt,
    ToolCall,
    Trajectory,
    Turn,
    UserMessage,
)
from reviewlib.trajectory.attempts import failure
from reviewlib.trajectory.results import UNKNOWN, Outcome
from reviewlib.trajectory.runs import Place
from reviewlib.trajectory.script import Answer, Event, System, User

UNKNOWN_PROVIDER = "unknown"


def read_steps(conversation: int, events: Sequence[Event], outcomes: Mapping[Place, Outcome]) -> Trajectory:
    """Write a conversation's numbered steps and turns; prompts and messages belong to the turn that answers them."""
    steps: list[Step] = []
    turns: list[Turn] = []
    numbers = count()
    for event in events:
        turn = len(turns) + 1
        if isinstance(event, System):
            steps.append(SystemPrompt(index=len(steps), turn=turn, text=event.text))
        elif isinstance(event, User):
            steps.append(UserMessage(index=len(steps), turn=turn, text=event.text, media=event.media))
        elif isinstance(event, Answer):
            first = len(steps)
            for part in _joined(event.parts):
                place = (conversation, next(numbers)) if part.kind == "call" else None
                outcome = outcomes.get(place, UNKNOWN) if place is not None else UNKNOWN
                call = f"call-{place[1] + 1}" if place is not None else ""
                steps += _answered(part, len(steps), turn, call, outcome)
            steps += _failed(event, len(steps), turn)
            turns.append(_turn(event, turn, first, len(steps)))
    return Trajectory(turns=tuple(turns), steps=tuple(steps))


def read_executions(executions: Sequence[ToolExecution]) -> Trajectory:
    """Tell what tools did where no model call was recorded: each run is a step, in a turn of an unknown model."""
    steps = tuple(
        ToolCall(
            index=index,
            turn=index + 1,
            tool=run.tool,
            call=f"call-{index + 1}",
            arguments=run.arguments if run.arguments_recorded else None,
            result=run.result,
            result_recorded=run.result_recorded,
            is_error=run.is_error,
            executed=True,
        )
        for index, run in enumerate(executions)
    )
    turns = tuple(
        Turn(
            turn=index + 1,
            interaction=run.index,
            provider=UNKNOWN_PROVIDER,
            first=index,
            end=index + 1,
            recorded=False,
        )
        for index, run in enumerate(executions)
    )
    return Trajectory(turns=turns, steps=steps)


def _joined(parts: Sequence[Part]) -> Iterator[Part]:
    """Put words together that providers split (a cited answer comes in dozens of pieces), as their SDKs do: without a space."""
    for is_text, group in groupby(parts, key=lambda part: part.kind == "text"):
        pieces = list(group)
        if is_text and len(pieces) > 1:
            yield Text(text="".join(part.text for part in pieces if part.kind == "text"))
        else:
            yield from pieces


def _answered(part: Part, index: int, turn: int, call: str, outcome: Outcome) -> tuple[Step, ...]:
    match part.kind:
        case "text":
            return (AssistantText(index=index, turn=turn, text=part.text),) if part.text.strip() else ()
        case "thinking":
            return (Reasoning(index=index, turn=turn, text=part.text),)
        case "media":
            return (AssistantText(index=index, turn=turn, text=_described(part)),)
        case "call":
            return (_tool_call(part, index, turn, call, outcome),)
        case "result":
            return ()


def _described(media: Media) -> str:
    """Stand in for an image or a document that the model made: it must differ when the content does."""
    facts = [media.media_type]
    if media.size is not None:
        facts.append(f"{media.size} bytes")
    facts += [fact for fact in (media.digest, media.url) if fact]
    return f"[{', '.join(facts)}]"


def _tool_call(part: CallPart, index: int, turn: int, call: str, outcome: Outcome) -> ToolCall:
    own = not outcome.result_recorded
    return ToolCall(
        index=index,
        turn=turn,
        tool=part.tool,
        call=call,
        arguments=part.arguments,
        arguments_raw=part.arguments_raw,
        server_side=part.server_side,
        result=part.result if own else outcome.result,
        result_recorded=part.result_recorded if own else outcome.result_recorded,
        is_error=part.is_error if own else outcome.is_error,
        executed=None if part.server_side else outcome.executed,
        result_message=None if own else outcome.result_message,
        origin=part.origin,
    )


def _failed(answer: Answer, index: int, turn: int) -> tuple[Step, ...]:
    text = failure(answer.call) if answer.source == "recorded" else None
    if text is None:
        return ()
    return (Failure(index=index, turn=turn, text=text, http_status=answer.call.http_status),)


def _turn(answer: Answer, turn: int, first: int, end: int) -> Turn:
    """State what is known of a turn: of an answer read from a later history, only what was asked; of a handed-over one, nothing."""
    call = answer.call
    if answer.source == "handed_over":
        return Turn(
            turn=turn, interaction=call.interaction, provider=call.provider, first=first, end=end, recorded=False
        )
    request = call.request
    facts: dict[str, object] = {
        "turn": turn,
        "interaction": call.interaction,
        "provider": call.provider,
        "requested_model": request.model if request is not None else None,
        "tools": request.tools if request is not None else None,
        "parameters": request.parameters if request is not None else None,
        "key": call.key,
        "attempts": answer.attempts,
        "first": first,
        "end": end,
        "recorded": False,
    }
    if answer.source == "recorded":
        facts |= _answer_facts(call)
    return Turn.model_validate(facts)


def _answer_facts(call: ModelCall) -> dict[str, object]:
    facts: dict[str, object] = {
        "http_status": call.http_status,
        "recorded_at": call.recorded_at,
        "seconds": call.seconds,
    }
    response = call.response
    if response is not None:
        facts |= {
            "recorded": True,
            "model": response.model,
            "stop_reason": response.stop_reason,
            "stop_reason_raw": response.stop_reason_raw,
            "usage": response.usage,
            "response_id": response.response_id,
        }
    if failure(call) is not None:
        facts |= {"recorded": True, "stop_reason": "error"}
    return facts
