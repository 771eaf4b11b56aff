"""A story of an agent that can be put on the wire in every dialect, and what a provider makes anew each time that it is told."""

import base64
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

Tree = dict[str, Any]


@dataclass(frozen=True)
class Asked:
    """A tool call and what came of it."""

    tool: str
    arguments: Tree
    result: Any
    failed: bool = False


@dataclass(frozen=True)
class Said:
    """One answer of the model."""

    text: str = ""
    calls: tuple[Asked, ...] = ()
    thought: str = ""
    stop: str = ""
    tokens: tuple[int, int] = (400, 40)


@dataclass(frozen=True)
class Story:
    """What is sent and what is answered, turn by turn."""

    turns: tuple[Said, ...]
    system: str = "You are the support of Birch & Co. Check the policy before you refund."
    user: str = "Please refund order 4471, it arrived damaged."
    model: str = "model-4-1"
    temperature: float | None = 0.2
    tools: tuple[tuple[str, str], ...] = (
        ("get_order", "Look up an order."),
        ("check_policy", "Check whether an order may be refunded."),
        ("issue_refund", "Issue the refund. Cannot be undone."),
    )


@dataclass(frozen=True)
class Wired:
    """One HTTP exchange, before a recorder writes it."""

    uri: str
    sent: Tree
    answer: bytes
    kind: str = "application/json"
    status: int = 200
    headers: Tree = field(default_factory=dict)


def schema(fields: tuple[str, ...] = ("order_id", "amount", "reason")) -> Tree:
    return {"type": "object", "properties": {name: {"type": "string"} for name in fields}, "required": ["order_id"]}


class Fresh:
    """What a provider makes anew: ids, signatures, times, the sizes of chunks, the order of parallel calls, keys without a value."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.clock = 1_780_000_000 + self.chance.randrange(10_000_000)

    def id(self, prefix: str, length: int = 24) -> str:
        letters = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ0123456789"
        return prefix + "".join(self.chance.choice(letters) for _ in range(length))

    def signature(self) -> str:
        return base64.b64encode(self.chance.randbytes(self.chance.randrange(40, 90))).decode()

    def now(self) -> int:
        self.clock += self.chance.randrange(1, 9)
        return self.clock

    def thought(self, said: Said) -> str:
        return f"{said.thought} (take {self.chance.random():.6f})" if said.thought else ""

    def pieces(self, text: str) -> list[str]:
        found, at = [], 0
        while at < len(text):
            size = self.chance.randrange(1, 14)
            found.append(text[at : at + size])
            at += size
        return found or [""]

    def padded(self, tree: Tree, *keys: str) -> Tree:
        more = {key: None for key in keys if self.chance.random() < 0.5}
        shuffled = list({**tree, **more}.items())
        self.chance.shuffle(shuffled)
        return dict(shuffled)

    def order(self, calls: tuple[Asked, ...]) -> list[Asked]:
        return self.chance.sample(list(calls), len(calls))


def sse(events: list[Tree], *, named: bool = False, done: bool = False) -> bytes:
    lines = [f"{'event: ' + event['type'] + chr(10) if named else ''}data: {json.dumps(event)}\n\n" for event in events]
    return "".join([*lines, "data: [DONE]\n\n" if done else ""]).encode()


def turns(story: Story, fresh: Fresh, prefix: str, length: int = 24) -> Iterator[tuple[Said, list[tuple[str, Asked]]]]:
    for said in story.turns:
        yield said, [(fresh.id(prefix, length), call) for call in fresh.order(said.calls)]
