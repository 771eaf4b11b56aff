"""langchain-replay: a conversation with a LangGraph agent in ``recording.jsonl``, a turn of the user a line, ``metadata.json`` beside it.

A turn holds what the callbacks told (an answer's words, tools starting and ending) and, at its end, the graph's messages, which alone say
what tools an answer asked for. Ids, usage and the model are not kept, and the graph's messages may begin with those of earlier turns.
"""

import json
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from reviewlib.formats import http, sdk
from reviewlib.formats.format import Companions, Context, Format, Parsed
from reviewlib.formats.plain import text, tree, trees
from reviewlib.formats.session import Session
from reviewlib.model.cassette import Exchange, Fact, Interaction, Response, ToolExecution
from reviewlib.model.frozen import Plain

_RECORDING, _METADATA = "recording.jsonl", "metadata.json"
_MISSING: tuple[Fact, ...] = (
    "system_prompt",
    "tool_schemas",
    "parameters",
    "requested_model",
    "tool_errors",
    "usage",
    "model",
    "stop_reasons",
    "http_status",
)


def recognise(lines: Plain) -> bool:
    """Whether every line is a turn with its events, or a question asked beside them."""
    return isinstance(lines, list) and bool(lines) and all(map(_is_line, lines))


def parse(lines: Plain, context: Context) -> Parsed:
    """Every answer and tool run, in the order told."""
    reader = _Reader()
    for line in lines:
        reader.ask(line) if line["type"] == "ask_call" else reader.turn(line)
    return Parsed(
        interactions=tuple(reader.done),
        not_recorded=_MISSING,
        sees_executions=True,
        recorded_at=_recorded_at(context),
    )


def beside(path: str) -> Companions | None:
    """Tell where the metadata of a recording is, and the recording of metadata."""
    folder, _, name = path.rpartition("/")
    other = {_RECORDING: _METADATA, _METADATA: _RECORDING}.get(name)
    return Companions(folder, other.replace(".", r"\.")) if other else None


def _is_line(line: Plain) -> bool:
    if not isinstance(line, dict):
        return False
    if line.get("type") == "ask_call":
        return isinstance(line.get("prompt"), str) and isinstance(line.get("response"), str)
    events = line.get("events")
    return (
        line.get("type") == "turn"
        and "user_message" in line
        and isinstance(events, list)
        and all(isinstance(event, dict) and isinstance(event.get("event_type"), str) for event in events)
    )


def _recorded_at(context: Context) -> float | None:
    for file in context.sidecars:
        try:
            return http.epoch(tree(json.loads(file.data)).get("created_at"))
        except (ValueError, RecursionError):
            return None
    return None


@dataclass(slots=True)
class _Reader:
    """Folds lines. ``session`` is the history of the conversation, ``running`` the places of tools that did not return yet."""

    done: list[Interaction] = field(default_factory=list)
    session: Session = field(default_factory=Session)
    running: dict[str | None, deque[int]] = field(default_factory=dict)

    def ask(self, line: dict[str, Plain]) -> None:
        """Read a question that was put to the model beside the agent."""
        session = self.session.another()
        session.say([{"role": "user", "content": line["prompt"]}])
        self.done.append(
            Exchange(index=len(self.done), request=session.request(), response=sdk.words(line["response"]))
        )

    def turn(self, line: dict[str, Plain]) -> None:
        """Read what one message of the user led to."""
        events, self.running = line["events"], {}
        told = [message for message in trees(tree(line.get("response")).get("messages")) if message.get("type") == "ai"]
        answers = sum(event["event_type"] == "on_chat_model_end" for event in events)
        if len(told) <= answers:
            self.session = self.session.another()  # the graph knows no earlier turn
        self.session.say([{"role": "user", "content": line["user_message"]}])
        asked = deque(told[-answers:] if 0 < answers <= len(told) else ())
        for position, event in enumerate(events):
            data = tree(event.get("data"))
            match event["event_type"]:
                case "on_chat_model_end":
                    calls = _calls(asked.popleft()) if asked else _calls_after(events[position + 1 :])
                    self._answer(_words(data.get("content")), list(calls))
                case "on_tool_start":
                    self._start(event.get("name"), data.get("input"))
                case "on_tool_end":
                    self._end(event.get("name"), http.body(data.get("output")))

    def _answer(self, words: str, calls: list[Plain]) -> None:
        message = {"role": "assistant", "content": words or None, "tool_calls": calls or None}
        body = {"object": "chat.completion", "choices": [{"message": message}]}
        self.done.append(Exchange(index=len(self.done), request=self.session.request(), response=Response(body=body)))
        self.session.say([message])

    def _start(self, name: Plain, arguments: Plain) -> None:
        self.running.setdefault(text(name), deque()).append(len(self.done))
        run = sdk.execution(len(self.done), name, arguments, None)
        self.done.append(run.model_copy(update={"result_recorded": False}))

    def _end(self, name: Plain, result: Plain) -> None:
        waiting = self.running.get(text(name))
        self.session.say([{"role": "tool", "name": name, "content": result}])
        if not waiting:
            run = ToolExecution(index=len(self.done), tool=text(name) or "", arguments_recorded=False, result=result)
            self.done.append(run)
            return
        index = waiting.popleft()
        self.done[index] = self.done[index].model_copy(update={"result": result, "result_recorded": True})


def _words(content: Plain) -> str:
    if isinstance(content, str):
        return content
    return "".join(text(block.get("text")) or "" for block in trees(content))


def _calls(message: dict[str, Plain]) -> Iterator[Plain]:
    for call in trees(message.get("tool_calls")):
        yield {"type": "function", "function": {"name": call.get("name"), "arguments": call.get("args")}}


def _calls_after(events: list[dict[str, Plain]]) -> Iterator[Plain]:
    """Where the graph's messages do not say it (its run failed), an answer asked for the tools that ran before the next one."""
    for event in events:
        if event["event_type"] == "on_chat_model_end":
            return
        if event["event_type"] == "on_tool_start":
            arguments = tree(event.get("data")).get("input")
            yield {"type": "function", "function": {"name": event.get("name"), "arguments": arguments}}


FORMAT = Format(
    "langchain-replay",
    "langchain-replay",
    frozenset({"jsonl"}),
    recognise,
    parse,
    summary="Written by langchain-replay, a folder a test with ``recording.jsonl``. It holds the user's messages, the words of every answer and "
    "the runs of tools as texts; the model, token usage, system prompt and failures are not kept.",
    beside=beside,
)
