"""Cohere's streams, put together into the answer that the same call would have given without streaming."""

from collections.abc import Sequence

from reviewlib.providers._plain import Tree, count, kind, string, tree, trees
from reviewlib.providers.provider import Assembled


def assemble(events: Sequence[Tree]) -> Assembled:
    """The answer that the events build, of v2 or of v1."""
    return _assemble_old(events) if any("event_type" in event for event in events) else _assemble(events)


def _assemble(events: Sequence[Tree]) -> Assembled:
    """v2: contents and calls are numbered apart from one another."""
    rest: Tree = {}
    plan: list[str] = []
    contents: dict[int, _Piece] = {}
    calls: dict[int, _Piece] = {}
    for event in events:
        index, delta = count(event.get("index")) or 0, tree(event.get("delta"))
        message = tree(delta.get("message"))
        plan += filter(None, [string(message.get("tool_plan"))])
        if content := tree(message.get("content")):
            contents.setdefault(index, _Piece("text", "thinking")).add(content)
        if asked := tree(message.get("tool_calls")):
            calls.setdefault(index, _Piece("arguments")).add(asked | tree(asked.get("function")))
        if string(event.get("id")):
            rest["id"] = event["id"]
        if kind(event) == "message-end":
            rest |= {key: delta[key] for key in ("finish_reason", "usage") if key in delta}
    message = {
        "tool_plan": "".join(plan),
        "content": [_typed(contents[index].whole()) for index in sorted(contents)],
        "tool_calls": [{"id": asked.get("id"), "function": asked} for _, asked in _wholes(calls)],
    }
    return Assembled(rest | {"message": message}, "finish_reason" in rest)


def _wholes(pieces: dict[int, "_Piece"]) -> list[tuple[int, Tree]]:
    return [(index, pieces[index].whole()) for index in sorted(pieces)]


def _typed(content: Tree) -> Tree:
    return {"type": "thinking" if "thinking" in content else "text"} | content


class _Piece:
    """A content or a call while its deltas arrive; ``spelled`` are the keys whose texts are joined."""

    def __init__(self, *spelled: str) -> None:
        self._texts: dict[str, list[str]] = {key: [] for key in spelled}
        self._rest: Tree = {}

    def add(self, piece: Tree) -> None:
        for key, value in piece.items():
            if key in self._texts and isinstance(value, str):
                self._texts[key].append(value)
            elif value is not None:
                self._rest[key] = value

    def whole(self) -> Tree:
        return self._rest | {key: "".join(texts) for key, texts in self._texts.items() if texts}


def _assemble_old(events: Sequence[Tree]) -> Assembled:
    """v1: the last event carries the whole answer; of a stream that broke off, the words that had arrived."""
    end = next((event for event in reversed(events) if event.get("event_type") == "stream-end"), None)
    if end is not None:
        answer = tree(end.get("response"))
        return Assembled(
            answer | {"finish_reason": end.get("finish_reason") or answer.get("finish_reason")}, complete=True
        )
    words = [
        text for event in events if event.get("event_type") == "text-generation" and (text := string(event.get("text")))
    ]
    calls = [asked for event in events for asked in trees(event.get("tool_calls"))]
    return Assembled({"text": "".join(words), "tool_calls": calls}, complete=False)
