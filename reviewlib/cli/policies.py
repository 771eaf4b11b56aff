"""The command that prints the rules of a comparison, or writes first ones from every cassette that is here: ``policy``."""

from datetime import UTC, datetime

from reviewlib import pipeline
from reviewlib.cli.comparing import Place, printed, resolved
from reviewlib.costs import totals
from reviewlib.errors import UsageError
from reviewlib.formats import FALLBACK, FORMATS
from reviewlib.model.review import Totals
from reviewlib.model.trajectory import Recording
from reviewlib.policy import DEFAULT_POLICY, written
from reviewlib.policy.starter import Held, starter
from reviewlib.sources.git import Repository

_PLACE = Place()

_OWN_FILE = "cassette-review.toml"
_RUNNERS = {"uv.lock": "uv run", "poetry.lock": "poetry run", "pdm.lock": "pdm run"}


def policy(
    revisions: str | None = None,
    /,
    *,
    init: bool = False,
    write: bool = False,
    place: Place = _PLACE,
) -> None:
    """Print the rules that a comparison is judged by, as TOML, each with where it comes from; with --init a first policy.

    They are those of its baseline, with the defaults filled in.

    Parameters
    ----------
    revisions
        A...B, A..B, A, or nothing.
    init
        Print a first policy instead, made from the cassettes that are here, with a comment on each key.
    write
        Write that first policy to cassette-review.toml, if there is no policy yet.
    place
        Where the repository is.

    """
    repository = place.repository()
    if init:
        _begin(repository, revisions, write=write)
        return
    if write:
        raise UsageError("--write goes with --init: cassette-review policy --init --write.")
    comparison = resolved(repository, revisions)
    printed(written(repository.policy(comparison), repository.policy_file(comparison)))


def _begin(repository: Repository, revisions: str | None, *, write: bool) -> None:
    if revisions is not None:
        raise UsageError(f"A first policy is made from what is here; leave {revisions} out.")
    made = _first_policy(repository)
    if not write:
        printed(made)
        return
    _write_policy(repository, made)
    printed(f"Written to {_OWN_FILE}. Read it, and commit it: a comparison is judged by its baseline's policy.\n")


def _first_policy(repository: Repository) -> str:
    """Write a policy for what is in the working tree; at HEAD where there is none."""
    read = pipeline.safely_read(repository.whole(None, DEFAULT_POLICY, everything=True).head_files)
    now = datetime.now(UTC)
    runner = next((words for lock, words in _RUNNERS.items() if (repository.root / lock).is_file()), "")
    return starter([_held(item, totals(item, now)) for item in read if isinstance(item, Recording)], runner)


def _write_policy(repository: Repository, text: str) -> None:
    """Put the policy at the top of the working tree.

    Raises:
        UsageError: there is a policy already, or no working tree.

    """
    path = repository.root / _OWN_FILE
    if repository.bare:
        raise UsageError("This repository is bare and has no working tree; print the policy without --write.")
    here = repository.compare("HEAD")
    file = repository.policy_file(here)
    if repository.policy(here).model_fields_set and file != _OWN_FILE:
        raise UsageError(f"The policy stands in {file} already, and two are refused; print this one without --write.")
    try:
        with path.open("x", encoding="utf-8") as target:
            target.write(text)
    except FileExistsError as error:
        raise UsageError(f"{path} exists, and is not overwritten; print this one without --write.") from error


def _held(recording: Recording, taken: Totals) -> Held:
    titles = {each.name: each.title for each in (*FORMATS, FALLBACK)}
    return Held(
        path=recording.path,
        format=recording.cassette.format,
        title=titles.get(recording.cassette.format, recording.cassette.format),
        tools=tuple(sorted({tool for conversation in recording.conversations for tool in conversation.tools})),
        tokens=None if taken.usage is None else taken.usage.tokens,
        cost=taken.cost,
    )
