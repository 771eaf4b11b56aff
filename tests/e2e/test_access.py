"""axe-core on every page, in light and dark: WCAG 2.2 AA and its best practices."""

from urllib.parse import urlencode

import pytest

from tests.e2e.driving import settle
from tests.e2e.test_review import REFUND

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")

PAIR = urlencode({"pair": REFUND})
PATH = urlencode({"path": REFUND})
PAGES = (
    "/",
    "/?rank=identical&sort=tokens",
    f"/?{PAIR}",
    f"/?{PAIR}&view=unified&step=h4",
    f"/?{PAIR}&view=raw",
    f"/?{PAIR}&view=usage",
    "/groups",
    "/usage",
    f"/inspect?{PATH}",
    f"/inspect?{PATH}&view=history",
    f"/inspect?{PATH}&view=compare",
    f"/inspect?{PATH}&view=miss",
)
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")

STREAMLITS_OWN = {
    # st.code with a height scrolls, and cannot be reached with the keyboard; nor can a popover that is longer than the window.
    "scrollable-region-focusable": ('<pre class="st-emotion-cache', '<div data-testid="stPopoverBody"'),
}
"""By rule, what Streamlit itself draws and we cannot change: the beginning of the element's HTML."""


def violations(page):
    """Every violation as (rule, what it asks for, the element)."""
    found = axe.Axe().run(page, options={"runOnly": {"type": "tag", "values": list(TAGS)}}).response["violations"]
    return [(rule["id"], rule["help"], node["html"]) for rule in found for node in rule["nodes"]]


def ours(found):
    return [item for item in found if not any(item[2].startswith(html) for html in STREAMLITS_OWN.get(item[0], ()))]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_keeps_anybody_out(reading, visit, scheme):
    page = visit(reading, scheme=scheme)
    found = {}
    for path in PAGES:
        page.goto(reading.partition("/?")[0] + path)
        settle(page)
        wrong = ours(violations(page))
        if wrong:
            found[path] = wrong
    assert found == {}


def test_the_sheet_of_keys_and_the_panel_keep_nobody_out(reading, visit):
    page = visit(reading)
    page.keyboard.press("?")
    page.locator("dialog[open]").wait_for()
    assert ours(violations(page)) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="About this comparison").click()
    page.get_by_text("Never a difference").first.wait_for()
    assert ours(violations(page)) == []
