"""Recorders that see tools run: an MCP client's messages, and a LangGraph agent's callbacks."""

import pytest

from reviewlib.formats import companions, read_cassette, read_cassettes
from reviewlib.model.cassette import Exchange, ToolExecution
from reviewlib.model.trajectory import Recording
from reviewlib.trajectory import read_recording
from tests.corpus import CORPUS, needs_corpus
from tests.formats.agent_samples import (
    ARGUMENTS,
    DONE,
    ENDED,
    GRAPH_EVENTS,
    GRAPH_MESSAGES,
    GRAPH_TURN,
    ORDER,
    PROMPT,
    RETURNED,
    STARTED,
    TREE,
    graph_turn,
    lines,
    made,
    mcp,
    mcp_answer,
    mcp_call,
    told,
)
from tests.formats.samples import file, readable

# ---------------------------------------------------------------- mcp-cassette


def runs(*payloads: tuple[str, TREE]) -> list[ToolExecution]:
    cassette = readable(read_cassette(made("t/a.mcp.json", mcp(*payloads))))
    assert cassette.format == "mcp-cassette"
    return [each for each in cassette.interactions if isinstance(each, ToolExecution)]


def words(text: str) -> TREE:
    return {"content": [{"type": "text", "text": text}]}


@pytest.mark.parametrize(
    ("answer", "result", "failed"),
    [
        ({"result": words('{"total": 39.0}')}, ORDER, False),
        ({"result": words("plain")}, "plain", False),
        ({"result": {**words("{}"), "structuredContent": ORDER}}, ORDER, False),
        ({"result": {**words("no such order"), "isError": True}}, "no such order", True),
        ({"result": {"content": []}}, [], False),
        ({"error": {"code": -32602, "message": "bad"}}, {"code": -32602, "message": "bad"}, True),
    ],
)
def test_a_call_is_a_run_with_its_result(answer, result, failed):
    (run,) = runs(mcp_call(1), mcp_answer(1, **answer))
    assert run == ToolExecution(index=0, tool="get_order", arguments=ARGUMENTS, result=result, is_error=failed)


def test_answers_are_linked_by_id_whatever_their_order():
    first, second = runs(
        mcp_call(1), mcp_call(2, {"order_id": "9"}), mcp_answer(2, result=words("b")), mcp_answer(1, result=words("a"))
    )
    assert (first.result, second.result) == ("a", "b")


def test_a_call_that_was_never_answered_stays_one():
    (run,) = runs(mcp_call(1), mcp_answer("1", result=words("not mine")))
    assert (run.result_recorded, run.is_error) == (False, None)


def test_messages_that_call_no_tool_are_passed_over():
    listed = ("client", {"id": 1, "method": "tools/list"})
    assert runs(listed, mcp_answer(1, result={"tools": []}), ("client", {"method": "notifications/initialized"})) == []


def test_nothing_of_the_model_is_recorded():
    read = read_recording(readable(read_cassette(made("t/a.json", mcp(mcp_call(1), mcp_answer(1, result=words("x")))))))
    assert {"model_calls", "requests", "usage", "model", "stop_reasons"} <= set(read.not_recorded)
    assert [call.executed for call in read.conversations[0].calls] == [True]


@pytest.mark.parametrize(
    "spoilt",
    [{"transport": None}, {"messages": [{"sender": "client"}]}, {"messages": [{"payload": {}}]}, {"messages": {}}],
)
def test_other_transcripts_are_not_claimed(spoilt):
    content = {**mcp(mcp_call(1)), **spoilt}
    if spoilt == {"transport": None}:
        del content["transport"]
    assert not hasattr(read_cassette(made("t/a.json", content)), "format")


# ---------------------------------------------------------------- langchain-replay


def recording(*turns: TREE) -> Recording:
    return read_recording(readable(read_cassette(made("t/case/recording.jsonl", lines(*turns)))))


def test_the_graphs_messages_say_what_an_answer_asked_for():
    (trajectory,) = recording(GRAPH_TURN).conversations
    assert [step.kind for step in trajectory.steps] == ["user_message", "assistant_text", "tool_call", "assistant_text"]
    (call,) = trajectory.calls
    assert (call.arguments, call.result, call.executed) == (ARGUMENTS, ORDER, True)


def test_a_call_that_did_not_run_is_seen_not_to():
    asked = [{"name": "get_order", "args": ARGUMENTS}, {"name": "delete_order", "args": {}}]
    messages = [GRAPH_MESSAGES[0], {**GRAPH_MESSAGES[1], "tool_calls": asked}, *GRAPH_MESSAGES[2:]]
    (trajectory,) = recording(graph_turn(*GRAPH_EVENTS, messages=messages)).conversations
    assert [call.executed for call in trajectory.calls] == [True, False]


def test_where_the_graph_failed_the_runs_tell_what_was_asked():
    (trajectory,) = recording(graph_turn(*GRAPH_EVENTS)).conversations
    assert trajectory.tools == ("get_order",)


def test_parallel_runs_return_in_any_order():
    other = {"order_id": "9"}
    asked = [{"name": "get_order", "args": ARGUMENTS}, {"name": "check", "args": other}]
    events = (
        told(ENDED, content=""),
        told(STARTED, "get_order", input=ARGUMENTS),
        told(STARTED, "check", input=other),
        told(RETURNED, "check", output="fine"),
        told(RETURNED, "get_order", output="found"),
        told(ENDED, content=DONE),
    )
    messages = [{"type": "ai", "tool_calls": asked}, {"type": "ai", "content": DONE}]
    (trajectory,) = recording(graph_turn(*events, messages=messages)).conversations
    assert [(call.tool, call.result) for call in trajectory.calls] == [("get_order", "found"), ("check", "fine")]


def test_a_tool_that_did_not_return_has_no_result():
    (trajectory,) = recording(graph_turn(*GRAPH_EVENTS[:2])).conversations
    (run,) = [
        each
        for each in recording(graph_turn(*GRAPH_EVENTS[:2])).cassette.interactions
        if isinstance(each, ToolExecution)
    ]
    assert not run.result_recorded
    assert trajectory.tools == ("get_order",)


def test_a_result_without_a_start_is_a_run_without_arguments():
    read = recording(graph_turn(told(ENDED, content=DONE), told(RETURNED, "get_order", output="found")))
    (run,) = [each for each in read.cassette.interactions if isinstance(each, ToolExecution)]
    assert (run.arguments_recorded, run.result) == (False, "found")


def test_turns_of_one_graph_are_one_conversation():
    again = [*GRAPH_MESSAGES, {"type": "human", "content": "Thanks"}, {"type": "ai", "content": "Welcome."}]
    second = graph_turn(told(ENDED, content="Welcome."), messages=again, said="Thanks")
    (trajectory,) = recording(GRAPH_TURN, second).conversations
    assert [step.text for step in trajectory.steps if step.kind == "user_message"] == [PROMPT, "Thanks"]
    assert len(trajectory.turns) == 3


def test_turns_of_two_graphs_are_two_conversations():
    fresh = graph_turn(told(ENDED, content="Hi."), messages=[{"type": "ai", "content": "Hi."}], said="Hello")
    assert len(recording(GRAPH_TURN, fresh).conversations) == 2


@pytest.mark.parametrize(
    "content",
    ["Refunded.", [{"type": "text", "text": "Refun"}, {"type": "text", "text": "ded."}, {"type": "tool_use"}]],
)
def test_words_may_come_in_blocks(content):
    (trajectory,) = recording(graph_turn(told(ENDED, content=content))).conversations
    assert trajectory.steps[-1].text == DONE


def test_a_question_beside_the_agent_is_a_conversation_of_its_own():
    question = {"type": "ask_call", "prompt": "Why?", "response": "So."}
    first, _ = recording(question, GRAPH_TURN).conversations
    assert [step.text for step in first.steps] == ["Why?", "So."]


def test_metadata_beside_a_recording_belongs_to_it():
    metadata = file("t/case/metadata.json", {"created_at": "2026-11-30T09:42:50+00:00", "num_turns": 1})
    (cassette,) = read_cassettes([metadata, made("t/case/recording.jsonl", lines(GRAPH_TURN))])
    assert readable(cassette).recorded_at == 1796031770.0
    assert readable(cassette).path == "t/case/recording.jsonl"


@pytest.mark.parametrize("text", ["[]", "{", '{"created_at": 5, "x": [[[]]]}'])
def test_broken_metadata_harms_nothing(text):
    (cassette,) = read_cassettes([file("t/metadata.json", text), made("t/recording.jsonl", lines(GRAPH_TURN))])
    assert readable(cassette).interactions


@pytest.mark.parametrize(
    ("path", "other"),
    [
        ("t/recording.jsonl", "t/metadata.json"),
        ("t/metadata.json", "t/recording.jsonl"),
        ("recording.jsonl", "metadata.json"),
    ],
)
def test_each_of_the_two_files_names_the_other(path, other):
    found = companions(path)
    assert found
    assert found.holds(other)
    assert not found.holds(path)


@pytest.mark.parametrize(
    "line",
    [
        {"type": "turn", "events": []},
        {"type": "turn", "user_message": "x", "events": [{}]},
        {"type": "ask_call", "prompt": "x"},
        {"type": "other"},
    ],
)
def test_other_lines_are_not_claimed(line):
    assert not hasattr(read_cassette(made("t/a.jsonl", lines(GRAPH_TURN, line))), "format")


@needs_corpus
@pytest.mark.parametrize("side", ["base", "head"])
def test_recorded_folders_are_one_cassette_each(side):
    root = CORPUS / "recorders" / "langchain-replay" / side
    files = [file(path.relative_to(root).as_posix(), path.read_bytes()) for path in root.rglob("*.json*")]
    cassettes = [readable(each) for each in read_cassettes(files)]
    assert len(cassettes) * 2 == len(files) == 12
    assert all(sum(isinstance(each, Exchange) for each in cassette.interactions) >= 3 for cassette in cassettes)
