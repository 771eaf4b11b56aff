"""The server: who is let in, what it sends along, and which port it takes."""

import asyncio
import socket
from pathlib import Path

import pytest

from reviewlib import serve
from reviewlib.errors import UsageError
from reviewlib.serve import Guard, LaunchSpec, choose_port, content_security_policy, current_spec

TOKEN = "right-token"


async def application(scope, _receive, send):
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/html")]})
    await send({"type": "http.response.body", "body": b"inside"})


def ask(path="/", query="", cookie=None, kind="http"):
    """One request through the guard: the messages that came back."""
    sent = []

    async def send(message):
        sent.append(message)

    async def receive():
        return {"type": "http.request"}

    headers = [] if cookie is None else [(b"cookie", cookie.encode("latin-1"))]
    scope = {"type": kind, "path": path, "query_string": query.encode(), "headers": headers}
    asyncio.run(Guard(application, TOKEN, "cassette-review-1", "default-src 'none'")(scope, receive, send))
    return sent


def headers(message):
    return {name.decode(): value.decode() for name, value in message["headers"]}


@pytest.mark.parametrize(
    "cookie",
    [
        None,
        "",
        "cassette-review-1=",
        "cassette-review-1=wrong",
        "cassette-review-2=right-token",
        "x=right-token",
        "a=b; ]=,;\xff=",
    ],
)
def test_without_the_right_cookie_nobody_gets_in(cookie):
    start, body = ask(cookie=cookie)
    assert start["status"] == 403
    assert b"Open the link that cassette-review printed" in body["body"]
    assert ask(cookie=cookie, kind="websocket") == [{"type": "websocket.close", "code": 1008}]


def test_the_token_in_the_link_becomes_a_cookie_that_no_script_can_read():
    (start, _) = ask("/inspect", f"pair=a%20b&token={TOKEN}")
    assert start["status"] == 303
    assert headers(start)["location"] == "/inspect?pair=a+b"
    assert headers(start)["set-cookie"] == f"cassette-review-1={TOKEN}; Path=/; HttpOnly; SameSite=Strict"


@pytest.mark.parametrize("query", ["token=", "token=wrong", f"nottoken={TOKEN}", f"token={TOKEN}x"])
def test_a_wrong_token_is_refused(query):
    assert ask(query=query)[0]["status"] == 403


def test_the_cookie_lets_pages_and_the_socket_in():
    cookie = f"other=1; cassette-review-1={TOKEN}"
    assert ask(cookie=cookie)[0]["status"] == 200
    assert ask(cookie=cookie, kind="websocket") == [{"type": "websocket.accept"}]


def test_health_is_open_so_that_a_script_can_wait_for_it():
    assert ask("/_stcore/health")[0]["status"] == 200
    assert ask("/_stcore/health/../metrics")[0]["status"] == 403


@pytest.mark.parametrize(
    "message",
    [ask(cookie=f"cassette-review-1={TOKEN}")[0], ask()[0], ask(query=f"token={TOKEN}")[0]],
    ids=["page", "refusal", "admission"],
)
def test_every_answer_carries_the_security_headers(message):
    sent = headers(message)
    assert sent["content-security-policy"] == "default-src 'none'"
    assert sent["x-content-type-options"] == "nosniff"
    assert sent["x-frame-options"] == "DENY"
    assert sent["referrer-policy"] == "no-referrer"


def test_lifespan_passes_through():
    seen = []

    async def inner(scope, _receive, _send):
        seen.append(scope["type"])

    asyncio.run(Guard(inner, TOKEN, "c", "")({"type": "lifespan"}, None, None))
    assert seen == ["lifespan"]


def test_the_policy_allows_the_pages_own_inline_script_by_hash_and_no_other():
    policy = content_security_policy("<html><script>alert(1)</script><script type='module' src='x.js'></script></html>")
    (scripts,) = [rule for rule in policy.split("; ") if rule.startswith("script-src")]
    assert scripts == "script-src 'self' 'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI=' blob:"
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy


def test_the_policy_fits_the_streamlit_that_is_installed():
    import streamlit

    index = Path(streamlit.__file__).parent / "static" / "index.html"
    assert content_security_policy(index.read_text(encoding="utf-8")).count("'sha256-") == 1


@pytest.fixture
def taken():
    with socket.socket() as held:
        held.bind((serve.HOST, 0))
        held.listen()
        yield held.getsockname()[1]


def test_a_given_port_that_is_in_use_is_named_with_a_free_one(taken):
    with pytest.raises(
        UsageError, match=rf"^Port {taken} is in use\. Port (\d+) is free: --port \1, or leave --port out\.$"
    ):
        choose_port(taken)


def test_the_usual_port_gives_way_to_the_next_free_one(taken, monkeypatch):
    monkeypatch.setattr(serve, "DEFAULT_PORT", taken)
    assert taken < choose_port(None) < taken + 100


def test_zero_takes_any_free_port():
    assert choose_port(0) > 1023


@pytest.mark.parametrize("port", [-1, 65536])
def test_a_number_that_is_no_port_is_refused(port):
    with pytest.raises(UsageError, match=f"--port {port} is no port"):
        choose_port(port)


def test_what_was_launched_is_what_the_pages_read(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    spec = LaunchSpec(
        repository=Path("repo"), revisions="main...HEAD", paths=("a [b].yaml",), everything=True, title="Demo"
    )
    monkeypatch.setenv("CASSETTE_REVIEW_SPEC", spec.resolved().model_dump_json())
    assert current_spec() == spec.model_copy(update={"repository": tmp_path / "repo"})


def test_without_a_launch_the_working_directory_is_reviewed(monkeypatch, tmp_path):
    monkeypatch.delenv("CASSETTE_REVIEW_SPEC", raising=False)
    monkeypatch.chdir(tmp_path)
    assert current_spec() == LaunchSpec(repository=tmp_path)


def test_a_launch_without_a_repository_is_about_the_working_directory(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    spec = LaunchSpec(baseline_dir=Path("a"), head_dir=Path("b")).resolved()
    assert (spec.repository, spec.baseline_dir, spec.head_dir) == (tmp_path, tmp_path / "a", tmp_path / "b")
