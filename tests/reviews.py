"""Reviews made by hand, for the tests of what shows them: no git, no cassette and no diff is needed."""

from collections.abc import Mapping, Sequence
from typing import Any

from reviewlib.headline import phrase
from reviewlib.model.call import Usage
from reviewlib.model.cassette import Cassette, Exchange, Unreadable
from reviewlib.model.change import Change, Detail, Diff, Row, Significance
from reviewlib.model.review import Digests, Group, Pair, Review, Side, State, Totals
from reviewlib.model.trajectory import (
    AssistantText,
    Recording,
    Step,
    SystemPrompt,
    ToolCall,
    Trajectory,
    Turn,
    UserMessage,
)
from reviewlib.verdicts import PairState


def states(**by_path: State) -> Mapping[str, PairState]:
    """``states(a="approved")`` for the path ``a``; pass ``**{"dir/a.yaml": …}`` for real ones."""
    return {path: PairState(state=state) for path, state in by_path.items()}


def tool_call(
    tool: str, arguments: Any = None, result: Any = None, *, index: int = 2, turn: int = 1, **more: Any
) -> ToolCall:
    return ToolCall(
        index=index,
        turn=turn,
        tool=tool,
        call=f"call-{index - 1}",
        arguments=arguments,
        result=result,
        result_recorded=result is not None,
        **more,
    )


def turn(number: int = 1, **more: Any) -> Turn:
    """A turn of one step behind a system prompt and a user message."""
    known: dict[str, Any] = {
        "turn": number,
        "interaction": number - 1,
        "provider": "anthropic",
        "requested_model": "claude-sonnet-4-0",
        "model": "claude-sonnet-4-20250514",
        "stop_reason": "end_turn",
        "http_status": 200,
        "usage": Usage(input_tokens=1000, output_tokens=100),
        "first": number + 1,
        "end": number + 2,
    }
    return Turn(**(known | more))


def trajectory(*steps: Step, turns: Sequence[Turn] | None = None) -> Trajectory:
    opening: tuple[Step, ...] = (
        SystemPrompt(index=0, turn=1, text="You are a support agent."),
        UserMessage(index=1, turn=1, text="Refund order 1234."),
    )
    answer: tuple[Step, ...] = steps or (AssistantText(index=2, turn=1, text="I refunded $39.00."),)
    return Trajectory(turns=(turn(end=2 + len(answer)),) if turns is None else tuple(turns), steps=(*opening, *answer))


def recording(path: str = "tests/cassettes/refund.yaml", *conversations: Trajectory, **more: Any) -> Recording:
    cassette = Cassette(
        path=path,
        content="a" * 40,
        format="vcrpy",
        interactions=(Exchange(index=0, request=None, response=None),),
    )
    return Recording(cassette=cassette, conversations=conversations or (trajectory(),), **more)


def unreadable(path: str = "tests/cassettes/broken.yaml") -> Unreadable:
    return Unreadable(path=path, content="b" * 40, stage="decode", reason="the JSON ends in the middle of a string")


def totals(sent: int = 1000, answered: int = 100, **more: Any) -> Totals:
    return Totals(usage=Usage(input_tokens=sent, output_tokens=answered), turns=1, calls=1, **more)


AMOUNT = Change(
    kind="arguments",
    significance="behaviour",
    tool="issue_refund",
    baseline_step=(0, 2),
    head_step=(0, 2),
    details=(Detail(path="amount", baseline=39, head=390),),
)
AMOUNT_RESULT = Change(
    kind="result",
    significance="behaviour",
    tool="issue_refund",
    cause=0,
    baseline_step=(0, 2),
    head_step=(0, 2),
    details=(Detail(path="refunded", baseline=39, head=390),),
)
PROMPT = Change(
    kind="system_prompt",
    significance="request",
    details=(Detail(path="", baseline="You are a support agent.", head="You are a kind support agent."),),
)


def pair(
    path: str = "tests/cassettes/refund.yaml",
    significance: Significance | None = "behaviour",
    changes: tuple[Change, ...] = (),
    **more: Any,
) -> Pair:
    """A modified pair; ``significance=None`` makes its head unreadable."""
    readable = significance is not None
    known: dict[str, Any] = {
        "path": path,
        "baseline_path": path,
        "head_path": path,
        "status": "modified",
        "baseline_content": "1" * 40,
        "head_content": "2" * 40,
        "baseline": recording(path),
        "head": recording(path) if readable else unreadable(path),
        "diff": Diff(
            changes=changes, rows=(Row(baseline=(0, 0), head=(0, 0), relation="same"),), significance=significance
        )
        if significance is not None
        else None,
        "significance": significance,
        "headline": phrase(changes[0])
        if changes
        else f"a {significance} change"
        if readable
        else "unreadable at decode",
        "signature": f"sig-{path}",
        "baseline_digests": Digests(behaviour="b1", request="r1"),
        "head_digests": Digests(behaviour="b2", request="r1"),
        "baseline_totals": totals(),
        "head_totals": totals(1100, 110) if readable else Totals(),
    }
    return Pair(**(known | more))


def review(*pairs: Pair, groups: tuple[Group, ...] = (), **more: Any) -> Review:
    known: dict[str, Any] = {
        "baseline": Side(label="c" * 40, commit="c" * 40, revision="main"),
        "head": Side(label="worktree"),
        "pairs": pairs,
        "groups": groups,
    }
    return Review(**(known | more))


def example() -> Review:
    """One pair of every significance, an unreadable one, an added one, and a group of three prompt edits."""
    grouped = tuple(
        pair(f"tests/cassettes/g{number}.yaml", "request", (PROMPT,), signature="sig-prompt") for number in (1, 2, 3)
    )
    return review(
        pair("tests/cassettes/broken.yaml", None),
        pair("tests/cassettes/refund.yaml", "behaviour", (AMOUNT, AMOUNT_RESULT)),
        pair(
            "tests/cassettes/new.yaml",
            "behaviour",
            status="added",
            baseline_path=None,
            baseline=None,
            baseline_content=None,
        ),
        *grouped,
        pair("tests/cassettes/wording.yaml", "cosmetic"),
        pair("tests/cassettes/noise.yaml", "identical"),
        groups=(
            Group(signature="sig-prompt", headline="system prompt edited", pairs=tuple(each.path for each in grouped)),
        ),
    )
