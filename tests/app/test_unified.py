"""Both sides in one column: everything of both is in it once, in order, and marked."""

import pytest
from dashboard import steps, unified

from tests.app.reviews import ORDER, POLICY, conversation, pair
from tests.app.test_present import USUAL, story_pair

SIGNS = {"same": "", "removed": "-", "added": "+"}


def told(cell):
    return [
        f"{line.label}: " * bool(line.label) + "".join(f"{SIGNS[part.mark]}{part.text}" for part in line.segments)
        for block in cell.blocks
        for line in block.lines
    ]


def rows(one):
    found = []
    for item in steps.view(one):
        found += item.rows if isinstance(item, steps.Fold) else [item] if isinstance(item, steps.Pairing) else []
    return found


def test_a_changed_argument_stands_beside_what_it_was():
    (row,) = [one for one in rows(story_pair("amount.yaml")) if one.relation == "changed"]
    assert told(unified.merged(row)) == ['order_id: "4471"', "amount: -39 → +390", "refunded: -39 → +390"]


def test_a_reworded_text_is_one_text():
    one = pair("a.yaml", conversation("All of it is done now."), conversation("All of that is done now."))
    (row,) = [each for each in rows(one) if each.relation == "changed"]
    assert told(unified.merged(row)) == ["All of -it+that is done now."]


@pytest.mark.parametrize(
    ("name", "relation", "side"), [("refund.yaml", "removed", "baseline"), ("new.yaml", "added", "head")]
)
def test_a_step_of_one_side_is_shown_as_it_is(name, relation, side):
    for row in rows(story_pair(name)):
        if row.relation == relation:
            assert unified.merged(row) == getattr(row, side)


def test_what_is_the_same_is_shown_once():
    for row in rows(story_pair("noise.yaml")):
        assert unified.merged(row) == row.head


def test_a_key_that_only_one_side_has_is_marked_whole():
    before = ("search", {"q": "lamp", "page": 1}, {"hits": 1})
    after = ("search", {"q": "lamp", "limit": 5}, {"hits": 1})
    one = pair("a.yaml", conversation([before], "Done."), conversation([after], "Done."))
    (row,) = [each for each in rows(one) if each.relation == "changed"]
    shown = told(unified.merged(row))
    assert 'q: "lamp"' in shown
    assert {"page: -1", "limit: +5"} <= set(shown)


@pytest.mark.parametrize(
    "name", ["refund.yaml", "amount.yaml", "order.yaml", "prompt.yaml", "wording.yaml", "noise.yaml"]
)
def test_leaving_one_mark_out_gives_each_side_back(name):
    for row in rows(story_pair(name)):
        if row.relation not in ("changed", "same", "moved"):
            continue
        merged = unified.merged(row)
        for cell, other in ((row.baseline, "added"), (row.head, "removed")):
            mine = "".join(part.text for block in cell.blocks for line in block.lines for part in line.segments)
            left = "".join(
                part.text
                for block in merged.blocks
                for line in block.lines
                for part in line.segments
                if part.mark != other and part.text != " → "
            )
            assert sorted(left) == sorted(mine)


def test_parallel_calls_and_prompts_survive():
    one = pair("a.yaml", conversation([ORDER, POLICY], *USUAL[2:]), conversation([ORDER], [POLICY], *USUAL[2:]))
    assert all(unified.merged(row) is not None for row in rows(one))
