"""A first policy, written from what is there: valid, commented, and satisfied by what it was written from."""

import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewlib.policy import DEFAULT_GLOBS, Policy, read_policy
from reviewlib.policy.starter import Held, globs, rounded_up, starter


def held(path="tests/cassettes/test_refund/test_flow.yaml", **more):
    known = {
        "format": "vcrpy",
        "title": "vcrpy",
        "tools": ("get_order", "issue_refund"),
        "tokens": 12_589,
        "cost": Decimal("0.0221"),
    }
    return Held(path=path, **(known | more))


def read(*cassettes, runner=""):
    return read_policy(None, starter(cassettes, runner))


def uncommented(text):
    """The policy with its suggestions taken."""
    return re.sub(r"^# (?=\[|\w+ = )", "", text, flags=re.MULTILINE)


def test_it_is_a_policy_of_what_is_there():
    policy = read(
        held(), held("tests/cassettes/test_refund/test_other.yaml", tokens=400, cost=Decimal("0.4")), runner="uv run"
    )
    assert policy.cassettes == ("**/cassettes/**",)
    assert policy.record_command == "uv run pytest {test} --record-mode=rewrite"
    assert (policy.rules[0].budget.tokens, policy.rules[0].budget.cost) == (13_000, Decimal("0.4"))
    assert (policy.suite.tokens, policy.suite.cost) == (13_000, Decimal("0.43"))
    assert policy.blocking == ("secret",)
    assert policy.require_approval == ("behaviour",)


def test_it_says_what_was_found():
    text = starter([held(), held("tests/cassettes/a.har", format="har", title="Polly HAR")])
    assert "# Found: 1 Polly HAR, 1 vcrpy.\n" in text
    assert "# Tools that are called: get_order, issue_refund.\n" in text
    assert '"**/cassettes/**",  # 2 now\n' in text


def test_every_key_of_a_policy_is_in_it():
    text = starter([held()])
    assert [name for name in Policy.model_fields if not re.search(rf"^#? ?\[*{name}\b", text, re.MULTILINE)] == []


@pytest.mark.parametrize("cassettes", [[], [held()]], ids=["empty", "one"])
def test_every_suggestion_in_it_is_a_policy_too(cassettes):
    policy = read_policy(None, uncommented(starter(cassettes)))
    assert set(policy.model_fields_set) == set(Policy.model_fields)
    assert policy.rules[0].max_steps == 20
    assert policy.rules[-1].budget.token_growth == 0.5


def test_without_a_cassette_it_is_the_defaults():
    assert read() == read_policy(None, None).model_copy(update={"rules": read().rules})
    assert read().cassettes == DEFAULT_GLOBS


@pytest.mark.parametrize(
    ("paths", "found"),
    [
        (["tests/cassettes/a.yaml", "x/testdata/b.httprr"], {"**/cassettes/**": 1, "**/testdata/**": 1}),
        (["golden/runs/a.json", "golden/runs/deep/b.json"], {"golden/runs/**": 2}),
        (["a.json", "tests/cassettes/a.yaml"], {"**/cassettes/**": 1, "a.json": 1}),
        ([f"golden/{name}/run.json" for name in "abcdefgh"], {"golden/**": 8}),
        ([], {}),
    ],
)
def test_patterns_are_those_that_match(paths, found):
    assert dict(globs(paths)) == found


PATHS = st.lists(
    st.lists(st.sampled_from(["a", "b", "cassettes", "x y", "é"]), min_size=1, max_size=4).map("/".join), max_size=20
)


@given(PATHS)
def test_patterns_name_every_cassette(paths):
    policy = read(*(held(path) for path in paths))
    assert all(policy.is_cassette_path(path) for path in paths)
    assert sum(count for _, count in globs(paths)) == len(paths)


@pytest.mark.parametrize(
    ("number", "up"),
    [(12_589, 13_000), (100, 100), (101, 110), (7, 7), (0, 0), (Decimal("0.3674"), Decimal("0.37")), (999, 1000)],
)
def test_figures_are_rounded_up_to_two_digits(number, up):
    assert rounded_up(number) == up


@given(st.integers(1, 10**12) | st.decimals(Decimal("0.0001"), 10_000, places=6))
def test_a_budget_is_never_less_than_what_is_taken_now(number):
    assert number <= rounded_up(number) <= Decimal(number) * Decimal("1.1")


def test_without_a_test_that_is_known_by_its_path_no_command_is_claimed():
    assert read(held("cassettes/refund.yaml")).record_command is None
    assert read(held(format="har")).record_command is None
    assert read(held(), held("tests/cassettes/test_a/test_b.json", format="har")).record_command is None


def test_what_is_not_known_gets_no_budget():
    policy = read(held(tokens=None, cost=None))
    assert policy.suite == Policy().suite
    assert policy.rules[0].budget == Policy().suite


@given(st.text(min_size=1), st.text(min_size=1))
def test_no_name_breaks_out_of_its_place(tool, path):
    text = starter([held(path, tools=(tool,))])
    assert text.encode()
    assert read_policy(None, text).blocking == ("secret",)
    assert all(char.isprintable() or char == "\n" for char in text)


def test_where_one_does_not_say_what_it_took_there_is_no_sum():
    policy = read(held(), held("tests/cassettes/b.yaml", tokens=None))
    assert (policy.rules[0].budget.tokens, policy.suite.tokens) == (13_000, None)
    assert policy.suite.cost == Decimal("0.045")


def test_a_call_without_a_name_is_no_tool_to_write_rules_about():
    text = starter([held(tools=("", "get_order", "pay"))])
    assert "# Tools that are called: get_order, pay." in text
    assert '# required_tools = ["get_order"]' in text


def test_many_tools_are_counted():
    text = starter([held(tools=tuple(f"tool_{number:02}" for number in range(50)))])
    assert "tool_39 and 10 more." in text.replace("\n#  ", "")
    assert all(len(line) < 140 for line in text.splitlines())
