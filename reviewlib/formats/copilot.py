"""Snapshots of the Copilot SDK's own tests: conversations in YAML, normalised until two runs of one test are equal.

A conversation is a history that ends in the model's answer; each is a growing prefix of the next, and prefixes that add nothing were left
out. So every answer in a conversation is a call of its own, told once. An answer that came in several messages (the API sends text and
each tool call as choices of their own) stands as one message in the histories after it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b

from reviewlib.formats.format import Context, Format, Parsed
from reviewlib.formats.session import Session
from reviewlib.model.cassette import Exchange, Fact, Response
from reviewlib.model.frozen import Plain
from reviewlib.values import canonical

_PLACEHOLDER = re.compile(r"\s*\$\{\w+\}\s*")
_MISSING: tuple[Fact, ...] = (
    "tool_schemas",
    "parameters",
    "tool_errors",
    "usage",
    "model",
    "stop_reasons",
    "http_status",
)


def recognise(tree: Plain) -> bool:
    """Whether the object has ``models`` and ``conversations`` of messages with roles, and nothing else that matters."""
    if not isinstance(tree, dict) or not isinstance(tree.get("models"), list):
        return False
    conversations = tree.get("conversations")
    return isinstance(conversations, list) and all(map(_is_conversation, conversations))


def parse(tree: Plain, _context: Context) -> Parsed:
    """Every answer once, with the history before it."""
    models = [model for model in tree["models"] if isinstance(model, str)]
    reader = _Reader(models[0] if len(models) == 1 else None)
    for conversation in tree["conversations"]:
        reader.read(conversation["messages"])
    return Parsed(interactions=tuple(reader.exchanges), not_recorded=(*reader.missing(), *_MISSING))


def _is_conversation(item: Plain) -> bool:
    messages = item.get("messages") if isinstance(item, dict) else None
    return isinstance(messages, list) and all(
        isinstance(message, dict) and isinstance(message.get("role"), str) for message in messages
    )


@dataclass(slots=True)
class _Reader:
    """Reads conversation by conversation. A digest stands for a history, in which the words of results do not count.

    ``known``: how each history was first told, for the normalising leaves one result in two wordings. ``answers``: what answered it.
    """

    model: str | None
    exchanges: list[Exchange] = field(default_factory=list)
    first: Session = field(default_factory=Session)
    known: dict[bytes, list[Plain]] = field(default_factory=dict)
    answers: dict[bytes, set[bytes]] = field(default_factory=dict)
    prompted: bool = False

    def read(self, messages: list[dict[str, Plain]]) -> None:
        session, asked = self.first.another(), b""
        groups = [group for group in _groups(messages) if not _is_placeholder(group)]
        for number, group in enumerate(groups, start=1):
            self.prompted = self.prompted or group[0]["role"] == "system"
            told = [_as_one(group)] if group[0]["role"] == "assistant" else group
            said = _digest(asked, [_said(message) for message in told])
            if told is not group:
                self._tell(session, asked, said, group, last=number == len(groups))
            session.say(self.known.setdefault(said, told))
            asked = said
        if groups and groups[-1][0]["role"] not in {"assistant", "system"}:
            self._tell(session, asked, b"", [], last=True)

    def _tell(self, session: Session, asked: bytes, said: bytes, answer: list[dict[str, Plain]], *, last: bool) -> None:
        """Add a call. Before the end of a conversation it is one only where nothing else answers that history.

        A hook of the harness may edit what goes into later histories; that is no second answer.
        """
        answers = self.answers.setdefault(asked, set())
        if said in answers or (answers and not last):
            return
        answers.add(said)
        choices = [{"index": index, "message": message} for index, message in enumerate(answer)]
        self.exchanges.append(
            Exchange(
                index=len(self.exchanges),
                request=session.request(model=self.model),
                response=Response(body={"object": "chat.completion", "choices": choices}) if answer else None,
                model=self.model,
            )
        )

    def missing(self) -> Iterator[Fact]:
        if not self.prompted:
            yield "system_prompt"
        if self.model is None:
            yield "requested_model"


def _groups(messages: list[dict[str, Plain]]) -> Iterator[list[dict[str, Plain]]]:
    """The messages one by one, but those of one answer together."""
    answer: list[dict[str, Plain]] = []
    for message in messages:
        if message["role"] == "assistant":
            answer.append(message)
            continue
        if answer:
            yield answer
        answer = []
        yield [message]
    if answer:
        yield answer


def _as_one(answer: list[dict[str, Plain]]) -> dict[str, Plain]:
    text = "".join(content for message in answer if isinstance(content := message.get("content"), str))
    calls = [call for message in answer if isinstance(made := message.get("tool_calls"), list) for call in made]
    return {"role": "assistant", "content": text or None, "tool_calls": calls or None}


def _said(message: dict[str, Plain]) -> Plain:
    if message["role"] == "tool":
        return ["tool", message.get("tool_call_id")]
    return [message["role"], message.get("content"), message.get("tool_calls")]


def _digest(before: bytes, said: Plain) -> bytes:
    return blake2b(before + canonical(said).encode(errors="surrogatepass"), digest_size=16).digest()


def _is_placeholder(group: list[dict[str, Plain]]) -> bool:
    content = group[0].get("content")
    return group[0]["role"] == "system" and isinstance(content, str) and _PLACEHOLDER.fullmatch(content) is not None


FORMAT = Format(
    "copilot",
    "Copilot SDK snapshot",
    frozenset({"yaml", "json"}),
    recognise,
    parse,
    summary="The conversations of a test as the Copilot SDK's replaying proxy keeps them: user messages, answers, tool calls with their "
    "results, and the model asked for. The system prompt and the names of some tools are placeholders; tool schemas, parameters, "
    "token usage and stop reasons are not kept.",
)
