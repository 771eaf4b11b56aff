"""What ``check`` returns, over policies and the states that a branch may be in; with and without ``--report-only``."""

import pytest

from tests.cli.cassettes import REFUND, cassette
from tests.repositories import build

PEOPLE = {
    "default": "",
    "two approvals": "min_approvals = 2\n",
    "not by the author": "self_approval = false\n",
    "both": "min_approvals = 2\nself_approval = false\n",
}
VERDICTS = {
    #                     open  ada   grace both  flag  carried stale
    "default":           ("10", "00", "00", "00", "10", "00", "10"),
    "two approvals":     ("10", "10", "10", "00", "10", "10", "10"),
    "not by the author": ("10", "10", "00", "00", "10", "10", "10"),
    "both":              ("10", "10", "10", "10", "10", "10", "10"),
}  # fmt: skip
"""The exit codes of ``check`` and of ``check --report-only`` where the behaviour changed."""

LAX = "require_approval = []\n"
RULE = '[[rules]]\nmust_appear = ["$39"]\n'
RULES = {
    #                                           open  grace flag
    "nothing is asked for": (LAX,              "00", "00", "10"),
    "everything is asked for": (
        'require_approval = ["identical", "cosmetic", "request", "behaviour"]\n',
                                                "10", "00", "10"),
    "a warning": (LAX,                          "00", "00", "10"),
    "a warning that is made an error": (
        f'{LAX}severities = {{truncated = "error"}}\n',
                                                "10", "00", "10"),
    "a finding that blocks": (
        f'{LAX}blocking = ["truncated"]\n',
                                                "10", "10", "10"),
    "a finding that would block, turned off": (
        f'{LAX}blocking = ["truncated"]\nseverities = {{truncated = "off"}}\n',
                                                "00", "00", "10"),
    "a rule": (f"{LAX}{RULE}",                  "11", "00", "11"),
    "a rule beside a verdict": (RULE,           "11", "00", "11"),
    "a rule that warns": (
        f'{LAX}severities = {{must-appear = "warning"}}\n{RULE}',
                                                "00", "00", "10"),
    "a rule for other cassettes": (
        f'{LAX}{RULE}paths = ["evals/**"]\n',
                                                "00", "00", "10"),
    "a rule that blocks": (
        f'{LAX}blocking = ["must-appear"]\n{RULE}',
                                                "11", "11", "11"),
    "a budget": (
        f"{LAX}[[rules]]\nbudget = {{tokens = 300}}\n",
                                                "11", "00", "11"),
    "a budget that the baseline exceeded, too": (
        f"{LAX}[[rules]]\nbudget = {{tokens = 200}}\n",
                                                "11", "00", "11"),
    "a budget of growth": (
        f"{LAX}[[rules]]\nbudget = {{cost_growth = 0.1}}\n",
                                                "11", "00", "11"),
    "budgets that are kept": (
        f"{LAX}[[rules]]\nbudget = {{tokens = 340, token_growth = 0.5, cost = 1}}\n",
                                                "00", "00", "10"),
    "a budget of the suite": (
        f"{LAX}suite = {{tokens = 300}}\n",
                                                "11", "11", "11"),
    "a budget of the suite that warns": (
        f'{LAX}suite = {{tokens = 300}}\nseverities = {{token-budget = "warning"}}\n',
                                                "00", "00", "10"),
}  # fmt: skip
"""The same for rules, budgets and severities. The answer said $39 and says $390, is cut off, and takes 340 tokens in place of 240."""


def answered(**settings):
    """Head's recording: other words, cut off, after longer requests."""
    told = cassette(390, words="I refunded $390.", **settings)
    return told.replace("end_turn", "max_tokens").replace('input_tokens\\": 100', 'input_tokens\\": 150')


def decided(verdict, *people):
    def act(project, run):
        for who in people:
            project.git("config", "user.name", who.title())
            project.git("config", "user.email", f"{who}@example.org")
            code, _, err = run(verdict, "main...HEAD", "--", REFUND)
            assert code == 0, err

    return act


def approved_and_then(**settings):
    def act(project, run):
        decided("approve", "ada")(project, run)
        project.commit({REFUND: answered(**settings)})

    return act


STATES = {
    "open": lambda *_: None,
    "ada": decided("approve", "ada"),
    "grace": decided("approve", "grace"),
    "both": decided("approve", "ada", "grace"),
    "flag": decided("flag", "grace"),
    "carried": approved_and_then(request_id="req_3"),
    "stale": approved_and_then(system="You are a kind support agent."),
}


@pytest.fixture
def begun(isolated, tmp_path, monkeypatch):  # noqa: ARG001 - it has to come first
    """Make a project under a policy, whose branch, by Ada, recorded a refund anew."""

    def begin(policy, head):
        made = build((tmp_path / "project").resolve())
        made.commit({REFUND: cassette(words="I refunded $39."), "cassette-review.toml": policy})
        made.git("checkout", "--quiet", "-b", "branch")
        made.commit({REFUND: head})
        monkeypatch.chdir(made.root)
        return made

    return begin


def exits(run):
    """The exit codes without and with ``--report-only``, which say the same."""
    closed, out, _ = run("check", "main...HEAD")
    reported, same, _ = run("check", "main...HEAD", "--report-only")
    assert out == same
    return f"{closed}{reported}"


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("policy", PEOPLE)
def test_the_gate_opens_by_the_people_that_the_policy_counts(begun, run, policy, state):
    project = begun(PEOPLE[policy], answered())
    STATES[state](project, run)
    assert exits(run) == VERDICTS[policy][list(STATES).index(state)]


@pytest.mark.parametrize("state", ["open", "grace", "flag"])
@pytest.mark.parametrize("policy", RULES)
def test_the_gate_shuts_by_what_the_policy_forbids_asks_for_and_limits(begun, run, policy, state):
    rules, *expected = RULES[policy]
    project = begun(rules, answered())
    STATES[state](project, run)
    assert exits(run) == expected[["open", "grace", "flag"].index(state)]


def test_a_change_of_wording_that_breaks_a_rule_needs_a_person(begun, run):
    begun(RULE, cassette(words="I refunded it."))
    code, out, _ = run("check", "main...HEAD")
    assert (code, f"finding: {REFUND}" in out) == (1, True)
    assert "must-appear: “$39” has to appear in the final answer; it says “I refunded it.”" in out
    assert run("check", "main...HEAD", "--report-only")[0] == 1


def test_a_change_of_wording_that_breaks_no_rule_needs_nobody(begun, run):
    begun(RULE, cassette(words="I refunded $39.00, as agreed."))
    assert exits(run) == "00"


def test_a_rule_that_the_baseline_breaks_as_well_is_known(begun, run):
    begun('[[rules]]\nmust_appear = ["rf_88"]\n', cassette(words="It is refunded."))
    assert exits(run) == "00"


def test_the_rules_of_the_baseline_count_and_not_those_of_the_branch(begun, run):
    project = begun(LAX, answered())
    project.commit({"cassette-review.toml": f"{LAX}{RULE}"})
    assert exits(run) == "10"  # for the rules that changed, which need an approval themselves
