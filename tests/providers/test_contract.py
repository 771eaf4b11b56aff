"""What every provider keeps: it claims its own, refuses the others', says the same of a stream as of a whole answer, and never raises."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewlib.model.call import CallPart, ModelCall
from reviewlib.model.cassette import Exchange, Request, Response
from reviewlib.providers import PROVIDERS, read_call
from reviewlib.providers._wire import read_wire
from reviewlib.providers.provider import Evidence
from tests.providers.bodies import ARGUMENTS, QUESTION, SCHEMA, SYSTEM, answered, brief, exchange, must_read, sse
from tests.providers.dialects import (
    ANSWERS,
    EVENTS,
    FRAGMENTED,
    REQUESTS,
    TEXT_ANSWERS,
    TEXT_EVENTS,
    TEXT_REQUESTS,
    URLS,
)

ALL_ANSWERS = ANSWERS | TEXT_ANSWERS
ALL_EVENTS = EVENTS | TEXT_EVENTS
ALL_REQUESTS = REQUESTS | TEXT_REQUESTS
TELLING = {name: request for name, request in ALL_REQUESTS.items() if name != "cohere"}
"""The requests that tell their dialect by themselves; Cohere's of v2 has nothing that OpenAI's has not."""

COUNT_CACHE_WRITES = {"anthropic", "openai_chat", "openai_responses", "pydantic_ai", "bedrock_converse"}

OWN = (
    [(name, exchange(None, answer)) for name, answer in ALL_ANSWERS.items()]
    + [(name, exchange(None, sse(events))) for name, events in ALL_EVENTS.items()]
    + [(name, exchange(None, chunks=events)) for name, events in ALL_EVENTS.items()]
    + [(name, exchange(None, chunks=events[3:4])) for name, events in ALL_EVENTS.items()]
    + [(name, exchange(request)) for name, request in TELLING.items()]
    + [(name, exchange(request, url="https://gateway.test/llm")) for name, request in TELLING.items()]
    + [(name, exchange(request, url=URLS[name])) for name, request in ALL_REQUESTS.items()]
    + [(name, exchange(None, url=url, status=500)) for name, url in URLS.items()]
)


def test_the_names_are_distinct_and_every_provider_has_bodies_here():
    names = [provider.name for provider in PROVIDERS]
    assert len(set(names)) == len(names)
    assert set(names) == set(ALL_ANSWERS)


def test_every_provider_says_in_plain_sentences_what_is_read():
    for provider in PROVIDERS:
        assert 60 < len(provider.summary) < 400, provider.name
        assert provider.summary.endswith(".")
        assert not set("`*|<\n") & set(provider.summary)


@pytest.mark.parametrize(("name", "given_exchange"), OWN)
def test_a_provider_claims_its_own_and_no_other_claims_it_as_strongly(name, given_exchange):
    wire = read_wire(given_exchange)
    claims = [[provider.name for provider in PROVIDERS if provider.has(evidence, wire)] for evidence in Evidence]
    assert next(filter(None, claims)) == [name]


@pytest.mark.parametrize("name", ANSWERS)
def test_the_same_story_reads_the_same_in_every_dialect(name):
    response = answered(ANSWERS[name])
    assert brief(response.parts) == ["One moment.", ("get_order", ARGUMENTS)]
    assert response.stop_reason == "tool_use"
    assert response.usage is not None
    assert (response.usage.input_tokens, response.usage.output_tokens) == (3210, 5)
    assert response.usage.cache_read_tokens == (None if name == "ollama" else 200)
    assert response.usage.cache_write_tokens == (3000 if name in COUNT_CACHE_WRITES else None)
    assert response.complete
    assert response.error is None


@pytest.mark.parametrize("name", TEXT_ANSWERS)
def test_a_continued_text_reads_the_same_in_every_dialect(name):
    for recorded in ({"answer": TEXT_ANSWERS[name]}, {"answer": sse(TEXT_EVENTS[name])}, {"chunks": TEXT_EVENTS[name]}):
        response = answered(**recorded)
        assert brief(response.parts) == ["One moment."]
        assert (response.stop_reason, response.complete, response.error) == ("end_turn", True, None)
        assert response.usage is not None
        assert (response.usage.input_tokens, response.usage.output_tokens) == (3210, 5)
    request = must_read(TEXT_REQUESTS[name], url=URLS[name]).request
    assert request is not None
    assert [(message.role, brief(message.parts)) for message in request.messages] == [("user", [QUESTION])]


@pytest.mark.parametrize("name", TEXT_EVENTS)
def test_a_continued_text_that_breaks_off_keeps_what_had_arrived(name):
    response = answered(sse(TEXT_EVENTS[name][:2]))
    assert (brief(response.parts), response.complete) == (["One mo"], False)


@pytest.mark.parametrize("name", REQUESTS)
def test_the_same_request_reads_the_same_in_every_dialect(name):
    request = must_read(REQUESTS[name], url=URLS[name]).request
    assert request is not None
    assert (request.system, request.model, request.stream, request.previous) == (SYSTEM, _model(name), False, None)
    assert [(message.role, brief(message.parts)) for message in request.messages] == [("user", [QUESTION])]
    assert [(tool.name, tool.description, tool.schema_, tool.options) for tool in request.tools] == [
        ("get_order", "Look up.", SCHEMA, {})
    ]


def _model(name: str) -> str:
    in_the_url = {"gemini": "gemini-test", "bedrock_converse": "us.vendor.test-v1:0"}
    return in_the_url.get(name) or str(REQUESTS[name]["model"])


@pytest.mark.parametrize("name", EVENTS)
@pytest.mark.parametrize(
    "recorded",
    [
        lambda events: {"answer": sse(events)},
        lambda events: {"answer": sse(events, "\r\n")},
        lambda events: {"answer": sse(events).encode()},
        lambda events: {"answer": "\ufeff: a comment\n\n" + sse(events)},
        lambda events: {"answer": sse(events).rstrip("\n")},
        lambda events: {"answer": sse(events, end="data: [DONE]\n\n")},
        lambda events: {"chunks": events},
        lambda events: {"chunks": [{"data": event, "event": None, "t_offset_ms": 3} for event in events]},
        lambda events: {"chunks": [*[{"data": event, "id": None} for event in events], {"data": "[DONE]"}]},
        lambda events: {"chunks": [f"data: {json.dumps(event)}\n\n" for event in events]},
        lambda events: {"chunks": [json.dumps(event) for event in events]},
        lambda events: {"chunks": _cut(sse(events), 17)},
    ],
    ids=[
        "lf",
        "crlf",
        "bytes",
        "bom",
        "unterminated",
        "done",
        "events",
        "records",
        "records-done",
        "texts",
        "json",
        "cut",
    ],
)
def test_a_stream_reads_as_the_whole_answer_however_it_was_recorded(name, recorded):
    assert answered(**recorded(EVENTS[name])) == answered(ANSWERS[name])


def _cut(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]


@pytest.mark.parametrize("name", FRAGMENTED)
def test_a_stream_that_breaks_off_keeps_what_had_arrived_and_says_that_it_is_incomplete(name):
    cut = next(index for index, event in enumerate(EVENTS[name]) if '"7' in json.dumps(event))
    response = answered(sse(EVENTS[name][:cut]))
    assert not response.complete
    assert brief(response.parts) == ["One moment.", ("get_order", 'raw {"order_id": ')]


@pytest.mark.parametrize("name", sorted(EVENTS.keys() - set(FRAGMENTED)))
def test_a_stream_of_whole_calls_that_breaks_off_keeps_the_words_before_the_call(name):
    response = answered(sse(EVENTS[name][:3]))
    assert (brief(response.parts), response.complete) == (["One moment."], False)


@pytest.mark.parametrize("name", REQUESTS)
@pytest.mark.parametrize(
    ("recorded", "response"),
    [({}, None), ({"status": 200}, None), ({"answer": {}}, None), ({"answer": ""}, None), ({"chunks": []}, None)],
)
def test_a_call_without_a_recorded_answer_is_still_a_call(name, recorded, response):
    assert must_read(REQUESTS[name], url=URLS[name], **recorded).response is response


@pytest.mark.parametrize("name", REQUESTS)
@pytest.mark.parametrize(
    "answer",
    ["<html>upstream</html>", b"\x1f\x8b\x00\xff", {"unexpected": 1}, [1, 2], 'data: {"foreign": 1}\n\n', '{"id": "m'],
)
def test_an_answer_that_cannot_be_read_is_an_error_and_the_call_is_not_dropped(name, answer):
    call = must_read(REQUESTS[name], answer, url=URLS[name], status=200)
    assert call.provider == name
    assert call.response is not None
    assert call.response.error
    assert call.response.stop_reason == "error"


@pytest.mark.parametrize("name", REQUESTS)
def test_hosts_and_prefixes_of_the_path_do_not_matter(name):
    path = URLS[name].split("/", 3)[3]
    model = (
        {"model": "m"} if name in {"ollama", "xai"} else {"model": None}
    )  # /api/chat is also many an application's own
    for url in (f"http://localhost:8080/proxy/v1/{path}?key=1", f"<BASE_URL>/{path}", f"/v1/{path}"):
        assert must_read(REQUESTS[name] | model, url=url, status=401).provider == name


@pytest.mark.parametrize("name", REQUESTS)
def test_the_shape_of_the_answer_outweighs_the_path(name):
    other = "openai_chat" if name != "openai_chat" else "anthropic"
    assert must_read(None, ANSWERS[name], url=URLS[other], status=200).provider == name


@pytest.mark.parametrize(
    "given_exchange",
    [
        exchange(),
        exchange(None, {"any": "thing"}),
        exchange({"query": "orders"}, {"rows": []}, url="https://shop.test/graphql", status=200),
        exchange(REQUESTS["anthropic"], {"input_tokens": 12}, url=URLS["anthropic"] + "/count_tokens", status=200),
        exchange(REQUESTS["anthropic"], {"input_tokens": 12}),
        exchange(REQUESTS["anthropic"], url=URLS["anthropic"] + "/batches"),
        exchange(REQUESTS["openai_responses"], {"input_tokens": 12}, url=URLS["openai_responses"] + "/input_tokens"),
        exchange({"model": "e", "input": ["a"]}, {"data": []}, url="https://api.openai.com/v1/embeddings", status=200),
        exchange({"model": "e", "input": "a"}, {"data": [{"embedding": [0.1]}]}),
        exchange(None, ANSWERS["openai_responses"], url=URLS["openai_responses"] + "/resp_1", method="GET", status=200),
        exchange(
            {"role": "user", "content": "hi"}, {"id": "msg_1"}, url="https://api.openai.com/v1/threads/t/messages"
        ),
        exchange(
            {"jsonrpc": "2.0", "method": "tools/call"}, "event: message\ndata: {}\n\n", url="https://mcp.test/mcp"
        ),
        exchange({"channel": "c", "text": "hi"}, {"ok": True}, url="https://chat.test/api/messages", status=200),
        exchange("name=Ada", "ok", url="https://shop.test/login", status=200),
    ],
)
def test_other_traffic_is_no_call(given_exchange):
    assert read_call(given_exchange) is None


def test_what_the_recorder_notes_beside_the_bodies_is_kept():
    noted = Exchange(
        index=8,
        request=Request(
            uri=URLS["anthropic"], body={key: value for key, value in REQUESTS["anthropic"].items() if key != "model"}
        ),
        response=Response(status=200, body=ANSWERS["anthropic"]),
        key="0a1b",
        recorded_at=12.5,
        model="claude-noted",
    )
    call = read_call(noted)
    assert call is not None
    assert (call.interaction, call.key, call.recorded_at, call.http_status) == (8, "0a1b", 12.5, 200)
    assert call.request is not None
    assert call.request.model == "claude-noted"


def test_a_model_in_the_body_wins_over_the_noted_one():
    given_exchange = exchange(REQUESTS["openai_chat"]).model_copy(update={"model": "noted"})
    call = read_call(given_exchange)
    assert call is not None
    assert call.request is not None
    assert call.request.model == "gpt-test"


def test_a_request_that_no_format_holds_is_none():
    assert must_read(None, ANSWERS["anthropic"]).request is None


# -- hostile input: types swapped, keys dropped, texts cut ------------------------------------------------------------------

_RUBBISH = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.just("\ud83d"),
    st.just('{"a": '),
    st.binary(max_size=4),
    st.just([]),
    st.just({}),
    st.just([None, 1, "x", {}, [[]]]),
    st.just({"type": "text", "text": 5}),
    st.just({"1": {"\ud83d": 2}}),
)


def _spoil(value: Any, draw: Any, chance: int) -> Any:
    """The value with parts of it replaced by rubbish, left out, or cut."""
    if draw(st.integers(0, chance)) == 0:
        return draw(_RUBBISH)
    if isinstance(value, dict):
        return {key: _spoil(item, draw, chance) for key, item in value.items() if draw(st.integers(0, 20)) > 0}
    if isinstance(value, list):
        return [_spoil(item, draw, chance) for item in value[: draw(st.integers(0, len(value)))] or value]
    if isinstance(value, str):
        return value[: draw(st.integers(0, len(value)))] if draw(st.integers(0, 9)) == 0 else value
    return value


@st.composite
def _spoiled(draw: Any) -> Exchange:
    name = draw(st.sampled_from(sorted(ALL_ANSWERS)))
    request = _spoil(ALL_REQUESTS.get(name), draw, 15)
    response: dict[str, Any] = {"status": draw(st.sampled_from([None, 200, 404]))}
    if name in ALL_EVENTS and draw(st.booleans()):
        events = _spoil(ALL_EVENTS[name], draw, 15)
        if isinstance(events, list) and draw(st.booleans()):
            response["chunks"] = events
        else:
            whole = sse(ALL_EVENTS[name])
            response["answer"] = whole[: draw(st.integers(0, len(whole)))]
    else:
        response["answer"] = _spoil(ALL_ANSWERS[name], draw, 15)
    return exchange(request, url=draw(st.sampled_from([None, URLS.get(name), "http://[bad"])), **response)


@settings(max_examples=800, deadline=None)
@given(_spoiled())
def test_a_spoiled_exchange_is_a_call_or_none_and_never_an_exception(given_exchange):
    call = read_call(given_exchange)
    assert call is None or isinstance(call, ModelCall)
    if call is not None:
        call.model_dump()
        parts = call.response.parts if call.response else ()
        assert all(isinstance(part.tool, str) for part in parts if isinstance(part, CallPart))


@given(st.recursive(_RUBBISH, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner)))
def test_any_value_at_all_as_a_body_is_survived(value):
    for url in (*URLS.values(), None):
        call = read_call(exchange(value, value, url=url))
        assert call is None or isinstance(call, ModelCall)


def test_a_deeply_nested_body_is_survived():
    deep: Any = "x"
    for _ in range(190):
        deep = {"a": [deep]}
    request = {"model": "m", "messages": [{"role": "user", "content": [{"type": "odd", "a": deep}, deep]}]}
    assert must_read(request).request is not None
    blocks = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": [deep]}]}
    assert must_read({"model": "m", "messages": [blocks]}).request is not None
