"""A dashboard in a process of its own, and a browser that forgives nothing.

Any request to another host, console error or page error fails the test that caused it. Where there is no browser the tests are
skipped with a reason; in CI they fail, so that a broken machine does not look like a green build.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import pytest

from reviewlib.demo import build_demo

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
CANDIDATES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
LAUNCH = """
import sys
from pathlib import Path
from reviewlib.serve import LaunchSpec, serve
serve(LaunchSpec(repository=Path(sys.argv[1]), revisions=sys.argv[2] or None, title="Demo"), 0, open_browser=False)
"""


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser():
    """Debian's Chromium, or any other that is on the path."""
    found = os.environ.get("BROWSER_PATH") or next(filter(None, map(shutil.which, CANDIDATES)), None)
    if found is None:
        reason = f"no browser: none of {', '.join(CANDIDATES)} is on the path (apt-get install chromium)"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    with playwright.sync_playwright() as driver:
        launched = driver.chromium.launch(executable_path=found, args=list(ARGUMENTS))
        yield launched
        launched.close()


@contextmanager
def served(repository: Path, revisions: str = "main...HEAD") -> Iterator[str]:
    """The link of a dashboard on a repository. It runs until the block ends, and must say nothing but its link."""
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            [sys.executable, "-c", LAUNCH, str(repository), revisions],
            stdout=said,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        )
        try:
            yield _link(process, said)
        finally:
            process.terminate()
            process.wait(10)
            output = _read(said)
        assert len(output.splitlines()) == 2, output


def _link(process: subprocess.Popen, said: BinaryIO) -> str:
    give_up = time.monotonic() + 60
    while time.monotonic() < give_up and process.poll() is None:
        found = re.search(r"http://\S+\n", _read(said))
        if found:
            return found[0].strip()
        time.sleep(0.1)
    pytest.fail(f"the dashboard did not start: {_read(said)}")


def _read(file: BinaryIO) -> str:
    """What a process has written into a file so far; the place where it goes on is not moved."""
    return os.pread(file.fileno(), 1_000_000, 0).decode(errors="replace")


@pytest.fixture
def repository(tmp_path):
    """The demo's repository, with nobody's verdicts."""
    target = tmp_path / "support-agents"
    build_demo(target)
    return target


@pytest.fixture
def link(repository):
    """A dashboard on the demo."""
    with served(repository) as link:
        yield link


@pytest.fixture(scope="session")
def reading(tmp_path_factory):
    """A dashboard on the demo that is shared by the tests that only look."""
    target = tmp_path_factory.mktemp("shared") / "support-agents"
    build_demo(target)
    with served(target) as link:
        yield link


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
        page.locator(".cr h1").first.wait_for()
        if path:
            page.goto(host + path)
            page.locator(".cr h1").first.wait_for()
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
