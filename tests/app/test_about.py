from dashboard import about

from reviewlib.model.review import Ignored
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


def test_what_was_not_compared_is_added_up_over_all_pairs():
    headers = Ignored(what="headers", count=14, names=("date", "cf-ray"))
    review = story()
    first, second, *others = review.pairs
    first = first.model_copy(update={"ignored": (headers, Ignored(what="times", count=1))})
    second = second.model_copy(update={"ignored": (headers.model_copy(update={"names": ("date", "server")}),)})
    found = about.ignored(review.model_copy(update={"pairs": (first, second, *others)}))
    assert found == (("headers", "28 in 2 cassettes (date, cf-ray, server)"), ("times", "1 in 1 cassette"))


def test_every_rule_is_listed_with_what_is_a_default():
    rules = facts(about.rules(read_policy(None, 'record_command = "make {path}"\n')))
    assert rules["record_command"] == "make {path}"
    assert rules["usage_tolerance"] == "0.2 (default)"
    assert set(rules) == {*type(DEFAULT_POLICY).model_fields, "digest"}


def test_versions_are_named():
    assert {"cassette-review", "normalisation", "prices", "streamlit"} == set(facts(about.versions()))


def test_what_is_never_a_difference_is_told_in_words():
    assert len({name for name, _ in about.VOLATILE}) == len(about.VOLATILE)
