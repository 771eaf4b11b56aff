"""What was attached to a run (images, documents, audio): each content once, with the sides that have it. Pure; no streamlit."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from dashboard.inert import one_line
from reviewlib.model.call import Media
from reviewlib.model.cassette import Cassette
from reviewlib.model.frozen import Plain
from reviewlib.model.review import Pair
from reviewlib.model.trajectory import Recording, ToolCall, UserMessage

Place: TypeAlias = Literal["baseline", "head", "both sides", ""]

MOST = 30
"""Attachments that are listed; more are counted."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """One content: what is known of it, where it stands, and the cassette that it can be found in again."""

    media: Media
    place: Place
    cassette: Cassette

    @property
    def key(self) -> str:
        """Names the content: its digest, else where it lies."""
        return self.media.digest or one_line(self.media.url or self.media.media_type, 80)


def of_pair(pair: Pair) -> tuple[Attachment, ...]:
    """The attachments of both sides, in the order of the head, then what the baseline alone has."""
    sides = [side for side in (pair.head, pair.baseline) if isinstance(side, Recording)]
    found = [{_name(media): Attachment(media, "", side.cassette) for media in _attached(side)} for side in sides]
    if len(found) < 2:
        return tuple(found[0].values()) if found else ()
    head, baseline = found
    return tuple(
        Attachment(
            one.media,
            "both sides" if name in head and name in baseline else "head" if name in head else "baseline",
            one.cassette,
        )
        for name, one in {**head, **{name: one for name, one in baseline.items() if name not in head}}.items()
    )


def of_recording(recording: Recording) -> tuple[Attachment, ...]:
    """The attachments of one recording, in reading order."""
    return tuple({_name(media): Attachment(media, "", recording.cassette) for media in _attached(recording)}.values())


def described(media: Media) -> str:
    """What is known of an attachment, on one line; it is never fetched."""
    size = f"{media.size:,} bytes" if media.size is not None else ""
    digest = f"sha256 {media.digest}" if media.digest else ""
    return ", ".join(filter(None, (media.media_type, size, digest, media.url or "")))


def _name(media: Media) -> tuple[str, str | None, str | None]:
    return media.media_type, media.digest, media.url


def _attached(recording: Recording) -> Iterator[Media]:
    for trajectory in recording.conversations:
        for step in trajectory.steps:
            if isinstance(step, UserMessage):
                yield from step.media
            elif isinstance(step, ToolCall):
                yield from _in_result(step.result)


def _in_result(result: Plain) -> Iterator[Media]:
    """Media stand in a result as reading left them: as their type, size and digest, beside its words."""
    blocks = result if isinstance(result, list) else [result]
    for block in blocks:
        if isinstance(block, dict) and block.get("kind") == "media" and isinstance(block.get("media_type"), str):
            size, digest, url = block.get("size"), block.get("digest"), block.get("url")
            yield Media(
                media_type=block["media_type"],
                size=size if isinstance(size, int) else None,
                digest=digest if isinstance(digest, str) else None,
                url=url if isinstance(url, str) else None,
            )
