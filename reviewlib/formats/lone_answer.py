"""A file that is one HTTP answer, ``{status, headers, body}``, and nothing else: kept by hand to be played back for whatever is asked."""

from reviewlib.formats import http
from reviewlib.formats.format import NO_REQUESTS, Context, Format, Parsed
from reviewlib.model.cassette import Exchange
from reviewlib.model.frozen import Plain


def recognise(tree: Plain) -> bool:
    """Whether the object is exactly a status, header fields and a body."""
    if not isinstance(tree, dict) or tree.keys() != {"status", "headers", "body"}:
        return False
    return isinstance(tree["headers"], dict) and http.status_code(tree["status"]) is not None


def parse(tree: Plain, _context: Context) -> Parsed:
    """Read the answer; what was asked is not held."""
    answer = http.response(tree["status"], tree["headers"], tree["body"])
    return Parsed(
        interactions=(Exchange(index=0, request=None, response=answer),),
        not_recorded=(*NO_REQUESTS, "tool_results", "tool_errors"),
    )


FORMAT = Format(
    "lone-answer",
    "one HTTP answer a file",
    frozenset({"json", "yaml"}),
    recognise,
    parse,
    summary="Written by hand, or cut out of another recording: one HTTP answer a file. It holds status, headers and body, but nothing of what "
    "was asked: no prompt, no tools, no tool results.",
)
