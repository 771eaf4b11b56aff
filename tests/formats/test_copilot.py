"""Copilot's snapshots: conversations that repeat one another's beginnings tell every answer once."""

import pytest

from reviewlib.errors import DecodeError
from reviewlib.formats import read_cassette, session
from reviewlib.formats.session import Session
from reviewlib.model.cassette import Cassette, Exchange, Unreadable
from reviewlib.model.trajectory import Recording
from reviewlib.trajectory import read_recording
from tests.corpus import CORPUS, needs_corpus
from tests.formats.agent_samples import COPILOT_SENT, DONE, PROMPT, TREE, copilot, made, openai_call
from tests.formats.samples import file, readable

SAID = {"role": "assistant", "content": "Looking."}
FIRST, SECOND = openai_call(0), openai_call(1, "check_refund_policy")


def asks(*calls: TREE, words: str | None = None) -> TREE:
    return {"role": "assistant", "content": words, "tool_calls": list(calls)}


def result(number: int, words: str = "ok") -> TREE:
    return {"role": "tool", "tool_call_id": f"call_{number}", "content": words}


def user(words: str) -> TREE:
    return {"role": "user", "content": words}


ENDS = {"role": "assistant", "content": DONE}


def cassette(*conversations: list[TREE], **more: list[str]) -> Cassette:
    return readable(read_cassette(made("t/a.yaml", copilot(*conversations, **more), as_yaml=True)))


def recording(*conversations: list[TREE]) -> Recording:
    return read_recording(cassette(*conversations))


def calls(*conversations: list[TREE]) -> list[Exchange]:
    return [each for each in cassette(*conversations).interactions if isinstance(each, Exchange)]


def test_every_answer_in_a_conversation_is_a_call():
    first, second = calls([*COPILOT_SENT, asks(FIRST), result(0), ENDS])
    assert first.request
    assert second.request
    assert first.request.body == {"model": "claude-sonnet-4.5", "messages": [user(PROMPT)]}
    assert [message["role"] for message in second.request.body["messages"]] == ["user", "assistant", "tool"]


def test_messages_of_one_answer_stand_as_one_in_the_histories_after_it():
    apart = [*COPILOT_SENT, SAID, asks(FIRST), asks(SECOND)]
    together = [*COPILOT_SENT, asks(FIRST, SECOND, words="Looking."), result(0), result(1), ENDS]
    told = calls(apart, together)
    assert len(told) == 2
    (trajectory,) = recording(apart, together).conversations
    assert trajectory.tools == ("get_order", "check_refund_policy")
    assert [turn.recorded for turn in trajectory.turns] == [True, True]


def test_a_result_in_two_wordings_is_the_same_history():
    begun = [*COPILOT_SENT, asks(FIRST), result(0, "no such tool; known are a, b"), ENDS]
    continued = [*COPILOT_SENT, asks(FIRST), result(0, "no such tool"), ENDS, user("And now?"), SAID]
    (trajectory,) = recording(begun, continued).conversations
    assert len(trajectory.turns) == 3
    assert trajectory.calls[0].result == "no such tool; known are a, b"


def test_an_answer_edited_on_its_way_into_the_history_is_no_second_one():
    begun = [*COPILOT_SENT, asks(openai_call(0, arguments={"value": "original"}))]
    edited = [*COPILOT_SENT, asks(openai_call(0, arguments={"value": "modified"})), result(0), ENDS]
    (trajectory,) = recording(begun, edited).conversations
    assert [call.arguments for call in trajectory.calls] == [{"value": "original"}]
    assert trajectory.calls[0].result == "ok"


def test_two_answers_to_one_request_are_two():
    assert len(calls([*COPILOT_SENT, SAID], [*COPILOT_SENT, ENDS])) == 2


def test_conversations_of_their_own_stay_apart():
    other = [COPILOT_SENT[0], user("Something else"), ENDS]
    assert len(recording([*COPILOT_SENT, ENDS], other).conversations) == 2


def test_a_request_that_nothing_answers_is_a_call_without_an_answer():
    *_, last = calls([*COPILOT_SENT, asks(FIRST), result(0)])
    assert last.response is None


def test_a_system_prompt_is_held_where_it_is_no_placeholder():
    own = {"role": "system", "content": "Be brief."}
    assert "system_prompt" in cassette([*COPILOT_SENT, ENDS]).not_recorded
    held = cassette([own, user(PROMPT), ENDS])
    assert "system_prompt" not in held.not_recorded
    assert read_recording(held).conversations[0].steps[0].text == "Be brief."


@pytest.mark.parametrize(("models", "known"), [(["a"], True), (["a", "b"], False)])
def test_which_model_was_asked_is_known_where_there_is_only_one(models, known):
    found = cassette([*COPILOT_SENT, ENDS], models=models)
    assert ("requested_model" not in found.not_recorded) is known
    (exchange,) = found.interactions
    assert isinstance(exchange, Exchange)
    assert exchange.model == ("a" if known else None)


def test_a_conversation_without_messages_tells_nothing():
    assert calls([], [COPILOT_SENT[0]]) == []


def test_what_neither_usage_nor_a_reason_was_kept_of_is_said():
    missing = recording([*COPILOT_SENT, ENDS]).not_recorded
    assert {"tool_schemas", "parameters", "usage", "model", "stop_reasons", "http_status", "tool_errors"} <= set(
        missing
    )


# ---------------------------------------------------------------- the history that requests are sent with


def test_a_request_holds_the_history_of_its_time():
    told = Session("contents")
    told.say([1])
    first = told.request(model="m", tools=None)
    told.say([2])
    assert first.body == {"model": "m", "contents": [1]}
    assert told.request().body == {"contents": [1, 2]}


def test_a_session_without_end_is_refused(monkeypatch):
    monkeypatch.setattr(session, "MAX_SENT", 10)
    told = Session()
    told.say(range(6))
    told.request()
    with pytest.raises(DecodeError, match="too long"):
        told.request()


def test_the_limit_is_for_all_conversations_of_a_file(monkeypatch):
    monkeypatch.setattr(session, "MAX_SENT", 3)
    told = Session("contents")
    for each in (told, told.another()):
        each.say([1])
        each.request()
    other = told.another()
    assert (other.key, other.history) == ("contents", [])
    other.say([1, 2])
    with pytest.raises(DecodeError):
        other.request()


def test_a_snapshot_without_end_is_unreadable(monkeypatch):
    monkeypatch.setattr(session, "MAX_SENT", 10)
    long = [message for number in range(9) for message in (user(str(number)), {**SAID, "content": str(number)})]
    result_ = read_cassette(made("t/a.yaml", copilot(long), as_yaml=True))
    assert isinstance(result_, Unreadable)
    assert result_.stage == "parse"


# ---------------------------------------------------------------- recorded ones

EDITED = {
    "base/vision_enabled_then_disabled_via_setmodel.yaml": 2,
    "head/vision_enabled_then_disabled_via_setmodel.yaml": 2,
    "head/vision_disabled_then_enabled_via_setmodel.yaml": 3,
}
"""Calls told twice: the harness took an image out of the history, so the run goes on from another one."""

SUB_AGENTS = {
    f"{side}/{name}": 1
    for side in ("base", "head")
    for name in (
        "should_allow_subagents_to_use_sql_tool_via_inherited_sessionfs.yaml",
        "should_invoke_pretooluse_and_posttooluse_hooks_for_sub_agent_tool_calls.yaml",
    )
}
"""Calls whose id another agent of the same file has used: ids are numbered in each conversation."""


@needs_corpus
def test_every_call_of_a_public_pair_is_read_once():
    """Counted apart by the distinct ids in the raw text: 274 in 136 files."""
    folder = CORPUS / "public" / "copilot-cli-bump"
    paths = sorted(path for path in folder.rglob("*.yaml") if path.is_file())
    counted = 0
    for path in paths:
        raw, name = path.read_bytes(), f"{path.relative_to(folder).parts[0]}/{path.name}"
        ids = {line.strip() for line in raw.splitlines() if line.strip().startswith(b"- id: toolcall_")}
        read = read_recording(readable(read_cassette(file(path.name, raw))))
        found = sum(len(each.calls) for each in read.conversations)
        assert found == len(ids) + EDITED.get(name, SUB_AGENTS.get(name, 0)), path
        assert read.orphans == ()
        counted += len(ids)
    assert (len(paths), counted) == (136, 274)
