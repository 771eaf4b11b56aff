from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from reviewlib.align import align, best, gaps, layered, slid

SEQUENCES = st.lists(st.sampled_from("abcd"), max_size=12)


def longest(one, other):
    """The length of a longest common subsequence, by the textbook."""
    table = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i in reversed(range(len(one))):
        for j in reversed(range(len(other))):
            table[i][j] = table[i + 1][j + 1] + 1 if one[i] == other[j] else max(table[i + 1][j], table[i][j + 1])
    return table[0][0]


def matched(aligned):
    return [(i, j) for i, j in aligned if i is not None and j is not None]


@given(SEQUENCES, SEQUENCES)
def test_an_alignment_is_a_longest_one(one, other):
    assert len(matched(align(one, other))) == longest(one, other)


@given(SEQUENCES, SEQUENCES)
def test_every_item_of_both_sides_appears_once_and_in_order(one, other):
    aligned = align(one, other)
    assert [i for i, _ in aligned if i is not None] == list(range(len(one)))
    assert [j for _, j in aligned if j is not None] == list(range(len(other)))
    assert all(one[i] == other[j] for i, j in matched(aligned))


@given(SEQUENCES)
def test_a_sequence_aligns_with_itself(one):
    assert align(one, one) == [(i, i) for i in range(len(one))]


def test_of_two_equal_alignments_the_later_item_of_the_first_sequence_moves():
    assert align("AB", "BA") == [(None, 0), (0, 1), (1, None)]


def test_a_longer_run_of_equals_is_longer_at_its_end():
    assert align("PP", "PPP") == [(0, 0), (1, 1), (None, 2)]
    assert align("PPP", "PP") == [(0, 0), (1, 1), (2, None)]


def test_two_thousand_unlike_items_take_less_than_a_second():
    one = [i * 7919 % 61 for i in range(2000)]
    other = [i * 104729 % 59 for i in range(2000)]
    assert len(align(one, other)) >= 2000


def test_gaps_are_what_stands_between_the_anchors():
    assert gaps([(1, 0), (2, 3)], 4, 4) == [
        (range(1), range(0)),
        (range(2, 2), range(1, 3)),
        (range(3, 4), range(4, 4)),
    ]


def test_a_looser_layer_matches_only_between_the_anchors_of_the_stricter():
    one, other = ["a1", "b1", "c1"], ["b9", "a1", "b2", "c1"]
    layers = [lambda item: item, lambda item: item[0]]
    assert layered(one, other, layers) == [(0, 1), (1, 2), (2, 3)]


def test_the_best_pairing_has_the_greatest_sum_and_never_pairs_what_does_not_fit():
    assert best([[0.0, 1.9], [0.0, 1.1]]) == [(0, 1)]
    assert best([[1.0, 0.0], [0.0, 1.0]]) == [(0, 0), (1, 1)]
    assert best([[0.0, 0.0]]) == []
    assert best([]) == []


@given(st.lists(st.lists(st.sampled_from([0.0, 1.0, 1.5, 2.0]), min_size=3, max_size=3), max_size=5))
def test_the_best_pairing_ascends_on_both_sides(scores):
    pairs = best(scores)
    assert pairs == sorted(pairs)
    assert len({j for _, j in pairs}) == len(pairs)
    assert [j for _, j in pairs] == sorted(j for _, j in pairs)
    assert all(scores[i][j] > 0 for i, j in pairs)


def slid_matches(one, other):
    """Anchors of equal letters, slid; a small letter is like its capital."""
    anchors = layered(one, other, [lambda item: item])
    return slid(anchors, one, other, lambda i, j: one[i].lower() == other[j].lower())


def test_a_run_slides_where_an_edited_item_then_stands_beside_its_counterpart():
    assert slid_matches("PPP", "pPP") == [(1, 1), (2, 2)]
    assert slid_matches("pPP", "PPP") == [(1, 1), (2, 2)]
    assert slid_matches("PPPPx", "ppPPx") == [(2, 2), (3, 3), (4, 4)]
    assert slid_matches("PPPP", "pPPp") == [(1, 1), (2, 2)]


def test_a_run_stays_where_nothing_is_gained():
    assert slid_matches("PPPx", "qPPy") == [(0, 1), (1, 2)]
    assert slid_matches("PPQ", "pPP") == [(0, 1), (1, 2)]
    assert slid_matches("PP", "pPP") == [(0, 1), (1, 2)]
    assert slid_matches("PPP", "pPPp") == [(0, 1), (1, 2)]


LETTERS = st.lists(st.sampled_from("PpQ"), max_size=10).map("".join)


@given(LETTERS, LETTERS)
def test_sliding_keeps_a_longest_alignment(one, other):
    pairs = slid_matches(one, other)
    assert len(pairs) == longest(one, other)
    assert all(one[i] == other[j] for i, j in pairs)
    assert all(i < k and j < m for (i, j), (k, m) in pairwise(pairs))
