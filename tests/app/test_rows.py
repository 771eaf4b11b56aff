import pytest
from dashboard import rows

from reviewlib.model.review import Finding, Group
from tests.app.reviews import ORDER, POLICY, REFUND, conversation, pair, review, story
from tests.app.test_present import USUAL, story_pair

LONGER = "You are a support agent. Always check the policy, and be brief."


def test_a_row_has_everything_on_one_line_and_nothing_hidden():
    hostile = conversation([("tool\u202e\n\x1b[2J", {}, None)], "Done.")
    row = rows.row(pair("a.yaml", None, hostile))
    assert "\n" not in row.tools + row.headline + row.strip[0][1]
    assert "\u202e" not in row.tools + row.headline + row.strip[0][1]


def test_the_row_of_a_pair_carries_the_deciding_values():
    row = rows.row(story_pair("amount.yaml"))
    assert (row.headline, row.rank, row.status) == (
        "issue_refund.amount 39 → 390",
        "behaviour",
        "",
    )


def test_only_new_findings_are_counted_worst_first():
    findings = [
        Finding(code="secret", severity="error", message=""),
        Finding(code="a", severity="warning", message=""),
        Finding(code="b", severity="warning", message="", since="known"),
        Finding(code="c", severity="info", message=""),
    ]
    assert rows.findings_in_brief(findings) == "✕1 ▲1"


def names(pairs):
    return [one.path.rpartition("/")[2].removesuffix(".yaml") for one in pairs]


def test_what_changed_like_no_other_comes_before_a_group_of_the_same_risk_and_groups_stand_together():
    edited = [pair(f"g{n}.yaml", conversation(*USUAL), conversation(*USUAL, system=LONGER)) for n in range(3)]
    lone = pair("z.yaml", conversation(*USUAL), conversation(*USUAL, user="Refund 4471, please."))
    worse = pair("worst.yaml", conversation(*USUAL), conversation([ORDER], [REFUND], USUAL[3]))
    one = review(*edited, lone, worse)
    assert names(rows.by_risk(one)) == ["worst", "z", "g0", "g1", "g2"]


def test_an_error_comes_before_everything_else_even_in_a_group():
    broken = [pair(f"b{n}.yaml", conversation([ORDER], "Found."), conversation("HTTP 401")) for n in range(2)]
    worse = pair("dropped.yaml", conversation(*USUAL), conversation([ORDER], [REFUND], USUAL[3]))
    assert names(rows.by_risk(review(worse, *broken))) == ["b0", "b1", "dropped"]


def test_every_pair_is_listed_once_in_every_order():
    one = story()
    for sort in rows.SORTS:
        listed = rows.ordered(rows.by_risk(one), sort, lambda _: "open")
        assert sorted(names(listed)) == sorted(names(one.pairs))


@pytest.mark.parametrize(
    ("sort", "first", "last"),
    [
        ("path", "amount", "wording"),
        ("-path", "wording", "amount"),
        ("tokens", "refund", None),
        ("findings", "denied", None),
    ],
)
def test_the_queue_can_be_sorted_by_a_column(sort, first, last):
    listed = names(rows.ordered(story().pairs, sort, lambda _: "open"))
    assert listed[0] == first
    assert last is None or listed[-1] == last


@pytest.mark.parametrize("sort", ["tokens", "-tokens", "cost", "-cost"])
def test_what_is_not_known_comes_last_whichever_way(sort):
    listed = names(rows.ordered(story().pairs, sort, lambda _: "open"))
    assert set(listed[-2:]) & {"denied", "cut-off.json", "new"}


def test_states_sort_by_what_needs_a_person():
    states = {"tests/cassettes/noise.yaml": "approved"}
    listed = rows.ordered(story().pairs, "state", lambda one: states.get(one.path, "open"))
    assert names(listed)[-1] == "noise"


def test_a_pair_knows_its_group():
    (group,) = [one for one in story().groups if isinstance(one, Group)][:1] or [None]
    shared = rows.groups(story())
    assert group is None or {path for path, one in shared.items() if one == group} == set(group.pairs)


def test_a_long_strip_ends_somewhere():
    calls = [[ORDER] if n % 2 else [POLICY] for n in range(60)]
    assert len(rows.row(pair("a.yaml", conversation("Hi."), conversation(*calls, "Done."))).strip) == 12
