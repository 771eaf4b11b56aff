"""Known edits of a run, applied by a seeded generator: what the diff must report, and nothing else.

Noise that can be seen in a run is put on top of it here; ``tests.noise`` puts noise into the recorded files.
"""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from reviewlib.model.trajectory import AssistantText, ToolCall, Trajectory, UserMessage
from tests.trajectories import NOTHING, C, T

Edit = tuple[str, str | None]
"""A change kind, and its tool."""


@dataclass(frozen=True)
class Mutant:
    """An edited run with the edits that were applied."""

    turns: tuple[T, ...]
    edits: Counter[Edit]
    settings: dict[str, Any] = field(default_factory=dict)


def told(trajectory: Trajectory) -> tuple[T, ...]:
    """Write a trajectory as the story that it tells, so that it can be edited."""
    turns = []
    for turn in trajectory.turns:
        start = trajectory.turns[turn.turn - 2].end if turn.turn > 1 else 0
        asked = [step.text for step in trajectory.steps[start : turn.first] if isinstance(step, UserMessage)]
        steps = trajectory.steps[turn.first : turn.end]
        turns.append(
            T(
                calls=tuple(_call(step) for step in steps if isinstance(step, ToolCall)),
                text="\n".join(step.text for step in steps if isinstance(step, AssistantText)),
                stop=turn.stop_reason,
                user="\n".join(asked) if asked and turn.turn > 1 else None,
                usage=(100, 10),
            )
        )
    return tuple(turns)


def _call(step: ToolCall) -> C:
    result = step.result if step.result_recorded else NOTHING
    return C(step.tool, step.arguments, result, step.is_error, step.arguments_raw)


def mutated(turns: tuple[T, ...], seed: int, count: int) -> Mutant:
    """Apply up to ``count`` edits at distinct turns, not next to one another, so that each can be told from the others."""
    chance = random.Random(seed)
    places = list(range(len(turns)))
    chance.shuffle(places)
    edited: dict[int, list[T]] = {place: [turn] for place, turn in enumerate(turns)}
    edits: Counter[Edit] = Counter()
    taken: set[int] = set()
    done = 0
    for place in places:
        if done >= count:
            break
        if any(abs(place - other) <= 1 for other in taken):
            continue
        names = chance.sample(list(EDITS), len(EDITS))
        if chance.random() < 0.3:  # few turns may move, so that this is tried more often than its turn
            names.sort(key="move".__ne__)
        applied = next((made for name in names if (made := EDITS[name](turns, place, chance))), None)
        if applied is None:
            continue
        replaced, made, moved_to = applied
        if moved_to is not None:
            if any(abs(moved_to - other) <= 1 for other in taken):
                continue
            edited[moved_to] = [*edited[moved_to], turns[place]]
            taken.add(moved_to)
        edited[place] = replaced
        taken.add(place)
        edits += made
        done += 1
    flat = tuple(turn for place in sorted(edited) for turn in edited[place])
    edits["usage", None] = int(_tokens(flat) != _tokens(turns))
    if done < count and chance.random() < 0.5:
        kind, settings = chance.choice(SETTINGS)
        return Mutant(flat, edits + Counter([(kind, None)]), settings)
    return Mutant(flat, +edits)


def _tokens(turns: tuple[T, ...]) -> tuple[int, int]:
    """Add up what all turns took: an edit that adds or drops a turn changes that too."""
    counts = [turn.usage or (0, 0) for turn in turns]
    return sum(count[0] for count in counts), sum(count[1] for count in counts)


SETTINGS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("model", {"model": "another-model"}),
    ("system_prompt", {"system": "You are another agent."}),
    ("user_message", {"user": "Do something else."}),
    ("parameters", {"parameters": {"temperature": 1}}),
)
"""Edits of what is sent with every turn."""


def noisy(turns: tuple[T, ...], chance: random.Random) -> tuple[T, ...]:
    """Change everything that means nothing: key order, how numbers are written, the order of parallel calls, thinking."""
    return tuple(
        replace(
            turn,
            calls=tuple(_noisy_call(call, chance) for call in chance.sample(list(turn.calls), len(turn.calls))),
            thinking=f"thought {chance.random()}" if chance.random() < 0.3 else None,
        )
        for turn in turns
    )


def _noisy_call(call: C, chance: random.Random) -> C:
    result = call.result if call.result is NOTHING else _noisy_value(call.result, chance)
    return replace(call, arguments=_noisy_value(call.arguments, chance), result=result)


def _noisy_value(value: Any, chance: random.Random) -> Any:
    if isinstance(value, dict):
        keys = chance.sample(list(value), len(value))
        return {key: _noisy_value(value[key], chance) for key in keys}
    if isinstance(value, list):
        return [_noisy_value(item, chance) for item in value]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**50:
        return float(value)
    return value


Applied = tuple[list[T], Counter[Edit], int | None] | None


def _drop(turns: tuple[T, ...], place: int, chance: random.Random) -> Applied:
    turn = turns[place]
    alone = len(turn.calls) == 1
    if not turn.calls or (alone and (turn.user is not None or len(turns) == 1)):  # a run without a turn is none
        return None
    number = chance.randrange(len(turn.calls))
    left = [*turn.calls[:number], *turn.calls[number + 1 :]]
    return (
        ([replace(turn, calls=tuple(left))] if left else []),
        Counter([("tool_removed", turn.calls[number].tool)]),
        None,
    )


def _insert(turns: tuple[T, ...], place: int, chance: random.Random) -> Applied:
    tools = [call.tool for turn in turns for call in turn.calls]
    tool = chance.choice([*tools, "a_new_tool"]) if tools else "a_new_tool"
    added = T([C(tool, {"inserted": chance.random()}, {"ok": True})], usage=(100, 10))
    return [added, turns[place]], Counter([("tool_added", tool)]), None


def _move(turns: tuple[T, ...], place: int, chance: random.Random) -> Applied:
    turn = turns[place]
    if len(turn.calls) != 1 or turn.user is not None:
        return None
    target = chance.randrange(len(turns))
    between = turns[min(place, target + 1) : max(place, target + 1)]
    passed = [call for other in between for call in other.calls if other is not turn]
    same = [call for other in turns for call in other.calls if _asked(call) == _asked(turn.calls[0])]
    if abs(target - place) < 2 or not passed or len(same) > 1:
        return None
    return [], Counter([("tool_moved", turn.calls[0].tool)]), target


def _asked(call: C) -> tuple[str, str]:
    return call.tool, repr(call.raw or call.arguments)


def _argument(turns: tuple[T, ...], place: int, chance: random.Random) -> Applied:
    turn = turns[place]
    numbers = [n for n, call in enumerate(turn.calls) if isinstance(call.arguments, dict) and call.arguments]
    if not numbers:
        return None
    number = chance.choice(numbers)
    call = turn.calls[number]
    changed = replace(call, arguments=_leaf(call.arguments, chance))
    return [_with(turn, number, changed)], Counter([("arguments", call.tool)]), None


def _result(turns: tuple[T, ...], place: int, chance: random.Random) -> Applied:
    turn = turns[place]
    numbers = [n for n, call in enumerate(turn.calls) if call.result is not NOTHING]
    if not numbers:
        return None
    number = chance.choice(numbers)
    call = turn.calls[number]
    value = (
        _leaf(call.result, chance) if isinstance(call.result, dict) and call.result else f"changed {chance.random()}"
    )
    return [_with(turn, number, replace(call, result=value))], Counter([("result", call.tool)]), None


def _error(turns: tuple[T, ...], place: int, chance: random.Random) -> Applied:
    turn = turns[place]
    numbers = [n for n, call in enumerate(turn.calls) if call.is_error is not None]
    if not numbers:
        return None
    number = chance.choice(numbers)
    call = turn.calls[number]
    return [_with(turn, number, replace(call, is_error=not call.is_error))], Counter([("failure", call.tool)]), None


def _wording(turns: tuple[T, ...], place: int, chance: random.Random) -> Applied:
    turn = turns[place]
    if not turn.text:
        return None
    words = turn.text.split(" ")
    words.insert(chance.randrange(len(words) + 1), "indeed")
    return [replace(turn, text=" ".join(words))], Counter([("text", None)]), None


def _usage(turns: tuple[T, ...], place: int, chance: random.Random) -> Applied:
    """Change what one turn took; that the total differs is counted at the end, for all edits together."""
    turn = turns[place]
    return [replace(turn, usage=(100 + chance.randint(1, 9000), 10))], Counter(), None


def _stop(turns: tuple[T, ...], place: int, _chance: random.Random) -> Applied:
    turn = turns[place]
    if place != len(turns) - 1 or turn.calls or turn.stop not in {None, "end_turn"}:
        return None
    return [replace(turn, stop="max_tokens")], Counter([("stop_reason", None)]), None


EDITS: dict[str, Callable[[tuple[T, ...], int, random.Random], Applied]] = {
    "drop": _drop,
    "insert": _insert,
    "move": _move,
    "argument": _argument,
    "result": _result,
    "error": _error,
    "wording": _wording,
    "usage": _usage,
    "stop": _stop,
}


def _with(turn: T, number: int, call: C) -> T:
    return replace(turn, calls=tuple(call if n == number else other for n, other in enumerate(turn.calls)))


def _leaf(value: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    key = chance.choice(sorted(value))
    item = value[key]
    if isinstance(item, dict) and item:
        return {**value, key: _leaf(item, chance)}
    if isinstance(item, bool) or item is None or isinstance(item, (list, dict)):
        return {**value, key: f"other {chance.random()}"}
    if isinstance(item, (int, float)):
        return {**value, key: item * 10 + 1}
    return {**value, key: f"{item} {chance.random()}"}
