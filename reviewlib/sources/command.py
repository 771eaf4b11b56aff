"""Runs git, through GitPython, and keeps the reviewed repository from running anything.

A repository's own configuration can name programs (fsmonitor, hooks, external diffs, text conversions, filters); none
of those is started here, but for git-lfs. Each call has a ``git.Git`` of its own: one shared by four threads returned the
contents of other blobs.
"""

import os
import re
import shlex
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeVar, cast

from reviewlib.errors import RepositoryError

os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")  # else the import fails where git is not installed
import git

T = TypeVar("T")

_QUIET = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}", "-c", "core.untrackedCache=false")
_OFFLINE = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}
"""A partial clone would fetch what it lacks. git < 2.45 knows no ``GIT_NO_LAZY_FETCH``; no protocol is allowed it there."""

_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
}

_TRUSTED_FILTERS = ("git-lfs ",)


class Outcome(NamedTuple):
    """What a git command gave: its exit code, its output, and its complaint."""

    code: int
    out: bytes
    complaint: str


class Blob(NamedTuple):
    """One object as ``cat-file`` gave it; ``data`` is None where it is not at hand, and ``reason`` says why."""

    oid: str
    data: bytes | None
    reason: str = ""


@dataclass(frozen=True)
class Git:
    """Git at work in one directory. ``extra`` is the environment beyond the standing one."""

    directory: Path
    extra: Mapping[str, str] = field(default_factory=dict)

    def with_environment(self, **extra: str) -> "Git":
        """Give the same, with more environment."""
        return Git(self.directory, {**self.extra, **extra})

    def without_foreign_filters(self) -> "Git":
        """Give the same with the filter programs silenced that the repository's own configuration names, but for git-lfs.

        Git runs them wherever it suspects a change, for a mere listing too. The settings travel in the environment, after
        those that are there: a driver's name may hold a ``=``, which ``-c`` would take for its end.
        """
        listing = self.attempt("config", "--show-scope", "-z", "--get-regexp", r"^filter\..*\.(clean|process)$").out
        fields = os.fsdecode(listing).split("\0")
        silenced: dict[str, str] = {}
        for scope, record in zip(fields[::2], fields[1::2], strict=False):
            key, _, program = record.partition("\n")
            if scope in ("local", "worktree") and not program.startswith(_TRUSTED_FILTERS):
                driver = key.rpartition(".")[0]
                silenced |= {f"{driver}.clean": "", f"{driver}.process": "", f"{driver}.required": "false"}
        if not silenced:
            return self
        first = int(os.environ.get("GIT_CONFIG_COUNT") or 0)
        settings = {"GIT_CONFIG_COUNT": str(first + len(silenced))}
        for number, (key, value) in enumerate(silenced.items(), first):
            settings |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
        return self.with_environment(**settings)

    def attempt(self, *arguments: str, stdin: bytes = b"", online: bool = False) -> Outcome:
        """Run a command and take its exit code as it is.

        Raises:
            RepositoryError: git is not installed.

        """
        with _as_file(stdin) as stream:
            result = self._execute(arguments, stream, online=online)
        code, out, complaint = cast("tuple[int, bytes, str]", result)
        return Outcome(code, out, complaint)

    def run(self, *arguments: str, stdin: bytes = b"", online: bool = False) -> bytes:
        """Run a command that has to succeed, and give its output.

        Raises:
            RepositoryError: git refused; its first words are in the message.

        """
        outcome = self.attempt(*arguments, stdin=stdin, online=online)
        if outcome.code:
            raise RepositoryError(refusal(outcome.complaint, arguments[0]))
        return outcome.out

    def line(self, *arguments: str, stdin: bytes = b"") -> str:
        """Give the only line of a command that has to succeed."""
        return os.fsdecode(self.run(*arguments, stdin=stdin).removesuffix(b"\n"))

    def blobs(self, oids: Iterable[str], largest: int) -> dict[str, Blob]:
        """Read the contents of objects by id, from one ``cat-file --batch``.

        An object that is missing, corrupt or larger than ``largest`` bytes is there without data. The sizes are asked for
        first, so that nothing larger is ever loaded.
        """
        found: dict[str, Blob] = {}
        sizes = self._objects(list(dict.fromkeys(oids)), "--batch-check", _read_size)
        fitting = [oid for oid, size in sizes.items() if isinstance(size, int) and size <= largest]
        contents = self._objects(fitting, "--batch", _read_blob)
        for oid, size in sizes.items():
            content = contents.get(oid, size)
            if isinstance(content, bytes):
                found[oid] = Blob(oid, content)
            elif isinstance(content, str):
                found[oid] = Blob(oid, None, content)
            else:
                found[oid] = Blob(oid, None, f"it has {size} bytes, and files are read up to {largest}")
        return found

    def _objects(self, oids: list[str], mode: str, read: Callable[[BytesIO], T | str]) -> dict[str, T | str]:
        """One answer per object: what ``read`` takes from the stream, or in words why there is none.

        Git dies at a corrupt object, and where it may not fetch; it is then started again behind it.
        """
        found: dict[str, T | str] = {}
        while len(found) < len(oids):
            rest = oids[len(found) :]
            outcome = self.attempt("cat-file", mode, stdin="".join(f"{oid}\n" for oid in rest).encode())
            stream = BytesIO(outcome.out)
            for oid in rest:
                try:
                    found[oid] = read(stream)
                except EOFError:
                    found[oid] = refusal(outcome.complaint, "cat-file")
                    break
        return found

    def _execute(self, arguments: Sequence[str], stream: BinaryIO, *, online: bool) -> object:
        command = [git.Git.GIT_PYTHON_GIT_EXECUTABLE or "git", *_QUIET, *arguments]
        try:
            return git.Git(self.directory).execute(
                command,
                istream=stream,
                with_extended_output=True,
                with_exceptions=False,
                stdout_as_string=False,
                strip_newline_in_stdout=False,
                env={**_ENVIRONMENT, **({} if online else _OFFLINE), **self.extra},
            )
        except git.GitCommandNotFound as error:
            raise RepositoryError("git was not found; install it, or put it on the PATH") from error


def _read_size(stream: BytesIO) -> int | str:
    """Read the size in an answer of ``cat-file --batch-check``: ``<oid> <type> <size>``, or ``<oid> missing``."""
    header = stream.readline().split()
    if not header:
        raise EOFError
    return int(header[2]) if len(header) == 3 else "its content is not in this clone"


def _read_blob(stream: BytesIO) -> bytes | str:
    """Read the bytes in an answer of ``cat-file --batch``: the line of ``--batch-check``, the bytes, a newline."""
    size = _read_size(stream)
    if isinstance(size, str):
        return size
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    stream.read(1)
    return data


def _as_file(data: bytes) -> BinaryIO:
    """Make standard input a file: git reads at its own pace, and no pipe can fill up on either side."""
    stream = cast("BinaryIO", tempfile.TemporaryFile())  # noqa: SIM115 - the caller closes it
    stream.write(data)
    stream.seek(0)
    return stream


def refusal(complaint: str, command: str = "git") -> str:
    """Put a complaint of git as one sentence for a person, with what to do where that is known."""
    owned = re.search(r"dubious ownership in repository at '(.+)'$", complaint, re.MULTILINE)
    if owned:
        return (
            f"the repository at {owned[1]} belongs to another user, and git does not trust it; "
            f"if you do: git config --global --add safe.directory {shlex.quote(owned[1])}"
        )
    if "not a git repository" in complaint:
        return (
            "this is no git repository; name one with --repo DIR, or compare folders with --baseline-dir and --head-dir"
        )
    lines = [line.strip() for line in complaint.splitlines() if line.strip()]
    first = next(
        (line for line in lines if line.startswith(("fatal:", "error:"))), lines[0] if lines else "no reason given"
    )
    return f"git {command} refused: {first.removeprefix('fatal:').removeprefix('error:').strip()}"


def quote_path(name: bytes) -> bytes:
    """Write a path as git's line protocols take it: in quotes, with octal escapes, so that newlines and any byte pass."""
    escaped = b"".join(
        b"\\%03o" % byte if byte < 0x20 or byte >= 0x7F or byte in b'"\\' else bytes((byte,)) for byte in name
    )
    return b'"' + escaped + b'"'


def display_path(name: bytes) -> str:
    """Show a path as text; bytes that are no UTF-8 are written in hex, since a lone surrogate could not be printed."""
    return name.decode("utf-8", "backslashreplace")
