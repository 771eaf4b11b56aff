"""Every transition between the states of a pair, as a table: where it stood, what happened, where it stands."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias, get_args

import pytest

from reviewlib.canonical import NORMALISER
from reviewlib.model.review import Digests, Pair, State
from reviewlib.policy import Policy
from reviewlib.verdicts import Entry, PairState, Reviewer, refusal, verdict_entry
from tests.test_verdicts import ADA, GRACE, NOON, SECRET, Book, pair

BACK = {"significance": "identical", "head_digests": Digests(behaviour="b-b0", request="r")}


@dataclass
class Desk:
    """A pair with its ledger, and the things that can happen to it."""

    now: Pair = field(default_factory=pair)
    book: Book = field(default_factory=Book)
    policy: Policy = field(default_factory=Policy)
    authors: tuple[str, ...] = ()

    def state(self) -> PairState:
        return self.book.state(self.now, policy=self.policy, authors=self.authors)

    def change(self, **fields: object) -> None:
        self.now = self.now.model_copy(update=fields)

    def last(self, verdict: str) -> Entry:
        return next(entry for entry in reversed(self.book.entries) if entry.verdict == verdict)


Event: TypeAlias = Callable[[Desk], object]

EVENTS: dict[str, Event] = {
    "approve": lambda desk: desk.book.approve(desk.now, GRACE),
    "flag": lambda desk: desk.book.flag(desk.now, GRACE),
    "comment": lambda desk: desk.book.comment(desk.now, GRACE),
    "rebased": lambda _: None,  # the same contents on other commits
    "noise": lambda desk: desk.change(head_content="noise"),
    "argument": lambda desk: desk.change(
        head_content="h9", significance="behaviour", head_digests=Digests(behaviour="other", request="r")
    ),
    "prompt": lambda desk: desk.change(
        head_content="h8", significance="request", head_digests=Digests(behaviour="same", request="other")
    ),
    "baseline moved": lambda desk: desk.change(
        baseline_content="b9", significance="behaviour", baseline_digests=Digests(behaviour="b-b9", request="r")
    ),
    "back to baseline": lambda desk: desk.change(head_content="b0 anew", **BACK),
    "secret": lambda desk: desk.change(findings=(SECRET,)),
    "secret and noise": lambda desk: desk.change(head_content="noise", findings=(SECRET,)),
    "merged": lambda desk: desk.change(
        baseline_content=desk.now.head_content,
        baseline_digests=desk.now.head_digests,
        head_content="next",
        significance="behaviour",
        head_digests=Digests(behaviour="next", request="r"),
        findings=(),
    ),
}


def opened(_: Desk) -> None:
    pass


def approved(desk: Desk) -> None:
    desk.book.approve(desk.now)


def flagged(desk: Desk) -> None:
    desk.book.flag(desk.now)


def carried(desk: Desk) -> None:
    approved(desk)
    desk.change(head_content="h1")


def stale(desk: Desk) -> None:
    desk.book.approve(desk.now)
    desk.change(head_content="h1", head_digests=Digests(behaviour="since", request="r"))


def resolved(desk: Desk) -> None:
    flagged(desk)
    desk.change(head_content="b0 again", **BACK)


def blocked(desk: Desk) -> None:
    desk.book.approve(desk.now)
    desk.change(findings=(SECRET,))


STARTS: dict[State, Event] = {
    "open": opened,
    "approved": approved,
    "flagged": flagged,
    "carried": carried,
    "stale": stale,
    "resolved": resolved,
    "blocked": blocked,
}

# One row for each event: the state that follows, from each of the seven states in the order of STARTS.
#                     open       approved    flagged    carried     stale       resolved    blocked
TABLE = {
    "approve":          "approved   approved    flagged    approved    approved    approved    blocked",
    "flag":             "flagged    flagged     flagged    flagged     flagged     flagged     blocked",
    "comment":          "open       approved    flagged    carried     stale       resolved    blocked",
    "rebased":          "open       approved    flagged    carried     stale       resolved    blocked",
    "noise":            "open       carried     stale      carried     stale       resolved    blocked",
    "argument":         "open       stale       stale      stale       stale       stale       blocked",
    "prompt":           "open       stale       stale      stale       stale       stale       blocked",
    "baseline moved":   "open       stale       stale      stale       stale       stale       blocked",
    "back to baseline": "open       stale       resolved   stale       stale       resolved    blocked",
    "secret":           "blocked    blocked     blocked    blocked     blocked     blocked     blocked",
    "secret and noise": "blocked    blocked     blocked    blocked     blocked     blocked     blocked",
    "merged":           "open       open        open       open        stale       stale       open",
}  # fmt: skip


def test_the_table_holds_every_event_and_every_state():
    assert set(TABLE) == set(EVENTS)
    assert set(STARTS) == set(get_args(State))


@pytest.mark.parametrize("start", STARTS)
def test_each_state_can_be_reached(start: State):
    desk = Desk()
    STARTS[start](desk)
    assert desk.state().state == start


@pytest.mark.parametrize(
    ("start", "event", "end"),
    [(start, event, end) for event, row in TABLE.items() for start, end in zip(STARTS, row.split(), strict=True)],
)
def test_a_transition(start: State, event: str, end: State):
    desk = Desk()
    STARTS[start](desk)
    EVENTS[event](desk)
    assert desk.state().state == end


def withdrawn(desk: Desk) -> None:
    desk.book.withdraw(desk.now)


def undone(desk: Desk) -> None:
    desk.book.withdraw(desk.now, undoes=desk.book.entries[-1].id)


def set_aside(desk: Desk) -> None:
    desk.book.withdraw(desk.now, GRACE, "measured again", undoes=desk.last("flag").id)


def set_aside_by_automation(desk: Desk) -> None:
    desk.book.withdraw(desk.now, GRACE, "measured again", undoes=desk.last("flag").id, agent=True)


def by_automation(event: str, who: Reviewer = GRACE) -> Event:
    return lambda desk: getattr(desk.book, event)(desk.now, who, agent=True)


def by_ada(event: str) -> Event:
    return lambda desk: getattr(desk.book, event)(desk.now, ADA)


def moved_on(desk: Desk) -> None:
    desk.change(head_content="h1")


def normalised_anew(desk: Desk) -> None:
    desk.book.entries[:] = [entry.model_copy(update={"normaliser": NORMALISER + 1}) for entry in desk.book.entries]


def with_policy(**rules: object) -> Event:
    return lambda desk: setattr(desk, "policy", Policy(**rules))


def ada_is_author(desk: Desk) -> None:
    desk.authors = (ADA.key,)


STORIES: list[tuple[str, list[Event], State]] = [
    ("a withdrawn approval", [approved, withdrawn], "open"),
    ("a withdrawn flag", [flagged, withdrawn], "open"),
    ("an undone flag after an approval of one's own", [approved, flagged, undone], "approved"),
    ("an undo that is undone", [approved, undone, undone], "approved"),
    ("two reviewers disagree", [approved, EVENTS["flag"]], "flagged"),
    ("two reviewers disagree, the flag first", [flagged, EVENTS["approve"]], "flagged"),
    ("the flag's reviewer changes their mind", [flagged, by_ada("approve")], "approved"),
    ("a flag set aside with a reason", [flagged, set_aside], "open"),
    ("a flag set aside where somebody approves", [flagged, EVENTS["approve"], set_aside], "approved"),
    ("a flag is not set aside by automation", [flagged, set_aside_by_automation], "flagged"),
    ("a flag set aside, and raised again", [flagged, set_aside, by_ada("flag")], "flagged"),
    ("a carried approval and a flag on the new content", [carried, EVENTS["flag"]], "flagged"),
    ("nothing is carried over a flag of another", [approved, EVENTS["flag"], moved_on], "stale"),
    ("nothing is carried over a flag set aside, but the approval is", [approved, EVENTS["flag"],
        lambda desk: desk.book.withdraw(desk.now, ADA, "a duplicate", undoes=desk.last("flag").id), moved_on], "carried"),
    ("a withdrawn approval is not carried", [approved, withdrawn, moved_on], "open"),
    ("an exact approval holds under another normaliser", [approved, normalised_anew], "approved"),
    ("an exact flag holds under another normaliser", [flagged, normalised_anew], "flagged"),
    ("a carried approval does not", [carried, normalised_anew], "stale"),
    ("policy blocks a finding that it did not", [approved, EVENTS["secret"], with_policy(blocking=())], "approved"),
    ("automation counts like a person", [by_automation("approve")], "approved"),
    ("automation counts like a person when it flags", [by_automation("flag")], "flagged"),
    ("automation is only shown", [by_automation("approve"), with_policy(agent_verdicts="label")], "open"),
    ("automation's flag is only shown", [approved, by_automation("flag"), with_policy(agent_verdicts="label")], "approved"),
    ("what automation wrote before it was refused", [by_automation("approve"), with_policy(agent_verdicts="refuse")], "open"),
    ("automation does not carry where it does not count", [by_automation("approve"), with_policy(agent_verdicts="label"), moved_on], "open"),
    ("automation under one's name does not clear one's flag", [flagged, by_automation("approve", ADA)], "flagged"),
    ("automation under one's name takes back nothing of one's own", [flagged, by_automation("withdraw", ADA)], "flagged"),
    ("a person takes back what ran under their name", [by_automation("approve", ADA), withdrawn], "open"),
    ("the author's approval counts by default", [ada_is_author, approved], "approved"),
    ("the author's approval does not count", [ada_is_author, approved, with_policy(self_approval=False)], "open"),
    ("the author's approval is not carried", [ada_is_author, carried, with_policy(self_approval=False)], "open"),
    ("another's approval beside the author's", [ada_is_author, approved, EVENTS["approve"], with_policy(self_approval=False)], "approved"),
    ("the author's own flag counts", [ada_is_author, flagged, with_policy(self_approval=False)], "flagged"),
    ("the author does not set a flag aside", [lambda desk: setattr(desk, "authors", (GRACE.key,)), flagged, set_aside,
        with_policy(self_approval=False)], "flagged"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("story", "end"), [(story, end) for _, story, end in STORIES], ids=[name for name, _, _ in STORIES]
)
def test_a_story(story: list[Event], end: State):
    desk = Desk()
    for event in story:
        event(desk)
    assert desk.state().state == end


def test_the_precedence_of_states():
    """Each line takes the state before it away; the first that applies counts."""
    desk = Desk()
    seen = [desk.state().state]
    for event in (
        stale,
        lambda each: each.book.approve(pair(head="h1-noise", behaviour="since")),
        EVENTS["approve"],
        EVENTS["flag"],
        EVENTS["secret"],
    ):
        event(desk)
        seen.append(desk.state().state)
    assert seen == ["open", "stale", "carried", "approved", "flagged", "blocked"]


# What is told besides the state


def test_a_verdict_on_content_that_has_moved_meanwhile_is_refused_and_one_on_the_new_content_is_not():
    desk = Desk()
    shown = desk.now.digest
    assert refusal(desk.now, shown, "approve") is None
    EVENTS["rebased"](desk)
    assert refusal(desk.now, shown, "approve") is None
    for event in ("noise", "argument", "prompt", "baseline moved", "back to baseline"):
        EVENTS[event](desk)
        for verdict in ("approve", "flag"):
            assert "has changed since it was shown" in (refusal(desk.now, shown, verdict) or ""), event
        assert refusal(desk.now, desk.now.digest, "approve") is None


@pytest.mark.parametrize("start", [stale, carried, resolved])
def test_a_state_that_goes_back_to_an_earlier_verdict_names_it(start: Event):
    """With it ``since`` shows the difference."""
    desk = Desk()
    start(desk)
    (entry,) = desk.book.entries
    found = desk.state()
    assert (found.since, found.entries) == (entry, ())


# Who is behind a state


def test_who_is_automated_and_who_wrote_the_change_is_labelled():
    desk = Desk(authors=(ADA.key,))
    desk.book.approve(desk.now)
    desk.book.approve(desk.now, GRACE, agent=True)
    found = desk.state()
    assert (found.by, found.own, found.automated, found.missing) == ((ADA, GRACE), (ADA,), (GRACE,), 0)


def test_what_does_not_count_is_shown_as_such():
    desk = Desk(authors=(ADA.key,), policy=Policy(self_approval=False, agent_verdicts="label"))
    own, automated = desk.book.approve(desk.now), desk.book.approve(desk.now, GRACE, agent=True)
    found = desk.state()
    assert (found.state, found.by, found.uncounted, found.own) == ("open", (), (own, automated), (ADA,))


@pytest.mark.parametrize(("needed", "missing"), [(1, 0), (2, 0), (3, 1), (5, 3)])
def test_the_policy_says_how_many_approvals_it_takes(needed: int, missing: int):
    desk = Desk(policy=Policy(min_approvals=needed))
    desk.book.approve(desk.now)
    desk.book.approve(desk.now, GRACE)
    assert (desk.state().state, desk.state().missing) == ("approved", missing)
    desk.change(head_content="h1")
    assert (desk.state().state, desk.state().missing) == ("carried", missing)


def test_a_person_and_their_automation_are_one_approval():
    desk = Desk(policy=Policy(min_approvals=2))
    desk.book.approve(desk.now)
    desk.book.approve(desk.now, ADA, agent=True)
    assert (desk.state().by, desk.state().missing) == ((ADA,), 1)


def test_what_blocks_is_named():
    desk = Desk(now=pair(findings=(SECRET,)))
    assert desk.state().blockers == (SECRET,)


def test_a_renamed_cassette_keeps_what_was_said_under_its_old_name():
    desk = Desk(now=pair(path="a.json"))
    approval = desk.book.approve(desk.now)
    desk.change(path="b.json", head_path="b.json", status="renamed")
    assert (desk.state().state, desk.state().since) == ("carried", approval)
    desk.change(head_content="h7", head_digests=Digests(behaviour="other", request="r"))
    assert desk.state().state == "stale"


def test_a_verdict_of_an_older_entry_is_not_made_again():
    entry = verdict_entry(pair(), "approve", ADA, at=NOON, entry_id="x")
    assert Entry.model_validate_json(entry.model_dump_json(exclude_defaults=True)) == entry
    assert entry.v == 1
