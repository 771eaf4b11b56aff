"""A secret in a recording, told without its value."""

from reviewlib.model.frozen import Frozen


class Leak(Frozen):
    """Where a secret was recorded. ``digest`` tells two of a ``kind`` apart (``reviewlib.leaks.marks``); the value is nowhere.

    ``place`` is where it was seen first, in words; ``step`` its conversation and step, where it is in one. ``places`` counts all.
    """

    kind: str
    digest: str
    place: str
    step: tuple[int, int] | None = None
    places: int = 1

    @property
    def name(self) -> str:
        """Kind and digest, as the policy's ``allow_secrets`` names it."""
        return f"{self.kind}:{self.digest}"
