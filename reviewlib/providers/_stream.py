"""Streamed answers, as recorders keep them: one body, pieces of one, or a list of events that are already parsed."""

from collections.abc import Sequence
from itertools import groupby

from reviewlib.model.frozen import Plain
from reviewlib.providers import _eventstream
from reviewlib.providers._plain import Tree, structure, tree
from reviewlib.providers._sse import FIELD, Stream, is_event_stream, objects_in, read_text


def read_body(body: Plain) -> Stream:
    """The events of a body: of server-sent events, an AWS event stream, JSON lines or a JSON array; none of anything else."""
    if isinstance(body, list):  # Gemini streams an array where it is not asked for server-sent events
        return Stream(tuple(map(tree, body)) if all(isinstance(item, dict) for item in body) else ())
    if not isinstance(body, (str, bytes)):
        return Stream()
    raw = _eventstream.frames(body)
    if raw is not None:
        return Stream(_eventstream.read_frames(raw))
    text = body if isinstance(body, str) else body.decode("utf-8", "replace")
    return read_text(text) if is_event_stream(text) else _read_lines(text)


def _read_lines(text: str) -> Stream:
    """The objects of newline-delimited JSON; none for a text with any other line. A last line that was cut short is left out."""
    lines = [line for line in text.split("\n") if line.strip()]
    if not lines or not lines[0].startswith("{"):
        return Stream()
    found = [structure(line) for line in lines]
    if found[-1] is None:
        del found[-1]
    return Stream(tuple(map(tree, found))) if all(isinstance(item, dict) for item in found) else Stream()


def read_chunks(chunks: Sequence[Plain]) -> Stream:
    """The events of a recorder that keeps a stream as a list: of parsed events, ``{data: event}`` records, or pieces of a body."""
    found: list[Tree] = []
    ended = False
    for kind, run in groupby(map(_unwrapped, chunks), key=type):
        if kind in {str, bytes}:
            stream = _read_pieces(list(run))
            found.extend(stream.events)
            ended = stream.ended
        elif kind is dict:
            found.extend(_eventstream.unwrapped(tree(chunk)) for chunk in run)
    return Stream(tuple(found), ended)


def _read_pieces(pieces: list[str] | list[bytes]) -> Stream:
    """A body is cut anywhere, so it is joined first; where that gives no stream, each piece is one event's data."""
    if isinstance(pieces[0], bytes):
        whole = b"".join(piece for piece in pieces if isinstance(piece, bytes))
        if _eventstream.frames(whole) is not None:
            return read_body(whole)
    texts = [piece if isinstance(piece, str) else piece.decode("utf-8", "replace") for piece in pieces]
    joined = ("\n\n" if _are_events(texts) else "").join(texts)
    found = structure(joined)
    stream = read_body(joined if found is None else found)
    if stream.events or is_event_stream(joined):
        return stream
    return Stream(tuple(event for text in texts for event in objects_in([text])), texts[-1].strip() == "[DONE]")


def _are_events(texts: Sequence[str]) -> bool:
    """True where the recorder has cut at the events and dropped the blank lines: each begins with a field, none ends its line."""
    return all(FIELD.match(text) for text in texts) and not any(text.endswith(("\n", "\r")) for text in texts)


def _unwrapped(chunk: Plain) -> Plain:
    is_record = isinstance(chunk, dict) and "data" in chunk and "type" not in chunk and "choices" not in chunk
    return chunk["data"] if is_record else chunk
