"""Starts the dashboard in this process: on loopback behind an access token, or shared behind a login; in an empty working directory.

What is served is text from recordings of strangers, so the page may load nothing but its own files and may talk to nobody but this
server; a script from elsewhere would have to be allowed by the policy first.

``guard``  what stands before Streamlit: headers, and who is let through
``login``  the file that says how people sign in
"""

import os
import secrets
import socket
import sys
import tempfile
import webbrowser
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

from reviewlib import paths
from reviewlib.errors import UsageError
from reviewlib.model.frozen import Frozen
from reviewlib.serve.guard import Headers, LoginGuard, TokenGuard, content_security_policy
from reviewlib.serve.login import Login, is_loopback

HOST = "127.0.0.1"
DEFAULT_PORT = 8501
_SPEC_VARIABLE = "CASSETTE_REVIEW_SPEC"


class LaunchSpec(Frozen):
    """What the dashboard is opened on.

    ``repository`` is where verdicts are kept, and what ``revisions`` (``A...B``, ``A..B``, ``A`` or None) are looked up in.
    ``baseline_dir`` and ``head_dir`` stand for the sides instead. ``paths`` narrows the comparison, ``everything`` looks
    at every changed file. ``title`` is shown above the queue. ``login``: nobody sees anything before signing in; then whoever is in
    ``allowed`` (mail addresses, or their domains) decides, who is in ``readers`` looks, and everybody else is refused.
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
    readers: tuple[str, ...] = ()

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


def serve(
    spec: LaunchSpec,
    port: int | None = None,
    *,
    host: str = HOST,
    login: Login | None = None,
    open_browser: bool = True,
) -> None:
    """Serve the dashboard until it is interrupted, and print its link.

    ``port`` None takes 8501 or the next free one (with a login 8501 only, since others are told where it is), 0 any free one; a given
    port that is in use raises ``UsageError``. With ``login`` people sign in; without, the printed link holds a token.
    Streamlit reads ``.streamlit/config.toml`` of the working directory, which may be the repository under review:
    a hostile one turned the agent API on and loaded a font from elsewhere. So the server works in an empty directory.
    """
    chosen = choose_port(DEFAULT_PORT if port is None and login is not None else port, host)
    script = paths.app_dir() / "main.py"
    os.environ[_SPEC_VARIABLE] = spec.model_copy(update={"login": login is not None}).resolved().model_dump_json()
    with tempfile.TemporaryDirectory(prefix="cassette-review-") as empty:
        os.chdir(empty)
        _run(script, host, chosen, login, open_browser=open_browser)


def choose_port(wanted: int | None, host: str = HOST) -> int:
    """A port of an address that is free now. Raises ``UsageError`` when ``wanted`` is given and is not, or when there is no such address."""
    if wanted is not None and not 0 <= wanted <= 65535:
        raise UsageError(f"--port {wanted} is no port. Give a number from 1 to 65535, or 0 for any free one.")
    try:
        anything = _bound_port(0, host)
    except OSError as error:
        raise UsageError(f"--host {host} is no address of this machine ({error.strerror or error}).") from error
    if wanted == 0:
        return anything
    first = DEFAULT_PORT if wanted is None else wanted
    free = next((port for port in range(first, min(first + 100, 65536)) if _is_free(port, host)), None) or anything
    if wanted is not None and free != wanted:
        raise UsageError(f"Port {wanted} is in use. Port {free} is free: --port {free}, or leave --port out.")
    return free


def options(host: str, port: int, login: Login | None) -> Mapping[str, Any]:
    """Streamlit's settings. Those that decide who is believed are set whatever the user's own configuration says."""
    here = ["localhost", HOST]
    if login is not None:
        names = [login.host, *here]
    else:
        # Behind a wildcard the names are not known; the token's cookie is bound to the name that it was got under.
        names = [*here, *([host] if host not in here else [])] if not _is_wildcard(host) else []
    return {
        "server.address": host,
        "server.port": port,
        "server.allowedHosts": names,
        "server.corsAllowedOrigins": [] if login is None else [login.origin],
        "server.enableCORS": True,
        "server.enableXsrfProtection": True,
        # A header that names the user would be believed whoever sent it.
        "server.trustedUserHeaders": {},
        "server.enableAgentApi": False,
        "server.enableStaticServing": False,
        "server.baseUrlPath": "",
        "secrets.files": [] if login is None else [str(login.file)],
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


def _run(script: Path, host: str, port: int, login: Login | None, *, open_browser: bool) -> None:
    # Streamlit takes 0.3 s to import, and reads the configuration of the working directory when it is.
    import streamlit  # noqa: PLC0415
    from starlette.middleware import Middleware  # noqa: PLC0415

    token = secrets.token_urlsafe(24)
    index = (Path(streamlit.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
    headers = Middleware(Headers, policy=content_security_policy(index), secure=login is not None and login.encrypted)
    if login is None:
        guard = Middleware(TokenGuard, token=token, cookie=f"cassette-review-{port}")
        link = f"http://{_visitable(host)}:{port}/?token={token}"
    else:
        guard = Middleware(LoginGuard)
        link = f"{login.origin}/"
    sys.argv = [str(script)]
    app = streamlit.App(script, lifespan=_announce(link, open_browser), middleware=[headers, guard])
    app.run(config=dict(options(host, port, login)))


def _announce(link: str, open_browser: bool) -> Callable[[Any], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(_app: Any) -> AsyncIterator[None]:
        sys.stdout.write(f"Dashboard: {link}\nCtrl+C ends it.\n")
        sys.stdout.flush()
        if open_browser:
            webbrowser.open(link)
        yield

    return lifespan


def _is_wildcard(host: str) -> bool:
    return host in {"0.0.0.0", "::", ""}  # noqa: S104 - it is asked about, not bound


def _visitable(host: str) -> str:
    name = socket.gethostname() if _is_wildcard(host) else host
    return f"[{name}]" if ":" in name else name


def _is_free(port: int, host: str) -> bool:
    try:
        _bound_port(port, host)
    except OSError:
        return False
    return True


def _bound_port(port: int, host: str) -> int:
    family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    with socket.socket(family, kind) as probe:
        if os.name != "nt":  # there it would hide that another server listens
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(address)
        return int(probe.getsockname()[1])


__all__ = [
    "DEFAULT_PORT",
    "HOST",
    "LaunchSpec",
    "Login",
    "choose_port",
    "current_spec",
    "is_loopback",
    "options",
    "serve",
]
