"""A shared server: people sign in with a provider, and what they may do follows from who they are. In a real browser."""

import json
import urllib.error
import urllib.parse
import urllib.request

import pytest
from playwright.sync_api import expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

from tests.e2e.driving import settle, started
from tests.e2e.provider import HOSTILE
from tests.e2e.signing_in import BELIEVED, OPEN, arrive, received, shared, sign_in
from tests.e2e.test_review import AMOUNT, entries, open_pair, press

__all__ = ["arrive", "shared"]

RECORDED = ("test_refunds", "issue_refund", "cassettes/", "Refund")
"""Words of the comparison that nobody may see who has not signed in."""


def test_who_signs_in_decides_under_the_name_that_the_provider_gives(shared, arrive):
    page = arrive()
    sign_in(page, "Grace")
    expect(page.get_by_text("Signed in as Grace@example.org", exact=True)).to_be_visible()
    open_pair(page, AMOUNT)
    said = received(page) + page.content()
    assert [word for word in RECORDED if word not in said] == [], "so they are missed where they are not"
    press(page, "a")
    (entry,) = entries(shared[0])
    assert entry["reviewer"] == {"name": "Grace Hopper", "email": "Grace@example.org"}
    assert (entry["kind"], entry["verdict"], entry["pair"]["path"]) == ("verdict", "approve", AMOUNT)


@pytest.mark.parametrize("path", ["/", "/groups", "/usage", "/inspect", f"/?pair={AMOUNT}"])
def test_before_signing_in_there_is_no_page_and_no_data(arrive, path):
    page = arrive(path)
    expect(page.get_by_role("heading", name="Sign in to review")).to_be_visible()
    expect(page.get_by_text("Groups")).to_have_count(0)
    page.wait_for_timeout(1500)  # what a fragment might still fetch
    said = received(page) + page.content()
    assert "Sign in to review" in said
    assert [word for word in RECORDED if word in said] == []


@pytest.mark.parametrize(
    ("account", "reason"),
    [
        ("Mallory", "mallory@example.com is not on the list of those who may read here."),
        ("Unverified", "The login's provider has not verified that grace@example.org is yours."),
    ],
)
def test_who_is_not_on_the_list_is_refused_and_told_why(arrive, account, reason):
    page = arrive(f"/?pair={AMOUNT}")
    sign_in(page, account)
    for path in ("/", "/groups", f"/?pair={AMOUNT}"):
        page.goto(page.url.partition("/?")[0].rstrip("/").removesuffix("/groups") + path)
        settle(page)
        expect(page.get_by_role("heading", name="You may not look here")).to_be_visible()
        expect(page.get_by_text(reason)).to_be_visible()
    said = received(page) + page.content()
    assert [word for word in RECORDED if word in said] == []


@pytest.mark.parametrize("account", ["Eve", "Evil"])
def test_what_somebody_calls_themselves_is_text(arrive, account):
    page = arrive()
    sign_in(page, account)
    if account == "Eve":
        open_pair(page, AMOUNT)
        press(page, "a")
        press(page, "q")
        expect(page.locator(f'a.row[data-path="{AMOUNT}"] .state')).to_contain_text("<img src=x")
        open_pair(page, AMOUNT)
        expect(page.locator(".why-state")).to_contain_text(HOSTILE)
    else:
        expect(page.locator(".empty")).to_contain_text(HOSTILE)
    assert page.evaluate("window.pwned") is None
    assert page.evaluate("getComputedStyle(document.body).display") != "none"


def test_a_reader_sees_everything_and_decides_nothing(shared, arrive):
    before = entries(shared[0])
    page = arrive()
    sign_in(page, "Linus")
    expect(page.get_by_text("Signed in as linus@readers.example, to read")).to_be_visible()
    open_pair(page, AMOUNT)
    expect(page.get_by_text("linus@readers.example may read here, and not decide")).to_be_visible()
    for key in ("a", "f"):
        page.keyboard.press(key)
        settle(page)
    page.goto(f"{shared[1]}/")
    settle(page)
    page.get_by_role("checkbox", name="Select all listed pairs").check()
    page.get_by_role("button", name="Approve selected").click()
    expect(page.locator(".note.bad[role=status]")).to_contain_text("may read here, and not decide")
    assert entries(shared[0]) == before


def test_nothing_that_a_browser_sends_along_says_who_somebody_is(shared, arrive):
    claims = {"email": "grace@example.org", "name": "Grace Hopper", "is_logged_in": True, "origin": shared[1]}
    names = ("X-Forwarded-User", "X-Forwarded-Email", "Remote-User", "X-Auth-Request-Email")
    page = arrive(
        "/?email=grace@example.org&user=Grace&is_logged_in=true",
        extra_http_headers=dict.fromkeys(names, "grace@example.org"),
        storage_state={
            "cookies": [
                {"name": "_streamlit_user", "value": forged, "domain": "127.0.0.1", "path": "/", "expires": -1,
                 "httpOnly": True, "secure": False, "sameSite": "Lax"}
                for forged in (urllib.parse.quote(json.dumps(claims)),)
            ]
        },
    )  # fmt: skip
    expect(page.get_by_role("heading", name="Sign in to review")).to_be_visible()
    sign_in(page, "Linus")
    page.goto(f"{shared[1]}/?email=grace@example.org&name=Grace")
    settle(page)
    expect(page.get_by_text("Signed in as linus@readers.example, to read")).to_be_visible()


def asked(origin, cookies, **headers):
    """What the socket answers to a client that is no browser, until the page is drawn."""
    known = {cookie["name"]: cookie["value"] for cookie in cookies}
    sent = {"Cookie": "; ".join(f"{name}={value}" for name, value in known.items()), **headers}
    # A browser brings the token against forged requests among the names of protocols.
    token = known.get("_streamlit_xsrf", "")
    with connect(
        f"ws{origin.removeprefix('http')}/_stcore/stream",
        origin=Origin(origin),
        additional_headers=sent,
        subprotocols=[Subprotocol(name) for name in ("streamlit", token) if name],
    ) as socket:
        socket.send(BackMsg(rerun_script=ClientState(query_string="")).SerializeToString())
        frames = [socket.recv(timeout=20)]
        while not frames[-1] or ForwardMsg.FromString(frames[-1]).WhichOneof("type") != "script_finished":
            frames.append(socket.recv(timeout=20))
    return b"".join(frames).decode(errors="replace")


def test_the_socket_tells_nothing_to_who_has_not_signed_in_and_believes_no_header(shared, arrive):
    origin = shared[1]
    grace = dict.fromkeys(BELIEVED, "grace@example.org")
    for cookies in ([], arrive().context.cookies()):
        said = asked(origin, cookies, **grace)
        assert "Sign in to review" in said
        assert [word for word in RECORDED if word in said] == []
    reader = arrive(account="Linus").context.cookies()
    said = asked(origin, reader, **grace)
    assert "Signed in as linus@readers.example, to read" in said
    assert RECORDED[0] in said


def test_signing_out_shuts_the_door_again(arrive):
    page = arrive()
    sign_in(page, "Grace")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in to review")).to_be_visible()
    page.reload()
    settle(page)
    expect(page.get_by_role("heading", name="Sign in to review")).to_be_visible()


@pytest.mark.parametrize("path", ["/media/0.png", "/_stcore/metrics", "/_stcore/upload_file/a/b", "/_stcore/agent/mcp"])
def test_what_is_served_without_asking_who_asks_is_closed(shared, path):
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(shared[1] + path)
    with refused.value as answer:
        assert (answer.code, answer.read()) == (403, b"There is nothing here.\n")
        assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_a_server_without_a_login_that_others_reach_still_asks_for_the_token(shared):
    words = ("open", "main...HEAD", "--repo", str(shared[0]), "--host", "0.0.0.0", "--port", "0", "--no-browser")
    with started("-c", OPEN, *words, "--unsafe-no-login") as link:
        port = urllib.parse.urlsplit(link).port
        assert "?token=" in link
        for path in ("/", "/_stcore/metrics"):
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(f"http://127.0.0.1:{port}{path}")
            with refused.value as answer:
                assert answer.code == 403
        with pytest.raises(InvalidStatus, match="HTTP 403"), connect(f"ws://127.0.0.1:{port}/_stcore/stream"):
            pytest.fail("the socket let somebody in who has no token")
