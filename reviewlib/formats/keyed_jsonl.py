"""JSON Lines of ``{key, recorded_at, request, response}``, appended call by call; ``key`` is the request's sha256."""

import re

from reviewlib.formats import http
from reviewlib.formats.format import Context, Format, Parsed
from reviewlib.model.cassette import Exchange, Request, Response
from reviewlib.model.frozen import Plain

_KEY = re.compile(r"[0-9a-f]{64}")


def recognise(lines: Plain) -> bool:
    """Whether every line has a 64-digit ``key``, a ``request`` and a ``response``."""
    return bool(lines) and all(_is_entry(line) for line in lines)


def parse(lines: Plain, _context: Context) -> Parsed:
    """Read the entries in file order; a key that occurs twice is another occurrence."""
    exchanges = tuple(_exchange(index, line) for index, line in enumerate(lines))
    return Parsed(interactions=exchanges, not_recorded=("http_status",), recorded_at=exchanges[0].recorded_at)


def _is_entry(line: Plain) -> bool:
    return (
        isinstance(line, dict)
        and isinstance(line.get("key"), str)
        and _KEY.fullmatch(line["key"]) is not None
        and isinstance(line.get("request"), dict)
        and isinstance(line.get("response"), (dict, list))
    )


def _exchange(index: int, line: dict[str, Plain]) -> Exchange:
    answer = line["response"]
    return Exchange(
        index=index,
        request=Request(body=line["request"]),
        response=Response(chunks=tuple(answer)) if isinstance(answer, list) else Response(body=http.body(answer)),
        key=line["key"],
        recorded_at=http.epoch(line.get("recorded_at")),
    )


FORMAT = Format(
    "keyed-jsonl",
    "JSON Lines of key, request, response",
    frozenset({"jsonl"}),
    recognise,
    parse,
    summary="Written by recorders that projects make for themselves, one line a call, appended. It holds requests and answers with their time; some "
    "drop the calls from the history they send. A request that is asked again is served from the file, not recorded anew.",
)
