"""Made-up runs of everything that a run may hold, and edits of them: to find what nobody thought of."""

import random
from collections.abc import Sequence
from typing import Any

from reviewlib.model.call import ToolSchema
from reviewlib.model.trajectory import Recording
from tests.trajectories import NOTHING, C, T, recording, trajectory

ARGUMENTS: tuple[Any, ...] = (
    {},
    {"x": 1},
    {"x": 2},
    {"x": 1.0, "y": [{"id": 1, "q": 2}, {"id": 2}]},
    {"y": [{"id": 2}, {"id": 1, "q": 3}]},
)
RESULTS: tuple[Any, ...] = (NOTHING, 1, 2, "[REDACTED]", {"r": [1, 2, 3]}, {"r": [1, 3]})
TOOLS = (
    None,
    (ToolSchema(name="a"),),
    (ToolSchema(name="a", description="d"), ToolSchema(name="b")),
    (ToolSchema(name="b"), ToolSchema(name="a")),
)
PARAMETERS: tuple[dict[str, Any] | None, ...] = (
    None,
    {"t": 1},
    {"t": 2, "template_sha": "zz"},
    {"template_sha": "yy", "l": [{"name": "a"}, {"name": "b"}]},
)


def story(chance: random.Random) -> list[T]:
    """A run of up to nine turns."""
    return [turn(chance) for _ in range(chance.choice([0, 1, 2, 4, 6, 9]))]


def turn(chance: random.Random) -> T:
    """A turn of any kind: one that failed, one that only talks, or one with one to three calls."""
    kind = chance.random()
    if kind < 0.05:
        calls = [C("a")] if chance.random() < 0.2 else []
        return T(
            calls, failure=chance.choice("xy"), status=chance.choice([401, 500]), text=chance.choice(["", "partly"])
        )
    if kind < 0.3:
        return T(
            text=chance.choice(["one", "two", "three 3", "four 4"]),
            stop=chance.choice([None, None, "max_tokens", "refusal"]),
            user=chance.choice([None, None, "u1", "u2"]),
            usage=chance.choice([None, (1, 2), (1, 3)]),
        )
    return T(
        [_call(chance) for _ in range(chance.choice([1, 1, 1, 2, 3]))],
        text=chance.choice(["", "", "hm"]),
        user=chance.choice([None] * 5 + ["u3"]),
        thinking=chance.choice([None, "t"]),
        model=chance.choice([None] * 4 + ["m2"]),
        key=chance.choice([None, "k1", "k2"]),
    )


def _call(chance: random.Random) -> C:
    return C(
        chance.choice("abc"),
        chance.choice(ARGUMENTS),
        chance.choice(RESULTS),
        chance.choice([None, True, False]),
        chance.choice([None] * 8 + ['{"x"']),
        chance.choice(["native"] * 6 + ["text"]),
    )


def edited(turns: Sequence[T], chance: random.Random) -> list[T]:
    """Drop, add, move, join, divide or replace up to five turns."""
    found = list(turns)
    for _ in range(chance.choice([0, 1, 2, 3, 5])):
        if not found:
            found.append(turn(chance))
        _edit(found, chance.randrange(len(found)), chance)
    return found


def _edit(turns: list[T], place: int, chance: random.Random) -> None:
    kind, one = chance.choice(["dropped", "added", "moved", "joined", "divided", "replaced"]), turns[place]
    if kind == "dropped":
        turns.pop(place)
    elif kind == "added":
        turns.insert(place, turn(chance))
    elif kind == "moved":
        turns.insert(chance.randrange(len(turns)), turns.pop(place))
    elif kind == "joined" and place + 1 < len(turns):
        turns[place : place + 2] = [T([*one.calls, *turns[place + 1].calls], text=one.text)]
    elif kind == "divided" and len(one.calls) > 1:
        turns[place : place + 1] = [T([call]) for call in one.calls]
    else:
        turns[place] = turn(chance)


def recorded(stories: Sequence[Sequence[T]], chance: random.Random) -> Recording:
    """Record runs, each sent with prompts, tools, parameters and a model of its own; now and then a format holds no prompts."""
    conversations = [
        trajectory(
            *turns,
            user=chance.choice(["q", "q2", None]),
            system=chance.choice(["s", "s2", None]),
            tools=chance.choice(TOOLS),
            parameters=chance.choice(PARAMETERS),
            model=chance.choice(["m1", "m1", "m1-2025-01-01"]),
        )
        for turns in stories
    ]
    return recording(*conversations, not_recorded=("system_prompt",) if chance.random() < 0.15 else ())
