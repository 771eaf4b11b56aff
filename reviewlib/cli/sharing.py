"""The commands about the ledger as a whole: ``reviews list``, ``push``, ``fetch``, ``export`` and ``import``."""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from reviewlib.cli.comparing import Place, Sides, compare, printed
from reviewlib.errors import RepositoryError, UsageError
from reviewlib.ledger import Ledger, transfer
from reviewlib.report.neutral import one_line
from reviewlib.report.wording import plural
from reviewlib.rerun import rerun
from reviewlib.sources.git import Repository
from reviewlib.verdicts import Entry, Fate, PairState, Reviewer, explained, fates

_PLACE = Place()
_HERE = Sides()


def list_reviews(revisions: str | None = None, /, *, sides: Sides = _HERE) -> None:
    """List all verdicts and comments, and what became of them.

    Without REVISIONS the whole ledger, oldest first; with them by cassette, with its state.

    Parameters
    ----------
    revisions
        A...B, A..B or A: what is listed is what was said about the cassettes that changed there.
    sides
        Where the two sides come from.

    """
    if revisions is not None or sides.baseline_dir is not None:
        compared = compare(revisions, sides)
        told = [line for pair in compared.review.pairs for line in _pair_lines(pair.path, compared.states[pair.path])]
        printed("".join(f"{line}\n" for line in told) or "No cassettes changed.\n")
        return
    notes = Ledger(sides.repository()).read()
    printed("".join(f"{_entry_line(entry, fate)}\n" for entry, fate in fates(notes.entries)) or "No verdicts yet.\n")
    _warned(notes.warnings)


def push(remote: str | None = None, /, *, no_rerun: bool = False, place: Place = _PLACE) -> None:
    """Take in the verdicts of a remote, and give it yours.

    Parameters
    ----------
    remote
        Its name; upstream or origin without it.
    no_rerun
        Only print the command that starts the check anew, also where the policy names one.
    place
        Where the repository is.

    """
    repository = place.repository()
    done = Ledger(repository).push(remote)
    printed(f"{_received(done.received, done.remote)}; {plural_entries(done.sent)} pushed.\n")
    if done.sent:
        _start_again(repository, done.address, only_print=no_rerun)


def fetch(remote: str | None = None, /, *, place: Place = _PLACE) -> None:
    """Take in the verdicts of a remote.

    Parameters
    ----------
    remote
        Its name; upstream or origin without it.
    place
        Where the repository is.

    """
    ledger = Ledger(place.repository())
    done = ledger.fetch(remote)
    printed(f"{_received(done.received, done.remote)}; {plural_entries(ledger.unpushed(remote))} not pushed yet.\n")


def export_reviews(
    file: Path, /, *, everything: Annotated[bool, Parameter(name="--all")] = False, place: Place = _PLACE
) -> None:
    """Write verdicts and comments to a file, for somebody with the right to push to import.

    Parameters
    ----------
    file
        The file; it must not be there yet.
    everything
        Write the whole ledger, not only what no remote has.
    place
        Where the repository is.

    """
    ledger = Ledger(place.repository())
    entries = ledger.entries() if everything else ledger.outgoing()
    if not entries:
        raise UsageError("There is nothing to export: the remote has every entry; --all writes them nevertheless.")
    with file.open("xb") as target:
        target.writelines(transfer.exported(entries, ledger.judged(entries)))
    printed(f"{plural_entries(len(entries))} written to {one_line(str(file))}.\n")


def import_reviews(file: Path, /, *, place: Place = _PLACE) -> None:
    """Take in verdicts and comments that somebody exported.

    Parameters
    ----------
    file
        The file.
    place
        Where the repository is.

    """
    repository = place.repository()
    ledger = Ledger(repository)
    if file.stat().st_size > transfer.LARGEST_IMPORT:
        raise UsageError(f"{file} has more than {transfer.LARGEST_IMPORT:,} bytes.")
    who = repository.reviewer()
    found = transfer.brought(file.read_bytes(), ledger.read(), who)
    ledger.adopt(found.entries, found.contents, who)
    people = Counter(_who(entry.reviewer) for entry in found.entries)
    printed(f"{plural_entries(len(found.entries))} imported, {found.known:,} were there already.\n")
    printed("".join(f"  {count:,} by {name}\n" for name, count in people.most_common()))
    refused = f"{plural_entries(len(found.refused))} of the file refused: in your own name, about no content, or with the id of another entry"
    lines = f"{plural(found.skipped, 'line')} of the file could not be read, or held something else than they said"
    _warned([*([refused] if found.refused else []), *([lines] if found.skipped else [])])


def plural_entries(count: int) -> str:
    """Count entries: ``1 entry``, ``2 entries``."""
    return "1 entry" if count == 1 else f"{count:,} entries"


def _start_again(repository: Repository, address: str, *, only_print: bool) -> None:
    """Run the default branch's command that starts the check anew, or print the forge's.

    What is checked out may be the branch under review; a command that it names is not run.
    """
    again = rerun(repository.shared_policy(), address, repository.branch(), repository.head_commit())
    if again.command is None or not again.by_policy or only_print:
        printed(f"{again.sentence}\n")
        return
    printed(f"Starting the check again: {again.command}\n")
    sys.stdout.flush()
    code = subprocess.run(again.command, shell=True, cwd=repository.root, check=False).returncode  # noqa: S602 - the project's own command
    if code:
        raise RepositoryError(f"the verdicts are pushed; the policy's rerun_command ended with exit code {code}")


def _received(count: int, remote: str) -> str:
    return f"{plural_entries(count)} received from {one_line(remote)}"


def _pair_lines(path: str, standing: PairState) -> Iterator[str]:
    why = explained(standing)
    yield f"{standing.state} {one_line(path)}{f': {one_line(why)}' if why else ''}"
    said = sorted((*standing.entries, *standing.earlier), key=lambda entry: (entry.at, entry.id))
    here = {entry.id for entry in standing.entries}
    for entry, fate in fates(said):
        other = "" if entry.id in here else " (on other content)"
        yield f"  {_entry_line(entry, fate, path=False)}{other}"


def _entry_line(entry: Entry, fate: Fate, *, path: bool = True) -> str:
    what = [
        entry.verdict or ("resolve" if entry.resolves else entry.kind),
        *([one_line(entry.pair.path)] if path else []),
    ]
    what += [] if entry.step is None else [f"at {entry.step.spoken}"]
    marks = [mark for mark in ("automated" if entry.agent else "", fate if fate != "stands" else "") if mark]
    marks += [f"bulk {one_line(entry.bulk)}"] if entry.bulk else []
    marked = f" ({', '.join(marks)})" if marks else ""
    comment = f": {one_line(entry.comment)}" if entry.comment else ""
    return f"{entry.at:%Y-%m-%d %H:%M} {' '.join(what)} by {_who(entry.reviewer)}{marked}{comment}"


def _who(reviewer: Reviewer) -> str:
    return one_line(f"{reviewer.name} <{reviewer.email}>")


def _warned(warnings: Iterable[str]) -> None:
    for warning in warnings:
        sys.stderr.write(f"cassette-review: {warning}.\n")
