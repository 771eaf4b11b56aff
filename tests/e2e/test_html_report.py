"""The HTML report in a real browser: from disk, with the network cut."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.cli.cassettes import REFUND, cassette
from tests.repositories import build

ROOT = Path(__file__).parents[2]
EVIL = "</style></div><script>window.pwned = 1</script><img src=x onerror='window.pwned = 2'><svg/onload=window.pwned=3>\u202egnp"
KEY = "sk-ant-api03-" + "Ab3" * 31 + "AA"


def reported(repository, target, *words, code=0):
    """Write a report of a repository to a file."""
    done = subprocess.run(
        [sys.executable, "-c", "from reviewlib.cli import main; main()", *words, "--format", "html"],
        cwd=repository,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (code, b"")
    target.write_bytes(done.stdout)
    return target


@pytest.fixture
def shown(browser):
    """Opens a file as somebody would who downloaded it: no network, nothing else on disk, no complaint."""
    complaints, contexts = [], []

    def opened(file, **options):
        context = browser.new_context(offline=True, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: None if request.url == file.as_uri() else complaints.append(request.url))
        page.goto(file.as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def report(repository, tmp_path):
    return reported(repository, tmp_path / "report.html", "check", "main...HEAD", code=1)


def test_the_demo_reads_from_disk_and_its_links_lead_to_the_pairs(shown, report):
    page = shown(report)
    expect(page.locator(".gate b").first).to_have_text("18 cassettes of 28 changed need a person.")
    link = page.get_by_role("link", name="tests/cassettes/test_refunds/test_damaged_item[eu].yaml").first
    link.click()
    section = page.locator("section:target")
    expect(section).to_be_in_viewport()
    expect(section.locator("b").first).to_contain_text("drops check_refund_policy before issue_refund")
    expect(section.locator(".row.removed")).to_contain_text("not in the head")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_can_be_read_in_both_schemes(shown, report, scheme):
    page = shown(report, color_scheme=scheme)
    assert page.evaluate(_CONTRASTS) == []


def test_unchanged_steps_unfold_with_the_keyboard(shown, report):
    page = shown(report)
    fold = page.locator("section details").first
    expect(fold.locator("li").first).to_be_hidden()
    fold.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(fold.locator("li").first).to_be_visible()


def test_nothing_is_wider_than_a_telephone(shown, report):
    page = shown(report, viewport={"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_paper_has_the_folded_steps_and_light_ground(shown, report):
    page = shown(report, color_scheme="dark")
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.locator("section details li").first.bounding_box()["height"] > 0
    assert len(page.pdf()) > 10_000


def test_recorded_markup_does_nothing_and_secrets_are_not_in_it(shown, tmp_path):
    made = build(tmp_path / "project")
    made.commit({REFUND: cassette()})
    changed = json.loads(cassette(words=EVIL, system=f"{EVIL} key {KEY}"))
    changed["interactions"][0]["request"]["headers"]["x-api-key"] = [KEY]
    made.commit({REFUND: json.dumps(changed)})
    file = reported(made.root, tmp_path / "report.html", "diff", "HEAD~1..HEAD")
    assert KEY not in file.read_text(encoding="utf-8")
    page = shown(file)
    assert page.evaluate("window.pwned") is None
    assert page.locator("script, img, svg, iframe").count() == 0
    expect(page.locator("section").first).to_contain_text("<script>window.pwned = 1</script>")
    expect(page.locator("section").first).to_contain_text("\\u202egnp")


def long_run(number, side):
    """A recording of 280 KB: two long texts, a little of which differs between the sides, and a call that does."""
    words = " ".join(f"word{(number * 31 + place) % 997}{side if place % 40 == 0 else ''}" for place in range(12_000))
    return cassette(390 if side == "head" else 39, system=words, words=words)


def test_fifty_large_cassettes_are_one_file_that_opens(shown, tmp_path):
    made = build(tmp_path / "project")
    for side in ("base", "head"):
        made.commit({f"tests/cassettes/test_{number}.yaml": long_run(number, side) for number in range(50)})
    file = reported(made.root, tmp_path / "report.html", "check", "HEAD~1..HEAD", code=1)
    assert file.stat().st_size < 3_000_000
    page = shown(file)
    expect(page.locator("section")).to_have_count(50)
    expect(page.locator(".gate b").first).to_have_text("50 cassettes of 50 changed need a person.")
    expect(page.locator("section").last).to_contain_text("issue_refund.amount 39 → 390")


def test_what_must_not_be_merged_is_the_first_thing_on_the_page(shown, report):
    page = shown(report)
    alarm = page.locator("main > *").first
    expect(alarm).to_have_class("alarm")
    failed = alarm.locator("p").filter(has_text="HTTP 401 was recorded in place of an answer, new in 1 of 28 cassettes")
    failed.get_by_role("link").click()
    expect(page.locator("section:target b").first).to_contain_text("HTTP 200 → 401")


_CONTRASTS = """() => {
  const luminance = (color) => {
    const [r, g, b] = color.match(/[\\d.]+/g).map(Number).map((v) => v / 255)
      .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if (!/, 0\\)$/.test(color)) return color;
    }
  };
  const low = new Set();
  for (const element of document.querySelectorAll("main *")) {
    if (![...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())) continue;
    const pair = [getComputedStyle(element).color, ground(element)].map(luminance).sort((a, b) => b - a);
    const ratio = (pair[0] + 0.05) / (pair[1] + 0.05);
    if (ratio < 4.5) low.add(`${element.tagName}.${element.className} ${ratio.toFixed(2)}`);
  }
  return [...low];
}"""
"""Elements whose words have less contrast than WCAG AA asks for."""
