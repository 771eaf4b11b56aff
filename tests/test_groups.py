from datetime import UTC, datetime

from reviewlib.groups import by_risk, group, shared_causes, signature, unreadable_signature
from reviewlib.model.cassette import Unreadable
from reviewlib.pipeline import compare
from reviewlib.policy import Policy
from tests.trajectories import T, call, recording, trajectory

AT = datetime(2026, 11, 1, tzinfo=UTC)
GET = call("get_order", {"order_id": "4471"}, {"total": 39.0})
CHECK = call("check_policy", {"order_id": "4471"}, {"ok": True})


def done(text="Done."):
    return T(text=text)


def pair(path, one, other):
    sides = [
        run
        and recording(trajectory(*run), path=path).model_copy(
            update={"cassette": recording(path=path).cassette.model_copy(update={"content": f"{number}" * 40})}
        )
        for number, run in enumerate((one, other))
    ]
    return compare(sides[0], sides[1], Policy(), AT)


DROPPED = ((GET, CHECK, done()), (GET, done("Ready.")))
REWORDED = ((GET, done()), (GET, done("Ready.")))
FAILED = ((GET, done()), (T(failure="no", status=404),))


def test_pairs_that_changed_alike_share_a_signature_whatever_their_words():
    pairs = [pair("a", *DROPPED), pair("b", (GET, CHECK, done("x")), (GET, done("y"))), pair("c", *REWORDED)]
    assert pairs[0].signature == pairs[1].signature != pairs[2].signature
    groups = group(pairs)
    assert [(item.pairs, item.headline) for item in groups] == [(("a", "b"), "drops check_policy")]


def test_an_outlier_is_not_in_the_group():
    outlier = pair("c", DROPPED[0], (call("get_order", {"order_id": "1"}, {"total": 39.0}), done()))
    assert [item.pairs for item in group([pair("a", *DROPPED), pair("b", *DROPPED), outlier])] == [("a", "b")]


def test_other_values_are_another_signature():
    one, other = (pair("a", (call("pay", {"n": 1}),), (call("pay", {"n": n}),)) for n in (2, 3))
    assert one.signature != other.signature


def test_added_and_removed_cassettes_have_signatures_of_their_own():
    runs = [
        pair("a", None, (GET, done())),
        pair("b", None, (GET, done("x"))),
        pair("c", None, (CHECK, done())),
        pair("d", (GET, done()), None),
    ]
    assert [item.pairs for item in group(runs)] == [("a", "b")]
    assert signature((), "x") != signature(())
    assert unreadable_signature("decode", "x") != unreadable_signature("load", "x") != unreadable_signature("load", "y")


def test_what_must_be_read_first_stands_first():
    broken = compare(Unreadable(path="u", content="1", stage="decode", reason="cut off"), None, Policy(), AT)
    pairs = [pair("a", *REWORDED), pair("b", *DROPPED), broken, pair("d", *FAILED), pair("e", *DROPPED[:1] * 2)]
    assert [item.path for item in by_risk(pairs)] == ["d", "u", "b", "a", "e"]


def test_of_pairs_with_the_same_risk_the_one_that_changed_more_stands_first():
    more = pair("z", DROPPED[0], (call("get_order", {"order_id": "1"}, {"total": 39.0}), done()))
    assert [item.path for item in by_risk([pair("a", *DROPPED), more])] == ["z", "a"]


def test_the_same_edit_of_two_prompts_is_one_edit():
    def edited(path, prompt, new):
        sides = [recording(trajectory(done(), system=text), path=path) for text in (prompt, new)]
        return compare(*sides, Policy(), AT)

    one = edited("a", "You sell lamps. Be brief.", "You sell lamps. Be warm and brief.")
    other = edited("b", "You sell tents. Be brief.", "You sell tents. Be warm and brief.")
    third = edited("c", "You sell tents. Be brief.", "You sell tents. Be brief and rude.")
    assert one.signature == other.signature != third.signature


def test_an_edit_that_several_pairs_share_is_told_once_with_all_of_them():
    def pair_with(path, **settings):
        one, other = (
            recording(trajectory(*run, **more), path=path) for run, more in ((DROPPED[0], {}), settings.pop("head"))
        )
        return compare(one, other, Policy(), AT)

    pairs = [
        pair_with("a", head=(DROPPED[0], {"system": "x"})),
        pair_with("b", head=(DROPPED[1], {"system": "x"})),
        pair_with("c", head=(DROPPED[1], {})),
    ]
    assert [(cause.headline, cause.pairs) for cause in shared_causes(pairs)] == [
        ("system prompt edited", ("a", "b")),
        ("drops check_policy", ("b", "c")),
    ]


def test_answers_that_say_other_facts_are_no_group_and_a_groups_headline_tells_no_words_of_one():
    def answered(path, one, other, user="Refund $39.00"):
        sides = [recording(trajectory(done(text), user=user), path=path) for text in (one, other)]
        return compare(*sides, Policy(), AT)

    facts = [answered("a", "It is 39.", "It is 390."), answered("b", "It is 39.", "It is 400.")]
    assert group(facts) == ()
    words = [answered("c", "Takes 3 days.", "Takes 5 days."), answered("d", "Hi.", "Hello.")]
    assert [item.headline for item in group(words)] == ["reworded"]
