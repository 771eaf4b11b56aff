"""Tool calls in prose, read only where the prompt defines the syntax."""

import pytest

from reviewlib.model.call import CallPart, ResultPart
from tests.providers.bodies import CHAT_ANSWER, CHAT_REQUEST, brief, must_read

SYNTAX = "Use this format:\nThought: think\nAction: the tool, one of [look_up]\nAction Input: the input\nObservation: the result"
ASKS = 'Thought: I must look.\nAction: look_up\nAction Input: {"city": "Oslo"}'


def _read(answer, *history, system=SYNTAX, tool_calls=None):
    messages = [{"role": "system", "content": system}, {"role": "user", "content": "How large is Oslo?"}, *history]
    message = {"role": "assistant", "content": answer, "tool_calls": tool_calls}
    body = CHAT_ANSWER | {"choices": [{"message": message, "finish_reason": "stop"}]}
    return must_read(CHAT_REQUEST | {"messages": messages}, body)


def _parts(*args, **more):
    response = _read(*args, **more).response
    assert response is not None
    return response.parts, response.stop_reason


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (ASKS, ["Thought: I must look.", ("look_up", {"city": "Oslo"})]),
        (f"```\n{ASKS}\n```\n", ["Thought: I must look.", ("look_up", {"city": "Oslo"})]),
        (f"{ASKS}\nObservation", ["Thought: I must look.", ("look_up", {"city": "Oslo"})]),
        ("Action: look_up\nAction Input: Oslo", [("look_up", "Oslo")]),
        ("Action: look_up\nAction Input:", [("look_up", {})]),
        ("Action: look_up\nAction Input: {oops", [("look_up", "{oops")]),
        (
            f"{ASKS}\nObservation: made up\nFinal Answer: 1",
            ["Thought: I must look.", ("look_up", {"city": "Oslo"}), "Observation: made up\nFinal Answer: 1"],
        ),
    ],
)
def test_an_action_is_a_call_with_origin_text(answer, expected):
    parts, stop = _parts(answer)
    assert brief(parts) == expected
    assert stop == "tool_use"
    assert [part.origin for part in parts if isinstance(part, CallPart)] == ["text"]


@pytest.mark.parametrize(
    "answer", ["Final Answer: 700,000", f"Final Answer: done\n{ASKS}", "Action: none", "An Action: x, Action Input: y"]
)
def test_other_words_call_nothing(answer):
    parts, stop = _parts(answer)
    assert brief(parts) == [answer]
    assert stop == "end_turn"


AGAIN = """I tried that before. Use this format:

```
Thought: you should always think about what to do
Action: {}
Action Input: the input to the action
Observation: the result of the action
```
"""


@pytest.mark.parametrize(
    "placeholder",
    [
        "the action to take, should be one of [look_up]",
        "one of [look_up, count]",
        "<tool>",
        "{tool_names}",
        "The name of the tool",
        "a tool",
        "your action",
    ],
)
def test_the_syntax_explained_again_is_no_call(placeholder):
    text = AGAIN.format(placeholder)
    parts, stop = _parts(text)
    assert (brief(parts), stop) == ([text], "end_turn")
    request = _read("Final Answer: x", {"role": "assistant", "content": text}).request
    assert request is not None
    assert [message.role for message in request.messages] == ["user", "assistant"]


def test_a_call_is_found_before_and_after_the_syntax_explained_again():
    explained = AGAIN.format("the tool, one of [look_up]")
    before, _ = _parts(f"{ASKS}\nObservation: {explained}")
    assert brief(before)[1] == ("look_up", {"city": "Oslo"})
    after, _ = _parts(f"{explained}\n{ASKS}")
    assert brief(after)[1] == ("look_up", {"city": "Oslo"})


def test_without_the_syntax_in_the_prompt_prose_stays_prose():
    parts, stop = _parts(ASKS, system="You are helpful.")
    assert (brief(parts), stop) == ([ASKS], "end_turn")


def test_the_assistant_alone_does_not_define_the_syntax():
    parts, _ = _parts(ASKS, {"role": "assistant", "content": f"{ASKS}\nObservation: x"}, system="You are helpful.")
    assert brief(parts) == [ASKS]


def test_native_calls_win():
    native = {"id": "c", "function": {"name": "f", "arguments": "{}"}}
    parts, _ = _parts(ASKS, tool_calls=[native])
    assert brief(parts) == [ASKS, ("f", {})]


@pytest.mark.parametrize(
    "history",
    [
        [{"role": "assistant", "content": f"{ASKS}\nObservation: 700,000 people"}],
        [{"role": "assistant", "content": ASKS}, {"role": "user", "content": "Observation: 700,000 people"}],
    ],
    ids=["in-the-same-message", "in-the-next-message"],
)
def test_the_observation_in_the_next_prompt_is_the_result(history):
    request = _read("Final Answer: 700,000", *history).request
    assert request is not None
    user, assistant, tool = request.messages
    assert (user.role, assistant.role, tool.role) == ("user", "assistant", "tool")
    assert brief(assistant.parts) == ["Thought: I must look.", ("look_up", {"city": "Oslo"})]
    assert tool.parts == (ResultPart(call_id=None, tool="look_up", result="700,000 people"),)


def test_an_observation_that_is_json_is_its_tree():
    request = _read(
        "Final Answer: x", {"role": "assistant", "content": f'{ASKS}\nObservation: {{"size": 1.0}}'}
    ).request
    assert request is not None
    assert brief(request.messages[-1].parts) == [("->", {"size": 1.0})]


def test_a_user_message_that_is_no_observation_stays_one():
    request = _read(
        "Final Answer: x", {"role": "assistant", "content": ASKS}, {"role": "user", "content": "Go on"}
    ).request
    assert request is not None
    assert [message.role for message in request.messages] == ["user", "assistant", "user"]


@pytest.mark.parametrize(
    "filler",
    [
        "Action:" + " \t" * 200_000,
        "Action: x\n" + "\n" * 300_000,
        ">" * 300_000,
        "Action: x\n" * 40_000,
        "Action: [x]\nAction Input: y\n" * 20_000,
    ],
    ids=["blanks", "lines", "quotes", "actions", "placeholders"],
)
def test_hostile_prose_is_read_in_linear_time(filler):
    parts, _ = _parts(filler)  # a pattern over both lines at once took minutes for the blanks
    assert len(parts) == 1
