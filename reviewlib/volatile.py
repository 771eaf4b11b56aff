"""Fields that a project declares meaningless: ``volatile = ["tool_call[search].arguments.request_id"]`` in its policy.

A rule is ``tool_call[TOOL].arguments.PATH``, ``tool_call[TOOL].result.PATH`` or ``parameters.PATH``. ``*`` stands for every tool, or for every key or
item at its place in the path; keys stand between dots.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from reviewlib.errors import PolicyError
from reviewlib.model.frozen import Plain
from reviewlib.model.trajectory import Recording, Step, ToolCall, Trajectory, Turn

_RULE = re.compile(
    r"tool_call\[(?P<tool>[^\]]+)\]\.(?P<field>arguments|result)(?:\.(?P<path>.+))?|parameters\.(?P<sent>.+)"
)


@dataclass(frozen=True)
class Rule:
    """A parsed rule: where it applies, and the path below; an empty path is the whole value."""

    field: Literal["arguments", "result", "parameters"]
    tool: str
    path: tuple[str, ...]


def parse(rules: Sequence[str]) -> tuple[Rule, ...]:
    """Parse rules as a policy writes them.

    Raises:
        PolicyError: a rule is not written as one; it is quoted, with the forms that there are.

    """
    return tuple(_rule(text) for text in rules)


def _rule(text: str) -> Rule:
    match = _RULE.fullmatch(text.strip())
    if match is None:
        raise PolicyError(
            f"volatile = [{text!r}] is no field; write tool_call[TOOL].arguments.PATH, tool_call[TOOL].result.PATH or "
            "parameters.PATH, with * for every tool, key or item"
        )
    if match["sent"]:
        return Rule("parameters", "*", tuple(match["sent"].split(".")))
    path = tuple(match["path"].split(".")) if match["path"] else ()
    return Rule("result" if match["field"] == "result" else "arguments", match["tool"], path)


def settled(recording: Recording, rules: Sequence[Rule]) -> Recording:
    """Return a recording without its volatile fields; steps and turns keep their numbers."""
    if not rules:
        return recording
    return recording.model_copy(
        update={"conversations": tuple(_settle(item, rules) for item in recording.conversations)}
    )


def _settle(trajectory: Trajectory, rules: Sequence[Rule]) -> Trajectory:
    steps: tuple[Step, ...] = tuple(
        _settle_call(step, rules) if isinstance(step, ToolCall) else step for step in trajectory.steps
    )
    sent = [rule for rule in rules if rule.field == "parameters"]
    turns = tuple(_settle_turn(turn, sent) for turn in trajectory.turns)
    return trajectory.model_copy(update={"steps": steps, "turns": turns})


def _settle_call(call: ToolCall, rules: Sequence[Rule]) -> ToolCall:
    changed: dict[str, Plain] = {}
    for rule in rules:
        if rule.field != "parameters" and rule.tool in {"*", call.tool}:
            changed[rule.field] = without(changed.get(rule.field, getattr(call, rule.field)), rule.path)
    return call.model_copy(update=changed) if changed else call


def _settle_turn(turn: Turn, rules: Sequence[Rule]) -> Turn:
    parameters: Plain = turn.parameters
    for rule in rules:
        parameters = without(parameters, rule.path) if parameters is not None else None
    return turn if parameters is turn.parameters else turn.model_copy(update={"parameters": parameters})


def without(value: Plain, path: tuple[str, ...]) -> Plain:
    """Return a value without what stands at a path; the value itself where nothing does."""
    if not path:
        return None
    name, rest = path[0], path[1:]
    if isinstance(value, dict):
        hit = [key for key in value if name in {"*", key}]
        if not hit:
            return value
        kept = {key: without(item, rest) if rest and key in hit else item for key, item in value.items()}
        return kept if rest else {key: item for key, item in kept.items() if key not in hit}
    if isinstance(value, list):
        return [without(item, rest if name == "*" else path) if rest or name != "*" else None for item in value]
    return value
