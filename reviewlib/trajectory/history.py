"""The history of a request as a row of atoms, with a rolling digest after each: equal digests are equal prefixes.

Histories grow with every turn, so all of them together are quadratic in the turns. They are read once each, and compared by
digest alone; no two messages are ever held against each other.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b

from reviewlib.model.call import CallPart, Media, ModelRequest, Part, ResultPart, Text, Thinking
from reviewlib.model.frozen import Plain
from reviewlib.values import canonical


@dataclass(frozen=True, slots=True)
class Atom:
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


def read_history(request: ModelRequest | None) -> History:
    """Read the history of a request. One that continues an answer on the server starts from that answer's id."""
    if request is None:
        return NO_HISTORY
    atoms = tuple(
        Atom(message.role, index, part) for index, message in enumerate(request.messages) for part in message.parts
    )
    keys = [(request.previous or "").encode(errors="surrogatepass")]
    for atom in atoms:
        said = _said(atom.part)
        keys.append(keys[-1] if said is None else _after(keys[-1], f"{atom.role}\0{said}"))
    return History(atoms, tuple(keys))


def _after(before: bytes, said: str) -> bytes:
    digest = blake2b(before, digest_size=16)
    digest.update(said.encode(errors="surrogatepass"))
    return digest.digest()


def _said(part: Part) -> str | None:
    """Return what a part says, without its ids; None where it says nothing that counts."""
    match part:
        case Thinking():
            return None
        case Text(text=text):
            return f"text\0{text.strip()}" if text.strip() else None
        case CallPart():
            return f"call\0{call_key(part)}"
        case ResultPart(result=result):
            return f"result\0{_value(result)}"
        case Media():
            return f"media\0{part.media_type}\0{part.digest}\0{part.url}"


def call_key(part: CallPart) -> str:
    """Return a text that is equal for two calls of the same tool with the same arguments."""
    return f"{part.tool}\0{part.arguments_raw if part.arguments_raw is not None else canonical(part.arguments)}"


def _value(value: Plain) -> str:
    return value if isinstance(value, str) else canonical(value)
