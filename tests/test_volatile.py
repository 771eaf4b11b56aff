import pytest

from reviewlib.diff import diff
from reviewlib.errors import PolicyError
from reviewlib.volatile import parse, settled, without
from tests.trajectories import T, call, recording, trajectory


@pytest.mark.parametrize(
    ("value", "path", "left"),
    [
        ({"a": 1, "b": 2}, "a", {"b": 2}),
        ({"a": {"b": 1, "c": 2}}, "a.b", {"a": {"c": 2}}),
        ({"a": [{"id": 1, "n": 2}, {"id": 3}]}, "a.*.id", {"a": [{"n": 2}, {}]}),
        ({"a": [{"id": 1, "n": 2}]}, "a.id", {"a": [{"n": 2}]}),
        ({"x": {"t": 1}, "y": {"t": 2, "u": 3}}, "*.t", {"x": {}, "y": {"u": 3}}),
        ({"a": 1}, "b", {"a": 1}),
        ("text", "a", "text"),
        (None, "a", None),
    ],
)
def test_what_stands_at_a_path_is_left_out(value, path, left):
    assert without(value, tuple(path.split("."))) == left


RULES = ["tool_call[search].arguments.request_id", "tool_call[*].result.took_ms", "parameters.seed"]


def run(number):
    return recording(
        trajectory(
            call("search", {"q": "x", "request_id": number}, {"hits": 1, "took_ms": number}),
            T(text="Done."),
            parameters={"seed": number},
        )
    )


def test_volatile_fields_of_the_policy_are_not_compared():
    one, other = (settled(run(number), parse(RULES)) for number in (1, 2))
    assert diff(one, other, 0.1).changes == ()
    assert [change.kind for change in diff(run(1), run(2), 0.1).changes] == ["parameters", "arguments", "result"]


def test_a_rule_is_for_its_tool_only_and_steps_keep_their_numbers():
    one, other = (settled(run(number), parse(["tool_call[fetch].arguments.request_id"])) for number in (1, 2))
    assert "arguments" in [change.kind for change in diff(one, other, 0.1).changes]
    assert [step.index for step in one.conversations[0].steps] == [0, 1, 2, 3]


def test_a_rule_without_a_path_ignores_the_whole_value():
    one, other = (
        settled(run(number), parse(["tool_call[search].result", *RULES[:1], *RULES[2:]])) for number in (1, 2)
    )
    assert diff(one, other, 0.1).changes == ()


@pytest.mark.parametrize(
    "rule", ["", "search.arguments.x", "tool_call.arguments.x", "tool_call[x].argument.y", "parameters"]
)
def test_what_is_no_rule_is_refused_with_the_forms_that_there_are(rule):
    with pytest.raises(PolicyError, match=r"tool_call\[TOOL\]\.arguments\.PATH"):
        parse([rule])
