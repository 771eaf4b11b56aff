"""Ollama's own API, in JSON and in lines."""

import json

import pytest

from reviewlib.model.call import ResultPart
from reviewlib.providers import read_call
from tests.providers.bodies import CHAT_ANSWER, answered, brief, exchange, must_read, sent
from tests.providers.dialects import (
    OLLAMA_ANSWER,
    OLLAMA_CALL,
    OLLAMA_END,
    OLLAMA_EVENTS,
    OLLAMA_REQUEST,
    URLS,
    ollama_line,
)

LINES = [json.dumps(event) + "\n" for event in OLLAMA_EVENTS]
GENERATED = {"model": "llama-test", "response": "Hi.", "context": [1, 2]} | OLLAMA_END


def _request(*messages, **more):
    return sent(OLLAMA_REQUEST | {"messages": list(messages)} | more)


@pytest.mark.parametrize(
    "recorded",
    [
        {"answer": "".join(LINES)},
        {"answer": "".join(LINES).encode()},
        {"answer": "".join(LINES).rstrip("\n")},
        {"answer": "\r\n".join(line.strip() for line in LINES)},
        {"chunks": LINES},
        {"chunks": ["".join(LINES)[:33], "".join(LINES)[33:]]},
        {"chunks": [line.encode() for line in LINES]},
    ],
    ids=["text", "bytes", "unterminated", "crlf", "lines", "pieces", "byte lines"],
)
def test_lines_read_as_the_whole_answer_however_they_were_recorded(recorded):
    assert answered(**recorded) == answered(OLLAMA_ANSWER)


def test_a_line_that_was_cut_is_left_out():
    response = answered("".join(LINES[:2]) + LINES[2][:20])
    assert (brief(response.parts), response.complete) == (["One mo"], False)


@pytest.mark.parametrize("text", ['{"a": 1}\nno json\n{"b": 2}', '{"a": 1}\n[2]\n', "no json\n{}"])
def test_text_with_another_line_is_no_stream(text):
    call = must_read(OLLAMA_REQUEST, text, url=URLS["ollama"], status=200)
    assert call.response is not None
    assert call.response.error is not None
    assert call.response.error.startswith("The recorded answer cannot be read as Ollama: ")


@pytest.mark.parametrize(
    ("message", "end", "parts", "stop"),
    [
        ({"content": "Hi."}, OLLAMA_END, ["Hi."], "end_turn"),
        ({"content": "Hi."}, OLLAMA_END | {"done_reason": "length"}, ["Hi."], "max_tokens"),
        ({"content": "Hi."}, OLLAMA_END | {"done_reason": "load"}, ["Hi."], "other"),
        ({"content": "Hi."}, OLLAMA_END | {"done_reason": None}, ["Hi."], "end_turn"),
        ({"content": "Hi."}, {"done": False}, ["Hi."], None),
        (
            {"content": "", "thinking": "hm", "tool_calls": [OLLAMA_CALL]},
            OLLAMA_END,
            [{"hm"}, ("get_order", {"order_id": "7"})],
            "tool_use",
        ),
    ],
)
def test_answers(message, end, parts, stop):
    response = answered(ollama_line(**message) | end)
    assert (brief(response.parts), response.stop_reason, response.complete) == (parts, stop, end["done"])


def test_generate_is_a_prompt_and_a_response():
    call = must_read(
        {
            "model": "m",
            "system": "S",
            "prompt": "Q",
            "images": ["iVBORw0KGgo="],
            "context": [1],
            "options": {"seed": 1},
            "keep_alive": 5,
        },
        GENERATED,
        url="http://localhost:11434/api/generate",
        status=200,
    )
    assert call.request is not None
    assert (call.request.system, call.request.parameters) == ("S", {"options": {"seed": 1}})
    assert brief(call.request.messages[0].parts) == ["Q", ("image", 8, "4c4b6a3be1314ab8", None)]
    assert call.response is not None
    assert (brief(call.response.parts), call.response.stop_reason) == (["Hi."], "end_turn")


def test_generate_in_lines():
    lines = [{"model": "m", "response": piece, "done": False} for piece in ("H", "i.")]
    lines.append({"model": "m", "response": "", "context": [1]} | OLLAMA_END)
    response = answered("\n".join(map(json.dumps, lines)))
    assert (brief(response.parts), response.stop_reason, response.complete) == (["Hi."], "end_turn", True)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"tool_name": "f", "content": '{"a": 1}'}, ResultPart(call_id=None, tool="f", result={"a": 1})),
        ({"name": "f", "content": "x"}, ResultPart(call_id=None, tool="f", result="x")),
        ({"content": "x", "tool_call_id": "c"}, ResultPart(call_id="c", result="x")),
    ],
)
def test_results_belong_to_their_tool(message, expected):
    assert _request({"role": "tool"} | message).messages[0].parts == (expected,)


def test_histories():
    request = _request(
        {"role": "system", "content": "S"},
        {"role": "user", "content": "Q", "images": ["iVBORw0KGgo="]},
        {"role": "assistant", "content": "", "tool_calls": [OLLAMA_CALL]},
    )
    assert request.system == "S"
    assert [brief(message.parts) for message in request.messages] == [
        ["Q", ("image", 8, "4c4b6a3be1314ab8", None)],
        [("get_order", {"order_id": "7"})],
    ]


def test_streaming_is_the_default():
    assert sent({key: value for key, value in OLLAMA_REQUEST.items() if key != "stream"}).stream is True


def test_an_error_is_a_failure():
    call = must_read(OLLAMA_REQUEST, {"error": 'model "m" not found'}, url=URLS["ollama"], status=404)
    assert call.response is not None
    assert call.response.error == 'model "m" not found'


def test_its_compatible_api_is_openais():
    assert (
        must_read(OLLAMA_REQUEST, CHAT_ANSWER, url="http://localhost:11434/v1/chat/completions").provider
        == "openai_chat"
    )


@pytest.mark.parametrize(
    ("path", "request_", "answer"),
    [
        ("api/show", {"name": "m"}, {"modelfile": "x"}),
        ("api/embed", {"model": "m", "input": "x"}, {"embeddings": [[0.1]]}),
        ("api/embeddings", {"model": "m", "prompt": "x"}, {"embedding": [0.1]}),
        ("api/pull", {"model": "m"}, '{"status": "pulling"}\n{"status": "success"}\n'),
        ("api/chat", {"id": "x", "messages": [{"role": "user", "parts": []}]}, "data: [DONE]\n\n"),
    ],
)
def test_other_methods_and_other_peoples_apis_are_other_traffic(path, request_, answer):
    assert read_call(exchange(request_, answer, url=f"http://localhost:11434/{path}", status=200)) is None
