"""pytest-agentreplay: JSON Lines of events after one header line; tool executions stand beside the model's requests and answers.

With raw SDK clients an event holds the whole request; with pydantic-ai neither the prompt nor the tools are stored, and the answer is
pydantic-ai's own dump, which is passed on as it is.
"""

from collections import deque
from collections.abc import Callable

from reviewlib.formats import http
from reviewlib.formats.format import NO_REQUESTS, Context, Format, Parsed
from reviewlib.model.cassette import Exchange, Fact, Interaction, Request, Response, ToolExecution
from reviewlib.model.frozen import Plain

_EVENT_KEYS = {"event_id", "kind", "timestamp"}
_FOREIGN = {"kind", "type", "interactions", "messages", "events"}


def recognise(lines: Plain) -> bool:
    """Whether the first line is a header with ``format_version`` and ``created_at``, and every other line an event."""
    if not lines or not isinstance(lines[0], dict):
        return False
    header, events = lines[0], lines[1:]
    if not header.keys() >= {"created_at", "format_version"} or header.keys() & _FOREIGN:
        return False
    return bool(events or "framework" in header) and all(
        isinstance(event, dict) and event.keys() >= _EVENT_KEYS for event in events
    )


def parse(lines: Plain, _context: Context) -> Parsed:
    """Every model call and tool execution, in the order it began."""
    reader = _Reader()
    for event in lines[1:]:
        reader.read(event)
    interactions = reader.finished()
    return Parsed(
        interactions=interactions,
        not_recorded=_not_recorded(interactions),
        recorded_at=http.epoch(lines[0]["created_at"]),
    )


def _not_recorded(interactions: tuple[Interaction, ...]) -> tuple[Fact, ...]:
    exchanges = [each for each in interactions if isinstance(each, Exchange)]
    if any(exchange.request is not None for exchange in exchanges):
        return ("http_status",)
    named = any(exchange.model is not None for exchange in exchanges)
    missing = tuple(fact for fact in NO_REQUESTS if not (named and fact == "requested_model"))
    return (*missing, "tool_errors", "http_status")


class _Reader:
    """Folds the event stream into interactions. Calls that are still waiting for their other half stand in the two queues."""

    def __init__(self) -> None:
        self._done: list[Interaction | None] = []
        self._calls: deque[tuple[int, dict[str, Plain]]] = deque()
        self._tools: list[tuple[int, dict[str, Plain]]] = []
        self._readers: dict[str, Callable[[dict[str, Plain]], None]] = {
            "model_request": self._request,
            "model_response": self._response,
            "tool_call": self._tool_call,
            "tool_result": self._tool_result,
            "error": self._error,
        }

    def read(self, event: dict[str, Plain]) -> None:
        reader = self._readers.get(event["kind"]) if isinstance(event["kind"], str) else None
        if reader is not None:
            reader(event)

    def finished(self) -> tuple[Interaction, ...]:
        """Return the interactions; requests that were never answered and tools that never returned stay as such."""
        for index, sent in self._calls:
            self._done[index] = _exchange(index, sent, None)
        for index, call in self._tools:
            self._done[index] = _execution(index, call, None)
        return tuple(each for each in self._done if each is not None)

    def _slot(self) -> int:
        self._done.append(None)
        return len(self._done) - 1

    def _request(self, event: dict[str, Plain]) -> None:
        self._calls.append((self._slot(), event))

    def _response(self, event: dict[str, Plain]) -> None:
        index, sent = self._calls.popleft() if self._calls else (self._slot(), None)
        self._done[index] = _exchange(index, sent, event)

    def _tool_call(self, event: dict[str, Plain]) -> None:
        self._tools.append((self._slot(), event))

    def _tool_result(self, event: dict[str, Plain]) -> None:
        index, call = self._pending(event) or (self._slot(), {})
        self._done[index] = _execution(index, {**call, **event}, event)

    def _error(self, event: dict[str, Plain]) -> None:
        pending = self._pending(event)
        if pending is not None:
            index, call = pending
            self._done[index] = _execution(index, call, event).model_copy(update={"is_error": True})
        elif self._calls:
            index, sent = self._calls.popleft()
            failure = {**event, "result": {"error": {"message": event.get("result")}}}
            self._done[index] = _exchange(index, sent, failure)

    def _pending(self, event: dict[str, Plain]) -> tuple[int, dict[str, Plain]] | None:
        """Find the earliest waiting tool call of that name, best with the same arguments."""
        named = [each for each in self._tools if each[1].get("name") == event.get("name")]
        exact = [each for each in named if each[1].get("arguments") == event.get("arguments")]
        found = next(iter(exact or named), None)
        if found is not None:
            self._tools.remove(found)
        return found


def _exchange(index: int, sent: dict[str, Plain] | None, got: dict[str, Plain] | None) -> Exchange:
    sent = sent or {}
    model, arguments = sent.get("name"), sent.get("arguments")
    model = model if isinstance(model, str) else None
    body = {**({"model": model} if model else {}), **arguments} if isinstance(arguments, dict) and arguments else None
    return Exchange(
        index=index,
        request=None if body is None else Request(body=body),
        response=None if got is None else Response(body=http.body(got.get("result"))),
        recorded_at=http.epoch((sent or got or {}).get("timestamp")),
        model=model,
    )


def _execution(index: int, call: dict[str, Plain], got: dict[str, Plain] | None) -> ToolExecution:
    metadata = call.get("metadata")
    call_id = metadata.get("tool_call_id") if isinstance(metadata, dict) else None
    return ToolExecution(
        index=index,
        tool=str(call.get("name") or ""),
        arguments=call.get("arguments"),
        arguments_recorded="arguments" in call,
        result=None if got is None else got.get("result"),
        result_recorded=got is not None,
        call_id=call_id if isinstance(call_id, str) else None,
    )


FORMAT = Format(
    "agentreplay",
    "pytest-agentreplay",
    frozenset({"jsonl"}),
    recognise,
    parse,
    summary="Written by pytest-agentreplay, JSON Lines, one file a test. It holds the answers of the model and the runs of the tools; the requests "
    "only with raw SDK clients, not with pydantic-ai. A tool that raised leaves no event.",
)
