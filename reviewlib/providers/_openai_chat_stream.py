"""Chat Completions as a stream: chunks of deltas, put together into the completion they spell."""

from collections.abc import Sequence

from reviewlib.model.frozen import Plain
from reviewlib.providers._plain import Tree, count, string, tree, trees
from reviewlib.providers.provider import Assembled

_SPELLED = ("content", "refusal", "reasoning_content", "reasoning")


def assemble(events: Sequence[Tree]) -> Assembled:
    """The completion that the chunks build; complete once a finish reason has come (an empty one counts: some hosts send that)."""
    answer: Tree = {}
    choices: dict[int, _Choice] = {}
    usage: Plain = None
    for event in events:
        for key in ("id", "model", "error"):  # an error may stand beside the choices
            if key not in answer and event.get(key):
                answer[key] = event[key]
        usage = event.get("usage") or tree(event.get("x_groq")).get("usage") or usage
        for choice in trees(event.get("choices")):
            choices.setdefault(count(choice.get("index")) or 0, _Choice()).add(choice)
            usage = choice.get("usage") or usage
    whole = [choices[index].whole() for index in sorted(choices)]
    complete = bool(whole) and all(isinstance(choice["finish_reason"], str) for choice in whole)
    return Assembled(answer | {"choices": whole, "usage": usage}, complete)


class _Choice:
    """One choice while its deltas arrive."""

    def __init__(self) -> None:
        self._spelled: dict[str, list[str]] = {}
        self._blocks: list[Plain] = []
        self._calls: list[_Call] = []
        self._open: dict[int, _Call] = {}
        self._function = _Call(None)
        self._rest: Tree = {}
        self._finish: Plain = None

    def add(self, choice: Tree) -> None:
        delta = tree(choice.get("delta")) or tree(choice.get("message"))
        for key in _SPELLED:
            if isinstance(piece := delta.get(key), str):
                self._spelled.setdefault(key, []).append(piece)
        if isinstance(blocks := delta.get("content"), list):  # Mistral
            self._blocks += blocks
        if details := delta.get("reasoning_details"):
            self._rest["reasoning_details"] = details
        for position, piece in enumerate(trees(delta.get("tool_calls"))):
            self._call_of(piece, position).add(piece)
        if function := delta.get("function_call"):
            self._function.add({"function": function})
        if isinstance(reason := choice.get("finish_reason"), str):
            self._finish = reason
        if error := choice.get("error"):
            self._rest["error"] = error

    def _call_of(self, piece: Tree, position: int) -> "_Call":
        """The call that a piece belongs to: by index. A named piece with another id begins a new one (Gemini sends index 0 always)."""
        index, call_id = count(piece.get("index")), string(piece.get("id"))
        key = position if index is None else index
        known = self._open.get(key)
        is_named = any(string(tree(piece.get(kind)).get("name")) for kind in ("function", "custom"))
        if known is None or (is_named and call_id and known.call_id not in {None, call_id}):
            known = self._open[key] = _Call(call_id)
            self._calls.append(known)
        return known

    def whole(self) -> Tree:
        message: Tree = {key: "".join(pieces) for key, pieces in self._spelled.items()}
        if self._blocks:
            message["content"] = [*([message["content"]] if message.get("content") else []), *self._blocks]
        message |= {key: value for key, value in self._rest.items() if key != "error"}
        message["tool_calls"] = [made.whole() for made in self._calls]
        if self._function.name:
            message["function_call"] = self._function.whole()["function"]
        return {"message": message, "finish_reason": self._finish, "error": self._rest.get("error")}


class _Call:
    """One tool call while its fragments arrive: id and name come first, the arguments in pieces, or whole as an object."""

    def __init__(self, call_id: str | None) -> None:
        self.call_id = call_id
        self.name: str | None = None
        self._kind = "function"
        self._pieces: list[str] = []
        self._whole: Tree | None = None

    def add(self, piece: Tree) -> None:
        """Take a fragment, of a function (``arguments``) or of a custom tool (``input``)."""
        self._kind = "custom" if isinstance(piece.get("custom"), dict) else self._kind
        inner = tree(piece.get(self._kind))
        self.name = self.name or string(inner.get("name"))
        match inner.get("input" if self._kind == "custom" else "arguments"):
            case str(text):
                self._pieces.append(text)
            case dict(whole):
                self._whole = whole

    def whole(self) -> Tree:
        """The call as a completion holds it."""
        spelled = "".join(self._pieces) if self._whole is None else self._whole
        key = "input" if self._kind == "custom" else "arguments"
        return {"id": self.call_id, self._kind: {"name": self.name, key: spelled}}
