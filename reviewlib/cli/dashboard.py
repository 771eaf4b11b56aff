"""The commands that start the dashboard: ``demo`` and ``open``."""

import tempfile
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from reviewlib.cli.comparing import Paths, Sides, in_repository, printed, resolved
from reviewlib.demo import build_demo
from reviewlib.errors import UsageError
from reviewlib.serve import LaunchSpec, serve
from reviewlib.sources.git import Repository

_HERE = Sides()

Flag = Annotated[bool, Parameter(negative="")]


def demo(*, port: int | None = None, no_browser: Flag = False) -> None:
    """Build a repository of sample cassettes, and open the dashboard on its re-record.

    Parameters
    ----------
    port
        The port to answer on; 0 takes any free one.
    no_browser
        Print the link only.

    """
    with tempfile.TemporaryDirectory(prefix="cassette-review-demo-", ignore_cleanup_errors=True) as folder:
        built = build_demo(Path(folder) / "agents")
        printed(f"The sample repository is {built.path}; it is removed when this command ends.\n")
        spec = LaunchSpec(repository=built.path, revisions=built.revisions, title="Demo")
        serve(spec, port, open_browser=not no_browser)


def open_dashboard(
    revisions: str | None = None,
    /,
    *,
    pr: int | None = None,
    path: Paths = (),
    port: int | None = None,
    no_browser: Flag = False,
    sides: Sides = _HERE,
) -> None:
    """Open the dashboard on a comparison.

    Parameters
    ----------
    revisions
        A...B, A..B, A, or nothing.
    pr
        The number of a pull request; it is fetched without touching the working tree or a branch.
    path
        The cassettes or folders to look at; all that changed without it.
    port
        The port to answer on; 0 takes any free one.
    no_browser
        Print the link only.
    sides
        Where the two sides come from.

    """
    if pr is not None and revisions is not None:
        raise UsageError(f"--pr {pr} and {revisions} both say what to compare; leave one of them out.")
    repository = None if sides.baseline_dir or sides.head_dir else sides.repository()
    if repository is not None and pr is not None:
        revisions = repository.fetch_pull(pr)
    if repository is not None:
        resolved(repository, revisions)  # a wrong revision is said here, not on a page
    spec = LaunchSpec(
        repository=_place(repository, sides),
        revisions=revisions,
        baseline_dir=sides.baseline_dir,
        head_dir=sides.head_dir,
        paths=path if repository is None else tuple(in_repository(each, repository, sides) for each in path),
        everything=sides.everything,
    )
    serve(spec, port, open_browser=not no_browser)


def _place(repository: Repository | None, sides: Sides) -> Path | None:
    return sides.repo if repository is None else repository.root
