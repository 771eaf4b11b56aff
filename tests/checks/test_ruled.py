"""Rules of a policy: of each a recording that breaks it, and one that nearly does."""

import time

import pytest
from pydantic import ValidationError

from reviewlib.model.call import ToolSchema
from reviewlib.pipeline import compare
from reviewlib.policy import Policy, Rule
from tests.checks.cassettes import DONE, GET, GOOD, PATH, PAY, READ, TODAY, A, call, cassette, compared, findings
from tests.trajectories import T, recording, trajectory

BOTH = A(calls=[("get_order", GET), ("issue_refund", PAY)])
PAID = call("issue_refund", PAY)
ORDER = (("get_order", "issue_refund"),)
STEPS = (("get_order", "check_policy", "issue_refund"),)

CASES = {
    "a forbidden tool": ("forbidden-tool", {"forbidden_tools": ("issue_refund",)}, GOOD, True),
    "a forbidden tool that was not called": ("forbidden-tool", {"forbidden_tools": ("delete_order",)}, GOOD, False),
    "a forbidden tool by a pattern": ("forbidden-tool", {"forbidden_tools": ("issue_*",)}, GOOD, True),
    "a tool whose name only begins like it": ("forbidden-tool", {"forbidden_tools": ("issue",)}, GOOD, False),
    "a required tool that was not called": ("required-tool", {"required_tools": ("check_policy",)}, GOOD, True),
    "a required tool that was": ("required-tool", {"required_tools": ("get_order", "issue_refund")}, GOOD, False),
    "one that was called too early": ("order", {"order": ORDER}, (PAID, READ, DONE), True),
    "one that was called alone": ("order", {"order": ORDER}, (PAID, DONE), True),
    "one that was called beside what comes first": ("order", {"order": ORDER}, (BOTH, DONE), True),
    "one that was called after what comes first": ("order", {"order": ORDER}, GOOD, False),
    "what comes first, called once more behind it": ("order", {"order": ORDER}, (READ, PAID, READ, DONE), False),
    "neither was called": ("order", {"order": ORDER}, (DONE,), False),
    "the middle one was left out": ("order", {"order": STEPS}, GOOD, True),
    "more steps than allowed": ("max-steps", {"max_steps": 1}, GOOD, True),
    "as many steps as allowed": ("max-steps", {"max_steps": 2}, GOOD, False),
    "no step is allowed": ("max-steps", {"max_steps": 0}, (READ, DONE), True),
    "a fact that the answer lacks": ("must-appear", {"must_appear": ("39.0", "rf_88")}, GOOD, True),
    "facts that it has": ("must-appear", {"must_appear": ("39.0", "4471", "ORDER")}, GOOD, False),
    "a fact that an earlier turn said": (
        "must-appear",
        {"must_appear": ("rf_88",)},
        (A("It is rf_88.", calls=[("get_order", GET)]), DONE),
        True,
    ),
    "no answer at all": ("must-appear", {"must_appear": ("39",)}, (READ, A()), True),
    "an answer that is a call": ("must-appear", {"must_appear": ("39.0",)}, (READ, call("final_result", PAY)), False),
    "words that must not be said": ("must-not-appear", {"must_not_appear": ("refunded $39",)}, GOOD, True),
    "words that only a tool said": (
        "must-not-appear",
        {"must_not_appear": ("internal",)},
        (call(result="internal: total 39"), DONE),
        False,
    ),
    "words of an earlier turn": (
        "must-not-appear",
        {"must_not_appear": ("internal",)},
        (A("This is INTERNAL.", calls=[("get_order", GET)]), DONE),
        True,
    ),
    "a number that another begins with": ("must-not-appear", {"must_not_appear": ("447", "$3")}, GOOD, False),
}


def policy(**rule):
    return Policy(rules=(Rule(**rule),))


@pytest.mark.parametrize("case", CASES)
def test_a_rule_is_broken_by_what_breaks_it_alone(case):
    code, rule, answers, broken = CASES[case]
    found = findings(None, cassette(*answers), code, policy(**rule))
    assert [(item.severity, item.since) for item in found] == ([("error", "new")] if broken else [])
    other = findings(None, cassette(*answers), code, policy(paths=("evals/**",), **rule))
    assert other == []


SAYINGS = {
    "forbidden-tool": (
        {"forbidden_tools": ("issue_*", "delete_order")},
        "issue_refund was called, which is forbidden (forbidden_tools: issue_*, delete_order)",
        (0, 2),
    ),
    "required-tool": (
        {"required_tools": ("check_policy",)},
        "check_policy was never called, which is required; called were get_order, issue_refund",
        None,
    ),
    "order": (
        {"order": (("issue_refund", "get_order"),)},
        "get_order was called too early: issue_refund has to come before get_order, and issue_refund was called only after it",
        (0, 1),
    ),
    "max-steps": ({"max_steps": 1}, "2 tool calls were made, where max_steps is 1", (0, 2)),
    "must-appear": (
        {"must_appear": ("rf_88",)},
        "“rf_88” has to appear in the final answer; it says “I refunded $39.00 for order 4471.”",
        (0, 3),
    ),
    "must-not-appear": (
        {"must_not_appear": ("refund",)},
        "“refund” must not appear, and turn 3 says “I refunded $39.00 for order 4471.”",
        (0, 3),
    ),
}


@pytest.mark.parametrize("code", SAYINGS)
def test_a_broken_rule_names_its_values_what_was_seen_and_the_step(code):
    rule, sentence, step = SAYINGS[code]
    (found,) = findings(None, cassette(*GOOD), code, policy(**rule))
    assert (found.message, found.step) == (sentence, step)


@pytest.mark.parametrize(
    ("answers", "seen"),
    [
        ((BOTH, DONE), "get_order was called in the same turn"),
        ((PAID, READ, DONE), "get_order was called only after it"),
        ((PAID, DONE), "get_order was not called"),
    ],
)
def test_a_broken_order_says_where_the_first_tool_was_called(answers, seen):
    (found,) = findings(None, cassette(*answers), "order", policy(order=ORDER))
    assert found.message.endswith(f"get_order has to come before issue_refund, and {seen}")


def test_a_rule_that_the_baseline_broke_as_well_is_known_and_one_more_call_is_new():
    rule = policy(forbidden_tools=("issue_refund",))
    one, same = cassette(*GOOD), cassette(*GOOD, run="b")
    assert [item.since for item in findings(one, same, "forbidden-tool", rule)] == ["known"]
    more = cassette(READ, PAID, PAID, DONE, run="b")
    assert [item.since for item in findings(one, more, "forbidden-tool", rule)] == ["new", "known"]
    assert [item.since for item in findings(one, cassette(READ, DONE, run="b"), "forbidden-tool", rule)] == ["gone"]


def test_a_run_that_is_longer_still_is_new():
    rule = policy(max_steps=1)
    assert [item.since for item in findings(cassette(*GOOD), cassette(*GOOD, run="b"), "max-steps", rule)] == ["known"]
    longer = cassette(READ, READ, PAID, DONE, run="b")
    assert [item.since for item in findings(cassette(*GOOD), longer, "max-steps", rule)] == ["new", "gone"]


def test_every_rule_that_names_the_path_holds():
    rules = (Rule(paths=("**",), max_steps=1), Rule(paths=("tests/**",), forbidden_tools=("get_order",)))
    found = compared(None, cassette(*GOOD), Policy(rules=rules)).findings
    assert {"max-steps", "forbidden-tool"} <= {item.code for item in found}


def spoken(text, first):
    """A conversation of one answer, recorded as the given interaction."""
    story = trajectory(T(text=text), tools=(ToolSchema(name="get_order"),))
    turns = tuple(turn.model_copy(update={"interaction": first}) for turn in story.turns)
    return story.model_copy(update={"turns": turns})


def missing(whole, **rule):
    found = compare(None, whole, policy(**rule), TODAY).findings
    return [item.step for item in found if item.code == "must-appear"]


def test_of_several_conversations_the_one_that_ends_last_has_the_final_answer():
    helper, main = spoken("rf_88 is the refund.", 1), spoken("All done.", 2)
    whole = recording(main, helper, path=PATH)
    assert missing(whole, must_appear=("done",)) == []
    assert missing(whole, must_appear=("rf_88",)) == [(0, 2)]


def test_where_the_order_tells_nothing_any_conversation_may_have_the_final_answer():
    whole = recording(spoken("rf_88 is the refund.", 1), spoken("All done.", 2), path=PATH)
    cassette_ = whole.cassette.model_copy(update={"ordered": False})
    unordered = whole.model_copy(update={"cassette": cassette_})
    assert missing(unordered, must_appear=("rf_88", "done")) == []
    assert len(missing(unordered, must_appear=("rf_99",))) == 1


def test_answers_that_a_format_does_not_hold_are_not_judged():
    whole = recording(spoken("", 1), path=PATH, not_recorded=("answers",))
    assert missing(whole, must_appear=("39",)) == []


@pytest.mark.parametrize(
    "rule",
    [
        {"must_appear": ("",)},
        {"must_not_appear": (" ",)},
        {"forbidden_tools": ("",)},
        {"order": (("get_order",),)},
        {"order": ("get_order", "issue_refund")},
        {"max_steps": -1},
        {"max_steps": "4"},
    ],
)
def test_a_rule_that_could_say_nothing_is_refused(rule):
    with pytest.raises(ValidationError):
        Rule(**rule)


def test_blanks_around_a_text_do_not_count():
    assert Rule(must_appear=(" 39 ",)).must_appear == ("39",)


def test_thousands_of_rules_for_other_cassettes_cost_next_to_nothing():
    others = tuple(Rule(paths=(f"tests/cassettes/other{number}*/**",), max_steps=1) for number in range(3_000))
    broken = Policy(rules=(*others, Rule(paths=("**",), forbidden_tools=("*",))))
    began = time.process_time()
    for run in "abcdefghij":
        assert [item.since for item in findings(None, cassette(*GOOD, run=run), "forbidden-tool", broken)] != []
    assert time.process_time() - began < 3
