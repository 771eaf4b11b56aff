"""How adapters of transcripts build requests: the history that each model call was sent with, as it had grown by then."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from reviewlib.errors import DecodeError
from reviewlib.model.cassette import Request
from reviewlib.model.frozen import Plain

MAX_SENT = 300_000
"""Most messages that all requests of a transcript may hold together. A file that holds each message once grows quadratically here:
this is a session of about 550 turns with a tool call each, and takes 5 s and 400 MB to read to the end."""


@dataclass(slots=True)
class Session:
    """A conversation while its transcript is read. ``key`` is the member of the request's body that holds the history.

    ``sent`` counts what the requests of all conversations of one file hold; it has one item, which they share.
    """

    key: str = "messages"
    history: list[Plain] = field(default_factory=list)
    sent: list[int] = field(default_factory=lambda: [0])

    def another(self) -> "Session":
        """Begin another conversation of the same file."""
        return Session(self.key, sent=self.sent)

    def say(self, messages: Iterable[Plain]) -> None:
        """Add to the history."""
        self.history.extend(messages)

    def request(self, **fields: Plain) -> Request:
        """Build the request that is sent now; fields that are None are left out. Raises ``DecodeError`` (parse) beyond ``MAX_SENT``."""
        self.sent[0] += len(self.history)
        if self.sent[0] > MAX_SENT:
            raise DecodeError(
                "parse", f"the session is too long: its requests hold more than {MAX_SENT:,} messages together"
            )
        given = {name: value for name, value in fields.items() if value is not None}
        return Request(body={**given, self.key: list(self.history)})
