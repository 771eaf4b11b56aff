"""What came of each tool call: joined from the results sent back to the model, and from the runs that the recorder saw."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from reviewlib.model.call import ResultPart
from reviewlib.model.cassette import ToolExecution
from reviewlib.model.frozen import Plain
from reviewlib.trajectory.runs import Place, Requested, match_runs
from reviewlib.trajectory.script import Answer, Event, Results


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is known of a call's result. The fields mean what they mean in ``ToolCall``."""

    result: Plain = None
    result_recorded: bool = False
    is_error: bool | None = None
    executed: bool | None = None
    result_message: int | None = None


Sent: TypeAlias = tuple[ResultPart, int | None]
"""A result that was sent back, and the message of the request that it stood in."""

UNKNOWN = Outcome()


def join_results(
    scripts: Sequence[Sequence[Event]], executions: Sequence[ToolExecution], *, sees_executions: bool
) -> tuple[dict[Place, Outcome], tuple[str, ...]]:
    """Give each call its outcome, and tell in a sentence each what belongs to no call.

    A run that the recorder saw is the result; what was sent back completes it (``is_error``), or stands in for it.
    """
    requested: list[Requested] = []
    outcomes: dict[Place, Outcome] = {}
    orphans: list[str] = []
    for number, events in enumerate(scripts):
        calls, sent_back, lost = _sent_back(number, events)
        requested += calls
        orphans += lost
        outcomes.update(
            (place, Outcome(part.result, result_recorded=True, is_error=part.is_error, result_message=message))
            for place, (part, message) in sent_back.items()
        )
    runs, leftover = match_runs(requested, executions)
    orphans += [
        f"{run.tool} ran (interaction {run.index + 1}), but no recorded answer asks for it." for run in leftover
    ]
    if sees_executions:
        for call in requested:
            known = outcomes.get(call.place, UNKNOWN)
            outcomes[call.place] = _completed(known, call, runs.get(call.place))
    return outcomes, tuple(dict.fromkeys(orphans))  # branches of a folder share what came before them


def _completed(known: Outcome, call: Requested, run: ToolExecution | None) -> Outcome:
    if run is None:  # a call that was handed over may have run before the recording began
        return replace(known, executed=None if call.handed_over else False)
    is_error = known.is_error if run.is_error is None else run.is_error
    if not run.result_recorded:  # it was seen to begin only; what was sent back is known all the same
        return replace(known, is_error=is_error, executed=True)
    return replace(known, result=run.result, result_recorded=True, is_error=is_error, executed=True)


def _sent_back(conversation: int, events: Sequence[Event]) -> tuple[list[Requested], dict[Place, Sent], list[str]]:
    """Join the results in a conversation's requests to its calls. Of a call that the provider runs itself, a paused answer may
    hold no result yet: it is in the next answer.
    """
    requested: list[Requested] = []
    found: dict[Place, Sent] = {}
    orphans: list[str] = []
    by_id: dict[str, list[Requested]] = {}
    latest: list[Requested] = []
    answers = position = 0
    for event in events:
        if isinstance(event, Answer):
            answers += 1
            calls = [
                Requested(
                    (conversation, position + number),
                    answers,
                    event.call.interaction,
                    part,
                    handed_over=event.source == "handed_over",
                )
                for number, part in enumerate(part for part in event.parts if part.kind == "call")
            ]
            position += len(calls)
            asked = [call for call in calls if not call.part.server_side]
            requested += asked
            latest = asked or latest
            for call in calls:
                if call.part.call_id and not call.part.result_recorded:
                    by_id.setdefault(call.part.call_id, []).append(call)
        results = _results(event)
        if results is not None:
            orphans += _take(results, by_id, latest, found)
    return requested, found, orphans


def _results(event: Event) -> Results | None:
    if isinstance(event, Results):
        return event
    if isinstance(event, Answer):
        inside = tuple(part for part in event.parts if part.kind == "result")
        return Results(inside, event.call.interaction, (None,) * len(inside)) if inside else None
    return None


def _take(
    results: Results, by_id: dict[str, list[Requested]], latest: list[Requested], found: dict[Place, Sent]
) -> list[str]:
    """Join one batch: by id, then to the last answer's open calls by tool, then by order. A result sent again is not news."""
    unnamed: list[Sent] = []
    for part, message in zip(results.parts, results.messages, strict=True):
        named = by_id.get(part.call_id) if part.call_id else None
        if named:
            call = _newest_open(named, found)
            if call is not None:
                found[call.place] = part, message
        else:
            unnamed.append((part, message))
    by_tool: dict[str | None, deque[Requested]] = {}
    for call in latest:
        if call.place not in found:
            by_tool.setdefault(call.part.tool, deque()).append(call)
    rest: list[Sent] = []
    for part, message in unnamed:
        if by_tool.get(part.tool):
            found[by_tool[part.tool].popleft().place] = part, message
        else:
            rest.append((part, message))
    free = deque(call for call in latest if call.place not in found)
    orphans: list[ResultPart] = []
    for part, message in rest:
        if free and part.tool is None:
            found[free.popleft().place] = part, message
        else:
            orphans.append(part)
    return [_orphan(part, results.interaction) for part in orphans]


def _newest_open(named: list[Requested], found: dict[Place, Sent]) -> Requested | None:
    """Return the call with this id. Ids that a recorder masked are all the same: the newest answer is meant, its first open call.

    Of the calls under one id the last 64 are looked at; no answer was seen with more than seven.
    """
    still_open = [call for call in named[-64:] if call.place not in found]
    return next((call for call in still_open if call.answer == still_open[-1].answer), None)


def _orphan(part: ResultPart, interaction: int) -> str:
    what = f"A result of {part.tool}" if part.tool else "A tool result"
    return f"{what} in interaction {interaction + 1} belongs to no recorded call."
