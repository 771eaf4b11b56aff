"""Checks of what the harness does with the model's answers: results, tools, arguments, endings, loops, errors.

A fact that the format does not hold is never judged.
"""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import TypeVar

from reviewlib.acts import Act, acts_of, call_key, outcome_key
from reviewlib.checks.arguments import ArgumentReader
from reviewlib.checks.check import Check, Sides, Sighting
from reviewlib.checks.failing import reads_as_error
from reviewlib.model.cassette import Fact
from reviewlib.model.trajectory import Reasoning, Recording, SystemPrompt, ToolCall, Trajectory, Turn
from reviewlib.values import same

Key = TypeVar("Key", bound=Hashable)

ONE_MESSAGE = frozenset({"anthropic", "bedrock_converse"})
"""The APIs that want all results of a turn in one message: models that see them apart stop making parallel calls."""

REPEATS = 3
"""How often the same has to happen in a row, with the same result, to be a loop."""

_PERIODS = (1, 2, 3)
"""How many turns the part that is repeated may have."""

_ANSWERS = re.compile(r"^(?:final_\w+|finish\w*|structured_?output):|ends (?:this|the) conversation", re.IGNORECASE)
"""Tools that are no tools: a call of theirs is the answer (pydantic-ai, ADK and the Claude SDK, by name or by description)."""

_ENDED = frozenset({"end_turn", "stop_sequence"})
_REFUSED = frozenset({"refusal", "content_filter"})


def missing_results(recording: Recording) -> Iterator[Sighting]:
    """See calls that got no result although the conversation goes on.

    Where another agent takes over, under a prompt of its own, it is told in words what came of the call that handed over.
    """
    if _unknown(recording, "requests") or "tool_results" in recording.cassette.not_recorded:
        return
    for number, conversation, call in _native_calls(recording):
        if call.result_recorded or call.turn == len(conversation.turns):
            continue
        opening = conversation.steps[conversation.turns[call.turn - 1].end : conversation.turns[call.turn].first]
        if not any(isinstance(step, SystemPrompt) for step in opening):
            yield Sighting(f"{call.tool} got no result, and the run went on", (number, call.index), call.tool)


def split_parallel_results(recording: Recording) -> Iterator[Sighting]:
    """See turns whose results were sent back in several messages, where the API wants them in one."""
    if _unknown(recording, "parameters"):  # then it is not the request itself that was read
        return
    for number, conversation in enumerate(recording.conversations):
        for turn in conversation.turns:
            if turn.provider not in ONE_MESSAGE:
                continue
            calls = [step for step in conversation.steps[turn.first : turn.end] if isinstance(step, ToolCall)]
            messages = {call.result_message for call in calls if call.result_message is not None}
            if len(messages) > 1:
                tools = ", ".join(dict.fromkeys(call.tool for call in calls))
                yield Sighting(
                    f"the results of one turn ({tools}) were sent back in {len(messages)} messages, not in one",
                    (number, turn.first),
                    tools,
                )


def unknown_tools(recording: Recording) -> Iterator[Sighting]:
    """See calls of tools that the request did not offer."""
    if _unknown(recording, "tool_schemas"):
        return
    for number, conversation, call in _native_calls(recording):
        offered = conversation.turns[call.turn - 1].tools
        if offered and call.tool not in {tool.name for tool in offered}:
            yield Sighting(f"{call.tool} was called, and not offered", (number, call.index), call.tool)


def invalid_arguments(recording: Recording) -> Iterator[Sighting]:
    """See arguments that break the schema that was sent with the request."""
    reader = ArgumentReader()
    for number, conversation, call in _native_calls(recording):
        offered = conversation.turns[call.turn - 1].tools or ()
        schema = next((tool.schema_ for tool in offered if tool.name == call.tool), None)
        if call.arguments_raw is None and isinstance(schema, dict) and schema:
            complaint = reader.complaint(schema, call.arguments)
            if complaint:
                yield Sighting(f"{call.tool} breaks its schema: {complaint}", (number, call.index), call.tool)


def unparsable_arguments(recording: Recording) -> Iterator[Sighting]:
    """See arguments that are no JSON object."""
    for number, _, call in _native_calls(recording):
        if call.arguments_raw is not None:
            yield Sighting(f"the arguments of {call.tool} are no JSON object", (number, call.index), call.tool)


def truncated(recording: Recording) -> Iterator[Sighting]:
    """See answers that were cut at the limit of tokens."""
    yield from _ending(recording, frozenset({"max_tokens"}), "the answer was cut at its limit of tokens")


def refusals(recording: Recording) -> Iterator[Sighting]:
    """See answers that the model, or a filter, refused to give."""
    yield from _ending(recording, _REFUSED, "the model, or a filter before it, refused to answer")


def _ending(recording: Recording, reasons: frozenset[str], sentence: str) -> Iterator[Sighting]:
    for number, conversation in enumerate(recording.conversations):
        for turn in conversation.turns:
            if turn.stop_reason in reasons:
                step = (number, turn.end - 1) if turn.end > turn.first else None
                yield Sighting(f"{sentence} ({turn.stop_reason_raw or turn.stop_reason})", step, turn.stop_reason or "")


def empty_answers(recording: Recording) -> Iterator[Sighting]:
    """See answers that ended in order and say and do nothing."""
    if _unknown(recording, "answers"):
        return
    for conversation in recording.conversations:
        for turn in conversation.turns:
            if turn.recorded and turn.stop_reason in _ENDED and _is_silent(conversation, turn):
                yield Sighting(f"the answer of turn {turn.turn} says and does nothing")


def _is_silent(conversation: Trajectory, turn: Turn) -> bool:
    return all(isinstance(step, Reasoning) for step in conversation.steps[turn.first : turn.end])


def unhandled_stops(recording: Recording) -> Iterator[Sighting]:
    """See runs that end on a call nobody ran: the harness gave up, or a limit of steps was reached.

    A conversation in which no call ran is no run of a harness: its tests look at the first answer alone. Nor is a call left open that is
    how the model gives its answer (``final_result``).
    """
    for number, conversation in enumerate(recording.conversations):
        last = conversation.turns[-1] if conversation.turns else None
        if last is None:
            continue
        if last.stop_reason == "pause_turn":
            yield Sighting("the run ends on a pause: the answer was not continued", (number, max(last.end - 1, 0)))
        if last.stop_reason != "tool_use":
            continue
        calls = [step for step in conversation.steps[last.first : last.end] if isinstance(step, ToolCall)]
        answers = {tool.name for tool in last.tools or () if _ANSWERS.search(f"{tool.name}: {tool.description}")}
        is_open = all(_is_own(call) and not call.result_recorded and call.tool not in answers for call in calls)
        ran_before = any(call.result_recorded and _is_own(call) for call in conversation.calls)
        if calls and is_open and ran_before:
            tools = ", ".join(dict.fromkeys(call.tool for call in calls))
            yield Sighting(f"the run ends on a call of {tools} that nobody ran", (number, calls[0].index), tools)


def loops(recording: Recording) -> Iterator[Sighting]:
    """See runs that make the same calls with the same results over and over."""
    for number, conversation in enumerate(recording.conversations):
        if len(conversation.turns) >= REPEATS:
            yield from _loops(number, conversation)


def _loops(number: int, conversation: Trajectory) -> Iterator[Sighting]:
    calls = conversation.calls
    tools = _often(call.tool for call in calls)
    often = _often(
        call_key(call) for call in calls if call.tool in tools
    )  # few runs get here, and arguments may be long
    if not often:
        return
    acts = acts_of(conversation)
    done = [_done(act, often) for act in acts]
    place = 0
    while place < len(done):
        period, times = _repeated(done, place)
        if times < REPEATS:
            place += 1
            continue
        repeated = [call for act in acts[place : place + period] for call in act.calls]
        named = ", ".join(dict.fromkeys(call.tool for call in repeated))
        yield Sighting(
            f"{named} ran {times} times in a row with the same arguments and the same result",
            (number, repeated[0].index),
            named,
        )
        place += period * times


def _often(keys: Iterable[Key]) -> set[Key]:
    return {key for key, count in Counter(keys).items() if count >= REPEATS}


def _done(act: Act, often: set[tuple[str, str]]) -> tuple[object, ...] | None:
    """Return what a turn did and what came of it; None where it cannot be part of a loop."""
    if not act.calls or any(call_key(call) not in often or not call.result_recorded for call in act.calls):
        return None
    return tuple(sorted(outcome_key(call) for call in act.calls))


def _repeated(done: Sequence[tuple[object, ...] | None], place: int) -> tuple[int, int]:
    """Return the length of the part that is repeated from here on, and how often it stands there."""
    for period in _PERIODS:
        part = done[place : place + period]
        if len(part) < period or None in part:
            break
        times = 1
        while done[place + period * times : place + period * (times + 1)] == part:
            times += 1
        if times >= REPEATS:
            return period, times
    return 1, 1


def swallowed_errors(sides: Sides) -> Iterator[Sighting]:
    """See results that were marked as errors, and now tell of an error without being marked as one."""
    if _unknown(sides.head, "tool_errors") or _unknown(sides.baseline, "tool_errors"):
        return
    failed = {
        (number, call.index)
        for number, conversation in enumerate(sides.baseline.conversations)
        for call in conversation.calls
        if call.is_error
    }
    for row in sides.diff.rows if failed else ():
        if row.baseline not in failed or row.baseline is None or row.head is None:
            continue
        one, other = (
            side.conversations[place[0]].steps[place[1]]
            for side, place in ((sides.baseline, row.baseline), (sides.head, row.head))
        )
        if not isinstance(one, ToolCall) or not isinstance(other, ToolCall):
            continue
        apis = {
            side.conversations[place[0]].turns[step.turn - 1].provider
            for side, place, step in ((sides.baseline, row.baseline, one), (sides.head, row.head, other))
        }
        if _lost_its_mark(one, other, of_one_api=len(apis) == 1):
            yield Sighting(
                f"{other.tool} failed as before, and its result is no longer marked as an error", row.head, other.tool
            )


def _lost_its_mark(one: ToolCall, other: ToolCall, *, of_one_api: bool) -> bool:
    """Tell whether a failed call is still one, by what its result says. Nothing is lost by going over to an API that has no such mark."""
    unmarked = other.is_error is False or (other.is_error is None and of_one_api)
    if one.is_error is not True or not unmarked or not other.result_recorded:
        return False
    return same(one.result, other.result) or reads_as_error(other.result)


def unmarked_errors(recording: Recording) -> Iterator[Sighting]:
    """See results that tell of an error, in an API that has a mark for it, without the mark."""
    if _unknown(recording, "tool_errors"):
        return
    for number, _, call in _native_calls(recording):
        if call.is_error is False and call.result_recorded and reads_as_error(call.result):
            yield Sighting(
                f"the result of {call.tool} tells of an error, and is not marked as one",
                (number, call.index),
                call.tool,
            )


def _native_calls(recording: Recording) -> Iterator[tuple[int, Trajectory, ToolCall]]:
    """Yield the calls that the harness had to run, and that the model made in the API's own form."""
    for number, conversation in enumerate(recording.conversations):
        for call in conversation.calls:
            if _is_own(call):
                yield number, conversation, call


def _is_own(call: ToolCall) -> bool:
    return not call.server_side and call.origin == "native"


def _unknown(recording: Recording, *facts: Fact) -> bool:
    return any(fact in recording.not_recorded for fact in facts)


CHECKS = (
    Check("missing-result", "A call without a result", "warning", recording=missing_results),
    Check(
        "split-parallel-results", "Results of one turn in several messages", "warning", recording=split_parallel_results
    ),
    Check("unknown-tool", "A tool was called that was not offered", "warning", recording=unknown_tools),
    Check("invalid-arguments", "Arguments break the tool's schema", "warning", recording=invalid_arguments),
    Check("unparsable-arguments", "Arguments that are no JSON", "warning", recording=unparsable_arguments),
    Check("truncated", "An answer was cut off", "warning", recording=truncated),
    Check("refusal", "The model refused", "warning", recording=refusals),
    Check("empty-answer", "An empty answer", "warning", recording=empty_answers),
    Check("unhandled-stop", "The run ends on a call that nobody ran", "warning", recording=unhandled_stops),
    Check("loop", "The same calls over and over", "warning", recording=loops),
    Check("error-swallowed", "An error is no longer marked as one", "error", pair=swallowed_errors),
    Check("unmarked-error", "A result tells of an error without the mark", "warning", recording=unmarked_errors),
)
