"""What can go wrong for a user.

    ReviewError                 the command ends with exit code 2 and one sentence
    ├── UsageError              the words of a command are off
    ├── RepositoryError         no repository, an unknown revision, missing history, a refusal of git
    ├── PolicyError             the policy cannot be used
    ├── LedgerError             a verdict could not be written
    ├── RefusedVerdict          the content has moved since it was shown
    └── DecodeError             one cassette cannot be read; becomes an ``Unreadable``, never ends a review

Each message says what was seen, what was near, and what to do.
"""

from typing import Literal


class ReviewError(Exception):
    """The base of everything that is told to a user as one sentence."""


class UsageError(ReviewError):
    """The words of a command are off."""


class RepositoryError(ReviewError):
    """The repository cannot give what was asked for."""


class PolicyError(ReviewError):
    """The policy cannot be used as written."""


class LedgerError(ReviewError):
    """A verdict could not be written."""


class RefusedVerdict(ReviewError):  # noqa: N818 - it is named for what happened to the verdict
    """A verdict was refused, because what it was about has moved since it was shown."""


class DecodeError(ReviewError):
    """One cassette could not be read.

    ``stage`` is where it stopped: ``load`` (the bytes), ``decode`` (JSON, YAML, TOML), ``recognise`` (no adapter, or several), ``parse``.
    """

    def __init__(self, stage: Literal["load", "decode", "recognise", "parse"], reason: str) -> None:
        super().__init__(reason)
        self.stage = stage
        self.reason = reason
