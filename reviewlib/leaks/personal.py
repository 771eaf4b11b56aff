"""E-mail addresses and telephone numbers of people. They stay readable: whom an agent writes to is what a reviewer has to see."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Literal

import phonenumbers

_ADDRESS = re.compile(r"[\w.+%-]{1,64}@(?:[\w-]{1,63}\.){1,5}[A-Za-z]{2,24}(?![\w@-])")
_NOBODY = re.compile(
    r"""(?ix) (?:no[._-]?reply|do[._-]?not[._-]?reply|example|user|test|your[._-]?\w*|foo|name|e?mail|git|sample)\d* @ .*
    | (?:support|help|info|contact|sales|hello|billing|service|security|privacy|admin|feedback|press|office|team|care|orders?|returns?)@ .*
    | .* [@.] (?:example|test|invalid|localhost|local|internal) (?:\.\w+)*
    | .* @ (?:[\w-]+\.)* (?:example|domain|email|company|mail|yourcompany|acme|test|foo|bar|iam\.gserviceaccount)\w* \. \w+
    | .* \. (?:png|jpe?g|gif|svg|js|py|ts|css)"""
)
_NUMBER = re.compile(
    r"[+(\d](?:(?<=\+)\d[\d ().-]{7,18}\d(?!\d)|(?<=\()\d{3}\) ?\d{3}-\d{4}(?!\d)"
    r"|(?<=\d)(?<![\d.-]\d)\d{2}[-.]\d{3}[-.]\d{4}(?![\d.-]))"
)
"""Written so that it begins with one character of a few: three ways to begin take twice the time."""
_FICTION = re.compile(
    r"\+1\d{3}555\d{4}|\+447700900\d{3}|\+44(?:113|114|115|116|117|118|121|131|141|151|161|20)\d*4960\d+"
)
"""Numbers set aside for films and documentation."""

_MIN_DIGITS = 5  # different ones; +1 234 567 8900 and its like are typed, not dialled


@dataclass(frozen=True, slots=True)
class Person:
    """What leads to a person: an address in lower case, or a number in E.164."""

    kind: Literal["e-mail address", "telephone number"]
    value: str


def names_people(texts: Collection[str]) -> bool:
    """Tell whether there are people in any of some texts. One search through all is faster than one through each."""
    written = [text for text in texts if "@" in text]
    numbers = _numbers("\n".join(texts))
    return any(True for text in written for _ in _addresses(text)) or any(True for _ in numbers)


def people(text: str) -> Iterator[Person]:
    """Find the addresses and numbers in a text; those of documentation, of offices and of machines are none."""
    if "@" in text:
        yield from _addresses(text)
    yield from _numbers(text)


def _addresses(text: str) -> Iterator[Person]:
    for found in _ADDRESS.finditer(text):
        address = found[0].lower()
        if not _NOBODY.fullmatch(address):
            yield Person("e-mail address", address)


def _numbers(text: str) -> Iterator[Person]:
    for found in _NUMBER.finditer(text):
        number = _dialled(found[0])
        if number is not None:
            yield Person("telephone number", number)


def _dialled(text: str) -> str | None:
    try:
        number = phonenumbers.parse(text, "US")
    except phonenumbers.NumberParseException:
        return None
    written = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
    known = phonenumbers.is_valid_number(number) and not _FICTION.fullmatch(written)
    return written if known and len(set(written)) > _MIN_DIGITS and "123456" not in written else None
