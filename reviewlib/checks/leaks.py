"""Checks for what must not be in a repository: secrets and personal data. Messages give kind, place and a short digest, never the value."""

import hashlib
from collections.abc import Iterator
from fnmatch import fnmatchcase

from reviewlib.checks.check import Check, Given, Sighting
from reviewlib.leaks.numbers import KINDS
from reviewlib.leaks.personal import Person, names_people, people
from reviewlib.leaks.places import steps_by_place
from reviewlib.leaks.texts import texts
from reviewlib.model.cassette import Unreadable
from reviewlib.model.leak import Leak
from reviewlib.model.trajectory import Recording

_COUNTED = {
    "e-mail address": ("an e-mail address", "e-mail addresses"),
    "telephone number": ("a telephone number", "telephone numbers"),
}

_WORDS = {
    "authorization": "credentials",
    "card": "a card number",
    "cookie": "a session",
    "form": "a credential in a form",
    "iban": "an account number",
    "query": "a credential",
    "userinfo": "a password",
}


def secrets(read: Recording | Unreadable, given: Given) -> Iterator[Sighting]:
    """See keys, tokens, passwords and sessions that were recorded."""
    yield from (_told(leak) for leak in read.leaks if leak.kind not in KINDS and _matters(leak, given))


def numbers(read: Recording | Unreadable, given: Given) -> Iterator[Sighting]:
    """See card and account numbers."""
    yield from (_told(leak) for leak in read.leaks if leak.kind in KINDS and _matters(leak, given))


def personal_data(recording: Recording, given: Given) -> Iterator[Sighting]:
    """See card and account numbers, and addresses and numbers of people in the steps."""
    yield from numbers(recording, given)
    if not names_people(texts([conversation.steps for conversation in recording.conversations])):
        return
    seen: set[Person] = set()
    for value, place, step in steps_by_place(recording):
        new: dict[str, set[str]] = {}
        for text in texts(value):
            for person in people(text):
                if person not in seen and not _is_allowed(person, given):
                    seen.add(person)
                    new.setdefault(person.kind, set()).add(person.value)
        for kind, values in new.items():
            what = _COUNTED[kind][0] if len(values) == 1 else f"{len(values)} {_COUNTED[kind][1]}"
            key = hashlib.sha256("\n".join(sorted(values)).encode()).hexdigest()
            yield Sighting(f"{what} in {place}", step, key)


def _told(leak: Leak) -> Sighting:
    what = _WORDS.get(leak.kind) or leak.kind.replace("-", " ")
    more = f" and {leak.places - 1} more places" if leak.places > 2 else " and one more place" * (leak.places == 2)
    # Which rule knows a key may depend on the words around it, so a digest that tells it alone is what makes it the same.
    key = leak.digest if len(leak.digest) > 2 else leak.name
    return Sighting(f"{what} in {leak.place}{more} ({leak.name})", leak.step, key)


def _matters(leak: Leak, given: Given) -> bool:
    return leak.name not in given.policy.allow_secrets


def _is_allowed(person: Person, given: Given) -> bool:
    return any(fnmatchcase(person.value, pattern.lower()) for pattern in given.policy.allow_personal_data)


CHECKS = (
    Check("secret", "A secret was recorded", "error", ruled=secrets, unread=secrets),
    Check("personal-data", "Personal data was recorded", "warning", ruled=personal_data, unread=numbers),
)
