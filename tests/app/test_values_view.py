import pytest
from dashboard.values_view import MOST_LINES, detail_line, lines, scalar

from reviewlib.model.change import Absent, Detail
from reviewlib.values import differing


def shown(value, details=(), own="added"):
    found, unplaced = lines(value, details, own)
    signs = {"same": "{}", "removed": "-{}-", "added": "+{}+"}
    texts = [
        "  " * line.depth
        + f"{line.label}: " * bool(line.label)
        + "".join(signs[s.mark].format(s.text) for s in line.segments)
        for line in found
    ]
    return texts, unplaced


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        ({"amount": 39, "order": "4471"}, ["amount: 39", 'order: "4471"']),
        ({"items": [{"sku": "a"}, 2]}, ["items: ", "  [0]: ", '    sku: "a"', "  [1]: 2"]),
        ({}, ["{}"]),
        ([], ["[]"]),
        (None, ["null"]),
        (True, ["true"]),
        (39.0, ["39.0"]),
        ("plain words", ["plain words"]),
        ({"empty": [], "none": None}, ["empty: []", "none: null"]),
        (b"\x00\x01", ["2 bytes, sha256 b413f47d13ee2fe6"]),
    ],
)
def test_a_value_is_shown_as_indented_lines(value, texts):
    assert shown(value)[0] == texts


BASELINE = {"amount": 39, "to": {"card": "1234"}, "note": "Please refund this whole order today, with thanks."}
HEAD = {"amount": 390, "to": {"card": "9876", "bank": None}, "note": "Please refund this whole order now, with thanks."}


def test_a_changed_leaf_is_marked_where_it_stands():
    details = differing(BASELINE, HEAD)
    before, after = shown(BASELINE, details, "removed"), shown(HEAD, details, "added")
    assert before[0][:3] == ["amount: -39-", "to: ", '  card: -"1234"-']
    assert after[0][:4] == ["amount: +390+", "to: ", '  card: +"9876"+', "  bank: +null+"]
    assert before[1] == after[1] == ()


def test_a_changed_text_is_marked_word_by_word():
    details = differing(BASELINE, HEAD)
    assert shown(BASELINE, details, "removed")[0][-1] == "note: Please refund this whole order -today-, with thanks."


def test_a_value_that_came_whole_is_marked_whole():
    detail = Detail(path="items", baseline=Absent(), head=[{"sku": "a"}])
    assert shown({"items": [{"sku": "a"}]}, [detail])[0] == ["items: ", "  [0]: ", '    sku: +"a"+']


def test_a_detail_whose_path_leads_elsewhere_on_this_side_is_not_lost():
    detail = Detail(path="items[0]", baseline="gone", head="new")
    texts, unplaced = shown({"items": ["first", "new"]}, [detail])
    assert "+" not in "".join(texts)
    assert unplaced == (detail,)


def test_very_long_values_end_with_a_sentence():
    texts, _ = shown(list(range(1_000)))
    assert len(texts) == MOST_LINES + 1
    assert texts[-1] == "… more lines: the raw text holds all of it"


@pytest.mark.parametrize(
    ("detail", "text"),
    [
        (Detail(path="amount", baseline=39, head=390), "39 → 390"),
        (Detail(path="bank", baseline=Absent(), head=None), "null"),
        (Detail(path="id", baseline="4471", head=4471), '"4471" → 4471'),
        (Detail(path="model", baseline="sonnet", head="opus"), '"sonnet" → "opus"'),
    ],
)
def test_a_detail_by_itself_shows_both_values(detail, text):
    line = detail_line(detail)
    assert line.label == detail.path
    assert "".join(segment.text for segment in line.segments) == text
    assert line.marked


def test_bytes_inside_a_tree_are_shown_by_size():
    assert scalar({"image": b"abc"}) == '{"image": "3 bytes, sha256 ba7816bf8f01cfea"}'
