"""Recordings, pairs and reviews made by hand, for tests of the screens."""

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime

from reviewlib import pipeline
from reviewlib.groups import by_risk, group, shared_causes
from reviewlib.model.call import Usage
from reviewlib.model.cassette import Cassette, Unreadable
from reviewlib.model.review import Pair, Review, Side
from reviewlib.model.trajectory import (
    AssistantText,
    Failure,
    Recording,
    Step,
    SystemPrompt,
    ToolCall,
    Trajectory,
    Turn,
    UserMessage,
)
from reviewlib.policy import DEFAULT_POLICY, Policy

AT = datetime(2026, 6, 1, tzinfo=UTC)

Call = tuple[str, dict, object]
"""A tool, its arguments, and its result."""

ORDER: Call = ("get_order", {"order_id": "4471"}, {"total": 39.0, "status": "delivered"})
POLICY: Call = ("check_refund_policy", {"order_id": "4471"}, {"refundable": True})
REFUND: Call = ("issue_refund", {"order_id": "4471", "amount": 39}, {"refunded": 39})


def conversation(
    *turns: str | Sequence[Call],
    system: str | None = "You are a support agent. Check the policy before a refund.",
    user: str = "Please refund order 4471.",
    model: str = "claude-sonnet-4-5",
    output: int = 50,
) -> Trajectory:
    """A conversation: a text is a turn that answers, calls are a turn that calls; ``Failure``s can be had by ``"HTTP 401"``."""
    steps: list[Step] = []
    made: list[Turn] = []
    if system is not None:
        steps.append(SystemPrompt(index=0, turn=1, text=system))
    steps.append(UserMessage(index=len(steps), turn=1, text=user))
    for number, content in enumerate(turns, start=1):
        first = len(steps)
        if isinstance(content, str):
            steps.append(_spoken(content, first, number))
        else:
            for tool, arguments, result in content:
                name = f"call-{sum(step.kind == 'tool_call' for step in steps) + 1}"
                steps.append(
                    ToolCall(
                        index=len(steps),
                        turn=number,
                        tool=tool,
                        call=name,
                        arguments=arguments,
                        result=result,
                        result_recorded=True,
                    )
                )
        failed = steps[-1].kind == "failure"
        made.append(
            Turn(
                turn=number,
                interaction=number - 1,
                provider="anthropic",
                requested_model=model,
                model=None if failed else model,
                stop_reason="error" if failed else "end_turn" if isinstance(content, str) else "tool_use",
                http_status=401 if failed else 200,
                usage=None if failed else Usage(input_tokens=400 + 120 * number, output_tokens=output),
                tools=(),
                parameters={},
                first=first,
                end=len(steps),
            )
        )
    return Trajectory(turns=tuple(made), steps=tuple(steps))


def _spoken(text: str, index: int, turn: int) -> Step:
    if text.startswith("HTTP "):
        return Failure(index=index, turn=turn, text="invalid x-api-key", http_status=int(text.split()[1]))
    return AssistantText(index=index, turn=turn, text=text)


def recording(path: str, *conversations: Trajectory) -> Recording:
    content = hashlib.sha1(repr((path, conversations)).encode()).hexdigest()
    cassette = Cassette(path=path, content=content, format="vcrpy", interactions=())
    return Recording(cassette=cassette, conversations=conversations)


def pair(path: str, baseline: Trajectory | None, head: Trajectory | None, policy: Policy = DEFAULT_POLICY) -> Pair:
    one = None if baseline is None else recording(path, baseline)
    other = None if head is None else recording(path, head)
    return pipeline.compare(one, other, policy, AT)


def broken(path: str) -> Pair:
    one = recording(path, conversation([ORDER], "Done."))
    other = Unreadable(
        path=path, content="e" * 40, stage="decode", reason="JSON ends in the middle of a string at line 41"
    )
    return pipeline.compare(one, other, DEFAULT_POLICY, AT)


def review(*pairs: Pair) -> Review:
    ordered = by_risk(list(pairs))
    baseline = Side(label="1" * 40, commit="1" * 40, revision="main")
    return Review(
        baseline=baseline,
        head=Side(label="worktree"),
        pairs=ordered,
        groups=group(ordered),
        causes=shared_causes(ordered),
        uncounted=3,
    )


def story() -> Review:
    """One pull request: a dropped policy check, an amount times ten, a swapped order, an edited prompt, wording, noise and wreckage."""
    usual = ([ORDER], [POLICY], [REFUND], "I refunded $39.00 to your card.")
    ten = ("issue_refund", {"order_id": "4471", "amount": 390}, {"refunded": 390})
    longer = "You are a support agent. Always check the policy before a refund, and be brief."
    return review(
        pair("tests/cassettes/refund.yaml", conversation(*usual), conversation([ORDER], [REFUND], usual[3])),
        pair("tests/cassettes/amount.yaml", conversation(*usual), conversation([ORDER], [POLICY], [ten], usual[3])),
        pair("tests/cassettes/order.yaml", conversation(*usual), conversation([POLICY], [ORDER], [REFUND], usual[3])),
        pair("tests/cassettes/prompt.yaml", conversation(*usual), conversation(*usual, system=longer)),
        pair(
            "tests/cassettes/prompt-too.yaml",
            conversation([ORDER], "Found."),
            conversation([ORDER], "Found.", system=longer),
        ),
        pair(
            "tests/cassettes/wording.yaml", conversation(*usual), conversation(*usual[:3], "Your card has $39.00 back.")
        ),
        pair("tests/cassettes/noise.yaml", conversation(*usual), conversation(*usual)),
        pair("tests/cassettes/denied.yaml", conversation([ORDER], "Found."), conversation("HTTP 401")),
        pair("tests/cassettes/new.yaml", None, conversation([ORDER], "Found.")),
        broken("tests/cassettes/cut-off.json"),
    )
