"""AWS event streams, in the forms that recorders keep, whole and damaged."""

import base64
import json
import struct
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewlib.providers._eventstream import frames, read_frames, unwrapped
from tests.providers.bodies import ANTHROPIC_ANSWER, ANTHROPIC_EVENTS, answered, brief, must_read
from tests.providers.dialects import CONVERSE_ANSWER, CONVERSE_EVENTS, TEXT_ANSWERS, TEXT_EVENTS
from tests.providers.frames import converse_stream, event, frame, invoke_stream

STREAM = converse_stream(CONVERSE_EVENTS)
TWO = event("a", {"x": 1}) + event("b", {"y": 2})
READ = ({"a": {"x": 1}}, {"b": {"y": 2}})


@pytest.mark.parametrize(
    "recorded",
    [
        {"answer": STREAM},
        {"answer": STREAM.hex()},
        {"answer": STREAM.hex().upper() + "\n"},
        {"answer": base64.b64encode(STREAM).decode()},
        {"chunks": [STREAM[:50], STREAM[50:]]},
        {"chunks": [STREAM[:50].hex(), STREAM[50:].hex()]},
        {"chunks": CONVERSE_EVENTS},
    ],
    ids=["bytes", "hex", "upper hex", "base64", "pieces", "hex pieces", "boto3"],
)
def test_a_stream_reads_as_the_whole_answer_however_it_was_recorded(recorded):
    assert answered(**recorded) == answered(CONVERSE_ANSWER)


@pytest.mark.parametrize(
    "recorded",
    [
        {"answer": invoke_stream(ANTHROPIC_EVENTS)},
        {"chunks": [{"chunk": {"bytes": json.dumps(each)}} for each in ANTHROPIC_EVENTS]},
        {"chunks": [{"chunk": {"bytes": json.dumps(each).encode()}} for each in ANTHROPIC_EVENTS]},
    ],
    ids=["frames", "boto3 text", "boto3 bytes"],
)
def test_the_documents_in_the_chunks_of_invoke_model_are_read_as_what_they_are(recorded):
    assert answered(**recorded) == answered(ANTHROPIC_ANSWER)


def test_a_text_model_streams_through_invoke_model():
    assert answered(invoke_stream(TEXT_EVENTS["bedrock_text"])).parts == answered(TEXT_ANSWERS["bedrock_text"]).parts


def test_a_stream_that_was_cut_ends_with_its_last_whole_frame():
    for end in range(len(TWO)):
        whole = int(end >= len(event("a", {"x": 1})))
        assert read_frames(TWO[:end]) == READ[:whole]
    assert read_frames(TWO) == READ


@pytest.mark.parametrize("position", range(16, len(TWO) // 2))
def test_a_byte_that_was_changed_is_damage_and_what_came_before_is_kept(position):
    at = len(TWO) // 2 + position
    damaged = TWO[:at] + bytes([TWO[at] ^ 1]) + TWO[at + 1 :]
    first, second = read_frames(damaged)
    assert first == READ[0]
    assert f"the checksum of the frame at byte {len(TWO) // 2} is wrong" in second["error"]["message"]


def test_damage_makes_the_answer_a_failure_that_says_so():
    response = answered(STREAM[:-3] + b"\0\0\0")
    assert (response.stop_reason, response.complete) == ("error", False)
    assert response.error is not None
    assert response.error.startswith("The event stream is damaged: the checksum of the frame at byte ")
    assert brief(response.parts)[0] == "One moment."


@pytest.mark.parametrize(
    ("headers", "payload", "expected"),
    [
        (
            {"exception_type": "throttlingException", "message_type": "exception"},
            b'{"message": "Slow down"}',
            "throttlingException: Slow down",
        ),
        ({"error_code": "Internal", "error_message": "Oh", "message_type": "error"}, b"", "Internal: Oh"),
        ({"exception_type": "modelStreamErrorException"}, b"no json", "modelStreamErrorException"),
        ({}, b"", "error"),
    ],
)
def test_an_exception_in_the_stream_is_the_failure_of_the_call(headers, payload, expected):
    response = answered(converse_stream(CONVERSE_EVENTS[:4]) + frame(payload, **headers))
    assert (response.error, response.stop_reason, response.complete) == (expected, "error", False)
    assert brief(response.parts) == ["One moment."]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\0" * 40,
        TWO[1:],
        "",
        "00" * 30,
        "zz",
        "AAAA",
        "AAAAAAAAAAAAAAAAAAAAAAAAA",
        TWO.hex()[:-1] + "q",
        '{"a": 1}',
        "data: x\n\n",
    ],
)
def test_other_bodies_are_no_event_stream(body):
    assert frames(body) is None


@pytest.mark.parametrize(
    ("event_", "expected"),
    [
        ({"chunk": {"bytes": "eyJhIjogMX0="}}, {"a": 1}),
        ({"chunk": {"bytes": '{"a": 1}'}}, {"a": 1}),
        ({"chunk": {"bytes": b'{"a": 1}'}}, {"a": 1}),
        ({"chunk": {"bytes": "???"}}, {"chunk": {"bytes": "???"}}),
        ({"chunk": {"bytes": "WzFd"}}, {"chunk": {"bytes": "WzFd"}}),
        ({"chunk": {"bytes": 5}}, {"chunk": {"bytes": 5}}),
        ({"chunk": {"outputs": []}}, {"chunk": {"outputs": []}}),
        ({"chunk": {"bytes": "eyJhIjogMX0="}, "b": 1}, {"chunk": {"bytes": "eyJhIjogMX0="}, "b": 1}),
    ],
)
def test_only_a_chunk_with_a_document_is_unwrapped(event_, expected):
    assert unwrapped(event_) == expected


def test_headers_of_every_type_are_passed_over():
    sizes = {0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16}
    odd = b"".join(b"\x01x" + bytes([kind]) + b"\0" * size for kind, size in sizes.items()) + b"\x01y\x06\0\x02ab"
    named = b"\x0b:event-type\x07\0\x01n"
    prelude = struct.pack(">II", 16 + len(odd + named) + 2, len(odd + named))
    assert read_frames(_sealed(prelude, odd + named + b"{}")) == ({"n": {}},)
    prelude = struct.pack(">II", 16 + 4 + 2, 4)
    assert read_frames(_sealed(prelude, b"\x01x\x63\0" + b"{}")) == ({"error": {"type": "error", "message": "error"}},)


def _sealed(prelude: bytes, rest: bytes) -> bytes:
    head = prelude + struct.pack(">I", crc32(prelude)) + rest
    return head + struct.pack(">I", crc32(head))


@given(st.binary(max_size=80), st.integers(0, len(STREAM) - 1))
def test_any_bytes_at_all_are_survived(noise, position):
    for body in (noise, STREAM[:position] + noise, STREAM[:position] + noise + STREAM[position:]):
        must_read({"messages": [{"role": "user", "content": []}]}, body, url="/model/m/converse-stream", status=200)
