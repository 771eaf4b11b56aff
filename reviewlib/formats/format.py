"""What an adapter is: one frozen record that recognises one recorder's trees and reads them."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from reviewlib.decode import Kind
from reviewlib.model.cassette import Fact, File, Interaction
from reviewlib.model.frozen import Frozen, Plain

NO_REQUESTS: tuple[Fact, ...] = (
    "requests",
    "system_prompt",
    "user_messages",
    "tool_schemas",
    "parameters",
    "requested_model",
)
"""What is missing where a recorder stores no request at all."""


@dataclass(frozen=True, slots=True)
class Context:
    """Where a tree came from.

    ``files`` are the trees of a gathered folder, by path. ``sidecars`` are the files beside the cassette that hold parts of it.
    """

    path: str
    files: tuple[tuple[str, Plain], ...] = ()
    sidecars: tuple[File, ...] = ()


class Parsed(Frozen):
    """What an adapter read; the fields of a ``Cassette`` that depend on the format."""

    interactions: tuple[Interaction, ...]
    not_recorded: tuple[Fact, ...] = ()
    ordered: bool = True
    sees_executions: bool = False
    synthetic: bool = False
    recorded_at: float | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Companions:
    """The paths that may belong to one cassette: the files directly in ``folder`` whose names match ``pattern`` as a whole."""

    folder: str
    pattern: str

    def holds(self, path: str) -> bool:
        """Whether a path is one of them."""
        folder, _, name = path.rpartition("/")
        return folder == self.folder and re.fullmatch(self.pattern, name) is not None


@dataclass(frozen=True, slots=True)
class Format:
    """One adapter.

    ``name`` is stable (it stands in reports), ``title`` is for people. ``reads`` are the kinds of document it is written in; an adapter
    of ``jsonl`` gets the list of lines, also where there is only one. ``recognise`` looks at the shape of the items, never at a
    ``version`` alone. ``parse`` raises ``DecodeError`` (parse) with one sentence. ``gather`` is the pattern of file names that, within one
    folder, are one cassette; then ``parse`` gets the folder as ``context.path`` and every file in ``context.files``.
    ``summary`` says in two or three plain sentences what the format holds, what it does not, and who writes it.
    ``beside`` tells from a cassette's path where its sidecars would be: those at hand are in ``context.sidecars``, and are no
    cassettes of their own.
    """

    name: str
    title: str
    reads: frozenset[Kind]
    recognise: Callable[[Plain], bool]
    parse: Callable[[Plain, Context], Parsed]
    gather: str | None = None
    summary: str = ""
    beside: Callable[[str], Companions | None] | None = None
