"""A repository of somebody who means harm: what was recorded is shown, wherever it is shown, and does nothing."""

import base64
import json
import subprocess
from urllib.parse import quote, urlencode

import pytest
from playwright.sync_api import expect

from tests.e2e.driving import served, settle
from tests.e2e.recordings import exchange

BEACON = "http://beacon.test"
PAYLOADS = (
    "<script>window.pwned = 1</script>",
    '<img src=x onerror="window.pwned = 2">',
    "<svg/onload=window.pwned=3>",
    "<svg><script>window.pwned=4</script></svg>",
    "[click](javascript:window.pwned=5)",
    f"![beacon]({BEACON}/b.png)",
    "<style>body{display:none}</style>",
    "</div></div><iframe srcdoc='<script>parent.pwned=6</script>'></iframe>",
    f"<base href='{BEACON}/'><link rel=stylesheet href='{BEACON}/s.css'>",
    ":red[x] $\\href{javascript:window.pwned=7}{x}$ :material/home:",
    "\u202egnp.exe\u2066 \u001b[2J\u0007",
    "<div style='position:fixed;inset:0;z-index:9999999;background:red' class=overlay-pwned>covered</div>",
    f"<video src='{BEACON}/v.mp4' autoplay></video><audio src='{BEACON}/a.mp3'></audio>",
    f"<img srcset='{BEACON}/1.png 1x'>",
    f"<div style=\"background:url('{BEACON}/bg.png')\">x</div>",
    "<form action='javascript:window.pwned=8'><button id=x autofocus onfocus='window.pwned=9'>x</button></form>",
    "<details open ontoggle='window.pwned=10'>x</details>",
    "<template><script>window.pwned=11</script></template>",
    "</template></details><script>window.pwned=12</script>",
    "<math><mtext><table><mglyph><style><img src=x onerror='window.pwned=13'>",
    "<noscript><p title='</noscript><img src=x onerror=window.pwned=14>'>",
    "&lt;script&gt;window.pwned=15&lt;/script&gt;",
    "&#60;img src=x onerror=window.pwned=16&#62;",
    '"><img src=x onerror=window.pwned=17>',
    "' onmouseover='window.pwned=18' x='",
    '" autofocus onfocus="window.pwned=19" x="',
    "${window.pwned=20} {{constructor.constructor('window.pwned=21')()}}",
    "<object data='javascript:window.pwned=22'></object><embed src='javascript:window.pwned=23'>",
    "<a href='data:text/html,<script>opener.pwned=24</script>' target=_blank>open</a>",
    f"<meta http-equiv=refresh content='0;url={BEACON}/'>",
    "<x-element onclick='window.pwned=25' tabindex=0>custom</x-element>",
    "<textarea><img title='</textarea><img src=x onerror=window.pwned=26>'>",
    "*{background:red!important} @import url(http://beacon.test/i.css);",
    "\U000e0041\U000e0042 zero\u200bwidth \ufeff \U0001f469\u200d\U0001f4bb",
)
EVIL = " ".join(PAYLOADS)
BRANCH = "<img/src=x/onerror=window.pwned=30>"
"""A name that git takes for a branch."""
SVG = f"<svg xmlns='http://www.w3.org/2000/svg' onload='window.pwned=31'><image href='{BEACON}/svg.png'/><script>window.pwned=32</script></svg>"
POLICY = f"""
record_command = {json.dumps(" ".join(PAYLOADS[:6]))}
cassettes = ["tests/cassettes/**"]
volatile = [{json.dumps("tool_call[<img src=x onerror=window.pwned=33>].arguments.id")}]

[[rules]]
must_appear = {json.dumps(PAYLOADS[:5])}
must_not_appear = [{json.dumps(PAYLOADS[6])}]
required_tools = {json.dumps(PAYLOADS[:3])}
"""
NAME = "tests/cassettes/<img src=x onerror=alert(1)>.json"
BROKEN = "tests/cassettes/broken.json"


def cassette(number, payload):
    """A run in which a payload stands wherever the recorder writes text."""
    use = {"type": "tool_use", "id": "toolu_1", "name": payload[:64], "input": {payload: [payload, {payload: 39}]}}
    back = {"type": "tool_result", "tool_use_id": "toolu_1", "content": payload, "is_error": True}
    picture = base64.b64encode(SVG.encode()).decode()
    attached = [
        {"type": "text", "text": payload},
        {"type": "image", "source": {"type": "base64", "media_type": payload, "data": picture}},
        {"type": "image", "source": {"type": "base64", "media_type": f"image/{payload}", "data": picture}},
        {"type": "image", "source": {"type": "url", "url": f"{BEACON}/{payload}"}},
    ]
    messages = [
        {"role": "user", "content": attached},
        {"role": "assistant", "content": [use]},
        {"role": "user", "content": [back]},
    ]
    answer = [{"type": "thinking", "thinking": payload}, {"type": "text", "text": f"{number} {payload}"}]
    one = exchange(messages, answer, f"System {number}. {payload}", (payload[:64], "get_order"))
    one["response"]["body"]["string"] = one["response"]["body"]["string"].replace("end_turn", f"stop-{number}")
    model = json.loads(one["request"]["body"]) | {"model": payload, "metadata": {payload: payload}}
    one["request"]["body"] = json.dumps(model)
    one["request"]["headers"] |= {payload[:60]: [f"{number}"]}
    other = {"method": "GET", "uri": f"https://example.org/{payload}", "headers": {}, "body": ""}
    traffic = {
        "request": other,
        "response": {"status": {"code": 200, "message": payload}, "headers": {}, "body": {"string": ""}},
    }
    return json.dumps({"version": 1, "interactions": [one, traffic]})


def git(folder, *words):
    config = ["-c", f"user.name={PAYLOADS[1]}", "-c", "user.email=eve@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *config, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A payload in each of 34 cassettes, all of them in one more, in the names of people, files, branches and commits; and a broken file."""
    folder = tmp_path_factory.mktemp("hostile") / "hostile"
    place = folder / "tests" / "cassettes"
    place.mkdir(parents=True)
    (folder / ".streamlit").mkdir()
    (folder / ".streamlit" / "config.toml").write_text(f'[theme]\nfont = "Evil:{BEACON}/font.css"\n')
    (folder / "cassette-review.toml").write_text(POLICY)
    git(folder, "init", "-b", BRANCH)
    git(folder, "config", "user.name", PAYLOADS[1])
    git(folder, "config", "user.email", "eve@example.org")
    texts = {f"case-{number:02}.json": payload for number, payload in enumerate(PAYLOADS)}
    texts |= {NAME.rpartition("/")[2]: EVIL, "all-of-it.json": EVIL}
    for name in texts:
        (place / name).write_text(cassette(0, "Hello."))
    (folder / BROKEN).write_text(cassette(0, "Hello."))
    git(folder, "add", ".")
    git(folder, "commit", "-m", EVIL.replace("\0", ""))
    for name, payload in texts.items():
        (place / name).write_text(cassette(1, payload))
    (folder / BROKEN).write_text(f'[{{"fp": "{PAYLOADS[2]}')
    return folder


@pytest.fixture(scope="module")
def link(hostile):
    """A dashboard on it."""
    with served(hostile, BRANCH, title=EVIL) as found:
        yield found


def unharmed(page):
    page.wait_for_timeout(150)
    assert page.evaluate("window.pwned") is None
    assert page.evaluate("getComputedStyle(document.body).display") != "none"
    shapes = "iframe[srcdoc], a[href^='javascript'], a[href^='data:'], .overlay-pwned, object, embed, video, audio, base[href], meta[http-equiv=refresh]"
    assert page.locator(shapes).count() == 0
    middle = page.evaluate("() => getComputedStyle(document.elementFromPoint(640, 120)).backgroundColor")
    assert middle != "rgb(255, 0, 0)"


def at(page, link, path):
    page.goto(link.partition("/?")[0] + path)
    settle(page)
    unharmed(page)


def opened_up(page):
    """Open everything that is folded, and bring every row into view, so that all of it is drawn."""
    for _ in range(3):
        page.locator(".cr summary").evaluate_all("all => all.forEach((one) => { one.parentElement.open = true; })")
        page.locator(".cr .row").evaluate_all("all => all.forEach((one) => one.scrollIntoView())")
        page.wait_for_timeout(60)
    unharmed(page)


def test_every_payload_in_a_pair_is_text_and_runs_nothing(link, visit):
    page = visit(link, "/?pair=tests/cassettes/case-00.json&sort=path")
    unharmed(page)
    for number in range(1, len(PAYLOADS)):
        page.keyboard.press("n")
        page.wait_for_url(f"**case-{number:02}.json**")
        settle(page)
        unharmed(page)


@pytest.mark.parametrize("view", ["steps", "unified", "raw", "usage"])
def test_all_payloads_together_are_text_in_every_view(link, visit, view):
    page = visit(link, f"/?{urlencode({'pair': NAME, 'view': view})}")
    opened_up(page)
    if view == "steps":
        body = page.locator(".grid").inner_text()
        assert "<script>window.pwned = 1</script>" in body
        assert "javascript:window.pwned=5" in body
        assert "⟨U+202E⟩" in body


PLACES = (
    "/",
    "/?rank=behaviour&sort=path",
    f"/?q={quote(PAYLOADS[1])}",
    f"/?code={quote(PAYLOADS[1])}",
    "/groups",
    "/usage?measure=output",
    f"/inspect?path={quote(NAME)}",
    f"/inspect?path={quote(NAME)}&find={quote(PAYLOADS[0])}",
    f"/inspect?path={quote(NAME)}&view=history",
    f"/inspect?path={quote(NAME)}&view=compare&with=tests/cassettes/case-01.json",
    f"/inspect?path={quote(NAME)}&view=raw",
    f"/inspect?path={quote(NAME)}&view=miss&with=tests/cassettes/case-01.json&with_ref=@head&request=1",
    f"/inspect?path={quote(NAME)}&view=miss&with={quote(PAYLOADS[1])}&with_ref={quote(PAYLOADS[3])}&request=7",
    f"/?pair=tests/cassettes/case-01.json&kind={quote(PAYLOADS[1])}",
    f"/inspect?path={quote(PAYLOADS[1])}&ref={quote(PAYLOADS[0])}",
    f"/?pair={quote(PAYLOADS[1])}&view={quote(PAYLOADS[0])}&step={quote(PAYLOADS[2])}&cause={quote(PAYLOADS[3])}",
)


def test_every_page_shows_them_as_text(link, visit):
    page = visit(link)
    for path in PLACES:
        at(page, link, path)
        opened_up(page)


def test_what_the_comparison_is_made_of_is_text(link, visit):
    page = visit(link)
    page.get_by_role("button", name="About this comparison").click()
    panel = page.locator(".cr.about")
    expect(panel).to_contain_text(BRANCH)
    expect(panel).to_contain_text("<script>window.pwned = 1</script>")  # of the command that records
    expect(panel).to_contain_text("onerror=window.pwned=33")
    unharmed(page)


def test_what_claims_to_be_a_picture_is_shown_only_where_it_is_one(link, visit):
    page = visit(link, "/?pair=tests/cassettes/case-02.json")
    page.get_by_text("6 attached").click()  # three of the head, and three of the baseline
    lines = page.locator("[class*=st-key-attached-]")
    expect(lines).to_have_count(6)
    expect(lines.nth(0)).not_to_contain_text("Show image")
    expect(lines.nth(2)).to_contain_text("lies elsewhere, and is not fetched")
    page.get_by_text("Show image").first.click()
    expect(page.get_by_text("none of PNG, JPEG, GIF or WebP")).to_be_visible()
    assert page.locator(".cr img").count() == 0
    unharmed(page)


def test_every_cassette_offers_its_attachments_harmlessly(link, visit):
    page = visit(link, f"/?{urlencode({'pair': NAME})}")
    for box in page.locator("[data-testid=stExpander] summary").all():
        box.click()
    settle(page)
    opened_up(page)


def test_a_pasted_request_and_its_answer_are_text(link, visit):
    page = visit(link)
    at(page, link, f"/inspect?path={quote(NAME)}&view=miss")
    page.locator("textarea").fill(json.dumps({"model": EVIL[:5_000], EVIL[:200]: EVIL[:500]}))
    page.get_by_role("button", name="Compare", exact=True).last.click()
    settle(page)
    opened_up(page)
    page.locator("textarea").fill(EVIL.replace("\u0007", ""))
    page.get_by_role("button", name="Compare", exact=True).last.click()
    settle(page)
    unharmed(page)


def test_what_reviewers_write_is_text_too(link, visit):
    page = visit(link)
    at(page, link, f"/?{urlencode({'pair': 'tests/cassettes/case-01.json', 'step': 'h2'})}")
    page.wait_for_timeout(700)
    words = EVIL.replace("\u0007", "").replace("\u001b", "")
    page.get_by_placeholder("Comment on step 2").fill(words)
    page.get_by_role("button", name="Comment", exact=False).last.click()
    settle(page)
    unharmed(page)
    expect(page.locator(".thread").first).to_contain_text("<script>window.pwned = 1</script>")
    page.get_by_placeholder("Comment on step 2").fill(words)
    page.get_by_role("button", name="Flag").click()
    settle(page)
    unharmed(page)
    at(page, link, "/?state=flagged")
    at(page, link, f"/?{urlencode({'pair': 'tests/cassettes/case-01.json'})}")
    expect(page.locator("pre").first).to_contain_text("<script>window.pwned = 1</script>")  # how it is recorded anew


def test_the_texts_of_the_rules_that_a_cassette_breaks_are_text(link, visit):
    page = visit(link, "/?code=must-not-appear")
    expect(page.locator("a.row").first).to_be_visible()
    unharmed(page)
    at(page, link, f"/?{urlencode({'pair': 'tests/cassettes/case-01.json'})}")
    expect(page.get_by_label("Findings")).to_contain_text("<script>window.pwned = 1</script>")
    expect(page.get_by_label("Findings")).to_contain_text("[click](javascript:window.pwned=5)")


def test_a_broken_cassette_is_one_row_with_its_reason(link, visit):
    page = visit(link, "/?rank=unreadable")
    row = page.locator(f'a.row[data-path="{BROKEN}"]')
    expect(row).to_contain_text("unreadable")
    row.click()
    expect(page.locator(".badge.unreadable", has_text="head cannot be read")).to_be_visible()
    expect(page.get_by_role("button", name="Approve")).to_be_disabled()
    unharmed(page)


def test_a_repository_that_cannot_be_written_is_read_and_refuses_in_a_sentence(hostile, visit):
    subprocess.run(["git", "update-ref", "-d", "refs/notes/cassette-review"], cwd=hostile, check=True)
    lock = hostile / ".git" / "refs" / "notes"
    if lock.exists():
        lock.rmdir()
    lock.write_text("a file where git needs a folder: no ref can be made below it\n")
    with served(hostile, "HEAD") as found:
        page = visit(found)
        page.locator("a.row").first.click()
        settle(page)
        page.wait_for_timeout(900)
        page.get_by_role("button", name="Flag").click()
        expect(page.locator(".note.bad")).to_contain_text("The verdict was not recorded")
