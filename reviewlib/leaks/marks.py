"""What stands in place of a secret: ``[masked:KIND:DIGEST]``, or ``[masked:KIND]`` where the value only has the place of one.

The digest tells two secrets apart, in one comparison and in the next, and a diff of two masked texts shows that the secret changed.
"""

import hashlib
import re
from base64 import b64decode
from binascii import Error
from collections.abc import Iterator

MARK = re.compile(r"\[masked:([a-z0-9-]+):([0-9a-f]{8}|[0-9a-f]{2})\]")
"""The mark of a secret: its kind and its digest."""

_LONG = 20  # characters
_LETTERS = 8  # an account number has up to six
_SHORTEST = 8
_DUMMY = re.compile(
    r"""(?ix) example | fake | dummy | placeholder | redacted | scrubbed | masked | sample | mock | changeme | your[_-] | insert
    | (?<![a-z]) test | test (?![a-z]) | x{4} | 0{5} | (.)\1{5} | 12345(?=6) | abcdef(?=g) | \bfoo | hunter2 | [<>{}\[\]]"""
)
_SCHEME = re.compile(r"(?i)(bearer|basic|token|key|apikey)\s+")
_BLOCK = re.compile(r"-----[A-Z ]+-----|\\n|\s")


def mark(kind: str, value: str) -> str:
    """Write what stands in place of a value; without a digest where it is a word of documentation, or too plain to be a secret."""
    return found_mark(kind, value) if plausible(value) else f"[masked:{kind}]"


def found_mark(kind: str, value: str) -> str:
    """Write what stands in place of a value that is known to be a secret."""
    return f"[masked:{kind}:{digest(value)}]"


def digest(value: str) -> str:
    """Name a secret by the beginning of a hash.

    Eight hex digits of a long one, of which no list of guesses can be made. Two of a short one and of a number, which can be guessed: they tell
    most others apart from it, and confirm no guess (of a dictionary of 10,000 words 40 have the same two).
    """
    secret = _bare(value)
    whole = hashlib.sha256(b"cassette-review\0" + secret.encode("utf-8", "surrogatepass")).hexdigest()
    drawn = len(secret) >= _LONG and sum(map(str.isalpha, secret)) >= _LETTERS
    return whole[: 8 if drawn else 2]


def marks(text: str) -> Iterator[tuple[str, str]]:
    """Yield kind and digest of each mark in a text."""
    for hit in MARK.finditer(text):
        yield hit[1], hit[2]


def plausible(value: str) -> bool:
    """Whether a value that has the shape or the place of a secret may be one: no placeholder, no documented example, not a plain word."""
    secret = _BLOCK.sub("", _password(value) if value[:6].lower() == "basic " else _bare(value))
    return len(secret) >= _SHORTEST and not _DUMMY.search(_opened(secret)) and _is_varied(secret)


def _is_varied(secret: str) -> bool:
    """Whether a value has the letters of a drawn one: many different, and digits or both cases among them."""
    different = len(set(secret))
    mixed = any(letter.isdigit() for letter in secret) or (
        len(secret) >= _LONG and secret.lower() != secret and "-" not in secret
    )
    return mixed and different >= (10 if len(secret) >= _LONG else 6)


def _bare(value: str) -> str:
    """Return a credential without the word before it: a token is the same one in a header and in a text."""
    scheme = _SCHEME.match(value)
    return value[scheme.end() :] if scheme else value


def _password(value: str) -> str:
    """Return the password of basic authentication."""
    try:
        return b64decode(_bare(value), validate=True).decode().partition(":")[2]
    except (Error, ValueError):
        return _bare(value)


def _opened(secret: str) -> str:
    """Return a value together with what a JSON Web Token says in plain words."""
    if not secret.startswith("eyJ"):
        return secret
    claims = secret.split(".")[1] if "." in secret else ""
    try:
        return secret + b64decode(claims + "=" * (-len(claims) % 4), altchars=b"-_").decode("utf-8", "replace").strip(
            "{}"
        )
    except (Error, ValueError):
        return secret
