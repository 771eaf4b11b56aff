"""Comments, by the step that they are about."""

import pytest

from reviewlib.verdicts import Anchor, fates, threads
from tests.test_verdicts import ADA, GRACE, Book, pair

STEP = Anchor(side="head", step=(0, 3))
LATER = Anchor(side="head", step=(1, 0))


@pytest.fixture
def book() -> Book:
    return Book()


def shown(book: Book, of=None):
    return threads(of or pair(), book.entries)


def test_comments_of_one_step_are_one_thread_in_order(book: Book):
    first, second = book.comment(pair(), step=STEP), book.comment(pair(), GRACE, step=STEP)
    (thread,) = shown(book)
    assert (thread.step, thread.comments, thread.resolved_by, thread.outdated) == (STEP, (first, second), None, False)


def test_threads_stand_in_the_order_of_the_steps_the_whole_pair_first(book: Book):
    for step in (LATER, STEP, None, Anchor(side="baseline", step=(0, 3))):
        book.comment(pair(), step=step)
    assert [thread.step and (thread.step.side, thread.step.step) for thread in shown(book)] == [
        None,
        ("baseline", (0, 3)),
        ("head", (0, 3)),
        ("head", (1, 0)),
    ]


def test_a_thread_is_resolved_by_a_comment_and_opened_again_by_the_next(book: Book):
    book.comment(pair(), step=STEP)
    closing = book.comment(pair(), GRACE, step=STEP, resolves=True)
    assert shown(book)[0].resolved_by == closing
    assert book.state(pair()).state == "open", "a comment leaves the state"
    book.comment(pair(), step=STEP)
    assert shown(book)[0].resolved_by is None


def test_what_its_author_took_back_is_gone_and_a_resolution_can_be_taken_back(book: Book):
    remark = book.comment(pair(), step=STEP)
    closing = book.comment(pair(), GRACE, step=STEP, resolves=True)
    book.withdraw(pair(), GRACE, undoes=closing.id)
    assert shown(book)[0].resolved_by is None
    book.withdraw(pair(), ADA, undoes=remark.id)
    assert shown(book) == ()


def test_nobody_takes_anothers_comment_back(book: Book):
    remark = book.comment(pair(), step=STEP)
    book.withdraw(pair(), GRACE, "off topic", undoes=remark.id)
    assert shown(book)[0].comments == (remark,)


def test_a_comment_on_earlier_content_is_outdated_and_comes_last(book: Book):
    old = book.comment(pair(head="h0"), step=STEP)
    new = book.comment(pair(head="h1"), step=LATER)
    found = shown(book, pair(head="h1"))
    assert [(thread.comments, thread.outdated) for thread in found] == [((new,), False), ((old,), True)]


def test_verdicts_are_no_comments(book: Book):
    book.flag(pair())
    assert shown(book) == ()


def test_each_entry_of_a_ledger_has_its_fate(book: Book):
    replaced = book.approve(pair())
    flag = book.flag(pair())
    aside = book.withdraw(pair(), GRACE, "a duplicate", undoes=flag.id)
    undone = book.approve(pair(), GRACE)
    undo = book.withdraw(pair(), GRACE, undoes=undone.id)
    other = book.approve(pair(head="h1"))
    taken = book.approve(pair(head="h2"))
    taking = book.withdraw(pair(head="h2"))
    assert dict(zip((entry.id for entry in book.entries), (fate for _, fate in fates(book.entries)), strict=True)) == {
        replaced.id: "replaced",
        flag.id: "set aside",
        aside.id: "",
        undone.id: "withdrawn",
        undo.id: "",
        other.id: "stands",
        taken.id: "withdrawn",
        taking.id: "",
    }
