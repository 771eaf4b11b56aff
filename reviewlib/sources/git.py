"""Reads both sides of a comparison from a git repository. Nothing here writes to it but ``fetch_pull``, into refs of its own."""

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from reviewlib.errors import PolicyError, RepositoryError, UsageError
from reviewlib.model.cassette import File
from reviewlib.model.review import Side
from reviewlib.policy import DEFAULT_POLICY, Policy
from reviewlib.policy_change import PolicyChange, policy_change
from reviewlib.sources import LARGEST_FILE, Comparison, Snapshot, policy_files
from reviewlib.sources.choosing import is_chosen, is_unlikely, is_within, near
from reviewlib.sources.command import Blob, Git, display_path, refusal
from reviewlib.sources.history import Version, last_recording, versions
from reviewlib.sources.listing import (
    NO_ID,
    UNHASHED,
    Changed,
    index_files,
    tree_changes,
    tree_files,
    worktree_changes,
    worktree_key,
)
from reviewlib.sources.revisions import default_branch, fetch_pull, is_unborn, merge_base, parse, resolve, resolve_both
from reviewlib.sources.siblings import Listing, Sides, siblings, with_siblings
from reviewlib.sources.surroundings import of_comparison, of_side
from reviewlib.sources.worktree import hashed, stored
from reviewlib.verdicts import Reviewer


@dataclass(frozen=True)
class Repository:
    """One repository, opened at its top. ``root`` is the git folder itself where there is no working tree.

    A value without open handles: it may be shared by threads.
    """

    root: Path
    git: Git
    bare: bool

    @classmethod
    def open(cls, path: Path) -> Self:
        """Find the repository that a folder belongs to.

        Raises:
            RepositoryError: none, or git refuses it (another owner), with what to do.

        """
        if not path.is_dir():
            raise RepositoryError(f"there is no folder {path}")
        here = Git(path.resolve())
        found = here.attempt("rev-parse", "--is-inside-work-tree", "--absolute-git-dir")
        if found.code:
            raise RepositoryError(refusal(found.complaint, "rev-parse"))
        inside, _, git_dir = os.fsdecode(found.out.removesuffix(b"\n")).partition("\n")
        bare = inside != "true"
        root = Path(git_dir if bare else here.line("rev-parse", "--show-toplevel"))
        return cls(root, Git(root).without_foreign_filters(), bare)

    def compare(self, revisions: str | None) -> Comparison:
        """Resolve ``A...B``, ``A..B``, ``A`` (against the working tree) or nothing to two sides.

        Nothing means HEAD against the working tree where a cassette differs there, else the default branch's merge base
        against HEAD.

        Raises:
            RepositoryError: a side cannot be resolved; near names or the missing history are in the message.

        """
        if revisions:
            wanted = parse(revisions)
        elif self._has_changed_cassettes():
            wanted = parse("HEAD")
        else:
            wanted = parse(f"{default_branch(self.git)}...HEAD")
        if wanted.head is None:
            return self._against_worktree(wanted.baseline)
        baseline, head = resolve_both(self.git, wanted.baseline, wanted.head)
        if wanted.merged:
            baseline = merge_base(self.git, baseline, head)
        return Comparison(
            baseline=Side(label=baseline, commit=baseline, revision=wanted.baseline),
            head=Side(label=head, commit=head, revision=wanted.head),
            key=f"{baseline}..{head}",
        )

    def snapshot(
        self, comparison: Comparison, policy: Policy, paths: Sequence[str] = (), *, everything: bool = False
    ) -> Snapshot:
        """Load the changed cassettes of a comparison with the unchanged files that belong to them.

        ``paths`` (files or folders, taken literally) narrow it, whatever the globs say; ``everything`` looks at every changed file of a
        readable type.

        Raises:
            UsageError: a path that neither side has, with near ones.

        """
        changes = self._changes(comparison)
        self._check_paths(paths, changes, comparison)
        chosen = [change for change in changes if is_chosen(change.path, policy, paths, everything=everything)]
        baseline, head = self._load(with_siblings(self.git, comparison.baseline.label, changes, self._settled(chosen)))
        dropped = set() if paths else {file.path for file in (*baseline, *head) if is_unlikely(file, policy)}
        before, around = of_comparison(self.git, self.root, comparison, policy)
        return Snapshot(
            baseline=comparison.baseline,
            head=comparison.head,
            baseline_files=tuple(file for file in baseline if file.path not in dropped),
            head_files=tuple(file for file in head if file.path not in dropped),
            skipped=0 if paths else len(changes) - len(chosen) + len(dropped),
            around=around,
            before=before,
        )

    def whole(
        self, ref: str | None, policy: Policy, paths: Sequence[str] = (), *, everything: bool = False
    ) -> Snapshot:
        """Load every cassette of one side, as head of a comparison with nothing. ``ref`` None is the working tree, HEAD in a bare repository.

        ``paths`` and ``everything`` as in ``snapshot``.

        Raises:
            RepositoryError: no such revision.
            UsageError: a path where nothing is.

        """
        commit = None if ref is None and not self.bare else resolve(self.git, ref or "HEAD")
        files = self._side_files(commit)
        for path in paths:
            if not any(is_within(display_path(name), path) for name in files):
                raise UsageError(f"there is no file {_missing(path, ref, files)}")
        chosen = [name for name in files if is_chosen(display_path(name), policy, paths, everything=everything)]
        shown = {name: files[name] for name in chosen} | siblings(chosen, files)
        loaded, _ = self._load(Sides(shown, {}))
        return Snapshot(
            baseline=Side(label="nothing"),
            head=Side(label=commit or "worktree", commit=commit, revision=ref or ""),
            baseline_files=(),
            head_files=tuple(file for file in loaded if paths or not is_unlikely(file, policy)),
            around=of_side(self.git, self.root, commit, commit or self.head_commit(), policy),
        )

    def file(self, path: str, ref: str | None = None) -> tuple[File, ...]:
        """Load a file of one side with the files that belong to it, itself first; all files of it where it is a folder.

        ``ref`` None is the working tree, HEAD in a bare repository.

        Raises:
            RepositoryError: no such revision, or no such file, with near ones.

        """
        commit = None if ref is None and not self.bare else resolve(self.git, ref or "HEAD")
        wanted = path.strip("/")
        files = self._side_files(commit)
        inside = sorted(name for name in files if is_within(display_path(name), wanted))
        if not inside:
            raise RepositoryError(f"there is no file {_missing(path, ref, files)}")
        shown = {name: files[name] for name in inside}
        shown |= siblings(inside, files)
        loaded, _ = self._load(Sides(shown, {}))
        return tuple(sorted(loaded, key=lambda file: (not is_within(file.path, wanted), file.path)))

    def last_recording(self, policy: Policy) -> str | None:
        """Find the newest commit behind HEAD that changed a cassette, in short; None where there is none."""
        return last_recording(self.git, policy.is_cassette_path)

    def versions(self, path: str, tips: Sequence[str]) -> tuple[Version, ...]:
        """List the commits that changed a file or folder, reachable from any of the ``tips`` (commit ids), the newest first."""
        return versions(self.git, path, tips)

    def policy(self, comparison: Comparison) -> Policy:
        """Read the policy that judges a comparison: the baseline's; HEAD's where the working tree is compared.

        Raises:
            PolicyError: it cannot be used as written.

        """
        return policy_files.policy_in(policy_files.at(self.git, self._judging(comparison)))

    def own_policy(self, ref: str | None) -> Policy:
        """Read the policy that stands at a revision; of the working tree where there is none."""
        return policy_files.policy_in(
            policy_files.here(self.root)
            if ref is None and not self.bare
            else policy_files.at(self.git, resolve(self.git, ref or "HEAD"))
        )

    def policy_file(self, comparison: Comparison) -> str:
        """Name the file that the judging policy stands in, or would stand in."""
        return policy_files.name_in(policy_files.at(self.git, self._judging(comparison)))

    def policy_change(self, comparison: Comparison, judging: Policy) -> PolicyChange | None:
        """Tell whether the head has other rules than those it is judged by (``policy``); None where it has not."""
        texts = (
            policy_files.at(self.git, comparison.head.commit)
            if comparison.head.commit
            else policy_files.here(self.root)
        )
        try:
            head: Policy | str = policy_files.policy_in(texts)
        except PolicyError as error:
            head = str(error)
        return policy_change(judging, head, policy_files.name_in(texts), len(comparison.baseline.label))

    def authors(self, comparison: Comparison) -> frozenset[str]:
        """Name those who wrote what is under review, as ``Reviewer.key`` does: the authors of the commits between both sides, merges aside;
        where the working tree is compared, whoever is at work here, too.

        A ``.mailmap`` is not asked: it is part of what is under review.
        """
        known = set()
        head = comparison.head.commit or self.head_commit()
        if head is not None:
            since = comparison.baseline.commit
            revisions = (head, f"^{since}") if since else (head,)
            log = self.git.run("log", "--no-merges", "--no-show-signature", "--format=%ae%x00%an", *revisions, "--")
            for line in log.decode(errors="replace").splitlines():
                email, _, name = line.partition("\0")
                known.add(Reviewer(name=name, email=email).key)
        if comparison.head.commit is None:
            with suppress(RepositoryError):
                known.add(self.reviewer().key)
        return frozenset(known)

    def head_commit(self) -> str | None:
        """Name the commit that is checked out; None before the first."""
        return None if is_unborn(self.git) else resolve(self.git, "HEAD")

    def branch(self) -> str | None:
        """Name the branch that is checked out; None where there is none."""
        found = self.git.attempt("symbolic-ref", "--quiet", "--short", "HEAD")
        return found.out.decode(errors="replace").strip() if found.code == 0 else None

    def shared_policy(self) -> Policy:
        """Read the policy of the default branch: what everybody agreed on, whatever is checked out here."""
        try:
            return policy_files.policy_in(policy_files.at(self.git, resolve(self.git, default_branch(self.git))))
        except RepositoryError:
            return DEFAULT_POLICY

    def fetch_pull(self, number: int) -> str:
        """Fetch a pull request (a merge request) from the remote; the revisions that compare it with where it left the default branch."""
        return fetch_pull(self.git, number)

    def reviewer(self) -> Reviewer:
        """Who git says is at work here.

        Raises:
            RepositoryError: git knows no name or no mail address.

        """
        name = os.environ.get("GIT_AUTHOR_NAME") or self._setting("user.name")
        email = os.environ.get("GIT_AUTHOR_EMAIL") or self._setting("user.email")
        if not name or not email:
            raise RepositoryError(
                "git does not know who you are, and a verdict carries a name; "
                'set one: git config user.name "Your Name" and git config user.email you@example.org'
            )
        return Reviewer(name=name, email=email)

    def _setting(self, key: str) -> str:
        return self.git.attempt("config", "--get", key).out.decode(errors="replace").strip()

    def _against_worktree(self, revision: str) -> Comparison:
        if self.bare:
            raise RepositoryError(
                f"this repository is bare and has no working tree; name two revisions: {revision}..HEAD"
            )
        unborn = revision == "HEAD" and is_unborn(self.git)
        baseline = None if unborn else resolve(self.git, revision)
        tree = baseline or self._empty_tree()
        return Comparison(
            baseline=Side(label=tree, commit=baseline, revision=revision),
            head=Side(label="worktree"),
            key=worktree_key(self.root, tree, worktree_changes(self.git, self.root, tree)),
        )

    def _empty_tree(self) -> str:
        return self.git.line("hash-object", "-t", "tree", "--stdin")

    def _has_changed_cassettes(self) -> bool:
        """Whether a cassette of the working tree differs from HEAD in content, not only in time."""
        if self.bare:
            return False
        head = self.head_commit()
        policy = policy_files.policy_in(policy_files.at(self.git, head))
        changes = worktree_changes(self.git, self.root, head or self._empty_tree())
        return bool(self._settled([change for change in changes if policy.is_cassette_path(change.path)]))

    def _settled(self, suspects: Sequence[Changed]) -> list[Changed]:
        """Without the files that only look changed: a newer time, the same content."""
        ids = hashed(self.git, self.root, [change.name for change in suspects if change.head == UNHASHED]).ids
        return [change for change in suspects if ids.get(change.name, change.head) != change.baseline]

    def _judging(self, comparison: Comparison) -> str | None:
        """Name the commit whose policy judges a comparison; None before the first."""
        return comparison.baseline.commit if comparison.head.commit else self.head_commit()

    def _changes(self, comparison: Comparison) -> tuple[Changed, ...]:
        if comparison.head.commit is None:
            return worktree_changes(self.git, self.root, comparison.baseline.label)
        return tree_changes(self.git, comparison.baseline.label, comparison.head.commit)

    def _check_paths(self, paths: Sequence[str], changes: Sequence[Changed], comparison: Comparison) -> None:
        unknown = [path for path in paths if not any(is_within(change.path, path) for change in changes)]
        if not unknown:
            return
        known = {
            display_path(name)
            for commit in (comparison.baseline.label, comparison.head.commit)
            for name in self._side_files(commit)
        }
        for path in unknown:
            if not any(is_within(name, path) for name in known):
                hint = near(path, (change.path for change in changes))
                raise UsageError(f"there is no file {path!r} on either side{hint}")

    def _side_files(self, commit: str | None) -> dict[bytes, str]:
        """All files of a side. None is the working tree."""
        if commit is not None:
            return tree_files(self.git, commit)
        files = index_files(self.git)
        for change in worktree_changes(self.git, self.root, self.head_commit() or self._empty_tree()):
            if change.head is None:
                files.pop(change.name, None)
            else:
                files[change.name] = change.head
        return files

    def _load(self, sides: Sides) -> tuple[tuple[File, ...], tuple[File, ...]]:
        """Both sides' bytes, from one ``cat-file``."""
        to_hash = sorted({name for side in sides for name, oid in side.items() if oid == UNHASHED})
        with stored(self.git, self.root, to_hash) as (git, found):
            named = Sides(*({name: oid or found.ids.get(name, NO_ID) for name, oid in side.items()} for side in sides))
            blobs = git.blobs((oid for side in named for oid in side.values() if oid != NO_ID), LARGEST_FILE)
        return _files(named.baseline, blobs, found.reasons), _files(named.head, blobs, found.reasons)


def _files(side: Listing, blobs: Mapping[str, Blob], reasons: Mapping[bytes, str]) -> tuple[File, ...]:
    files = []
    for name, oid in sorted(side.items()):
        blob = blobs.get(oid, Blob(oid, None, reasons.get(name, "it could not be read")))
        missing = None if blob.data is not None else blob.reason
        files.append(File(path=display_path(name), blob=oid, data=blob.data or b"", missing=missing))
    return tuple(files)


def _missing(path: str, ref: str | None, files: Listing) -> str:
    """Say of a path that it is not on a side, and what is near it there."""
    return f"{path!r} {f'at {ref}' if ref else 'in the working tree'}{near(path, map(display_path, files))}"
