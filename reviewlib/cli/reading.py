"""The commands that show and judge a comparison, or one cassette: ``diff``, ``show`` and ``check``."""

from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import metadata
from typing import Annotated, Literal, TypeAlias

from cyclopts import Parameter

from reviewlib import pipeline
from reviewlib.cli.comparing import (
    Compared,
    Paths,
    Place,
    Sides,
    coloured,
    commands,
    compare,
    in_repository,
    printed,
)
from reviewlib.errors import UsageError
from reviewlib.groups import by_risk, group
from reviewlib.model.cassette import Unreadable
from reviewlib.model.review import Side
from reviewlib.model.trajectory import Recording
from reviewlib.report import html, json, junit, markdown, recording, sarif, text
from reviewlib.report.commands import Commands
from reviewlib.since import changed_since
from reviewlib.summary import Waiting, is_shut, summarise, waiting
from reviewlib.verdicts import PairState

Format: TypeAlias = Literal["text", "markdown", "json", "html", "junit", "sarif"]

_PLACE = Place()
_HERE = Sides()


def diff(
    revisions: str | None = None,
    /,
    *,
    path: Paths = (),
    since_verdict: bool = False,
    format: Format = "text",  # noqa: A002
    sides: Sides = _HERE,
) -> None:
    """Say what changed, riskiest first; with paths, every change in them.

    Parameters
    ----------
    revisions
        A...B, A..B, A, or nothing.
    path
        The cassettes or folders to look at.
    since_verdict
        Compare what was judged earlier with what is there now, of the cassettes whose verdict is stale or carried.
    format
        text for a terminal, markdown for a comment on a pull request, json for a script, html for a file to attach, junit and sarif for
        what a CI shows.
    sides
        Where the two sides come from.

    """
    compared = compare(revisions, sides, path)
    if since_verdict:
        compared = _since_verdicts(compared)
    printed(_rendered(compared, format, commands(revisions, sides), changes=bool(path)))


def show(
    path: Annotated[str, Parameter(name="--path")],
    *,
    ref: str | None = None,
    format: Literal["text", "json"] = "text",  # noqa: A002
    place: Place = _PLACE,
) -> None:
    """Show one cassette step by step.

    Parameters
    ----------
    path
        The cassette.
    ref
        The revision that it is read from; the working tree without it.
    format
        text for a terminal, json for a script.
    place
        Where the repository is.

    """
    repository = place.repository()
    wanted = in_repository(path, repository, place)
    read = _meant(pipeline.safely_read(repository.file(wanted, ref)), wanted)
    render = json.render_recording if format == "json" else recording.render
    printed(render(read, read.path, ref or ("HEAD" if repository.bare else "worktree")))


def check(
    revisions: str | None = None,
    /,
    *,
    format: Format = "text",  # noqa: A002
    report_only: bool = False,
    sides: Sides = _HERE,
) -> int:
    """Fail with exit code 1 while a changed cassette needs a person.

    Parameters
    ----------
    revisions
        A...B, A..B, A, or nothing.
    format
        text for a log, markdown for a comment on a pull request, json for a script, html for a file to attach, junit and sarif for what
        a CI shows.
    report_only
        Say the same, and fail only for what breaks a rule or a budget of the policy.
    sides
        Where the two sides come from.

    """
    compared = compare(revisions, sides)
    needed = _needed(compared)
    printed(_gate(compared, needed, format, commands(revisions, sides)))
    is_failed = bool(compared.summary.breaches) if report_only else is_shut(compared.summary, needed)
    return 1 if is_failed else 0


def _since_verdicts(compared: Compared) -> Compared:
    """Put the pairs whose earlier verdict is no longer exactly theirs, compared with what it was about, in place of all pairs."""
    ledger = compared.ledger
    if ledger is None:
        raise UsageError("Verdicts are kept in a git repository, and there is none here; name one with --repo DIR.")
    earlier = [(pair, compared.states[pair.path].since) for pair in compared.review.pairs if pair.subject == "cassette"]
    now = datetime.now(UTC)
    pairs = by_risk(
        [
            changed_since(pair, entry, ledger.pinned, compared.policy, now).pair
            for pair, entry in earlier
            if entry is not None
        ]
    )
    known = {pair.path: compared.states.get(pair.path, PairState(state="open")) for pair in pairs}
    review = compared.review.model_copy(
        update={
            "baseline": Side(label="as judged"),
            "pairs": pairs,
            "groups": group(pairs),
            "findings": (),  # those about all pairs together are about other pairs
            "uncounted": 0,
        }
    )
    return replace(compared, review=review, states=known, summary=summarise(review, known))


def _needed(compared: Compared) -> tuple[Waiting, ...]:
    return waiting(compared.review, compared.states, compared.policy.require_approval)


def _rendered(compared: Compared, format: Format, told: Commands, *, changes: bool) -> str:  # noqa: A002
    shown = (compared.review, compared.states, compared.summary)
    match format:
        case "text":
            return text.render(*shown, changes=changes, colour=coloured())
        case "markdown":
            return markdown.render(*shown, told.review)
        case "json":
            return json.render(*shown)
        case "html":
            return html.render(*shown, told.review)
        case "junit" | "sarif":
            # Both tell what the gate waits for; `check` alone fails for it.
            return _gate(compared, _needed(compared), format, told)


def _gate(compared: Compared, needed: tuple[Waiting, ...], format: Format, told: Commands) -> str:  # noqa: A002
    review, known, summary = compared.review, compared.states, compared.summary
    match format:
        case "text":
            return text.render_gate(review, summary, needed, told)
        case "markdown":
            return markdown.render_gate(review, summary, needed, told)
        case "json":
            return json.render_gate(review, summary, needed, told)
        case "html":
            return html.render_gate(review, known, summary, needed, told)
        case "junit":
            return junit.render(review, known, summary, needed, told)
        case "sarif":
            return sarif.render(review, known, summary, needed, told, _tool())


def _tool() -> sarif.Tool:
    """Read the version, and where the documentation is, from what was installed."""
    about = metadata("cassette-review")
    links = dict(link.split(", ", 1) for link in about.get_all("Project-URL") or ())
    return sarif.Tool(about["Version"], links.get("Documentation"))


def _meant(reads: tuple[Recording | Unreadable, ...], wanted: str) -> Recording | Unreadable:
    """Pick the cassette of this path, or that has a file of this path, or that is alone in a folder of this path."""
    own = [read for read in reads if wanted == read.path or wanted.startswith(f"{read.path}/")]
    inside = own or [read for read in reads if wanted == "." or read.path.startswith(f"{wanted}/")]
    if len(inside) != 1:
        named = f", such as {inside[0].path}" if inside else ""
        raise UsageError(f"{wanted} holds {len(inside)} cassettes{named}; show takes one.")
    return inside[0]
