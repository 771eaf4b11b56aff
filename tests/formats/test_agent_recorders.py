"""The recorders of agents, whatever they write, tell the same run; and each says what of it is not there."""

import pytest

from reviewlib.formats import FORMATS, read_cassette
from reviewlib.formats.format import NO_REQUESTS
from reviewlib.model.cassette import Exchange, File, ToolExecution
from reviewlib.model.trajectory import Recording
from reviewlib.trajectory import read_recording
from tests.formats.agent_samples import (
    AGENT_CASSETTE,
    AGENT_SAMPLES,
    AGENTCASSETTE,
    AGENTTAPE,
    ARGUMENTS,
    CENDOR,
    CLAUDE_RUN,
    COPILOT,
    DONE,
    FRAMES,
    GEMINI,
    GRAPH_TURN,
    LLM_CASSETTE,
    MCP,
    MLX,
    OPENAI_RUN,
    OPENAI_TOOL,
    ORDER,
    PROMPT,
    SYSTEM,
    TRACE,
    TRACE_RESULT,
    XAI_PAIR,
    agentape,
    agenttape,
    asked_by_cendor,
    entry,
    event,
    lines,
    llm_cassette_call,
    llmvcr,
    logged,
    made,
    step,
    tape_http,
    taped,
    trace,
    traced,
)
from tests.formats.samples import readable

ALL = [
    pytest.param(name, sample, id=f"{name}: {what}")
    for name, samples in AGENT_SAMPLES.items()
    for what, sample in samples
]
NO_RUN = {"xai-grpc", "mlx"}
EMPTY = {"nothing recorded", "nothing called", "question", "tool runs alone", "through HTTP"}
RUNS = [
    pytest.param(name, sample, id=f"{name}: {what}")
    for name, samples in AGENT_SAMPLES.items()
    for what, sample in samples
    if name not in NO_RUN and what not in EMPTY
]


def recording(sample: File) -> Recording:
    return read_recording(readable(read_cassette(sample)))


@pytest.mark.parametrize(("name", "sample"), RUNS)
def test_the_run_is_one_call_with_its_result_and_one_answer(name, sample):
    read = recording(sample)
    (trajectory,) = read.conversations
    (call,) = trajectory.calls
    assert (call.tool, call.arguments, call.result) == ("get_order", ARGUMENTS, ORDER), name
    assert call.result_recorded
    assert call.is_error in (None, False)
    if "model_calls" not in read.not_recorded:
        assert trajectory.steps[-1].text == DONE
        assert len(trajectory.turns) == 2
    assert read.orphans == ()
    assert read.other_traffic == ()


@pytest.mark.parametrize(("name", "sample"), RUNS)
def test_what_the_user_asked_is_told_or_said_to_be_missing(name, sample):
    read = recording(sample)
    asked = [step.text for step in read.conversations[0].steps if step.kind == "user_message"]
    assert asked == ([] if "user_messages" in read.not_recorded else [PROMPT]), name


@pytest.mark.parametrize(("name", "sample"), RUNS)
def test_usage_is_the_providers_own_or_missing(name, sample):
    read = recording(sample)
    counts = [
        turn.usage and (turn.usage.input_tokens, turn.usage.output_tokens) for turn in read.conversations[0].turns
    ]
    expected = {(10, 5), None} if name == "realtime" else {None} if "usage" in read.not_recorded else {(10, 5)}
    assert set(counts) <= expected, name


@pytest.mark.parametrize(("name", "sample"), ALL)
def test_every_format_says_of_itself_what_it_holds(name, sample):
    format_ = next(each for each in FORMATS if each.name == name)
    assert sample.data
    assert len(format_.summary) > 80
    assert format_.summary.endswith(".")


# ---------------------------------------------------------------- what a recorder adds is no parameter


@pytest.mark.parametrize(
    ("content", "parameters"),
    [
        (AGENTTAPE, {}),
        (CENDOR, {}),
        (AGENTCASSETTE, {"max_tokens": 99}),
        (TRACE, {"max_tokens": 99}),
        (agentape(taped(*OPENAI_RUN[0])), {}),
        (lines(*LLM_CASSETTE), {"max_tokens": 99}),
        (lines(*AGENT_CASSETTE), {}),
        (llmvcr(*OPENAI_RUN), {}),
        (COPILOT, {}),
        (lines(*FRAMES), {}),
    ],
)
def test_keys_of_the_recorder_do_not_become_parameters(content, parameters):
    turns = [turn for each in recording(made("t/a.x", content)).conversations for turn in each.turns]
    assert all(turn.parameters == parameters for turn in turns)


# ---------------------------------------------------------------- what each does not hold


@pytest.mark.parametrize(
    ("content", "missing"),
    [
        (CENDOR, {"system_prompt", "tool_schemas", "parameters", "http_status"}),
        (llmvcr(*OPENAI_RUN), {"tool_schemas", "parameters", "http_status"}),
        (TRACE, {"system_prompt", "http_status"}),
        (trace(*traced(*OPENAI_RUN[0], provider="openai")), {"http_status"}),
        (lines(*LLM_CASSETTE), {"http_status"}),
        (agenttape(tape_http(*CLAUDE_RUN[0])), set()),
        (MCP, {*NO_REQUESTS, "usage", "model", "stop_reasons", "http_status", "model_calls"}),
        (MLX, {*NO_REQUESTS, "tool_results", "tool_errors", "model", "http_status"}),
        (lines(GRAPH_TURN), {"system_prompt", "tool_schemas", "usage", "model", "requested_model"}),
        (GEMINI, {"tool_errors", "http_status"}),
        ({"interactions": [{**XAI_PAIR, "request_sample": {"json": {}}, "response_sample": None}]}, {"http_status"}),
    ],
)
def test_what_is_not_held_is_said(content, missing):
    assert missing <= set(readable(read_cassette(made("t/a.x", content))).not_recorded)


def test_a_system_prompt_among_the_messages_is_held():
    openai = {"version": 2, "entries": [entry(0, "llm", asked_by_cendor(OPENAI_RUN[0][0]), OPENAI_RUN[0][1])]}
    read = recording(made("t/a.json", openai))
    assert "system_prompt" not in read.not_recorded
    assert read.conversations[0].steps[0].text == SYSTEM


# ---------------------------------------------------------------- requested and executed stay apart


def test_a_call_that_a_trace_repeats_ran_once():
    read = recording(made("t/a.yaml", TRACE, as_yaml=True))
    assert sum(isinstance(each, ToolExecution) for each in read.cassette.interactions) == 1
    assert [call.executed for call in read.conversations[0].calls] == [True]


def test_a_call_without_a_result_event_was_not_executed_where_others_were():
    two = [*TRACE["events"], *traced(*CLAUDE_RUN[0])]
    other = {**TRACE_RESULT, "tool_name": "check", "tool_input": {"x": 1}}
    calls = recording(made("t/a.yaml", trace(*two, other), as_yaml=True)).conversations
    assert [call.executed for each in calls for call in each.calls] == [True, False]


@pytest.mark.parametrize(
    ("run", "failed", "result"),
    [
        (
            event("mcp_tool_result", tool_name="get_order", arguments=ARGUMENTS, result=ORDER, is_error=True),
            True,
            ORDER,
        ),
        (event("mcp_tool_result", tool_name="get_order", arguments=ARGUMENTS, result=ORDER), None, ORDER),
        (TRACE_RESULT, None, ORDER),
    ],
)
def test_runs_on_a_server_are_runs_too(run, failed, result):
    (execution,) = readable(read_cassette(made("t/a.json", trace(run)))).interactions
    assert execution == ToolExecution(index=0, tool="get_order", arguments=ARGUMENTS, result=result, is_error=failed)


# ---------------------------------------------------------------- failures, halves, oddities


def bodies(content, path="t/a.json"):
    return [
        each.response and (each.response.body if each.response.chunks is None else each.response.chunks)
        for each in readable(read_cassette(made(path, content))).interactions
        if isinstance(each, Exchange)
    ]


def test_an_error_in_a_trace_answers_the_waiting_call():
    sent, got = traced(*CLAUDE_RUN[0])
    content = trace(sent, event("error", error_type="APIError", error_message="overloaded"), sent, got)
    assert bodies(content) == [{"error": {"message": "overloaded"}}, CLAUDE_RUN[0][1]]


def test_a_call_that_nothing_answered_stays_a_call():
    sent, got = traced(*CLAUDE_RUN[0])
    assert bodies(trace(sent)) == [None]
    assert bodies(trace(got, event("error", error_message="late"))) == [CLAUDE_RUN[0][1]]


def test_other_events_of_a_trace_are_passed_over():
    others = [event(kind) for kind in ("agent_decision", "retrieval", "tool_call", "mcp_server_connect", "anything")]
    assert readable(read_cassette(made("t/a.json", trace(*others)))).interactions == ()


CHUNK = {"object": "chat.completion.chunk", "choices": [{"delta": {"content": DONE}, "finish_reason": "stop"}]}


@pytest.mark.parametrize(
    ("content", "path"),
    [
        (agentape(taped(OPENAI_RUN[0][0], {}, streaming_chunks=[CHUNK])), "t/a.json"),
        (lines(LLM_CASSETTE[0], llm_cassette_call(OPENAI_RUN[0][0], {"chunks": [CHUNK]})), "t/a.jsonl"),
        (lines(LLM_CASSETTE[0], llm_cassette_call(CLAUDE_RUN[0][0], {"events": [CHUNK]})), "t/a.jsonl"),
        ({"version": 1, "steps": [step(0, "llm", "f", OPENAI_RUN[0][0], [CHUNK])]}, "t/a.json"),
    ],
)
def test_streams_are_kept_as_their_events(content, path):
    assert bodies(content, path) == [(CHUNK,)]
    assert recording(made(path, content)).conversations[0].steps[-1].text == DONE


def test_the_guess_of_tokens_is_not_read():
    read = recording(made("t/a.json", AGENTCASSETTE))
    assert [turn.usage.input_tokens for turn in read.conversations[0].turns if turn.usage] == [10, 10]


def test_a_wrapped_function_that_returns_words_has_no_usage():
    content = {"version": 1, "steps": [step(0, "llm", "ask", {"question": PROMPT}, DONE)]}
    read = recording(made("t/a.json", content))
    (trajectory,) = read.conversations
    assert [each.text for each in trajectory.steps] == [f'{{"question":"{PROMPT}"}}', DONE]
    assert "usage" in read.not_recorded


def test_arguments_by_position_stay_as_they_were_recorded():
    by_position = {"args": ["4471"], "kwargs": {}}
    content = {"version": 1, "steps": [{**step(0, "tool", "get_order", {}, ORDER), "arguments": by_position}]}
    (run,) = readable(read_cassette(made("t/a.json", content))).interactions
    assert isinstance(run, ToolExecution)
    assert run.arguments == by_position


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (logged("tool_call", "get_order", ARGUMENTS, None, error="no such order"), ("no such order", True)),
        (logged("tool_call", "get_order", ARGUMENTS, ORDER), (ORDER, None)),
    ],
)
def test_a_run_that_raised_is_an_error(line, expected):
    (run,) = readable(read_cassette(made("t/a.jsonl", lines(line)))).interactions
    assert isinstance(run, ToolExecution)
    assert (run.result, run.is_error) == expected


def test_a_model_call_that_raised_is_a_failure():
    line = logged("model_call", "create", OPENAI_RUN[0][0], None, error={"type": "APIError", "message": "overloaded"})
    (turn,) = recording(made("t/a.jsonl", lines(line))).conversations[0].turns
    assert turn.stop_reason == "error"


def test_hashes_are_kept_where_they_are_stored():
    (exchange, *_) = readable(read_cassette(made("t/a.json", CENDOR))).interactions
    assert isinstance(exchange, Exchange)
    assert exchange.key == "0" * 64
    (token,) = readable(read_cassette(made("t/a.json", MLX))).interactions
    assert isinstance(token, Exchange)
    assert token.key == "0a" * 32


def test_tokens_of_a_local_model_are_its_words_with_their_count():
    (trajectory,) = recording(made("t/a.yaml", MLX, as_yaml=True)).conversations
    (turn,) = trajectory.turns
    assert trajectory.steps[0].text == DONE
    assert turn.usage
    assert (turn.usage.input_tokens, turn.usage.output_tokens, turn.stop_reason) == (10, 2, "end_turn")


def test_a_recording_of_no_mlx_call_is_an_empty_cassette():
    assert readable(read_cassette(made("t/a.yaml", {"interactions": {}}, as_yaml=True))).interactions == ()


def test_answers_of_a_local_model_have_no_order():
    two = {"interactions": {**MLX["interactions"], "0b" * 32: MLX["interactions"]["0a" * 32]}}
    assert not readable(read_cassette(made("t/a.yaml", two, as_yaml=True))).ordered


# ---------------------------------------------------------------- what is none of them


@pytest.mark.parametrize(
    "content",
    [
        {**AGENTCASSETTE, "steps": []},
        {**AGENTCASSETTE, "steps": [{"index": 0, "type": "llm", "name": "f", "arguments": {}, "result": 1}]},
        {**CENDOR, "entries": [{**CENDOR["entries"][1], "kind": "other"}]},
        {**TRACE, "metadata": {}, "events": [TRACE_RESULT]},
        {**TRACE, "events": [{"type": "x"}]},
        {"provider": "openai", "interactions": [{"timestamp": "x", "request": {"url": "/"}, "response": {}}]},
        {"llmvcr_version": "0.1", "interactions": [{"request": {}}]},
        {"interactions": {"0a" * 32: [{"text": "x"}]}},
        {"interactions": {"short": []}},
        {"run_id": "r", "meta": {}, "interactions": [{"kind": "tool"}]},
        {"models": [], "conversations": [{"messages": [{"content": "x"}]}]},
        {"models": "m", "conversations": []},
        [{"type": "header", "format_version": 1, "more": 1}],
        [{"type": "header", "format_version": 1}, {"type": "tool_call", "name": "x"}],
        [OPENAI_TOOL],
    ],
)
def test_what_looks_alike_is_not_claimed(content):
    text = lines(*content) if isinstance(content, list) else content
    assert not hasattr(read_cassette(made("t/a.x", text)), "format")
