"""The recorders made for model calls over HTTP: streams kept as lists, answers left out, tool runs beside the exchanges."""

import pytest

from reviewlib.formats import claims, read_cassette
from reviewlib.formats.format import NO_REQUESTS
from reviewlib.model.cassette import Cassette, Exchange, ToolExecution
from reviewlib.trajectory import read_recording
from tests.formats.http_samples import (
    cassetteai_entry,
    llm_vcr_interaction,
    mastra_recording,
    reel_line,
    replex_exchange,
    replex_scenario,
)
from tests.formats.samples import ANSWER, REQUEST, file, jsonl, llama_call, llama_search, readable, typed

EVENTS = [{"type": "message_start", "message": {"id": "m"}}, {"type": "message_stop"}]
TEXT = "event: a\ndata: {}\n\ndata: [DONE]\n\n"


def read(tree: object) -> Cassette:
    return readable(read_cassette(file("t.json", tree if isinstance(tree, (str, dict, list)) else [])))


def answer(cassette: Cassette) -> tuple[object, object]:
    (exchange,) = cassette.interactions
    assert isinstance(exchange, Exchange)
    assert exchange.response
    return exchange.response.body, exchange.response.chunks


@pytest.mark.parametrize(
    "tree",
    [
        pytest.param(
            jsonl(reel_line(body=None, stream_chunks=[{"data": event, "t_offset_ms": 0} for event in EVENTS])),
            id="reel",
        ),
        pytest.param(jsonl(reel_line(body=None, stream_chunks=EVENTS)), id="reel, bare"),
        pytest.param(
            replex_scenario(replex_exchange(body=None, stream=[{"data": event, "id": None} for event in EVENTS])),
            id="replex",
        ),
        pytest.param(
            {"entries": [cassetteai_entry(response=None, stream_chunks=EVENTS, is_streaming=True)]}, id="cassetteai"
        ),
    ],
)
def test_a_stream_of_trees_is_a_list_of_chunks(tree: object):
    assert answer(read(tree)) == (None, tuple(EVENTS))


@pytest.mark.parametrize(
    "tree",
    [
        pytest.param(
            {"name": "a", "interactions": [llm_vcr_interaction(response_body=None, chunks=[TEXT[:5], TEXT[5:]])]},
            id="pytest-llm-vcr",
        ),
        pytest.param([mastra_recording(chunks=[TEXT[:5], TEXT[5:]], isStreaming=True)], id="llm-recorder"),
        pytest.param(jsonl(reel_line(body=TEXT)), id="reel"),
        pytest.param(replex_scenario(replex_exchange(body=TEXT, body_encoding="text")), id="replex"),
    ],
)
def test_the_pieces_of_a_text_are_joined(tree: object):
    assert answer(read(tree)) == (TEXT, None)


@pytest.mark.parametrize("chunks", [None, [], {}, "x"])
def test_what_is_no_list_of_chunks_is_no_stream(chunks: object):
    assert answer(read(jsonl(reel_line(body="x", stream_chunks=chunks)))) == ("x", None)
    assert answer(read(replex_scenario(replex_exchange(body="x", stream=chunks)))) == ("x", None)


def test_answers_that_were_not_stored_are_counted():
    stored, left_out = llm_vcr_interaction(), llm_vcr_interaction(response_body=None)
    cassette = read({"name": "a", "interactions": [stored, left_out, left_out]})
    assert cassette.notes == ("Of 2 of 3 answers the recorder stored nothing but the status.",)
    assert "answers" not in read_recording(cassette).not_recorded
    recording = read_recording(read({"name": "a", "interactions": [left_out]}))
    assert {"answers", "usage", "model", "stop_reasons"} <= set(recording.not_recorded)


# ---------------------------------------------------------------- one answer alone


def test_an_answer_alone_says_that_nothing_of_the_request_is_held():
    cassette = read({"status": 200, "headers": {"Content-Type": "text/event-stream"}, "body": TEXT})
    assert (cassette.format, answer(cassette)) == ("lone-answer", (TEXT, None))
    assert set(cassette.not_recorded) == {*NO_REQUESTS, "tool_results", "tool_errors"}


@pytest.mark.parametrize(
    "tree",
    [
        {"status": "fine", "headers": {}, "body": ""},
        {"status": 200, "headers": [], "body": ""},
        {"status": 200, "headers": {}, "body": "", "id": 1},
        {"status": 200, "body": ""},
    ],
)
def test_what_is_more_or_less_than_an_answer_is_none(tree: dict):
    assert not claims(file("t.json", tree))


# ---------------------------------------------------------------- replex' tool runs

RUN = {"type": "tool_call", "name": "get_order", "args": {"order_id": "4471"}, "result": {"total": 39.0}, "error": None}


def test_tool_runs_stand_where_they_happened():
    cassette = read(replex_scenario(replex_exchange(), RUN, {"type": "note"}, replex_exchange()))
    first, run, last = cassette.interactions
    assert (first.index, run.index, last.index) == (0, 1, 2)
    assert isinstance(run, ToolExecution)
    assert (run.tool, run.arguments, run.result, run.is_error) == (
        "get_order",
        {"order_id": "4471"},
        {"total": 39.0},
        False,
    )
    assert cassette.sees_executions


def test_a_tool_that_raised_has_its_error_for_a_result():
    failed = {**RUN, "result": None, "error": {"type": "KeyError", "message": "9999"}}
    (run,) = read(replex_scenario(failed)).interactions
    assert isinstance(run, ToolExecution)
    assert (run.result, run.is_error) == ({"type": "KeyError", "message": "9999"}, True)


def test_without_a_tool_run_nothing_is_said_about_them():
    assert not read(replex_scenario(replex_exchange())).sees_executions


def test_an_exchange_that_was_not_answered_is_kept():
    (exchange,) = read(replex_scenario({**replex_exchange(), "response": None})).interactions
    assert isinstance(exchange, Exchange)
    assert exchange.request
    assert exchange.response is None


# ---------------------------------------------------------------- Llama Stack


def test_an_object_of_an_sdk_is_read_without_the_name_of_its_class_and_a_stream_of_them_as_its_events():
    assert answer(read(llama_call(typed(ANSWER)))) == (ANSWER, None)
    assert answer(read(llama_call([typed(event) for event in EVENTS]))) == (None, tuple(EVENTS))
    assert answer(read(llama_call([TEXT[:9], TEXT[9:]]))) == (TEXT, None)
    listed = llama_call([typed({"id": "m-1"}), typed({"id": "m-2"})], is_streaming=False)
    assert answer(read(listed)) == ([{"id": "m-1"}, {"id": "m-2"}], None)


def test_a_member_of_an_answer_that_looks_like_an_object_of_an_sdk_stays_as_it_is():
    inner = typed({"content": "x"})
    assert answer(read(llama_call(typed({"kept": inner})))) == ({"kept": inner}, None)


@pytest.mark.parametrize("sent", [{"body": REQUEST, "endpoint": "/v1/messages"}, {"payload": REQUEST}])
def test_a_call_of_llama_stack_holds_its_request_and_the_test_that_recorded_it(sent: dict[str, object]):
    cassette = read(llama_call(typed(ANSWER), sent=sent))
    (run,) = read_recording(cassette).conversations
    assert [step.text for step in run.steps if step.kind == "user_message"] == ["Refund order 4471"]
    assert [turn.stop_reason for turn in run.turns] == ["end_turn"]
    assert cassette.notes == ("Recorded by tests/test_refund.py::test_refund.",)


def test_a_failure_of_llama_stack_is_one_with_its_status_and_what_was_said():
    raised = {"status_code": 429, "message": "slow down"}
    for got in ({"exception_data": raised}, {"exception_data": {"status_code": 429}, "exception_message": "slow down"}):
        cassette = read(llama_call(None, is_exception=True, **got))
        (exchange,) = cassette.interactions
        assert isinstance(exchange, Exchange)
        assert exchange.response is not None
        assert (exchange.response.status, exchange.response.body) == (429, {"error": {"message": "slow down"}})
        assert cassette.not_recorded == ()


def test_a_search_that_llama_stack_ran_is_a_run_of_a_tool_whether_it_failed_or_not():
    (run,) = read(llama_search(typed({"content": "Rain."}))).interactions
    assert isinstance(run, ToolExecution)
    assert (run.tool, run.arguments, run.result, run.is_error) == ("web_search", {"query": "weather"}, "Rain.", None)
    (failed,) = read(llama_search(None, is_exception=True, exception_message="no key")).interactions
    assert isinstance(failed, ToolExecution)
    assert (failed.result, failed.is_error) == ("no key", True)


@pytest.mark.parametrize("change", [{"is_streaming": None}, {"is_streaming": "no"}])
def test_what_does_not_say_whether_it_was_a_stream_is_no_call_of_llama_stack(change: dict[str, object]):
    call = llama_call(typed({"done": True}))
    call["response"].update(change)
    assert not claims(file("t.json", call))


# ---------------------------------------------------------------- odd values


@pytest.mark.parametrize("stamp", [None, "yesterday", True, [], 10**400])
def test_a_time_that_is_none_is_unknown(stamp: object):
    recording = mastra_recording()
    recording["request"]["timestamp"] = stamp
    for tree in ([recording], jsonl({**reel_line(), "ts": stamp})):
        (exchange,) = read(tree).interactions
        assert isinstance(exchange, Exchange)
        assert exchange.recorded_at is None


def test_a_key_that_is_no_text_is_none():
    line = reel_line()
    line["request"]["fingerprint"] = 5
    exchange = replex_exchange()
    exchange["request"]["match_key"] = ["a"]
    for tree in (jsonl(line), replex_scenario(exchange)):
        (found,) = read(tree).interactions
        assert isinstance(found, Exchange)
        assert found.key is None
