"""The recorders whose cassettes can be read: one module with one frozen record each, in one visible tuple.

``read_cassettes`` reads a whole side at once, because a cassette may be several files. What cannot be read is a value too.
"""

import logging
import re
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

from reviewlib.collector import collector_paused
from reviewlib.decode import Decoded, decode
from reviewlib.errors import DecodeError
from reviewlib.formats import (
    agent_cassette,
    agentape,
    agentcassette,
    agentreplay,
    agenttape,
    braintrust,
    cassetteai,
    cassetter,
    cendor,
    claude_agent,
    copilot,
    ddapm,
    fp_list,
    generic,
    go_vcr,
    har,
    hash_files,
    httprr,
    keyed_jsonl,
    langchain_replay,
    llama_stack,
    llm_cassette,
    llm_recorder,
    llm_vcr,
    llmvcr,
    lone_answer,
    mcp_cassette,
    mlx,
    name_hash_map,
    nock,
    realtime,
    reel,
    replex,
    ruby_vcr,
    traceops,
    vcrpy,
    wiremock,
    xai_grpc,
)
from reviewlib.formats.content import tree_id
from reviewlib.formats.format import Companions, Context, Format
from reviewlib.leaks.masking import masked
from reviewlib.model.cassette import Cassette, Exchange, File, Interaction, ToolExecution, Unreadable
from reviewlib.model.frozen import Plain
from reviewlib.redact import mask, suspicious

__all__ = ["FALLBACK", "FORMATS", "Companions", "Format", "claims", "companions", "read_cassette", "read_cassettes"]

FORMATS: tuple[Format, ...] = (
    vcrpy.FORMAT,
    agentreplay.FORMAT,
    fp_list.FORMAT,
    hash_files.FORMAT,
    name_hash_map.FORMAT,
    keyed_jsonl.FORMAT,
    copilot.FORMAT,
    xai_grpc.FORMAT,
    realtime.FORMAT,
    ruby_vcr.FORMAT,
    go_vcr.FORMAT,
    ddapm.FORMAT,
    har.FORMAT,
    httprr.FORMAT,
    braintrust.FORMAT,
    nock.FORMAT,
    cassetter.FORMAT,
    llm_vcr.FORMAT,
    reel.FORMAT,
    replex.FORMAT,
    llm_recorder.FORMAT,
    llama_stack.FORMAT,
    cassetteai.FORMAT,
    wiremock.FORMAT,
    claude_agent.FORMAT,
    llm_cassette.FORMAT,
    agentcassette.FORMAT,
    cendor.FORMAT,
    traceops.FORMAT,
    llmvcr.FORMAT,
    agentape.FORMAT,
    mcp_cassette.FORMAT,
    agent_cassette.FORMAT,
    mlx.FORMAT,
    langchain_replay.FORMAT,
    lone_answer.FORMAT,
    agenttape.FORMAT,  # last: any YAML or JSON file may have its texts beside it
)

FALLBACK: Format = generic.FORMAT
"""Reads what no adapter claims, where answers of known APIs can be found in it."""

_P = ParamSpec("_P")
_T = TypeVar("_T")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Claimed:
    """A file, the one adapter that claims it, and its tree as that adapter reads it. ``guarded``: there may be secrets in it."""

    file: File
    format: Format
    value: Plain
    guarded: bool


@collector_paused()
def read_cassettes(files: Sequence[File]) -> tuple[Cassette | Unreadable, ...]:
    """Every cassette in the files of one side, sorted by path; files that no adapter claims are ``Unreadable`` (recognise).

    Files named by request hash are gathered: a folder of them is one cassette, whose path is the folder. A broken one among them is
    an ``Unreadable`` of its own and leaves the others unharmed. Sidecars belong to the cassette that they stand beside.
    """
    ordered = sorted(files, key=lambda each: each.path)
    read = [(file, _guarded(file.path, file.blob, _claim, file)) for file in ordered]
    beside = _sidecars(ordered, [claimed for _, claimed in read if isinstance(claimed, _Claimed)])
    taken = {sidecar.path for sidecars in beside.values() for sidecar in sidecars}
    results: list[Cassette | Unreadable] = []
    folders: defaultdict[tuple[str, str], list[_Claimed]] = defaultdict(list)
    for file, claimed in read:
        if file.path in taken:
            continue
        if isinstance(claimed, Unreadable):
            results.append(claimed)
        elif _is_gathered(claimed):
            folders[_folder(file.path), claimed.format.name].append(claimed)
        else:
            sidecars = beside.get(file.path, ())
            content = tree_id((each.path, each.blob) for each in (file, *sidecars)) if sidecars else file.blob
            results.append(_guarded(file.path, content, _single, claimed, content, sidecars))
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
    if pattern is not None:
        return Companions(folder, pattern)
    found = (each.beside(path) for each in FORMATS if each.beside)
    return next((sidecars for sidecars in found if sidecars is not None), None)


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
        said = masked(str(error))
        where = "".join(traceback.format_tb(error.__traceback__))
        _log.debug("unexpected failure in %s: %s: %s\n%s", path, type(error).__name__, said, where)
        reason = f"its shape is not the one its recorder writes ({type(error).__name__}: {said[:200]})"
        return Unreadable(path=path, content=content, stage="parse", reason=reason)


def _claim(file: File) -> _Claimed:
    if file.missing is not None:
        raise DecodeError("load", file.missing)
    decoded = decode(file.data)
    found = _candidates(decoded)
    if len(found) != 1:
        raise DecodeError("recognise", _ambiguous(found) if found else f"no recorder writes this: {_shape(decoded)}")
    format_, value = found[0]
    guarded = suspicious(decoded.data)
    return _Claimed(file, format_, mask(value) if guarded else value, guarded)


def _candidates(decoded: Decoded) -> list[tuple[Format, Plain]]:
    """Return the adapters that claim a file, or else the fallback, where that can read something in it."""
    return _claiming(FORMATS, decoded) or _claiming((FALLBACK,), decoded)


def _claiming(formats: Iterable[Format], decoded: Decoded) -> list[tuple[Format, Plain]]:
    views = ((format_, _view(format_, decoded)) for format_ in formats)
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


def _sidecars(files: Sequence[File], claimed: Sequence[_Claimed]) -> dict[str, tuple[File, ...]]:
    """Find the files that hold parts of a cassette, by the cassette's path."""
    shelves: defaultdict[str, list[File]] = defaultdict(list)
    for file in files:
        shelves[file.path.rpartition("/")[0]].append(file)
    found: dict[str, tuple[File, ...]] = {}
    for owner in claimed:
        place = owner.format.beside(owner.file.path) if owner.format.beside else None
        if place is not None:
            found[owner.file.path] = tuple(file for file in shelves[place.folder] if place.holds(file.path))
    return found


def _folder(path: str) -> str:
    return path.rpartition("/")[0] or "."


def _single(claimed: _Claimed, content: str, sidecars: tuple[File, ...]) -> Cassette:
    path = claimed.file.path
    guarded = claimed.guarded or any(suspicious(sidecar.data) for sidecar in sidecars)
    size = sum(len(file.data) for file in (claimed.file, *sidecars))
    cassette = _cassette(size, content, claimed.format, claimed.value, Context(path, sidecars=sidecars))
    return _masked(cassette) if guarded else cassette


def _gathered(folder: str, content: str, members: Sequence[_Claimed]) -> Cassette:
    trees = tuple((member.file.path, member.value) for member in members)
    size = sum(len(member.file.data) for member in members)
    cassette = _cassette(size, content, members[0].format, members[0].value, Context(folder, trees))
    return _masked(cassette) if any(member.guarded for member in members) else cassette


def _cassette(size: int, content: str, format_: Format, value: Plain, context: Context) -> Cassette:
    parsed = format_.parse(value, context)
    return Cassette(
        path=context.path,
        content=content,
        format=format_.name,
        interactions=parsed.interactions,
        not_recorded=parsed.not_recorded,
        ordered=parsed.ordered,
        sees_executions=parsed.sees_executions,
        synthetic=parsed.synthetic or any(_is_synthetic(each) for each in parsed.interactions),
        recorded_at=parsed.recorded_at,
        size=size,
        notes=parsed.notes,
    )


def _masked(cassette: Cassette) -> Cassette:
    """Mask what parsing brought to light: texts in a tree are masked as they stand, and may be JSON with members of their own."""
    interactions = tuple(
        _masked_run(each) if isinstance(each, ToolExecution) else _masked_exchange(each)
        for each in cassette.interactions
    )
    return cassette.model_copy(update={"interactions": interactions})


def _masked_run(run: ToolExecution) -> ToolExecution:
    return run.model_copy(update={"arguments": mask(run.arguments), "result": mask(run.result)})


def _masked_exchange(exchange: Exchange) -> Exchange:
    request, response = exchange.request, exchange.response
    if request is not None:
        request = request.model_copy(update={"body": mask(request.body)})
    if response is not None:
        chunks = None if response.chunks is None else tuple(map(mask, response.chunks))
        response = response.model_copy(update={"body": mask(response.body), "chunks": chunks})
    return exchange.model_copy(update={"request": request, "response": response})


def _is_synthetic(interaction: Interaction) -> bool:
    """Whether the answer's id says that it was written by hand."""
    if not isinstance(interaction, Exchange) or interaction.response is None:
        return False
    body = interaction.response.body
    return isinstance(body, dict) and str(body.get("id", "")).startswith("msg_synthetic_")
