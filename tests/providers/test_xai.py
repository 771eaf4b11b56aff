"""xAI's gRPC chat, in the JSON form of its messages."""

import pytest

from reviewlib.model.call import CallPart, ResultPart
from tests.providers.bodies import answered, brief, sent
from tests.providers.dialects import XAI_ANSWER, XAI_CALL, XAI_REQUEST, xai_chunk

RAN = XAI_CALL | {
    "id": "call_9",
    "type": "TOOL_CALL_TYPE_WEB_SEARCH_TOOL",
    "function": {"name": "web_search", "arguments": '{"q": 1}'},
}


def _answer(*messages, finish="REASON_STOP", **more):
    outputs = [{"message": {"role": "ROLE_ASSISTANT"} | message} for message in messages]
    outputs[-1]["finish_reason"] = finish
    return XAI_ANSWER | {"outputs": outputs} | more


def _request(*messages):
    return sent(XAI_REQUEST | {"messages": list(messages)})


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"content": "a"}, ["a"]),
        ({"reasoning_content": "hm", "content": "a"}, [{"hm"}, "a"]),
        ({"encrypted_content": "x", "content": "a"}, [{None}, "a"]),
        ({"tool_calls": [XAI_CALL]}, [("get_order", {"order_id": "7"})]),
        ({"content": [{"text": "a"}, {"novelty": 1}]}, ["a", '{"novelty": 1}']),
    ],
)
def test_messages(message, expected):
    assert brief(answered(_answer(message)).parts) == expected


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("REASON_STOP", "end_turn"),
        ("REASON_TOOL_CALLS", "tool_use"),
        ("REASON_MAX_LEN", "max_tokens"),
        ("REASON_MAX_CONTEXT", "max_tokens"),
        ("REASON_TIME_LIMIT", "other"),
        ("REASON_NOVELTY", "other"),
    ],
)
def test_how_an_answer_ends(raw, expected):
    response = answered(_answer({"content": "x"}, finish=raw))
    assert (response.stop_reason, response.stop_reason_raw) == (expected, raw)


@pytest.mark.parametrize(
    "recorded",
    [
        {
            "answer": _answer(
                {"tool_calls": [RAN]},
                {"role": "ROLE_TOOL", "content": '{"hits": 1}', "tool_calls": [RAN]},
                {"content": "Found."},
            )
        },
        {
            "chunks": [
                xai_chunk(tool_calls=[RAN]),
                xai_chunk("REASON_TOOL_CALLS"),
                xai_chunk(index=1, role="ROLE_TOOL", content='{"hits": 1}', tool_calls=[RAN]),
                xai_chunk(index=2, content="Found."),
                xai_chunk("REASON_STOP", index=2),
            ]
        },
    ],
    ids=["whole", "streamed"],
)
def test_a_tool_that_xai_runs_has_its_result_in_the_same_answer(recorded):
    response = answered(**recorded)
    call, words = response.parts
    assert isinstance(call, CallPart)
    assert (call.tool, call.server_side, call.result, call.result_recorded) == ("web_search", True, {"hits": 1}, True)
    assert (brief((words,)), response.stop_reason, response.complete) == (["Found."], "end_turn", True)


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"prompt_tokens": 5, "completion_tokens": 3, "total_tokens": 8}, (5, 3, None)),
        ({"prompt_tokens": 5, "completion_tokens": 3, "reasoning_tokens": 2, "total_tokens": 10}, (5, 5, 2)),
        ({"prompt_tokens": 5, "reasoning_tokens": 2, "total_tokens": 7}, (5, 2, 2)),
        ({"prompt_tokens": 5, "total_tokens": 9}, (5, None, None)),
    ],
)
def test_tokens_include_the_reasoning_ones(usage, expected):
    counted = answered(_answer({"content": "x"}, usage=usage)).usage
    assert counted is not None
    assert (counted.input_tokens, counted.output_tokens, counted.reasoning_tokens) == expected


def test_without_counts_the_usage_is_unknown():
    assert answered(_answer({"content": "x"}, usage={})).usage is None


def test_chunks_may_come_without_their_wrapper():
    chunks = [xai_chunk(content="a")["chunk"], xai_chunk("REASON_STOP")["chunk"]]
    assert brief(answered(chunks=chunks).parts) == ["a"]


# -- requests ---------------------------------------------------------------------------------------------------------------


def test_histories():
    request = _request(
        {"role": "ROLE_DEVELOPER", "content": [{"text": "S"}]},
        {"role": "ROLE_USER", "content": [{"text": "Q"}, {"image_url": {"image_url": "https://a.test/i.png"}}]},
        {"role": "ROLE_ASSISTANT", "content": [{"text": ""}], "tool_calls": [XAI_CALL]},
        {"role": "ROLE_TOOL", "content": [{"text": '{"a": 1}'}]},
    )
    assert request.system == "S"
    assert [(message.role, brief(message.parts)) for message in request.messages] == [
        ("user", ["Q", ("image", None, None, "https://a.test/i.png")]),
        ("assistant", [("get_order", {"order_id": "7"})]),
        ("tool", [("->", {"a": 1})]),
    ]


@pytest.mark.parametrize(
    ("named", "call_id"), [({"tool_call_id": "call_1"}, "call_1"), ({}, None), ({"tool_calls": [XAI_CALL]}, "call_1")]
)
def test_a_result_names_its_call_or_none(named, call_id):
    (message,) = _request({"role": "ROLE_TOOL", "content": [{"text": "x"}]} | named).messages
    assert message.parts == (ResultPart(call_id=call_id, result="x"),)


def test_files_are_told_by_their_id():
    (message,) = _request({"role": "ROLE_USER", "content": [{"file": {"file_id": "file-1"}}]}).messages
    assert brief(message.parts) == [("file", None, None, "file-1")]


def test_tools_of_xai_are_offered_by_name():
    offered = sent(
        XAI_REQUEST | {"tools": [{"web_search": {"enable_image_understanding": True}}, {"code_execution": {}}]}
    ).tools
    assert [(tool.name, tool.options) for tool in offered] == [
        ("web_search", {"enable_image_understanding": True}),
        ("code_execution", {}),
    ]


def test_a_stored_conversation_is_continued_by_id():
    request = sent(XAI_REQUEST | {"previous_response_id": "x0", "temperature": 0.5})
    assert (request.previous, request.parameters) == ("x0", {"temperature": 0.5})
