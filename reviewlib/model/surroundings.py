"""What stands around the cassettes of one side, beyond what was recorded in them."""

from reviewlib.model.frozen import Frozen


class Origin(Frozen):
    """Who wrote a file last: the author of the newest commit that touched it. ``at`` is in seconds since the epoch."""

    name: str
    email: str
    at: float


class Surroundings(Frozen):
    """What an edge knows of one side. ``origins``: by a cassette's path; where it is a folder, of the newest file in it.

    ``prompts``: by a prompt file's path, the sha256 of its bytes as hex. What is not in either is not known, and is not judged.
    """

    origins: dict[str, Origin] = {}
    prompts: dict[str, str] = {}

    def origin(self, path: str) -> Origin | None:
        """Who wrote a cassette last; None where that is not known."""
        own = self.origins.get(path)
        inside = [origin for name, origin in self.origins.items() if name.startswith(f"{path}/")] if own is None else []
        return own or max(inside, key=lambda origin: origin.at, default=None)


UNKNOWN = Surroundings()
