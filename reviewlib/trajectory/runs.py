"""Which tool call each run belongs to that the recorder saw."""

import re
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from reviewlib.model.call import CallPart
from reviewlib.model.cassette import ToolExecution
from reviewlib.trajectory.fingerprint import arguments_sha
from reviewlib.values import canonical

Place = tuple[int, int]
"""A call: its conversation, and its number among that conversation's calls, server-side ones included."""


@dataclass(frozen=True, slots=True)
class Requested:
    """A tool call as the model asked for it, and the answer (by number in the conversation) it stands in.

    ``handed_over``: that answer was given before the recording began.
    """

    place: Place
    answer: int
    interaction: int
    part: CallPart
    handed_over: bool = False


def match_runs(
    requested: Sequence[Requested], executions: Sequence[ToolExecution]
) -> tuple[dict[Place, ToolExecution], tuple[ToolExecution, ...]]:
    """Link runs to the calls that asked for them: strictest evidence first, looser only among what is left."""
    found: dict[Place, ToolExecution] = {}
    calls, runs = list(requested), list(executions)
    for of_call, of_run in _LAYERS:
        if not calls or not runs:
            break
        pairs = _pair(calls, runs, of_call, of_run)
        found |= pairs
        taken = {run.index for run in pairs.values()}
        calls = [call for call in calls if call.place not in found]
        runs = [run for run in runs if run.index not in taken]
    return found, tuple(runs)


def _pair(
    calls: Sequence[Requested],
    runs: Sequence[ToolExecution],
    of_call: Callable[[CallPart], Hashable | None],
    of_run: Callable[[ToolExecution], Hashable | None],
) -> dict[Place, ToolExecution]:
    """Pair what has the same key: a run belongs to the newest answer before it, and in it to the first call that is open."""
    found: dict[Place, ToolExecution] = {}
    waiting: dict[Hashable, list[deque[Requested]]] = {}
    coming = deque(sorted(calls, key=lambda call: call.interaction))
    late: list[ToolExecution] = []
    for run in runs:
        while coming and coming[0].interaction < run.index:
            _await(waiting, of_call(coming[0].part), coming.popleft())
        call = _next(waiting, of_run(run))
        if call is None:
            late.append(run)
        else:
            found[call.place] = run
    for call in coming:
        _await(waiting, of_call(call.part), call)
    for run in late:
        call = _next(waiting, of_run(run))
        if call is not None:
            found[call.place] = run
    return found


def _await(waiting: dict[Hashable, list[deque[Requested]]], key: Hashable | None, call: Requested) -> None:
    if key is None:
        return
    answers = waiting.setdefault(key, [])
    mine = (call.place[0], call.answer)
    if answers and (answers[-1][0].place[0], answers[-1][0].answer) == mine:
        answers[-1].append(call)
    else:
        answers.append(deque([call]))


def _next(waiting: dict[Hashable, list[deque[Requested]]], key: Hashable | None) -> Requested | None:
    answers = waiting.get(key) if key is not None else None
    if not answers:
        return None
    call = answers[-1].popleft()
    if not answers[-1]:
        answers.pop()
    return call


def plain_name(tool: str) -> str:
    """Return what harness and model call a tool in common: ``mcp__acme__get_order`` and ``tool.getOrder`` give ``getorder``."""
    last = re.split(r"__|[.:/]", tool)[-1]
    return re.sub(r"[\W_]", "", last).lower() or tool


def _arguments(part: CallPart) -> str | None:
    return canonical(part.arguments) if part.arguments_raw is None else None


def _hash(part: CallPart) -> str | None:
    return arguments_sha(part.arguments) if part.arguments_raw is None else None


def _run_arguments(run: ToolExecution) -> str | None:
    return canonical(run.arguments) if run.arguments_recorded else None


def _both(name: str, value: str | None) -> Hashable | None:
    return None if value is None else (name, value)


def _telling(value: str | None) -> str | None:
    """Return arguments that may link a run without its name: not the empty ones."""
    return None if value in {None, "{}", "null", arguments_sha({})} else value


_LAYERS: tuple[tuple[Callable[[CallPart], Hashable | None], Callable[[ToolExecution], Hashable | None]], ...] = (
    (lambda part: part.call_id or None, lambda run: run.call_id or None),
    (
        lambda part: _both(plain_name(part.tool), _arguments(part)),
        lambda run: _both(plain_name(run.tool), _run_arguments(run)),
    ),
    (
        lambda part: _both(plain_name(part.tool), _hash(part)),
        lambda run: _both(plain_name(run.tool), run.arguments_sha),
    ),
    (lambda part: _telling(_arguments(part)), lambda run: _telling(_run_arguments(run))),
    (lambda part: _telling(_hash(part)), lambda run: _telling(run.arguments_sha)),
    (lambda part: plain_name(part.tool), lambda run: plain_name(run.tool)),
)
"""By id · by tool and arguments · by tool and hash of the arguments · by either alone · by tool, in order."""
