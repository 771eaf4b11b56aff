"""Cassette → recording: what is read, what is other traffic, and what was never recorded."""

import pytest

from reviewlib.model.cassette import Cassette, Exchange, Fact, Interaction, Request, Response, ToolExecution
from reviewlib.model.frozen import Plain
from reviewlib.trajectory import read_recording

MESSAGES = "https://api.anthropic.com/v1/messages"
QUESTION = [{"role": "user", "content": "Refund order 4471"}]
CALL = {"type": "tool_use", "id": "toolu_1", "name": "get_order", "input": {"order_id": "4471"}}
RESULT = {"type": "tool_result", "tool_use_id": "toolu_1", "content": '{"total": 39.0}'}


def answer(*content: Plain, stop: str, usage: bool = True) -> Plain:
    return {
        "type": "message",
        "role": "assistant",
        "id": f"msg_{stop}",
        "model": "claude-sonnet-5",
        "content": list(content),
        "stop_reason": stop,
        "usage": {"input_tokens": 610, "output_tokens": 40} if usage else None,
    }


ASKS = answer(CALL, stop="tool_use")
ENDS = answer({"type": "text", "text": "Done."}, stop="end_turn")


def posted(index: int, messages: Plain, body: Plain, status: int | None = 200) -> Exchange:
    sent = {"model": "claude-sonnet-5", "max_tokens": 9, "system": "Be kind.", "messages": messages}
    return Exchange(
        index=index,
        request=Request(method="POST", uri=MESSAGES, body=sent),
        response=Response(status=status, body=body),
    )


def answered(index: int, body: Plain) -> Exchange:
    return Exchange(index=index, request=None, response=Response(body=body))


def cassette(*interactions: Interaction, **fields: Plain) -> Cassette:
    return Cassette(path="a.yaml", content="0", format="test", interactions=interactions, **fields)


RUN = (
    posted(0, QUESTION, ASKS),
    posted(2, [*QUESTION, {"role": "assistant", "content": [CALL]}, {"role": "user", "content": [RESULT]}], ENDS),
)


def test_a_run_over_http_is_read_with_nothing_missing() -> None:
    recording = read_recording(cassette(*RUN, notes=("Read by the generic fallback.",)))
    (trajectory,) = recording.conversations
    assert [step.kind for step in trajectory.steps] == ["system_prompt", "user_message", "tool_call", "assistant_text"]
    assert (trajectory.calls[0].call, trajectory.calls[0].result) == ("call-1", {"total": 39.0})
    assert recording.not_recorded == ()
    assert recording.notes == ("Read by the generic fallback.",)


def test_what_is_no_model_call_is_other_traffic() -> None:
    ping = Exchange(
        index=1, request=Request(method="GET", uri="https://shop.example/orders/4471"), response=Response(status=204)
    )
    nothing = Exchange(index=3, request=None, response=None)
    recording = read_recording(cassette(RUN[0], ping, RUN[1], nothing))
    assert len(recording.conversations) == 1
    assert [(one.interaction, one.method, one.uri, one.http_status) for one in recording.other_traffic] == [
        (1, "GET", "https://shop.example/orders/4471", 204),
        (3, None, None, None),
    ]


ASKED: tuple[Fact, ...] = (
    "requests",
    "system_prompt",
    "user_messages",
    "tool_schemas",
    "parameters",
    "requested_model",
)
RAN = ToolExecution(index=1, tool="get_order", arguments={"order_id": "4471"}, result={"total": 39})


@pytest.mark.parametrize(
    ("interactions", "missing"),
    [
        pytest.param((answered(0, ASKS), RAN, answered(2, ENDS)), (*ASKED, "http_status"), id="no requests"),
        pytest.param((answered(0, ASKS), answered(2, ENDS)), (*ASKED, "tool_results", "http_status"), id="no results"),
        pytest.param(
            (posted(0, QUESTION, answer(stop="end_turn", usage=False)),), ("usage",), id="no usage in any answer"
        ),
        pytest.param((posted(0, QUESTION, ENDS, None),), ("http_status",), id="recorded at the SDK"),
        pytest.param(
            (posted(0, QUESTION, None),), ("usage", "model", "stop_reasons", "answers"), id="answers left out"
        ),
        pytest.param((RAN,), ("model_calls",), id="tool runs alone"),
        pytest.param((), (), id="an empty cassette claims nothing"),
    ],
)
def test_facts_of_which_nothing_was_recorded_are_listed(
    interactions: tuple[Interaction, ...], missing: tuple[Fact, ...]
) -> None:
    assert read_recording(cassette(*interactions)).not_recorded == missing


@pytest.mark.parametrize(
    ("interactions", "missing"),
    [
        ((posted(0, QUESTION, ASKS), posted(2, [*QUESTION, {"role": "user", "content": "And?"}], ENDS)), ()),
        ((posted(0, QUESTION, ASKS),), ("tool_results",)),
    ],
    ids=["the next request is here, and has none", "there is no next request"],
)
def test_a_result_that_was_not_sent_back_is_no_fact_that_was_not_recorded(
    interactions: tuple[Interaction, ...], missing: tuple[Fact, ...]
) -> None:
    recording = read_recording(cassette(*interactions))
    assert (recording.conversations[0].calls[0].result_recorded, recording.not_recorded) == (False, missing)


def test_what_the_format_does_not_hold_is_kept_in_one_order_and_once() -> None:
    recording = read_recording(cassette(answered(0, ENDS), not_recorded=("http_status", "tool_errors", "requests")))
    assert recording.not_recorded == (*ASKED, "tool_errors", "http_status")


def test_a_run_is_the_result_where_the_recorder_saw_one() -> None:
    recording = read_recording(cassette(answered(0, ASKS), RAN, answered(2, ENDS)))
    call = recording.conversations[0].calls[0]
    assert (call.result, call.result_recorded, call.executed) == ({"total": 39}, True, True)


def test_a_run_that_was_seen_to_begin_only_has_no_result() -> None:
    begun = RAN.model_copy(update={"result": None, "result_recorded": False})
    for interactions in ((answered(0, ASKS), begun, answered(2, ENDS)), (begun,)):
        (call,) = read_recording(cassette(*interactions)).conversations[0].calls
        assert (call.result, call.result_recorded, call.executed) == (None, False, True)


@pytest.mark.parametrize(("sees", "executed"), [(True, False), (False, None)])
def test_a_call_was_not_executed_only_where_runs_are_seen(sees: bool, executed: bool | None) -> None:
    recording = read_recording(cassette(answered(0, ASKS), sees_executions=sees))
    assert recording.conversations[0].calls[0].executed is executed
    assert ("tool_results" in recording.not_recorded) is not sees


def test_the_order_of_files_does_not_count_where_the_cassette_says_so() -> None:
    backwards = cassette(*reversed(RUN), ordered=False)
    (trajectory,) = read_recording(backwards).conversations
    assert trajectory.tools == ("get_order",)
