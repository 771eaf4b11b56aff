"""replex: the events of one scenario in JSON, HTTP exchanges and tool runs in the order they happened.

A streamed answer is ``body: null`` beside ``stream``, the events with their data as trees. Keys are sorted.
"""

from reviewlib.formats import http
from reviewlib.formats.format import Context, Format, Parsed
from reviewlib.model.cassette import Exchange, Interaction, Response, ToolExecution
from reviewlib.model.frozen import Plain


def recognise(tree: Plain) -> bool:
    """Whether ``events`` beside ``replex_version`` are exchanges and tool calls."""
    events = tree.get("events") if isinstance(tree, dict) and "replex_version" in tree else None
    return isinstance(events, list) and all(_is_event(event) for event in events)


def parse(tree: Plain, _context: Context) -> Parsed:
    """Read exchanges and tool runs in file order; events of any other type are left out."""
    events = [event for event in tree["events"] if event["type"] in ("exchange", "tool_call")]
    interactions = tuple(_interaction(index, event) for index, event in enumerate(events))
    return Parsed(
        interactions=interactions,
        sees_executions=any(isinstance(each, ToolExecution) for each in interactions),
        recorded_at=http.epoch(tree.get("created_at")),
    )


def _is_event(event: Plain) -> bool:
    if not isinstance(event, dict) or not isinstance(event.get("type"), str):
        return False
    if event["type"] == "exchange":
        return isinstance(event.get("request"), dict) and isinstance(event.get("response"), (dict, type(None)))
    return event["type"] != "tool_call" or isinstance(event.get("name"), str)


def _interaction(index: int, event: dict[str, Plain]) -> Interaction:
    if event["type"] == "exchange":
        return _exchange(index, event)
    error = event.get("error")
    return ToolExecution(
        index=index,
        tool=event["name"],
        arguments=event.get("args"),
        result=event.get("result") if error is None else error,
        is_error=error is not None,
    )


def _exchange(index: int, event: dict[str, Plain]) -> Exchange:
    sent, got = event["request"], event.get("response")
    key = sent.get("match_key")
    return Exchange(
        index=index,
        request=http.request(sent.get("method"), sent.get("url"), sent.get("headers"), _content(sent)),
        response=None if got is None else _response(got),
        key=key if isinstance(key, str) else None,
        seconds=http.took(event.get("duration_ms")),
    )


def _response(got: dict[str, Plain]) -> Response:
    response = http.response(got.get("status"), got.get("headers"), _content(got))
    stream = got.get("stream")
    if not isinstance(stream, list) or not stream:
        return response
    data = tuple(event["data"] if isinstance(event, dict) and "data" in event else event for event in stream)
    return response.model_copy(update={"chunks": data, "body": None})


def _content(half: dict[str, Plain]) -> Plain:
    body = half.get("body")
    return http.from_base64(body) if half.get("body_encoding") == "base64" else body


FORMAT = Format(
    "replex",
    "replex",
    frozenset({"json"}),
    recognise,
    parse,
    summary="Written by replex as x.replex.json, one file a scenario. It holds every HTTP request and answer whole, failures and retries too, "
    "and the runs of the tools that were registered with it, with their errors.",
)
