import json
import time
from datetime import UTC, datetime

from reviewlib.diff import diff
from reviewlib.model.cassette import Unreadable
from reviewlib.model.review import Review, Side
from reviewlib.pairing import ConversationPair, likeness, pair_cassettes, pair_conversations
from reviewlib.pipeline import compare
from reviewlib.policy import Policy
from reviewlib.report import json as json_report
from reviewlib.report import text as text_report
from reviewlib.summary import summarise
from tests.trajectories import T, call, recording, trajectory

GET, CHECK, REFUND = (
    call(tool, {"order_id": "4471"}, {"ok": True}) for tool in ("get_order", "check_policy", "issue_refund")
)
DONE = T(text="Done.")
AGENT = trajectory(GET, CHECK, REFUND, DONE)
TITLE = trajectory(T(text="Refund"), system="Write a title.", user="Refund order 4471 please")


def paths(pairs):
    return [
        tuple(item and (item.path if isinstance(item, Unreadable) else item.cassette.path) for item in pair)
        for pair in pairs
    ]


def test_a_single_conversation_is_always_compared_with_the_other():
    assert pair_conversations([AGENT], [TITLE]) == (ConversationPair(0, 0),)


def test_the_order_of_conversations_does_not_count():
    assert pair_conversations([AGENT, TITLE], [TITLE, AGENT]) == (ConversationPair(1, 0), ConversationPair(0, 1))


def test_identical_conversations_are_interchangeable():
    assert pair_conversations([AGENT, AGENT], [AGENT, AGENT]) == (ConversationPair(0, 0), ConversationPair(1, 1))


def test_one_conversation_more_is_alone():
    assert pair_conversations([AGENT], [TITLE, AGENT]) == (ConversationPair(None, 0), ConversationPair(0, 1))
    assert pair_conversations([TITLE, AGENT], [AGENT]) == (ConversationPair(1, 0), ConversationPair(0, None))


def test_a_changed_conversation_finds_the_one_it_was():
    changed = trajectory(GET, REFUND, DONE)
    assert pair_conversations([TITLE, AGENT], [changed, TITLE]) == (ConversationPair(1, 0), ConversationPair(0, 1))


def test_of_several_runs_of_one_request_the_most_alike_are_compared():
    runs = [trajectory(GET, DONE), trajectory(GET, CHECK, DONE), trajectory(GET, CHECK, REFUND, DONE)]
    heads = [
        trajectory(GET, CHECK, REFUND, T(text="Done!")),
        trajectory(GET, CHECK, T(text="Done!")),
        trajectory(GET, T(text="Done!")),
    ]
    assert pair_conversations(runs, heads) == (ConversationPair(2, 0), ConversationPair(1, 1), ConversationPair(0, 2))


def test_likeness_is_one_for_equal_runs_and_small_for_strangers():
    assert likeness(AGENT, AGENT) == 1
    assert likeness(AGENT, trajectory(call("sql", {"q": "select"}), system="You analyse data.", user="How many?")) < 0.5


def test_cassettes_are_paired_by_path_whatever_they_hold():
    one, other = recording(AGENT, path="cassettes/a.yaml"), recording(TITLE, path="cassettes/a.yaml")
    assert pair_cassettes([one], [other]) == ((one, other),)


def test_a_renamed_cassette_is_found_by_its_content():
    one, other = (
        recording(AGENT, path="cassettes/a.yaml"),
        recording(trajectory(GET, REFUND, DONE), path="cassettes/b.yaml"),
    )
    assert paths(pair_cassettes([one], [other])) == [("cassettes/a.yaml", "cassettes/b.yaml")]


def test_strangers_are_removed_and_added_not_renamed():
    other = trajectory(call("sql", {"q": "select"}), system="You analyse data.", user="How many?")
    pairs = pair_cassettes([recording(AGENT, path="a.yaml")], [recording(other, path="b.yaml")])
    assert paths(pairs) == [("a.yaml", None), (None, "b.yaml")]


def test_an_unreadable_side_keeps_its_path():
    broken = Unreadable(path="a.yaml", content="1", stage="decode", reason="cut off")
    assert paths(pair_cassettes([recording(AGENT, path="a.yaml")], [broken])) == [("a.yaml", "a.yaml")]
    assert paths(pair_cassettes([], [broken])) == [(None, "a.yaml")]


def recorded(trajectory, start, run):
    """The same conversation as one recording: its answers have ids, and stand from ``start`` on in the file."""
    turns = [
        turn.model_copy(update={"response_id": f"{run}-{turn.turn}", "interaction": start + turn.turn})
        for turn in trajectory.turns
    ]
    return trajectory.model_copy(update={"turns": tuple(turns)})


def test_the_baseline_is_compared_with_the_newer_run_where_both_stand_in_head():
    old, new = recorded(AGENT, 0, "a"), recorded(trajectory(GET, REFUND, DONE), 10, "b")
    assert pair_conversations([old], [old, new]) == (ConversationPair(None, 0, leftover=True), ConversationPair(0, 1))


def test_a_conversation_that_was_kept_beside_a_stranger_is_no_leftover():
    old, new = (
        recorded(AGENT, 0, "a"),
        recorded(trajectory(call("sql"), system="You analyse data.", user="How many?"), 10, "b"),
    )
    assert pair_conversations([old], [old, new]) == (ConversationPair(0, 0), ConversationPair(None, 1))


def test_of_many_renamed_cassettes_each_finds_the_one_it_was_in_bounded_time():
    stories = [trajectory(call("read", {"n": n}), DONE, user=f"Read number {n}") for n in range(300)]
    gone = [recording(story, path=f"old/{n}.yaml") for n, story in enumerate(stories)]
    new = [recording(story, path=f"new/{n}.yaml") for n, story in enumerate(stories)]
    start = time.perf_counter()
    pairs = pair_cassettes(gone, new)
    assert time.perf_counter() - start < 5
    assert {(one.cassette.path[4:], other.cassette.path[4:]) for one, other in pairs} == {
        (f"{n}.yaml",) * 2 for n in range(300)
    }


def test_a_copied_cassette_that_moved_is_found_by_its_content():
    one, other = recording(AGENT, path="a.yaml"), recording(trajectory(GET, DONE), path="b.yaml")
    other = other.model_copy(update={"cassette": other.cassette.model_copy(update={"content": "1" * 40})})
    moved = other.model_copy(update={"cassette": other.cassette.model_copy(update={"path": "c.yaml"})})
    assert paths(pair_cassettes([one, other], [moved])) == [("a.yaml", None), ("b.yaml", "c.yaml")]


def test_conversations_of_which_only_some_have_ids_are_paired_with_themselves():
    asked, handed_on = trajectory(GET, DONE), recorded(trajectory(GET, DONE, CHECK, DONE), 10, "b")
    assert pair_conversations([asked, handed_on], [asked, handed_on]) == (
        ConversationPair(0, 0),
        ConversationPair(1, 1),
    )


def test_an_answer_that_kept_its_id_does_not_take_the_place_of_a_neighbour_that_was_recorded_anew():
    kept = recorded(trajectory(T(text="STREAM."), user="Reply with exactly STREAM."), 10, "b")
    old, new = (recorded(trajectory(T(text="OK."), user="Reply with exactly OK."), 0, run) for run in ("a", "c"))
    assert pair_conversations([old, kept], [new, kept]) == (ConversationPair(0, 0), ConversationPair(1, 1))


TWINS = [trajectory(GET, call("note", {"t": text}, 1), DONE) for text in ("a", "b", "c", "d")]


def doubts(pairs):
    return [(pair.baseline, pair.head, pair.doubt) for pair in pairs]


def test_a_conversation_that_is_as_like_another_says_so():
    assert doubts(pair_conversations(TWINS[:2], TWINS[2:3])) == [
        (0, 0, "conversation 1 is compared with conversation 1 of the baseline; number 2 there is as much like it"),
        (1, None, ""),
    ]
    assert doubts(pair_conversations(TWINS[:1], TWINS[1:3])) == [
        (0, 0, "conversation 1 is compared with conversation 1 of the baseline; number 2 is as much like that one"),
        (None, 1, ""),
    ]


def test_identical_candidates_and_a_plain_winner_are_no_doubt():
    assert not any(pair.doubt for pair in pair_conversations([TWINS[0], TWINS[0]], [TWINS[1]]))
    assert not any(pair.doubt for pair in pair_conversations([TWINS[0]], [TWINS[1], TWINS[1]]))
    assert not any(pair.doubt for pair in pair_conversations([TWINS[0], AGENT, TITLE], [TWINS[1], AGENT]))
    assert not any(pair.doubt for pair in pair_conversations(TWINS, TWINS[::-1]))


def test_a_renamed_cassette_that_is_as_like_another_says_so():
    gone = [recording(item, path=path) for item, path in zip(TWINS, ("old/1x.yaml", "old/2x.yaml"), strict=False)]
    (_, other), *_ = [pair for pair in pair_cassettes(gone, [recording(TWINS[2], path="new/3x.yaml")]) if pair[1]]
    assert other.doubt == "it is compared with old/1x.yaml; old/2x.yaml, which is gone too, is as much like it"
    assert diff(gone[0], other, 0.1).limits == (other.doubt,)


def test_a_renamed_cassette_whose_name_or_story_is_closer_to_one_is_no_doubt():
    gone = [recording(item, path=path) for item, path in zip(TWINS, ("old/one.yaml", "old/two.yaml"), strict=False)]
    pairs = pair_cassettes(gone, [recording(TWINS[2], path="new/two.yaml")])
    assert [(one.cassette.path, other.doubt) for one, other in pairs if one and other] == [("old/two.yaml", "")]


def test_the_report_of_a_pair_shows_its_doubts():
    one, other = recording(*TWINS[:2]), recording(TWINS[2])
    (doubt,) = diff(one, other, 0.1).limits
    pair = compare(one, other, Policy(), datetime(2026, 11, 1, tzinfo=UTC))
    review = Review(baseline=Side(label="one"), head=Side(label="other"), pairs=(pair,), groups=())
    text = text_report.render(review, {}, summarise(review, {}), changes=True)
    assert f"limit: {doubt}" in text
    shown = json.loads(json_report.render(review, {}, summarise(review, {})))
    assert shown["pairs"][0]["limits"] == [doubt]
