"""The commands that start the dashboard: ``demo`` and ``open``."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from cyclopts import Parameter

from reviewlib.cli.comparing import Paths, Sides, in_repository, printed, resolved
from reviewlib.demo import build_demo
from reviewlib.errors import UsageError
from reviewlib.serve import HOST, LaunchSpec, serve
from reviewlib.serve.login import Login, is_loopback, read_login
from reviewlib.sources.git import Repository

_HERE = Sides()


@Parameter(name="*")
@dataclass(frozen=True)
class Door:
    """Who reaches the server.

    Parameters
    ----------
    host
        The address to listen on; others than this machine's own need a login.
    login
        The secrets file with the [auth] section of Streamlit's login (OpenID Connect): people sign in.
    allow
        Who may decide: a mail address, or a domain.
    readers
        Who may look and not decide: the same. Everybody else is refused.
    unsafe_no_login
        Listen on that address without a login: whoever gets hold of the link decides in your name.

    """

    host: str = HOST
    login: Path | None = None
    allow: tuple[str, ...] = ()
    readers: tuple[str, ...] = ()
    unsafe_no_login: bool = False

    def checked(self) -> Login | None:
        """How people sign in; None where they do not. Raises ``UsageError`` where strangers could come in, or nobody."""
        if self.login is None:
            self._check_without_login()
            return None
        if self.unsafe_no_login:
            raise UsageError("--login and --unsafe-no-login exclude each other; leave one of them out.")
        listed = (*self.allow, *self.readers)
        if not listed:
            raise UsageError("--login lets nobody in without a list: --allow example.org, or --allow ann@example.org.")
        for entry in listed:
            if not _is_listable(entry):
                raise UsageError(
                    f"{entry!r} is neither a mail address nor a domain; like ann@example.org, or example.org."
                )
        return read_login(self.login)

    def _check_without_login(self) -> None:
        if self.allow or self.readers:
            raise UsageError("--allow and --readers need a login, which says who somebody is: --login FILE.")
        if not is_loopback(self.host) and not self.unsafe_no_login:
            raise UsageError(
                f"--host {self.host} can be reached from other machines, and without a login whoever gets hold of the link reads "
                "everything and decides in your name. Let people sign in: --login FILE --allow example.org (docs/team.md); "
                "or say that the network keeps strangers out: --unsafe-no-login."
            )


_LOCAL = Door()


def demo(*, port: int | None = None, no_browser: bool = False) -> None:
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
    no_browser: bool = False,
    door: Door = _LOCAL,
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
    door
        Who reaches the server.
    sides
        Where the two sides come from.

    """
    if pr is not None and revisions is not None:
        raise UsageError(f"--pr {pr} and {revisions} both say what to compare; leave one of them out.")
    login = door.checked()
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
        allowed=door.allow,
        readers=door.readers,
    )
    serve(spec, port, host=door.host, login=login, open_browser=login is None and not no_browser)


def _place(repository: Repository | None, sides: Sides) -> Path | None:
    return sides.repo if repository is None else repository.root


def _is_listable(entry: str) -> bool:
    """Whether it is an address or a domain; a pattern would look as if it worked."""
    name, at, domain = entry.rpartition("@")
    return bool(domain) and (not at or "@" not in name) and entry.isascii() and not set(entry) & set(" \t\n*?/,;")
