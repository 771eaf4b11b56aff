import pytest

from reviewlib.headline import nothing
from reviewlib.ignored import TRAFFIC, ignored
from reviewlib.model.cassette import Exchange, Request, Response
from reviewlib.model.review import Ignored
from reviewlib.model.trajectory import Attempt, OtherTraffic
from reviewlib.volatile import parse
from tests.trajectories import T, call, recording, trajectory


def recorded(number, *turns, headers=None, attempts=()):
    story = trajectory(*turns)
    made = tuple(
        turn.model_copy(update={"response_id": f"msg_{number}", "recorded_at": float(number), "attempts": attempts})
        for turn in story.turns
    )
    exchange = Exchange(index=0, request=Request(headers={"accept": "json"}), response=Response(headers=headers or {}))
    whole = recording(story.model_copy(update={"turns": made}))
    return whole.model_copy(update={"cassette": whole.cassette.model_copy(update={"interactions": (exchange,)})})


DONE = T(text="Done.")


def test_what_differs_and_means_nothing_is_counted():
    one = recorded(1, T(text="Done.", thinking="hm"), headers={"date": "Mon", "server": "x", "cf-ray": "1"})
    other = recorded(2, T(text="Done.", thinking="aha"), headers={"date": "Tue", "server": "x"})
    assert ignored(one, other) == (
        Ignored(what="ids of answers", count=1),
        Ignored(what="times", count=1),
        Ignored(what="headers", count=2, names=("cf-ray", "date")),
        Ignored(what="reasoning", count=1),
    )


def test_of_equal_recordings_nothing_is_ignored():
    assert ignored(recorded(1, DONE), recorded(1, DONE)) == ()


def test_retries_that_came_or_went_are_counted():
    tried = (Attempt(interaction=0, http_status=529, text="busy"),)
    assert Ignored(what="failed tries before an answer", count=1) in ignored(
        recorded(1, DONE), recorded(2, DONE, attempts=tried)
    )


def test_what_the_policy_calls_volatile_is_counted_where_it_differs():
    rules = parse(["tool_call[search].arguments.request_id"])
    sides = [recorded(1, call("search", {"q": "x", "request_id": number}), DONE) for number in (1, 2)]
    assert ignored(*sides, rules) == (Ignored(what="fields that the policy calls volatile", count=1),)
    assert ignored(sides[0], sides[0], rules) == ()
    other = recorded(1, call("search", {"q": "y", "request_id": 2}), DONE)
    assert ignored(sides[0], other, rules) == ()


def embedded(*bodies, status=200):
    """A recording of calls that no provider reads."""
    exchanges = tuple(
        Exchange(
            index=number,
            request=Request(method="POST", uri="https://api.example.com/v1/embeddings", body={"input": "x"}),
            response=Response(status=status, body=body),
        )
        for number, body in enumerate(bodies)
    )
    whole = recording(
        other_traffic=tuple(
            OtherTraffic(interaction=number, method="POST", uri=None, http_status=None) for number in range(len(bodies))
        )
    )
    return whole.model_copy(update={"cassette": whole.cassette.model_copy(update={"interactions": exchanges})})


@pytest.mark.parametrize(
    ("one", "other", "count"),
    [
        (embedded([1], [2]), embedded([2], [1]), 0),
        (embedded([1]), embedded([3]), 1),
        (embedded([1]), embedded([1], status=500), 1),
        (embedded([1], [2]), embedded([1], [2], [1], [4], [5]), 3),
        (embedded([1], [2]), embedded(), 2),
        (embedded({"a": 1, "b": 2}), embedded({"b": 2, "a": 1}), 0),
    ],
)
def test_exchanges_that_are_no_model_call_are_never_called_the_same_where_they_differ(one, other, count):
    assert [item.count for item in ignored(one, other) if item.what == TRAFFIC] == ([count] if count else [])
    said = nothing(one, other)
    assert ("and headers; " in said) == (count > 0)
    assert said.startswith("the same but for ids, times and headers")
    assert count < 2 or f"{count} exchanges that are no model call differ and were not compared" in said


def test_an_exchange_that_a_provider_reads_is_compared_and_not_counted_here():
    assert TRAFFIC not in [item.what for item in ignored(recorded(1, DONE), recorded(2, DONE))]
