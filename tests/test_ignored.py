from reviewlib.ignored import ignored
from reviewlib.model.cassette import Exchange, Request, Response
from reviewlib.model.review import Ignored
from reviewlib.model.trajectory import Attempt
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
