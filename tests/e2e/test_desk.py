"""What one does with many pairs, with steps, with others, and without a comparison, in a real browser."""

import re
import subprocess
from itertools import pairwise
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import expect

from tests.e2e.driving import settle
from tests.e2e.test_review import AMOUNT, REFUND, entries, open_pair, press

LONG = "test/cassettes/fix-nightly-expiry-test.json"


def picked(page, *paths):
    for path in paths:
        page.get_by_role("checkbox", name=f"Select {path}", exact=True).check()


def test_a_selection_is_approved_as_one_act_and_taken_back_as_one(link, visit, repository):
    page = visit(link, "/?sort=path")
    picked(page, AMOUNT, REFUND)
    expect(page.get_by_role("toolbar", name="Selected pairs")).to_contain_text("2 selected")
    page.get_by_label("Comment for all selected pairs").fill("looked at together")
    page.get_by_role("button", name="Approve selected").click()
    expect(page.locator(".note.good")).to_contain_text("Approved 2 cassettes")
    said = entries(repository)
    assert {entry["pair"]["path"] for entry in said} == {AMOUNT, REFUND}
    assert len({entry["bulk"] for entry in said}) == 1
    assert {entry["comment"] for entry in said} == {"looked at together"}
    expect(page.locator(f'a.row[data-path="{AMOUNT}"] .state')).to_contain_text("approved")
    settle(page)
    page.keyboard.press("u")
    expect(page.locator(".note.good")).to_contain_text("2 verdicts are gone")
    expect(page.locator(f'a.row[data-path="{AMOUNT}"] .state')).to_contain_text("open")


def test_a_filtered_bulk_approve_touches_exactly_what_was_listed(link, visit, repository):
    page = visit(link, "/?rank=request,cosmetic")
    listed = {row.get_attribute("data-path") for row in page.locator("a.row").all()}
    page.get_by_role("checkbox", name="Select all listed pairs").check()
    page.get_by_role("button", name="Approve selected").click()
    expect(page.locator(".note.good")).to_contain_text(f"Approved {len(listed)} cassettes")
    assert {entry["pair"]["path"] for entry in entries(repository)} == listed


def test_a_group_is_approved_without_the_member_that_was_pulled_out(link, visit, repository):
    page = visit(link, "/groups")
    card = page.locator("[class*=st-key-card-]").first
    boxes = card.get_by_role("checkbox")
    count = boxes.count()
    left_out = boxes.first.get_attribute("aria-label").removeprefix("Select ")
    boxes.first.uncheck()
    card.get_by_role("button", name="Approve selected").click()
    expect(page.locator(".note.good")).to_contain_text(f"Approved {count - 1} cassette")
    assert left_out not in {entry["pair"]["path"] for entry in entries(repository)}


def test_a_row_is_selected_by_key(reading, visit):
    page = visit(reading)
    page.locator("a.row").first.focus()
    page.keyboard.press("x")
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(page.get_by_role("toolbar", name="Selected pairs")).to_contain_text("2 selected")


def test_sorting_is_in_the_address(reading, visit):
    page = visit(reading)
    page.get_by_role("button", name="tokens", exact=True).click()
    page.wait_for_url("**sort=tokens**")
    settle(page)
    first = page.locator("a.row").first.get_attribute("data-path")
    fresh = visit(reading, "/?sort=tokens")
    assert fresh.locator("a.row").first.get_attribute("data-path") == first


def test_the_verdict_of_one_session_appears_in_the_other_without_a_reload(link, visit):
    one, other = visit(link), visit(link)
    open_pair(one, AMOUNT)
    press(one, "a")
    expect(other.locator(f'a.row[data-path="{AMOUNT}"] .state')).to_contain_text("approved", timeout=4_000)


def test_a_comment_on_a_step_starts_a_thread_there_that_can_be_resolved(link, visit, repository):
    page = visit(link)
    open_pair(page, REFUND)
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("l")
    page.wait_for_url("**step=b5**")
    settle(page)
    page.get_by_placeholder("Comment on step 5 of the baseline").fill("why is this gone?")
    page.get_by_role("button", name="Comment").last.click()
    expect(page.locator(".grid .thread")).to_contain_text("why is this gone?")
    (entry,) = entries(repository)
    assert entry["step"] == {"side": "baseline", "step": [0, 4]}
    settle(page)
    page.keyboard.press("e")
    expect(page.locator(".grid .thread summary")).to_contain_text("resolved by Robin Reviewer")


def test_a_link_to_a_step_opens_there(reading, visit):
    page = visit(reading, f"/?{urlencode({'pair': LONG, 'step': 'h40', 'rank': 'behaviour'})}")
    here = page.locator(".grid .here")
    expect(here).to_be_in_viewport()
    assert "h40" in here.get_attribute("data-steps").split()


def test_changes_are_walked_by_key_and_counted(reading, visit):
    page = visit(reading)
    open_pair(page, REFUND)
    bar = page.get_by_role("toolbar", name="Changes")
    expect(bar).to_contain_text("2 changes")
    page.keyboard.press("j")
    expect(bar).to_contain_text("change 1 of 2")
    page.keyboard.press("k")
    expect(bar).to_contain_text("change 2 of 2")
    expect(page.locator(".row.here .title")).to_have_text("check_refund_policy")


def test_one_key_turns_through_the_views(reading, visit):
    page = visit(reading)
    open_pair(page, REFUND)
    for view in ("unified", "raw", ""):
        page.keyboard.press("v")
        page.wait_for_function("view => (new URLSearchParams(location.search).get('view') ?? '') === view", arg=view)
        settle(page)


def test_one_key_goes_to_the_next_pair_of_the_same_kind(reading, visit):
    page = visit(reading)
    open_pair(page, AMOUNT)
    press(page, "g")
    query = parse_qs(urlsplit(page.url).query)
    kind = query["kind"][0]
    assert query["pair"] != [AMOUNT]
    expect(page.locator(f'.grid [data-kinds~="{kind}"], .panel .badge').first).to_be_visible()
    press(page, "q")
    assert "kind" not in parse_qs(urlsplit(page.url).query)


def test_what_was_not_compared_is_one_click_away(reading, visit):
    page = visit(reading)
    open_pair(page, REFUND)
    fold = page.locator("details.ignored")
    expect(fold.locator("ul")).not_to_be_visible()
    fold.locator("summary").click()
    expect(fold).to_contain_text("headers")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_pair_prints_black_on_white_without_what_one_cannot_press(reading, visit, scheme):
    page = visit(reading, f"/?{urlencode({'pair': LONG})}", scheme=scheme)
    page.emulate_media(media="print")
    page.evaluate("() => { window.dispatchEvent(new Event('beforeprint')); }")
    expect(page.locator(".row.later")).to_have_count(0)
    for gone in ("[data-testid=stHeader]", "[data-testid=stBottom]", ".st-key-views", ".st-key-help"):
        expect(page.locator(gone).first).not_to_be_visible()
    inks = page.evaluate(
        """() => [
          getComputedStyle(document.querySelector(".stApp")).backgroundColor,
          getComputedStyle(document.querySelector(".cr h1")).color,
          getComputedStyle(document.querySelector("details.fold summary"), "::after").content,
        ]"""
    )
    assert inks == ["rgb(255, 255, 255)", "rgb(27, 36, 48)", '" (folded)"']


def test_the_queue_prints_every_row_with_its_whole_sentence(reading, visit):
    page = visit(reading, scheme="dark")
    rows = page.locator("a.row")
    expect(rows.first).to_be_visible()
    page.emulate_media(media="print")
    page.evaluate("() => { window.dispatchEvent(new Event('beforeprint')); }")
    boxes = rows.evaluate_all(
        "all => all.map((row) => [row.getBoundingClientRect().top, row.getBoundingClientRect().bottom])"
    )
    assert all(end <= top + 1 for (_, end), (top, _) in pairwise(boxes))  # no row lies on another
    assert rows.locator(".headline").evaluate_all("all => all.every((one) => one.scrollWidth <= one.clientWidth + 1)")
    expect(page.locator("#queue .pick").first).not_to_be_visible()


def test_what_is_folded_is_drawn_when_it_is_opened(reading, visit):
    page = visit(reading)
    open_pair(page, LONG)
    fold = page.locator("details.fold").first
    expect(fold.locator(".cell")).to_have_count(0)
    fold.locator("summary").first.click()
    expect(fold.locator(".row .cell").first).to_be_visible()


def test_the_sheet_of_keys_opens_by_its_key_and_closes(reading, visit):
    page = visit(reading)
    page.keyboard.press("?")
    sheet = page.locator("dialog[open]")
    expect(sheet).to_contain_text("approve, and go on")
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    page.get_by_placeholder("Search names").click()
    page.keyboard.type("what?")
    expect(sheet).to_have_count(0)


def test_the_panel_says_what_was_compared_and_what_was_ignored(demo, reading, visit):
    page = visit(reading)
    commit = subprocess.check_output(["git", "rev-parse", "main"], cwd=demo[0], text=True)[:10]
    page.get_by_role("button", name="About this comparison").click()
    panel = page.locator(".cr.about")
    for words in (f"main ({commit})", "Never a difference", "usage_tolerance", "genai-prices", "record_command"):
        expect(panel).to_contain_text(words)


def test_a_click_on_a_mark_of_the_usage_chart_opens_its_pair(reading, visit):
    page = visit(reading, "/usage")
    page.locator("[data-testid=stVegaLiteChart] canvas, [data-testid=stVegaLiteChart] svg").nth(1).wait_for()
    chart = page.locator("[data-testid=stVegaLiteChart]").nth(1)
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    chart.click(position={"x": box["width"] * 0.6, "y": 22})
    page.wait_for_url(re.compile(r"pair="))
    assert parse_qs(urlsplit(page.url).query)["pair"] == [LONG]


def test_any_cassette_is_inspected_at_any_revision(reading, visit):
    page = visit(reading, f"/inspect?{urlencode({'path': REFUND, 'ref': 'main'})}")
    called = page.locator(".grid .title.tool")
    expect(called).to_have_text(["get_order", "check_refund_policy", "issue_refund"])
    page.goto(page.url.replace("ref=main", "ref=upgrade-model"))
    settle(page)
    expect(called).to_have_text(["get_order", "issue_refund"])
    page.goto(page.url.replace("ref=upgrade-model", "ref=no-such-branch"))
    expect(page.locator(".note.bad")).to_contain_text("there is no revision")


def test_two_versions_of_the_history_are_compared(reading, visit):
    page = visit(reading, f"/inspect?{urlencode({'path': REFUND, 'view': 'history'})}")
    expect(page.get_by_text("Upgrade the model, tighten").first).to_be_visible()
    page.get_by_role("button", name="Compare these").click()
    expect(page.locator("h1")).to_contain_text("drops check_refund_policy")


def test_a_stale_verdict_shows_what_changed_since(visit, tmp_path):
    from reviewlib.demo import build_demo
    from tests.e2e.driving import served

    folder = tmp_path / "agents"
    demo = build_demo(folder)
    with served(folder, demo.revisions) as link:
        page = visit(link)
        open_pair(page, AMOUNT)
        press(page, "a")
        file = folder / AMOUNT
        file.write_text(file.read_text().replace("390", "391"))
        subprocess.run(["git", "-c", "commit.gpgsign=false", "commit", "-qam", "Record again"], cwd=folder, check=True)
        page.goto(f"{link.partition('/?')[0]}/?{urlencode({'pair': AMOUNT})}")
        settle(page)
        expect(page.locator(".badges").first).to_contain_text("stale")
        page.get_by_role("radio", name="Since the verdict").click()
        expect(page.locator(".grid ins", has_text="391").first).to_be_visible()
        page.context.close()  # before its server ends


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_button_that_cannot_be_pressed_can_still_be_read(reading, visit, scheme):
    page = visit(reading, "/?code=no-such-finding", scheme=scheme)
    button = page.get_by_role("button", name="Next open")
    expect(button).to_be_disabled()
    ink, ground = button.evaluate(
        "(one) => [getComputedStyle(one.querySelector('p')).color, getComputedStyle(document.querySelector('.stApp')).backgroundColor]"
    )
    assert ink != ground
