"""Checks of how much a cassette holds: what nobody reads, nobody reviews."""

from collections.abc import Iterator

from reviewlib.checks.check import Check, Given, Sighting
from reviewlib.model.trajectory import Recording


def huge(recording: Recording, given: Given) -> Iterator[Sighting]:
    """See cassettes that are larger, or longer, than the project allows."""
    hygiene, size = given.policy.hygiene, recording.cassette.size
    if size is not None and size > hygiene.largest_bytes:
        yield Sighting(f"{size:,} bytes, and {hygiene.largest_bytes:,} are allowed", key="bytes")
    turns = sum(len(conversation.turns) for conversation in recording.conversations)
    if turns > hygiene.most_turns:
        yield Sighting(f"{turns:,} turns, and {hygiene.most_turns:,} are allowed", key="turns")


CHECKS = (Check("huge", "Larger than a person reads", "info", ruled=huge),)
