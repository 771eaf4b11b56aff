"""The server: what it was started on, which port it takes, and the settings that Streamlit gets."""

import socket
from pathlib import Path

import pytest

from reviewlib import serve
from reviewlib.errors import UsageError
from reviewlib.serve import LaunchSpec, Login, choose_port, current_spec, options

LOGIN = Login(file=Path("/etc/review/secrets.toml"), origin="https://review.example.org")


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


@pytest.mark.parametrize("host", ["203.0.113.7", "no such host"])
def test_an_address_of_another_machine_is_refused(host):
    with pytest.raises(UsageError, match=rf"^--host {host} is no address of this machine \("):
        choose_port(None, host)


def test_a_port_is_asked_for_on_the_address_that_is_listened_on(taken):
    """What holds the port on loopback leaves it free on another address of this machine."""
    assert choose_port(taken, "127.0.0.2") == taken


@pytest.mark.parametrize(
    ("host", "login", "names"),
    [
        ("127.0.0.1", None, ["localhost", "127.0.0.1"]),
        ("192.168.1.5", None, ["localhost", "127.0.0.1", "192.168.1.5"]),
        ("0.0.0.0", None, []),
        ("0.0.0.0", LOGIN, ["review.example.org", "localhost", "127.0.0.1"]),
    ],
)
def test_the_server_answers_to_its_names_only(host, login, names):
    assert options(host, 8501, login)["server.allowedHosts"] == names


def test_with_a_login_streamlit_gets_the_file_and_the_origin_and_no_other_voice_is_believed():
    given = options("0.0.0.0", 8501, LOGIN)
    assert given["secrets.files"] == ["/etc/review/secrets.toml"]
    assert given["server.corsAllowedOrigins"] == ["https://review.example.org"]
    assert given["server.trustedUserHeaders"] == {}
    assert given["server.enableXsrfProtection"]
    assert options("127.0.0.1", 8501, None)["secrets.files"] == []


def test_streamlit_knows_every_setting():
    from streamlit import config

    known = config.get_config_options()
    assert [name for name in options("127.0.0.1", 8501, None) if name not in known] == []


def test_with_a_login_the_port_is_the_one_that_others_were_told(taken, monkeypatch):
    monkeypatch.setattr(serve, "DEFAULT_PORT", taken)
    with pytest.raises(UsageError, match=f"Port {taken} is in use"):
        serve.serve(LaunchSpec(), login=LOGIN)
