"""How much a cassette holds."""

from reviewlib.model.trajectory import Recording
from reviewlib.pipeline import read
from tests.checks.judging import file, given, loaded, made, since, told
from tests.trajectories import T


def sized(size):
    one = made(T(text="Done."))
    return one.model_copy(update={"cassette": one.cassette.model_copy(update={"size": size})})


def test_a_cassette_of_more_bytes_than_allowed_is_huge():
    assert told("huge", None, sized(1_000_001)) == [("new", "1,000,001 bytes, and 1,000,000 are allowed")]
    assert [since("huge", None, sized(size)) for size in (1_000_000, None)] == [[], []]
    assert since("huge", None, sized(500), given(largest_bytes=499)) == ["new"]


def test_conversations_of_more_turns_than_allowed_are_huge_together():
    long = made(*[T(text=str(number)) for number in range(101)])
    assert told("huge", None, long) == [("new", "101 turns, and 100 are allowed")]
    assert since("huge", None, long, given(most_turns=101)) == []
    both = long.model_copy(update={"conversations": (*long.conversations, *long.conversations)})
    assert since("huge", None, both, given(most_turns=201)) == ["new"]


def test_a_cassette_that_grew_huge_is_new_and_one_that_was_is_known():
    pair = sized(1_500_000), sized(2_000_000)
    assert [since("huge", *each) for each in ((sized(9), pair[1]), pair, (pair[1], sized(9)))] == [
        ["new"],
        ["known"],
        ["gone"],
    ]


ANSWER = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [], "stop_reason": "end_turn"}


def test_the_size_is_that_of_the_file_and_of_a_folder_that_of_all_its_files():
    one = file([{"fp": "0" * 16, "response": ANSWER}])
    assert loaded([{"fp": "0" * 16, "response": ANSWER}]).cassette.size == len(one.data)
    entry = {"request": {"model": "m", "messages": []}, "response": ANSWER}
    folder = [
        file(entry | {"response": ANSWER | {"id": digit}}, f"tests/cassettes/{digit * 16}.json") for digit in "ab"
    ]
    (gathered,) = read(folder)
    assert isinstance(gathered, Recording)
    assert gathered.cassette.size == sum(len(each.data) for each in folder)
