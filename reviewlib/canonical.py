"""The canonical trajectory: what is left when volatile data is gone, and the two digests that are defined on it.

Dropped: ids, times, headers, signatures, reasoning, chunking, key order, null padding. Parallel calls are sorted by tool and arguments,
numbers are unified (39 = 39.0). **Behaviour** is calls, arguments, results, failures, stop reasons and turns; **request** is prompts,
tool schemas, parameters and the requested model.
"""

import hashlib
from collections.abc import Sequence

from reviewlib.acts import acts_of
from reviewlib.model.call import ToolSchema
from reviewlib.model.frozen import Plain
from reviewlib.model.trajectory import SystemPrompt, Trajectory, UserMessage
from reviewlib.model_names import family
from reviewlib.values import canonical

NORMALISER = 2
"""Goes up whenever equal recordings would get another digest; carried verdicts hold only within one version."""


def behaviour_key(trajectory: Trajectory) -> str:
    """Return a text that is equal for two trajectories exactly when the agent did the same."""
    turns: list[Plain] = []
    for act in acts_of(trajectory):
        calls = sorted(
            canonical(
                [
                    call.tool,
                    call.arguments_raw,
                    call.arguments,
                    call.result if call.result_recorded else None,
                    call.is_error,
                ]
            )
            for call in act.calls
        )
        failure = act.turn.http_status if act.failure else None
        served = family(act.turn.model) if act.turn.model else None
        turns.append([calls, act.turn.stop_reason, failure, bool(act.failure), served])
    return canonical(turns)


def request_key(trajectory: Trajectory) -> str:
    """Return a text that is equal for two trajectories exactly when the harness sent the same: each message of the user before the same turn."""
    prompts: list[Plain] = [
        [step.kind, step.text.strip(), step.turn if isinstance(step, UserMessage) else None]
        for step in trajectory.steps
        if isinstance(step, (SystemPrompt, UserMessage))
    ]
    sent: dict[str, None] = {}
    for turn in trajectory.turns:
        tools = None if turn.tools is None else [_schema(tool) for tool in turn.tools]
        parameters = {key: value for key, value in (turn.parameters or {}).items() if value is not None}
        sent[canonical([tools, parameters, turn.requested_model])] = None
    first = trajectory.turns[0].key if trajectory.turns and trajectory.turns[0].parameters is None else None
    return canonical([prompts, list(sent), first])


def opening_key(trajectory: Trajectory) -> str:
    """Return how a conversation opens: its first system prompt and its first user message."""
    system = next((step.text for step in trajectory.steps if isinstance(step, SystemPrompt)), None)
    user = next((step.text for step in trajectory.steps if isinstance(step, UserMessage)), None)
    return canonical([system, user])


def _schema(tool: ToolSchema) -> Plain:
    return [tool.name, tool.description or "", tool.schema_, tool.options]


def behaviour_digest(trajectories: Sequence[Trajectory]) -> str:
    """Return the digest of what the agent did in a whole cassette; the order of conversations does not count."""
    return _digest(sorted(behaviour_key(item) for item in trajectories))


def request_digest(trajectories: Sequence[Trajectory]) -> str:
    """Return the digest of what the harness sent in a whole cassette."""
    return _digest(sorted(request_key(item) for item in trajectories))


def _digest(keys: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(keys).encode("utf-8", "surrogatepass")).hexdigest()
