"""Failures in place of answers, as recorders store them: statuses, error bodies, and streams that end in an error."""

import json

import pytest

from tests.checks.judging import loaded, since, told

SENT = {"model": "claude-sonnet-5", "max_tokens": 64, "messages": [{"role": "user", "content": "Hello"}]}
OPENAI = {"model": "gpt-5", "messages": [{"role": "user", "content": "Hello"}]}
GOOD = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "claude-sonnet-5",
    "content": [{"type": "text", "text": "Hi."}],
    "stop_reason": "end_turn",
}
ERROR = {"type": "error", "error": {"type": "some_error", "message": "no"}}
ANTHROPIC, CHAT = "https://api.anthropic.com/v1/messages", "https://api.openai.com/v1/chat/completions"


def vcr(*answers, uri=ANTHROPIC, sent=SENT):
    """A cassette of vcrpy: each answer with its status."""
    interactions = [
        {
            "request": {"method": "POST", "uri": uri, "headers": {}, "body": json.dumps(sent)},
            "response": {
                "status": {"code": status, "message": ""},
                "headers": {},
                "body": {"string": body if isinstance(body, str) else json.dumps(body)},
            },
        }
        for status, body in answers
    ]
    return loaded({"version": 1, "interactions": interactions})


def said(recording):
    return [message for _, message in told("recorded-failure", None, recording)]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 408, 413, 422, 429, 500, 502, 503, 504, 529])
@pytest.mark.parametrize("body", [ERROR, "", "<html>Bad gateway</html>"], ids=["JSON", "empty", "a page"])
def test_a_failing_status_is_a_recorded_failure(status, body):
    assert said(vcr((status, body))) == [f"HTTP {status} was recorded in place of an answer"]


@pytest.mark.parametrize("status", [401, 404, 429, 503, 529])
def test_a_failing_status_that_a_success_of_the_same_request_followed_is_a_retry(status):
    retried = vcr((status, ERROR), (200, GOOD))
    assert said(retried) == []
    assert told("retried", None, retried) == [("new", f"answered after 1 failed try ({status})")]


def test_an_answer_is_no_failure():
    assert said(vcr((200, GOOD))) == []


@pytest.mark.parametrize(
    ("uri", "sent", "body"),
    [
        (ANTHROPIC, SENT, ERROR),
        (CHAT, OPENAI, {"error": {"message": "quota", "type": "insufficient_quota"}}),
        (CHAT, OPENAI, {"error": "model not found"}),
    ],
    ids=["Anthropic", "OpenAI", "a gateway"],
)
def test_an_error_body_under_status_200_is_a_recorded_failure(uri, sent, body):
    assert said(vcr((200, body), uri=uri, sent=sent)) == [
        "an error under status 200 was recorded in place of an answer"
    ]


def events(*each):
    return "".join(f"event: {item['type']}\ndata: {json.dumps(item)}\n\n" for item in each)


START = {
    "type": "message_start",
    "message": GOOD | {"content": [], "stop_reason": None, "usage": {"input_tokens": 1, "output_tokens": 1}},
}
BLOCK = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
DELTA = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hi."}}
END = [
    {"type": "content_block_stop", "index": 0},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 3}},
    {"type": "message_stop"},
]
OVERLOADED = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}


def test_a_stream_that_ends_in_an_error_event_is_a_recorded_failure():
    assert said(vcr((200, events(START, BLOCK, DELTA, *END)))) == []
    for broken in (events(START, BLOCK, DELTA, OVERLOADED), events(OVERLOADED)):
        assert said(vcr((200, broken))) == ["an error under status 200 was recorded in place of an answer"]


CHUNK = {
    "id": "chatcmpl-1",
    "object": "chat.completion.chunk",
    "model": "gpt-5",
    "choices": [{"index": 0, "delta": {"content": "Hi"}}],
}


def test_a_stream_of_openais_that_ends_in_an_error_is_a_recorded_failure():
    last = CHUNK | {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
    good = "".join(f"data: {json.dumps(item)}\n\n" for item in (CHUNK, last)) + "data: [DONE]\n\n"
    assert said(vcr((200, good), uri=CHAT, sent=OPENAI)) == []
    bad = f"data: {json.dumps(CHUNK)}\n\ndata: {json.dumps({'error': {'message': 'server_error'}})}\n\n"
    assert said(vcr((200, bad), uri=CHAT, sent=OPENAI)) == [
        "an error under status 200 was recorded in place of an answer"
    ]


def test_a_recorder_at_the_sdk_has_no_status_to_tell():
    value = [{"key": "0" * 64, "recorded_at": 1, "request": SENT, "response": ERROR}]
    one = loaded("\n".join(map(json.dumps, value)).encode(), "tests/cassettes/test.jsonl")
    assert said(one) == ["an error was recorded in place of an answer"]


def test_a_success_that_became_a_failure_is_new_and_one_that_stayed_is_known():
    good, bad, other = vcr((200, GOOD)), vcr((404, ERROR)), vcr((401, ERROR))
    assert [since("recorded-failure", *pair) for pair in ((good, bad), (bad, bad), (bad, good))] == [
        ["new"],
        ["known"],
        ["gone"],
    ]
    assert sorted(since("recorded-failure", bad, other)) == ["gone", "new"]


def test_telemetry_that_failed_is_no_failure_of_the_model():
    assert said(vcr((401, {"error": "no"}), uri="https://telemetry.example.com/v1/traces", sent={"spans": []})) == []
