"""A server that several people share, a provider that they sign in with, and their browsers. Imported where a test needs them."""

import json
import secrets

import pytest

from reviewlib.demo import build_demo
from reviewlib.serve import choose_port
from tests.e2e.conftest import watch
from tests.e2e.driving import READY, settle, started
from tests.e2e.provider import CLIENT, provider

OPEN = "from reviewlib.cli import main; main()"
BELIEVED = {"X-Forwarded-Email": "email", "X-Forwarded-User": "name"}
"""Headers that Streamlit would believe by the operator's own settings, which the dashboard overrides: whoever reaches it sends them."""


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """The demo's repository, where a server on it is found that asks for a login, and where the provider is."""
    folder = tmp_path_factory.mktemp("login")
    build_demo(folder / "agents")
    port = choose_port(0)
    origin = f"http://127.0.0.1:{port}"
    with provider(f"{origin}/oauth2callback") as known:
        settings = {
            "redirect_uri": known.back,
            "cookie_secret": secrets.token_urlsafe(32),
            "client_id": CLIENT,
            "client_secret": known.secret,
            "server_metadata_url": f"{known.address}/.well-known/openid-configuration",
        }
        lines = ["[auth]", *(f"{name} = {json.dumps(value)}" for name, value in settings.items())]
        (folder / "secrets.toml").write_text("\n".join(lines))
        believed = ["[server.trustedUserHeaders]", *(f'{header} = "{claim}"' for header, claim in BELIEVED.items())]
        (folder / ".streamlit").mkdir()
        (folder / ".streamlit" / "config.toml").write_text("\n".join(believed))
        words = ("open", "main...HEAD", "--repo", "agents", "--port", str(port), "--login", "secrets.toml")
        people = ("--allow", "example.org", "--readers", "linus@readers.example")
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("HOME", str(folder))
            with started("-c", OPEN, *words, *people, cwd=folder) as link:
                assert link == f"{origin}/"
                yield folder / "agents", origin, known.address


@pytest.fixture
def arrive(browser, shared):
    """Opens the server as somebody who has never been there; the provider is the one other host that may be asked."""
    _, origin, elsewhere = shared
    complaints: list[str] = []
    contexts = []

    def opened(path="/", account=None, **more):
        context = browser.new_context(viewport={"width": 1280, "height": 900}, **more)
        contexts.append(context)
        page = context.new_page()
        watch(page, origin, complaints)
        page.frames_seen = []

        def listen(socket):
            socket.on("framereceived", note)

        def note(frame):
            page.frames_seen.append(frame)

        page.on("websocket", listen)
        page.goto(origin + path)
        settle(page)
        if account is not None:
            sign_in(page, account)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert [said for said in complaints if not said.startswith(f"request to {elsewhere}/")] == []


def sign_in(page, account):
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name=account, exact=True).click()
    page.locator(READY).wait_for(state="attached")
    page.get_by_role("button", name="Sign out").wait_for()
    settle(page)


def received(page):
    """Everything that came through the socket, as text."""
    frames = (frame if isinstance(frame, bytes) else frame.encode() for frame in page.frames_seen)
    return b"".join(frames).decode(errors="replace")
