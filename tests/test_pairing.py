import time

from reviewlib.model.cassette import Unreadable
from reviewlib.pairing import ConversationPair, likeness, pair_cassettes, pair_conversations
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
