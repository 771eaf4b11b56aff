"""The history of a request as a row of atoms, with a rolling digest after each: equal digests are equal prefixes.

Histories grow with every turn, so all of them together are quadratic in the turns. They are read once each, and compared by
digest alone; no two messages are ever held against each other.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import NamedTuple, TypeAlias

from reviewlib.model.call import CallPart, ModelRequest, Part
from reviewlib.model.frozen import Plain
from reviewlib.values import canonical


class Atom(NamedTuple):
    """One part of a message: who says it, and in which message of the request it stands."""

    role: str
    message: int
    part: Part


@dataclass(frozen=True, slots=True)
class History:
    """``keys[i]`` is the digest of the first ``i`` atoms, so ``keys`` has one item more than ``atoms``.

    Message borders do not count (providers split and join them), nor do provider ids, thinking (harnesses drop it) and
    blank text (an answer of calls alone is sent back with ``""`` or nothing).
    """

    atoms: tuple[Atom, ...]
    keys: tuple[bytes, ...]

    @property
    def key(self) -> bytes:
        """The digest of the whole."""
        return self.keys[-1]

    def borders(self) -> Iterator[int]:
        """Yield the lengths of all proper prefixes that end in an atom that counts, longest first."""
        for length in range(len(self.atoms) - 1, 0, -1):
            if self.keys[length] not in (self.keys[-1], self.keys[length - 1]):
                yield length

    def find(self, key: bytes) -> int | None:
        """Return how many atoms the prefix with this digest has (the shortest such prefix), or None."""
        try:
            return self.keys.index(key)
        except ValueError:
            return None

    def block(self, start: int) -> int:
        """Return where the run of assistant atoms that begins at ``start`` ends."""
        end = start
        while end < len(self.atoms) and self.atoms[end].role == "assistant":
            end += 1
        return end

    def last_block(self) -> tuple[int, int]:
        """Return the bounds of the last run of assistant atoms; empty at the end where there is none."""
        end = len(self.atoms)
        while end > 0 and self.atoms[end - 1].role != "assistant":
            end -= 1
        start = end
        while start > 0 and self.atoms[start - 1].role == "assistant":
            start -= 1
        return start, end

    def parts(self, start: int, end: int) -> tuple[Part, ...]:
        """Return the parts between two bounds."""
        return tuple(atom.part for atom in self.atoms[start:end])


NO_HISTORY = History((), (b"",))


Digests: TypeAlias = dict[tuple[bytes, str, int], bytes]
"""The digest after a part, by the digest before it, who says it, and the part's identity."""


def read_histories(requests: Sequence[ModelRequest | None]) -> tuple[History, ...]:
    """Read the histories of a cassette's requests. What several of them begin with is digested once."""
    known: Digests = {}
    return tuple(_read_history(request, known) for request in requests)


def _read_history(request: ModelRequest | None, known: Digests) -> History:
    """Read the history of a request. One that continues an answer on the server starts from that answer's id."""
    if request is None:
        return NO_HISTORY
    atoms: list[Atom] = []
    key = (request.previous or "").encode(errors="surrogatepass")
    keys = [key]
    for index, message in enumerate(request.messages):
        role = message.role
        for part in message.parts:
            atoms.append(Atom(role, index, part))
            step = (
                key,
                role,
                id(part),
            )  # equal messages of one cassette are one object, and the requests keep it alive
            if step not in known:
                said = _said(part)
                known[step] = key if said is None else _after(key, f"{role}\0{said}")
            key = known[step]
            keys.append(key)
    return History(tuple(atoms), tuple(keys))


def _after(before: bytes, said: str) -> bytes:
    digest = blake2b(before, digest_size=16)
    digest.update(said.encode(errors="surrogatepass"))
    return digest.digest()


def _said(part: Part) -> str | None:
    """Return what a part says, without its ids; None where it says nothing that counts."""
    match part.kind:
        case "thinking":
            return None
        case "text":
            return f"text\0{text}" if (text := part.text.strip()) else None
        case "call":
            return f"call\0{call_key(part)}"
        case "result":
            return f"result\0{_value(part.result)}"
        case "media":
            return f"media\0{part.media_type}\0{part.digest}\0{part.url}"


def call_key(part: CallPart) -> str:
    """Return a text that is equal for two calls of the same tool with the same arguments."""
    return f"{part.tool}\0{part.arguments_raw if part.arguments_raw is not None else canonical(part.arguments)}"


def _value(value: Plain) -> str:
    return value if isinstance(value, str) else canonical(value)
