"""Masks secrets before anything is shown, stored or compared: ``[masked:KIND:DIGEST]`` (``reviewlib.leaks.marks``).

Only well-known shapes, names and places are masked here, so that two runs are still compared on everything else; ``reviewlib.leaks.guard`` masks
what else is a secret. What a recorder already replaced (``<redacted>``, ``PLACEHOLDER``, ``X-API-KEY-XXX``) stays as it is.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, TypeAlias

from reviewlib.leaks.marks import mark
from reviewlib.model.frozen import Plain

_HEADERS = {
    "authorization": "authorization",
    "proxy-authorization": "authorization",
    "cookie": "cookie",
    "set-cookie": "cookie",
    "x-api-key": "api-key",
    "api-key": "api-key",
    "apikey": "api-key",
    "x-goog-api-key": "api-key",
    "x-goog-iam-authorization-token": "token",
    "ocp-apim-subscription-key": "api-key",
}
_HEADER_ENDINGS = (("-token", "token"), ("-api-key", "api-key"), ("-apikey", "api-key"), ("-secret", "secret"))

_KEYS = {
    **dict.fromkeys(("access_token", "refresh_token", "id_token", "session_token", "sessiontoken"), "token"),
    **dict.fromkeys(("client_secret", "client_assertion", "secret_access_key", "secretaccesskey"), "secret"),
    **dict.fromkeys(("api_key", "apikey"), "api-key"),
    "private_key": "private-key",
}
"""Members of an object that hold a secret by their name alone; tool arguments called ``token`` or ``password`` are left alone."""

_PLACEHOLDER = re.compile(
    r"""(?ix) \s* (?:bearer\s+|basic\s+|\w+=)? (?:
        < [^<>]* > | \[ [^\[\]]* \] | \$? \{+ [^{}]* \}+ | % [^%]* % | \*+     # <redacted>, [FILTERED], ${TOKEN}, ***
        | [a-z_-]*(?:redacted|masked|scrubbed|filtered|placeholder|removed|xxx+)[a-z_-]*
        | (?:x-)?[a-z-]*-xxx | none | null | dummy | fake | test | secret | empty
    )? \s*"""
)

# One alternative a kind; the name of the group is the kind. Long enough that documentation's `sk-...` and `sk-fake-000` are no hits.
_SHAPES = re.compile(
    r"""(?x)
    (?P<private_key>-----BEGIN\ [A-Z ]{0,20}PRIVATE\ KEY-----[A-Za-z0-9+/=\s\\]{0,20000}(?:-----END\ [A-Z ]{0,20}PRIVATE\ KEY-----)?)
    | (?P<bearer>(?<=[Bb]earer\ )(?=[^\s"']*[0-9])[A-Za-z0-9._~+/=-]{15,}[A-Za-z0-9_~+/=-])
    | \b(?:
        (?P<api_key>
            sk-ant-[A-Za-z0-9_-]{16,} | sk-(?:proj|svcacct|admin|or-v1|lf)-[A-Za-z0-9_-]{16,} | sk-[A-Za-z0-9]{20,}
            | AIza[A-Za-z0-9_-]{35} | gsk_[A-Za-z0-9]{40,} | xai-[A-Za-z0-9]{40,} | hf_[A-Za-z0-9]{30,}
            | r8_[A-Za-z0-9]{30,} | pplx-[A-Za-z0-9]{40,} | (?:sk|rk)_live_[A-Za-z0-9]{16,} )
        | (?P<aws_key>(?:AKIA|ASIA)[A-Z0-9]{16}\b)
        | (?P<github_token>gh[pousr]_[A-Za-z0-9]{36,} | github_pat_[A-Za-z0-9_]{22,})
        | (?P<gitlab_token>glpat-[A-Za-z0-9_-]{20,})
        | (?P<slack_token>xox[abeoprs]-[A-Za-z0-9-]{10,})
        | (?P<google_token>ya29\.[A-Za-z0-9._-]{19,}[A-Za-z0-9_-])
        | (?P<jwt>eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,})
    )"""
)
# Whatever has one of the shapes has one of these marks, in the file too that it stands in. A pattern that begins with one rare character
# runs as fast as the search for it: all marks take 4 ns a byte, where `in` over 35 literals took 14 and the shapes themselves take 60.
_SHAPE_MARKS = (
    (
        r"_(?:(?<=hf_|r8_)[A-Za-z0-9]{30}|(?<=gsk_)[A-Za-z0-9]{40}|(?<=gh[pousr]_)[A-Za-z0-9]{36}"
        r"|live_(?<=k_live_)[A-Za-z0-9]{16}|pat_(?<=github_pat_)[A-Za-z0-9_]{22})"
    ),
    (
        r"-(?:(?<=sk-)(?:(?:ant|proj|svcacct|admin|or-v1|lf)-[A-Za-z0-9_-]{16}|[A-Za-z0-9]{20})|(?<=xai-)[A-Za-z0-9]{40}"
        r"|(?<=pplx-)[A-Za-z0-9]{40}|(?<=glpat-)[A-Za-z0-9_-]{20}|(?<=xox[abeoprs]-)[A-Za-z0-9-]{10})"
    ),
    r"I(?:(?<=AI)za[A-Za-z0-9_-]{35}|(?<=AKI|ASI)A[A-Z0-9]{16}|(?<=PRI)VATE\W{1,80}KEY-----)",
    r"J(?<=\.eyJ)",
    r"ya29\.[A-Za-z0-9._-]{20}",
    r"earer\W{1,80}[A-Za-z0-9._~+/=-]{16}",
)
# The names in _KEYS; and escapes that spell letters, digits or the punctuation in secrets, which nobody writes who has nothing to hide.
_NAME_MARKS = (
    (
        r"_(?i:token(?:(?<=access_token)|(?<=refresh_token)|(?<=id_token)|(?<=session_token))"
        r"|key(?:(?<=api_key)(?<!\wapi_key)|(?<=secret_access_key)|(?<=private_key))"
        r"|secret(?<=client_secret)|assertion(?<=client_assertion))(?!\w)"
    ),
    r"K(?:(?<=apiK)|(?<=AccessK))ey(?!\w)",
    r"T(?<=essionT)oken(?!\w)",
    r"apikey(?!\w)",
    r"\\(?:u00|x)(?:2[dDeE]|3[0-9]|4[1-9a-fA-F]|5[0-9aAfF]|6[1-9a-fA-F]|7[0-9aA])",
)
_SHORTEST = 15  # xoxb- and ten more
_Searches: TypeAlias = tuple[Callable[[Any], re.Match[Any] | None], ...]
_SHAPE_SEARCHES: _Searches = tuple(re.compile(mark).search for mark in _SHAPE_MARKS)
_SEARCHES: _Searches = tuple(re.compile(mark).search for mark in (*_SHAPE_MARKS, *_NAME_MARKS))
_BYTE_SEARCHES: _Searches = tuple(re.compile(mark.encode()).search for mark in (*_SHAPE_MARKS, *_NAME_MARKS))

_QUERY = re.compile(
    r"(?i)([?&;](?:key|api[-_]?key|token|access_token|refresh_token|id_token|client_secret|secret|password|sig|signature"
    r"|x-amz-signature|x-amz-credential|x-amz-security-token|x-goog-signature|x-goog-credential)=)([^&#;\s]+)"
)
_FORM = re.compile(
    r"((?:^|&)(?:access_token|refresh_token|id_token|client_secret|client_assertion|assertion|api_key|password)=)([^&\s]+)"
)
_USERINFO = re.compile(r"""(?<=://)[^/@\s"']+:[^/@\s"']+(?=@)""")
_COOKIES = re.compile(r"(?:^|[;,])\s*([^=;,\s]+)=([^;,]*)")
_ATTRIBUTES = frozenset({"path", "domain", "expires", "max-age", "samesite", "priority", "version", "datr", "nid"})
_NO_SESSION = ("__cf", "_cf", "cf_", "awsalb", "arraffinity", "_ga", "gclb", "incap_", "visid_", "__utm")
"""How the names of cookies begin that tell robots from people, balance load or count visits."""

_SHORT_URI = 300


def suspicious(source: bytes | str) -> bool:
    """Whether a text may hold a secret that ``mask`` would find. Cheap; false alarms cost only time."""
    return _any(_BYTE_SEARCHES if isinstance(source, bytes) else _SEARCHES, source)


def mask_headers(headers: dict[str, str]) -> dict[str, str]:
    """Return the headers with the values of those that carry credentials masked. Names are compared in lower case."""
    return {
        name: value if (kind := _credential(name)) is None else masked_field(value, kind)
        for name, value in headers.items()
    }


def mask_uri(uri: str) -> str:
    """Return an address without the credentials in its query (``key=``, ``token=``, a signature) and before its host."""
    return _mask_short_uri(uri) if len(uri) <= _SHORT_URI else _mask_uri(uri)


@lru_cache(maxsize=1024)
def _mask_short_uri(uri: str) -> str:
    """Remember addresses: a side names the same few in all its exchanges."""
    return _mask_uri(uri)


def _mask_uri(uri: str) -> str:
    if "@" in uri:
        uri = mask_userinfo(uri)
    if "=" in uri:
        uri = _QUERY.sub(lambda hit: hit[1] + _unless_placeholder(hit[2], "query"), uri)
    return mask_text(uri)


def mask_userinfo(text: str) -> str:
    """Return a text whose addresses are without the credentials before their hosts."""
    return _USERINFO.sub(lambda hit: _unless_placeholder(hit[0], "userinfo"), text)


def mask_text(text: str) -> str:
    """Return a text with every well-known shape of a secret in it masked."""
    return _SHAPES.sub(_kind, text) if len(text) >= _SHORTEST and _any(_SHAPE_SEARCHES, text) else text


def shapes(text: str) -> Iterator[tuple[str, str]]:
    """Yield the kind and the value of every well-known shape of a secret in a text."""
    if _any(_SHAPE_SEARCHES, text):
        yield from (((hit.lastgroup or "secret").replace("_", "-"), hit[0]) for hit in _SHAPES.finditer(text))


def mask_form(text: str) -> str:
    """Return a form-encoded body (an OAuth request) without its credentials."""
    return _FORM.sub(lambda hit: hit[1] + _unless_placeholder(hit[2], "form"), text)


def mask(value: Plain) -> Plain:
    """Return a tree with secrets masked in its texts and under names such as ``access_token``; the same object when there were none."""
    if isinstance(value, str):
        return mask_text(value)
    if isinstance(value, dict):
        masked = {mask_text(key): _member(key, item) for key, item in value.items()}
        changed = any(one is not two for one, two in zip(masked.values(), value.values(), strict=False))
        return masked if changed or masked.keys() != value.keys() else value
    if isinstance(value, list):
        items = [mask(item) for item in value]
        return items if any(one is not two for one, two in zip(items, value, strict=True)) else value
    return value


def _member(key: str, item: Plain) -> Plain:
    if isinstance(item, str) and item and (kind := _KEYS.get(key.lower())):
        return _unless_placeholder(item, kind)
    return mask(item)


@lru_cache(maxsize=1024)
def _credential(name: str) -> str | None:
    """Tell what credential a header carries by its name alone. A cassette repeats the same few names in every exchange."""
    lower = name.lower()
    return _HEADERS.get(lower) or next((kind for ending, kind in _HEADER_ENDINGS if lower.endswith(ending)), None)


def credential(name: str) -> str | None:
    """Tell what credential a field carries by its name alone, be it a header, a member or a part of a query; None for others."""
    lower = name.lower()
    return _credential(lower) or _KEYS.get(lower) or ("query" if _QUERY.match(f"?{lower}=x") else None)


def masked_field(value: str, kind: str) -> str:
    """Mask the value of a field that carries a credential. Of cookies, those that tell robots from people or balance load are no secrets."""
    if kind != "cookie" or _PLACEHOLDER.fullmatch(value[:200]):
        return _unless_placeholder(value, kind)
    telling = [held for name, held in _COOKIES.findall(value) if not _names_no_session(name.lower())]
    return mark(kind, ";".join(telling))


def _names_no_session(name: str) -> bool:
    return name.startswith(_NO_SESSION) or name in _ATTRIBUTES


def _unless_placeholder(value: str, kind: str) -> str:
    return value if len(value) <= 200 and _PLACEHOLDER.fullmatch(value) else mark(kind, value)


def _kind(hit: re.Match[str]) -> str:
    return mark((hit.lastgroup or "secret").replace("_", "-"), hit[0])


def _any(searches: _Searches, source: bytes | str) -> bool:
    for search in searches:  # noqa: SIM110 - any() over a generator takes twice as long, and this runs over every byte read
        if search(source):
            return True
    return False
