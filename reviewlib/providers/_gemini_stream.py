"""streamGenerateContent: answers in pieces, put together into the one that generateContent would have given."""

from collections.abc import Sequence

from reviewlib.model.frozen import Plain
from reviewlib.providers._plain import Tree, camel, count, tree, trees
from reviewlib.providers.provider import Assembled

_SUMMED_UP = ("finishReason", "finishMessage", "groundingMetadata")


def assemble(events: Sequence[Tree]) -> Assembled:
    """The answer that the events build: parts are appended, texts of one kind joined; every count is the last one given."""
    answer: Tree = {}
    usage: Tree = {}
    candidates: dict[int, _Candidate] = {}
    for wrapped in events:
        event = camel(tree(wrapped.get("response")) or wrapped)
        answer |= {key: value for key, value in event.items() if key not in {"candidates", "usageMetadata"}}
        usage |= _known(event.get("usageMetadata"))
        for piece in map(camel, trees(event.get("candidates"))):
            candidates.setdefault(count(piece.get("index")) or 0, _Candidate()).add(piece)
    whole = [candidates[index].whole() for index in sorted(candidates)]
    is_blocked = "promptFeedback" in answer and not whole
    complete = is_blocked or (bool(whole) and all("finishReason" in candidate for candidate in whole))
    return Assembled(answer | {"candidates": whole, "usageMetadata": usage}, complete)


class _Candidate:
    """One candidate while its pieces arrive."""

    def __init__(self) -> None:
        self._parts: list[Tree] = []
        self._texts: list[list[str]] = []  # of each part, joined at the end: a stream of 2 MB has 10,000 pieces
        self._rest: Tree = {}

    def add(self, piece: Tree) -> None:
        for part in trees(tree(piece.get("content")).get("parts")):
            text = part.get("text")
            if not isinstance(text, str):
                self._append(part, [])
            elif self._parts and self._texts[-1] and _is_thought(self._parts[-1]) == _is_thought(part):
                self._texts[-1].append(text)
            else:
                self._append(part, [text])
        self._rest |= {key: piece[key] for key in _SUMMED_UP if piece.get(key)}

    def _append(self, part: Tree, texts: list[str]) -> None:
        self._parts.append(part)
        self._texts.append(texts)

    def whole(self) -> Tree:
        joined = zip(self._parts, self._texts, strict=True)
        parts = [part | {"text": "".join(texts)} if texts else part for part, texts in joined]
        return {"content": {"parts": parts}} | self._rest


def _is_thought(part: Tree) -> bool:
    return part.get("thought") is True


def _known(value: Plain) -> Tree:
    return {key: item for key, item in tree(value).items() if item is not None}
