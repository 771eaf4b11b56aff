"""Recordings as vcrpy writes them, of runs told answer by answer, and what the checks say of two of them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from reviewlib.model.cassette import File
from reviewlib.model.review import Finding, Pair, Review, Side
from reviewlib.pipeline import compare, read
from reviewlib.policy import DEFAULT_POLICY, Policy

PATH = "tests/cassettes/test_refund.yaml"
TODAY = datetime(2026, 11, 1, tzinfo=UTC)

ORDER = {"type": "object", "properties": {"order_id": {"type": "string"}}, "required": ["order_id"]}
REFUND = {
    "type": "object",
    "properties": {"order_id": {"type": "string"}, "amount": {"type": "number", "minimum": 0}},
    "required": ["order_id", "amount"],
    "additionalProperties": False,
}
TOOLS = (
    {"name": "get_order", "description": "Read an order.", "input_schema": ORDER},
    {"name": "issue_refund", "description": "Pay money back.", "input_schema": REFUND},
)
GET = {"order_id": "4471"}
PAY = {"order_id": "4471", "amount": 39}


@dataclass(frozen=True)
class A:
    """An answer: its words, its calls (tool, arguments), and the results of those, each ``(value, is_error)`` or a value.

    ``messages`` divides the results, by their numbers, among the messages that they are sent back in; what it leaves out is never sent.
    """

    words: str = ""
    calls: Sequence[tuple[str, Any]] = ()
    results: Sequence[Any] = ("ok",)
    messages: Sequence[Sequence[int]] | None = None
    stop: str | None = None
    tokens: tuple[int, int] | None = (1000, 100)
    server_side: bool = False
    more: Sequence[dict[str, Any]] = field(default=())

    def content(self, number: int) -> list[dict[str, Any]]:
        kind = "server_tool_use" if self.server_side else "tool_use"
        words = [{"type": "text", "text": self.words}] if self.words else []
        calls = [
            {"type": kind, "id": f"toolu_{number}_{place}", "name": tool, "input": arguments}
            for place, (tool, arguments) in enumerate(self.calls)
        ]
        return [*words, *calls, *self.more]

    def sent_back(self, number: int) -> list[dict[str, Any]]:
        divided = [range(len(self.calls))] if self.messages is None else self.messages
        return [
            {"role": "user", "content": [self._result(number, place) for place in places]}
            for places in divided
            if places
        ]

    def _result(self, number: int, place: int) -> dict[str, Any]:
        told = self.results[min(place, len(self.results) - 1)]
        value, failed = told if isinstance(told, tuple) else (told, False)
        text = value if isinstance(value, str) else json.dumps(value)
        return {"type": "tool_result", "tool_use_id": f"toolu_{number}_{place}", "content": text, "is_error": failed}


def call(tool: str = "get_order", arguments: Any = None, result: Any = "ok", **more: Any) -> A:
    """An answer of one call."""
    return A(calls=[(tool, GET if arguments is None else arguments)], results=[result], **more)


READ = call(result={"total": 39})
PAID = call("issue_refund", PAY, {"status": "issued"})
DONE = A("I refunded $39.00 for order 4471.")
GOOD = (READ, PAID, DONE)


def cassette(
    *answers: A, tools: Sequence[dict[str, Any]] = TOOLS, run: str = "a", model: str = "claude-sonnet-4-20250514"
) -> str:
    """Write a run down. ``run`` is what the ids of its answers begin with: another recording has others."""
    history: list[dict[str, Any]] = [{"role": "user", "content": "Refund order 4471"}]
    interactions = []
    for number, said in enumerate(answers):
        body = {"model": model, "max_tokens": 512, "tools": list(tools), "messages": list(history)}
        content = said.content(number)
        stop = said.stop or ("tool_use" if said.calls and not said.server_side else "end_turn")
        interactions.append(
            _interaction(
                {key: value for key, value in body.items() if value},
                _answer(said, content, stop, model, f"{run}{number}"),
            )
        )
        history += [{"role": "assistant", "content": content}, *said.sent_back(number)]
    return json.dumps({"interactions": interactions, "version": 1})


def _answer(said: A, content: list[dict[str, Any]], stop: str, model: str, name: str) -> dict[str, Any]:
    tokens = said.tokens
    usage = {"usage": {"input_tokens": tokens[0], "output_tokens": tokens[1]}} if tokens else {}
    kinds = {"id": f"msg_{name}", "type": "message", "role": "assistant", "model": model}
    return {**kinds, "content": content, "stop_reason": stop, **usage}


def _interaction(body: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    headers = {"content-type": ["application/json"]}
    uri = "https://api.anthropic.com/v1/messages"
    return {
        "request": {"method": "POST", "uri": uri, "headers": headers, "body": json.dumps(body)},
        "response": {"status": {"code": 200}, "headers": headers, "body": {"string": json.dumps(answer)}},
    }


def compared(baseline: str | None, head: str | None, policy: Policy = DEFAULT_POLICY, path: str = PATH) -> Pair:
    """Compare two cassettes of one path; None is absent."""
    sides = [
        read([File(path=path, blob=f"{number}" * 40, data=text.encode())])[0] if text is not None else None
        for number, text in enumerate((baseline, head), 1)
    ]
    return compare(*sides, policy, TODAY)


def findings(baseline: str | None, head: str | None, code: str, policy: Policy = DEFAULT_POLICY) -> list[Finding]:
    """What one check says of two cassettes."""
    return [item for item in compared(baseline, head, policy).findings if item.code == code]


def reviewed(*pairs: Pair, **more: Any) -> Review:
    return Review(baseline=Side(label="b"), head=Side(label="h"), pairs=pairs, groups=(), **more)
