"""Which model calls are one conversation: those whose histories extend one another."""

from collections.abc import Sequence
from dataclasses import dataclass

from reviewlib.trajectory.attempts import Move, failure, finished
from reviewlib.trajectory.evidence import Evidence, call_ids, evidence
from reviewlib.trajectory.history import read_histories
from reviewlib.trajectory.links import CANDIDATES, Chain, Link
from reviewlib.trajectory.loom import weave


def chains(moves: Sequence[Move], *, ordered: bool) -> tuple[Chain, ...]:
    """Sort calls into conversations, in the order of their first call.

    In an ordered cassette each call extends at most one earlier call that nothing else extended. In an unordered one every leaf
    (a call that no other extends) is a conversation, with all that it grew from copied into it.
    """
    histories = read_histories([move.call.request for move in moves])
    links = tuple(
        Link(index, move, history) for index, (move, history) in enumerate(zip(moves, histories, strict=True))
    )
    with_request = tuple(link for link in links if link.move.call.request is not None)
    without = tuple(link for link in links if link.move.call.request is None)
    if ordered:
        found = [*weave(with_request), *_in_sequence(without)]
    else:  # an answer of which neither order nor request is known stands alone
        found = [*_grow(with_request), *((link,) for link in without)]
    return tuple(sorted(found, key=lambda chain: (chain[0].index, chain[-1].index)))


def _in_sequence(links: Sequence[Link]) -> list[Chain]:
    """Conversations of a format without requests: order is all there is, and a finished answer ends one.

    Where request hashes are stored, the hash that opened the conversation also starts the next one, unless it is the same
    request sent again.
    """
    found: list[list[Link]] = []
    for link in links:
        key = link.move.call.key
        last = found[-1][-1].move.call if found else None
        again = key is not None and last is not None and last.key != key and found[-1][0].move.call.key == key
        if last is None or finished(last) or again:
            found.append([link])
        else:
            found[-1].append(link)
    return [tuple(chain) for chain in found]


def _grow(links: Sequence[Link]) -> list[Chain]:
    """Conversations of an unordered cassette: the paths from its roots to its leaves."""
    folder = _Folder.of(links)
    found = [folder.place(link) for link in links]
    placed = _without_circles([link for link, _ in found])
    extended = {link.parent for link in placed.values()}
    continued = {link.parent for link, weight in found if weight >= Evidence.ALIKE}
    return [
        _path(link, placed)
        for link in placed.values()
        if link.index not in extended or (link.index not in continued and _ends(link))
    ]


def _without_circles(links: Sequence[Link]) -> dict[int, Link]:
    """Cut answers that name each other as what they continue: the first of a circle becomes its root."""
    placed = {link.index: link for link in links}
    children: dict[int | None, list[int]] = {}
    for link in links:
        children.setdefault(link.parent, []).append(link.index)
    reached: set[int] = set()
    for index in [*children.get(None, ()), *placed]:
        if index in reached:
            continue
        link = placed[index]
        placed[index] = Link(index, link.move, link.history)
        waiting = [index]
        while waiting:
            one = waiting.pop()
            if one not in reached:
                reached.add(one)
                waiting += children.get(one, ())
    return placed


def _ends(link: Link) -> bool:
    """Tell whether a run may end here though others share the request: a final answer that no history holds, or a failure."""
    return finished(link.move.call) or failure(link.move.call) is not None


@dataclass(frozen=True, slots=True)
class _Folder:
    """The calls of an unordered cassette: by history, by history and an id in the answer, by the answer's own id."""

    by_key: dict[bytes, list[Link]]
    by_call_id: dict[tuple[bytes, str], Link]
    by_response: dict[str, Link]

    @classmethod
    def of(cls, links: Sequence[Link]) -> "_Folder":
        folder = cls({}, {}, {})
        for link in links:
            key, response = link.history.key, link.move.call.response
            folder.by_key.setdefault(key, []).append(link)
            if response is not None:
                folder.by_call_id.update({(key, name): link for name in call_ids(response.parts)})
                if response.response_id:
                    folder.by_response[response.response_id] = link
        return folder

    def place(self, link: Link) -> tuple[Link, Evidence]:
        """Find what a call grew from: the answer it names, or of the calls with its longest prefix the one that fits best."""
        history, request = link.history, link.move.call.request
        named = self.by_response.get(request.previous) if request is not None and request.previous else None
        if named is not None and named is not link:
            return Link(link.index, link.move, history, named.index), Evidence.SAME_IDS
        for length in history.borders():
            key = history.keys[length]
            group = self.by_key.get(key)
            if group:
                end = history.block(length)
                sent_back = history.parts(length, end)
                owners = [self.by_call_id[key, name] for name in call_ids(sent_back) if (key, name) in self.by_call_id]
                weighed = [
                    (evidence(other.move.call.response, sent_back), -other.index, other)
                    for other in owners or group[:CANDIDATES]
                ]
                weight, _, parent = max(weighed, key=lambda item: item[:2])
                return Link(link.index, link.move, history, parent.index, length, end), weight
        return link, Evidence.SILENT


def _path(leaf: Link, placed: dict[int, Link]) -> Chain:
    path = [leaf]
    while path[-1].parent is not None:
        path.append(placed[path[-1].parent])
    return tuple(reversed(path))
