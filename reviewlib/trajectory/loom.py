"""Conversations of an ordered cassette: each call extends at most one earlier call that nothing else extended."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice

from reviewlib.trajectory.attempts import failure
from reviewlib.trajectory.evidence import Evidence, call_ids, evidence
from reviewlib.trajectory.history import History
from reviewlib.trajectory.links import CANDIDATES, Chain, Link


def weave(links: Sequence[Link]) -> list[Chain]:
    """Put each call behind the one it extends, in the order recorded."""
    loom = _Loom()
    for link in links:
        loom.add(link)
    return [tuple(chain) for chain in loom.chains]


@dataclass(slots=True)
class _Loom:
    """The conversations so far, and the calls that nothing extended yet, newest last."""

    chains: list[list[Link]] = field(default_factory=list)
    chain_of: dict[int, list[Link]] = field(default_factory=dict)
    open: dict[int, Link] = field(default_factory=dict)
    by_key: dict[bytes, dict[int, Link]] = field(default_factory=dict)
    by_call_id: dict[str, int] = field(default_factory=dict)
    by_response: dict[str, int] = field(default_factory=dict)

    def add(self, link: Link) -> None:
        """Put a call behind the one it extends, or at the start of a conversation of its own."""
        link = self._on_server(link) or self._by_ids(link) or self._by_prefix(link) or self._repeated(link) or link
        if link.parent is None:
            chain: list[Link] = []
            self.chains.append(chain)
        else:
            chain = self.chain_of[link.parent]
            link = self._attach(link, chain)
        chain.append(link)
        self.chain_of[link.index] = chain
        self._opened(link)

    def _opened(self, link: Link) -> None:
        self.open[link.index] = link
        self.by_key.setdefault(link.history.key, {})[link.index] = link
        response = link.move.call.response
        if response is not None:
            self.by_call_id.update(dict.fromkeys(call_ids(response.parts), link.index))
            if response.response_id:
                self.by_response[response.response_id] = link.index

    def _close(self, link: Link) -> None:
        self.open.pop(link.index, None)
        self.by_key[link.history.key].pop(link.index, None)

    def _attach(self, link: Link, chain: list[Link]) -> Link:
        """Close what the call extends. A failure closes nothing: the next call extends the same one, and repeats what it said."""
        parent = next(other for other in reversed(chain) if other.index == link.parent)
        tail = chain[-1]
        if tail is not parent:
            self._close(tail)
            if link.move.call.request is not None and link.move.call.request.previous is None:
                said = _common(link.history, tail.history, link.end)
                link = Link(link.index, link.move, link.history, link.parent, said, said)
        if failure(link.move.call) is None or failure(parent.move.call) is not None:
            self._close(parent)
        return link

    def _on_server(self, link: Link) -> Link | None:
        """Follow a request that names the answer it continues."""
        request = link.move.call.request
        parent = self.by_response.get(request.previous) if request is not None and request.previous else None
        return None if parent is None else Link(link.index, link.move, link.history, parent)

    def _by_ids(self, link: Link) -> Link | None:
        """Follow the ids of the last answer in the history to an open call; the messages before it may have been edited."""
        history = link.history
        start, end = history.last_block()
        indices = {self.by_call_id.get(name) for name in call_ids(history.parts(start, end))}
        parent = max((index for index in indices if index is not None and index in self.open), default=None)
        if parent is None:
            return None
        prefix = history.find(self.open[parent].history.key)
        if prefix is not None and prefix <= start:
            start, end = prefix, history.block(prefix)
        return Link(link.index, link.move, history, parent, start, end)

    def _by_prefix(self, link: Link) -> Link | None:
        """Follow the longest prefix that is the history of an open call, unless its answer contradicts what comes next."""
        history = link.history
        for length in history.borders():
            group = self.by_key.get(history.keys[length])
            if not group:
                continue
            end = history.block(length)
            sent_back = history.parts(length, end)
            weighed = [
                (weight, _alike(other, link), other.index)
                for other in islice(reversed(group.values()), CANDIDATES)
                if (weight := evidence(other.move.call.response, sent_back)) > Evidence.CONFLICT
            ]
            if weighed:
                return Link(link.index, link.move, history, max(weighed)[2], length, end)
        return None

    def _repeated(self, link: Link) -> Link | None:
        """Place a request that is sent again: another turn if the answer was cut or failed, or within a run; else a new run."""
        group = self.by_key.get(link.history.key, {})
        newest = islice(reversed(group.values()), CANDIDATES)
        other = next((open_ for open_ in newest if _system(open_) == _system(link)), None)
        if other is None or (other.parent is None and not _unanswered(other)):
            return None
        said = len(link.history.atoms)
        return Link(link.index, link.move, link.history, other.index, said, said)


def _unanswered(link: Link) -> bool:
    call = link.move.call
    if call.response is None or not call.response.complete or failure(call) is not None:
        return True
    return call.response.stop_reason == "max_tokens"


def _alike(one: Link, other: Link) -> bool:
    """Tell whether two calls come from the same agent: same system prompt, same tools by name."""
    return _system(one) == _system(other) and _tools(one) == _tools(other)


def _system(link: Link) -> str | None:
    request = link.move.call.request
    return request.system if request is not None else None


def _tools(link: Link) -> tuple[str, ...]:
    request = link.move.call.request
    return tuple(tool.name for tool in request.tools) if request is not None else ()


def _common(one: History, other: History, least: int) -> int:
    """Count the atoms that two histories share from the start, of which ``least`` are known to be shared or settled."""
    length, end = least, min(len(one.atoms), len(other.atoms))
    while length < end and one.keys[length + 1] == other.keys[length + 1]:
        length += 1
    return length
