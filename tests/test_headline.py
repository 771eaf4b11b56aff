import pytest

from reviewlib.diff import diff
from reviewlib.headline import headline, value
from reviewlib.model.call import ToolSchema
from reviewlib.model.change import Absent
from reviewlib.model.trajectory import OtherTraffic
from tests.trajectories import C, T, call, recording, trajectory

GET = call("get_order", {"order_id": "4471"}, {"total": 39.0})
CHECK = call("check_policy", {"order_id": "4471"}, {"eligible": True})
DONE = T(text="I refunded $39.00.", usage=(100, 10))


def refund(**arguments):
    return call("issue_refund", {"order_id": "4471", "amount": 39.0, **arguments}, {"ok": True})


BASE = (GET, CHECK, refund(), DONE)

SENTENCES = [
    ((GET, CHECK, refund(), DONE), {}, "the same but for ids, times and headers"),
    ((GET, refund(), DONE), {}, "drops check_policy before issue_refund"),
    ((GET, CHECK, refund(amount=390.0), DONE), {}, "issue_refund.amount 39 → 390"),
    ((GET, CHECK, refund(order_id=4471), DONE), {}, 'issue_refund.order_id "4471" → 4471'),
    ((GET, CHECK, refund(reason="damaged"), DONE), {}, "issue_refund.reason nothing → damaged"),
    ((GET, CHECK, refund(amount=1, reason="x"), DONE), {}, "issue_refund.amount 39 → 1 and 1 more"),
    ((CHECK, GET, refund(), DONE), {}, "check_policy now before get_order"),
    ((GET, CHECK, refund(), CHECK, DONE), {}, "adds check_policy"),
    ((refund(amount=1.0), *BASE), {}, "adds issue_refund before get_order"),
    ((call("get_order", {"id": 1}, {}), *BASE), {}, "adds an earlier get_order"),
    ((GET, CHECK, refund(), T(text="Sent you $39.00.", usage=(100, 10))), {}, "reworded"),
    ((GET, CHECK, refund(), T(text="I refunded $390.00.", usage=(100, 10))), {}, "the answer says 39 → 390"),
    ((GET, CHECK, T(text="I", stop="max_tokens")), {}, "stop reason tool_use → max_tokens, loses issue_refund"),
    ((T(failure="no", status=401),), {}, "HTTP 200 → 401, loses get_order, check_policy and 1 more call"),
    (
        (T(failure="out of capacity", status=200),),
        {},
        "an error in place of an answer: out of capacity, loses get_order, check_policy and 1 more call",
    ),
    ((T([*GET.calls, *CHECK.calls]), refund(), DONE), {}, "get_order, check_policy in 1 turn instead of 2"),
    (BASE, {"system": "x"}, "system prompt edited"),
    (BASE, {"system": None}, "system prompt dropped"),
    (BASE, {"user": "x"}, "user message edited"),
    (BASE, {"model": "model-2"}, "model model-1 → model-2"),
    (BASE, {"parameters": {"top_p": 1}}, "parameter top_p nothing → 1"),
]


@pytest.mark.parametrize(("turns", "edit", "sentence"), SENTENCES)
def test_a_pair_is_told_in_one_sentence_with_the_values_that_decide(turns, edit, sentence):
    one = recording(trajectory(*BASE, parameters={}))
    other = recording(trajectory(*turns, **{"parameters": {}, **edit}))
    assert headline(diff(one, other, 0.1).changes, "modified", one, other) == sentence


def test_the_riskiest_comes_first_and_the_tokens_last():
    one = recording(trajectory(T(GET.calls, usage=(10, 1)), T(CHECK.calls, usage=(10, 1)), DONE))
    other = recording(
        trajectory(T(GET.calls, usage=(10, 1)), T(text="I refunded $39.00.", usage=(500, 10)), system="x")
    )
    assert headline(diff(one, other, 0.1).changes, "modified", one, other) == (
        "drops check_policy; system prompt edited; +389 tokens"
    )


def test_many_causes_are_counted():
    one = recording(trajectory(*(call(name) for name in "abcde"), DONE))
    other = recording(trajectory(DONE))
    assert headline(diff(one, other, 0.1).changes, "modified", one, other) == (
        "drops a before b; drops b before c; drops c before d; and 2 more"
    )


def test_token_counts_with_the_same_sum_say_what_moved():
    one, other = (recording(trajectory(T(text="Done.", usage=usage))) for usage in ((100, 10), (90, 20)))
    assert headline(diff(one, other, 0.1).changes, "modified", one, other) == "-10 input, +10 output tokens"


def test_conversations_that_are_new_or_gone_are_counted():
    one, more = recording(trajectory(*BASE)), recording(*(trajectory(*BASE, user=f"Order {n}?") for n in "abc"))
    none, gone = recording(trajectory(*BASE, user="Order a?")), diff(more, one, 0.1)
    assert headline(diff(none, more, 0.1).changes, "modified", none, more).startswith("2 conversations are new")
    assert "2 conversations are gone" in headline(gone.changes, "modified", more, one)


def test_a_new_and_a_removed_cassette_say_what_they_hold():
    run = recording(trajectory(GET, T([C("a"), C("b"), C("c"), C("d"), C("e")]), DONE))
    assert headline((), "added", None, run) == "new cassette: get_order → a → b → c → d and 1 more call"
    assert headline((), "removed", recording(trajectory(DONE)), None) == "cassette removed; it held no tool calls"


def test_an_empty_cassette_says_that_nothing_was_recorded():
    assert headline((), "modified", recording(), recording()) == "nothing was recorded"


def test_a_cassette_of_traffic_alone_holds_no_model_calls_which_is_more_than_nothing():
    listed = OtherTraffic(interaction=0, method="GET", uri="https://api.example.com/v1/models", http_status=200)
    asked = recording(other_traffic=(listed,))
    assert headline((), "removed", asked, None) == "cassette removed; it held no model calls"
    assert headline((), "added", None, recording()) == "new cassette: nothing recorded"


LONG = "The order was delivered to the customer's door and signed for "
MOVES = [
    ({"a": {"x": 1}}, {"b": {"inner": {"x": 1}}}, "parameter a moved to b.inner"),
    ({"a": 1}, {"b": 1}, "parameter a moved to b"),
    ({"a": 1}, {"b": 2}, "parameter a 1 → nothing and 1 more"),
    ({"a": f"{LONG}on Monday"}, {"a": f"{LONG}on Tuesday"}, "parameter a …for on Monday → …for on Tuesday"),
]


@pytest.mark.parametrize(("one", "other", "sentence"), MOVES)
def test_a_parameter_that_moved_and_a_long_value_are_told_by_what_differs(one, other, sentence):
    sides = [recording(trajectory(DONE, parameters=parameters)) for parameters in (one, other)]
    assert headline(diff(*sides, 0.1).changes, "modified", *sides) == sentence


@pytest.mark.parametrize(
    ("plain", "text"),
    [
        (39.0, "39"),
        ("39", '"39"'),
        ("true", '"true"'),
        (True, "true"),
        (None, "null"),
        (Absent(), "nothing"),
        ("two\nlines", "two lines"),
        ({"b": 1, "a": 2}, '{"a":2,"b":1}'),
        ("x y" * 40, ("x y" * 40)[:39] + "…"),
        ("x" * 100, "x" * 79 + "…"),
    ],
)
def test_a_value_is_short_on_one_line_and_shows_its_type(plain, text):
    assert value(plain) == text


def test_an_option_that_a_tool_got_is_no_tool_that_is_offered():
    def offering(**options):
        return recording(trajectory(*BASE, tools=(ToolSchema(name="weather", options=options),)))

    one, other = offering(), offering(strict=True)
    assert headline(diff(one, other, 0.1).changes, "modified", one, other) == "tool schema of weather edited"
    assert headline(diff(other, one, 0.1).changes, "modified", other, one) == "tool schema of weather edited"


def test_many_changes_of_one_kind_do_not_hide_a_change_of_another():
    rolls = [C("dice_roll", {"die": n}, f"{{roll: {n}}}") for n in range(4)]
    other = [C("dice_roll", {"die": n}, f"rolled {n}") for n in range(4)]
    one, two = (recording(trajectory(*turns, DONE)) for turns in ((T(rolls),), tuple(T([roll]) for roll in other)))
    told = headline(diff(one, two, 0.1).changes, "modified", one, two)
    assert told.startswith("dice_roll returns {roll: 0} → rolled 0; dice_roll in 4 turns instead of 1; ")
    assert told.endswith("; and 2 more")
