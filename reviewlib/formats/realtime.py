"""pydantic-ai's recordings of realtime sessions: the WebSocket frames in both directions, in the order they went by.

A session is one connection, so no frame holds a whole call. Each answer becomes a call here, in the shape that the same provider's HTTP
API has for it: Gemini Live as generateContent with the history so far, OpenAI Realtime as Responses that continue one another. Sound is
left out where the provider wrote down what was said.
"""

from reviewlib.formats.format import Context, Format, Parsed
from reviewlib.formats.realtime_gemini import GeminiLive
from reviewlib.formats.realtime_openai import OpenAIRealtime
from reviewlib.model.cassette import Exchange, Fact, Request
from reviewlib.model.frozen import Plain

_SENT = "sent"
_MISSING: tuple[Fact, ...] = ("tool_errors", "http_status")


def recognise(tree: Plain) -> bool:
    """Whether every interaction has a ``direction`` and the frame's ``data``, or tells how a connection was closed."""
    items = tree.get("interactions") if isinstance(tree, dict) else None
    if not isinstance(items, list) or not any(map(_is_frame, items)):
        return False
    return all(_is_frame(item) or (isinstance(item, dict) and item.get("kind") == "close") for item in items)


def parse(tree: Plain, _context: Context) -> Parsed:
    """One call an answer. Frames of an API that is not known here are listed as they were sent."""
    frames = [
        (item["direction"] == _SENT, item["data"])
        for item in tree["interactions"]
        if isinstance(item.get("data"), dict)
    ]
    for dialect in (GeminiLive, OpenAIRealtime):
        if any(dialect.speaks(data) for _, data in frames):
            reader = dialect()
            for is_sent, data in frames:
                reader.sent(data) if is_sent else reader.received(data)
            return Parsed(interactions=reader.finished(), not_recorded=_MISSING)
    sent = tuple(
        Exchange(index=index, request=Request(body=data), response=None)
        for index, data in enumerate(data for is_sent, data in frames if is_sent)
    )
    return Parsed(interactions=sent, notes=("The frames are of an API whose sessions are not read.",))


def _is_frame(item: Plain) -> bool:
    return isinstance(item, dict) and item.get("direction") in (_SENT, "received") and "data" in item


FORMAT = Format(
    "realtime",
    "realtime session over WebSocket",
    frozenset({"yaml", "json"}),
    recognise,
    parse,
    summary="The frames of a realtime session (Gemini Live, OpenAI Realtime and Azure's copies of it) as pydantic-ai's test suite records "
    "them: prompts, tools, calls with their results, transcripts of what was spoken, token usage. Sound itself is not shown, and there is "
    "no HTTP status.",
)
