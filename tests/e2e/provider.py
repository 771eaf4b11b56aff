"""An OpenID Connect provider on this machine, as far as a login needs one: discovery, a page to choose an account, tokens, keys.

It is strict where a careless client would get away with it: the client's secret, the redirect address, each code once, and PKCE.
"""

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT = "cassette-review"
HOSTILE = "<img src=x onerror='window.pwned=40'> ![b](http://beacon.test/b.png) <style>body{display:none}</style>"
"""What somebody may choose to be called."""

ACCOUNTS: Mapping[str, Mapping[str, object]] = {
    "Grace": {"sub": "1", "name": "Grace Hopper", "email": "Grace@example.org", "email_verified": True},
    "Ada": {"sub": "6", "name": "Ada Lovelace", "email": "ada@example.org", "email_verified": True},
    "Linus": {"sub": "2", "name": "Linus Reader", "email": "linus@readers.example", "email_verified": True},
    "Mallory": {"sub": "3", "name": "Grace Hopper", "email": "mallory@example.com", "email_verified": True},
    "Unverified": {"sub": "4", "name": "Grace Hopper", "email": "grace@example.org", "email_verified": False},
    "Eve": {"sub": "7", "name": HOSTILE, "email": "eve@example.org", "email_verified": True},
    "Evil": {"sub": "8", "name": "Eve", "email": f"{HOSTILE}@example.com", "email_verified": True},
    "Nameless": {"sub": "5", "email": "nameless@example.org"},
}


@dataclass
class Provider:
    """Where it answers, what it knows its client by, and the codes that were given out and not used yet."""

    address: str
    back: str
    secret: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, parameters={"kid": "k", "use": "sig"}))
    codes: dict[str, tuple[str, dict[str, str]]] = field(default_factory=dict)

    def configuration(self) -> dict[str, object]:
        return {
            "issuer": self.address,
            "authorization_endpoint": f"{self.address}/authorize",
            "token_endpoint": f"{self.address}/token",
            "jwks_uri": f"{self.address}/keys",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
        }

    def choice(self, asked: dict[str, str]) -> str:
        """The page on which one says who one is."""
        assert (asked["client_id"], asked["redirect_uri"]) == (CLIENT, self.back)
        assert asked["code_challenge_method"] == "S256"
        links = (
            f'<li><a href="/choose?{escape(urlencode({**asked, "account": name}))}">{name}</a></li>'
            for name in ACCOUNTS
        )
        return f"<!doctype html><title>Provider</title><h1>Who are you?</h1><ul>{''.join(links)}</ul>"

    def chosen(self, asked: dict[str, str]) -> str:
        """The address back to the client, with a code."""
        code = secrets.token_urlsafe(16)
        self.codes[code] = (asked["account"], asked)
        return f"{self.back}?{urlencode({'code': code, 'state': asked['state']})}"

    def tokens(self, form: dict[str, str], authorization: str) -> dict[str, object]:
        """The tokens for a code."""
        known = base64.b64encode(f"{CLIENT}:{self.secret}".encode()).decode()
        assert authorization == f"Basic {known}"
        account, asked = self.codes.pop(form["code"])
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        assert asked["code_challenge"] == base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        assert form["redirect_uri"] == self.back
        now = int(time.time())
        claims = {
            "iss": self.address,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            "nonce": asked["nonce"],
            **ACCOUNTS[account],
        }
        token = jwt.encode({"alg": "RS256", "kid": "k"}, claims, self.key)
        return {"access_token": secrets.token_urlsafe(16), "token_type": "Bearer", "expires_in": 300, "id_token": token}


@contextmanager
def provider(back: str) -> Iterator[Provider]:
    """A provider that sends people back to one address. It answers until the block ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Answers)
    server.daemon_threads = True
    server.provider = Provider(f"http://127.0.0.1:{server.server_address[1]}", back)  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server.provider  # type: ignore[attr-defined]
    server.shutdown()
    server.server_close()
    thread.join()


class _Answers(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        known: Provider = self.server.provider  # type: ignore[attr-defined]
        url = urlsplit(self.path)
        asked = {name: values[0] for name, values in parse_qs(url.query).items()}
        match url.path:
            case "/.well-known/openid-configuration":
                self._send(json.dumps(known.configuration()), "application/json")
            case "/keys":
                self._send(json.dumps({"keys": [known.key.as_dict(private=False)]}), "application/json")
            case "/authorize":
                self._send(known.choice(asked), "text/html; charset=utf-8")
            case "/choose":
                self.send_response(302)
                self.send_header("Location", known.chosen(asked))
                self.end_headers()
            case "/favicon.ico":
                self._send("", "image/x-icon")
            case _:
                self.send_error(404)

    def do_POST(self) -> None:
        known: Provider = self.server.provider  # type: ignore[attr-defined]
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        form = {name: values[0] for name, values in parse_qs(body).items()}
        self._send(json.dumps(known.tokens(form, self.headers["Authorization"])), "application/json")

    def log_message(self, *_: object) -> None:
        """Keep the output of the tests clean."""

    def _send(self, text: str, kind: str) -> None:
        data = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
