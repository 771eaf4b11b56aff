"""httprr counts bytes: bodies may be anything, and lengths that do not add up are told."""

import pytest

from reviewlib.formats import read_cassette
from reviewlib.model.cassette import Exchange, Unreadable
from tests.formats.http_samples import GOT, HTTPRR_GOT, HTTPRR_SENT, PACKED, URI, chunked, http_message, httprr
from tests.formats.samples import file, readable

CHUNKED = "Transfer-Encoding: chunked"


def exchanges(data: bytes) -> list[Exchange]:
    cassette = readable(read_cassette(file("t.httprr", data)))
    assert cassette.format == "httprr"
    return [each for each in cassette.interactions if isinstance(each, Exchange)]


def answered(body: bytes, *fields: str, first: str = "HTTP/1.1 200 OK"):
    (exchange,) = exchanges(httprr((HTTPRR_SENT, http_message(first, body, *fields))))
    assert exchange.response
    return exchange.response


@pytest.mark.parametrize(
    ("body", "read"),
    [
        (b"", None),
        (b"data: {}\r\n\r\ndata: [DONE]\r\n\r\n", "data: {}\r\n\r\ndata: [DONE]\r\n\r\n"),
        (b'{"a": "caf\xc3\xa9"}', {"a": "café"}),
        (b"\x00\x00\x01\xff", b"\x00\x00\x01\xff"),
        (b"zero \x00 in text", b"zero \x00 in text"),
        (b"0 0\n12 12\nPOST", "0 0\n12 12\nPOST"),
    ],
)
def test_a_body_may_be_anything(body: bytes, read: object):
    assert answered(body).body == read


@pytest.mark.parametrize("size", [1, 7, 4096])
def test_chunks_are_joined(size: int):
    assert answered(chunked(PACKED, size), CHUNKED).body == answered(PACKED).body


@pytest.mark.parametrize(
    "body",
    [b"no chunks", b"5\r\nhello", b"5\r\nhelloXX0\r\n\r\n", b"fffffff\r\nshort\r\n0\r\n\r\n", b"5\r\nhello\r\n"],
)
def test_what_only_claims_to_be_chunked_stays_as_it_is(body: bytes):
    assert answered(body, CHUNKED).body == body.decode()


def test_an_extension_of_a_chunk_and_a_trailer_are_left_out():
    assert answered(b"5;name=x\r\nhello\r\n0\r\nTrailer: x\r\n\r\n", CHUNKED).body == "hello"


def test_a_chunked_request_is_joined_too():
    sent = http_message(f"POST {URI} HTTP/1.1", chunked(b'{"a": 1}'), CHUNKED)
    (exchange,) = exchanges(httprr((sent, HTTPRR_GOT)))
    assert exchange.request
    assert exchange.request.body == {"a": 1}


@pytest.mark.parametrize(
    ("target", "fields", "uri"),
    [
        (URI, (), URI),
        ("/v1/messages?beta=true", ("host: h:8080",), "https://h:8080/v1/messages?beta=true"),
        ("/v1/messages", (), "/v1/messages"),
        ("", (), ""),
    ],
)
def test_the_address_is_made_whole_where_the_host_is_known(target: str, fields: tuple[str, ...], uri: str):
    (exchange,) = exchanges(httprr((http_message(f"GET {target} HTTP/1.1", b"", *fields), HTTPRR_GOT)))
    assert exchange.request
    assert (exchange.request.method, exchange.request.uri) == ("GET", uri)


def test_headers_are_read_and_masked():
    (exchange,) = exchanges(
        httprr((http_message(f"GET {URI} HTTP/1.1", b"", "X-Api-Key: opaque", "A: 1", "a: 2", "broken"), HTTPRR_GOT))
    )
    assert exchange.request
    assert exchange.request.headers == {
        "content-type": "application/json",
        "x-api-key": "[masked:api-key]",
        "a": "1, 2",
    }


def test_a_secret_that_is_masked_shifts_no_length():
    secret = b'{"key": "sk-ant-' + b"a1" * 20 + b'"}'
    first, second = exchanges(httprr((HTTPRR_SENT, http_message("HTTP/2.0 200 OK", secret)), (HTTPRR_SENT, HTTPRR_GOT)))
    assert first.response
    assert second.response
    assert first.response.body == {"key": "[masked:api-key]"}
    assert second.response.status == 200


@pytest.mark.parametrize(
    ("first", "status"), [("HTTP/1.1 403 Forbidden", 403), ("HTTP/2.0 429", 429), ("nonsense", None), ("", None)]
)
def test_the_status_is_read_from_the_first_line(first: str, status: int | None):
    assert answered(b"x", first=first).status == status


WHOLE = httprr((HTTPRR_SENT, HTTPRR_GOT))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (WHOLE[:-10], "the file is cut off: 10 bytes of its last exchange are missing"),
        (WHOLE + b"rubbish\n", "stands no line of two lengths"),
        (WHOLE.replace(b"\r\n", b"\n"), "are missing"),
        (
            httprr((HTTPRR_SENT, HTTPRR_GOT), (HTTPRR_SENT, HTTPRR_GOT)).replace(b"\r\n", b"\n"),
            "no line of two lengths",
        ),
        (b"httprr trace v1\n999999999999 1\n", "is cut off"),
        (b"httprr trace v1\n1\n", "at byte 16 stands no line of two lengths"),
    ],
)
def test_lengths_that_do_not_add_up_are_told(data: bytes, reason: str):
    result = read_cassette(file("t.httprr", data))
    assert isinstance(result, Unreadable)
    assert result.stage == "parse"
    assert reason in result.reason


def test_converted_line_ends_are_named_as_the_cause():
    result = read_cassette(file("t.httprr", httprr((HTTPRR_SENT, HTTPRR_GOT)).replace(b"\n", b"\r\n", 2) + b"x"))
    assert isinstance(result, Unreadable)
    assert "were the line ends converted?" in result.reason


def test_another_version_is_not_claimed():
    result = read_cassette(file("t.httprr", b"httprr trace v2\n" + GOT.encode()))
    assert isinstance(result, Unreadable)
    assert (result.stage, result.reason) == ("recognise", "no recorder writes this: plain text")
