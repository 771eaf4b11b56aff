"""The part of a policy that is about the recordings themselves."""

from datetime import date

import pytest

from reviewlib.errors import PolicyError
from reviewlib.policy import Hygiene, Policy, Schedule, read_policy, written

WRITTEN = """
[tool.cassette-review.hygiene]
stale_after_days = 180
schedules = [{ paths = ["tests/cassettes/smoke/**"], days = 30 }]
retirement_notice_days = 60
automation = ["nightly*", "*@robots.example.com"]
largest_bytes = 200_000
most_turns = 40

[tool.cassette-review.hygiene.templates]
"tests/cassettes/**" = "prompts/refund.md"

[tool.cassette-review.hygiene.retired_models]
my-finetune = 2026-12-31
"""


def test_every_key_is_read_and_written_back():
    policy = read_policy(WRITTEN, None)
    assert policy.hygiene == Hygiene(
        stale_after_days=180,
        schedules=(Schedule(paths=("tests/cassettes/smoke/**",), days=30),),
        templates={"tests/cassettes/**": "prompts/refund.md"},
        retired_models={"my-finetune": date(2026, 12, 31)},
        retirement_notice_days=60,
        automation=("nightly*", "*@robots.example.com"),
        largest_bytes=200_000,
        most_turns=40,
    )
    assert read_policy(None, written(policy, "pyproject.toml")) == policy
    assert policy.digest != Policy().digest


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("stale_after_days = 0", "greater than or equal to 1"),
        ('stale_after_days = "90"', "valid integer"),
        ("largest_bytes = 0", "greater than or equal to 1"),
        ("retirement_notice_days = -1", "greater than or equal to 0"),
        ("schedules = [{ days = 3 }]", "Field required"),
        ('retired_models = { x = "soon" }', "valid date"),
        ('templates = { "**" = "../prompt.md" }', "no file of the repository; write its path from the top"),
        ('templates = { "**" = "/etc/prompt.md" }', "no file of the repository"),
        ('templates = { "**" = "" }', "no file of the repository"),
        ("stale_after = 9", "unknown key 'hygiene.stale_after'; did you mean 'stale_after_days'"),
    ],
)
def test_what_cannot_be_used_is_said(line, words):
    with pytest.raises(PolicyError, match=r"^\[tool") as refused:
        read_policy(f"[tool.cassette-review.hygiene]\n{line}\n", None)
    assert words in str(refused.value)


def test_the_first_pattern_that_names_a_path_holds():
    hygiene = Hygiene(templates={"a/**": "a.md", "**": "all.md"}, schedules=(Schedule(paths=("a/*", "b/*"), days=3),))
    assert [hygiene.template(path) for path in ("a/x.json", "c/x.json")] == ["a.md", "all.md"]
    assert [hygiene.stale_after(path) for path in ("a/x.json", "b/x.json", "c/x.json")] == [3, 3, None]
    assert (hygiene.asks_for_ages, Hygiene().asks_for_ages, Hygiene().template("a")) == (True, False, None)


def test_a_robot_is_known_by_name_or_address_in_any_case():
    hygiene = Hygiene(automation=("nightly*", "*@robots.example.com"))
    people = [("Nightly Recorder", "x@y"), ("R", "r@Robots.Example.com"), ("Ada", "ada@example.org")]
    assert [hygiene.is_automation(*person) for person in people] == [True, True, False]
