"""Two reviewers at once, side by side on one server: what one does, the other sees; what has moved meanwhile is not decided."""

import subprocess
import time

import pytest
from playwright.sync_api import expect

from reviewlib.demo import build_demo
from tests.e2e.driving import served, settle
from tests.e2e.signing_in import arrive, shared
from tests.e2e.test_review import AMOUNT, REFUND, SETTLED, entries, open_pair, press, shown_pair

__all__ = ["arrive", "shared"]

SOON = 3_000
"""Milliseconds within which a verdict is seen by everybody."""


def state_of(page, path):
    return page.locator(f'a.row[data-path="{path}"] .state')


def states(page):
    """Where each listed pair stands, as the page says."""
    return {row.get_attribute("data-path"): row.locator(".state").inner_text() for row in page.locator("a.row").all()}


def forget(repository):
    """Take all verdicts away, so that each test begins with none."""
    subprocess.run(["git", "update-ref", "-d", "refs/notes/cassette-review"], cwd=repository, check=True)


def test_a_verdict_is_seen_by_the_other_within_three_seconds(shared, arrive):
    forget(shared[0])
    grace, ada = arrive(account="Grace"), arrive(account="Ada")
    open_pair(grace, AMOUNT)
    grace.keyboard.press("a")
    expect(state_of(ada, AMOUNT)).to_contain_text("approved", timeout=SOON)
    open_pair(ada, AMOUNT)
    expect(ada.locator(".why-state")).to_have_text("approved by Grace Hopper")
    ada.get_by_placeholder("Comment, sent with").fill("ten times too much")
    ada.get_by_role("button", name="Flag").click()
    grace.goto(f"{shared[1]}/")
    expect(state_of(grace, AMOUNT)).to_contain_text("flagged", timeout=SOON)
    assert {(entry["reviewer"]["name"], entry["verdict"]) for entry in entries(shared[0])} == {
        ("Grace Hopper", "approve"),
        ("Ada Lovelace", "flag"),
    }


def test_a_filtered_bulk_verdict_touches_what_was_listed_and_its_undo_restores_all(shared, arrive):
    forget(shared[0])
    grace, ada = arrive(account="Grace"), arrive("/?rank=identical,cosmetic,request,behaviour,unreadable", "Ada")
    ada.goto(f"{shared[1]}/?rank=identical,cosmetic,request,behaviour,unreadable")
    settle(ada)
    before = states(ada)
    grace.goto(f"{shared[1]}/?rank=request,cosmetic")
    settle(grace)
    listed = {row.get_attribute("data-path") for row in grace.locator("a.row").all()}
    assert 2 <= len(listed) < len(before)
    grace.get_by_role("checkbox", name="Select all listed pairs").check()
    grace.get_by_role("button", name="Approve selected").click()
    expect(grace.locator(".note.good")).to_contain_text(f"Approved {len(listed)} cassettes")
    said = entries(shared[0])
    assert {entry["pair"]["path"] for entry in said} == listed
    assert len({entry["bulk"] for entry in said}) == 1
    for path in listed:
        expect(state_of(ada, path)).to_contain_text("approved", timeout=SOON)
    after = states(ada)
    assert {path for path in after if after[path] != before[path]} == listed
    settle(grace)
    grace.keyboard.press("u")
    expect(grace.locator(".note.good")).to_contain_text(f"{len(listed)} verdicts are gone")
    for path in listed:
        expect(state_of(ada, path)).to_have_text(before[path], timeout=SOON)
    assert states(ada) == before


def test_what_one_types_stays_while_another_decides(shared, arrive):
    forget(shared[0])
    grace, ada = arrive(account="Grace"), arrive(account="Ada")
    open_pair(grace, REFUND)
    field = grace.get_by_placeholder("Comment, sent with")
    field.press_sequentially("half a sen")
    open_pair(ada, REFUND)
    press(ada, "a")
    expect(grace.locator(".why-state")).to_have_text("approved by Ada Lovelace", timeout=SOON)
    field.press_sequentially("tence")
    assert field.input_value() == "half a sentence"
    grace.get_by_role("button", name="Flag").click()
    expect(grace.locator(".note.good")).to_contain_text("Flagged")
    assert [entry["comment"] for entry in entries(shared[0]) if entry["verdict"] == "flag"] == ["half a sentence"]


def test_an_approval_beside_a_flag_that_came_meanwhile_is_told_that_the_flag_stands(shared, arrive):
    forget(shared[0])
    grace, ada = arrive(account="Grace"), arrive(account="Ada")
    open_pair(grace, REFUND)
    open_pair(ada, REFUND)
    ada.get_by_role("button", name="Flag").click()
    deadline = time.monotonic() + 5
    while not entries(shared[0]) and time.monotonic() < deadline:
        time.sleep(0.02)
    grace.keyboard.press("a")
    expect(grace.locator(".note[role=status]")).to_contain_text(f"Approved {REFUND}. It stays flagged by Ada Lovelace")
    grace.goto(f"{shared[1]}/")
    expect(state_of(grace, REFUND)).to_contain_text("flagged")


@pytest.mark.parametrize("move", ["a new commit", "a file of the working tree"])
def test_a_verdict_on_content_that_has_moved_is_refused_and_the_new_content_shown(visit, tmp_path, move):
    folder = tmp_path / "agents"
    demo = build_demo(folder)
    is_commit = move == "a new commit"
    with served(folder, demo.revisions if is_commit else demo.revisions.partition("...")[0]) as link:
        page = visit(link)
        open_pair(page, AMOUNT)
        file = folder / AMOUNT
        file.write_text(file.read_text().replace("390", "397"))
        if is_commit:
            git = ("git", "-c", "commit.gpgsign=false", "commit", "-qam", "Record again")
            subprocess.run(git, cwd=folder, check=True)
        page.keyboard.press("a")
        said = f"The content of {AMOUNT} has changed since it was shown; look at it again"
        expect(page.locator(".note.bad[role=status]")).to_contain_text(said)
        assert entries(folder) == []
        assert shown_pair(page) == AMOUNT
        expect(page.locator(".grid ins", has_text="397").first).to_be_visible()
        settle(page)
        page.wait_for_timeout(SETTLED)
        press(page, "a")
        assert [entry["pair"]["path"] for entry in entries(folder)] == [AMOUNT]
        page.close()  # before the server ends: it would complain that nobody answers
