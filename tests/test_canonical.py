import pytest

from reviewlib.canonical import behaviour_digest, behaviour_key, opening_key, request_digest, request_key
from reviewlib.model.call import ToolSchema
from tests.trajectories import C, T, call, trajectory

RUN = (T([C("a", {"x": 39.0, "y": 1}, {"r": 1}), C("b", {}, 2)], text="Let me see"), T(text="Done."))
BASE = trajectory(*RUN, tools=(ToolSchema(name="a"),), parameters={"max_tokens": 1})

SAME = {
    "the order of parallel calls": trajectory(T([*reversed(RUN[0].calls)], text="Let me see"), RUN[1]),
    "the order of keys, and how numbers are written": trajectory(
        T([C("a", {"y": 1.0, "x": 39}, {"r": 1.0}), C("b", {}, 2)], text="Let me see"), RUN[1]
    ),
    "wording": trajectory(T(RUN[0].calls, text="One moment"), T(text="Ready.")),
    "thinking": trajectory(T(RUN[0].calls, text="Let me see", thinking="hm"), RUN[1]),
    "tokens": trajectory(T(RUN[0].calls, text="Let me see", usage=(1, 2)), RUN[1]),
    "prompts": trajectory(*RUN, system="other"),
    "a snapshot's date": trajectory(*RUN, model="model-1-2025-01-01"),
}
OTHER = {
    "arguments": trajectory(T([C("a", {"x": 390, "y": 1}, {"r": 1}), C("b", {}, 2)]), RUN[1]),
    "results": trajectory(T([C("a", {"x": 39, "y": 1}, {"r": 2}), C("b", {}, 2)]), RUN[1]),
    "errors": trajectory(T([C("a", {"x": 39, "y": 1}, {"r": 1}, is_error=True), C("b", {}, 2)]), RUN[1]),
    "calls": trajectory(T([RUN[0].calls[0]]), RUN[1]),
    "turns": trajectory(T([RUN[0].calls[0]]), T([RUN[0].calls[1]]), RUN[1]),
    "stop reasons": trajectory(RUN[0], T(text="Done.", stop="max_tokens")),
    "failures": trajectory(RUN[0], T(failure="x", status=401)),
    "the served model's family": trajectory(*RUN, model="model-2"),
}


@pytest.mark.parametrize("what", SAME)
def test_behaviour_does_not_depend_on(what):
    assert behaviour_digest([SAME[what]]) == behaviour_digest([BASE])


@pytest.mark.parametrize("what", OTHER)
def test_behaviour_is_made_of(what):
    assert behaviour_digest([OTHER[what]]) != behaviour_digest([BASE])


@pytest.mark.parametrize(
    "edit", [{"system": "x"}, {"user": "x"}, {"model": "x"}, {"parameters": {}}, {"tools": (ToolSchema(name="b"),)}]
)
def test_the_request_is_made_of(edit):
    settings = {"tools": (ToolSchema(name="a"),), "parameters": {"max_tokens": 1}}
    assert request_digest([trajectory(*RUN, **{**settings, **edit})]) != request_digest([BASE])


def test_the_request_is_made_of_where_each_message_of_the_user_stands():
    early, late = ([T([C("a")], user=one), T([C("b")], user=other), T()] for one, other in (("x", None), (None, "x")))
    one, other = trajectory(*early), trajectory(*late)
    assert behaviour_digest([one]) == behaviour_digest([other])
    assert request_digest([one]) != request_digest([other])


def test_the_request_does_not_depend_on_what_the_agent_did_nor_on_null_padding():
    other = trajectory(
        call("z"), tools=(ToolSchema(name="a", description=""),), parameters={"max_tokens": 1, "seed": None}
    )
    assert request_key(other) == request_key(BASE)


def test_the_order_of_conversations_does_not_count():
    pair = [BASE, trajectory(call("z"))]
    assert behaviour_digest(pair) == behaviour_digest(pair[::-1])
    assert request_digest(pair) == request_digest(pair[::-1])


def test_an_opening_is_the_first_prompt_and_the_first_message():
    assert opening_key(BASE) == opening_key(trajectory(call("z")))
    assert opening_key(BASE) != opening_key(trajectory(*RUN, user="x"))


def test_text_that_no_encoding_can_hold_has_a_digest():
    assert behaviour_key(trajectory(call("a", {"x": "\ud800"})))
    assert behaviour_digest([trajectory(call("a", {"x": "\ud800"}))])
