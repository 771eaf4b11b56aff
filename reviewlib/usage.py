"""Token counts of whole cassettes."""

from collections.abc import Iterable
from typing import Literal, TypeAlias, get_args

from reviewlib.model.call import Usage
from reviewlib.model.trajectory import Failure, Trajectory, Turn

Bucket: TypeAlias = Literal[
    "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "reasoning_tokens"
]
BUCKETS: tuple[Bucket, ...] = get_args(Bucket)
"""The fields of a ``Usage``, in the order in which they are shown."""


def add(usages: Iterable[Usage]) -> Usage:
    """Add token counts bucket by bucket; a bucket that nobody knows stays unknown."""
    known = list(usages)
    sums: dict[str, int | None] = {}
    for bucket in BUCKETS:
        counts = [count for usage in known if (count := getattr(usage, bucket)) is not None]
        sums[bucket] = sum(counts) if counts else None
    return Usage(**sums)


def answered(conversations: Iterable[Trajectory]) -> tuple[Turn, ...]:
    """Return the turns that got an answer, each recorded interaction once.

    A failure has no usage to know. In a folder of files named by request hash, conversations share the turns that they begin with.
    """
    found: dict[int, Turn] = {}
    for conversation in conversations:
        failed = {step.turn for step in conversation.steps if isinstance(step, Failure)}
        for turn in conversation.turns:
            if turn.recorded and turn.turn not in failed:
                found.setdefault(turn.interaction, turn)
    return tuple(found.values())


def total_usage(conversations: Iterable[Trajectory]) -> Usage | None:
    """Return the sum over all turns, or None where a turn does not say: a part is no total."""
    turns = answered(conversations)
    usages = [turn.usage for turn in turns if turn.usage is not None]
    if not turns or len(usages) < len(turns):
        return None
    return add(usages)
