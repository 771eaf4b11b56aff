"""What stands before Streamlit: the headers of every answer, and who is let through to it at all."""

import base64
import hashlib
import re
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any, TypeAlias
from urllib.parse import parse_qsl, urlencode

_HEALTH = "/_stcore/health"

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
Application: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]


def content_security_policy(index_html: str) -> str:
    """The policy under which every sink of recorded text was tried: 0 executions and 0 requests to other hosts.

    The one inline script of Streamlit's own page is allowed by its hash; ``blob:`` is how Streamlit loads a component's script.
    """
    scripts = re.findall(r"<script>(.*?)</script>", index_html, re.DOTALL)
    hashes = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in scripts
    )
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'self' {hashes} blob:",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "connect-src 'self'",
            "worker-src 'self' blob:",
            "manifest-src 'self'",
            "media-src 'self'",
            "frame-src 'none'",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    )


class Headers:
    """ASGI middleware: sends the security headers with every answer, whoever gives it.

    ``secure``: the browser speaks TLS, so it is told to return no cookie without (Streamlit does not say so itself).
    """

    def __init__(self, app: Application, policy: str, *, secure: bool = False) -> None:
        self._app = app
        self._secure = secure
        self._headers = [
            (b"content-security-policy", policy.encode()),
            (b"x-content-type-options", b"nosniff"),
            (b"x-frame-options", b"DENY"),
            (b"referrer-policy", b"no-referrer"),
            (b"cross-origin-opener-policy", b"same-origin"),
            (b"cross-origin-resource-policy", b"same-origin"),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on, and add to what comes back."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*map(self._secured, message["headers"]), *self._headers]
            await send(message)

        await self._app(scope, receive, send_with_headers)

    def _secured(self, header: tuple[bytes, bytes]) -> tuple[bytes, bytes]:
        name, value = header
        return (name, value + b"; Secure") if self._secure and name.lower() == b"set-cookie" else header


class TokenGuard:
    """ASGI middleware: lets in who holds the token, once in the link, then in a cookie.

    ``/_stcore/health`` answers without a token, so that a script can wait for the server.
    """

    def __init__(self, app: Application, token: str, cookie: str) -> None:
        self._app = app
        self._token = token
        self._cookie = cookie

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass an admitted request on; answer the others here."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
        elif scope["type"] == "http" and self._brings_token(scope):
            await self._admit(scope, send)
        elif scope["path"] == _HEALTH or self._holds_cookie(scope):
            await self._app(scope, receive, send)
        else:
            await _refuse(
                scope, send, "Open the link that cassette-review printed when it started: it holds the access token."
            )

    def _brings_token(self, scope: Scope) -> bool:
        given = dict(parse_qsl(scope["query_string"].decode("latin-1"))).get("token", "")
        return secrets.compare_digest(given.encode(), self._token.encode())

    def _holds_cookie(self, scope: Scope) -> bool:
        header = b"; ".join(value for name, value in scope["headers"] if name == b"cookie").decode("latin-1")
        try:
            held = SimpleCookie(header).get(self._cookie)
        except CookieError:
            return False
        return held is not None and secrets.compare_digest(held.value.encode(), self._token.encode())

    async def _admit(self, scope: Scope, send: Send) -> None:
        """Move the token from the link, where it would be bookmarked and logged, into a cookie that no script can read."""
        rest = [item for item in parse_qsl(scope["query_string"].decode("latin-1")) if item[0] != "token"]
        target = scope["path"] + (f"?{urlencode(rest)}" if rest else "")
        cookie = f"{self._cookie}={self._token}; Path=/; HttpOnly; SameSite=Strict"
        headers = [(b"location", target.encode()), (b"set-cookie", cookie.encode()), (b"content-length", b"0")]
        await send({"type": "http.response.start", "status": 303, "headers": headers})
        await send({"type": "http.response.body", "body": b""})


class LoginGuard:
    """ASGI middleware where people sign in: what Streamlit serves without asking who asks is closed.

    The page itself is drawn over the socket, which knows who has signed in. Files of a page and uploads go by their address alone, and
    the dashboard has neither; the metrics and the agent's door tell about sessions.
    """

    CLOSED = ("/media/", "/_stcore/upload_file", "/_stcore/metrics", "/_stcore/agent", "/_stcore/script-health-check")

    def __init__(self, app: Application) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on whatever is not closed."""
        if scope["type"] == "http" and scope["path"].startswith(self.CLOSED):
            await _refuse(scope, send, "There is nothing here.")
        else:
            await self._app(scope, receive, send)


async def _refuse(scope: Scope, send: Send, sentence: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    body = f"{sentence}\n".encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": body})
