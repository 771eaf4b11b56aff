"""One cassette looked at by itself: which one the address names, and where it is read from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import streamlit as st

from dashboard import load
from reviewlib import pipeline
from reviewlib.errors import ReviewError, UsageError
from reviewlib.model.cassette import File, Unreadable
from reviewlib.model.trajectory import Recording

Place: TypeAlias = str
"""Where a cassette is read: ``@head``, ``@baseline``, ``@worktree``, or any revision of the repository."""

HEAD, BASELINE, WORKTREE = "@head", "@baseline", "@worktree"
PLACES = (HEAD, BASELINE, WORKTREE)

Sight: TypeAlias = Literal["conversation", "history", "compare", "miss", "raw"]
SIGHTS: tuple[Sight, ...] = ("conversation", "history", "compare", "miss", "raw")


@dataclass(frozen=True, slots=True)
class Look:
    """What the address says: a cassette and its place, how it is looked at, and the other one that it is compared with.

    ``request`` is the number of the request of the other one that might miss; 0: none of them.
    """

    path: str = ""
    place: Place = HEAD
    sight: Sight = "conversation"
    find: str = ""
    step: str = ""
    other_path: str = ""
    other_place: Place = BASELINE
    request: int = 0

    @classmethod
    def of(cls, params: Mapping[str, str]) -> "Look":
        """Read an address. ``pair`` and ``side`` are how the review names the same."""
        sight = params.get("view", "conversation")
        side = BASELINE if params.get("side") == "baseline" else HEAD
        return cls(
            path=params.get("path") or params.get("pair", ""),
            place=params.get("ref", side),
            sight=sight if sight in SIGHTS else "conversation",
            find=params.get("find", ""),
            step=params.get("step", ""),
            other_path=params.get("with", ""),
            other_place=params.get("with_ref", BASELINE),
            request=int(number) if (number := params.get("request", "")).isdecimal() and len(number) < 7 else 0,
        )

    def params(self) -> dict[str, str]:
        """Write the address. What is as usual is left out."""
        every = {
            "path": self.path,
            "ref": "" if self.place == HEAD else self.place,
            "view": "" if self.sight == "conversation" else self.sight,
            "find": self.find,
            "step": self.step,
            "with": self.other_path,
            "with_ref": "" if self.other_place == BASELINE else self.other_place,
            "request": str(self.request or ""),
        }
        return {name: value for name, value in every.items() if value}


@dataclass(frozen=True, slots=True)
class Found:
    """A cassette, or why it could not be read, with the files it was read from. None: there is none at that place."""

    recording: Recording | Unreadable | None
    files: tuple[File, ...] = ()


def current() -> Look:
    """What the address says now."""
    return Look.of(st.query_params.to_dict())


def go(**changes: Any) -> None:
    """Change what is looked at: one entry in the browser's history. Another cassette begins at its top."""
    if {"path", "place", "sight"} & set(changes):
        changes = {"step": "", **changes}
    if {"other_path", "other_place"} & set(changes):
        changes = {"request": 0, **changes}
    st.query_params.from_dict(replace(current(), **changes).params())


def find(desk: load.Desk, path: str, place: Place) -> Found:
    """Read a cassette at its place. A side of a pair is at hand already.

    Raises:
        ReviewError: there is no such revision or file, with near ones.

    """
    pair = desk.pair(path) or next((one for one in desk.review.pairs if one.baseline_path == path), None)
    if pair is not None and place in (HEAD, BASELINE):
        files = desk.files(pair)
        return Found(pair.head, files[1]) if place == HEAD else Found(pair.baseline, files[0])
    if desk.repository is None:
        raise UsageError(
            "Two folders are compared, outside any repository: only the cassettes that differ can be opened."
        )
    ref = {HEAD: desk.review.head.commit, BASELINE: desk.review.baseline.commit, WORKTREE: None}.get(place, place)
    files_found = desk.repository.file(path, ref)
    return Found(inspected(tuple(file.blob for file in files_found), files_found), files_found)


@st.cache_resource(max_entries=64, show_spinner=False)
def inspected(blobs: Sequence[str], _files: Sequence[File]) -> Recording | Unreadable:  # noqa: ARG001 - the ids are what is cached by
    """Read a cassette to the end, once for each content."""
    return pipeline.inspect(_files)


def found_or_sentence(desk: load.Desk, path: str, place: Place) -> Found | str:
    """The cassette, or in a sentence why there is none."""
    try:
        return find(desk, path, place)
    except ReviewError as error:
        return str(error)
