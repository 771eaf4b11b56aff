"""Starts a dashboard in a process of its own, and a browser to look at it with."""

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

from playwright.sync_api import sync_playwright

from reviewlib.serve import LaunchSpec

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--font-render-hinting=none",
)
CANDIDATES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
LAUNCH = """
import sys
from reviewlib.serve import LaunchSpec, serve
serve(LaunchSpec.model_validate_json(sys.argv[1]), 0, open_browser=False)
"""
READY = "[data-testid=stApp][data-test-script-state=notRunning]"
"""Where Streamlit says that it has drawn everything."""


class NoBrowserError(RuntimeError):
    """There is no browser on this machine."""


@contextmanager
def launched():
    """Debian's Chromium, or any other that is on the path. Raises ``NoBrowserError``."""
    found = os.environ.get("BROWSER_PATH") or next(filter(None, map(shutil.which, CANDIDATES)), None)
    if found is None:
        raise NoBrowserError(f"no browser: none of {', '.join(CANDIDATES)} is on the path (apt-get install chromium)")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=list(ARGUMENTS))
        yield browser
        browser.close()


@contextmanager
def served(repository: Path, revisions: str = "main...HEAD", **spec) -> Iterator[str]:
    """The link of a dashboard on a repository. It runs until the block ends, and must say nothing but its link."""
    asked = {"repository": repository, "revisions": revisions or None, "title": "Demo", **spec}
    with started("-c", LAUNCH, LaunchSpec(**asked).model_dump_json()) as link:
        yield link


@contextmanager
def started(*words: str, cwd: Path | None = None) -> Iterator[str]:
    """The link of a dashboard that Python starts with these words. It runs until the block ends, and must say nothing but its link."""
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            [sys.executable, *words],
            stdout=said,
            stderr=subprocess.STDOUT,
            cwd=cwd,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        )
        try:
            yield _link(process, said)
        finally:
            process.terminate()
            process.wait(10)
            output = _read(said)
        assert len(output.splitlines()) == 2, output


def settle(page) -> None:
    """Wait until the page is drawn and still."""
    page.locator(READY).wait_for(state="attached")
    page.locator(".cr").first.wait_for()
    page.evaluate("() => document.fonts.ready.then(() => true)")
    page.wait_for_timeout(200)
    page.locator(READY).wait_for(state="attached")


def _link(process: subprocess.Popen, said: BinaryIO) -> str:
    give_up = time.monotonic() + 60
    while time.monotonic() < give_up and process.poll() is None:
        found = re.search(r"http://\S+\n", _read(said))
        if found:
            return found[0].strip()
        time.sleep(0.1)
    raise RuntimeError(f"the dashboard did not start: {_read(said)}")


def _read(file: BinaryIO) -> str:
    """What a process has written into a file so far; the place where it goes on is not moved."""
    return os.pread(file.fileno(), 1_000_000, 0).decode(errors="replace")
