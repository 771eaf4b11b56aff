import itertools
from datetime import UTC, datetime, timedelta

import pytest
from pydantic import ValidationError

from reviewlib.canonical import NORMALISER
from reviewlib.model.review import Digests, Finding, Pair, Review, Side, Totals
from reviewlib.policy import DEFAULT_POLICY, Policy
from reviewlib.verdicts import (
    Anchor,
    Entry,
    PairState,
    Reviewer,
    comment_entry,
    refusal,
    states,
    verdict_entry,
    withdraw_entry,
)

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
ADA = Reviewer(name="Ada", email="ada@example.org")
GRACE = Reviewer(name="Grace", email="grace@example.org")
SECRET = Finding(code="secret", severity="error", message="a key")


def pair(baseline: str | None = "b0", head: str | None = "h0", behaviour: str | None = "same", **fields) -> Pair:
    """A pair of the cassette ``a.json``; ``behaviour`` is the head's digest."""
    base = Digests() if baseline is None else Digests(behaviour=f"b-{baseline}", request="r")
    values = {
        "path": "a.json",
        "baseline_path": None if baseline is None else "a.json",
        "head_path": None if head is None else "a.json",
        "status": "added" if baseline is None else "removed" if head is None else "modified",
        "baseline_content": baseline,
        "head_content": head,
        "baseline": None,
        "head": None,
        "diff": None,
        "significance": "behaviour",
        "headline": "",
        "signature": "sig",
        "baseline_digests": base,
        "head_digests": Digests() if head is None else Digests(behaviour=behaviour, request="r"),
        "baseline_totals": Totals(),
        "head_totals": Totals(),
    }
    return Pair(**(values | fields))


class Book:
    """Writes entries, one minute apart, each with an id of its own."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._numbers = itertools.count(1)

    def _next(self) -> dict:
        number = next(self._numbers)
        return {"at": NOON + timedelta(minutes=number), "entry_id": f"e{number}"}

    def approve(self, of: Pair, who: Reviewer = ADA, **more) -> Entry:
        return self._keep(verdict_entry(of, "approve", who, **(self._next() | more)))

    def flag(self, of: Pair, who: Reviewer = ADA, comment: str = "wrong", **more) -> Entry:
        return self._keep(verdict_entry(of, "flag", who, comment, **(self._next() | more)))

    def comment(self, of: Pair, who: Reviewer = ADA, **more) -> Entry:
        return self._keep(comment_entry(of, who, "why?", **(self._next() | more)))

    def withdraw(self, of: Pair, who: Reviewer = ADA, comment: str = "", **more) -> Entry:
        return self._keep(withdraw_entry(of, who, comment, **(self._next() | more)))

    def _keep(self, entry: Entry) -> Entry:
        self.entries.append(entry)
        return entry

    def state(self, *pairs: Pair, policy: Policy = DEFAULT_POLICY, authors: tuple[str, ...] = ()) -> PairState:
        """Where the first pair stands; ``earlier`` is left out, it is everything else that was written."""
        review = Review(baseline=Side(label="b"), head=Side(label="h"), pairs=pairs, groups=())
        one = states(self.entries, review, policy, authors)[pairs[0].path]
        assert states(reversed(self.entries), review, policy, authors)[pairs[0].path] == one, (
            "the order of lines carries no meaning"
        )
        assert {entry.id for entry in (*one.entries, *one.earlier)} <= {entry.id for entry in self.entries}
        return one.model_copy(update={"earlier": ()})


@pytest.fixture
def book() -> Book:
    return Book()


# On exactly this content


def test_without_entries_a_pair_is_open(book: Book):
    assert book.state(pair()) == PairState(state="open")


def test_an_approval_names_who_gave_it(book: Book):
    first, second = book.approve(pair()), book.approve(pair(), GRACE)
    assert book.state(pair()) == PairState(state="approved", entries=(first, second), by=(ADA, GRACE))


def test_seen_and_commented_is_not_approved(book: Book):
    remark = book.comment(pair(), step=Anchor(side="head", step=(0, 3)))
    assert book.state(pair()) == PairState(state="open", entries=(remark,))


def test_a_flag_wins_over_any_approval(book: Book):
    book.flag(pair(), GRACE)
    book.approve(pair(), ADA)
    assert (book.state(pair()).state, book.state(pair()).by) == ("flagged", (GRACE,))


@pytest.mark.parametrize(("first", "then", "state"), [("flag", "approve", "approved"), ("approve", "flag", "flagged")])
def test_a_reviewers_latest_word_counts(book: Book, first, then, state):
    getattr(book, first)(pair())
    getattr(book, then)(pair())
    assert book.state(pair()).state == state


def test_a_remark_after_a_verdict_leaves_it(book: Book):
    book.approve(pair())
    book.comment(pair())
    assert book.state(pair()).state == "approved"


def test_a_reviewer_is_known_by_the_mail_address_whatever_its_case(book: Book):
    book.flag(pair(), Reviewer(name="A. Lovelace", email="ADA@Example.org"))
    book.approve(pair(), ADA)
    assert book.state(pair()).state == "approved"


def test_two_entries_of_one_moment_are_ordered_by_id(book: Book):
    book.approve(pair(), at=NOON, entry_id="a")
    book.flag(pair(), at=NOON, entry_id="b")
    assert book.state(pair()).state == "flagged"


def test_the_same_content_at_another_path_is_another_scenario(book: Book):
    book.approve(pair(path="other.json"))
    assert book.state(pair()).state == "open"


@pytest.mark.parametrize("one", [pair(baseline=None), pair(head=None)], ids=["added", "removed"])
def test_added_and_removed_cassettes_take_verdicts_like_any_other(book: Book, one):
    assert book.approve(one).subject == (one.head_content or one.baseline_content)
    assert book.state(one).state == "approved"


def test_an_unreadable_pair_can_be_flagged(book: Book):
    broken = pair(significance=None, head_digests=Digests())
    book.flag(broken)
    assert book.state(broken).state == "flagged"


# Taking back


def test_an_undone_verdict_never_was_and_the_one_before_holds_again(book: Book):
    book.approve(pair())
    flag = book.flag(pair())
    book.withdraw(pair(), undoes=flag.id)
    assert book.state(pair()).state == "approved"
    assert len(book.state(pair()).entries) == 3


def test_an_undo_can_be_undone(book: Book):
    approval = book.approve(pair())
    undo = book.withdraw(pair(), undoes=approval.id)
    assert book.state(pair()).state == "open"
    book.withdraw(pair(), undoes=undo.id)
    assert book.state(pair()).state == "approved"


def test_an_undo_holds_where_a_clock_ran_behind(book: Book):
    approval = book.approve(pair())
    book.withdraw(pair(), undoes=approval.id, at=NOON - timedelta(days=1))
    assert book.state(pair()).state == "open"


def test_without_naming_an_entry_a_withdrawal_takes_back_ones_own_verdicts(book: Book):
    book.flag(pair())
    book.approve(pair())
    book.approve(pair(), GRACE)
    book.withdraw(pair())
    assert book.state(pair()).by == (GRACE,)
    book.approve(pair())
    assert book.state(pair()).by == (GRACE, ADA)


def test_nobody_takes_back_anothers_approval(book: Book):
    approval = book.approve(pair())
    book.withdraw(pair(), GRACE, "I disagree", undoes=approval.id)
    assert book.state(pair()).state == "approved"


@pytest.mark.parametrize(("reason", "state"), [("a duplicate", "open"), ("  ", "flagged")])
def test_anothers_flag_is_set_aside_only_with_a_reason_that_stays_visible(book: Book, reason, state):
    flag = book.flag(pair())
    why = book.withdraw(pair(), GRACE, reason, undoes=flag.id)
    assert book.state(pair()).state == state
    assert book.state(pair()).dismissed == (((flag, why),) if state == "open" else ())


def test_a_flag_that_was_set_aside_does_not_bring_an_earlier_approval_back(book: Book):
    book.approve(pair())
    flag = book.flag(pair())
    book.withdraw(pair(), GRACE, "a duplicate", undoes=flag.id)
    assert book.state(pair()).state == "open"
    book.approve(pair(), GRACE)
    assert book.state(pair()).by == (GRACE,)


def test_a_bulk_verdict_is_undone_one_by_one(book: Book):
    one, other = pair(), pair(path="b.json")
    first = book.approve(one, bulk="group")
    book.approve(other, bulk="group")
    book.withdraw(one, undoes=first.id)
    assert (book.state(one, other).state, book.state(other, one).state) == ("open", "approved")


def test_withdrawals_that_undo_each_other_end(book: Book):
    approval = book.approve(pair())
    book.withdraw(pair(), undoes="e3")
    book.withdraw(pair(), undoes="e2")
    book.withdraw(pair(), undoes="e4")
    assert approval in book.state(pair()).entries


# After the content has moved


def test_an_approval_is_carried_over_noise(book: Book):
    approval = book.approve(pair(head="h0"))
    assert book.state(pair(head="h1")) == PairState(state="carried", by=(ADA,), since=approval)


@pytest.mark.parametrize(
    "now",
    [
        pair(head="h1", behaviour="other"),
        pair(head="h1", head_digests=Digests(behaviour="same", request="other")),
        pair(baseline="b1", head="h1"),
        pair(head="h1", significance=None, head_digests=Digests()),
        pair(head=None),
    ],
    ids=["behaviour", "request", "baseline", "unreadable", "removed"],
)
def test_an_approval_goes_stale_with_what_it_was_about(book: Book, now):
    approval = book.approve(pair(head="h0"))
    assert book.state(now) == PairState(state="stale", since=approval)


def test_digests_of_another_normaliser_carry_nothing(book: Book):
    old = verdict_entry(pair(), "approve", ADA, at=NOON, entry_id="x").model_copy(update={"normaliser": NORMALISER + 1})
    book.entries.append(old)
    assert book.state(pair(head="h1")).state == "stale"


def test_unknown_digests_are_equal_to_nothing(book: Book):
    unknown = {"baseline_digests": Digests(), "head_digests": Digests()}
    book.approve(pair(**unknown))
    assert book.state(pair(head="h1", **unknown)).state == "stale"


def test_an_approved_added_cassette_is_carried_over_noise_too(book: Book):
    book.approve(pair(baseline=None))
    assert book.state(pair(baseline=None, head="h1")).state == "carried"
    assert book.state(pair(head="h1")).state == "stale"


def test_nothing_is_carried_over_a_flag(book: Book):
    book.approve(pair(head="h0"))
    flag = book.flag(pair(head="h1"), GRACE)
    assert book.state(pair(head="h2")) == PairState(state="stale", since=flag)


def test_nothing_is_carried_over_a_newer_flag_on_other_behaviour(book: Book):
    book.approve(pair(head="h0"))
    book.flag(pair(head="h1", behaviour="other"))
    assert book.state(pair(head="h2")).state == "stale"


def test_a_withdrawn_flag_is_in_nobodys_way(book: Book):
    book.approve(pair(head="h0"))
    flag = book.flag(pair(head="h1"))
    book.withdraw(pair(head="h1"), undoes=flag.id)
    assert book.state(pair(head="h2")).state == "carried"


def test_the_content_that_was_approved_is_approved_again_when_it_returns(book: Book):
    book.approve(pair(head="h0"))
    book.flag(pair(head="h1", behaviour="other"))
    assert book.state(pair(head="h0")).state == "approved"


def test_a_flag_is_cleared_by_changed_content_and_resolved_by_going_back(book: Book):
    flag = book.flag(pair(head="h0", behaviour="wrong"))
    assert book.state(pair(head="h1", behaviour="better")) == PairState(state="stale", since=flag)
    back = pair(head="h1", significance="identical", head_digests=Digests(behaviour="b-b0", request="r"))
    assert book.state(back) == PairState(state="resolved", by=(ADA,), since=flag)


def test_a_verdict_whose_content_became_the_baseline_is_history(book: Book):
    book.approve(pair(baseline="b0", head="h0"))
    assert book.state(pair(baseline="h0", head="h1", behaviour="new")) == PairState(state="open")


def test_an_approval_that_landed_with_other_noise_is_history_too(book: Book):
    book.approve(pair(baseline="b0", head="h0", behaviour="b-b1"))
    assert book.state(pair(baseline="b1", head="h1", behaviour="new")).state == "open"


# Blocked


def test_a_new_secret_is_cleared_by_no_verdict(book: Book):
    leaking = pair(findings=(SECRET,))
    book.approve(leaking)
    assert book.state(leaking).state == "blocked"
    assert len(book.state(leaking).entries) == 1
    assert book.state(leaking, policy=Policy(blocking=())).state == "approved"


@pytest.mark.parametrize("since", ["known", "gone"])
def test_a_secret_that_is_not_new_blocks_nothing(book: Book, since):
    known = pair(findings=(SECRET.model_copy(update={"since": since}),))
    book.approve(known)
    assert book.state(known).state == "approved"


def test_nothing_is_carried_past_a_blocking_finding(book: Book):
    book.approve(pair(head="h0"))
    assert book.state(pair(head="h1", findings=(SECRET,))).state == "blocked"


def test_policy_adds_codes_that_block(book: Book):
    failing = pair(findings=(Finding(code="recorded-failure", severity="warning", message="401"),))
    assert book.state(failing).state == "open"
    assert book.state(failing, policy=Policy(blocking=("secret", "recorded-failure"))).state == "blocked"


# Recording


def test_a_verdict_on_what_has_moved_is_refused():
    assert "has changed since it was shown" in (refusal(pair(head="h1"), pair(head="h0").digest) or "")
    assert "has changed since it was shown" in (refusal(pair(), "") or "")
    assert refusal(pair(), pair().digest, "approve") is None


def test_an_unreadable_pair_can_be_flagged_but_not_approved():
    broken = pair(significance=None)
    assert "can be flagged" in (refusal(broken, broken.digest, "approve") or "")
    assert refusal(broken, broken.digest, "flag") is None


def test_an_entry_holds_what_its_verdict_was_about(book: Book):
    entry = book.flag(pair(), GRACE, "too much", bulk="g", agent=True)
    assert (entry.verdict, entry.comment, entry.bulk, entry.agent, entry.reviewer) == (
        "flag",
        "too much",
        "g",
        True,
        GRACE,
    )
    assert (entry.pair.baseline, entry.pair.head, entry.pair.path) == ("b0", "h0", "a.json")
    assert (entry.trajectory.head.behaviour, entry.trajectory.head.request) == ("same", "r")
    assert (entry.changes, entry.normaliser, entry.policy) == ("sig", NORMALISER, DEFAULT_POLICY.digest)


def test_an_entry_is_one_line_and_comes_back_equal(book: Book):
    entry = book.flag(pair(), comment='two\nlines, "quotes", \u2028 and ünï')
    line = entry.model_dump_json(exclude_defaults=True)
    assert "\n" not in line
    assert Entry.model_validate_json(line) == entry


def test_a_time_without_a_zone_is_no_entry(book: Book):
    values = book.approve(pair()).model_dump() | {"at": "2026-05-04T12:00:00"}
    with pytest.raises(ValidationError):
        Entry.model_validate(values)


def test_an_entry_about_nothing_has_no_subject(book: Book):
    with pytest.raises(ValueError, match="about no content"):
        _ = book.approve(pair(baseline=None, head=None)).subject


def test_two_thousand_pairs_with_many_entries_take_little_time(book: Book):
    pairs = tuple(pair(path=f"{number}.json") for number in range(2000))
    for one in pairs:
        book.approve(one)
        book.approve(one, GRACE)
    review = Review(baseline=Side(label="b"), head=Side(label="h"), pairs=pairs, groups=())
    start = datetime.now(UTC)
    assert {state.state for state in states(book.entries, review).values()} == {"approved"}
    assert (datetime.now(UTC) - start).total_seconds() < 2
