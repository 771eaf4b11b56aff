"""Steps by name, as addresses and marks in the page write them: ``h5`` is the fifth step of the head, ``b2.5`` one of its second conversation."""

import re
from typing import Literal, TypeAlias

from reviewlib.model.change import StepRef
from reviewlib.model.review import Finding, Pair
from reviewlib.model.trajectory import Recording
from reviewlib.verdicts import Anchor

Side: TypeAlias = Literal["baseline", "head"]

_ANCHOR = re.compile(r"([bh])(?:(\d{1,6})\.)?(\d{1,6})")


def written(side: Side, ref: StepRef) -> str:
    """Name a step; conversations and steps count from 1, as on the screen."""
    conversation = f"{ref[0] + 1}." if ref[0] else ""
    return f"{side[0]}{conversation}{ref[1] + 1}"


def parsed(text: str) -> Anchor | None:
    """Read a name; None where it is none."""
    match = _ANCHOR.fullmatch(text)
    if match is None or match[3] == "0" or match[2] == "0":
        return None
    side: Side = "baseline" if match[1] == "b" else "head"
    return Anchor(side=side, step=(int(match[2] or 1) - 1, int(match[3]) - 1))


def of_finding(finding: Finding) -> Anchor | None:
    """Where a finding is: on the head, on the baseline where it is gone."""
    if finding.step is None:
        return None
    return Anchor(side="baseline" if finding.since == "gone" else "head", step=finding.step)


def exists(anchor: Anchor, pair: Pair) -> bool:
    """Whether a pair has this step."""
    side = pair.baseline if anchor.side == "baseline" else pair.head
    conversation, index = anchor.step
    return (
        isinstance(side, Recording)
        and conversation < len(side.conversations)
        and index < len(side.conversations[conversation].steps)
    )
