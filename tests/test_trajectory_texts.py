"""The texts of a conversation, gathered for one look at all of them."""

from reviewlib.model.call import Media, ToolSchema
from reviewlib.model.trajectory import Reasoning, ToolCall, Trajectory, Turn, UserMessage
from reviewlib.trajectory.resources import _ids
from reviewlib.trajectory.texts import asked, said, texts_in
from tests.trajectories import C, T, trajectory


def test_texts_stand_in_their_order_each_in_its_line_and_names_of_members_are_none():
    values = ["a", {"key": "b", "list": ["c", {"deep": "d"}], "number": 1}, None, 2.5, ["e"]]
    assert texts_in(values) == "a\nb\nc\nd\ne"
    assert texts_in([]) == texts_in([1, None, {"key": 2}]) == ""


def test_whatever_was_said_and_done_is_among_the_texts():
    run = trajectory(
        T([C("fetch", {"url": "in an argument"}, {"body": ["in a result"]})], text="in words", thinking="in thoughts"),
        T(text="at the end", failure="in a failure"),
        system="in the prompt",
        user="in a message",
    )
    texts = texts_in(said(run)).split("\n")
    assert {step.text for step in run.steps if step.text} <= {*texts}
    assert {"in an argument", "in a result"} <= {*texts}
    assert any(isinstance(step, Reasoning) for step in run.steps)
    assert any(isinstance(step, ToolCall) for step in run.steps)


def test_attachments_parameters_and_options_of_tools_are_among_the_texts():
    tool = ToolSchema(name="search", options={"store": "in an option"})
    message = UserMessage(index=0, turn=1, text="", media=(Media(media_type="image/png", url="at an address"),))
    turn = Turn(
        turn=1, interaction=0, provider="x", tools=(tool,), parameters={"user": "in a parameter"}, first=1, end=1
    )
    run = Trajectory(turns=(turn,), steps=(message,))
    assert texts_in(said(run)).split("\n") == ["", "at an address"]
    assert texts_in(asked(run)).split("\n") == ["in a parameter", "in an option"]


def test_an_id_ends_where_its_text_does_and_two_texts_make_none_together():
    assert _ids(["file-", "AbCdEfGh1234", "cfile_1"]) == []
    assert _ids(["see file-AbCdEfGh1234", "XyZ", ["and cntr_0123456789ab again", "cntr_0123456789ab"]]) == [
        "file-AbCdEfGh1234",
        "cntr_0123456789ab",
        "cntr_0123456789ab",
    ]
