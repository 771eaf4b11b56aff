"""What a project asks of its recordings, whatever the agent does in them: their age, their size, and who makes them."""

from datetime import date
from fnmatch import fnmatchcase
from typing import Annotated, TypeAlias

from pydantic import Field, field_validator

from reviewlib.model.frozen import Frozen
from reviewlib.policy.globs import matches

_Days: TypeAlias = Annotated[int, Field(ge=1, strict=True)]


class Schedule(Frozen):
    """Cassettes that ``paths`` names are recorded anew every so many ``days``."""

    paths: tuple[str, ...]
    days: _Days


class Hygiene(Frozen):
    """What holds for every recording.

    ``stale_after_days``: the age from which a cassette is to be recorded anew; None is no age. ``schedules``: the same by path; the first
    that names a path holds, before ``stale_after_days``. ``templates``: by a path pattern of cassettes, the prompt file whose sha256 they
    record as ``template_sha``. ``retired_models``: by a model's name, the day from which it is gone, beyond those that are known.
    ``retirement_notice_days``: how long before that day it is told. ``automation``: names and mail addresses of robots, with ``*``, beyond
    those that are known. ``largest_bytes`` and ``most_turns``: what one cassette may hold.
    """

    stale_after_days: _Days | None = None
    schedules: tuple[Schedule, ...] = ()
    templates: dict[str, str] = {}
    retired_models: dict[str, date] = {}
    retirement_notice_days: Annotated[int, Field(ge=0, strict=True)] = 30
    automation: tuple[str, ...] = ()
    largest_bytes: Annotated[int, Field(ge=1, strict=True)] = 1_000_000
    most_turns: Annotated[int, Field(ge=1, strict=True)] = 100

    @field_validator("templates")
    @classmethod
    def _lie_in_the_repository(cls, templates: dict[str, str]) -> dict[str, str]:
        for prompt in templates.values():
            if prompt.startswith("/") or not {"", ".", ".."}.isdisjoint(prompt.split("/")):
                raise ValueError(
                    f"{prompt!r} is no file of the repository; write its path from the top, such as prompts/refund.md"
                )
        return templates

    def stale_after(self, path: str) -> int | None:
        """Tell after how many days a cassette is stale; None: never."""
        return next((item.days for item in self.schedules if matches(item.paths, path)), self.stale_after_days)

    @property
    def asks_for_ages(self) -> bool:
        """Whether any cassette can be stale."""
        return self.stale_after_days is not None or bool(self.schedules)

    def template(self, path: str) -> str | None:
        """Name the prompt file that a cassette was recorded with; None where the project names none."""
        return next((prompt for glob, prompt in self.templates.items() if matches((glob,), path)), None)

    def is_automation(self, name: str, email: str) -> bool:
        """Whether the project calls somebody a robot; case tells nothing."""
        seen = name.lower(), email.lower()
        return any(fnmatchcase(each, pattern.lower()) for pattern in self.automation for each in seen)
