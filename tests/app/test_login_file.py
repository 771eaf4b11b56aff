"""The file that says how people sign in: what is wrong with it is said at the start, not to the first visitor."""

import json

import pytest

from reviewlib.errors import UsageError
from reviewlib.serve.login import is_loopback, read_login

SECRET = "k" * 16 + "-only-here-" + "k" * 16
GOOD = {
    "redirect_uri": "https://review.example.org/oauth2callback",
    "cookie_secret": SECRET,
    "client_id": "cassette-review",
    "client_secret": "c" * 20,
    "server_metadata_url": "https://login.example.org/.well-known/openid-configuration",
}


@pytest.fixture
def write(tmp_path):
    def written(**changes):
        settings = {name: value for name, value in (GOOD | changes).items() if value is not None}
        lines = ["[auth]", *(f"{name} = {json.dumps(value)}" for name, value in settings.items())]
        file = tmp_path / "secrets.toml"
        file.write_text("\n".join(lines))
        return file

    return written


def test_a_whole_file_gives_where_people_find_the_server(write):
    login = read_login(write())
    assert (login.origin, login.host, login.encrypted) == ("https://review.example.org", "review.example.org", True)
    assert login.file.is_absolute()


@pytest.mark.parametrize("host", ["localhost:8501", "127.0.0.1:8501", "[::1]:8501"])
def test_on_this_machine_it_needs_no_tls(write, host):
    login = read_login(write(redirect_uri=f"http://{host}/oauth2callback"))
    assert (login.origin, login.encrypted) == (f"http://{host}", False)


@pytest.mark.parametrize("name", GOOD)
@pytest.mark.parametrize("value", [None, "", 7])
def test_what_is_missing_is_named(write, name, value):
    with pytest.raises(UsageError, match=rf"lacks {name}; docs/team.md"):
        read_login(write(**{name: value}))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"cookie_secret": "short"}, r"fewer than 32 characters.*secrets\.token_urlsafe"),
        ({"redirect_uri": "http://review.example.org/oauth2callback"}, r"begins with http://.*use https://"),
        ({"server_metadata_url": "http://login.example.org/x"}, r"server_metadata_url .* begins with http://"),
        ({"redirect_uri": "https://review.example.org/"}, "has to be where people find this server, and end in /oauth2callback"),
        ({"redirect_uri": "https://review.example.org/base/oauth2callback"}, "end in /oauth2callback"),
        ({"redirect_uri": "https://review.example.org:port/oauth2callback"}, "is no address"),
        ({"redirect_uri": "https://me@review.example.org/oauth2callback"}, "is no address that begins with https://"),
        ({"redirect_uri": "review.example.org/oauth2callback"}, "is no address that begins with https://"),
        ({"expose_tokens": ["id"]}, "expose_tokens"),
    ],
)  # fmt: skip
def test_what_cannot_work_is_refused_with_what_to_do(write, changes, said):
    with pytest.raises(UsageError, match=said):
        read_login(write(**changes))


@pytest.mark.parametrize("text", ["[auth", f'[auth]\ncookie_secret = "{SECRET}', "\udcff", "[auth]\n[auth]"])
def test_a_broken_file_is_refused_without_a_word_of_it(tmp_path, text):
    file = tmp_path / "secrets.toml"
    file.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(UsageError, match="is no TOML") as refused:
        read_login(file)
    assert SECRET not in str(refused.value)


@pytest.mark.parametrize("text", ["", "auth = 1", "[other]"])
def test_a_file_about_something_else_is_refused(tmp_path, text):
    file = tmp_path / "secrets.toml"
    file.write_text(text)
    with pytest.raises(UsageError, match=r"has no \[auth\] section"):
        read_login(file)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(UsageError, match=r"--login .*nowhere.toml cannot be read: No such file"):
        read_login(tmp_path / "nowhere.toml")


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("127.1.2.3", True),
        ("::1", True),
        ("[::1]", True),
        ("localhost", True),
        ("Localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("", False),
        ("192.168.1.5", False),
        ("review.example.org", False),
        ("localhost.example.org", False),
        ("127.0.0.1.example.org", False),
    ],
)
def test_loopback_is_what_only_this_machine_reaches(host, expected):
    assert is_loopback(host) is expected
