"""cassetter: typed bodies, values that other YAML readers spoil, and the other two protocols."""

import pytest

from reviewlib.formats import read_cassette
from reviewlib.model.cassette import Exchange
from tests.corpus import CORPUS, needs_corpus
from tests.formats.http_samples import URI, cassetter_cassette, cassetter_interaction
from tests.formats.samples import file, readable


def exchanges(text: str) -> list[Exchange]:
    cassette = readable(read_cassette(file("t.yaml", text)))
    assert (cassette.format, cassette.not_recorded) == ("cassetter", ())
    return [each for each in cassette.interactions if isinstance(each, Exchange)]


@pytest.mark.parametrize(
    ("body", "read"),
    [
        ({"type": "json", "content": {"a": [1]}}, {"a": [1]}),
        ({"type": "json", "content": [1]}, [1]),
        ({"type": "json", "content": 5}, 5),
        ({"type": "text", "content": "data: {}\n\n"}, "data: {}\n\n"),
        ({"type": "binary", "content": "0001ff"}, b"\x00\x01\xff"),
        ({"type": "binary", "content": "00010203"}, b"\0\1\2\3"),
        ({"type": "binary", "content": "no hex"}, "no hex"),
        ({"type": "none"}, None),
    ],
)
def test_a_body_says_its_type(body: dict, read: object):
    (exchange,) = exchanges(cassetter_cassette(cassetter_interaction(body=body)))
    assert exchange.response
    assert exchange.response.body == read


def test_the_flat_form_is_that_of_toml():
    (exchange,) = exchanges(cassetter_cassette(cassetter_interaction(body_type="binary", body_content="0aff")))
    assert exchange.response
    assert exchange.response.body == b"\x0a\xff"


VALUES = f"""\
version: 1
interactions:
- request:
    method: POST
    uri: {URI}
    headers:
      anthropic-version: [2026-10-21]
      time: [1:20]
    body:
      type: json
      content: {{equals: =, merge: <<, day: 2026-10-21, yes: yes, number: 12e5}}
  response: {{status: 204, headers: {{}}, body: {{type: none}}}}
  recorded_at: 2026-11-30T00:00:00Z
"""


def test_what_yaml_1_1_spoils_is_read_as_written():
    (exchange,) = exchanges(VALUES)
    assert exchange.request
    assert exchange.request.headers == {"anthropic-version": "2026-10-21", "time": "1:20"}
    assert exchange.request.body == {
        "equals": "=",
        "merge": "<<",
        "day": "2026-10-21",
        "yes": "yes",
        "number": "12e5",
    }
    assert exchange.recorded_at == 1795996800.0


GRPC = {
    "request": {
        "method": "/demo.Greeter/Hello",
        "metadata": {"x": ["1"]},
        "body": {"type": "binary", "content": "0afe"},
    },
    "response": {"status_code": 0, "status_message": "OK", "metadata": {}, "body": {"type": "binary", "content": "0b"}},
    "recorded_at": "2026-11-30T00:00:00Z",
}
SOCKET = {
    "uri": "wss://ws.example/stream?token=opaque",
    "headers": {"authorization": ["Bearer opaque"]},
    "frames": [
        {"direction": "send", "frame_type": "text", "body": {"type": "text", "content": '{"a": 1}'}, "offset_ms": 0},
        {"direction": "recv", "frame_type": "text", "body": {"type": "json", "content": {"b": 2}}, "offset_ms": 1},
        {"direction": "recv", "frame_type": "binary", "body": {"type": "binary", "content": "00ff"}, "offset_ms": 2},
        {"direction": "recv", "frame_type": "close", "body": {"type": "none"}, "offset_ms": 3},
    ],
}


def test_the_other_protocols_follow_the_http_interactions():
    text = cassetter_cassette(cassetter_interaction(), ws_interactions=[SOCKET], grpc_interactions=[GRPC])
    found = exchanges(text)
    assert [(each.index, each.request and each.request.method) for each in found] == [
        (0, "POST"),
        (1, "GRPC"),
        (2, "WEBSOCKET"),
    ]


def test_a_grpc_call_is_shown_with_its_messages_and_its_status():
    (exchange,) = exchanges(cassetter_cassette(grpc_interactions=[GRPC]))
    assert exchange.request
    assert exchange.response
    assert (exchange.request.uri, exchange.request.headers) == ("/demo.Greeter/Hello", {"x": "1"})
    assert (exchange.request.body, exchange.response.body) == (b"\x0a\xfe", "\x0b")
    assert exchange.response.status is None
    assert exchange.response.headers == {"grpc-status": "0", "grpc-message": "OK"}


def test_the_trees_of_a_grpc_call_go_before_its_bytes():
    trees = {"json_debug": {"request": {"name": "you"}, "response": {"hello": "you"}}}
    (exchange,) = exchanges(cassetter_cassette(grpc_interactions=[GRPC | trees]))
    assert exchange.request
    assert exchange.response
    assert (exchange.request.body, exchange.response.body) == ({"name": "you"}, {"hello": "you"})


def test_a_websocket_is_what_was_sent_and_what_came_back():
    (exchange,) = exchanges(cassetter_cassette(ws_interactions=[SOCKET]))
    assert exchange.request
    assert exchange.response
    assert exchange.request.uri == "wss://ws.example/stream?token=[masked:query]"
    assert exchange.request.headers == {"authorization": "[masked:authorization]"}
    assert exchange.request.body == [{"a": 1}]
    assert exchange.response.chunks == ({"b": 2}, b"\x00\xff", None)


@needs_corpus
@pytest.mark.parametrize("provider", ["anthropic", "openai", "anthropic-stream", "openai-stream"])
@pytest.mark.parametrize("scenario", ["skip_policy", "arg_changed"])
def test_yaml_and_toml_ask_the_same(provider: str, scenario: str):
    asked = []
    for kind in ("yaml", "toml"):
        path = CORPUS / "recorders" / f"cassetter-{kind}-{provider}" / "base" / f"test_refund_{scenario}.{kind}"
        first = exchanges(path.read_text())[0]
        assert first.request
        asked.append((first.request.uri, first.request.body))
    assert asked[0] == asked[1]
