import pytest
from dashboard import present
from dashboard.present import Bead

from reviewlib import pipeline
from reviewlib.model.review import Side
from reviewlib.policy import DEFAULT_POLICY
from reviewlib.verdicts import PairState
from tests.app.reviews import AT, ORDER, POLICY, REFUND, broken, conversation, pair, recording, story

USUAL = ([ORDER], [POLICY], [REFUND], "I refunded $39.00.")
TEN = ("issue_refund", {"order_id": "4471", "amount": 390}, {"refunded": 390})


def story_pair(name):
    return next(one for one in story().pairs if one.path.endswith(name))


def beads(strip):
    signs = {"same": "", "added": "+", "removed": "-", "moved": "~", "changed": "!"}
    return " ".join(signs[bead.mark] + bead.text for bead in strip)


@pytest.mark.parametrize(
    ("name", "strip", "baseline", "head"),
    [
        (
            "refund.yaml",
            "• -check_refund_policy •",
            "get_order -check_refund_policy issue_refund",
            "get_order issue_refund",
        ),
        (
            "amount.yaml",
            "•• !issue_refund",
            "get_order check_refund_policy !issue_refund",
            "get_order check_refund_policy !issue_refund",
        ),
        (
            "order.yaml",
            "~check_refund_policy ••",
            "get_order ~check_refund_policy issue_refund",
            "~check_refund_policy get_order issue_refund",
        ),
        ("noise.yaml", "•••", *["get_order check_refund_policy issue_refund"] * 2),
        ("new.yaml", "+get_order", "", "+get_order"),
        ("cut-off.json", "", "-get_order", ""),
    ],
)
def test_the_strips_show_what_became_of_each_call(name, strip, baseline, head):
    one = story_pair(name)
    assert beads(present.strip(one)) == strip
    assert beads(present.order_strip(one, "baseline")) == baseline
    assert beads(present.order_strip(one, "head")) == head


def test_a_long_run_of_unchanged_calls_becomes_a_number():
    calls = [[("search", {"page": page}, [])] for page in range(9)]
    one = pair("a.yaml", conversation(*calls, "Done."), conversation(*calls, [POLICY], "Done."))
    assert present.strip(one) == (Bead("same", "•×9"), Bead("added", "check_refund_policy"))


def test_counts_know_every_rank_and_state_and_leave_identical_pairs_out_of_the_states():
    counts = present.counts(story(), {})
    assert {rank: counts[rank] for rank in present.RANKS} == {
        "unreadable": 1,
        "behaviour": 5,
        "request": 2,
        "cosmetic": 1,
        "identical": 1,
    }
    assert (counts["open"], counts["approved"]) == (9, 0)


@pytest.mark.parametrize(
    ("state", "needed"),
    [
        ("open", True),
        ("stale", True),
        ("blocked", True),
        ("approved", False),
        ("flagged", False),
        ("carried", False),
        ("resolved", False),
    ],
)
def test_the_walk_stops_at_what_nobody_has_decided(state, needed):
    one = story_pair("refund.yaml")
    assert present.needs_decision(one, {one.path: PairState(state=state)}) is needed


def test_an_identical_pair_needs_nobody():
    assert not present.needs_decision(story_pair("noise.yaml"), {})


def test_an_unreadable_pair_needs_somebody():
    assert present.needs_decision(broken("a.json"), {})


@pytest.mark.parametrize(
    ("side", "name"),
    [
        (Side(label="worktree"), "working tree"),
        (Side(label="/tmp/x"), "/tmp/x"),
        (Side(label="a" * 40, commit="a" * 40, revision="main"), "main (aaaaaaaaaa)"),
        (Side(label="a" * 40, commit="a" * 40, revision="a" * 40), "aaaaaaaaaa"),
    ],
)
def test_sides_are_called_as_they_were_asked_for(side, name):
    assert present.side_name(side) == name


@pytest.mark.parametrize(
    "words", ["check_refund_policy", "4471", "be brief", "prompt.yaml", "system prompt edited", "$39.00"]
)
def test_the_search_looks_at_tools_arguments_texts_changes_and_names(words):
    assert words in present.haystack(story_pair("prompt.yaml"))


def test_a_chip_does_not_say_its_word_twice():
    changes = story_pair("prompt.yaml").diff.changes
    assert (present.chip(changes[0]).word, present.chip(changes[0]).note) == ("system prompt", "edited")


def test_a_consequence_is_told_apart():
    argument, result = (present.chip(change) for change in story_pair("amount.yaml").diff.changes)
    assert (argument.consequence, result.consequence) == (False, True)


def test_every_word_has_a_shape_of_its_own_kind():
    assert len({present.SHAPES[rank] for rank in present.RANKS}) == len(present.RANKS)
    assert len({present.SHAPES[state] for state in present.STATES}) == len(present.STATES)


def test_a_long_strip_counts_what_repeats_and_what_is_far_from_a_change():
    beads = [
        *[Bead("same", "grep")] * 3,
        *[Bead("same", f"t{n}") for n in range(20)],
        Bead("added", "git_diff"),
        Bead("same", "commit"),
    ]
    assert [bead.text for bead in present.shortened(beads)] == [
        *("grep ×3", "t0", "t1", "t2", "… 13 more …", "t16", "t17", "t18", "t19"),
        *("git_diff", "commit"),
    ]


def test_conversations_stand_in_one_order_in_both_strips():
    first, second = conversation([ORDER], "Hi.", user="One?"), conversation([POLICY], "Ho.", user="Two?")
    one = pipeline.compare(recording("a", first, second), recording("a", second, first), DEFAULT_POLICY, AT)
    assert beads(present.order_strip(one, "baseline")) == beads(present.order_strip(one, "head"))


@pytest.mark.parametrize(
    ("baseline", "head", "names"),
    [
        (("/data/refunds/base", None), ("/data/refunds/head", None), ("refunds/base", "refunds/head")),
        (("old", None), ("new", None), ("old", "new")),
        (("/a/x/tapes", None), ("/a/y/tapes", None), ("a/x/tapes", "a/y/tapes")),
        (("same", None), ("same", None), ("same", "same")),
        (("main", "1" * 40), ("worktree", None), ("1" * 10, "working tree")),
    ],
)
def test_two_folders_are_named_from_where_their_paths_part(baseline, head, names):
    sides = [Side(label=label, commit=commit) for label, commit in (baseline, head)]
    both = story().model_copy(update={"baseline": sides[0], "head": sides[1]})
    assert present.side_names(both) == names


def test_kinds_of_findings_are_counted_where_they_are_new_the_severest_first():
    codes = present.codes(story())
    severities = {item.code: item.severity for one in story().pairs for item in one.findings}
    assert list(codes) == sorted(codes, key=lambda code: ("error", "warning", "info").index(severities[code]))
    assert codes["recorded-failure"] == 1
    gone = [
        one.model_copy(update={"findings": tuple(item.model_copy(update={"since": "gone"}) for item in one.findings)})
        for one in story().pairs
    ]
    assert present.codes(story().model_copy(update={"pairs": tuple(gone)})) == {}
