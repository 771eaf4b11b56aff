"""A key whose name is on the screen works, from the first moment on, and acts once."""

from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from tests.e2e.driving import settle

REFUND = "tests/cassettes/test_refunds/test_damaged_item[eu].yaml"
PAIR = f"/?{urlencode({'pair': REFUND})}"
LOADS = 10
"""Fresh loads for each key."""


def opens_the_sheet(page):
    page.get_by_role("button", name="Keys?").wait_for()
    page.keyboard.press("?")
    expect(page.locator("dialog[open]")).to_be_visible()


def goes_to_the_first_change(page):
    page.get_by_role("button", name="Next change").wait_for()
    page.keyboard.press("j")
    expect(page.locator(".walk .said")).to_have_text("change 1 of 2")


def goes_to_the_queue(page):
    page.locator(".st-key-to-queue button", has_text="Q").wait_for()
    page.keyboard.press("q")
    page.wait_for_function("() => !location.search.includes('pair=')")


@pytest.mark.parametrize("press", [opens_the_sheet, goes_to_the_first_change, goes_to_the_queue])
def test_a_key_works_as_soon_as_its_name_is_on_the_screen(reading, visit, press):
    page = visit(reading)
    for _ in range(LOADS):
        page.goto(reading.partition("/?")[0] + PAIR)
        press(page)


def test_a_key_acts_once_after_the_theme_has_changed(reading, visit):
    page = visit(reading)
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        expect(page.locator(f".cr-{scheme}").first).to_be_visible()
        settle(page)
        page.keyboard.press("?")
        expect(page.locator("dialog[open]")).to_be_visible()
        page.keyboard.press("?")
        expect(page.locator("dialog[open]")).to_have_count(0)


def test_a_key_acts_once_after_a_step_was_pinned(reading, visit):
    page = visit(reading, PAIR)
    said = page.locator(".walk .said")
    page.keyboard.press("j")
    page.keyboard.press("l")
    page.wait_for_url("**step=**")
    settle(page)
    expect(said).to_have_text("change 1 of 2")
    page.keyboard.press("j")
    expect(said).to_have_text("change 2 of 2")
