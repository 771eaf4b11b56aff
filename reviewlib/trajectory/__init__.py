"""Cassette → trajectories: which calls are one conversation, what came of each tool call, and the steps in order.

cassette → model calls · tool runs · other traffic
→ moves          retries folded into the success that followed       attempts.py
→ chains         conversations, by history prefix                    chains.py (history.py, evidence.py)
→ scripts        what was said, each thing once                      script.py
→ outcomes       results joined to calls                             results.py (fingerprint.py)
→ trajectories   numbered steps and turns                            steps.py, naming.py, resources.py (texts.py)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from reviewlib.model.call import ModelCall
from reviewlib.model.cassette import Cassette, Exchange, Fact, ToolExecution
from reviewlib.model.trajectory import OtherTraffic, Recording, Trajectory
from reviewlib.providers import read_call
from reviewlib.trajectory.attempts import fold_retries
from reviewlib.trajectory.chains import chains
from reviewlib.trajectory.naming import call_names, with_names
from reviewlib.trajectory.resources import with_resources
from reviewlib.trajectory.results import join_results
from reviewlib.trajectory.script import write_script
from reviewlib.trajectory.steps import read_executions, read_steps
from reviewlib.trajectory.unseen import never_seen, repeated_runs

__all__ = ["Told", "conversations", "read_recording"]


@dataclass(frozen=True, slots=True)
class Told:
    """The conversations of a cassette, and sentences on what belongs to none and on runs recorded more than once."""

    conversations: tuple[Trajectory, ...]
    orphans: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def read_recording(cassette: Cassette) -> Recording:
    """Read what the agent did from a cassette. Exchanges that are no model call are listed as other traffic."""
    calls: list[ModelCall] = []
    executions: list[ToolExecution] = []
    other: list[OtherTraffic] = []
    for interaction in cassette.interactions:
        if interaction.kind == "tool":
            executions.append(interaction)
        elif (call := read_call(interaction)) is not None:
            calls.append(call)
        else:
            other.append(_other(interaction))
    told = conversations(calls, executions, ordered=cassette.ordered, sees_executions=cassette.sees_executions)
    missing = {*cassette.not_recorded, *never_seen(calls, executions, told.conversations)}
    return Recording(
        cassette=cassette,
        conversations=with_resources(told.conversations, cassette.interactions),
        other_traffic=tuple(other),
        not_recorded=tuple(fact for fact in get_args(Fact) if fact in missing),
        notes=(*cassette.notes, *told.notes),
        orphans=told.orphans,
    )


def conversations(
    calls: Sequence[ModelCall],
    executions: Sequence[ToolExecution] = (),
    *,
    ordered: bool = True,
    sees_executions: bool = False,
) -> Told:
    """Tell the conversations that these calls and tool runs make up.

    ``ordered``: whether the order of the calls tells anything (it does not in a folder of files named by request hash).
    ``sees_executions``: the recorder sees tools run, so a call without a run was not executed; any run implies it.
    """
    if not calls:
        return Told((read_executions(executions),) if executions else ())
    woven = chains(fold_retries(calls), ordered=ordered)
    scripts = [write_script(chain, ordered=ordered) for chain in woven]
    seen = sees_executions or bool(executions)
    outcomes, orphans = join_results(scripts, executions, sees_executions=seen)
    trajectories = tuple(
        with_names(read_steps(number, script, outcomes), call_names(script)) for number, script in enumerate(scripts)
    )
    return Told(trajectories, orphans, repeated_runs(trajectories) if ordered else ())


def _other(exchange: Exchange) -> OtherTraffic:
    request, response = exchange.request, exchange.response
    return OtherTraffic(
        interaction=exchange.index,
        method=request.method if request is not None else None,
        uri=request.uri if request is not None else None,
        http_status=response.status if response is not None else None,
    )
