"""nock: what is text, what is a tree, and what is hexadecimal."""

import pytest

from reviewlib.formats import read_cassette
from reviewlib.model.cassette import Exchange, Response
from tests.formats.http_samples import ANSWER, PACKED, nock_call
from tests.formats.samples import file, readable

FRAME = bytes([0, 0, 0, 132, 255, 254])
EVENTS = ("Content-Type", "application/vnd.amazon.eventstream")
GZIP = ("Content-Encoding", "gzip")


def answer(*args: object, **changes: object) -> Response:
    cassette = readable(read_cassette(file("t.json", [nock_call(*args, **changes)])))
    (exchange,) = cassette.interactions
    assert cassette.format == "nock"
    assert isinstance(exchange, Exchange)
    assert exchange.response
    return exchange.response


@pytest.mark.parametrize(
    ("response", "fields", "read"),
    [
        (FRAME.hex(), EVENTS, FRAME),
        (FRAME.hex().upper(), EVENTS, FRAME),
        ("no hex", EVENTS, "no hex"),
        ("abc", EVENTS, "abc"),
        (FRAME.hex(), (), FRAME.hex()),
        ([PACKED[:20].hex(), PACKED[20:].hex()], GZIP, ANSWER),
        ([{"a": 1}], GZIP, [{"a": 1}]),
        ([], GZIP, []),
        ({"a": 1}, GZIP, {"a": 1}),
        ("data: {}\n\n", (), "data: {}\n\n"),
    ],
)
def test_only_what_is_binary_is_read_from_hexadecimal(response: object, fields: tuple[str, ...], read: object):
    assert answer(response, fields).body == read


def test_a_binary_answer_says_so():
    assert answer(FRAME.hex(), (), responseIsBinary=True).body == FRAME


@pytest.mark.parametrize(
    ("fields", "read"),
    [
        (("Date", "now", "Set-Cookie", "a=b"), {"date": "now", "set-cookie": "[masked:cookie]"}),
        (("Date", "now", "odd"), {"date": "now"}),
        ({"Date": "now"}, {"date": "now"}),
        (None, {}),
    ],
)
def test_headers_are_a_list_in_turn_or_a_mapping(fields: object, read: dict[str, str]):
    assert answer(ANSWER, fields).headers == read


def test_the_address_is_scope_and_path_and_request_headers_may_be_there():
    call = nock_call(scope="http://h:80", path="/x?key=abc", reqheaders={"X-Api-Key": "opaque"}, body="")
    (exchange,) = readable(read_cassette(file("t.json", [call]))).interactions
    assert isinstance(exchange, Exchange)
    assert exchange.request
    assert exchange.request.uri == "http://h:80/x?key=[masked:query]"
    assert exchange.request.headers == {"x-api-key": "[masked:api-key]"}
    assert exchange.request.body is None
