"""The command that judges what no comparison shows: ``audit``."""

from datetime import UTC, datetime
from typing import Literal

from reviewlib.audit import audit as judged
from reviewlib.cli.comparing import Paths, Place, in_repository, printed
from reviewlib.report import audit as report

_PLACE = Place()


def audit(
    *,
    path: Paths = (),
    ref: str | None = None,
    format: Literal["text", "json"] = "text",  # noqa: A002
    place: Place = _PLACE,
) -> int:
    """Judge all cassettes of one revision by themselves; fail with exit code 1 while one has an error.

    Parameters
    ----------
    path
        The cassettes or folders to look at.
    ref
        The revision that they are read from, with its policy; the working tree without it.
    format
        text for a log, json for a script.
    place
        Where the repository is.

    """
    repository = place.repository()
    policy = repository.own_policy(ref)
    wanted = tuple(in_repository(each, repository, place) for each in path)
    found = judged(repository.whole(ref, policy, wanted), policy, datetime.now(UTC))
    printed(report.render_json(found) if format == "json" else report.render(found))
    return 1 if found.fails else 0
