"""The fallback for files that no adapter claims: answers of known APIs, wherever in the tree they stand, in the order of the document.

An answer belongs to the request that stands in the same item of a list, wherever in it; or else to the one request before it that
nothing else answered. Bodies may be objects, their text, or the text of an event stream. What is documentation is left alone.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from reviewlib.formats import http, sdk
from reviewlib.formats.format import NO_REQUESTS, Context, Format, Parsed
from reviewlib.formats.plain import text, tree, trees
from reviewlib.model.cassette import Exchange, Request
from reviewlib.model.frozen import Plain

_Path: TypeAlias = tuple[Plain, ...]

_DOCUMENTS = frozenset(
    {
        "openapi",
        "swagger",
        "asyncapi",
        "$schema",
        "$id",
        "nbformat",
        "jobs",
        "dependencies",
        "devDependencies",
        "apiVersion",
    }
)
"""Members of the root that say that a file describes or configures something; such files quote answers as examples."""
_NOTED = frozenset({"method", "endpoint", "kind", "provider", "operation", "timestamp", "url", "headers"})
_HISTORIES = ("messages", "contents", "input", "tools", "system")
_BEGIN = 20
"""How many pieces of a stream are looked at."""
_SAID = frozenset({"content", "choices", "output", "candidates"})
"""Every answer has one of these members."""
_FIRST_EVENTS = ("message_start", "response.created", "response.in_progress")
_MARKS = (
    '"choices"',
    '"candidates"',
    '"stop_reason"',
    '"stopReason"',
    '"output"',
    '"message_start"',
    '"response.created"',
)
_NOTE = "No adapter knows this format; it was read by looking for answers of known APIs in it."


def recognise(value: Plain) -> bool:
    """Whether there is an answer anywhere in the tree, and its root is no document's."""
    if isinstance(value, dict) and not _DOCUMENTS.isdisjoint(value):
        return False
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if _is_answer(item):
            return True
        if isinstance(item, (dict, list)):
            inner = item.values() if isinstance(item, dict) else item
            waiting += [each for each in inner if isinstance(each, (dict, list, str))]
    return False


def parse(value: Plain, _context: Context) -> Parsed:
    """One call an answer."""
    found = list(_walk(value))
    inside = _inside(found)
    exchanges = tuple(
        Exchange(
            index=index,
            request=None if sent is None else _request(sent, inside[sent.path]),
            response=sdk.response(got.value),
        )
        for index, (sent, got) in enumerate(_pairs(found))
    )
    requests = any(exchange.request is not None for exchange in exchanges)
    return Parsed(
        interactions=exchanges,
        not_recorded=("http_status",) if requests else (*NO_REQUESTS, "tool_results", "tool_errors", "http_status"),
        notes=(_NOTE,),
    )


@dataclass(frozen=True, slots=True)
class _Found:
    """A request or an answer, and where it stands."""

    path: _Path
    value: Plain
    answers: bool

    def items(self) -> Iterator[_Path]:
        """Yield the paths of the list items that it stands in, the innermost first."""
        for length in range(len(self.path), 0, -1):
            if isinstance(self.path[length - 1], int):
                yield self.path[:length]


def _walk(root: Plain) -> Iterator[_Found]:
    """Yield requests and answers in document order. Nothing is looked for in an answer, nor in the history of a request."""
    waiting: list[tuple[_Path, Plain]] = [((), root)]
    while waiting:
        path, value = waiting.pop()
        if _is_answer(value):
            yield _Found(path, value, answers=True)
            continue
        body = _read(value) if isinstance(value, str) else value
        is_request = isinstance(body, dict) and _is_request(body)
        if is_request:
            yield _Found(path, body, answers=False)
        if isinstance(value, dict):
            inner = [(key, item) for key, item in value.items() if not (is_request and key in _HISTORIES)]
            waiting += [((*path, str(key)), item) for key, item in reversed(inner)]
        elif isinstance(value, list):
            waiting += [((*path, index), item) for index, item in reversed(list(enumerate(value)))]


def _pairs(found: list[_Found]) -> Iterator[tuple[_Found | None, _Found]]:
    """Yield every answer with its request. The same answer told twice in one item (as text and parsed) is one."""
    requests = _Requests()
    for number, one in enumerate(found):
        if not one.answers:
            requests.add(number, one)
    told: set[tuple[_Path, str]] = set()
    since: list[int] = []
    for number, one in enumerate(found):
        if not one.answers:
            since.append(number)
            continue
        name, item = _answer_id(one.value), next(one.items(), ())
        if name is not None and (item, name) in told:
            continue
        told.add((item, name or ""))
        request = requests.of(one, since)
        since = []
        yield None if request is None else found[request], one


@dataclass(frozen=True, slots=True)
class _Requests:
    """The requests that nothing answered yet, by the list items that they stand in; under () all of them."""

    waiting: defaultdict[_Path, deque[int]] = field(default_factory=lambda: defaultdict(deque))
    taken: set[int] = field(default_factory=set)

    def add(self, number: int, request: _Found) -> None:
        for place in (*request.items(), ()):
            self.waiting[place].append(number)

    def of(self, answer: _Found, since: list[int]) -> int | None:
        """Take the request of an answer; ``since`` are those that stand between it and the answer before it.

        In two lists side by side all requests come first, and go with the answers in order.
        """
        beside = next((first for place in answer.items() if (first := self._first(place)) is not None), None)
        if beside is None and len(since) == 1:
            beside = None if since[0] in self.taken else since[0]
        elif beside is None:
            beside = self._first(())
        if beside is not None:
            self.taken.add(beside)
        return beside

    def _first(self, place: _Path) -> int | None:
        waiting = self.waiting.get(place, deque())
        while waiting and waiting[0] in self.taken:
            waiting.popleft()
        return waiting[0] if waiting else None


def _request(sent: _Found, inside: set[Plain]) -> Request:
    """The request without what its recorder put beside the arguments: its own notes, and the members that hold answers."""
    return Request(
        body={key: value for key, value in sent.value.items() if key not in _NOTED and str(key) not in inside}
    )


def _inside(found: list[_Found]) -> dict[_Path, set[Plain]]:
    """Tell of each request, by its path, which of its members hold answers."""
    members: dict[_Path, set[Plain]] = {one.path: set() for one in found if not one.answers}
    for one in found:
        if one.answers:
            for length, key in enumerate(one.path):
                if one.path[:length] in members:
                    members[one.path[:length]].add(key)
    return members


def _answer_id(value: Plain) -> str | None:
    body = _read(value) if isinstance(value, str) else value
    return text(tree(body).get("id"))


def _read(body: str) -> dict[str, Plain]:
    """A text as the object that it spells; an empty one where it spells none."""
    start = body[:200].lstrip()
    return tree(http.body(body)) if start.startswith("{") and '"' in start else {}


def _is_answer(value: Plain) -> bool:
    if isinstance(value, str):
        return _is_spelled(value)
    if isinstance(value, dict):
        return not _SAID.isdisjoint(value) and any(shape(value) for shape in _SHAPES)
    return isinstance(value, list) and bool(value) and _is_stream(value)


def _is_spelled(body: str) -> bool:
    """Whether a text is that of an answer or of an event stream of one."""
    if len(body) < 20 or not any(mark in body for mark in _MARKS):
        return False
    return body[:200].lstrip().startswith(("data:", "event:")) or _is_answer(_read(body))


def _is_stream(items: list[Plain]) -> bool:
    """Whether a list is a stream: parsed events, pieces of its text, or records of either."""
    begin = [item.get("data", item) if isinstance(item, dict) else item for item in items[:_BEGIN]]
    if isinstance(begin[0], str):
        return _is_spelled("".join(piece for piece in begin if isinstance(piece, str)))
    event = tree(begin[0])
    return event.get("object") == "chat.completion.chunk" or text(event.get("type")) in _FIRST_EVENTS


def _is_request(body: dict[str, Plain]) -> bool:
    if any("role" in message for message in trees(body.get("messages"))):
        return True
    if any("parts" in content for content in trees(body.get("contents"))):
        return True
    return isinstance(body.get("model"), str) and bool(body.get("input")) and isinstance(body["input"], (str, list))


def _is_message(body: dict[str, Plain]) -> bool:
    return body.get("type") == "message" and body.get("role") == "assistant" and "stop_reason" in body and _blocks(body)


def _is_completion(body: dict[str, Plain]) -> bool:
    choices = trees(body.get("choices"))
    said = bool(choices) and all(text(tree(choice.get("message")).get("role")) for choice in choices)
    return said and (body.get("object") == "chat.completion" or "usage" in body or "model" in body)


def _is_response(body: dict[str, Plain]) -> bool:
    return body.get("object") == "response" and isinstance(body.get("output"), list)


def _is_generation(body: dict[str, Plain]) -> bool:
    candidates = trees(body.get("candidates"))
    contents = [tree(candidate.get("content")) for candidate in candidates]
    return any(isinstance(content.get("parts"), list) for content in contents)


def _is_conversation(body: dict[str, Plain]) -> bool:
    message = tree(tree(body.get("output")).get("message"))
    return "stopReason" in body and message.get("role") == "assistant" and isinstance(message.get("content"), list)


def _blocks(body: dict[str, Plain]) -> bool:
    content = body.get("content")
    return isinstance(content, list) and all(isinstance(block, dict) and "type" in block for block in content)


_SHAPES: tuple[Callable[[dict[str, Plain]], bool], ...] = (
    _is_message,
    _is_completion,
    _is_response,
    _is_generation,
    _is_conversation,
)
"""Anthropic's message · OpenAI's chat completion · its Responses object · Gemini's generateContent · Bedrock's Converse."""


FORMAT = Format(
    "generic",
    "no known recorder",
    frozenset({"json", "jsonl", "yaml"}),
    recognise,
    parse,
    summary="Any other JSON, JSON Lines or YAML file in which answers of a known API can be found, whoever wrote it. Each is read with the "
    "request that stands beside it, if there is one; what else the file holds (status codes, tool runs, failures) is not understood.",
)
