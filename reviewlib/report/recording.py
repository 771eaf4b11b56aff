"""One cassette for a terminal: each conversation step by step, as the model and the harness wrote it."""

from collections.abc import Iterator

from reviewlib.model.call import Usage
from reviewlib.model.cassette import Unreadable
from reviewlib.model.trajectory import Recording, Step, ToolCall, Trajectory, Turn
from reviewlib.report.neutral import capped, lines, log_safe, one_line
from reviewlib.report.wording import plural, value

TEXT_LIMIT = 4_000
"""Characters of one text that are shown; what is cut is counted, and the JSON holds all of it."""

_LABELS = {
    "system_prompt": "system",
    "user_message": "user",
    "assistant_text": "says",
    "reasoning": "thinks",
    "failure": "fails",
}
_MARGIN = 10


def render(read: Recording | Unreadable, path: str, ref: str) -> str:
    """Show what a cassette holds, or why it could not be read."""
    if isinstance(read, Unreadable):
        return (
            log_safe(f"{one_line(path)} ({one_line(ref)})\nunreadable at {read.stage}: {one_line(read.reason)}") + "\n"
        )
    printed = [*_head(read, path, ref)]
    for number, trajectory in enumerate(read.conversations, start=1):
        printed += ["", *_conversation(trajectory, number)]
    for other in read.other_traffic:
        status = "" if other.http_status is None else f" {other.http_status}"
        target = f"{other.method or ''} {other.uri or ''}".strip()
        printed += ["", f"no model call: interaction {other.interaction + 1}, {one_line(target)}{status}"]
    return log_safe("\n".join(printed)) + "\n"


def _head(read: Recording, path: str, ref: str) -> Iterator[str]:
    cassette = read.cassette
    counts = f"{plural(len(cassette.interactions), 'interaction')}, {plural(len(read.conversations), 'conversation')}"
    synthetic = ", written by hand" if cassette.synthetic else ""
    yield f"{one_line(path)} ({one_line(ref)}): {cassette.format}, {counts}{synthetic}"
    if read.not_recorded:
        yield f"not recorded by this format: {', '.join(fact.replace('_', ' ') for fact in read.not_recorded)}"
    for note in read.notes:
        yield f"note: {one_line(note)}"


def _conversation(trajectory: Trajectory, number: int) -> Iterator[str]:
    tools = " → ".join(one_line(tool) for tool in trajectory.tools) or "no tool calls"
    yield f"conversation {number}: {plural(len(trajectory.turns), 'turn')}, {tools}"
    starts = {turn.first: turn for turn in reversed(trajectory.turns)}
    for step in trajectory.steps:
        if step.index in starts:
            yield _turn(starts[step.index])
        yield from _step(step)
    # An answer without any content has no step that it could stand before.
    yield from (_turn(turn) for turn in trajectory.turns if turn.first >= len(trajectory.steps))


def _turn(turn: Turn) -> str:
    served = turn.model or turn.requested_model or "model not recorded"
    stop = turn.stop_reason_raw if turn.stop_reason == "other" else turn.stop_reason
    status = f"HTTP {turn.http_status}" if turn.http_status is not None and turn.http_status >= 400 else None
    retried = f"after {plural(len(turn.attempts), 'failed attempt')}" if turn.attempts else None
    facts = (served, stop, status, _usage(turn.usage), retried)
    return f"  turn {turn.turn}: {one_line(', '.join(fact for fact in facts if fact))}"


def _usage(usage: Usage | None) -> str:
    if usage is None or (usage.input_tokens is None and usage.output_tokens is None):
        return "usage not recorded"
    sent, answered = (
        "unknown" if count is None else f"{count:,}" for count in (usage.input_tokens, usage.output_tokens)
    )
    return f"{sent} → {answered} tokens"


def _step(step: Step) -> Iterator[str]:
    if isinstance(step, ToolCall):
        yield from _call(step)
    else:
        text = "(withheld by the provider)" if step.text is None else step.text
        yield from _block(_LABELS[step.kind], text)


def _call(call: ToolCall) -> Iterator[str]:
    arguments = (
        value(call.arguments, TEXT_LIMIT) if call.arguments_raw is None else f"(unparsable) {call.arguments_raw}"
    )
    where = " (run by the provider)" if call.server_side else ""
    yield from _block(call.call, f"{call.tool} {arguments}{where}")
    if not call.result_recorded:
        yield from _block("", "→ result not recorded")
        return
    error = "error: " if call.is_error else ""
    yield from _block("", f"→ {error}{call.result if isinstance(call.result, str) else value(call.result, TEXT_LIMIT)}")


def _block(label: str, text: str) -> Iterator[str]:
    """Put a text behind its label, every further line behind a rule, so that no recorded line begins a printed one."""
    first, *rest = lines(capped(text, TEXT_LIMIT))
    yield f"    {label:<{_MARGIN}}{first}"
    for line in rest:
        yield f"    {'':<{_MARGIN - 2}}│ {line}"
