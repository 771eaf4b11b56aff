"""Where a recording comes from: a person or a robot, a provider or a keyboard, another sample of the same."""

import pytest

from reviewlib.checks import suite_findings
from reviewlib.model.surroundings import Origin, Surroundings
from reviewlib.pipeline import compare
from reviewlib.policy import Policy
from tests.checks.judging import TODAY, given, issued, made, since, told
from tests.trajectories import T, call

GET = call("get_order", {"order_id": "4471"}, {"total": 39})
CHECK = call("check_policy", {"order_id": "4471"}, {"ok": True})
DONE = T(text="Done.")
PATH = "tests/cassettes/test.yaml"


def by(name, email, path=PATH):
    return Surroundings(origins={path: Origin(name=name, email=email, at=1.0)})


AUTHORS = {
    "a forge's bot": ("renovate[bot]", "29139614+renovate[bot]@users.noreply.github.com", True),
    "an action": ("github-actions", "41898282+github-actions@users.noreply.github.com", True),
    "a CI mailbox": ("Recorder", "ci@example.com", True),
    "a bot's mailbox": ("Nightly", "shop-bot@example.com", True),
    "a name that ends in bot": ("record-bot", "record@example.com", True),
    "a person": ("Ada", "ada@example.org", False),
    "a person at a forge": ("Ada", "1234+ada@users.noreply.github.com", False),
    "a token of a GitLab project": ("recorder", "project_278964_bot_3f2b8c@noreply.gitlab.com", True),
    "a person at another forge": ("Ada", "1234-ada@users.noreply.gitlab.com", False),
    "a person named like one": ("Abbot Talbot", "talbot@example.org", False),
    "a person called Ci": ("Ci Wang", "wang@cicero.example.org", False),
}


@pytest.mark.parametrize("case", AUTHORS)
def test_a_cassette_was_recorded_by_automation_where_a_robot_committed_it(case):
    name, email, seen = AUTHORS[case]
    assert since("recorded-by-automation", None, made(DONE), given(around=by(name, email))) == ["new"] * seen


def test_the_robot_is_named_and_who_is_not_known_is_not_judged():
    found = told("recorded-by-automation", None, made(DONE), given(around=by("renovate[bot]", "x@y")))
    assert found == [("new", "recorded by automation: renovate[bot] committed it")]
    assert told("recorded-by-automation", None, made(DONE)) == []
    assert (
        told("recorded-by-automation", None, made(DONE), given(around=by("renovate[bot]", "x@y", "other.yaml"))) == []
    )


@pytest.mark.parametrize(("pattern", "seen"), [("nightly*", True), ("*@robots.example.com", True), ("night", False)])
def test_a_project_names_its_own_robots(pattern, seen):
    around = by("Nightly Recorder", "n@robots.example.com")
    assert (
        since("recorded-by-automation", None, made(DONE), given(around=around, automation=[pattern])) == ["new"] * seen
    )


def test_only_what_was_committed_since_the_baseline_is_judged():
    robot, person = by("renovate[bot]", "x@y"), by("Ada", "ada@example.org")
    both = made(DONE), made(DONE, run="b")
    assert since("recorded-by-automation", *both, given(around=robot, before=person)) == ["new"]
    assert since("recorded-by-automation", *both, given(around=person)) == []


def test_the_newest_file_of_a_folder_tells_for_the_folder():
    origins = {
        "tests/cassettes/x/1.json": Origin(name="renovate[bot]", email="x@y", at=1.0),
        "tests/cassettes/x/2.json": Origin(name="Ada", email="ada@example.org", at=2.0),
        "tests/cassettes/xy/3.json": Origin(name="renovate[bot]", email="x@y", at=3.0),
    }
    folder = Surroundings(origins=origins)
    assert folder.origin("tests/cassettes/x") == origins["tests/cassettes/x/2.json"]
    assert folder.origin("tests/cassettes/z") is None


SAMPLES = {
    "another call": (made(GET, CHECK, DONE), made(GET, DONE, run="b"), True),
    "another argument": (
        made(GET, DONE),
        made(call("get_order", {"order_id": "4472"}, {"total": 39}), DONE, run="b"),
        True,
    ),
    "the same": (made(GET, DONE), made(GET, DONE, run="b"), False),
    "other words": (made(GET, DONE), made(GET, T(text="Ready."), run="b"), False),
    "an edited prompt": (made(GET, CHECK, DONE), made(GET, DONE, run="b", system="Be quick."), False),
    "an edited parameter": (
        made(GET, CHECK, DONE, parameters={"temperature": 0}),
        made(GET, DONE, run="b", parameters={"temperature": 1}),
        False,
    ),
    "another model": (made(GET, CHECK, DONE), made(GET, DONE, run="b", model="model-2"), False),
    "another result of the same call": (
        made(GET, CHECK, DONE),
        made(call("get_order", {"order_id": "4471"}, {"total": 40}), DONE, run="b"),
        False,
    ),
    "a failure": (made(GET, DONE), made(GET, T(failure="no such model", status=404), run="b"), False),
    "the baseline's own answers": (made(GET, CHECK, DONE), made(GET, CHECK), False),
}


@pytest.mark.parametrize("case", SAMPLES)
def test_other_behaviour_after_the_same_requests_is_another_sample(case):
    one, other, seen = SAMPLES[case]
    assert since("same-requests-other-behaviour", one, other) == ["new"] * seen


@pytest.mark.parametrize(
    "fact", ["requests", "system_prompt", "user_messages", "tool_schemas", "parameters", "requested_model"]
)
def test_where_a_side_does_not_record_what_was_sent_nothing_is_said_about_it(fact):
    one, other, _ = SAMPLES["another call"]
    blind = other.model_copy(update={"not_recorded": (fact,)})
    assert since("same-requests-other-behaviour", one, blind) == []
    assert since("same-requests-other-behaviour", blind, one) == []


def test_without_ids_nobody_knows_whether_the_answers_are_new():
    one, other = (
        made(*turns, changes={number: {"response_id": None} for number in (1, 2, 3)})
        for turns in ((GET, CHECK, DONE), (GET, DONE))
    )
    assert since("same-requests-other-behaviour", one, other) == []


IDS = {
    "one typed, one given": ({1: "msg_synthetic_1"}, True),
    "one that is too short to be given": ({1: "msg_1"}, True),
    "one with a word in it": ({1: "chatcmpl-fake-for-the-test"}, True),
    "all given": ({}, False),
    "all typed": ({1: "msg_1", 2: "msg_2"}, False),
    "one of another provider": ({1: "gen-1758000000-abcdefghijklmnop"}, False),
    "one of a kind that is not known": ({1: "0195f3a2b1c47e0c9d"}, False),
    "one without": ({1: None}, False),
}


@pytest.mark.parametrize("case", IDS)
def test_a_cassette_is_half_synthetic_where_typed_ids_stand_beside_given_ones(case):
    ids, seen = IDS[case]
    one = made(GET, DONE, changes={turn: {"response_id": name} for turn, name in ids.items()})
    assert since("synthetic-mixed", None, one) == ["new"] * seen


def test_what_was_typed_is_named():
    ((_, message),) = told("synthetic-mixed", None, made(GET, DONE, changes={1: {"response_id": "msg_synthetic_1"}}))
    assert message == "1 of 2 answers were written by hand (msg_synthetic_1), beside recorded ones"


def copies(*recordings, baseline=None):
    pairs = [compare(baseline, item, Policy(), TODAY) for item in recordings]
    return [item.message for item in suite_findings(pairs, given()) if item.code == "duplicate"]


def test_cassettes_with_the_same_answers_are_duplicates_and_those_with_equal_ones_are_not():
    one, copy = made(GET, DONE, path="a.yaml"), made(GET, DONE, path="b.yaml")
    alike = made(GET, DONE, path="c.yaml", run="c")
    assert copies(one, copy, alike) == ["2 cassettes hold the same answers, by id: a.yaml, b.yaml"]
    assert copies(one, alike) == []
    assert copies(one, made(GET, path="d.yaml")) == [], "a part is no copy"


def test_many_copies_are_one_finding_and_synthetic_ones_are_none():
    many = [made(DONE, path=f"{number}.yaml") for number in range(5)]
    assert copies(*many) == ["5 cassettes hold the same answers, by id: 0.yaml, 1.yaml, 2.yaml and 2 more"]
    synthetic = [
        item.model_copy(update={"cassette": item.cassette.model_copy(update={"synthetic": True})}) for item in many
    ]
    assert copies(*synthetic) == []


def test_what_was_the_same_before_is_no_news():
    pairs = [made(DONE, path=f"{number}.yaml", run="b") for number in range(2)]
    assert copies(*pairs, baseline=made(DONE)) == []
    assert copies(*pairs) == ["2 cassettes hold the same answers, by id: 0.yaml, 1.yaml"]


def test_ids_of_the_builder_are_like_those_of_a_provider():
    assert issued("a-1").startswith("msg_")
