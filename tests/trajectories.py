"""Hand-made trajectories, written as the story that they tell."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from reviewlib.model.call import ToolSchema, Usage
from reviewlib.model.cassette import Cassette
from reviewlib.model.trajectory import (
    AssistantText,
    Failure,
    Reasoning,
    Recording,
    Step,
    SystemPrompt,
    ToolCall,
    Trajectory,
    Turn,
    UserMessage,
)

NOTHING = object()


@dataclass(frozen=True)
class C:
    """A call: tool, arguments, result."""

    tool: str
    arguments: Any = field(default_factory=dict)
    result: Any = NOTHING
    is_error: bool | None = None
    raw: str | None = None
    origin: str = "native"


@dataclass(frozen=True)
class T:
    """A turn: its calls, its words, how it ended."""

    calls: Sequence[C] = ()
    text: str = ""
    stop: str | None = None
    user: str | None = None
    failure: str | None = None
    status: int | None = None
    thinking: str | None = None
    usage: tuple[int, int] | None = None
    model: str | None = None
    requested: str | None = None
    key: str | None = None


def call(tool: str, arguments: Any = None, result: Any = NOTHING, **more: Any) -> T:
    """A turn with one call."""
    return T([C(tool, {} if arguments is None else arguments, result, **more)])


def trajectory(
    *turns: T,
    user: str | None = "Refund order 4471",
    system: str | None = "You are a support agent.",
    tools: tuple[ToolSchema, ...] | None = None,
    parameters: dict[str, Any] | None = None,
    model: str = "model-1",
) -> Trajectory:
    steps: list[Step] = []
    made: list[Turn] = []
    if system is not None:
        steps.append(SystemPrompt(index=0, turn=1, text=system))
    if user is not None:
        steps.append(UserMessage(index=len(steps), turn=1, text=user))
    calls = 0
    for number, spec in enumerate(turns, 1):
        if spec.user is not None:
            steps.append(UserMessage(index=len(steps), turn=number, text=spec.user))
        first = len(steps)
        if spec.thinking is not None:
            steps.append(Reasoning(index=len(steps), turn=number, text=spec.thinking))
        if spec.text:
            steps.append(AssistantText(index=len(steps), turn=number, text=spec.text))
        for item in spec.calls:
            calls += 1
            steps.append(
                ToolCall(
                    index=len(steps),
                    turn=number,
                    tool=item.tool,
                    call=f"call-{calls}",
                    arguments=None if item.raw is not None else item.arguments,
                    arguments_raw=item.raw,
                    result=None if item.result is NOTHING else item.result,
                    result_recorded=item.result is not NOTHING,
                    is_error=item.is_error,
                    origin=item.origin,  # type: ignore[arg-type]
                )
            )
        if spec.failure is not None:
            steps.append(Failure(index=len(steps), turn=number, text=spec.failure, http_status=spec.status or 500))
        stop = spec.stop or ("error" if spec.failure is not None else "tool_use" if spec.calls else "end_turn")
        made.append(
            Turn(
                turn=number,
                interaction=number - 1,
                provider="anthropic",
                requested_model=spec.requested or model,
                model=None if spec.failure is not None else spec.model or model,
                stop_reason=stop,  # type: ignore[arg-type]
                http_status=spec.status or (500 if spec.failure is not None else 200),
                usage=Usage(input_tokens=spec.usage[0], output_tokens=spec.usage[1]) if spec.usage else None,
                tools=tools,
                parameters=parameters,
                key=spec.key,
                first=first,
                end=len(steps),
            )
        )
    return Trajectory(turns=tuple(made), steps=tuple(steps))


def recording(*conversations: Trajectory, path: str = "cassettes/test.yaml", **more: Any) -> Recording:
    content = hashlib.sha1(repr(conversations).encode(), usedforsecurity=False).hexdigest()
    cassette = Cassette(path=path, content=content, format="vcrpy", interactions=())
    return Recording(cassette=cassette, conversations=conversations, **more)
