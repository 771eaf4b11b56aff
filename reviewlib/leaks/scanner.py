"""The rules of some 480 vendors' keys and tokens, by kingfisher. Nothing is validated: scanning opens no connection."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from kingfisher_sdk import Rules, Scanner

from reviewlib.leaks.marks import MARK, plausible

_DATA = re.compile(rb"[A-Za-z0-9+/_-]{100}|[A-Za-z0-9+/_-]{16,}\s+[A-Za-z0-9+/_-]{60}")
_NO_SECRETS = ("-id", "-host", "-account-name", "-username", "-domain", "-public-key", "-address", "-pub-key")
"""Endings of rules that name what goes with a secret, and is none."""

_PLAIN_NAMES = {
    "bitbucketcredentials": "bitbucket-credentials",
    "bitwardenoauth2access": "bitwarden-access-token",
    "circleciproject": "circleci-project-token",
    "cloudflareapitoken": "cloudflare-api-token",
    "codecatalystcredentials": "codecatalyst-credentials",
    "codecommitcredentials": "codecommit-credentials",
    "denopatorg": "deno-organisation-token",
    "digitaloceanapikey": "digitalocean-pat",
    "grokxaiapikey": "xai-api-key",
    "hcpclientcredentials": "hcp-client-credentials",
    "herokuplatformkey": "heroku-api-key-v2",
    "npmjsaccesstoken": "npm-access-token",
    "openrouter": "openrouter-api-key",
    "packagistorgreadtoken": "packagist-read-token",
    "packagistorgupdatetoken": "packagist-update-token",
    "packagistsecret": "packagist-secret",
    "postmanapikey": "postman-api-token",
    "postmancollectiontoken": "postman-collection-token",
    "sendgrid": "sendgrid-api-token",
    "slackappconfigaccesstoken": "slack-config-access-token",
    "slackappconfigrefreshtoken": "slack-config-refresh-token",
    "slackappleveltoken": "slack-app-token",
}


@dataclass(frozen=True, slots=True)
class Hit:
    """A secret in a text: its kind, its value, and the text that holds it (the value itself, or the base64 around it)."""

    kind: str
    value: str
    held: str


def scan(source: str | bytes) -> Iterator[Hit]:
    """Find the secrets that the rules know; documented examples and what is masked already are none."""
    data = source.encode("utf-8", "replace") if isinstance(source, str) else source
    # Two rules may know one key; the name that is told must not depend on which of them was faster.
    for finding in sorted(_scanner().scan(data), key=lambda each: not each.rule_id.startswith("betterleaks.")):
        kind = _kind(finding.rule_id)
        value = finding.secret
        if not finding.visible or kind.endswith(_NO_SECRETS) or "[masked:" in value or not plausible(value):
            continue
        held = value
        if finding.is_base64_encoded:
            place = finding.location
            held = data[place["start_offset"] : place["end_offset"]].decode("utf-8", "replace")
        elif _is_part_of_data(data, finding.location["end_offset"]):
            continue
        if MARK.search(held) is None:
            yield Hit(kind, value, held)


@cache
def _scanner() -> Scanner:
    """Compile the rules once a process: 3 s, and 0.2 s from the user's cache folder, in which kingfisher keeps them compiled."""
    return Scanner(Rules())


def _is_part_of_data(data: bytes, end: int) -> bool:
    """Whether what looks like a key goes on as random data does, in one line or folded: encrypted reasoning, an image."""
    return _DATA.match(data, end) is not None


def _kind(rule: str) -> str:
    """Return the plain name of a rule: ``betterleaks.github-pat`` is a ``github-pat``. Two catalogues may know one key: it has one name."""
    name = (
        rule.partition(".")[2].removeprefix("secrets/").removesuffix(".1").removesuffix(".2").lower().replace(".", "-")
    )
    return _PLAIN_NAMES.get(name, name)
