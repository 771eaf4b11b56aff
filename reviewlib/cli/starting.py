"""What ``policy --init`` looks at: every cassette of the repository, as it is now."""

from datetime import UTC, datetime

from reviewlib import pipeline
from reviewlib.costs import totals
from reviewlib.errors import UsageError
from reviewlib.formats import FALLBACK, FORMATS
from reviewlib.model.call import Usage
from reviewlib.model.review import Side, Totals
from reviewlib.model.trajectory import Recording
from reviewlib.policy import DEFAULT_POLICY
from reviewlib.policy.starter import Held, starter
from reviewlib.sources import Comparison
from reviewlib.sources.git import Repository

OWN_FILE = "cassette-review.toml"
_RUNNERS = {"uv.lock": "uv run", "poetry.lock": "poetry run", "pdm.lock": "pdm run"}


def first_policy(repository: Repository) -> str:
    """Write a policy for what is in the working tree; HEAD where there is none."""
    commit = repository.head_commit() if repository.bare else None
    nothing = repository.git.line("hash-object", "-t", "tree", "--stdin")
    whole = Comparison(
        baseline=Side(label=nothing), head=Side(label=commit or "worktree", commit=commit), key=f"{nothing}..{commit}"
    )
    snapshot = repository.snapshot(whole, DEFAULT_POLICY, everything=True)
    now = datetime.now(UTC)
    read = [
        _held(item, totals(item, now)) for item in pipeline.read(snapshot.head_files) if isinstance(item, Recording)
    ]
    runner = next((words for lock, words in _RUNNERS.items() if (repository.root / lock).is_file()), "")
    return starter(read, runner)


def write_policy(repository: Repository, text: str) -> None:
    """Put the policy at the top of the working tree.

    Raises:
        UsageError: there is a policy already, or no working tree.

    """
    path = repository.root / OWN_FILE
    if repository.bare:
        raise UsageError("This repository is bare and has no working tree; print the policy without --write.")
    file = repository.policy_file(repository.compare("HEAD"))
    if repository.policy(repository.compare("HEAD")).model_fields_set and file != OWN_FILE:
        raise UsageError(f"The policy stands in {file} already, and two are refused; print this one without --write.")
    try:
        with path.open("x", encoding="utf-8") as written:
            written.write(text)
    except FileExistsError as error:
        raise UsageError(f"{path} exists, and is not overwritten; print this one without --write.") from error


def _held(recording: Recording, taken: Totals) -> Held:
    titles = {each.name: each.title for each in (*FORMATS, FALLBACK)}
    return Held(
        path=recording.cassette.path,
        format=recording.cassette.format,
        title=titles.get(recording.cassette.format, recording.cassette.format),
        tools=tuple(sorted({tool for conversation in recording.conversations for tool in conversation.tools})),
        tokens=_tokens(taken.usage),
        cost=taken.cost,
    )


def _tokens(usage: Usage | None) -> int | None:
    if usage is None or usage.input_tokens is None or usage.output_tokens is None:
        return None
    return usage.input_tokens + usage.output_tokens
