"""agentreplay's events fold into model calls and tool executions, whatever was left unfinished."""

import pytest

from reviewlib.formats import read_cassette
from reviewlib.model.cassette import Cassette, Exchange, ToolExecution
from tests.corpus import CORPUS, needs_corpus
from tests.formats.samples import ANSWER, HEADER, REQUEST, event, file, jsonl, readable

ARGUMENTS = {"order_id": "4471"}


def read(*events, header=HEADER) -> Cassette:
    cassette = readable(read_cassette(file("t.jsonl", jsonl(header, *events))))
    assert cassette.format == "agentreplay"
    return cassette


def test_a_request_and_the_answer_after_it_are_one_exchange():
    sent = {key: value for key, value in REQUEST.items() if key != "model"}
    cassette = read(
        event("run_start"),
        event("model_request", 1, name="claude-sonnet-5", arguments=sent),
        event("model_response", 2, result=ANSWER),
        event("run_end", 3),
    )
    (exchange,) = cassette.interactions
    assert isinstance(exchange, Exchange)
    assert exchange.request
    assert exchange.request.body == REQUEST
    assert (exchange.request.method, exchange.request.uri) == (None, None)
    assert exchange.response
    assert (exchange.response.body, exchange.response.status) == (ANSWER, None)
    assert (exchange.model, exchange.recorded_at) == ("claude-sonnet-5", 1796030794.0)
    assert cassette.not_recorded == ("http_status",)
    assert cassette.recorded_at == pytest.approx(1796030793.182914)


def test_a_model_in_the_arguments_wins_over_the_events_name():
    cassette = read(event("model_request", name="alias", arguments=REQUEST))
    assert isinstance(cassette.interactions[0], Exchange)
    assert cassette.interactions[0].request
    assert cassette.interactions[0].request.body["model"] == REQUEST["model"]


@pytest.mark.parametrize(
    ("fields", "knows_model"),
    [({}, False), ({"name": "gpt-5"}, True), ({"arguments": {}}, False), ({"arguments": None}, False)],
)
def test_without_a_stored_request_it_is_told_what_is_missing(fields, knows_model):
    cassette = read(
        event("model_request", **fields), event("model_response", result={"parts": [{"part_kind": "text"}]})
    )
    (exchange,) = cassette.interactions
    assert isinstance(exchange, Exchange)
    assert exchange.request is None
    assert exchange.response
    assert exchange.response.body == {"parts": [{"part_kind": "text"}]}
    assert {"requests", "system_prompt", "user_messages", "tool_schemas", "tool_errors", "http_status"} <= set(
        cassette.not_recorded
    )
    assert ("requested_model" in cassette.not_recorded) is not knows_model
    assert not {"tool_results", "usage", "stop_reasons"} & set(cassette.not_recorded)


def test_a_tool_result_is_an_execution():
    cassette = read(
        event(
            "tool_result",
            name="get_order",
            arguments=ARGUMENTS,
            result={"total": 39.0},
            metadata={"tool_call_id": "c1"},
        )
    )
    assert cassette.interactions == (
        ToolExecution(index=0, tool="get_order", arguments=ARGUMENTS, result={"total": 39.0}, call_id="c1"),
    )


def test_a_call_event_and_its_result_are_one_execution_in_the_order_of_the_calls():
    other = {"order_id": "9"}
    cassette = read(
        event("tool_call", name="get_order", arguments=ARGUMENTS),
        event("tool_call", name="get_order", arguments=other),
        event("tool_result", name="get_order", arguments=other, result="second"),
        event("tool_result", name="get_order", result="first"),
    )
    assert [(each.arguments, each.result) for each in cassette.interactions if isinstance(each, ToolExecution)] == [
        (ARGUMENTS, "first"),
        (other, "second"),
    ]


def test_what_did_not_finish_stays_unfinished():
    cassette = read(
        event("model_request", name="m", arguments=REQUEST), event("tool_call", name="get_order", arguments=ARGUMENTS)
    )
    call, tool = cassette.interactions
    assert isinstance(call, Exchange)
    assert call.response is None
    assert tool == ToolExecution(index=1, tool="get_order", arguments=ARGUMENTS, result_recorded=False)


def test_an_answer_without_a_request_is_an_exchange():
    (exchange,) = read(event("model_response", result=ANSWER)).interactions
    assert isinstance(exchange, Exchange)
    assert exchange.request is None
    assert exchange.response


def test_concurrent_calls_are_answered_in_the_order_they_were_asked():
    first, second = ({**REQUEST, "max_tokens": number} for number in (1, 2))
    cassette = read(
        event("model_request", arguments=first),
        event("model_request", arguments=second),
        event("model_response", result={"n": 1}),
        event("model_response", result={"n": 2}),
    )
    pairs = [
        (each.request.body["max_tokens"], each.response.body["n"])
        for each in cassette.interactions
        if isinstance(each, Exchange) and each.request and each.response
    ]
    assert pairs == [(1, 1), (2, 2)]


def test_an_error_belongs_to_the_tool_of_its_name_or_else_to_the_waiting_call():
    cassette = read(
        event("tool_call", name="get_order", arguments=ARGUMENTS),
        event("error", name="get_order", result="no such order"),
        event("model_request", arguments=REQUEST),
        event("error", result="overloaded"),
        event("error", result="nobody's"),
    )
    tool, call = cassette.interactions
    assert tool == ToolExecution(index=0, tool="get_order", arguments=ARGUMENTS, result="no such order", is_error=True)
    assert isinstance(call, Exchange)
    assert call.response
    assert call.response.body == {"error": {"message": "overloaded"}}


def test_unknown_events_are_passed_over():
    assert read(event("handoff"), event("run_start"), {**event("x"), "kind": ["odd"]}).interactions == ()


def test_a_cassette_of_its_header_alone_is_one():
    assert read().interactions == ()
    assert not hasattr(read_cassette(file("t.jsonl", jsonl({"created_at": "x", "format_version": 1}))), "format")


@needs_corpus
@pytest.mark.parametrize(
    ("folder", "requests"),
    [("test_raw_sdk", True), ("test_pydantic_ai_fn", False), ("test_pydantic_ai_anthropic", False)],
)
def test_recorded_runs_hold_turns_and_tools(folder, requests):
    paths = sorted((CORPUS / "recorders" / "pytest-agentreplay" / "base" / folder).glob("*.jsonl"))
    assert paths
    for path in paths:
        cassette = readable(read_cassette(file(path.name, path.read_bytes())))
        calls = [each for each in cassette.interactions if isinstance(each, Exchange)]
        assert len(calls) >= 2
        assert all(each.response and isinstance(each.response.body, dict) for each in calls)
        assert all((each.request is not None) is requests for each in calls)
        assert ("requests" in cassette.not_recorded) is not requests
