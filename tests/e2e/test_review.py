"""The way of a reviewer through the demo, in a real browser."""

import json
import re
import subprocess
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from tests.e2e.driving import settle

REFUND = "tests/cassettes/test_refunds/test_damaged_item[eu].yaml"
AMOUNT = "tests/cassettes/test_refunds/test_partial_refund[missing-part].yaml"
SETTLED = 700
"""Milliseconds after which a pair counts as looked at."""


def entries(repository):
    """What the ledger of a repository holds, as git sees it."""
    listed = subprocess.run(
        ["git", "notes", "--ref=cassette-review", "list"], cwd=repository, capture_output=True, text=True, check=False
    )
    lines = []
    for line in listed.stdout.splitlines():
        note = subprocess.run(
            ["git", "cat-file", "blob", line.split()[0]], cwd=repository, capture_output=True, check=True
        )
        lines += note.stdout.splitlines()
    return [json.loads(line) for line in lines]


def shown_pair(page):
    return parse_qs(urlsplit(page.url).query).get("pair", [""])[0]


def open_pair(page, path):
    page.locator(f'a.row[data-path="{path}"]').click()
    expect(page.locator(".grid").first).to_be_visible()
    settle(page)
    page.wait_for_timeout(SETTLED)


def press(page, key):
    """Press a key, and wait until another pair, or the queue, is there."""
    settle(page)
    before = page.url
    page.keyboard.press(key)
    page.wait_for_function("before => location.href !== before", arg=before)
    settle(page)
    page.wait_for_timeout(SETTLED)


def test_the_first_screen_names_what_one_must_not_miss(reading, visit):
    page = visit(reading)
    rows = page.locator("a.row")
    expect(rows.first).to_be_visible()
    said = " ".join(rows.all_inner_texts())
    for decisive in (
        "drops check_refund_policy before issue_refund",
        "issue_refund.amount 39 → 390",
        "unreadable",
        "401",
    ):
        assert decisive in said
    assert page.title() == "cassette-review"


def test_approve_one_flag_one_with_a_comment_reload_and_both_are_there(link, visit, repository):
    page = visit(link)
    open_pair(page, AMOUNT)
    press(page, "a")
    assert shown_pair(page) not in ("", AMOUNT)
    press(page, "q")
    open_pair(page, REFUND)
    page.get_by_placeholder("Comment, sent with").fill("the policy check is gone")
    page.get_by_role("button", name="Flag").click()
    expect(page.locator(".note")).to_contain_text("Flagged")
    press(page, "q")
    page.reload()
    expect(page.locator(f'a.row[data-path="{AMOUNT}"] .state')).to_contain_text("approved")
    expect(page.locator(f'a.row[data-path="{REFUND}"] .state')).to_contain_text("flagged")
    open_pair(page, REFUND)
    expect(page.locator(".why-state")).to_have_text("flagged by Robin Reviewer: the policy check is gone")
    expect(page.locator("pre").first).to_contain_text("test_refunds.py")
    said = {(entry["verdict"], entry["pair"]["path"], entry.get("comment", "")) for entry in entries(repository)}
    assert said == {("approve", AMOUNT, ""), ("flag", REFUND, "the policy check is gone")}


def test_the_whole_queue_is_walked_by_keyboard(link, visit, repository):
    page = visit(link, "/?rank=request,cosmetic")
    expect(page.locator("a.row").first).to_be_visible()
    count = page.locator("a.row").count()
    press(page, "n")
    for _ in range(count):
        press(page, "a")
    assert shown_pair(page) == ""
    assert len(entries(repository)) == count
    expect(page.locator("a.row .state").first).to_contain_text("approved")


def test_a_held_key_approves_nothing_that_was_not_looked_at(link, visit, repository):
    page = visit(link)
    open_pair(page, REFUND)
    for _ in range(60):  # the first down is a press, the others are what a held key repeats
        page.keyboard.down("a")
        page.wait_for_timeout(33)
    page.keyboard.up("a")
    page.wait_for_timeout(SETTLED)
    assert [entry["pair"]["path"] for entry in entries(repository)] == [REFUND]


def test_two_quick_presses_approve_one(link, visit, repository):
    page = visit(link)
    open_pair(page, REFUND)
    page.keyboard.press("a")
    page.keyboard.press("a")
    page.wait_for_timeout(2 * SETTLED)
    assert [entry["pair"]["path"] for entry in entries(repository)] == [REFUND]
    assert shown_pair(page) not in ("", REFUND)


def test_keys_do_nothing_while_one_types(link, visit, repository):
    page = visit(link)
    open_pair(page, REFUND)
    field = page.get_by_placeholder("Comment, sent with")
    field.click()
    page.keyboard.type("a fast answer, quite unsure")
    page.wait_for_timeout(SETTLED)
    assert field.input_value() == "a fast answer, quite unsure"
    assert shown_pair(page) == REFUND
    assert entries(repository) == []


def test_undo_takes_the_verdict_back(link, visit, repository):
    page = visit(link)
    open_pair(page, REFUND)
    press(page, "a")
    press(page, "u")
    assert shown_pair(page) == REFUND
    expect(page.locator(".badges").first).to_contain_text("open")
    assert sorted(entry["kind"] for entry in entries(repository)) == ["verdict", "withdraw"]


def test_back_forward_and_a_fresh_link_lead_to_the_same_screen(reading, visit):
    page = visit(reading)
    page.get_by_role("button", name=re.compile("behaviour")).click()
    page.wait_for_url("**rank=behaviour**")
    open_pair(page, REFUND)
    page.get_by_role("radio", name="Raw").click()
    page.wait_for_url("**view=raw**")
    address = page.url
    page.go_back()
    expect(page.locator(".grid").first).to_be_visible()
    page.go_back()
    expect(page.locator("a.row").first).to_be_visible()
    assert "rank=behaviour" in page.url
    page.go_forward()
    page.go_forward()
    expect(page.locator("[data-testid=stCode]").first).to_be_visible()
    assert page.url == address
    fresh = visit(reading, "/" + address.partition("/?")[2].join(["?", ""]))
    expect(fresh.locator("[data-testid=stCode]").first).to_be_visible()
    assert shown_pair(fresh) == REFUND


def test_rows_are_walked_with_the_arrow_keys_and_opened_with_enter(reading, visit):
    page = visit(reading)
    rows = page.locator("a.row")
    rows.first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("j")
    page.keyboard.press("k")
    wanted = rows.nth(1).get_attribute("data-path")
    page.keyboard.press("Enter")
    expect(page.locator(".grid, .cr h1").first).to_be_visible()
    page.wait_for_url(re.compile("pair="))
    assert shown_pair(page) == wanted


def test_the_next_pair_opens_at_its_top(reading, visit):
    page = visit(reading)
    open_pair(page, "test/cassettes/fix-nightly-expiry-test.json")
    page.locator("[data-testid=stMain]").evaluate("main => main.scrollTo(0, 100000)")
    press(page, "n")
    expect(page.locator(".cr h1").first).to_be_in_viewport()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_every_page_fits_its_window(reading, visit, scheme, width):
    page = visit(reading, scheme=scheme, width=width)
    pages = (
        "/",
        f"/?pair={REFUND}",
        f"/?pair={REFUND}&view=unified",
        f"/?pair={REFUND}&view=usage",
        "/groups",
        "/usage",
        "/inspect",
        f"/inspect?path={REFUND}&view=history",
    )
    for path in pages:
        page.goto(reading.partition("/?")[0] + path)
        settle(page)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, path
        background = page.evaluate("getComputedStyle(document.querySelector('.stApp')).backgroundColor")
        assert (background == "rgb(17, 21, 27)") is (scheme == "dark")


def test_without_the_token_nobody_gets_in(reading, browser):
    context = browser.new_context()
    try:
        answer = context.new_page().goto(reading.partition("?")[0])
        assert answer.status == 403
        assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    finally:
        context.close()
