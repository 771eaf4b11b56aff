"""What went between the Claude Agent SDK and the ``claude`` command line: stream-json frames, alone or with their direction.

Written by claude-agent-cassette (a tape of both directions, or the frames that came back) and by test suites of their own (logfire,
openinference). Frames carry one content block each; those with one message id are one answer. Usage in a frame is what was counted when
the answer began; the ``result`` frame holds the session's total, which belongs to no turn.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

from reviewlib.formats.format import Context, Format, Parsed
from reviewlib.formats.plain import text, tree, trees
from reviewlib.formats.session import Session
from reviewlib.model.cassette import Exchange, Fact, Request, Response
from reviewlib.model.frozen import Plain

_MISSING: tuple[Fact, ...] = ("system_prompt", "tool_schemas", "parameters", "http_status")


def recognise(tree_: Plain) -> bool:
    """Whether every item is a frame, or a frame with its direction, and they tell of a session (its start, an answer, its result)."""
    items = tree_.get("messages") if isinstance(tree_, dict) else tree_
    if not isinstance(items, list) or not items or not all(_is_entry(item) for item in items):
        return False
    if all("dir" in item or "direction" in item for item in items):
        return any(map(_frame, items))
    return any(map(_tells_of_a_session, items))


def parse(tree_: Plain, _context: Context) -> Parsed:
    """Every answer with the history before it; those of sub-agents have a history of their own."""
    reader = _Reader()
    for item in tree_["messages"] if isinstance(tree_, dict) else tree_:
        frame = _frame(item)
        if frame:
            reader.read(frame)
    missing = (*_MISSING, *(() if reader.prompted else ("user_messages",)))
    return Parsed(interactions=tuple(reader.exchanges()), not_recorded=missing, notes=tuple(reader.notes()))


def _is_entry(item: Plain) -> bool:
    if not isinstance(item, dict):
        return False
    if "dir" in item:
        return item["dir"] in ("read", "write") and ("frame" in item or "data" in item)
    if "direction" in item:
        return item["direction"] in ("send", "recv") and isinstance(item.get("message"), dict)
    return _is_frame(item)


def _is_frame(item: dict[str, Plain]) -> bool:
    kind = item.get("type")
    return isinstance(kind, str) and (isinstance(item.get("message"), dict) or kind not in ("assistant", "user"))


def _tells_of_a_session(item: dict[str, Plain]) -> bool:
    frame = _frame(item)
    return "session_id" in frame and frame.get("type") in ("system", "assistant", "result")


def _frame(item: dict[str, Plain]) -> dict[str, Plain]:
    """The frame of an entry; an empty one where there is none."""
    frame = item.get("frame", item.get("data")) if "dir" in item else item["message"] if "direction" in item else item
    if isinstance(frame, str):  # what the SDK wrote, as the text it wrote
        try:
            frame = json.loads(frame)
        except (ValueError, RecursionError):
            return {}
    return frame if isinstance(frame, dict) and _is_frame(frame) else {}


@dataclass(slots=True)
class _Answer:
    """An answer while its frames arrive, with the request before it."""

    request: Request
    message: dict[str, Plain]

    def add(self, message: dict[str, Plain]) -> None:
        """Take the next block of the same answer."""
        self.message["content"].extend(trees(message.get("content")))
        self.message.update({name: message[name] for name in ("usage", "stop_reason") if message.get(name)})

    def output(self) -> int:
        count = tree(self.message.get("usage")).get("output_tokens")
        return count if isinstance(count, int) else 0


@dataclass(slots=True)
class _Reader:
    """Folds frames in order. Histories and answers are kept by the call whose sub-agent they are of, None for the agent itself."""

    sessions: dict[str | None, Session] = field(default_factory=lambda: {None: Session()})
    answers: list[_Answer] = field(default_factory=list)
    by_id: dict[tuple[Plain, str], _Answer] = field(default_factory=dict)
    results: list[dict[str, Plain]] = field(default_factory=list)
    model: str | None = None
    tools: list[Plain] | None = None
    prompted: bool = False

    def read(self, frame: dict[str, Plain]) -> None:
        """Take a frame; of control frames and partial messages nothing is needed."""
        agent = text(frame.get("parent_tool_use_id"))
        session = self.sessions.setdefault(agent, self.sessions[None].another())
        match frame["type"]:
            case "system" if frame.get("subtype") == "init":
                self.model = text(frame.get("model")) or self.model
                names = frame.get("tools")
                self.tools = [{"name": name} for name in names] if isinstance(names, list) else self.tools
            case "system" if frame.get("subtype") == "compact_boundary":
                session.history.clear()
            case "user" if frame.get("isReplay") is not True:
                message = frame["message"]
                self.prompted = self.prompted or not any(
                    block.get("type") == "tool_result" for block in trees(message.get("content"))
                )
                session.say([{**message, "role": "user"}])
            case "assistant":
                self._answer(session, agent, frame["message"])
            case "result":
                self.results.append(frame)

    def _answer(self, session: Session, agent: str | None, message: dict[str, Plain]) -> None:
        known = self.by_id.get((agent, text(message.get("id")) or ""))
        if known is not None:
            known.add(message)
            return
        if not self.prompted and session.history and not _calls(session.history[-1]):
            session.history.clear()  # the next prompt was not recorded, but there must have been one
        content = message.get("content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else trees(content)
        answer = _Answer(
            session.request(model=self.model, tools=self.tools), {"type": "message", **message, "content": blocks}
        )
        self.answers.append(answer)
        if name := text(message.get("id")):
            self.by_id[agent, name] = answer
        session.say([{"role": "assistant", "content": blocks}])

    def exchanges(self) -> Iterator[Exchange]:
        """Yield the calls in the order their answers began."""
        counted = self._output_is_counted()
        for index, answer in enumerate(self.answers):
            message = answer.message
            if not counted and not message.get("stop_reason"):
                usage = {name: count for name, count in tree(message.get("usage")).items() if name != "output_tokens"}
                message = {**message, "usage": usage}
            yield Exchange(index=index, request=answer.request, response=Response(body=message))

    def _output_is_counted(self) -> bool:
        """Whether the turns' output adds up to the session's: then the frames tell what each answer took in the end."""
        totals = [tree(result.get("usage")).get("output_tokens") for result in self.results]
        known = [total for total in totals if isinstance(total, int)]
        return bool(known) and sum(answer.output() for answer in self.answers) in (known[-1], sum(known))

    def notes(self) -> Iterator[str]:
        """Yield what only the session as a whole tells."""
        if self.answers and self.results and not self._output_is_counted():
            total = tree(self.results[-1].get("usage")).get("output_tokens")
            yield f"Output tokens are known for the session only ({total}); frames hold what was counted when an answer began."
        for result in self.results:
            if result.get("is_error") is True or str(result.get("subtype", "")).startswith("error"):
                yield f"The session ended with {result.get('subtype')}."


def _calls(message: Plain) -> bool:
    """Whether a message leaves something open: a call that waits for its result, or a result that waits for an answer."""
    return any(block.get("type") in ("tool_use", "tool_result") for block in trees(tree(message).get("content")))


FORMAT = Format(
    "claude-agent",
    "Claude Agent SDK frames",
    frozenset({"json", "yaml", "jsonl"}),
    recognise,
    parse,
    summary="The frames between the Claude Agent SDK and its command line, as claude-agent-cassette, logfire and openinference record them: "
    "answers, tool calls with their results, the model, the names of the tools. The system prompt, tool schemas and parameters stay inside "
    "the command line; prompts are held only where both directions are, output tokens often only for the whole session.",
)
