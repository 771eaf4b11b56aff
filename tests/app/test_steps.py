import pytest
from dashboard import steps
from dashboard.components import grid

from reviewlib.model.trajectory import Failure, Reasoning, ToolCall, UserMessage
from tests.app.reviews import ORDER, POLICY, REFUND, broken, conversation, pair, recording
from tests.app.test_present import TEN, USUAL, story_pair


def outline(item):
    match item:
        case steps.Fold():
            return f"fold {len(item.rows)}"
        case steps.Heading():
            return item.text
        case steps.Pairing():
            cells = [f"{cell.number} {cell.title}" if cell else "–" for cell in (item.baseline, item.head)]
            return f"{item.relation}: {' | '.join(cells)}{f' #{item.tie}' if item.tie else ''}"


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        (
            "refund.yaml",
            [
                "fold 3",
                "removed: 4 check_refund_policy | –",
                "same: 5 issue_refund | 4 issue_refund",
                "same: 6 assistant | 5 assistant",
            ],
        ),
        ("amount.yaml", ["fold 4", "changed: 5 issue_refund | 5 issue_refund", "same: 6 assistant | 6 assistant"]),
        (
            "order.yaml",
            [
                "same: 1 system prompt | 1 system prompt",
                "same: 2 user message | 2 user message",
                "moved: 4 check_refund_policy | 3 check_refund_policy #1",
                "same: 3 get_order | 4 get_order",
                "left: 4 check_refund_policy | – #1",
                "same: 5 issue_refund | 5 issue_refund",
                "same: 6 assistant | 6 assistant",
            ],
        ),
        ("noise.yaml", ["fold 6"]),
        (
            "cut-off.json",
            [
                "removed: 1 system prompt | –",
                "removed: 2 user message | –",
                "removed: 3 get_order | –",
                "removed: 4 assistant | –",
            ],
        ),
    ],
)
def test_rows_fold_tie_and_leave_places(name, rows):
    assert [outline(item) for item in steps.view(story_pair(name))] == rows


def test_a_move_to_the_end_leaves_its_place_before_what_followed():
    one = pair(
        "a.yaml", conversation([POLICY], [ORDER], [REFUND], "Done."), conversation([ORDER], [REFUND], [POLICY], "Done.")
    )
    shown = [outline(item) for item in steps.view(one)]
    assert [text for text in shown if "check_refund_policy" in text] == [
        "left: 3 check_refund_policy | – #1",
        "moved: 3 check_refund_policy | 5 check_refund_policy #1",
    ]


def test_only_the_changed_argument_is_marked_on_each_side():
    (row,) = [
        item
        for item in steps.view(story_pair("amount.yaml"))
        if isinstance(item, steps.Pairing) and item.relation == "changed"
    ]
    marked = [
        [f"{block.title}.{line.label}" for block in cell.blocks for line in block.lines if line.marked]
        for cell in (row.baseline, row.head)
    ]
    assert marked == [["arguments.amount", "result.refunded"]] * 2
    assert row.follows == ""


def test_a_row_of_consequences_names_its_cause():
    told = ([ORDER], [POLICY], [TEN], "I refunded $390.00.")
    one = pair("a.yaml", conversation(*USUAL), conversation(*told))
    rows = [item for item in steps.view(one) if isinstance(item, steps.Pairing)]
    follows = [row.follows for row in rows if row.follows]
    assert follows == ["follows from: issue_refund.amount 39 → 390"]


def test_parallel_calls_know_their_turn():
    (_, _, first, second, _) = steps.alone(recording("a.yaml", conversation([ORDER, POLICY], "Done.")))
    assert [item.head.parallel for item in (first, second)] == [(1, 2), (2, 2)]
    assert [item.head.turn for item in (first, second)] == [1, 1]


def test_several_conversations_have_headings():
    one = recording("a.yaml", conversation("Hi."), conversation("Ho."))
    assert [outline(item) for item in steps.alone(one) if isinstance(item, steps.Heading)] == [
        "Conversation 1",
        "Conversation 2",
    ]


def test_a_fold_says_what_is_in_it():
    fold = steps.view(story_pair("noise.yaml"))[0]
    assert (
        fold.label
        == "6 unchanged steps: system prompt · user message · get_order · check_refund_policy · issue_refund · assistant"
    )


def test_what_could_not_be_read_on_either_side_has_no_rows():
    one = broken("a.json")
    assert steps.view(one.model_copy(update={"baseline": one.head})) == ()


@pytest.mark.parametrize(
    ("step", "tags"),
    [
        (
            ToolCall(index=0, turn=1, tool="t", call="call-1", is_error=True, executed=False),
            ("error", "never executed"),
        ),
        (
            ToolCall(index=0, turn=1, tool="t", call="call-1", server_side=True, origin="text"),
            ("run by the provider", "called in text"),
        ),
        (Failure(index=0, turn=1, text="no", http_status=529), ("HTTP 529",)),
        (Failure(index=0, turn=1, text="no"), ()),
        (UserMessage(index=0, turn=1, text="hi"), ()),
    ],
)
def test_tags_tell_what_is_special_about_a_step(step, tags):
    assert steps._tags(step) == tags  # noqa: SLF001


def test_a_result_that_was_not_recorded_says_so():
    call = ToolCall(index=0, turn=1, tool="t", call="call-1", arguments_raw='{"a": ')
    blocks = list(steps._blocks(call, None, (), "added"))  # noqa: SLF001
    assert [(block.title, block.lines[0].segments[0].text) for block in blocks] == [
        ("arguments, unparsable", '{"a": '),
        ("result", "not recorded"),
    ]


def test_reasoning_that_is_withheld_says_so():
    (block,) = steps._blocks(Reasoning(index=0, turn=1, text=None), None, (), "added")  # noqa: SLF001
    assert block.lines[0].segments[0].text == "(withheld by the provider)"


HOSTILE = '<script>alert(1)</script><img src=x onerror="alert(2)"> [x](javascript:alert(3)) \x1b[2J \u202e'


@pytest.mark.parametrize(
    "trajectory",
    [
        conversation(HOSTILE, system=HOSTILE, user=HOSTILE),
        conversation([(HOSTILE, {HOSTILE: HOSTILE, "nested": [{HOSTILE: [HOSTILE]}]}, HOSTILE)], "Done."),
        conversation([("t", HOSTILE, {HOSTILE: HOSTILE})], "Done."),
    ],
)
def test_recorded_text_reaches_the_grid_as_text_only(trajectory):
    usual = conversation([ORDER], "Done.")
    for one in (pair("a.yaml", usual, trajectory), pair("a.yaml", trajectory, usual), pair("a.yaml", None, trajectory)):
        drawing = grid.drawn(steps.view(one), {})
        html = drawing.html + "".join(drawing.late.values())
        assert "&lt;script&gt;" in html
        assert not any(sign in html for sign in ("<script", "<img", '<a href="j', "\x1b", "\u202e"))
        assert html.count('"') % 2 == 0


def test_long_texts_are_one_click_away_and_say_how_long_they_are():
    html = grid.words((grid.Segment("same", "x" * 50_000),))
    assert "show all 50,000 characters (the first 20,000 of them: the raw text holds all)" in html
    assert len(html) < 22_000


def test_a_mark_far_down_in_a_long_text_is_in_view():
    html = grid.words(
        (grid.Segment("same", "x" * 5_000), grid.Segment("added", "HERE"), grid.Segment("same", "y" * 5_000))
    )
    assert "<ins>HERE</ins>" in html.partition("<details>")[0]
