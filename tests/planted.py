"""Secrets that look like real ones, and the samples of every format with one in it.

No value stands in this file: each is put together when the tests run, from a prefix and letters drawn from a fixed seed.
"""

import base64
import random
import string
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType

from reviewlib.model.cassette import File

ALNUM = string.ascii_letters + string.digits
UPPER = string.ascii_uppercase + string.digits
BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
HEX = "0123456789abcdef"


class Draw:
    """Draws letters, anew for each kind."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)

    def __call__(self, length: int, letters: str = ALNUM) -> str:
        while True:
            drawn = "".join(self._random.choices(letters, k=length))
            if len(set(drawn)) > min(length, len(letters)) // 2 and any(letter.isdigit() for letter in drawn):
                return drawn

    def uuid(self) -> str:
        return "-".join(self(length, HEX) for length in (8, 4, 4, 4, 12))


def _jwt(draw: Draw) -> str:
    parts = ('{"alg":"HS256","typ":"JWT"}', f'{{"sub":"{draw(16)}","iat":1796030793,"scope":"admin"}}')
    encoded = (base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in parts)
    return ".".join((*encoded, draw(43)))


def _address(scheme: str, password: str, host: str) -> str:
    return f"{scheme}:" + f"//app:{password}" + f"@{host}/orders"


def _private_key(draw: Draw) -> str:
    dashes = "-" * 5
    lines = "\n".join(draw(64, ALNUM + "+/") for _ in range(6))
    return f"{dashes}BEGIN RSA PRIVATE KEY{dashes}\nMIIE{lines}\n{dashes}END RSA PRIVATE KEY{dashes}"


KINDS: dict[str, Callable[[Draw], str]] = {
    "anthropic": lambda draw: f"sk-ant-api03-{draw(93)}AA",
    "openai project": lambda draw: f"sk-proj-{draw(74)}T3BlbkFJ{draw(74)}",
    "openai service account": lambda draw: f"sk-svcacct-{draw(58)}T3BlbkFJ{draw(58)}",
    "openai legacy": lambda draw: f"sk-{draw(20)}T3BlbkFJ{draw(20)}",
    "openrouter": lambda draw: f"sk-or-v1-{draw(64, HEX)}",
    "google": lambda draw: f"AIza{draw(35)}",
    "google oauth": lambda draw: f"ya29.{draw(60)}",
    "groq": lambda draw: f"gsk_{draw(52)}",
    "xai": lambda draw: f"xai-{draw(80)}",
    "hugging face": lambda draw: f"hf_{draw(34, string.ascii_letters + '0123456789')}",
    "replicate": lambda draw: f"r8_{draw(37)}",
    "perplexity": lambda draw: f"pplx-{draw(48)}",
    "aws key id": lambda draw: f"AKIA{draw(16, BASE32)}",
    "aws session key id": lambda draw: f"ASIA{draw(16, BASE32)}",
    "github personal": lambda draw: f"ghp_{draw(36)}",
    "github oauth": lambda draw: f"gho_{draw(36)}",
    "github app": lambda draw: f"ghs_{draw(36)}",
    "github fine-grained": lambda draw: f"github_pat_{draw(22)}_{draw(59)}",
    "gitlab": lambda draw: f"glpat-{draw(20)}",
    "gitlab runner": lambda draw: f"glrt-{draw(20)}",
    "slack bot": lambda draw: f"xoxb-{draw(12, string.digits)}-{draw(12, string.digits)}-{draw(24)}",
    "slack user": lambda draw: (
        f"xoxp-{draw(12, string.digits)}-{draw(12, string.digits)}-{draw(12, string.digits)}-{draw(32, HEX)}"
    ),
    "slack webhook": lambda draw: f"https://hooks.slack.com/services/T{draw(10, UPPER)}/B{draw(10, UPPER)}/{draw(24)}",
    "stripe": lambda draw: f"sk_live_{draw(24)}",
    "stripe restricted": lambda draw: f"rk_live_{draw(24)}",
    "sendgrid": lambda draw: f"SG.{draw(22)}.{draw(43)}",
    "npm": lambda draw: f"npm_{draw(36)}",
    "pypi": lambda draw: f"pypi-AgEIcHlwaS5vcmc{draw(80)}",
    "digitalocean": lambda draw: f"dop_v1_{draw(64, HEX)}",
    "doppler": lambda draw: f"dp.pt.{draw(43)}",
    "databricks": lambda draw: f"dapi{draw(32, HEX)}",
    "grafana": lambda draw: f"glsa_{draw(32)}_{draw(8, HEX)}",
    "linear": lambda draw: f"lin_api_{draw(40)}",
    "notion": lambda draw: f"ntn_{draw(11, string.digits)}{draw(35)}",
    "postman": lambda draw: f"PMAK-{draw(24, HEX)}-{draw(34, HEX)}",
    "shopify": lambda draw: f"shpat_{draw(32, HEX)}",
    "vault": lambda draw: f"hvs.{draw(96)}",
    "pulumi": lambda draw: f"pul-{draw(40, HEX)}",
    "rubygems": lambda draw: f"rubygems_{draw(48, HEX)}",
    "langsmith": lambda draw: f"lsv2_pt_{draw(32, HEX)}_{draw(10, HEX)}",
    "nvidia": lambda draw: f"nvapi-{draw(64)}",
    "age": lambda draw: f"AGE-SECRET-KEY-1{draw(58, 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L')}",
    "1password": lambda draw: f"ops_eyJ{draw(250)}",
    "postgres address": lambda draw: _address("postgres", draw(20), "db.acme-corp.com:5432"),
    "mongodb address": lambda draw: _address("mongodb+srv", draw(20), f"cluster0.{draw(5, HEX)}.mongodb.net"),
    "json web token": _jwt,
    "private key": _private_key,
}
"""By name, how a valid-looking value of a kind is made."""


@cache
def secret(kind: str) -> str:
    """The value of a kind; the same each time."""
    return KINDS[kind](Draw(kind))


def pieces(value: str) -> str:
    """The part of a secret that nothing may show: the password of an address, the value itself of others."""
    if "://app:" in value:
        return value.partition("://app:")[2].partition("@")[0]
    return value.splitlines()[2] if value.startswith("-----") else value


_FOLDER = Path(__file__).parent / "formats"
_MODULES = ("http_samples", "agent_samples", "samples")

_ASKED = '"messages": [{"role": "user", "content": "Refund order 4471"}]'
_SAID = '[{"type": "text", "text": "Done."}]'
_CALL = '{{"type": "tool_use", "id": "toolu_9", "name": "get_order", "input": {{"with": "{}"}}}}'
_RESULT = '{{"type": "tool_result", "tool_use_id": "toolu_9", "content": "with {}"}}'
_CHUNK = '"data: " + json.dumps({{"object": "chat.completion.chunk", "choices": [{{"index": 0, "delta": {{"content": "{}"}}}}]}}) + "\\n\\n"'

PLACES: dict[str, tuple[tuple[str, str], ...]] = {
    "prompt": (("Refund order 4471", "Refund order 4471 with {}"),),
    "argument": (('{"order_id": "4471"}', '{{"order_id": "4471", "with": "{}"}}'), (_SAID, f"[{_CALL}]")),
    "result": (
        ('{"total": 39.0}', '{{"total": 39.0, "note": "{}"}}'),
        ('{"total": 39}', '{{"total": 39, "note": "{}"}}'),
        (
            _ASKED,
            f'"messages": [{{{{"role": "user", "content": "Go"}}}}, {{{{"role": "assistant", "content": [{_CALL}]}}}}, '
            f'{{{{"role": "user", "content": [{_RESULT}]}}}}]'.replace('{{"with": "{}"}}', "{{}}"),
        ),
    ),
    "answer": (
        ('"Done."', '"Done with {}"'),
        ('"Refunded."', '"Refunded with {}"'),
        ('token(1, "Refun")', 'token(1, "Refunded with {}")'),
        ('"data: {}\\n\\n"', _CHUNK),
    ),
    "header": (
        ('TYPE = "application/json"', 'TYPE = "application/json; with={}"'),
        ('{"Content-Type": ["application/json"]}', '{{"Content-Type": ["application/json"], "X-Note": ["with {}"]}}'),
    ),
    "address": (('/v1/messages"', '/v1/messages?with={}"'),),
}
"""By place, the literals of the samples' modules, and what they become."""


@cache
def samples(place: str = "", value: str = "") -> dict[tuple[str, str], File]:
    """The samples of every format, by format and name, made anew with a value at a place: lengths, hashes and packed bodies follow it."""
    edits = [(old, new.format(_written(value))) for old, new in PLACES[place]] if place else []
    made: dict[str, ModuleType] = {}
    try:
        for name in _MODULES:
            source = (_FOLDER / f"{name}.py").read_text(encoding="utf-8")
            for old, new in edits:
                source = source.replace(old, new)
            module = ModuleType(f"tests.formats.planted_{name}")
            made[name] = sys.modules[module.__name__] = module
            for other in made:
                source = source.replace(
                    f"from tests.formats.{other} import", f"from tests.formats.planted_{other} import"
                )
            exec(compile(source, f"{name}.py", "exec"), module.__dict__)
    finally:
        for module in made.values():
            del sys.modules[module.__name__]
    found = {(name, what): file for name, each in made["samples"].SAMPLES.items() for what, file in each}
    sent, got = made["http_samples"].REQUEST, made["http_samples"].ANSWER
    return found | {("generic", "nested"): made["samples"].file("t/a.json", {"runs": [{"sent": sent, "got": got}]})}


def _written(value: str) -> str:
    """A value inside a literal of Python."""
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
