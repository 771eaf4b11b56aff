"""What is slow is not used: each act as a multiple of an empty rerun of Streamlit, measured in the same run.

The empty page runs under Streamlit's own defaults, beside the libraries that any page with tables and charts has loaded.

From the click (or key) to the last change of the page. Medians of several, since the machine of a CI is busy; the figures are printed.
"""

import statistics
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest

from reviewlib.serve import choose_port
from tests.e2e import recordings
from tests.e2e.driving import served, settle

pytestmark = pytest.mark.speed

STILL = 350
"""Milliseconds without a change after which a page is done."""

# Attributes do not count: the fragment that asks for others' verdicts turns the page's "running" on and off every two seconds.
WATCH = """
(() => {
  const note = () => { window.lastChange = performance.now(); };
  for (const kind of ["click", "keydown"]) window.addEventListener(kind, () => { window.began ??= performance.now(); }, true);
  const watch = (root) => new MutationObserver(note).observe(root, { childList: true, subtree: true, characterData: true });
  watch(document);
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (how) { const root = attach.call(this, how); watch(root); return root; };
})();
"""
EMPTY = """
import altair, deepdiff, pandas, pydantic
import streamlit as st
st.button("again", key="again", shortcut="N")
st.text(st.session_state.get("count", 0))
st.session_state["count"] = st.session_state.get("count", 0) + 1
"""
EMPTY_LAUNCH = """
import sys
import streamlit
port, script = sys.argv[1:]
sys.argv = [script]
streamlit.App(script).run(config={
    "server.address": "127.0.0.1", "server.port": int(port), "server.headless": True, "server.fileWatcherType": "none",
    "browser.gatherUsageStats": False, "logger.hideWelcomeMessage": True, "logger.level": "error",
})
"""
LIMITS = {
    "open a pair of 200 steps": 3,
    "next pair of 200 steps": 3,
    "filter 2,000 rows": 3,
    "search 2,000 rows": 3,
    "approve": 1.5,
    "open three values of 200 KB on both sides": 4,
}
MOST_NODES = 3_000


@pytest.fixture(scope="module")
def unit(browser, tmp_path_factory):
    """Gives the milliseconds of one empty rerun. Asked after each act, so that both had the same machine."""
    script = tmp_path_factory.mktemp("empty") / "empty.py"
    script.write_text(EMPTY)
    with _empty_server(script) as link:
        page = _page(browser, link)
        page.get_by_role("button", name="again").wait_for()
        _timed(page, lambda: page.keyboard.press("n"))
        yield lambda: _timed(page, lambda: page.keyboard.press("n"))


@contextmanager
def _empty_server(script: Path):
    port = choose_port(0)
    command = [sys.executable, "-c", EMPTY_LAUNCH, str(port), str(script)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=script.parent)
    try:
        yield _answering(f"http://127.0.0.1:{port}")
    finally:
        process.terminate()
        process.wait(10)


def _answering(link):
    give_up = time.monotonic() + 60
    while time.monotonic() < give_up:
        try:
            urllib.request.urlopen(f"{link}/_stcore/health", timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return link
    return pytest.fail("the empty page did not start")


def _page(browser, link):
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.add_init_script(WATCH)
    page.goto(link)
    return page


def _timed(page, act):
    """Milliseconds from the click or key to the last change of the page."""
    page.wait_for_timeout(STILL)
    page.evaluate("() => { window.lastChange = 0; window.began = undefined; }")
    act()
    return page.evaluate(
        """async (still) => {
          const begin = performance.now();
          while (!window.lastChange || performance.now() - window.lastChange < still) {
            if (performance.now() - begin > 20000) return -1;
            await new Promise((go) => setTimeout(go, 25));
          }
          return window.lastChange - window.began;
        }""",
        STILL,
    )


@pytest.fixture(scope="module")
def long(tmp_path_factory):
    """A dashboard on four pairs of 200 steps, and two of three values of 200 KB on both sides."""
    sides = [
        {f"long-{n}.json": recordings.long_run(200, 4, salt * (1_000 + n)) for n in range(6)}
        | {f"huge-{n}.json": recordings.huge_values(f"{salt} {n}") for n in range(4)}
        for salt in (0, 1)
    ]
    with served(recordings.repository(tmp_path_factory.mktemp("long") / "repository", *sides)) as link:
        yield link


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """A dashboard on 2,000 pairs."""
    sides = [{f"case-{n:04}.json": recordings.small(n, salt * (1 + n % 40)) for n in range(2_000)} for salt in (0, 1)]
    with served(recordings.repository(tmp_path_factory.mktemp("many") / "repository", *sides)) as link:
        yield link


def judged(what, page, acts, unit, capsys):
    """Time acts, each with an empty rerun after it, print the ratio of both medians, and hold it to its limit.

    A busy machine only makes it worse, so there are three rounds, and the best counts. ``acts`` gives a round of acts.
    """
    told = []
    for _ in range(3):
        times = [(_timed(page, act), unit()) for act in acts()]
        took, empty = (statistics.median(some) for some in zip(*times, strict=True))
        told.append(f"{took:.0f} ms = {took / empty:.2f} × an empty rerun ({empty:.0f} ms)")
        if took / empty <= LIMITS[what]:
            break
    with capsys.disabled():
        sys.stdout.write(f"\n{what}, at most {LIMITS[what]} ×: {'; '.join(told)}")
    assert took / empty <= LIMITS[what]


def opened(browser, link, path=""):
    page = _page(browser, link)
    settle(page)
    if path:
        page.goto(link.partition("/?")[0] + path)
        settle(page)
    return page


def rows(page, names):
    """Acts that open these rows, each from the queue."""
    for name in names:
        if "pair=" in page.url:
            page.keyboard.press("q")
            settle(page)
        yield page.locator(f'a.row[data-path="tests/cassettes/{name}.json"]').click
        settle(page)
        assert page.evaluate("document.querySelectorAll('*').length") < MOST_NODES


def test_opening_long_pairs_and_going_on_is_quick(browser, long, unit, capsys):
    page = opened(browser, long)
    names = [f"long-{number}" for number in range(6)]
    judged("open a pair of 200 steps", page, lambda: rows(page, names), unit, capsys)

    def onwards():
        page.goto(page.url.partition("?")[0] + "?pair=tests/cassettes/long-0.json&sort=path")
        settle(page)
        for _ in range(5):
            page.wait_for_timeout(600)
            yield lambda: page.keyboard.press("n")

    judged("next pair of 200 steps", page, onwards, unit, capsys)


def test_huge_values_are_quick(browser, long, unit, capsys):
    page = opened(browser, long)
    names = [f"huge-{number}" for number in range(4)]
    judged("open three values of 200 KB on both sides", page, lambda: rows(page, names), unit, capsys)


def test_filtering_2000_rows_is_quick(browser, many, unit, capsys):
    page = opened(browser, many)
    pill = page.get_by_role("button", name="behaviour")
    judged("filter 2,000 rows", page, lambda: [pill.click] * 6, unit, capsys)
    search = page.get_by_placeholder("Search names")

    def searches():
        for words in ("case-1", "amount", "case-19", "refund"):
            search.fill(words)
            yield lambda: search.press("Enter")

    judged("search 2,000 rows", page, searches, unit, capsys)


@pytest.fixture(scope="module")
def usual(tmp_path_factory):
    """A dashboard on 200 pairs."""
    sides = [{f"case-{n:04}.json": recordings.small(n, salt * (1 + n % 40)) for n in range(200)} for salt in (0, 1)]
    with served(recordings.repository(tmp_path_factory.mktemp("usual") / "repository", *sides)) as link:
        yield link


def test_approving_is_quick(browser, usual, unit, capsys):
    page = opened(browser, usual)
    page.locator("a.row").first.click()
    settle(page)

    def approvals():
        for _ in range(6):
            page.wait_for_timeout(700)
            yield lambda: page.keyboard.press("a")

    judged("approve", page, approvals, unit, capsys)
