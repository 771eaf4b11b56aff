"""What a person calls two sides, resolved once to commit ids."""

from typing import NamedTuple

from rapidfuzz import process

from reviewlib.errors import RepositoryError
from reviewlib.sources.command import Git

SHALLOW = (
    "this clone is shallow and lacks the history that is needed: check out with fetch-depth: 2 and compare HEAD^1..HEAD, "
    "or run git fetch --deepen=50 (git fetch --unshallow for all of it)"
)

_PULL_REFS = ("refs/pull/{}/head", "refs/merge-requests/{}/head")
"""GitHub's name for a pull request's head, and GitLab's."""


class Range(NamedTuple):
    """Two sides as written. ``head`` is None for the working tree; ``merged`` asks for the merge base of both."""

    baseline: str
    head: str | None
    merged: bool


def parse(revisions: str) -> Range:
    """Read ``A...B``, ``A..B`` or ``A``; an empty side means HEAD, as in git."""
    for dots in ("...", ".."):
        baseline, found, head = revisions.partition(dots)
        if found:
            return Range(baseline or "HEAD", head or "HEAD", dots == "...")
    return Range(revisions, None, merged=False)


def resolve(git: Git, revision: str) -> str:
    """Find the commit id of a revision.

    Raises:
        RepositoryError: there is none; near names, or what a shallow clone has to fetch, are in the message.

    """
    outcome = git.attempt("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if outcome.code == 0:
        return outcome.out.decode().split()[-1]
    if not names(git) and is_unborn(git):
        raise RepositoryError(f"there is no revision {revision!r}: this repository has no commit yet")
    if is_shallow(git) and any(mark in revision for mark in "^~"):
        raise RepositoryError(f"there is no revision {revision!r}: {SHALLOW}")
    near = _near(git, revision)
    hint = f"near it are {', '.join(near)}" if near else "git branch --all lists the branches that are here"
    shallow = f"; {SHALLOW}" if is_shallow(git) and not near else ""
    raise RepositoryError(f"there is no revision {revision!r}; {hint}{shallow}")


def resolve_both(git: Git, baseline: str, head: str) -> tuple[str, str]:
    """Find the commit ids of two revisions. Raises as ``resolve``."""
    return both(git, baseline, head) or (resolve(git, baseline), resolve(git, head))


def both(git: Git, baseline: str, head: str) -> tuple[str, str] | None:
    """Find the commit ids of two revisions with one call of git; None where one of them is not there."""
    outcome = git.attempt("rev-parse", "--end-of-options", f"{baseline}^{{commit}}", f"{head}^{{commit}}")
    found = outcome.out.decode(errors="replace").split()[-2:]
    return (found[0], found[1]) if outcome.code == 0 and len(found) == 2 else None


def merge_base(git: Git, baseline: str, head: str) -> str:
    """Find the best common ancestor of two commits.

    Raises:
        RepositoryError: there is none here; a shallow clone is told what to fetch.

    """
    outcome = git.attempt("merge-base", baseline, head)
    if outcome.code == 0:
        return outcome.out.decode().split()[0]
    if is_shallow(git):
        raise RepositoryError(f"no common ancestor of {baseline[:12]} and {head[:12]} is here: {SHALLOW}")
    raise RepositoryError(
        f"{baseline[:12]} and {head[:12]} have no common ancestor; compare them directly with two dots, A..B"
    )


def default_branch(git: Git) -> str:
    """Find the branch that pull requests go to: the remote's HEAD, else main or master, of the remote or local.

    Raises:
        RepositoryError: none of them is here.

    """
    remote = git.attempt("rev-parse", "--verify", "--quiet", "--abbrev-ref", "refs/remotes/origin/HEAD")
    if remote.code == 0 and remote.out.strip():
        return remote.out.decode().strip()
    here = names(git)
    for name in ("origin/main", "origin/master", "main", "master"):
        if name in here:
            return name
    if is_shallow(git):
        raise RepositoryError(f"no default branch is here to compare with: {SHALLOW}")
    raise RepositoryError("no default branch (main, master, origin/HEAD) is here; name two revisions, as in A...B")


def fetch_pull(git: Git, number: int) -> str:
    """Fetch a pull request's head and the default branch of its remote into refs of our own; the revisions that compare them.

    Neither the working tree, nor a branch, nor a remote-tracking branch moves.

    Raises:
        RepositoryError: no remote, no such pull request, or no common ancestor here.

    """
    remote = _remote(git)
    base = _remote_head(git, remote)
    private, private_base = f"refs/cassette-review/pull/{number}", f"refs/cassette-review/base/{number}"
    complaint = ""
    for pattern in _PULL_REFS:
        refspecs = (f"+{pattern.format(number)}:{private}", f"+{base}:{private_base}")
        outcome = git.attempt(*_FETCH, "--end-of-options", remote, *refspecs, online=True)
        if outcome.code == 0:
            ancestor = merge_base(git, resolve(git, private_base), resolve(git, private))
            return f"{ancestor}...{private}"
        complaint = outcome.complaint
        if "couldn't find remote ref" not in complaint:
            break
    reason = complaint.strip().splitlines()[0].removeprefix("fatal: ") if complaint.strip() else "no reason given"
    raise RepositoryError(f"pull request {number} could not be fetched from the remote {remote!r}: {reason}")


_FETCH = (
    "fetch",
    "--quiet",
    "--no-tags",
    "--no-write-fetch-head",
    "--no-recurse-submodules",
    "--no-auto-maintenance",
    "--refmap=",
)


def _remote(git: Git) -> str:
    """Choose the remote that has the pull requests: a fork's upstream before its origin."""
    remotes = git.run("remote").decode().split()
    for name in ("upstream", "origin", *remotes):
        if name in remotes:
            return name
    raise RepositoryError("this repository has no remote to fetch a pull request from; git remote add origin URL")


def _remote_head(git: Git, remote: str) -> str:
    outcome = git.attempt("ls-remote", "--symref", "--end-of-options", remote, "HEAD", online=True)
    first = outcome.out.decode(errors="replace").splitlines()[:1]
    if outcome.code or not first or not first[0].startswith("ref: "):
        reason = outcome.complaint.strip().splitlines()[:1]
        raise RepositoryError(
            f"the remote {remote!r} does not say its default branch: {reason[0] if reason else 'it has no HEAD'}"
        )
    return first[0].removeprefix("ref: ").split("\t")[0]


def names(git: Git) -> tuple[str, ...]:
    """List the short names of all branches, tags and remote branches."""
    listing = git.run("for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/remotes", "refs/tags")
    return tuple(listing.decode(errors="backslashreplace").split("\n")[:-1])


def is_unborn(git: Git) -> bool:
    """Whether HEAD has no commit yet."""
    return git.attempt("rev-parse", "--verify", "--quiet", "HEAD^{commit}").code != 0


def is_shallow(git: Git) -> bool:
    """Whether history was cut off when this clone was made."""
    return git.line("rev-parse", "--is-shallow-repository") == "true"


def _near(git: Git, revision: str) -> tuple[str, ...]:
    """Names like a revision: the same name on a remote first, then similar ones."""
    here = names(git)
    remote = tuple(name for name in here if name.endswith(f"/{revision}"))
    similar = tuple(name for name, _, _ in process.extract(revision, here, limit=3, score_cutoff=70))
    return tuple(dict.fromkeys((*remote, *similar)))[:3]
