"""How adapters of recorders at the SDK build exchanges: keyword arguments in place of bodies, objects in place of bytes."""

from collections.abc import Collection

from reviewlib.formats import http
from reviewlib.formats.plain import text, tree
from reviewlib.model.cassette import Request, Response, ToolExecution
from reviewlib.model.frozen import Plain
from reviewlib.values import canonical

_STREAMS = ("chunks", "events", "stream_chunks", "streaming_chunks")


def request(arguments: Plain, noted: Collection[str] = ()) -> Request | None:
    """Build a request from what the SDK was called with; ``noted`` are the keys that the recorder added. None where there is nothing."""
    sent = http.body(arguments)
    if isinstance(sent, dict):
        sent = {key: value for key, value in sent.items() if key not in noted}
    return Request(body=sent) if sent else None


def response(answer: Plain) -> Response | None:
    """Build a response from an object, its text, a list of the events of a stream, or an object that holds nothing but one."""
    got = http.body(answer)
    if isinstance(got, dict) and len(got) == 1:
        name, only = next(iter(got.items()))
        got = only if name in _STREAMS and isinstance(only, list) else got
    if isinstance(got, list):
        return Response(chunks=tuple(got))
    return None if got is None else Response(body=got)


def failure(error: Plain) -> Response:
    """Build the response of a call that ended in an exception, recorded as its text or as ``{type, message}``."""
    parts = (text(tree(error).get("type")), text(tree(error).get("message")))
    message = text(error) or ": ".join(part for part in parts if part) or "The call failed."
    return Response(body={"error": {"message": message}})


def words(said: str) -> Response:
    """Build the response of a recorder that keeps an answer's words and nothing else, as a chat completion."""
    return Response(
        body={"object": "chat.completion", "choices": [{"message": {"role": "assistant", "content": said}}]}
    )


def execution(index: int, tool: Plain, arguments: Plain, result: Plain, error: Plain = None) -> ToolExecution:
    """Build the run of a tool; ``error`` is what it raised. Arguments of a Python call come as ``{args, kwargs}``."""
    return ToolExecution(
        index=index,
        tool=text(tool) or "",
        arguments=called_with(arguments),
        result=result if error is None else error,
        is_error=None if error is None else True,
    )


def called_with(arguments: Plain) -> Plain:
    """Return the arguments of a Python call by name; where some were given by position, they stay as they were recorded."""
    if not isinstance(arguments, dict) or arguments.keys() != {"args", "kwargs"}:
        return arguments
    return arguments["kwargs"] if arguments["args"] == [] else arguments


def written(value: Plain) -> str:
    """Return a value as text: a text as it is, everything else as JSON."""
    return value if isinstance(value, str) else canonical(value)
