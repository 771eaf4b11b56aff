"""Cohere's chat: v2 in detail, and v1 as far as its histories go."""

import json

import pytest

from reviewlib.model.call import ResultPart
from reviewlib.providers import read_call
from tests.providers.bodies import QUESTION, SYSTEM, answered, brief, exchange, must_read, sent, sse
from tests.providers.dialects import COHERE_ANSWER, COHERE_CALL, COHERE_EVENTS, COHERE_REQUEST, URLS, cohere_event

OLD_REQUEST = {
    "model": "command-r",
    "preamble": SYSTEM,
    "message": QUESTION,
    "chat_history": [],
    "tools": [{"name": "f", "description": "d", "parameter_definitions": {"a": {"type": "str"}}}],
}
OLD_ANSWER = {
    "generation_id": "g1",
    "text": "Hi.",
    "finish_reason": "COMPLETE",
    "tool_calls": None,
    "meta": {"tokens": {"input_tokens": 7, "output_tokens": 2}, "billed_units": {"input_tokens": 1}},
}


def _request(*messages):
    return sent(COHERE_REQUEST | {"messages": list(messages)}, url=URLS["cohere"])


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, ["a", "b"]),
        ({"content": "a"}, ["a"]),
        ({"content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "a"}]}, [{"hm"}, "a"]),
        ({"tool_plan": "p", "tool_calls": [COHERE_CALL]}, ["p", ("get_order", {"order_id": "7"})]),
        ({"content": [{"type": "novelty", "a": 1}]}, ['{"a": 1, "type": "novelty"}']),
        ({}, []),
    ],
)
def test_messages(message, expected):
    assert brief(answered(COHERE_ANSWER | {"message": {"role": "assistant"} | message}).parts) == expected


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("COMPLETE", "end_turn"),
        ("STOP_SEQUENCE", "stop_sequence"),
        ("MAX_TOKENS", "max_tokens"),
        ("TOOL_CALL", "tool_use"),
        ("ERROR", "error"),
        ("ERROR_TOXIC", "content_filter"),
        ("TIMEOUT", "error"),
        ("NOVELTY", "other"),
    ],
)
def test_how_an_answer_ends(raw, expected):
    response = answered(COHERE_ANSWER | {"finish_reason": raw, "message": {"content": "x"}})
    assert (response.stop_reason, response.stop_reason_raw) == (expected, raw)


def test_billed_units_stand_in_for_tokens():
    usage = answered(COHERE_ANSWER | {"usage": {"billed_units": {"input_tokens": 3, "output_tokens": 1}}}).usage
    assert usage is not None
    assert (usage.input_tokens, usage.output_tokens, usage.cache_read_tokens) == (3, 1, None)
    assert answered(COHERE_ANSWER | {"usage": None}).usage is None


def test_contents_and_calls_of_a_stream_are_numbered_apart():
    events = [
        cohere_event("content-start", 0, content={"type": "thinking", "thinking": "h"}),
        cohere_event("content-delta", 0, content={"thinking": "m"}),
        cohere_event("content-start", 1, content={"type": "text", "text": ""}),
        cohere_event("content-delta", 1, content={"text": "Hi."}),
        *COHERE_EVENTS[3:],
    ]
    assert brief(answered(sse(events)).parts) == [{"hm"}, "Hi.", ("get_order", {"order_id": "7"})]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('{"roll": 1}', {"roll": 1}),
        ("sunny", "sunny"),
        ([{"type": "document", "document": {"data": {"content": '{"roll": 1}'}}}], {"roll": 1}),
        ([{"type": "text", "text": "sunny"}], {"type": "text", "text": "sunny"}),
    ],
)
def test_results(content, expected):
    *_, message = _request({"role": "tool", "tool_call_id": "c", "content": content}).messages
    assert message.parts == (ResultPart(call_id="c", result=expected),)


def test_the_history_holds_what_was_answered():
    assistant = {"role": "assistant", "tool_plan": "One moment.", "tool_calls": [COHERE_CALL]}
    user, said = _request(
        {"role": "system", "content": SYSTEM}, {"role": "user", "content": QUESTION}, assistant
    ).messages
    assert brief(user.parts) == [QUESTION]
    assert said.parts == answered(COHERE_ANSWER).parts


# -- v1 ---------------------------------------------------------------------------------------------------------------------


def test_an_old_request():
    history = [
        {"role": "USER", "message": "Before."},
        {"role": "CHATBOT", "message": "Looking.", "tool_calls": [{"name": "f", "parameters": {"a": 1}}]},
        {"role": "TOOL", "tool_results": [{"call": {"name": "f", "parameters": {"a": 1}}, "outputs": [{"b": 2}]}]},
        {"role": "CHATBOT", "message": "It is 2."},
    ]
    call = must_read(OLD_REQUEST | {"chat_history": history})
    assert call.provider == "cohere"
    request = call.request
    assert request is not None
    assert (request.system, request.model) == (SYSTEM, "command-r")
    assert [(message.role, brief(message.parts)) for message in request.messages] == [
        ("user", ["Before."]),
        ("assistant", ["Looking.", ("f", {"a": 1})]),
        ("tool", [("->", {"b": 2})]),
        ("assistant", ["It is 2."]),
        ("user", [QUESTION]),
    ]
    assert [(tool.name, tool.schema_) for tool in request.tools] == [("f", {"a": {"type": "str"}})]


def test_results_beside_an_old_request_come_last():
    results = [{"call": {"name": "f"}, "outputs": [{"b": 2}, {"b": 3}]}]
    request = sent(
        OLD_REQUEST | {"message": "", "tool_results": results, "chat_history": [{"role": "USER", "message": "Q"}]}
    )
    assert request.messages[-1].parts == (ResultPart(call_id=None, tool="f", result=[{"b": 2}, {"b": 3}]),)


@pytest.mark.parametrize(
    ("answer", "parts", "stop"),
    [
        (OLD_ANSWER, ["Hi."], "end_turn"),
        (
            OLD_ANSWER | {"text": "", "tool_calls": [{"name": "f", "parameters": {"a": 1}}]},
            [("f", {"a": 1})],
            "tool_use",
        ),
        (OLD_ANSWER | {"finish_reason": "MAX_TOKENS"}, ["Hi."], "max_tokens"),
    ],
)
def test_an_old_answer(answer, parts, stop):
    response = answered(answer)
    assert (brief(response.parts), response.stop_reason, response.response_id) == (parts, stop, "g1")
    assert response.usage is not None
    assert (response.usage.input_tokens, response.usage.output_tokens) == (7, 2)


def test_an_old_stream_ends_with_the_whole_answer():
    events = [
        {"event_type": "stream-start", "generation_id": "g1", "is_finished": False},
        {"event_type": "text-generation", "text": "H", "is_finished": False},
        {"event_type": "text-generation", "text": "i.", "is_finished": False},
        {"event_type": "stream-end", "is_finished": True, "finish_reason": "COMPLETE", "response": OLD_ANSWER},
    ]
    lines = "\n".join(map(json.dumps, events))
    assert answered(lines) == answered(sse(events)) == answered(OLD_ANSWER)
    cut = answered("\n".join(map(json.dumps, events[:3])))
    assert (brief(cut.parts), cut.complete) == (["Hi."], False)


@pytest.mark.parametrize(
    ("path", "request_", "answer"),
    [
        ("v2/embed", {"model": "embed-v4", "texts": ["x"]}, {"embeddings": {"float": [[0.1]]}}),
        ("v2/rerank", {"model": "rerank-v3", "query": "x", "documents": []}, {"results": []}),
        ("v1/tokenize", {"model": "command", "text": "x"}, {"tokens": [1]}),
    ],
)
def test_other_methods_are_other_traffic(path, request_, answer):
    assert read_call(exchange(request_, answer, url=f"https://api.cohere.com/{path}", status=200)) is None
