"""Llama Stack's API recorder: ``{test_id, request, response}`` in JSON, one call a file, named by a hash of the request.

Answers are the objects of the SDK as ``{__type__, __data__}``, a stream is the list of its chunks. Of calls by plain HTTP, the body is called
``payload``, and a stream is the list of its pieces of text.
"""

from reviewlib.formats import http, sdk
from reviewlib.formats.format import Context, Format, Parsed
from reviewlib.formats.plain import text, tree
from reviewlib.model.cassette import Exchange, Interaction, Response
from reviewlib.model.frozen import Plain

_KEYS = {"test_id", "request", "response", "id_normalization_mapping"}


def recognise(value: Plain) -> bool:
    """Whether the object is one call, and its answer says whether it was a stream."""
    if not isinstance(value, dict) or not value.keys() <= _KEYS:
        return False
    sent, got = tree(value.get("request")), tree(value.get("response"))
    if not isinstance(got.get("is_streaming"), bool) or "body" not in got:
        return False
    return isinstance(sent.get("url"), str) or bool(text(sent.get("tool_name"))) or isinstance(sent.get("api"), str)


def parse(value: Plain, _context: Context) -> Parsed:
    """One call or one run of a tool."""
    sent, got = value["request"], value["response"]
    interaction = _run(sent, got) if text(sent.get("tool_name")) else _exchange(sent, got)
    known = isinstance(interaction, Exchange) and interaction.response and interaction.response.status is not None
    test = text(value.get("test_id"))
    return Parsed(
        interactions=(interaction,),
        not_recorded=() if known else ("http_status",),
        notes=(f"Recorded by {test}.",) if test else (),
    )


def _run(sent: dict[str, Plain], got: dict[str, Plain]) -> Interaction:
    error = _message(got) if got.get("is_exception") is True else None
    return sdk.execution(0, sent["tool_name"], sent.get("kwargs"), tree(_bare(got["body"])).get("content"), error)


def _exchange(sent: dict[str, Plain], got: dict[str, Plain]) -> Exchange:
    body = sent.get("body", sent.get("payload"))
    return Exchange(
        index=0,
        request=http.request(sent.get("method"), sent.get("url"), sent.get("headers"), body),
        response=_response(got),
    )


def _response(got: dict[str, Plain]) -> Response:
    if got.get("is_exception") is True:
        raised = tree(got.get("exception_data"))
        return sdk.failure(_message(got)).model_copy(update={"status": http.status_code(raised.get("status_code"))})
    body = _bare(got["body"])
    if got["is_streaming"] and isinstance(body, list) and not any(isinstance(piece, str) for piece in body):
        return Response(chunks=tuple(body))
    return http.response(got.get("status"), None, body)


def _message(got: dict[str, Plain]) -> str | None:
    return text(got.get("exception_message")) or text(tree(got.get("exception_data")).get("message"))


def _bare(body: Plain) -> Plain:
    """Return an object of the SDK, or each of a list, without the name of its class."""
    if isinstance(body, list):
        return [_bare(item) for item in body]
    return body["__data__"] if isinstance(body, dict) and body.keys() == {"__type__", "__data__"} else body


FORMAT = Format(
    "llama-stack",
    "Llama Stack recorder",
    frozenset({"json"}),
    recognise,
    parse,
    summary="Written by the recorder of Llama Stack's own tests, one JSON file a call, named by a hash of the request, with the test that "
    "recorded it. It holds whole requests and answers as the SDKs see them, and runs of web search; HTTP statuses only of failures and of calls without an SDK.",
)
