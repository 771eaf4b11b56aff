"""What the text report prints, and what recorded text cannot do to a terminal or a CI log."""

import re
import unicodedata

import pytest

from reviewlib.ignored import TRAFFIC
from reviewlib.model.change import Detail
from reviewlib.model.review import Finding, Group, Ignored, Side
from reviewlib.report import html, markdown, text, wording
from reviewlib.summary import summarise
from tests.report.hostile import HOSTILE, UNSEEN, hostile_review
from tests.reviews import (
    AMOUNT,
    AMOUNT_RESULT,
    PROMPT,
    example,
    pair,
    review,
    states,
    totals,
)


def shown(what, known=None, **more):
    known = known or {}
    return text.render(what, known, summarise(what, known), **more)


def test_the_text_says_sides_counts_and_one_headline_a_pair_riskiest_first():
    printed = shown(example())
    lines = printed.splitlines()
    assert lines[0] == "main (cccccccccc) → worktree"
    assert lines[1] == "8 changed cassettes: 1 unreadable · 2 behaviour · 3 request · 1 cosmetic · 1 identical"
    assert [line.split()[0] for line in lines if line and line[0].isalpha()][3:] == [
        "unreadable",
        "behaviour",
        "request",
        "cosmetic",
        "identical",
    ]
    assert printed.count("refund.yaml  issue_refund.amount 39 → 390") == 1
    assert printed.endswith("\n")


@pytest.mark.parametrize(
    ("changed", "line"),
    [
        ((PROMPT,), "tool calls in 1 of 1: the same"),
        ((AMOUNT,), "tool calls in 1 of 1: 1 change arguments"),
        ((AMOUNT.model_copy(update={"kind": "tool_removed"}), AMOUNT), "tool calls in 1 of 1: 1 add, drop or move one"),
    ],
)
def test_one_line_says_whether_the_agent_calls_other_tools(changed, line):
    assert line in shown(review(pair("a", "behaviour", changed))).splitlines()


def test_pairs_that_changed_alike_are_one_line_with_their_number():
    printed = shown(example())
    assert printed.count("system prompt edited") == 1
    assert "  3 cassettes  system prompt edited" in printed
    assert "    tests/cassettes: g1.yaml, g2.yaml, g3.yaml  (--group sig-prompt)\n" in printed


def test_a_group_of_many_names_some_members_and_counts_the_rest():
    members = tuple(pair(f"g{number}", "request", (PROMPT,)) for number in range(40))
    one = Group(signature="s", headline="system prompt edited", pairs=tuple(each.path for each in members))
    printed = shown(review(*members, groups=(one,)))
    assert "  40 cassettes  system prompt edited\n    g0, g1, g2, g3 and 36 more  (--group s)\n" in printed
    assert len(printed.splitlines()) < 10


def test_members_are_named_inside_the_folder_that_they_share():
    members = (pair("a/b/x.yaml", "request", (PROMPT,)), pair("a/c/x.yaml", "request", (PROMPT,)))
    one = Group(signature="s", headline="system prompt edited", pairs=("a/b/x.yaml", "a/c/x.yaml"))
    assert "    a: b/x.yaml, c/x.yaml  (--group s)\n" in shown(review(*members, groups=(one,)))


def test_new_cassettes_of_one_sentence_are_told_together_and_those_with_another_finding_apart():
    retired = Finding(code="retired-model", severity="warning", message="m-1 is gone", since="new")
    said = "new cassette: no tool calls"
    new = [pair(f"n{number}", "behaviour", status="added", headline=said, findings=()) for number in range(6)]
    old = [pair(f"r{number}", "behaviour", status="added", headline=said, findings=(retired,)) for number in range(2)]
    printed = shown(review(*new, *old))
    assert f"  6 cassettes  {said}\n    n0, n1, n2, n3 and 2 more\n" in printed
    assert f"  2 cassettes  {said}\n    r0, r1\n    warning retired-model in 2 of 2: m-1 is gone\n" in printed
    assert "--group" not in printed, "they hold different things, so they share no signature"


def test_a_group_that_is_told_with_others_is_not_named_as_if_it_were_all_of_them():
    said = "new cassette: no tool calls"
    new = [pair(f"n{number}", "behaviour", status="added", headline=said) for number in range(3)]
    one = Group(signature="s", headline=said, pairs=("n0", "n1"))
    assert "--group" not in shown(review(*new, groups=(one,)))
    assert "--group s" in shown(review(*new[:2], groups=(one,)))


def test_a_long_path_has_its_headline_on_the_next_line_and_moves_no_other():
    long = f"tests/{'x' * 60}.yaml"
    printed = shown(review(pair(long, headline="one"), pair("short.yaml", headline="two")))
    assert f"  {long}\n      one\n  short.yaml  two\n" in printed


def test_identical_pairs_say_in_how_many_something_differs_that_is_not_compared():
    unread = (Ignored(what=TRAFFIC, count=7),)
    pairs = [*(pair(f"p{number}", "identical") for number in range(3)), pair("q", "identical", ignored=unread)]
    said = f"only ids, times, headers and the like moved; in 1 of them also {TRAFFIC}, which are not compared"
    what = review(*pairs)
    assert f"identical (4): {said}\n" in shown(what)
    assert f"| identical | 4 cassettes | {said} | |" in markdown.render(what, {}, summarise(what, {}))
    assert said in html.render(what, {}, summarise(what, {}))


def test_identical_pairs_are_counted_not_listed():
    printed = shown(review(*(pair(f"p{number}", "identical") for number in range(300))))
    assert "identical (300): only ids, times, headers and the like moved\n" in printed
    assert len(printed.splitlines()) < 8


def test_with_changes_each_cause_is_shown_with_its_values_and_its_consequences_are_folded():
    printed = shown(review(pair("refund", "behaviour", (AMOUNT, AMOUNT_RESULT))), changes=True)
    assert "    - issue_refund.amount 39 → 390\n        amount: 39 → 390\n        1 consequence: result\n" in printed
    assert "refunded" not in printed


def test_consequences_of_consequences_are_folded_into_their_first_cause():
    second = AMOUNT_RESULT.model_copy(update={"cause": 1, "kind": "stop_reason"})
    ((cause, followers),) = wording.causes(pair("x", "behaviour", (AMOUNT, AMOUNT_RESULT, second)))
    assert (cause, len(followers)) == (AMOUNT, 2)
    assert wording.consequences(followers) == "2 consequences: result, stop reason"
    assert wording.consequences((AMOUNT_RESULT, AMOUNT_RESULT)) == "2 consequences: 2 × result"


def test_with_changes_groups_are_opened_and_limits_are_told():
    limited = pair("x", "request", (PROMPT,))
    limited = limited.model_copy(update={"diff": limited.diff.model_copy(update={"limits": ("cut after 5 seconds",)})})
    printed = shown(review(limited, pair("y", "identical")), changes=True)
    assert "limit: cut after 5 seconds" in printed
    assert "  y  a identical change" in printed


def test_states_stand_beside_the_headline_and_open_is_not_said():
    known = states(**{"tests/cassettes/refund.yaml": "flagged", "tests/cassettes/g1.yaml": "approved"})
    printed = shown(example(), known)
    assert "issue_refund.amount 39 → 390 [flagged]" in printed
    assert "system prompt edited [decided in part]" in printed
    assert "1 approved · 1 flagged" in printed
    assert "[open]" not in printed


def test_a_renamed_pair_says_where_it_was():
    assert "(was old.yaml)" in shown(review(pair("new.yaml", status="renamed", baseline_path="old.yaml")))


def test_new_findings_that_are_more_than_information_stand_under_their_pair():
    findings = tuple(
        Finding(code=f"code-{since}-{severity}", severity=severity, message="look", since=since)
        for since, severity in (("new", "error"), ("new", "info"), ("known", "error"))
    )
    printed = shown(review(pair(findings=findings)))
    assert "    error code-new-error: look" in printed
    assert printed.count("\n    error") == 1
    assert "code-new-info: look" not in printed


def test_findings_are_counted_above_all_pairs_what_was_known_before_is_not():
    findings = tuple(
        Finding(code=f"code-{since}", severity=severity, message="look", since=since)
        for since, severity in (("gone", "info"), ("new", "error"), ("known", "error"))
    )
    assert "findings: 1 code-new · 1 code-gone gone\n" in shown(review(pair(findings=findings)))


def test_a_group_tells_a_finding_of_its_members_once_and_how_many_have_it():
    finding = Finding(code="renamed-model", severity="error", message="renamed", since="new")
    pairs = [pair(f"{name}.yaml", signature="s", findings=(finding,) if name != "c" else ()) for name in "abc"]
    printed = shown(review(*pairs, groups=(Group(signature="s", headline="h", pairs=("a.yaml", "b.yaml", "c.yaml")),)))
    assert "    error renamed-model in 2 of 3: renamed" in printed
    assert printed.count("\n    error") == 1


def test_a_comparison_without_pairs_is_a_sentence_and_says_what_was_not_looked_at():
    assert "No cassettes changed.\n" in shown(review())
    assert "2 other changed files not taken for cassettes." in shown(review(uncounted=2))


@pytest.mark.parametrize(
    ("one", "figures"),
    [
        (pair(baseline_totals=totals(1000, 0), head_totals=totals(1500, 0)), "tokens 1,000 → 1,500 (+50%)"),
        (pair(baseline_totals=totals(7213, 0), head_totals=totals(7229, 0)), "tokens 7,213 → 7,229 (+0.2%)"),
        (pair(baseline_totals=totals(5, 0), head_totals=totals(5, 0)), "tokens 5 on both sides"),
        (pair(baseline_totals=totals(0, 0), head_totals=totals(5, 0)), "tokens 0 → 5"),
        (
            pair(baseline_totals=totals(cost="0.004"), head_totals=totals(cost="1.5")),
            "tokens 1,100 on both sides, cost $0.0040 → $1.50",
        ),
    ],
)
def test_usage_and_cost_are_told_with_both_sides(one, figures):
    assert wording.figures(summarise(review(one), {})) == figures


@pytest.mark.parametrize(
    ("pairs", "figures"),
    [
        ((pair("a"), pair("b", None)), "tokens 1,100 → 1,210 (+10%) (1 of 2 cassettes)"),
        (
            (pair("a", baseline_totals=totals(cost="1"), head_totals=totals(cost="2")), pair("b", None)),
            "tokens 1,100 on both sides, cost $1.00 → $2.00 (1 of 2 cassettes)",
        ),
        (
            (
                pair("a", baseline_totals=totals(cost="1"), head_totals=totals(cost="2")),
                pair("b", head_totals=totals()),
            ),
            "tokens 2,200 on both sides, cost $1.00 → $2.00 (1 of 2 cassettes)",
        ),
    ],
    ids=["one unreadable", "both over the same", "each over its own"],
)
def test_figures_say_over_how_many_cassettes_they_are(pairs, figures):
    assert wording.figures(summarise(review(*pairs), {})) == figures


@pytest.mark.parametrize(
    ("side", "named"),
    [
        (Side(label="worktree"), "worktree"),
        (Side(label="/tmp/new"), "/tmp/new"),
        (Side(label="d" * 40, commit="d" * 40, revision="feature/x"), "feature/x (dddddddddd)"),
        (Side(label="d" * 40, commit="d" * 40), "dddddddddd"),
    ],
)
def test_sides_are_named_as_they_were_asked_for(side, named):
    assert wording.sides(review(head=side)) == f"main (cccccccccc) → {named}"


def test_colour_adds_nothing_but_colour():
    plain_text, coloured = shown(example()), shown(example(), colour=True)
    assert "\x1b[" not in plain_text
    assert "\x1b[1;31mbehaviour\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain_text


@pytest.mark.parametrize("changes", [False, True])
def test_hostile_text_reaches_neither_terminal_nor_log(changes):
    printed = shown(hostile_review(f"::error::{HOSTILE}\n::add-mask::x ##[command] ##vso[task.x]"), changes=changes)
    assert not {unicodedata.category(char) for char in printed.replace("\n", "")} & UNSEEN
    assert not any(line.strip().startswith("::") for line in printed.splitlines())
    assert "##[" not in printed
    assert "##vso[" not in printed


def test_of_long_texts_the_part_that_differs_is_shown():
    one = "Be the support agent of a shop. " * 6 + "Be brief. " + "Sign with your name. " * 6
    line = wording.detail_line(Detail(path="", baseline=one, head=one.replace("Be brief.", "Be warm and brief.")))
    assert line == '"…agent of a shop. Be brief. Sign with yo…" → "…agent of a shop. Be warm and brief. Sign with yo…"'
