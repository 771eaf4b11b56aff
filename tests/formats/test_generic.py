"""The fallback: answers of known APIs are found wherever they stand, with the request beside them; ordinary files are left alone."""

import json

import pytest

from reviewlib.decode import decode
from reviewlib.formats import FALLBACK, FORMATS, claims, read_cassette
from reviewlib.formats.format import NO_REQUESTS, Context
from reviewlib.model.cassette import Cassette, Exchange, Unreadable
from reviewlib.trajectory import read_recording
from tests.corpus import CORPUS, needs_corpus
from tests.formats.agent_samples import AGENT_SAMPLES, CLAUDE_RUN, DONE, OPENAI_RUN, PROMPT, TREE, lines, made
from tests.formats.samples import readable

CLAUDE_SENT, CLAUDE_SAID = CLAUDE_RUN[1]
OPENAI_SENT, OPENAI_SAID = OPENAI_RUN[1]
CONTENTS = {"contents": [{"role": "user", "parts": [{"text": PROMPT}]}]}
GEMINI_SAID = {"candidates": [{"content": {"role": "model", "parts": [{"text": DONE}]}, "finishReason": "STOP"}]}
RESPONSES_SENT = {"model": "gpt-5", "input": PROMPT, "instructions": "Be brief."}
RESPONSES_SAID = {
    "object": "response",
    "status": "completed",
    "output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": DONE}]}],
}
CONVERSE_SENT = {"messages": [{"role": "user", "content": [{"text": PROMPT}]}]}
CONVERSE_SAID = {"output": {"message": {"role": "assistant", "content": [{"text": DONE}]}}, "stopReason": "end_turn"}
DIALECTS = {
    "anthropic": (CLAUDE_SENT, CLAUDE_SAID),
    "openai_chat": (OPENAI_SENT, OPENAI_SAID),
    "openai_responses": (RESPONSES_SENT, RESPONSES_SAID),
    "gemini": (CONTENTS, GEMINI_SAID),
    "bedrock_converse": (CONVERSE_SENT, CONVERSE_SAID),
}
CHUNKS = [
    {"object": "chat.completion.chunk", "choices": [{"delta": {"content": "Refun"}}]},
    {"object": "chat.completion.chunk", "choices": [{"delta": {"content": "ded."}, "finish_reason": "stop"}]},
]
STREAM = "".join(f"data: {json.dumps(each)}\n\n" for each in CHUNKS) + "data: [DONE]\n\n"


def cassette(content, path: str = "t/a.json") -> Cassette:
    found = readable(read_cassette(made(path, content)))
    assert found.format == "generic"
    return found


def calls(content, path: str = "t/a.json") -> list[Exchange]:
    return [each for each in cassette(content, path).interactions if isinstance(each, Exchange)]


def sent(exchange: Exchange) -> object:
    return exchange.request and exchange.request.body


# ---------------------------------------------------------------- where answers stand


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_answer_of_every_known_api_is_found_with_its_request(dialect):
    asked, answered = DIALECTS[dialect]
    content = {"log": {"runs": [{"call": {"in": asked, "out": answered}, "note": "x"}]}}
    (exchange,) = calls(content)
    assert sent(exchange) == asked
    (trajectory,) = read_recording(cassette(content)).conversations
    assert trajectory.turns[-1].provider == dialect
    assert trajectory.steps[-1].text == DONE


@pytest.mark.parametrize(
    "content",
    [
        {"log": [{"sent": CLAUDE_SENT, "got": CLAUDE_SAID}]},
        {"log": [{"got": CLAUDE_SAID, "sent": CLAUDE_SENT}]},
        {"log": [{"sent": json.dumps(CLAUDE_SENT), "got": json.dumps(CLAUDE_SAID)}]},
        {"log": [{"sent": {"kwargs": CLAUDE_SENT}, "got": {"data": {"body": CLAUDE_SAID}}}]},
        {"log": [{**CLAUDE_SENT, "got": CLAUDE_SAID, "timestamp": 5, "provider": "x"}]},
        {"log": [{"sent": CLAUDE_SENT}, {"got": CLAUDE_SAID}]},
        {"requests": [CLAUDE_SENT], "responses": [CLAUDE_SAID]},
        {"sent": CLAUDE_SENT, "got": CLAUDE_SAID, "more": 1},
        {"log": [{"sent": CLAUDE_SENT, "got": {"raw": json.dumps(CLAUDE_SAID), "parsed": CLAUDE_SAID}}]},
    ],
)
def test_the_request_is_found_wherever_it_stands_beside_the_answer(content):
    (exchange,) = calls(content)
    assert sent(exchange) == CLAUDE_SENT
    assert exchange.response
    assert exchange.response.body == CLAUDE_SAID


def test_lines_of_requests_and_answers_are_paired():
    content = lines({"ev": "ask", "body": CLAUDE_RUN[0][0]}, {"ev": "tool"}, {"ev": "got", "body": CLAUDE_RUN[0][1]})
    (exchange,) = calls(content, "t/a.jsonl")
    assert sent(exchange) == CLAUDE_RUN[0][0]


def test_lists_side_by_side_are_paired_in_order():
    asked, said = zip(*CLAUDE_RUN, strict=True)
    assert list(map(sent, calls({"asked": list(asked), "said": list(said)}))) == list(asked)


def test_a_request_that_was_not_answered_is_no_other_answers():
    entries = [{"sent": CLAUDE_RUN[0][0], "error": "overloaded"}, {"sent": CLAUDE_RUN[1][0], "got": CLAUDE_RUN[1][1]}]
    (exchange,) = calls({"log": entries})
    assert sent(exchange) == CLAUDE_RUN[1][0]


def test_answers_alone_are_told_in_document_order():
    found = calls({"a": {"deep": [OPENAI_RUN[0][1]]}, "b": OPENAI_RUN[1][1]})
    assert [each.response.body["choices"][0]["finish_reason"] for each in found if each.response] == [
        "tool_calls",
        "stop",
    ]
    assert set(NO_REQUESTS) <= set(cassette([OPENAI_SAID]).not_recorded)


@pytest.mark.parametrize("stream", [STREAM, CHUNKS, STREAM.splitlines(keepends=True), [{"data": STREAM}]])
def test_a_stream_is_one_answer(stream):
    content = {"log": [{"sent": OPENAI_RUN[0][0], "got": stream}]}
    (exchange,) = calls(content)
    assert sent(exchange) == OPENAI_RUN[0][0]
    assert read_recording(cassette(content)).conversations[0].steps[-1].text == DONE


def test_what_a_person_should_know_is_said():
    found = cassette({"log": [{"sent": CLAUDE_SENT, "got": CLAUDE_SAID}]})
    assert found.notes == ("No adapter knows this format; it was read by looking for answers of known APIs in it.",)
    assert found.not_recorded == ("http_status",)


def test_what_stands_inside_an_answer_or_a_history_is_no_answer():
    nested = {**OPENAI_SAID, "metadata": {"copy": CLAUDE_SAID}}
    assert len(calls({"x": [nested]})) == 1
    echo = {"role": "user", "content": [CLAUDE_SAID]}
    assert len(calls({"x": [{"sent": {**CLAUDE_SENT, "messages": [echo]}, "got": CLAUDE_SAID}]})) == 1


# ---------------------------------------------------------------- what is left alone


@pytest.mark.parametrize(
    "content",
    [
        {"openapi": "3.1.0", "paths": {"/v1": {"example": OPENAI_SAID}}},
        {"swagger": "2.0", "definitions": {"x": {"example": CLAUDE_SAID}}},
        {"$schema": "https://json-schema.org", "examples": [OPENAI_SAID]},
        {"nbformat": 4, "cells": [{"outputs": [OPENAI_SAID]}]},
        {"name": "x", "dependencies": {}, "x": OPENAI_SAID},
        {"on": "push", "jobs": {"test": {"env": {"SAMPLE": json.dumps(OPENAI_SAID)}}}},
        {"apiVersion": "v1", "kind": "ConfigMap", "data": {"a.json": json.dumps(OPENAI_SAID)}},
        {"messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}]},
        {"choices": ["a", "b"], "model": "x"},
        {"choices": [{"name": "a", "message": "b"}]},
        {"candidates": [{"name": "Ada", "content": "words"}]},
        {"type": "message", "role": "assistant", "content": "words"},
        {"type": "message", "content": []},
        {"object": "response"},
        {"output": {"message": "x"}, "stopReason": "y"},
        [{"author": "coordinator", "role": "model", "parts": [{"function_call": {"name": "x"}}]}],
        ["data: one", "data: two"],
        {"text": '{"choices" is a word and this no JSON'},
        ["{", json.dumps(OPENAI_SAID)[:40]],
        {"x": "data"},
        {},
        [],
    ],
)
def test_ordinary_files_are_not_claimed(content):
    sample = made("t/a.json", content)
    assert not claims(sample)
    result = read_cassette(sample)
    assert isinstance(result, Unreadable)
    assert result.stage == "recognise"


def test_a_file_that_an_adapter_claims_is_not_read_by_the_fallback():
    for name, samples in AGENT_SAMPLES.items():
        for _, sample in samples:
            assert readable(read_cassette(sample)).format == name


def test_the_fallback_is_no_adapter_among_others():
    assert FALLBACK not in FORMATS
    assert FALLBACK.name not in {each.name for each in FORMATS}


@pytest.mark.parametrize(
    "odd",
    [
        None,
        5,
        "",
        [],
        {},
        {"id": []},
        {"choices": [{"message": {"role": 5}}]},
        {"messages": [{"role": []}], "model": 5},
    ],
)
def test_odd_neighbours_harm_nothing(odd):
    content: TREE = {"log": [odd, {"sent": CLAUDE_SENT, "x": odd, "got": CLAUDE_SAID}, odd]}
    assert len(calls(content)) == 1


# ---------------------------------------------------------------- against the adapters


@needs_corpus
def test_the_fallback_tells_what_the_adapters_tell():
    """Of what the recorders of the corpus wrote: the same calls in as many turns, where it finds any answer at all."""
    compared = 0
    for path in sorted((CORPUS / "recorders").glob("*/base/**/*"))[::5]:
        if not path.is_file() or path.name == "metadata.json":
            continue
        decoded = decode(path.read_bytes())
        value = decoded.value
        known = next(
            (each for each in FORMATS if decoded.kind in each.reads and each.recognise(value)),
            None,
        )
        if known is None or decoded.kind not in FALLBACK.reads or not FALLBACK.recognise(value):
            continue
        compared += 1
        told = [_told(each.parse(value, Context("x"))) for each in (known, FALLBACK)]
        assert told[0] == told[1], path
    assert compared > 100


def _told(parsed) -> list[object]:
    facts = {"interactions": parsed.interactions, "not_recorded": parsed.not_recorded, "ordered": parsed.ordered}
    read = read_recording(Cassette(path="x", content="0" * 40, format="x", **facts))
    return [(call.tool, call.arguments) for each in read.conversations for call in each.calls]
