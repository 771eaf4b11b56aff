from dashboard import about

from reviewlib.policy import DEFAULT_POLICY, read_policy
from tests.app.reviews import story


def facts(found):
    return {fact.name: fact.value for fact in found}


def test_the_sides_are_named_with_their_commits_in_full():
    assert facts(about.sides(story())) == {"baseline": f"main (1111111111) {'1' * 40}", "head": "working tree"}


def test_what_was_found_is_counted():
    found = facts(about.counted(story()))
    assert (found["changed cassettes"], found["unreadable"], found["behaviour"]) == ("10", "1", "5")
    assert found["changed files that are no cassettes"] == "3"


def test_every_rule_is_listed_with_what_is_a_default():
    rules = facts(about.rules(read_policy(None, 'record_command = "make {path}"\n')))
    assert rules["record_command"] == "make {path}"
    assert rules["usage_tolerance"] == "0.2 (default)"
    assert set(rules) == {*type(DEFAULT_POLICY).model_fields, "digest"}


def test_versions_are_named():
    assert {"cassette-review", "normalisation", "prices", "streamlit"} == set(facts(about.versions()))


def test_what_is_never_a_difference_is_told_in_words():
    assert len({name for name, _ in about.VOLATILE}) == len(about.VOLATILE)
