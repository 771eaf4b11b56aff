"""What stands before Streamlit: who is let in, and what is sent along."""

import asyncio
from pathlib import Path

import pytest

from reviewlib.serve.guard import Headers, LoginGuard, TokenGuard, content_security_policy

TOKEN = "right-token"


async def application(scope, _receive, send):
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    sent = [(b"content-type", b"text/html"), (b"set-cookie", b"_streamlit_user=x; HttpOnly")]
    await send({"type": "http.response.start", "status": 200, "headers": sent})
    await send({"type": "http.response.body", "body": b"inside"})


def guarded(inner=application, *, secure=False):
    return Headers(TokenGuard(inner, TOKEN, "cassette-review-1"), "default-src 'none'", secure=secure)


def ask(path="/", query="", cookie=None, kind="http", guard=None):
    """One request through the guard: the messages that came back."""
    sent = []

    async def send(message):
        sent.append(message)

    async def receive():
        return {"type": "http.request"}

    headers = [] if cookie is None else [(b"cookie", cookie.encode("latin-1"))]
    scope = {"type": kind, "path": path, "query_string": query.encode(), "headers": headers}
    asyncio.run((guard or guarded())(scope, receive, send))
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


@pytest.mark.parametrize(("secure", "expected"), [(True, "HttpOnly; Secure"), (False, "HttpOnly")])
def test_behind_tls_no_cookie_is_returned_without_it(secure, expected):
    start = ask(guard=Headers(application, "", secure=secure))[0]
    assert headers(start)["set-cookie"] == f"_streamlit_user=x; {expected}"


def test_lifespan_passes_through():
    seen = []

    async def inner(scope, _receive, _send):
        seen.append(scope["type"])

    for guard in (guarded(inner), LoginGuard(inner)):
        asyncio.run(guard({"type": "lifespan"}, None, None))
    assert seen == ["lifespan", "lifespan"]


@pytest.mark.parametrize("path", LoginGuard.CLOSED)
def test_where_people_sign_in_what_goes_by_its_address_alone_is_closed(path):
    assert ask(f"{path}x", guard=LoginGuard(application))[0]["status"] == 403


@pytest.mark.parametrize(
    "path", ["/", "/groups", "/auth/login", "/oauth2callback", "/_stcore/health", "/static/js/a.js"]
)
def test_where_people_sign_in_the_way_to_it_is_open(path):
    assert ask(path, guard=LoginGuard(application))[0]["status"] == 200
    assert ask("/_stcore/stream", kind="websocket", guard=LoginGuard(application)) == [{"type": "websocket.accept"}]


def test_streamlit_has_no_other_doors_than_those_that_were_looked_at():
    """A route that a later Streamlit adds has to be judged before it is open on a shared server."""
    from streamlit.web.server.starlette import starlette_routes

    routes = {
        value.strip("/")
        for name, value in vars(starlette_routes).items()
        if "ROUTE" in name and isinstance(value, str) and not name.startswith("BASE_")
    }
    closed = {route for route in routes if f"/{route}".startswith(LoginGuard.CLOSED)}
    assert routes - closed == {
        "_stcore/health",
        "_stcore/host-config",
        "_stcore/bidi-components/{path:path}",
        "component/{path:path}",
        "app/static/{path:path}",
    }


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
