"""The parts of recorded addresses, and checks of addresses that are none."""

import pytest

from reviewlib.checks.addresses import host, path
from tests.checks.judging import loaded, since
from tests.checks.test_keys import SENT, edited, replex
from tests.checks.test_recorded_failures import GOOD, vcr

NONE = ("http://[x/v1/messages", "https://[::1/v1/messages")


@pytest.mark.parametrize(
    ("uri", "parts"),
    [
        ("https://API.example.com:8443/v1/messages?beta=1#x", ("api.example.com", "/v1/messages")),
        ("/v1/messages", ("", "/v1/messages")),
        ("", ("", "")),
        (None, ("", "")),
        *((uri, ("", "")) for uri in NONE),
    ],
)
def test_an_address_has_a_host_and_a_path_or_nothing(uri, parts):
    assert (host(uri), path(uri)) == parts


@pytest.mark.parametrize("uri", NONE)
def test_an_address_that_is_none_ends_no_judgement(uri):
    before, after = vcr((200, GOOD)), vcr((200, GOOD | {"id": "msg_2"}), uri=uri)
    assert since("moved-endpoint", before, after) == ["new"]
    value, name = replex((SENT, SENT), (SENT, edited(SENT)))
    for event in value["events"]:
        event["request"]["url"] = uri
    assert since("fingerprint-mismatch", None, loaded(value, name)) == []


@pytest.mark.parametrize(
    ("one", "other", "seen"),
    [
        ("http://localhost:11434/v1/messages", "http://0.0.0.0:11434/v1/messages", []),
        ("http://127.0.0.1/v1/messages", "http://[::1]:8080/v1/messages", []),
        ("http://localhost:11434/v1/messages", "https://api.example.com/v1/messages", ["new"]),
    ],
)
def test_the_names_of_the_recording_machine_are_one_endpoint(one, other, seen):
    before, after = vcr((200, GOOD), uri=one), vcr((200, GOOD | {"id": "msg_2"}), uri=other)
    assert since("moved-endpoint", before, after) == seen
