"""Hand-made model calls, and trajectories written as short lines, for the tests of ``reviewlib.trajectory``."""

from dataclasses import dataclass, replace

from reviewlib.model.call import (
    CallPart,
    Message,
    ModelCall,
    ModelRequest,
    ModelResponse,
    Part,
    ResultPart,
    StopReason,
    Text,
    ToolSchema,
    Usage,
)
from reviewlib.model.frozen import Plain
from reviewlib.model.trajectory import Failure, ToolCall, Trajectory
from reviewlib.values import canonical


def user(text: str) -> Message:
    return Message(role="user", parts=(Text(text=text),))


def said(*parts: Part | str) -> Message:
    return Message(role="assistant", parts=tuple(Text(text=part) if isinstance(part, str) else part for part in parts))


def back(*results: ResultPart) -> Message:
    return Message(role="tool", parts=results)


def want(tool: str, call_id: str | None = None, **arguments: Plain) -> CallPart:
    return CallPart(call_id=call_id, tool=tool, arguments=arguments)


def got(result: Plain, call_id: str | None = None, **fields: Plain) -> ResultPart:
    return ResultPart(call_id=call_id, result=result, **fields)


def asked(*messages: Message, system: str | None = "Be kind.", model: str = "m-1", **fields: Plain) -> ModelRequest:
    fields.setdefault("tools", (ToolSchema(name="get_order"),))
    return ModelRequest(model=model, system=system, messages=messages, **fields)


def answered(*parts: Part | str, stop: StopReason | None = None, **fields: Plain) -> ModelResponse:
    message = said(*parts)
    calls = any(part.kind == "call" for part in message.parts)
    reason: StopReason = stop or ("tool_use" if calls else "end_turn")
    fields.setdefault("usage", Usage(input_tokens=10, output_tokens=2))
    return ModelResponse(parts=message.parts, stop_reason=reason, model="m-1-2026", **fields)


def call(
    at: int, request: ModelRequest | None, response: ModelResponse | None, status: int | None = None, **fields: Plain
) -> ModelCall:
    return ModelCall(
        interaction=at, provider="anthropic", request=request, response=response, http_status=status, **fields
    )


@dataclass(frozen=True)
class Run:
    """A run of an agent: its opening message, then (tool, arguments, result) for each turn, then its last words.

    ``ids`` starts the provider ids of its calls; None leaves them out everywhere.
    """

    opening: str = "Refund order 4471"
    tools: tuple[tuple[str, dict[str, Plain], Plain], ...] = (
        ("get_order", {"order_id": "4471"}, {"total": 39}),
        ("issue_refund", {"amount": 39}, {"status": "issued"}),
    )
    words: str = "Done."
    ids: str | None = "a"
    system: str | None = "Be kind."

    def with_(self, **fields: Plain) -> "Run":
        return replace(self, **fields)

    def requests(self) -> list[ModelRequest]:
        messages = [user(self.opening)]
        found = [asked(*messages, system=self.system)]
        for number, (_, _, result) in enumerate(self.tools):
            messages += [said(self._part(number)), back(got(result, self._part(number).call_id))]
            found.append(asked(*messages, system=self.system))
        return found

    def responses(self) -> list[ModelResponse]:
        return [*(answered(self._part(number)) for number in range(len(self.tools))), answered(self.words)]

    def calls(self, at: int = 0, step: int = 1) -> list[ModelCall]:
        """The run's calls; the first is interaction ``at``, and each stands ``step`` interactions after the one before."""
        pairs = zip(self.requests(), self.responses(), strict=True)
        return [call(at + step * number, request, response) for number, (request, response) in enumerate(pairs)]

    def _part(self, number: int) -> CallPart:
        tool, arguments, _ = self.tools[number]
        return want(tool, f"{self.ids}{number}" if self.ids else None, **arguments)


REFUND = Run()
REFUND_LINES = [
    "0/1 system Be kind.",
    "1/1 user Refund order 4471",
    '2/1 call-1 get_order {"order_id":"4471"} = {"total":39}',
    '3/2 call-2 issue_refund {"amount":39} = {"status":"issued"}',
    "4/3 text Done.",
]


def lines(trajectory: Trajectory) -> list[str]:
    """Write each step as ``index/turn kind text``; a tool call as ``index/turn call tool arguments = result``."""
    return [_line(step) for step in trajectory.steps]


def _line(step: Plain) -> str:
    place = f"{step.index}/{step.turn}"
    if isinstance(step, ToolCall):
        raw = step.arguments_raw
        arguments = canonical(step.arguments) if raw is None else raw
        result = f" = {canonical(step.result)}" if step.result_recorded else ""
        error = {True: " !", False: "", None: ""}[step.is_error]
        ran = {True: " ran", False: " never ran", None: ""}[step.executed]
        return f"{place} {step.call} {step.tool} {arguments}{result}{error}{ran}"
    if isinstance(step, Failure):
        return f"{place} failure {step.http_status} {step.text}"
    kinds = {"system_prompt": "system", "user_message": "user", "assistant_text": "text", "reasoning": "reasoning"}
    return f"{place} {kinds[step.kind]} {step.text}"
