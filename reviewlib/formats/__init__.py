"""The recorders whose cassettes can be read: one module with one frozen record each, in one visible tuple.

``read_cassettes`` reads a whole side at once, because a cassette may be several files. What cannot be read is a value too.
"""

import logging
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

from reviewlib.decode import Decoded, decode
from reviewlib.errors import DecodeError
from reviewlib.formats import agentreplay, fp_list, hash_files, keyed_jsonl, name_hash_map, vcrpy
from reviewlib.formats.content import tree_id
from reviewlib.formats.format import Companions, Context, Format
from reviewlib.model.cassette import Cassette, Exchange, File, Interaction, Unreadable
from reviewlib.model.frozen import Plain
from reviewlib.redact import mask, suspicious

__all__ = ["FORMATS", "Companions", "Format", "claims", "companions", "read_cassette", "read_cassettes"]

FORMATS: tuple[Format, ...] = (
    vcrpy.FORMAT,
    agentreplay.FORMAT,
    fp_list.FORMAT,
    hash_files.FORMAT,
    name_hash_map.FORMAT,
    keyed_jsonl.FORMAT,
)

_P = ParamSpec("_P")
_T = TypeVar("_T")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Claimed:
    """A file, the one adapter that claims it, and its tree as that adapter reads it."""

    file: File
    format: Format
    value: Plain


def read_cassettes(files: Sequence[File]) -> tuple[Cassette | Unreadable, ...]:
    """Every cassette in the files of one side, sorted by path; files that no adapter claims are ``Unreadable`` (recognise).

    Files named by request hash are gathered: a folder of them is one cassette, whose path is the folder. A broken one among them is
    an ``Unreadable`` of its own and leaves the others unharmed.
    """
    results: list[Cassette | Unreadable] = []
    folders: defaultdict[tuple[str, str], list[_Claimed]] = defaultdict(list)
    for file in sorted(files, key=lambda each: each.path):
        claimed = _guarded(file.path, file.blob, _claim, file)
        if isinstance(claimed, Unreadable):
            results.append(claimed)
        elif _is_gathered(claimed):
            folders[_folder(file.path), claimed.format.name].append(claimed)
        else:
            results.append(_guarded(file.path, file.blob, _single, claimed))
    for (folder, _), members in folders.items():
        content = tree_id((member.file.path, member.file.blob) for member in members)
        results.append(_guarded(folder, content, _gathered, folder, content, members))
    return tuple(sorted(results, key=lambda each: each.path))


def read_cassette(file: File, companions: Sequence[File] = ()) -> Cassette | Unreadable:
    """Return the cassette that a file is, or is part of; ``companions`` are the other files that may belong to it."""
    results = read_cassettes([file, *(other for other in companions if other.path != file.path)])
    own = [result for result in results if result.path == file.path]
    return (own or [result for result in results if result.path == _folder(file.path)])[0]


def companions(path: str) -> Companions | None:
    """Which other paths of the same side may belong to the same cassette, told by the name alone; None where there can be none."""
    folder, _, name = path.rpartition("/")
    pattern = next((each.gather for each in FORMATS if each.gather and re.fullmatch(each.gather, name)), None)
    return None if pattern is None else Companions(folder, pattern)


def claims(file: File) -> bool:
    """Whether the file can be decoded and an adapter recognises it."""
    claimed = _guarded(file.path, file.blob, lambda: _candidates(decode(file.data)))
    return not isinstance(claimed, Unreadable) and bool(claimed)


def _guarded(path: str, content: str, read: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T | Unreadable:
    """Call ``read``; this is the one boundary behind which a failure of one cassette becomes a value."""
    try:
        return read(*args, **kwargs)
    except DecodeError as error:
        return Unreadable(path=path, content=content, stage=error.stage, reason=error.reason)
    except Exception as error:  # noqa: BLE001 - recorded files are hostile; one of them never ends a review
        _log.debug("unexpected failure in %s", path, exc_info=True)
        reason = f"its shape is not the one its recorder writes ({type(error).__name__}: {str(error)[:200]})"
        return Unreadable(path=path, content=content, stage="parse", reason=reason)


def _claim(file: File) -> _Claimed:
    if file.missing is not None:
        raise DecodeError("load", file.missing)
    decoded = decode(file.data)
    found = _candidates(decoded)
    if len(found) != 1:
        raise DecodeError("recognise", _ambiguous(found) if found else f"no recorder writes this: {_shape(decoded)}")
    format_, value = found[0]
    return _Claimed(file, format_, mask(value) if suspicious(decoded.data) else value)


def _candidates(decoded: Decoded) -> list[tuple[Format, Plain]]:
    views = ((format_, _view(format_, decoded)) for format_ in FORMATS)
    return [(format_, value) for format_, value in views if value is not None and format_.recognise(value)]


def _view(format_: Format, decoded: Decoded) -> Plain:
    """Return the value as the adapter reads it, None where it reads no such document. One line of JSON Lines decodes as JSON."""
    if decoded.kind in format_.reads:
        return decoded.value
    if "jsonl" in format_.reads and decoded.kind == "json" and isinstance(decoded.value, dict):
        return [decoded.value]
    return None


def _ambiguous(found: Iterable[tuple[Format, Plain]]) -> str:
    return "more than one recorder may have written this: " + ", ".join(format_.title for format_, _ in found)


def _shape(decoded: Decoded) -> str:
    value, kind = decoded.value, "JSON Lines" if decoded.kind == "jsonl" else decoded.kind.upper()
    if isinstance(value, dict):
        return f"{kind} with the keys {', '.join(list(value)[:8])[:200]}" if value else f"{kind}, an empty object"
    return f"{kind}, a list of {len(value)}" if isinstance(value, list) else "plain text"


def _is_gathered(claimed: _Claimed) -> bool:
    gather = claimed.format.gather
    return gather is not None and re.fullmatch(gather, claimed.file.path.rpartition("/")[2]) is not None


def _folder(path: str) -> str:
    return path.rpartition("/")[0] or "."


def _single(claimed: _Claimed) -> Cassette:
    file = claimed.file
    return _cassette(file.path, file.blob, claimed.format, claimed.value, Context(file.path))


def _gathered(folder: str, content: str, members: Sequence[_Claimed]) -> Cassette:
    trees = tuple((member.file.path, member.value) for member in members)
    return _cassette(folder, content, members[0].format, members[0].value, Context(folder, trees))


def _cassette(path: str, content: str, format_: Format, value: Plain, context: Context) -> Cassette:
    parsed = format_.parse(value, context)
    return Cassette(
        path=path,
        content=content,
        format=format_.name,
        interactions=parsed.interactions,
        not_recorded=parsed.not_recorded,
        ordered=parsed.ordered,
        synthetic=parsed.synthetic or any(_is_synthetic(each) for each in parsed.interactions),
        recorded_at=parsed.recorded_at,
        notes=parsed.notes,
    )


def _is_synthetic(interaction: Interaction) -> bool:
    """Whether the answer's id says that it was written by hand."""
    if not isinstance(interaction, Exchange) or interaction.response is None:
        return False
    body = interaction.response.body
    return isinstance(body, dict) and str(body.get("id", "")).startswith("msg_synthetic_")
