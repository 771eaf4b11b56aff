"""Finds the secrets in a value, and puts marks in their place, however they are spelled; in time that does not grow with their number."""

import re
from collections.abc import Callable, Iterable, Iterator
from urllib.parse import quote

from reviewlib.leaks.marks import found_mark, plausible
from reviewlib.leaks.numbers import numbers
from reviewlib.leaks.scanner import Hit, scan
from reviewlib.leaks.texts import replaced, spellings, texts, unpacked
from reviewlib.model.frozen import Plain
from reviewlib.redact import mask, shapes

_HEAD = 8  # letters; no secret has fewer
_FEW = 12  # spellings that an expression finds faster than a table does: 20 ns a letter each, against 100 in all


def masked(value: Plain) -> Plain:
    """Return a value in which every secret that is found is masked."""
    value = mask(value)
    found = hits("\n\n".join(texts(value)))
    return replaced(value, masker(found)) if found else value


def hits(text: str) -> tuple[Hit, ...]:
    """Find the secrets in a text: by their shape, by the rules, and cards and accounts. What is masked already is none."""
    data = text.encode("utf-8", "replace")
    known = (Hit(kind, value, value) for kind, value in shapes(text) if plausible(value))
    return (*known, *scan(data), *numbers(data))


def masker(secrets: Iterable[Hit]) -> Callable[[str], str]:
    """Return a function that masks these secrets in a text: as they are, in JSON, in an address, and in base64 of gzip."""
    known: dict[str, str] = {}
    for hit in secrets:
        written = found_mark(hit.kind, hit.value)
        for spelling in (*spellings(hit.value), *spellings(hit.held), quote(hit.value, safe="")):
            known.setdefault(spelling, written)
    search = _expression(known) if len(known) <= _FEW else _table(known)

    def change(text: str) -> str:
        inside = unpacked(text)
        if inside and (hidden := next(search(inside), None)):
            return known[hidden[1]]
        parts: list[str] = []
        end = 0
        for start, spelling in search(text):
            parts += (text[end:start], known[spelling])
            end = start + len(spelling)
        return "".join((*parts, text[end:])) if parts else text

    return change


_Search = Callable[[str], Iterator[tuple[int, str]]]


def _expression(known: Iterable[str]) -> _Search:
    """Find spellings one after the other; the longest first, as one may be the beginning of another."""
    ordered = sorted(known, key=lambda each: (-len(each), each))
    found = re.compile("|".join(map(re.escape, ordered)))
    return lambda text: ((hit.start(), hit[0]) for hit in found.finditer(text))


def _table(known: Iterable[str]) -> _Search:
    """Find many: an expression of 2,000 words tries each of them at every letter."""
    lengths: dict[str, set[int]] = {}
    for spelling in known:
        lengths.setdefault(spelling[:_HEAD], set()).add(len(spelling))
    heads = {head: sorted(those, reverse=True) for head, those in lengths.items()}
    words = frozenset(known)

    def search(text: str) -> Iterator[tuple[int, str]]:
        place, last = 0, len(text) - _HEAD
        while place <= last:
            for length in heads.get(text[place : place + _HEAD], ()):
                if text[place : place + length] in words:
                    yield place, text[place : place + length]
                    place += length - 1
                    break
            place += 1

    return search
