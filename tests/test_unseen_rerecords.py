"""Re-records that are made here, in every dialect by every recorder: one known change under all the noise there is, and exactly that is told."""

from dataclasses import replace
from datetime import UTC, datetime
from itertools import product

import pytest

from reviewlib.model.cassette import File
from reviewlib.model.trajectory import Recording
from reviewlib.pipeline import compare, read
from reviewlib.policy import Policy
from tests.recorded_files import RECORDERS
from tests.story import Asked, Fresh, Said, Story
from tests.wires import DIALECTS

AT = datetime(2026, 11, 1, tzinfo=UTC)

GET = Asked("get_order", {"order_id": "4471"}, {"total": 39.0, "status": "delivered", "placed": "2026-11-02"})
STOCK = Asked("get_order", {"order_id": "4472"}, {"total": 12.5, "status": "open", "placed": "2026-11-04"})
CHECK = Asked("check_policy", {"order_id": "4471", "reason": "damaged"}, {"eligible": True})
REFUND = Asked("issue_refund", {"order_id": "4471", "amount": 39.0, "reason": "damaged"}, {"refunded": 39.0})
LOOK = Said("I look it up.", (GET, STOCK), "Two orders may be meant.")
ALLOWED = Said("", (CHECK,), "Is it allowed?")
DO = Said("It is allowed.", (REFUND,))
DONE = Said("I refunded $39.00 for order 4471.", thought="All done.")
STORY = Story((LOOK, ALLOWED, DO, DONE))


def turns(*said):
    return replace(STORY, turns=said)


def changed(said, call, **fields):
    return replace(said, calls=tuple(replace(one, **fields) if one is call else one for one in said.calls))


EDITS = {
    "nothing": (STORY, []),
    "a dropped check": (turns(LOOK, DO, DONE), [("tool_removed", "check_policy")]),
    "another amount": (
        turns(LOOK, ALLOWED, changed(DO, REFUND, arguments=REFUND.arguments | {"amount": 390.0}), DONE),
        [("arguments", "issue_refund")],
    ),
    "an amount as text": (
        turns(LOOK, ALLOWED, changed(DO, REFUND, arguments=REFUND.arguments | {"amount": "39.0"}), DONE),
        [("arguments", "issue_refund")],
    ),
    "another order of steps": (turns(ALLOWED, LOOK, DO, DONE), [("tool_moved", "check_policy")]),
    "a call made twice": (turns(LOOK, ALLOWED, DO, DO, DONE), [("tool_added", "issue_refund")]),
    "another result": (
        turns(changed(LOOK, GET, result=GET.result | {"status": "lost"}), ALLOWED, DO, DONE),
        [("result", "get_order")],
    ),
    "parallel calls one by one": (
        turns(replace(LOOK, calls=(GET,)), Said("", (STOCK,)), ALLOWED, DO, DONE),
        [("turns", None)],
    ),
    "an answer cut short": (
        turns(LOOK, ALLOWED, DO, replace(DONE, stop="max_tokens")),
        [("stop_reason", None)],
    ),
    "another model": (replace(STORY, model="model-5-0"), [("model", None)]),
    "another prompt": (replace(STORY, system=f"{STORY.system} Be brief."), [("system_prompt", None)]),
    "another question": (replace(STORY, user="Please refund order 4471 in full."), [("user_message", None)]),
    "another temperature": (replace(STORY, temperature=0.9), [("parameters", None)]),
    "another tool schema": (
        replace(STORY, tools=(*STORY.tools[:2], ("issue_refund", "Pay the money back. Cannot be undone."))),
        [("tool_schema", None)],
    ),
    "other words": (
        turns(LOOK, ALLOWED, DO, replace(DONE, text="Your order 4471: I refunded $39.00.")),
        [("text", None)],
    ),
    "another fact in the answer": (
        turns(LOOK, ALLOWED, DO, replace(DONE, text="I refunded $390.00 for order 4471.")),
        [("text", None)],
    ),
    "more tokens": (turns(LOOK, ALLOWED, replace(DO, tokens=(9000, 40)), DONE), [("usage", None)]),
}
"""A changed story, and the causes that must be told of it."""

CELLS = [
    (dialect, recorder, name, 7 * number)
    for number, (dialect, (recorder, name)) in enumerate(product(DIALECTS, product(RECORDERS, EDITS)))
    if number % 4 == 0
]
"""Dialect, recorder, edit and seed: of all that there are, every fourth."""


def test_every_dialect_recorder_and_edit_meet():
    assert {cell[:2] for cell in CELLS} == set(product(DIALECTS, RECORDERS))
    assert {(cell[0], cell[2]) for cell in CELLS} == set(product(DIALECTS, EDITS))
    assert {cell[1:3] for cell in CELLS} == set(product(RECORDERS, EDITS))


def recording(story, dialect, recorder, seed):
    fresh = Fresh(seed)
    data = RECORDERS[recorder](DIALECTS[dialect](story, fresh), fresh)
    (item,) = read([File(path="tests/cassettes/refund", blob=f"{seed:040x}", data=data)])
    return item


def causes(pair):
    return [(change.kind, change.tool) for change in pair.diff.changes if change.cause is None]


@pytest.mark.parametrize("recorder", RECORDERS)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_story_is_read_whole_in_every_dialect_from_every_recorder(dialect, recorder):
    item = recording(STORY, dialect, recorder, 3)
    assert isinstance(item, Recording), item
    assert item.cassette.format == recorder
    (run,) = item.conversations
    assert sorted(run.tools[:2]) == ["get_order", "get_order"]
    assert run.tools[2:] == ("check_policy", "issue_refund")
    assert [call.result_recorded for call in run.calls] == [True] * 4
    assert run.steps[-1].text == DONE.text


@pytest.mark.parametrize("name", EDITS)
def test_exactly_the_one_change_is_told_under_all_the_noise_of_a_rerecord(name):
    head, expected = EDITS[name]
    wrong = {}
    for dialect, recorder, edit, seed in CELLS:
        if edit != name:
            continue
        one, other = recording(STORY, dialect, recorder, seed), recording(head, dialect, recorder, seed + 1)
        pair = compare(one, other, Policy(), AT)
        if causes(pair) != expected:
            wrong[dialect, recorder] = causes(pair)
    assert wrong == {}
