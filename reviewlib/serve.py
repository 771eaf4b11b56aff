"""Starts the dashboard in this process: on loopback only, behind an access token, in an empty working directory.

What is served is text from recordings of strangers, so the page may load nothing but its own files and may talk to nobody but this
server; a script from elsewhere would have to be allowed by the policy first.
"""

import base64
import hashlib
import os
import re
import secrets
import socket
import sys
import tempfile
import webbrowser
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import parse_qsl, urlencode

from reviewlib import paths
from reviewlib.errors import UsageError
from reviewlib.model.frozen import Frozen

HOST = "127.0.0.1"
DEFAULT_PORT = 8501
_HEALTH = "/_stcore/health"
_SPEC_VARIABLE = "CASSETTE_REVIEW_SPEC"

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
Application: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]


class LaunchSpec(Frozen):
    """What the dashboard is opened on.

    ``repository`` is where verdicts are kept, and what ``revisions`` (``A...B``, ``A..B``, ``A`` or None) are looked up in.
    ``baseline_dir`` and ``head_dir`` stand for the sides instead. ``paths`` narrows the comparison, ``everything`` looks
    at every changed file. ``title`` is shown above the queue. ``login``: nobody sees anything before signing in with the provider of
    Streamlit's own login, and only who is in ``allowed`` (addresses, or domains) may decide.
    """

    repository: Path | None = None
    revisions: str | None = None
    baseline_dir: Path | None = None
    head_dir: Path | None = None
    paths: tuple[str, ...] = ()
    everything: bool = False
    title: str = ""
    login: bool = False
    allowed: tuple[str, ...] = ()

    def resolved(self) -> "LaunchSpec":
        """The same with absolute paths, since the server leaves the working directory; that is the repository where none is named."""
        folders = {
            "repository": self.repository or Path(),
            "baseline_dir": self.baseline_dir,
            "head_dir": self.head_dir,
        }
        return self.model_copy(update={name: path and path.expanduser().resolve() for name, path in folders.items()})


def current_spec() -> LaunchSpec:
    """What this process was started on; without ``serve`` (``streamlit run app/main.py``) the repository of the working directory."""
    stored = os.environ.get(_SPEC_VARIABLE)
    return LaunchSpec(repository=Path.cwd()) if stored is None else LaunchSpec.model_validate_json(stored)


def serve(spec: LaunchSpec, port: int | None = None, *, open_browser: bool = True) -> None:
    """Serve the dashboard until it is interrupted, and print its link.

    ``port`` None takes 8501 or the next free one, 0 any free one; a given port that is in use raises ``UsageError``.
    Streamlit reads ``.streamlit/config.toml`` of the working directory, which may be the repository under review:
    a hostile one turned the agent API on and loaded a font from elsewhere. So the server works in an empty directory.
    """
    chosen = choose_port(port)
    script = paths.app_dir() / "main.py"
    os.environ[_SPEC_VARIABLE] = spec.resolved().model_dump_json()
    with tempfile.TemporaryDirectory(prefix="cassette-review-") as empty:
        os.chdir(empty)
        _run(script, chosen, open_browser)


def choose_port(wanted: int | None) -> int:
    """A port of the loopback address that is free now. Raises ``UsageError`` when ``wanted`` is given and is not."""
    if wanted is not None and not 0 <= wanted <= 65535:
        raise UsageError(f"--port {wanted} is no port. Give a number from 1 to 65535, or 0 for any free one.")
    if not wanted and wanted is not None:
        return _bound_port(0)
    first = DEFAULT_PORT if wanted is None else wanted
    free = next((port for port in range(first, min(first + 100, 65536)) if _is_free(port)), None) or _bound_port(0)
    if wanted is not None and free != wanted:
        raise UsageError(f"Port {wanted} is in use. Port {free} is free: --port {free}, or leave --port out.")
    return free


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


class Guard:
    """ASGI middleware: lets in who holds the token (once in the link, then in a cookie), and sends the security headers.

    ``/_stcore/health`` answers without a token, so that a script can wait for the server.
    """

    def __init__(self, app: Application, token: str, cookie: str, policy: str) -> None:
        self._app = app
        self._token = token
        self._cookie = cookie
        self._headers = [
            (b"content-security-policy", policy.encode()),
            (b"x-content-type-options", b"nosniff"),
            (b"x-frame-options", b"DENY"),
            (b"referrer-policy", b"no-referrer"),
            (b"cross-origin-opener-policy", b"same-origin"),
            (b"cross-origin-resource-policy", b"same-origin"),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass an admitted request on; answer the others here."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
        elif scope["type"] == "http" and self._brings_token(scope):
            await self._admit(scope, send)
        elif scope["path"] == _HEALTH or self._holds_cookie(scope):
            await self._app(scope, receive, self._with_headers(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await self._refuse(send)

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
        await send({"type": "http.response.start", "status": 303, "headers": headers + self._headers})
        await send({"type": "http.response.body", "body": b""})

    async def _refuse(self, send: Send) -> None:
        body = b"Open the link that cassette-review printed when it started: it holds the access token.\n"
        headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 403, "headers": headers + self._headers})
        await send({"type": "http.response.body", "body": body})

    def _with_headers(self, send: Send) -> Send:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *self._headers]
            await send(message)

        return send_with_headers


def _run(script: Path, port: int, open_browser: bool) -> None:
    # Streamlit takes 0.3 s to import, and reads the configuration of the working directory when it is.
    import streamlit  # noqa: PLC0415
    from starlette.middleware import Middleware  # noqa: PLC0415

    token = secrets.token_urlsafe(24)
    index = Path(streamlit.__file__).parent / "static" / "index.html"
    guard = Middleware(
        Guard,
        token=token,
        cookie=f"cassette-review-{port}",
        policy=content_security_policy(index.read_text(encoding="utf-8")),
    )
    sys.argv = [str(script)]
    app = streamlit.App(
        script, lifespan=_announce(f"http://{HOST}:{port}/?token={token}", open_browser), middleware=[guard]
    )
    app.run(
        config={
            "server.address": HOST,
            "server.port": port,
            "server.allowedHosts": ["localhost", HOST],
            "server.headless": True,
            "server.fileWatcherType": "none",
            "browser.gatherUsageStats": False,
            "client.toolbarMode": "minimal",
            "client.showErrorDetails": "none",
            "client.showErrorLinks": False,
            "logger.hideWelcomeMessage": True,
            "logger.level": "error",
            "runner.magicEnabled": False,
            # A collection after every run took 180 ms to 2.6 s a click with large reviews in memory.
            "runner.postScriptGC": False,
        }
    )


def _announce(link: str, open_browser: bool) -> Callable[[Any], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(_app: Any) -> AsyncIterator[None]:
        sys.stdout.write(f"Dashboard: {link}\nCtrl+C ends it.\n")
        sys.stdout.flush()
        if open_browser:
            webbrowser.open(link)
        yield

    return lifespan


def _is_free(port: int) -> bool:
    try:
        _bound_port(port)
    except OSError:
        return False
    return True


def _bound_port(port: int) -> int:
    with socket.socket(socket.AF_INET) as probe:
        if os.name != "nt":  # there it would hide that another server listens
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((HOST, port))
        return int(probe.getsockname()[1])
