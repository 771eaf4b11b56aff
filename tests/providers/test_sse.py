"""Server-sent events, in the ways that servers write them and recorders keep them."""

import pytest

from reviewlib.providers._sse import Stream, is_event_stream, read_text
from reviewlib.providers._stream import read_chunks

A, B = {"a": 1}, {"b": 2}


@pytest.mark.parametrize(
    ("text", "events", "ended"),
    [
        ('data: {"a": 1}\n\ndata: {"b": 2}\n\n', [A, B], False),
        ('data:{"a": 1}\r\n\r\ndata:{"b": 2}\r\n\r\n', [A, B], False),
        ('data: {"a": 1}\r\rdata: {"b": 2}\r\r', [A, B], False),
        ('\ufeffdata: {"a": 1}\n\n', [A], False),
        (': hello\n\ndata: {"a": 1}\n: bye\n\n', [A], False),
        ('event: x\nid: 7\nretry: 10\ndata: {"a": 1}\n\n', [A], False),
        ('data: {"a":\ndata: 1}\n\n', [A], False),
        ('data: {"a": 1}\ndata: {"b": 2}\n\n', [A, B], False),
        ('data: {"a": 1}\n\ndata: [DONE]\n\n', [A], True),
        ('data: {"a": 1}\n\ndata: [DONE]', [A], True),
        ('data: keep-alive\n\ndata: {"a": 1}\n\ndata:\n\n', [A], False),
        ('data: {"a": 1}\n\ndata: {"b": ', [A], False),
        ('data: {"a": 1}', [A], False),
        ('data: {"a": "x\u2028y"}\n\n', [{"a": "x\u2028y"}], False),
        ("data: 5\n\ndata: [1]\n\n", [], False),
        ("no stream at all", [], False),
        ("", [], False),
    ],
)
def test_texts(text, events, ended):
    assert read_text(text) == Stream(tuple(events), ended)


@pytest.mark.parametrize(
    ("chunks", "events", "ended"),
    [
        ([A, B], [A, B], False),
        ([{"data": A, "event": None}, {"data": B}], [A, B], False),
        ([{"data": A}, {"data": "[DONE]"}], [A], True),
        ([{"data": '{"a": 1}'}], [A], False),
        ([{"type": "t", "data": A}], [{"type": "t", "data": A}], False),
        (["data: {", '"a": 1}\n', "\ndata: [DONE]\n\n"], [A], True),
        ([b'data: {"a": 1}\n\n'], [A], False),
        (['{"a": 1}', '{"b": 2}', "[DONE]"], [A, B], True),
        (['{"a": 1}\n', '{"b": 2}\n'], [A, B], False),
        (['{"a": 1}\n{"b', '": 2}\n'], [A, B], False),
        (['[{"a": 1}', ', {"b": 2}]'], [A, B], False),
        (['event: x\ndata: {"a": 1}', 'event: y\ndata: {"b": 2}', "data: [DONE]"], [A, B], True),
        (['data: {"a": 1}\n\n', 'data: {"b": 2}'], [A, B], False),
        ([{"chunk": {"bytes": '{"a": 1}'}}, B], [A, B], False),
        ([None, 5, A, ["x"]], [A], False),
        ([], [], False),
    ],
)
def test_lists(chunks, events, ended):
    assert read_chunks(chunks) == Stream(tuple(events), ended)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("data: x", True),
        ("\n\nevent: x", True),
        (": only a comment", False),
        ('{"data": "data: x"}', False),
        ("<p>data</p>", False),
    ],
)
def test_what_looks_like_an_event_stream(text, expected):
    assert is_event_stream(text) is expected
