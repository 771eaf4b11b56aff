"""traceops and replay-agent (one code base): a trace of events in YAML.

A ``tool_call`` event is written for each call in an answer, and again by ``record_tool_call`` together with its ``tool_result``. The first
repeats the answer, so only results are runs. Of a request, model, messages, tools, temperature and max_tokens are kept; of Anthropic's no
system prompt.
"""

from collections import deque
from dataclasses import dataclass, field

from reviewlib.formats import http, sdk
from reviewlib.formats.format import Context, Format, Parsed
from reviewlib.formats.plain import text, tree
from reviewlib.model.cassette import Exchange, Fact, Interaction, Request
from reviewlib.model.frozen import Plain

_SENT = ("model", "messages", "max_tokens", "temperature", "tools")
_RUNS = ("tool_result", "mcp_tool_result")
_VERSIONS = {"trace_ops_version", "agent_replay_version"}


def recognise(tree_: Plain) -> bool:
    """Whether the object is a trace: a ``trace_id``, the recorder's version in its metadata, and events with a type."""
    if not isinstance(tree_, dict) or "trace_id" not in tree_ or not tree(tree_.get("metadata")).keys() & _VERSIONS:
        return False
    events = tree_.get("events")
    return isinstance(events, list) and all(
        isinstance(event, dict) and isinstance(event.get("event_type"), str) for event in events
    )


def parse(tree_: Plain, _context: Context) -> Parsed:
    """Every model call and tool run, in the order it began."""
    reader = _Reader()
    for event in tree_["events"]:
        reader.read(event)
    return Parsed(
        interactions=reader.finished(),
        not_recorded=_unseen(tree_["events"]),
        recorded_at=http.epoch(tree_["metadata"].get("recorded_at")),
    )


def _unseen(events: list[dict[str, Plain]]) -> tuple[Fact, ...]:
    providers = {event.get("provider") == "anthropic" for event in events if event["event_type"] == "llm_request"}
    return ("system_prompt", "http_status") if providers == {True} else ("http_status",)


@dataclass(slots=True)
class _Reader:
    """Folds events. Requests that wait for their answer stand in ``waiting`` with their place in ``done``."""

    done: list[Interaction | None] = field(default_factory=list)
    waiting: deque[tuple[int, dict[str, Plain]]] = field(default_factory=deque)

    def read(self, event: dict[str, Plain]) -> None:
        """Take an event; decisions, retrievals and connections are no step of the model's."""
        kind = event["event_type"]
        if kind == "llm_request":
            self.waiting.append((len(self.done), event))
            self.done.append(None)
        elif kind == "llm_response":
            self._answer(event)
        elif kind == "error" and self.waiting:
            self._answer({"response": {"error": {"message": event.get("error_message") or event.get("error_type")}}})
        elif kind in _RUNS:
            self.done.append(_run(len(self.done), event))

    def finished(self) -> tuple[Interaction, ...]:
        """Return the interactions; requests that were never answered stay as such."""
        for index, sent in self.waiting:
            self.done[index] = _exchange(index, sent, None)
        return tuple(each for each in self.done if each is not None)

    def _answer(self, event: dict[str, Plain]) -> None:
        if not self.waiting:
            self.waiting.append((len(self.done), {}))
            self.done.append(None)
        index, sent = self.waiting.popleft()
        self.done[index] = _exchange(index, sent, event)


def _exchange(index: int, sent: dict[str, Plain], got: dict[str, Plain] | None) -> Exchange:
    body = {name: sent[name] for name in _SENT if name in sent}
    return Exchange(
        index=index,
        request=Request(body=body) if body else None,
        response=None if got is None else sdk.response(got.get("response")),
        recorded_at=http.epoch(sent.get("timestamp")),
        seconds=None if got is None else http.took(got.get("duration_ms")),
        model=text(sent.get("model")),
    )


def _run(index: int, event: dict[str, Plain]) -> Interaction:
    arguments = event.get("tool_input", event.get("arguments"))
    result = event.get("tool_output", event.get("result"))
    run = sdk.execution(index, event.get("tool_name"), arguments, result)
    failed = event.get("is_error")
    return run.model_copy(update={"is_error": failed}) if isinstance(failed, bool) else run


FORMAT = Format(
    "traceops",
    "traceops / replay-agent",
    frozenset({"yaml", "json"}),
    recognise,
    parse,
    summary="Written by traceops and its predecessor replay-agent, one YAML trace a test. It holds model, messages, tools and answer of every "
    "call, and the tool runs that the test reports; most parameters, Anthropic's system prompt and failed runs are left out.",
)
