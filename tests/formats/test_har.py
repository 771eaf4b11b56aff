"""HTTP Archives, as Polly.JS, Cody and browsers write them."""

import gzip
import json
from itertools import pairwise

import pytest

from reviewlib.formats import read_cassette
from reviewlib.model.cassette import Exchange
from tests.formats.http_samples import ANSWER, PACKED, encoded, har, har_entry
from tests.formats.samples import file, readable

FRAME = bytes([0, 0, 0, 132, 255, 254])


def exchanges(*entries: dict) -> list[Exchange]:
    cassette = readable(read_cassette(file("recording.har", har(*entries))))
    assert cassette.format == "har"
    return [each for each in cassette.interactions if isinstance(each, Exchange)]


def pieces(data: bytes, *cuts: int) -> str:
    ends = [0, *cuts, len(data)]
    return json.dumps([encoded(data[begin:end]) for begin, end in pairwise(ends)])


@pytest.mark.parametrize(
    ("content", "read"),
    [
        ({"text": "data: {}\n\n"}, "data: {}\n\n"),
        ({"encoding": "base64", "text": encoded(FRAME)}, FRAME),
        ({"encoding": "base64", "text": pieces(FRAME, 2)}, FRAME),
        ({"encoding": "base64", "text": pieces(PACKED, 1, 9, 20)}, ANSWER),
        ({"encoding": "base64", "text": pieces(gzip.compress(b"[1]", mtime=0))}, [1]),
        ({"encoding": "base64", "text": "[no json"}, "[no json"),
        ({"encoding": "base64", "text": "no base64!"}, "no base64!"),
        ({"encoding": "base64", "text": "[]"}, []),
        ({"encoding": "base64", "text": encoded(PACKED), "textDecoded": {"a": 1}}, ANSWER),
        ({"text": "[1, 2]"}, [1, 2]),
        ({}, None),
    ],
)
def test_answers_come_in_many_encodings(content: dict, read: object):
    (exchange,) = exchanges({**har_entry(), "response": {"status": 200, "content": content}})
    assert exchange.response
    assert exchange.response.body == read


@pytest.mark.parametrize(
    ("post", "read"),
    [
        ({"text": "a=1&client_secret=b"}, "a=1&client_secret=b"),
        ({"textJSON": {"query": "x"}}, {"query": "x"}),
        ({"params": []}, None),
        (None, None),
    ],
)
def test_requests_may_have_no_body(post: object, read: object):
    entry = har_entry()
    entry["request"]["postData"] = post
    (exchange,) = exchanges(entry)
    assert exchange.request
    assert exchange.request.body == read


def test_a_browsers_export_is_read():
    entry = har_entry()
    for name in ("_id", "_order"):
        del entry[name]
    (exchange,) = exchanges({**entry, "_resourceType": "fetch", "time": 12.5})
    assert exchange.key is None
    assert exchange.response


def test_headers_are_masked():
    entry = har_entry()
    entry["request"]["headers"] = [{"name": "Authorization", "value": "Bearer opaque"}, {"name": "X", "value": "1"}]
    (exchange,) = exchanges(entry)
    assert exchange.request
    assert exchange.request.headers == {"authorization": "[masked:authorization]", "x": "1"}


def test_entries_keep_their_order():
    late = {**har_entry(), "startedDateTime": "2026-11-30T10:00:00Z"}
    read = exchanges(late, har_entry())
    assert [each.index for each in read] == [0, 1]
    assert read[0].recorded_at > read[1].recorded_at
