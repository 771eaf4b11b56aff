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


def test_a_group_is_of_one_significance_and_says_what_its_members_weigh_and_nothing_that_only_one_of_them_has():
    def used(path, user, *tokens, text="Hello."):
        sides = [(T(text=text, usage=(10, count)),) for count in tokens]
        return compare(*(recording(trajectory(*side, user=user), path=path) for side in sides), Policy(), AT)

    def reworded(path, *tokens):
        sides = [(T(text=text, usage=(10, count)),) for text, count in zip(("Hi.", "Hello."), tokens, strict=True)]
        return compare(*(recording(trajectory(*side), path=path) for side in sides), Policy(), AT)

    few = [reworded("a", 50, 51), reworded("b", 50, 52), used("e", "x", 50, 51), used("f", "y", 50, 49)]
    many = [reworded("c", 50, 500), reworded("d", 50, 900), used("g", "x", 50, 500), used("h", "y", 500, 50)]
    found = group([*few, *many])
    assert [(item.pairs, item.headline) for item in found] == [
        (("a", "b"), "reworded"),
        (("e", "f"), "other token counts"),
        (("c", "d"), "reworded; far more or fewer tokens"),
        (("g", "h"), "far more or fewer tokens"),
    ]
    by_path = {item.path: item for item in (*few, *many)}
    assert [len({by_path[path].significance for path in item.pairs}) for item in found] == [1, 1, 1, 1]


def test_groups_that_begin_alike_are_told_by_what_sets_them_apart():
    def many(path, top_p):
        sides = [
            recording(trajectory(GET, done(), system=system, user=user, model=model, parameters=parameters), path=path)
            for system, user, model, parameters in (("a", "b", "m-1", {}), ("x", "y", "m-2", {"top_p": top_p}))
        ]
        return compare(*sides, Policy(), AT)

    found = group([many("a", 1), many("b", 1), many("c", 2), many("d", 2)])
    assert [item.headline.rpartition("; ")[2] for item in found] == [
        "parameter top_p nothing → 1",
        "parameter top_p nothing → 2",
    ]
    (alone,) = group([many("a", 1), many("b", 1)])
    assert alone.headline.endswith("; and 1 more")


def test_cassettes_that_gained_one_conversation_and_two_are_no_group():
    def grown(path, count):
        sides = [
            recording(*(trajectory(GET, done(), user=f"Order {n}?") for n in range(m)), path=path) for m in (1, count)
        ]
        return compare(*sides, Policy(), AT)

    found = group([grown("a", 2), grown("b", 3), grown("c", 3)])
    assert [(item.pairs, item.headline) for item in found] == [(("b", "c"), "2 conversations are new")]


def test_answers_that_say_other_facts_are_no_group_and_a_groups_headline_tells_no_words_of_one():
    def answered(path, one, other, user="Refund $39.00"):
        sides = [recording(trajectory(done(text), user=user), path=path) for text in (one, other)]
        return compare(*sides, Policy(), AT)

    facts = [answered("a", "It is 39.", "It is 390."), answered("b", "It is 39.", "It is 400.")]
    assert group(facts) == ()
    words = [answered("c", "Takes 3 days.", "Takes 5 days."), answered("d", "Hi.", "Hello.")]
    assert [item.headline for item in group(words)] == ["reworded"]
