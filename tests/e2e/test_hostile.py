"""A repository of somebody who means harm: what was recorded is shown, and does nothing."""

import json
import subprocess

import pytest
from playwright.sync_api import expect

from tests.e2e.driving import served

PAYLOADS = (
    "<script>window.pwned = 1</script>",
    '<img src=x onerror="window.pwned = 2">',
    "<svg/onload=window.pwned=3>",
    "[click](javascript:window.pwned=4)",
    "![beacon](http://beacon.test/b.png)",
    "<style>body{display:none}</style>",
    "</div></div><iframe srcdoc='<script>parent.pwned=5</script>'></iframe>",
    "<base href='http://beacon.test/'><link rel=stylesheet href='http://beacon.test/s.css'>",
    ":red[x] $\\href{javascript:window.pwned=6}{x}$ :material/home:",
    "\u202egnp.exe\u2066 \u001b[2J\u0007",
)
EVIL = " ".join(PAYLOADS)
NAME = "tests/cassettes/<img src=x onerror=alert(1)>.json"


def cassette(tool, text):
    """A run in the format of seed 000: a call, then an answer."""
    call = {"type": "tool_use", "id": "toolu_1", "name": tool, "input": {text: [text], "amount": 39}}
    usage = {"input_tokens": 10, "output_tokens": 5}
    parts = ([call], "tool_use"), ([{"type": "text", "text": text}], "end_turn")
    answers = [
        {
            "id": f"msg_{number}",
            "type": "message",
            "role": "assistant",
            "model": text,
            "content": content,
            "stop_reason": why,
            "usage": usage,
        }
        for number, (content, why) in enumerate(parts)
    ]
    return json.dumps([{"fp": f"{number:064x}", "response": answer} for number, answer in enumerate(answers)])


def git(folder, *words):
    config = ["-c", "user.name=<b>Eve</b>", "-c", "user.email=eve@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *config, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def hostile(tmp_path):
    folder = tmp_path / "hostile"
    (folder / "tests" / "cassettes").mkdir(parents=True)
    (folder / ".streamlit").mkdir()
    (folder / ".streamlit" / "config.toml").write_text('[theme]\nfont = "Evil:http://beacon.test/font.css"\n')
    git(folder, "init", "-b", "main")
    git(folder, "config", "user.name", "<b>Eve</b>")
    git(folder, "config", "user.email", "eve@example.org")
    (folder / NAME).write_text(cassette("get_order", "Hello."))
    (folder / "tests" / "cassettes" / "broken.json").write_text(cassette("get_order", "Hello."))
    git(folder, "add", ".")
    git(folder, "commit", "-m", "baseline")
    (folder / NAME).write_text(cassette(PAYLOADS[1], EVIL))
    (folder / "tests" / "cassettes" / "broken.json").write_text(f'[{{"fp": "{PAYLOADS[2]}')
    return folder


def unharmed(page):
    page.wait_for_timeout(600)
    assert page.evaluate("window.pwned") is None
    assert page.evaluate("getComputedStyle(document.body).display") != "none"
    assert page.locator("iframe[srcdoc]").count() == 0
    assert page.locator("a[href^='javascript']").count() == 0


def test_recorded_text_is_shown_as_text_and_runs_nothing(hostile, visit):
    with served(hostile, "HEAD") as link:
        page = visit(link)
        row = page.locator("a.row", has_text="onerror=alert(1)").first
        expect(row).to_be_visible()
        unharmed(page)
        row.click()
        expect(page.locator(".grid").first).to_be_visible()
        unharmed(page)
        body = page.locator(".grid").inner_text()
        assert "<script>window.pwned = 1</script>" in body
        assert "javascript:window.pwned=4" in body
        assert "⟨U+202E⟩" in body
        page.locator(".grid summary").evaluate_all("all => all.forEach(one => one.click())")
        unharmed(page)
        page.get_by_placeholder("Comment, sent with").fill(EVIL.replace("\u0007", ""))
        page.get_by_role("button", name="Flag").click()
        page.wait_for_timeout(1_200)
        unharmed(page)
        for view in ("usage", "raw", "steps"):
            page.goto(f"{link.partition('/?')[0]}/?pair={NAME.replace('=', '%3D')}&view={view}&q=%3Cscript%3E")
            expect(page.locator(".cr h1").first).to_be_visible()
            unharmed(page)
        page.goto(f"{link.partition('/?')[0]}/inspect?pair={NAME.replace('=', '%3D')}")
        expect(page.locator(".grid").first).to_be_visible()
        unharmed(page)


def test_a_broken_cassette_is_one_row_with_its_reason(hostile, visit):
    with served(hostile, "HEAD") as link:
        page = visit(link)
        row = page.locator('a.row[data-path="tests/cassettes/broken.json"]')
        expect(row).to_contain_text("unreadable")
        row.click()
        expect(page.locator(".badge.unreadable", has_text="head cannot be read")).to_be_visible()
        expect(page.get_by_role("button", name="Approve")).to_be_disabled()
        unharmed(page)


def test_a_repository_that_cannot_be_written_is_read_and_refuses_in_a_sentence(hostile, visit):
    lock = hostile / ".git" / "refs" / "notes"
    lock.write_text("a file where git needs a folder: no ref can be made below it\n")
    with served(hostile, "HEAD") as link:
        page = visit(link)
        page.locator("a.row").first.click()
        expect(page.locator(".cr h1").first).to_be_visible()
        page.wait_for_timeout(900)
        page.get_by_role("button", name="Flag").click()
        expect(page.locator(".note.bad")).to_contain_text("The verdict was not recorded")
