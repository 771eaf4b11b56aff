"""HTTP exchanges are built in one place: names in lower case, secrets masked, bodies decoded."""

import gzip

import pytest

from reviewlib.formats import http


@pytest.mark.parametrize(
    ("fields", "read"),
    [
        ({"Content-Type": "a"}, {"content-type": "a"}),
        ({"Accept": ["a", "b"]}, {"accept": "a, b"}),
        ({"A": "1", "a": "2"}, {"a": "1, 2"}),
        ([["A", "1"], ["a", "2"], ["broken"]], {"a": "1, 2"}),
        ([{"name": "A", "value": "1"}, {"name": "B"}], {"a": "1", "b": ""}),
        ({"n": 5, "b": b"x\xe9", "e": None, "l": []}, {"n": "5", "b": "xé", "e": "", "l": ""}),
        (None, {}),
        ("text", {}),
        ([1, None], {}),
        ({"Authorization": ["Bearer abc"]}, {"authorization": "[masked:authorization]"}),
        ({"X": ("sk-ant-" + "a1" * 20).encode()}, {"x": "[masked:api-key]"}),
    ],
)
def test_headers_are_joined_lower_cased_and_masked(fields, read):
    assert http.headers(fields) == read


@pytest.mark.parametrize(
    ("content", "read"),
    [
        (None, None),
        ("", None),
        (b"", None),
        (gzip.compress(b"", mtime=0), None),
        ({"a": [1]}, {"a": [1]}),
        ([], []),
        ([{"a": 1}], [{"a": 1}]),
        ('{"a": 1}', {"a": 1}),
        (b'{"a": 1}', {"a": 1}),
        ([b'{"a"', b": 1}"], {"a": 1}),
        (["one ", b"two"], "one two"),
        (b"\x00\xff", b"\x00\xff"),
        (12, 12),
        (b'{"api_key": "opaque"}', {"api_key": "[masked:api-key]"}),
        (['{"api_key": ', '"opaque"}'], {"api_key": "[masked:api-key]"}),
        (gzip.compress(b'{"api_key": "opaque"}', mtime=0), {"api_key": "[masked:api-key]"}),
    ],
)
def test_bodies_are_read_in_whatever_shape_they_are_stored(content, read):
    assert http.body(content) == read


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (200, 200),
        ("200", 200),
        ("200 OK", 200),
        ("429 Too Many Requests", 429),
        ("OK", None),
        ("", None),
        (None, None),
        (True, None),
        ({}, None),
        ("²00", None),
    ],
)
def test_a_status_is_a_number_or_unknown(value, code):
    assert http.status_code(value) == code


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (5, 5.0),
        (5.5, 5.5),
        ("1970-01-01T00:01:00+00:00", 60.0),
        ("1970-01-01T00:01:00Z", 60.0),
        ("Thu, 01 Jan 1970 00:01:00 GMT", 60.0),
        ("Thu, 99 Jan 1970 00:01:00 GMT", None),
        ("Thu, or so", None),
        ("yesterday", None),
        (True, None),
        (None, None),
        (10**400, None),
        ([], None),
    ],
)
def test_a_time_is_in_seconds_since_the_epoch_or_unknown(value, seconds):
    assert http.epoch(value) == seconds


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("AAH/", b"\x00\x01\xff"),
        ("AA\nH/ ", b"\x00\x01\xff"),
        ("", b""),
        ("no base64!", "no base64!"),
        ("AAH", "AAH"),
        ("é", "é"),
        (None, None),
        ([1], [1]),
    ],
)
def test_base64_is_read_and_what_is_none_stays(text, read):
    assert http.from_base64(text) == read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("0001ff", b"\x00\x01\xff"),
        ("0001FF", b"\x00\x01\xff"),
        ("", b""),
        ("abc", "abc"),
        ("zz", "zz"),
        ("٠٠", "٠٠"),
        ("00\n", "00\n"),
        (None, None),
        ({"a": 1}, {"a": 1}),
    ],
)
def test_hexadecimal_is_read_and_what_is_none_stays(text, read):
    assert http.from_hex(text) == read


def test_a_request_is_built_from_what_there_is():
    built = http.request("post", "https://h/?key=abc", {"A": "b"}, "{}")
    assert (built.method, built.uri, built.headers, built.body) == (
        "POST",
        "https://h/?key=[masked:query]",
        {"a": "b"},
        {},
    )
    assert http.request(None, None, None, None).model_dump() == {
        "method": None,
        "uri": None,
        "headers": {},
        "body": None,
    }


def test_the_credentials_of_a_form_are_masked():
    form = {"Content-Type": "application/x-www-form-urlencoded; charset=utf-8"}
    assert http.request("POST", "https://h", form, "assertion=abc&x=1").body == "assertion=[masked:form]&x=1"


def test_a_response_is_built_from_what_there_is():
    built = http.response("429 Too Many Requests", {"Retry-After": ["2"]}, "slow down")
    assert (built.status, built.headers, built.body, built.chunks) == (429, {"retry-after": "2"}, "slow down", None)
