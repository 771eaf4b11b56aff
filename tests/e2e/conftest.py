"""A dashboard in a process of its own, and a browser that forgives nothing.

Any request to another host, console error or page error fails the test that caused it. Where there is no browser the tests are
skipped with a reason; in CI they fail, so that a broken machine does not look like a green build.
"""

import os
import subprocess

import pytest

from reviewlib.demo import build_demo

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from tests.e2e.driving import NoBrowserError, launched, served, settle


def pytest_collection_modifyitems(items):
    for item in items:
        if "tests/e2e/" in item.path.as_posix():
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser():
    """Debian's Chromium, or any other that is on the path."""
    try:
        with launched() as found:
            yield found
    except NoBrowserError as error:
        if os.environ.get("CI"):
            pytest.fail(str(error))
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def demo(tmp_path_factory):
    """The demo's repository, and the link of a dashboard on it: one for all tests, since a start takes two seconds."""
    target = tmp_path_factory.mktemp("shared") / "support-agents"
    build_demo(target)
    with served(target) as link:
        yield target, link


@pytest.fixture
def repository(demo):
    """The demo's repository, with nobody's verdicts."""
    subprocess.run(["git", "update-ref", "-d", "refs/notes/cassette-review"], cwd=demo[0], check=True)
    return demo[0]


@pytest.fixture
def link(demo, repository):
    """A dashboard on the demo, before the first verdict."""
    assert repository == demo[0]
    return demo[1]


@pytest.fixture
def reading(demo):
    """A dashboard on the demo, for tests that only look."""
    return demo[1]


@pytest.fixture
def visit(browser):
    """Opens a link as a new visitor would: ``visit(link, scheme="dark", width=390)``."""
    complaints: list[str] = []
    contexts = []

    def opened(link, path="", *, scheme="light", width=1280):
        context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900})
        contexts.append(context)
        page = context.new_page()
        host = link.partition("/?")[0]
        watch(page, host, complaints)
        page.goto(link)
        settle(page)
        if path:
            page.goto(host + path)
            settle(page)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


def watch(page, host, complaints):
    """Note what a page must not do."""

    def on_request(request):
        if not request.url.startswith((f"{host}/", "data:", "blob:")):
            complaints.append(f"request to {request.url}")

    def on_console(message):
        # On a page below the root Streamlit looks for its server there first, gets a 404, and looks at the root.
        is_probe = "/_stcore/" in message.location.get("url", "") and "404" in message.text
        if message.type == "error" and not is_probe:
            complaints.append(f"console: {message.text}")

    page.on("request", on_request)
    page.on("console", on_console)
    page.on("pageerror", lambda error: complaints.append(f"page error: {error}"))
    page.on("dialog", lambda dialog: complaints.append(f"dialog: {dialog.message}"))
