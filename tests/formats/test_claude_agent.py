"""Frames of the Claude Agent SDK: blocks with one message id are one answer, and the session's total belongs to no turn."""

import pytest

from reviewlib.formats import read_cassette
from reviewlib.model.cassette import Cassette, Exchange
from reviewlib.trajectory import read_recording
from tests.corpus import CORPUS, needs_corpus
from tests.formats.agent_samples import (
    ARGUMENTS,
    ASKED,
    CLAUDE_ASK,
    CLAUDE_RESULT,
    DONE,
    END,
    FRAMES,
    HELLO,
    PROMPT,
    RESULT,
    START,
    TREE,
    claude_answer,
    frame,
    lines,
    made,
    stdio,
    tape,
)
from tests.formats.samples import file, readable

WORDS = {"type": "text", "text": DONE}


def cassette(*frames: TREE) -> Cassette:
    found = readable(read_cassette(made("t/a.jsonl", lines(*tape(*frames)))))
    assert found.format == "claude-agent"
    return found


def answers(found: Cassette) -> list[TREE]:
    return [each.response.body for each in found.interactions if isinstance(each, Exchange) and each.response]


def histories(found: Cassette) -> list[list[TREE]]:
    return [each.request.body["messages"] for each in found.interactions if isinstance(each, Exchange) and each.request]


def said(number: int, *blocks: TREE, agent: str | None = None, **more: object) -> TREE:
    return frame("assistant", claude_answer(number, *blocks, **more), parent_tool_use_id=agent)


def test_blocks_with_one_message_id_are_one_answer():
    found = cassette(
        START, said(1, {"type": "thinking", "thinking": "Hm."}), said(1, CLAUDE_ASK), RESULT, said(2, WORDS)
    )
    first, second = answers(found)
    assert [block["type"] for block in first["content"]] == ["thinking", "tool_use"]
    assert second["content"] == [WORDS]
    assert [len(each) for each in histories(found)] == [1, 3]


def test_a_block_that_comes_after_a_result_still_belongs_to_its_answer():
    other = {**CLAUDE_ASK, "id": "toolu_2"}
    found = cassette(START, said(1, CLAUDE_ASK), RESULT, said(1, other))
    assert len(found.interactions) == 1
    (trajectory,) = read_recording(found).conversations
    assert [call.tool for call in trajectory.calls] == ["get_order"] * 2


def test_answers_without_an_id_are_answers_of_their_own():
    bare = {key: value for key, value in claude_answer(1, WORDS).items() if key != "id"}
    assert len(cassette(frame("assistant", bare), frame("assistant", bare)).interactions) == 2


def test_words_in_place_of_blocks_are_read():
    (answer,) = answers(cassette(frame("assistant", {**claude_answer(1), "content": DONE})))
    assert answer["content"] == [WORDS]


def test_the_model_asked_for_and_the_names_of_tools_come_from_the_start():
    (exchange,) = cassette(START, said(1, WORDS)).interactions
    assert isinstance(exchange, Exchange)
    assert exchange.request
    assert exchange.request.body == {
        "model": "claude-sonnet-5",
        "tools": [{"name": "get_order"}],
        "messages": [{"role": "user", "content": PROMPT}],
    }


def test_a_sub_agent_has_a_history_of_its_own():
    task = {"type": "tool_use", "id": "toolu_9", "name": "Task", "input": {"prompt": "Look it up"}}
    told = frame("user", {"role": "user", "content": "Look it up"}, parent_tool_use_id="toolu_9")
    back = frame("user", {"role": "user", "content": [{**CLAUDE_RESULT, "tool_use_id": "toolu_9"}]})
    inner = said(2, {"type": "text", "text": "Found."}, agent="toolu_9")
    found = cassette(START, said(1, task), told, inner, back, said(3, WORDS))
    main, sub = read_recording(found).conversations
    assert [step.text for step in sub.steps] == ["Look it up", "Found."]
    assert main.tools == ("Task",)
    assert main.steps[-1].text == DONE


def test_a_prompt_that_is_echoed_was_said_once():
    assert [len(each) for each in histories(cassette(START, {**ASKED, "isReplay": True}, said(1, WORDS)))] == [1]


def test_a_compacted_history_begins_anew():
    compacted = frame("system", subtype="compact_boundary")
    summary = frame("user", {"role": "user", "content": "So far: nothing."})
    found = cassette(START, said(1, CLAUDE_ASK), RESULT, compacted, summary, said(2, WORDS))
    assert histories(found)[1] == [{"role": "user", "content": "So far: nothing."}]


def test_without_prompts_every_finished_answer_ends_a_conversation():
    found = readable(read_cassette(made("t/a.jsonl", lines(*FRAMES[:-1], said(3, WORDS), END))))
    assert "user_messages" in found.not_recorded
    first, second = read_recording(found).conversations
    assert [len(first.turns), len(second.turns)] == [2, 1]
    assert all(turn.recorded for each in (first, second) for turn in each.turns)


# ---------------------------------------------------------------- usage and how it ended


@pytest.mark.parametrize(
    ("totals", "known"),
    [([10], True), ([5, 5], True), ([5, 10], True), ([415], False), ([], False), ([None], False), (["10"], False)],
)
def test_output_tokens_are_believed_where_they_add_up(totals, known):
    ends = [{**END, "usage": {"output_tokens": total}} for total in totals]
    found = cassette(*FRAMES[:-1], *ends)
    assert [body["usage"].get("output_tokens") for body in answers(found)] == ([5, 5] if known else [None, None])
    assert all(body["usage"]["input_tokens"] == 10 for body in answers(found))
    if totals and not known:
        assert "known for the session only" in found.notes[0]


def test_an_answer_that_says_how_it_ended_is_counted():
    found = cassette(START, said(1, WORDS, stop_reason="end_turn", output=7))
    assert answers(found)[0]["usage"]["output_tokens"] == 7


def test_the_total_of_the_session_is_added_to_no_turn():
    (trajectory,) = read_recording(cassette(*FRAMES)).conversations
    assert [turn.usage.output_tokens for turn in trajectory.turns if turn.usage] == [5, 5]


@pytest.mark.parametrize(
    ("end", "note"),
    [
        ({"subtype": "error_max_turns", "is_error": True}, ("The session ended with error_max_turns.",)),
        ({"subtype": "success", "is_error": False}, ()),
    ],
)
def test_a_session_that_ended_badly_says_so(end, note):
    assert cassette(*FRAMES[:-1], {**END, **end}).notes == note


def test_what_stays_inside_the_command_line_is_not_recorded():
    missing = read_recording(cassette(*FRAMES)).not_recorded
    assert {"system_prompt", "tool_schemas", "parameters", "http_status", "stop_reasons"} <= set(missing)
    assert not {"user_messages", "usage", "model", "requested_model", "tool_results"} & set(missing)


# ---------------------------------------------------------------- which files


@pytest.mark.parametrize(
    "odd",
    [
        {"dir": "read", "frame": "text"},
        {"dir": "write", "data": "no JSON"},
        {"dir": "write", "data": "[1]"},
        {"dir": "read", "frame": {"type": "rate_limit_event"}},
        {"dir": "read", "frame": {"type": "assistant"}},
        {"dir": "read", "frame": HELLO},
    ],
)
def test_frames_that_hold_nothing_are_passed_over(odd):
    found = readable(read_cassette(made("t/a.jsonl", lines(*tape(*FRAMES), odd))))
    assert len(found.interactions) == 2


@pytest.mark.parametrize(
    "items",
    [
        [{"dir": "read", "frame": {}}, {"dir": "write", "data": "{}"}],
        [{"dir": "up", "frame": {}}],
        [{"type": "user", "message": {"role": "user", "content": "x"}}],
        [{"type": "message", "role": "user"}],
        [{"type": "assistant", "text": "x", "session_id": "s"}],
        [{"type": "system"}, 5],
    ],
)
def test_other_lines_are_not_claimed(items):
    assert not hasattr(read_cassette(made("t/a.json", {"messages": items})), "format")


def test_both_directions_of_a_test_suite_are_read():
    found = readable(read_cassette(made("t/a.json", stdio(*FRAMES))))
    assert [call.arguments for each in read_recording(found).conversations for call in each.calls] == [ARGUMENTS]


@needs_corpus
@pytest.mark.parametrize(
    ("name", "turns", "tools", "total"),
    [
        ("pydantic-logfire__*claude_agent_sdk_tool_use*", 2, ("Bash",), 415),
        ("Arize-ai-openinference__*claude-agent-sdk*", 1, (), 4),
    ],
)
def test_real_sessions_are_read(name, turns, tools, total):
    (path,) = (CORPUS / "samples").glob(name)
    read = read_recording(readable(read_cassette(file(path.name, path.read_bytes()))))
    (trajectory,) = read.conversations
    assert (len(trajectory.turns), trajectory.tools) == (turns, tools)
    assert f"({total})" in read.notes[0]
