"""A conversation as the row of events it consists of, each said once: prompts, messages, answers, results."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

from reviewlib.model.call import Media, ModelCall, Part, ResultPart
from reviewlib.model.trajectory import Attempt
from reviewlib.trajectory.attempts import failure
from reviewlib.trajectory.evidence import Evidence, evidence
from reviewlib.trajectory.history import Atom
from reviewlib.trajectory.links import Chain, Link


@dataclass(frozen=True, slots=True)
class System:
    """The system prompt, at the start and whenever it changes."""

    text: str


@dataclass(frozen=True, slots=True)
class User:
    """One new message from the user's side."""

    text: str
    media: tuple[Media, ...] = ()


@dataclass(frozen=True, slots=True)
class Results:
    """Tool results, and the interaction that holds them. ``messages``: of each, the message of the request it stands in; none in an answer."""

    parts: tuple[ResultPart, ...]
    interaction: int
    messages: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer of the model: its parts, and the call that it was read from.

    ``source``: ``recorded`` · ``sent_back`` the call is here but its answer is not, a later history holds it · ``handed_over``
    neither is here; ``call`` is then the one whose history holds it.
    """

    call: ModelCall
    parts: tuple[Part, ...]
    source: str
    attempts: tuple[Attempt, ...] = ()


Event: TypeAlias = System | User | Results | Answer


def write_script(chain: Chain, *, ordered: bool) -> tuple[Event, ...]:
    """Tell a conversation from its first call to its last."""
    events: list[Event] = []
    system: str | None = None
    for position, link in enumerate(chain):
        request = link.move.call.request
        if request is not None and request.system is not None and request.system != system:
            system = request.system
            events.append(System(system))
        events.extend(_new_messages(link, system))
        following = chain[position + 1] if position + 1 < len(chain) else None
        events.extend(_answers(link, following, ordered=ordered))
    return tuple(events)


def _new_messages(link: Link, system: str | None) -> Iterator[Event]:
    call = link.move.call
    fresh = link.history.atoms[link.end :]
    for (role, _), group in groupby(fresh, key=_speech):
        atoms = tuple(group)
        parts = tuple(atom.part for atom in atoms)
        if role == "assistant":
            yield Answer(call, parts, "handed_over")
        elif role == "tool":
            yield from _results(atoms, call.interaction)
        elif role == "user":
            yield from _said_by_user(atoms, call.interaction)
        elif (text := _text(parts)) and text != system:
            yield System(text)


def _speech(atom: Atom) -> tuple[str, int]:
    """Return what groups atoms: neighbouring answers and results are one piece, other messages each stand alone."""
    return (atom.role, atom.message if atom.role in {"user", "system"} else -1)


def _said_by_user(atoms: Sequence[Atom], interaction: int) -> Iterator[Event]:
    """Tell a message of the user; results may stand in it too."""
    yield from _results(atoms, interaction)
    parts = tuple(atom.part for atom in atoms)
    text, media = _text(parts), tuple(part for part in parts if part.kind == "media")
    if text or media:
        yield User(text, media)


def _results(atoms: Sequence[Atom], interaction: int) -> Iterator[Results]:
    found = [(atom.part, atom.message) for atom in atoms if isinstance(atom.part, ResultPart)]
    if found:
        parts, messages = zip(*found, strict=True)
        yield Results(parts, interaction, messages)


def _text(parts: tuple[Part, ...]) -> str:
    return "\n".join(part.text for part in parts if part.kind == "text" and part.text)


def _answers(link: Link, following: Link | None, *, ordered: bool) -> Iterator[Answer]:
    """Tell what the model said to one call.

    In a folder where a stored answer may have been overwritten by another run, the history that the run went on with is the truth.
    """
    call, response = link.move.call, link.move.call.response
    sent_back: tuple[Part, ...] = ()
    if following is not None and following.parent == link.index:
        sent_back = following.history.parts(following.start, following.end)
    failed = failure(call) is not None
    kept = ordered or evidence(response, sent_back) in {Evidence.SILENT, Evidence.ALIKE, Evidence.SAME_IDS}
    lost = response is None or not kept or (failed and not ordered)
    if sent_back and lost and not (failed and ordered):
        yield Answer(call, sent_back, "sent_back", link.move.attempts)
        return
    yield Answer(call, response.parts if response is not None else (), "recorded", link.move.attempts)
    if sent_back and failed and following is not None:
        yield Answer(following.move.call, sent_back, "handed_over")
