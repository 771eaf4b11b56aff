"""What is reported for one known edit, or several, of a hand-made run; each test is a rule of the design."""

import time

import pytest

from reviewlib.diff import diff
from reviewlib.model.call import ToolSchema
from reviewlib.model.change import Absent
from tests.trajectories import C, T, call, recording, trajectory

GET = call("get_order", {"order_id": "4471"}, {"total": 39.0, "status": "delivered"})
CHECK = call("check_policy", {"order_id": "4471"}, {"eligible": True})
DONE = T(text="I refunded $39.00.")
SCHEMA = ToolSchema(
    name="get_order", description="Look up.", schema_={"type": "object", "properties": {"id": {"type": "string"}}}
)


def refund(amount):
    return call("issue_refund", {"order_id": "4471", "amount": amount}, {"status": "issued", "amount": amount})


BASE = (GET, CHECK, refund(39.0), DONE)


def compared(baseline, head, tolerance=0.1, **more):
    return diff(recording(trajectory(*baseline)), recording(trajectory(*head, **more)), tolerance)


def told(found):
    """The causes, as (kind, tool)."""
    return [(change.kind, change.tool) for change in found.changes if change.cause is None]


def consequences(found):
    return [(change.kind, found.changes[change.cause].kind) for change in found.changes if change.cause is not None]


SEVERAL = (T([C("a", {"x": 1}, 1), C("b", {"x": 2}, 2)]), DONE)

RULES = {
    "nothing": (BASE, (GET, CHECK, refund(39), DONE), [], [], "identical"),
    "a dropped call": (BASE, (GET, refund(39), DONE), [("tool_removed", "check_policy")], [], "behaviour"),
    "an added call": ((GET, DONE), (GET, CHECK, DONE), [("tool_added", "check_policy")], [], "behaviour"),
    "a changed argument, its result and the answer": (
        BASE,
        (GET, CHECK, refund(390.0), T(text="I refunded $390.00.")),
        [("arguments", "issue_refund")],
        [("result", "arguments"), ("text", "result")],
        "behaviour",
    ),
    "two steps in the other order": (
        BASE,
        (CHECK, GET, refund(39), DONE),
        [("tool_moved", "check_policy")],
        [],
        "behaviour",
    ),
    "a call that moved and changed": (
        (GET, CHECK, call("note", {"t": 1}), DONE),
        (call("note", {"t": 2}), GET, CHECK, DONE),
        [("tool_moved", "note"), ("arguments", "note")],
        [],
        "behaviour",
    ),
    "other words": (
        BASE,
        (GET, CHECK, refund(39), T(text="All done: $39.00 refunded.")),
        [("text", None)],
        [],
        "cosmetic",
    ),
    "another amount in the answer alone": (
        BASE,
        (GET, CHECK, refund(39), T(text="I refunded $390.00.")),
        [("text", None)],
        [],
        "behaviour",
    ),
    "a number that was never part of the run": (
        (GET, T(text="That takes 3 days.")),
        (GET, T(text="That takes 5 days.")),
        [("text", None)],
        [],
        "cosmetic",
    ),
    "a run cut off": (
        BASE,
        (GET, CHECK, T(text="I will now", stop="max_tokens")),
        [("stop_reason", None)],
        [("tool_removed", "stop_reason"), ("text", "stop_reason"), ("turns", "stop_reason")],
        "behaviour",
    ),
    "the last words cut off, and no call before them": (
        (GET, CHECK, DONE),
        (GET, T(text=DONE.text, stop="max_tokens")),
        [("stop_reason", None), ("tool_removed", "check_policy")],
        [],
        "behaviour",
    ),
    "the last words cut off, and one more call before them": (
        (GET, DONE),
        (GET, CHECK, T(text=DONE.text, stop="max_tokens")),
        [("stop_reason", None), ("tool_added", "check_policy")],
        [],
        "behaviour",
    ),
    "a run that is no longer cut off": (
        (GET, T(text="I will now", stop="max_tokens")),
        (GET, refund(39), DONE),
        [("stop_reason", None)],
        [("tool_added", "stop_reason"), ("text", "stop_reason"), ("turns", "stop_reason")],
        "behaviour",
    ),
    "a recorded failure": (
        (GET, DONE),
        (T(failure="invalid key", status=401),),
        [("failure", None)],
        [("tool_removed", "failure"), ("turns", "failure")],
        "behaviour",
    ),
    "parallel calls in the other order": (SEVERAL, (T([*reversed(SEVERAL[0].calls)]), DONE), [], [], "identical"),
    "parallel calls made one by one": (
        SEVERAL,
        (T([SEVERAL[0].calls[1]]), T([SEVERAL[0].calls[0]]), DONE),
        [("turns", None)],
        [],
        "behaviour",
    ),
    "sequential calls made at once": (
        (GET, CHECK, DONE),
        (T([*GET.calls, *CHECK.calls]), DONE),
        [("turns", None)],
        [],
        "behaviour",
    ),
    "one of several parallel calls dropped": (
        SEVERAL,
        (T([SEVERAL[0].calls[0]]), DONE),
        [("tool_removed", "b")],
        [],
        "behaviour",
    ),
    "a third poll": ((GET, GET, DONE), (GET, GET, GET, DONE), [("tool_added", "get_order")], [], "behaviour"),
    "one more truncated turn": (
        (T(text="x", stop="max_tokens"), DONE),
        (T(text="x", stop="max_tokens"), T(text="y", stop="max_tokens"), DONE),
        [("turns", None)],
        [],
        "behaviour",
    ),
    "a changed result and what was handed on from it": (
        (GET, refund(39.0), DONE),
        (
            call("get_order", {"order_id": "4471"}, {"total": 45.0, "status": "delivered"}),
            refund(45.0),
            T(text="I refunded $45.00."),
        ),
        [("result", "get_order")],
        [("arguments", "result"), ("result", "arguments"), ("text", "result")],
        "behaviour",
    ),
    "an id that a result made and the next call took": (
        (call("create", {"x": 1}, {"id": "ord_81f"}), call("ship", {"id": "ord_81f"}, {"ok": True}), DONE),
        (call("create", {"x": 1}, {"id": "ord_99c"}), call("ship", {"id": "ord_99c"}, {"ok": True}), DONE),
        [("result", "create")],
        [],
        "behaviour",
    ),
    "an id that a result made, and another argument beside it": (
        (call("create", {"x": 1}, {"id": "ord_81f"}), call("ship", {"id": "ord_81f", "fast": False}), DONE),
        (call("create", {"x": 1}, {"id": "ord_99c"}), call("ship", {"id": "ord_99c", "fast": True}), DONE),
        [("result", "create"), ("arguments", "ship")],
        [],
        "behaviour",
    ),
    "an id that a result told inside a text": (
        (call("open", {"x": 1}, "Opened case C-77 for you"), call("close", {"case": "C-77"}), DONE),
        (call("open", {"x": 1}, "Opened case C-91 for you"), call("close", {"case": "C-91"}), DONE),
        [("result", "open")],
        [("arguments", "result")],
        "behaviour",
    ),
    "an id that was put into a text": (
        (call("open", {"x": 1}, {"id": "C-77"}), call("get", {"url": "/cases/C-77/notes"}), DONE),
        (call("open", {"x": 1}, {"id": "C-91"}), call("get", {"url": "/cases/C-91/notes"}), DONE),
        [("result", "open")],
        [("arguments", "result")],
        "behaviour",
    ),
    "an id that stood elsewhere in the result's text": (
        (call("open", {"x": 1}, "Opened case C-77, not C-91"), call("close", {"case": "C-77"}), DONE),
        (call("open", {"x": 1}, "Opened case C-80, not C-91"), call("close", {"case": "C-91"}), DONE),
        [("result", "open"), ("arguments", "close")],
        [],
        "behaviour",
    ),
    "a call that came before the words that it followed": (
        (T(text="May I look?"), GET, DONE),
        (GET, T(text="May I look?"), DONE),
        [("tool_moved", "get_order")],
        [],
        "behaviour",
    ),
    "several calls of one turn that moved past words": (
        (T(text="May I look?"), T([*GET.calls, *CHECK.calls]), DONE),
        (T([*GET.calls, *CHECK.calls]), T(text="May I look?"), DONE),
        [("tool_moved", "get_order"), ("tool_moved", "check_policy")],
        [],
        "behaviour",
    ),
    "words edited before the same words": (
        (T(text="Let me see."), T(text="Let me see."), T(text="Let me see."), DONE),
        (T(text="Let me see now."), T(text="Let me see."), T(text="Let me see."), DONE),
        [("text", None)],
        [],
        "cosmetic",
    ),
    "an argument of the first of several equal calls": (
        (GET, GET, GET, DONE),
        (call("get_order", {"order_id": "9"}, GET.calls[0].result), GET, GET, DONE),
        [("arguments", "get_order")],
        [],
        "behaviour",
    ),
    "another call before equal ones, and one of those less": (
        (GET, GET, GET, DONE),
        (CHECK, GET, GET, DONE),
        [("tool_added", "check_policy"), ("tool_removed", "get_order")],
        [],
        "behaviour",
    ),
    "one of parallel calls made later": (
        (T([*GET.calls, *CHECK.calls]), refund(39.0), call("note"), DONE),
        (GET, refund(39.0), T([*CHECK.calls, *call("note").calls]), DONE),
        [("tool_moved", "check_policy")],
        [],
        "behaviour",
    ),
    "two that failed, one of them with other words": (
        (T(failure="busy", status=500), DONE),
        (T(failure="busy", status=500, text="I will"), DONE),
        [("text", None)],
        [],
        "cosmetic",
    ),
    "a tool that fails now": (
        (call("get_order", {"id": 1}, {"total": 1}, is_error=False), DONE),
        (call("get_order", {"id": 1}, "no such order", is_error=True), DONE),
        [("failure", "get_order")],
        [("result", "failure")],
        "behaviour",
    ),
    "a type": (
        (call("get_order", {"id": "4471"}), DONE),
        (call("get_order", {"id": 4471}), DONE),
        [("arguments", "get_order")],
        [],
        "behaviour",
    ),
    "a result that only one side recorded": (
        (call("get_order", {"id": 1}, 5),),
        (call("get_order", {"id": 1}),),
        [],
        [],
        "identical",
    ),
    "thinking": ((T(text="x", thinking="hm"),), (T(text="x", thinking="aha"),), [], [], "identical"),
    "arguments that cannot be parsed": (
        (call("get_order", raw='{"id": 1'),),
        (call("get_order", raw='{"id": 2'),),
        [("arguments", "get_order")],
        [],
        "behaviour",
    ),
}


@pytest.mark.parametrize("rule", RULES)
def test_an_edit_is_told_as_what_it_is(rule):
    baseline, head, causes, follows, significance = RULES[rule]
    found = compared(baseline, head)
    assert told(found) == causes
    assert consequences(found) == follows
    assert found.significance == significance


@pytest.mark.parametrize("rule", RULES)
def test_the_rows_hold_every_step_of_both_sides_once(rule):
    baseline, head, *_ = RULES[rule]
    one, other = trajectory(*baseline), trajectory(*head)
    rows = diff(recording(one), recording(other), 0.1).rows
    assert sorted(row.baseline[1] for row in rows if row.baseline) == list(range(len(one.steps)))
    assert [row.head[1] for row in rows if row.head] == list(range(len(other.steps)))


@pytest.mark.parametrize("rule", RULES)
def test_every_step_that_a_change_names_is_in_a_row_that_names_the_change(rule):
    baseline, head, *_ = RULES[rule]
    found = compared(baseline, head)
    for number, change in enumerate(found.changes):
        for side in ("baseline", "head"):
            step = getattr(change, f"{side}_step")
            assert step is None or any(getattr(row, side) == step and number in row.changes for row in found.rows)


@pytest.mark.parametrize("rule", RULES)
def test_a_run_does_not_differ_from_itself(rule):
    for turns in RULES[rule][:2]:
        assert compared(turns, turns).changes == ()


REQUESTS = [
    ({"system": "Be brief."}, "system_prompt"),
    ({"user": "Refund order 9"}, "user_message"),
    ({"tools": (SCHEMA.model_copy(update={"description": "Find."}),)}, "tool_schema"),
    ({"parameters": {"max_tokens": 2}}, "parameters"),
]


@pytest.mark.parametrize(("edit", "kind"), REQUESTS)
def test_what_the_harness_sends_is_told_once_and_the_words_follow_from_it(edit, kind):
    shared = {"tools": (SCHEMA,), "parameters": {"max_tokens": 1, "seed": None}}
    one = trajectory(GET, CHECK, T(text="ok"), **shared)
    other = trajectory(GET, CHECK, T(text="fine"), **{**shared, **edit})
    found = diff(recording(one), recording(other), 0.1)
    assert told(found) == [(kind, None)]
    assert consequences(found) == [("text", kind)]
    assert found.significance == "request"


def test_a_model_of_another_family_is_behaviour_and_never_hides_a_dropped_call():
    found = diff(recording(trajectory(*BASE)), recording(trajectory(GET, refund(39), DONE, model="model-2")), 0.1)
    assert told(found) == [("model", None), ("tool_removed", "check_policy")]
    assert {detail.path: (detail.baseline, detail.head) for detail in found.changes[0].details} == {
        "requested": ("model-1", "model-2"),
        "served": ("model-1", "model-2"),
    }
    assert found.changes[0].significance == "behaviour"


def test_another_snapshot_of_the_same_model_is_a_request_change():
    one, other = (trajectory(DONE, model=f"gpt-5-2025-0{month}-01") for month in (1, 2))
    assert diff(recording(one), recording(other), 0.1).significance == "request"


def test_a_tool_offered_or_withdrawn_and_a_new_order_of_tools_are_schema_changes():
    second = ToolSchema(name="b")
    one = trajectory(DONE, tools=(SCHEMA, second))
    order = diff(recording(one), recording(trajectory(DONE, tools=(second, SCHEMA))), 0.1)
    assert [detail.path for detail in order.changes[0].details] == ["order"]
    gone = diff(recording(one), recording(trajectory(DONE, tools=(SCHEMA,))), 0.1)
    assert [(detail.path, detail.head) for detail in gone.changes[0].details] == [("b", Absent())]


def test_a_changed_request_hash_stands_for_requests_that_are_not_recorded():
    one, other = (trajectory(T(text="x", key=key)) for key in ("aa", "bb"))
    assert told(diff(recording(one), recording(other), 0.1)) == [("request_hash", None)]


def test_prompts_that_a_format_does_not_hold_are_never_called_changed():
    one, other = trajectory(DONE), trajectory(DONE, system=None)
    assert told(diff(recording(one), recording(other), 0.1)) == [("system_prompt", None)]
    assert diff(recording(one), recording(other, not_recorded=("system_prompt",)), 0.1).changes == ()


USAGE = [
    ((100, 10), (100, 10), None),
    ((100, 10), (104, 10), "cosmetic"),
    ((100, 10), (300, 30), "request"),
    (None, (300, 30), None),
]


@pytest.mark.parametrize(("one", "other", "significance"), USAGE)
def test_token_totals_are_compared_where_both_sides_know_them(one, other, significance):
    found = compared((T(text="x", usage=one),), (T(text="x", usage=other),))
    assert [change.significance for change in found.changes] == ([significance] if significance else [])


def test_tokens_follow_from_whatever_else_changed():
    found = compared((T(text="x", usage=(100, 10)),), (T(text="y", usage=(300, 10)),))
    assert consequences(found) == [("usage", "text")]


def test_an_absent_side_is_a_conversation_added_or_removed():
    one = recording(trajectory(*BASE))
    assert told(diff(None, one, 0.1)) == [("conversation_added", None)]
    assert told(diff(one, None, 0.1)) == [("conversation_removed", None)]
    assert {row.relation for row in diff(None, one, 0.1).rows} == {"added"}
    assert diff(None, recording(), 0.1).significance == "behaviour"


def test_conversations_are_paired_by_what_they_do_not_by_their_order():
    title = trajectory(T(text="A title"), system="Write a title.", user="Refund?")
    one, other = recording(title, trajectory(*BASE)), recording(trajectory(GET, refund(39), DONE), title)
    found = diff(one, other, 0.1)
    assert told(found) == [("tool_removed", "check_policy")]
    assert found.changes[0].baseline_step[0] == 1


def test_the_same_prompt_edit_in_two_conversations_is_told_once():
    runs = [[trajectory(T(text=text), system=system, user=text) for text in ("one", "two")] for system in ("a", "b")]
    assert told(diff(recording(*runs[0]), recording(*runs[1]), 0.1)) == [("system_prompt", None)]


def test_a_run_of_two_thousand_turns_that_differ_is_compared_in_bounded_time():
    one = [call("read", {"path": f"src/{number}.py"}, number) for number in range(2000)]
    other = [call("read", {"path": f"lib/{number}.py"}, number) for number in range(2000)]
    found = compared(one, other)
    assert len(told(found)) == 2000
    assert found.limits


def test_a_run_of_two_thousand_turns_in_another_order_is_compared_in_bounded_time():
    one = [call("read", {"path": f"src/{number}.py"}, f"line {number}") for number in range(2000)]
    other = sorted(one, key=lambda turn: turn.calls[0].arguments["path"][::-1])
    start = time.process_time()
    found = compared(one, other)
    assert time.process_time() - start < 2  # 0.6 s; looking through all earlier changes for each cause took 4.2
    assert len(found.changes) > 2000


def test_what_was_called_next_is_said_of_a_call_that_is_gone_or_came():
    turns = [call("a"), T(text="thinking"), call("b"), call("c")]
    dropped = compared(turns, turns[1:]).changes + compared(turns, turns[:-1]).changes
    assert [(item.tool, item.note) for item in dropped if item.kind == "tool_removed"] == [("a", "before b"), ("c", "")]
    (added,) = (item for item in compared(turns[1:], turns).changes if item.kind == "tool_added")
    assert added.note == "before b"


def test_of_several_changed_results_an_argument_follows_from_the_latest_that_handed_it_on():
    def run(*names):
        return [
            *(call("find", {"n": n}, {"name": name}) for n, name in enumerate(names)),
            call("use", {"of": names[0]}),
        ]

    found = compared(run("alpha", "alpha", "gamma"), run("omega", "omega", "delta"))
    assert [(item.kind, item.cause) for item in found.changes] == [
        ("result", None),
        ("result", None),
        ("result", None),
        ("arguments", 1),
    ]


def test_calls_in_prose_that_became_native_are_the_same_calls():
    prose = (T([C("Get Order", {"id": 1}, 5, origin="text")], text="Thought: look it up"), DONE)
    native = (T([C("get_order", {"id": 1}, 5)]), DONE)
    for one, other in ((prose, native), (native, prose)):
        found = compared(one, other)
        assert told(found) == [("parameters", None)]
        assert consequences(found) == [("text", "parameters")]


def test_a_loop_keeps_its_turns_apart():
    loop = [call("read", {"path": name}, name) for name in "abcabcabc"]
    head = [*loop[:4], *loop[5:]]
    assert told(compared((*loop, DONE), (*head, DONE))) == [("tool_removed", "read")]


def test_fifty_calls_inserted_into_a_loop_are_fifty_added_calls_and_nothing_else():
    loop = [call("read", {"page": number % 7}, number % 7) for number in range(40)]
    for inserted in (
        [call("grep", {"q": n}) for n in range(50)],
        [call("read", {"page": n % 7}, n % 7) for n in range(50)],
    ):
        found = compared((*loop, DONE), (*loop[:20], *inserted, *loop[20:], DONE))
        assert told(found) == [("tool_added", inserted[0].calls[0].tool)] * 50
        assert not found.limits


def test_only_the_first_hash_of_a_conversation_is_evidence():
    one, other = ([T(text="x", key="a"), T(text="y", key=key)] for key in ("b", "c"))
    assert compared(one, other).changes == ()


def test_two_tools_of_one_name_are_compared_in_order():
    tools = [tuple(ToolSchema(name="a", description=text) for text in texts) for texts in (("x", "y"), ("x", "z"))]
    one, other = (recording(trajectory(DONE, tools=item)) for item in tools)
    (change,) = diff(one, other, 0.1).changes
    assert [(detail.path, detail.baseline, detail.head) for detail in change.details] == [("a 2.description", "y", "z")]


def test_a_message_that_is_sent_earlier_is_a_request_change_and_moved_calls_pass_messages_freely():
    asked = T(CHECK.calls, user="And the policy?")
    found = compared((GET, CHECK, T(text="ok", user="And the policy?"), DONE), (GET, asked, T(text="ok"), DONE))
    assert told(found) == [("user_message", None)]
    assert [(detail.path, detail.baseline, detail.head) for detail in found.changes[0].details] == [("turn", 3, 2)]
    assert found.changes[0].note == "before turn 2, not turn 3"
    assert found.significance == "request"
    moved = compared((GET, asked, refund(1), DONE), (asked, refund(1), GET, DONE))
    assert told(moved) == [("tool_moved", "get_order")]


@pytest.mark.parametrize("more", [call("look"), T(text="One moment.")])
def test_a_turn_that_comes_before_or_after_a_message_moves_no_message(more):
    asked = T(CHECK.calls, user="And the policy?")
    inserted_after = (GET, T(more.calls, more.text, user="And the policy?"), CHECK, DONE)
    for head in ((GET, more, asked, DONE), inserted_after):
        assert "user_message" not in {change.kind for change in compared((GET, asked, DONE), head).changes}


def test_where_messages_stand_is_not_told_where_a_side_does_not_record_them():
    one = trajectory(GET, CHECK, T(text="ok", user="And the policy?"))
    other = trajectory(GET, T(CHECK.calls, user="And the policy?"), T(text="ok"))
    assert diff(recording(one), recording(other, not_recorded=("user_messages",)), 0.1).changes == ()
