"""Model calls → conversations: what extends what, and what each conversation says."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewlib.model.call import CallPart, Media, Message, ModelCall, ModelResponse, StopReason, Text, Thinking
from reviewlib.trajectory import conversations
from tests.trajectory_calls import (
    REFUND,
    REFUND_LINES,
    answered,
    asked,
    back,
    call,
    got,
    lines,
    said,
    user,
    want,
)

OTHER = REFUND.with_(opening="Where is order 12?", tools=(("get_order", {"order_id": "12"}, {"total": 1}),), ids="b")


def told(calls: list[ModelCall], *, ordered: bool = True) -> list[list[str]]:
    return [lines(trajectory) for trajectory in conversations(calls, ordered=ordered).conversations]


def test_a_run_is_one_conversation_with_its_results_joined() -> None:
    assert told(REFUND.calls()) == [REFUND_LINES]


def test_turns_state_what_was_asked_and_what_was_answered() -> None:
    first, *_, last = conversations(REFUND.calls(at=5)).conversations[0].turns
    assert (first.turn, first.interaction, first.provider) == (1, 5, "anthropic")
    assert (first.requested_model, first.model, first.stop_reason) == ("m-1", "m-1-2026", "tool_use")
    assert first.usage is not None
    assert first.usage.input_tokens == 10
    assert [tool.name for tool in first.tools or ()] == ["get_order"]
    assert first.parameters == {}
    assert first.recorded
    assert (last.turn, last.stop_reason) == (3, "end_turn")


def test_a_turn_bounds_the_steps_of_its_answer_and_not_the_messages_before_it() -> None:
    trajectory = conversations(REFUND.calls()).conversations[0]
    assert [(turn.first, turn.end) for turn in trajectory.turns] == [(2, 3), (3, 4), (4, 5)]


@pytest.mark.parametrize("ids", ["a", None])
def test_interleaved_conversations_are_taken_apart(ids: str | None) -> None:
    calls = [*REFUND.with_(ids=ids).calls(0, 2), *OTHER.with_(ids=ids and "b").calls(1, 2)]
    first, second = told(sorted(calls, key=lambda one: one.interaction))
    assert first == REFUND_LINES
    assert second[1] == "1/1 user Where is order 12?"


def test_equal_runs_at_the_same_time_are_told_apart_by_their_call_ids() -> None:
    one, other = REFUND.calls(0, 2), REFUND.with_(ids="b").calls(1, 2)
    interleaved = [call for pair in zip(one, other, strict=True) for call in pair]
    found = conversations([*interleaved[:2], *reversed(interleaved[2:4]), *interleaved[4:]]).conversations
    assert [[turn.interaction for turn in trajectory.turns] for trajectory in found] == [[0, 2, 4], [1, 3, 5]]


@given(st.lists(st.sampled_from([0, 1, 2, 3]), min_size=12, max_size=40), st.booleans())
def test_runs_interleaved_in_any_way_are_told_as_if_each_were_alone(order: list[int], with_ids: bool) -> None:
    waiting = [
        REFUND.with_(opening=f"Refund order {number}", ids=f"r{number}-" if with_ids else None).calls()
        for number in range(4)
    ]
    alone = {tuple(lines(trajectory)) for run in waiting for trajectory in conversations(run).conversations}
    mixed = [waiting[number].pop(0) for number in order if waiting[number]] + [call for run in waiting for call in run]
    numbered = [call.model_copy(update={"interaction": index}) for index, call in enumerate(mixed)]
    assert {tuple(trajectory) for trajectory in told(numbered)} == alone
    assert len(told(numbered)) == 4


def test_a_run_recorded_twice_is_two_conversations_and_a_note() -> None:
    result = conversations([*REFUND.calls(), *REFUND.with_(ids="b").calls(3)])
    assert [lines(trajectory) for trajectory in result.conversations] == [REFUND_LINES, REFUND_LINES]
    assert result.notes == ("A run that opens with “Refund order 4471” was recorded 2 times in this file.",)


@pytest.mark.parametrize(("system", "opening"), [("Be brief.", "Refund order 4471"), ("Be kind.", "Refund order 1")])
def test_runs_that_open_otherwise_are_not_taken_for_one_run_recorded_twice(system: str, opening: str) -> None:
    result = conversations([*REFUND.calls(), *REFUND.with_(ids="b", system=system, opening=opening).calls(3)])
    assert len(result.conversations) == 2
    assert result.notes == ()


def test_a_long_opening_is_shortened_in_the_note() -> None:
    run = REFUND.with_(opening="Refund " * 20)
    (note,) = conversations([*run.calls(), *run.with_(ids="b").calls(3)]).notes
    assert note.startswith("A run that opens with “Refund Refund")
    assert "…” was recorded 2 times" in note
    assert len(note) < 130


def test_an_agent_is_not_continued_from_the_title_that_shares_its_opening() -> None:
    title = call(1, asked(user("Refund order 4471"), system="Write a title.", tools=()), answered("A refund"))
    first, *rest = REFUND.calls(0, 2)
    agent, other = told([first, title, *rest])
    assert agent == REFUND_LINES
    assert other == ["0/1 system Write a title.", "1/1 user Refund order 4471", "2/1 text A refund"]


def test_without_ids_the_same_system_prompt_decides_between_equal_openings() -> None:
    one = call(0, asked(user("Hello"), system="A"), None)
    other = call(1, asked(user("Hello"), system="B"), None)
    more = call(2, asked(user("Hello"), said("Hi"), user("Bye"), system="A"), answered("Bye"))
    found = conversations([one, other, more]).conversations
    assert [[turn.interaction for turn in trajectory.turns] for trajectory in found] == [[0, 2], [1]]


def test_a_chat_goes_on_after_a_final_answer() -> None:
    calls = [
        call(0, asked(user("Hello")), answered("Hi")),
        call(1, asked(user("Hello"), said("Hi"), user("How much?")), answered("39")),
    ]
    assert told(calls) == [
        ["0/1 system Be kind.", "1/1 user Hello", "2/1 text Hi", "3/2 user How much?", "4/2 text 39"]
    ]


@pytest.mark.parametrize(
    ("sent_back", "reason"),
    [
        (said("Looking. ", want("get_order", "x1", id=1)), "white space at the end is stripped"),
        (said(want("get_order", "x1", id=1)), "the words beside a call are dropped"),
        (said("Looking."), "calls are not kept in the history"),
        (said(Thinking(text="hm"), "Looking.", want("get_order", "x1", id=1)), "thinking is sent back"),
        (said("", want("get_order", "x1", id=1)), "an empty text beside the call"),
        (said("Looking.", want("get_order", id=1)), "ids are not kept in the history"),
        (said("Looking.", want("get_order", "made-up", id=1)), "ids are made up by the harness"),
        (said("Looking.", want("get_order", "x1", id=1.0)), "numbers are written otherwise"),
    ],
)
def test_an_answer_is_recognised_though_the_history_holds_it_otherwise(sent_back: Message, reason: str) -> None:
    results = [part for part in sent_back.parts if part.kind == "call"]
    result_id = results[0].call_id if results else None
    calls = [
        call(0, asked(user("Go")), answered("Looking.", want("get_order", "x1", id=1))),
        call(1, asked(user("Go"), sent_back, back(got("ok", result_id))), answered("Done.")),
    ]
    assert told(calls) == [
        [
            "0/1 system Be kind.",
            "1/1 user Go",
            "2/1 text Looking.",
            '3/1 call-1 get_order {"id":1} = "ok"',
            "4/2 text Done.",
        ]
    ], reason


def test_message_borders_do_not_break_a_conversation() -> None:
    split = (user("Go"), said("A"), said("B"), user("On"))
    joined = (user("Go"), said("A", "B"), user("On"), said("C"), user("Up"))
    calls = [call(0, asked(*split), answered("C")), call(1, asked(*joined), answered("D"))]
    (trajectory,) = told(calls)
    assert trajectory[1:] == [
        "1/1 user Go",
        "2/1 text AB",
        "3/2 user On",
        "4/2 text C",
        "5/3 user Up",
        "6/3 text D",
    ]


def test_an_edited_opening_does_not_break_a_run_that_the_ids_hold_together() -> None:
    first, second, third = REFUND.calls()
    messages = second.request.messages if second.request else ()
    edited = asked(user("Refund order 4471 (it is 12:01)"), *messages[1:])
    assert told([first, call(1, edited, second.response), third]) == [REFUND_LINES]


def test_a_history_that_contradicts_the_recorded_answer_is_another_conversation() -> None:
    made_elsewhere = asked(user("Go"), said(want("other", "z", id=2)), back(got("ok", "z")))
    calls = [
        call(0, asked(user("Go")), answered(want("get_order", "x", id=1))),
        call(1, made_elsewhere, answered("Done.")),
    ]
    first, second = told(calls)
    assert first[-1] == '2/1 call-1 get_order {"id":1}'
    assert second[2:] == ['2/1 call-1 other {"id":2} = "ok"', "3/2 text Done."]


def test_a_second_branch_starts_from_a_copy_of_what_it_was_handed() -> None:
    calls = [
        call(0, asked(user("Go")), answered("Hi")),
        call(1, asked(user("Go"), said("Hi"), user("A?")), answered("a")),
        call(2, asked(user("Go"), said("Hi"), user("B?")), answered("b")),
    ]
    first, second = conversations(calls).conversations
    assert lines(first)[-2:] == ["3/2 user A?", "4/2 text a"]
    assert lines(second)[1:] == ["1/1 user Go", "2/1 text Hi", "3/2 user B?", "4/2 text b"]
    handed = second.turns[0]
    assert (handed.recorded, handed.interaction, handed.provider) == (False, 2, "anthropic")
    assert (handed.usage, handed.model, handed.stop_reason, handed.tools) == (None, None, None, None)


def test_few_shot_examples_are_steps_whose_results_are_joined() -> None:
    shown = (user("2+2?"), said(want("add", "f", a=2)), back(got(4, "f")), said("4"), user("3+3?"))
    (trajectory,) = conversations([call(0, asked(*shown), answered("6"))]).conversations
    assert lines(trajectory)[1:] == [
        "1/1 user 2+2?",
        '2/1 call-1 add {"a":2} = 4',
        "3/2 text 4",
        "4/3 user 3+3?",
        "5/3 text 6",
    ]
    assert [turn.recorded for turn in trajectory.turns] == [False, False, True]


def test_an_answer_that_was_not_recorded_is_read_from_the_history_that_follows() -> None:
    first, *rest = REFUND.calls()
    (trajectory,) = conversations([call(0, first.request, None), *rest]).conversations
    assert lines(trajectory) == REFUND_LINES
    turn = trajectory.turns[0]
    assert (turn.recorded, turn.requested_model, turn.model, turn.usage) == (False, "m-1", None, None)


def test_a_last_answer_that_was_not_recorded_is_an_empty_turn() -> None:
    *before, last = REFUND.calls()
    (trajectory,) = conversations([*before, call(2, last.request, None)]).conversations
    assert lines(trajectory) == REFUND_LINES[:-1]
    assert trajectory.turns[-1].first == trajectory.turns[-1].end
    assert not trajectory.turns[-1].recorded


def test_the_system_prompt_is_told_again_when_it_changes() -> None:
    calls = [
        call(0, asked(user("Hello"), system="Triage."), answered(want("hand_off", "h"))),
        call(
            1, asked(user("Hello"), said(want("hand_off", "h")), back(got("ok", "h")), system="Refunds."), answered("!")
        ),
    ]
    (trajectory,) = told(calls)
    assert [line for line in trajectory if "system" in line] == ["0/1 system Triage.", "3/2 system Refunds."]


def test_a_system_message_within_the_history_is_told_where_it_stands() -> None:
    note = Message(role="system", parts=(Text(text="The user is a VIP."),))
    repeated = Message(role="system", parts=(Text(text="Be kind."),))
    (trajectory,) = told([call(0, asked(repeated, user("Hello"), note), answered("Hi"))])
    assert trajectory == [
        "0/1 system Be kind.",
        "1/1 user Hello",
        "2/1 system The user is a VIP.",
        "3/1 text Hi",
    ]


def test_texts_of_one_message_are_joined_and_messages_are_not() -> None:
    photo = Media(media_type="image/png", size=9, digest="00ff")
    message = Message(role="user", parts=(Text(text="Look"), photo, Text(text="here")))
    (trajectory,) = conversations([call(0, asked(message, user("Now"), system=None), answered("Ok"))]).conversations
    assert lines(trajectory) == ["0/1 user Look\nhere", "1/1 user Now", "2/1 text Ok"]
    assert trajectory.steps[0].kind == "user_message"
    assert trajectory.steps[0].media == (photo,)


def test_an_answer_is_told_in_its_own_order() -> None:
    parts = (Thinking(text=None), Text(text="So"), want("a", "1"), Text(text="  "), want("b", "2"))
    picture = Media(media_type="image/png", size=9, digest="00ff")
    (trajectory,) = told([call(0, asked(user("Go"), system=None), answered(*parts, picture))])
    assert trajectory[1:] == [
        "1/1 reasoning None",
        "2/1 text So",
        "3/1 call-1 a {}",
        "4/1 call-2 b {}",
        "5/1 text [image/png, 9 bytes, 00ff]",
    ]


def test_words_that_come_in_pieces_are_joined_as_they_stand() -> None:
    pieces = ("It is ", "12 °C", ".", Thinking(text="hm"), "Bye", ".")
    assert told([call(0, None, answered(*pieces))]) == [["0/1 text It is 12 °C.", "1/1 reasoning hm", "2/1 text Bye."]]


def test_arguments_that_are_not_json_stay_as_they_were_written() -> None:
    broken = CallPart(call_id="x", tool="a", arguments_raw='{"amount": 3')
    (trajectory,) = told([call(0, asked(user("Go"), system=None), answered(broken, stop="max_tokens"))])
    assert trajectory == ["0/1 user Go", '1/1 call-1 a {"amount": 3']


class TestContinuedOnTheServer:
    """Requests that name the answer they continue instead of repeating the history."""

    def test_turns_are_chained_by_response_id(self) -> None:
        calls = [
            call(0, asked(user("Hello")), answered(want("look", "c1"), response_id="r1")),
            call(1, asked(back(got("ok", "c1")), previous="r1"), answered("Hi", response_id="r2")),
            call(2, asked(user("Go on"), previous="r2"), answered("More", response_id="r3")),
            call(3, asked(user("Go on"), previous="r3"), answered("Last", response_id="r4")),
        ]
        assert told(calls) == [
            [
                "0/1 system Be kind.",
                "1/1 user Hello",
                '2/1 call-1 look {} = "ok"',
                "3/2 text Hi",
                "4/3 user Go on",
                "5/3 text More",
                "6/4 user Go on",
                "7/4 text Last",
            ]
        ]

    def test_equal_messages_after_different_answers_are_not_the_same_request(self) -> None:
        calls = [
            call(0, asked(user("A")), answered("1", response_id="r1")),
            call(1, asked(user("B")), answered("2", response_id="r2")),
            call(2, asked(user("Go on"), previous="r2"), answered("2b")),
            call(3, asked(user("Go on"), previous="r1"), answered("1b")),
        ]
        found = conversations(calls).conversations
        assert [[turn.interaction for turn in trajectory.turns] for trajectory in found] == [[0, 3], [1, 2]]

    def test_an_answer_that_is_not_in_the_file_starts_a_conversation(self) -> None:
        assert told([call(0, asked(user("Go on"), previous="gone", system=None), answered("Ok"))]) == [
            ["0/1 user Go on", "1/1 text Ok"]
        ]


class TestSentAgain:
    """The same request twice."""

    def test_after_an_answer_that_was_cut_it_is_the_next_turn(self) -> None:
        request = asked(user("Go"))
        calls = [call(0, request, answered("Che", stop="max_tokens")), call(1, request, answered("Checked."))]
        assert told(calls) == [["0/1 system Be kind.", "1/1 user Go", "2/1 text Che", "3/2 text Checked."]]

    def test_within_a_run_it_is_the_next_turn(self) -> None:
        first, second, third = REFUND.calls()
        again = call(3, third.request, answered("Done, again."))
        assert told([first, second, third, again]) == [[*REFUND_LINES, "5/4 text Done, again."]]

    def test_after_a_finished_opening_it_is_another_run(self) -> None:
        request = asked(user("Go"))
        calls = [call(number, request, answered("Hi")) for number in range(3)]
        assert [trajectory[-1] for trajectory in told(calls)] == ["2/1 text Hi"] * 3

    def test_a_handed_over_history_sent_again_is_another_run(self) -> None:
        request = asked(user("Go"), said("Hi"), user("On"))
        calls = [call(number, request, answered("Ok")) for number in range(2)]
        assert len(told(calls)) == 2

    def test_a_run_goes_on_from_the_repetition(self) -> None:
        first, second, third = REFUND.calls()
        cut = call(1, second.request, answered("Iss", stop="max_tokens"))
        found = told([first, cut, call(2, second.request, second.response), call(3, third.request, third.response)])
        assert len(found) == 1
        assert [line.split(" ", 1)[1] for line in found[0][2:]] == [
            'call-1 get_order {"order_id":"4471"} = {"total":39}',
            "text Iss",
            'call-2 issue_refund {"amount":39} = {"status":"issued"}',
            "text Done.",
        ]


class TestFailures:
    """Calls that ended without an answer."""

    overloaded = ModelResponse(error="Overloaded")

    @pytest.mark.parametrize(
        ("response", "status", "text"),
        [(overloaded, 529, "Overloaded"), (None, 503, "HTTP 503"), (overloaded, None, "Overloaded")],
    )
    def test_a_retry_is_transport(self, response: ModelResponse | None, status: int | None, text: str) -> None:
        first, *rest = REFUND.calls(1)
        (trajectory,) = conversations([call(0, first.request, response, status), first, *rest]).conversations
        assert lines(trajectory) == REFUND_LINES
        (attempt,) = trajectory.turns[0].attempts
        assert (attempt.interaction, attempt.http_status, attempt.text) == (0, status, text)
        assert trajectory.turns[0].interaction == 1

    def test_ten_retries_are_ten_attempts_in_the_order_tried(self) -> None:
        request = asked(user("Go"))
        tries = [call(number, request, None, 429) for number in range(10)]
        (trajectory,) = conversations([*tries, call(10, request, answered("Ok"), 200)]).conversations
        assert [attempt.interaction for attempt in trajectory.turns[0].attempts] == list(range(10))

    def test_a_retry_may_give_up_streaming(self) -> None:
        failed = call(0, asked(user("Go"), stream=True), None, 500)
        (trajectory,) = conversations([failed, call(1, asked(user("Go")), answered("Ok"))]).conversations
        assert len(trajectory.turns[0].attempts) == 1

    def test_a_failure_that_nothing_follows_is_a_step_of_its_own_turn(self) -> None:
        *before, last = REFUND.calls()
        (trajectory,) = conversations([*before, call(2, last.request, self.overloaded, 529)]).conversations
        assert lines(trajectory) == [*REFUND_LINES[:-1], "4/3 failure 529 Overloaded"]
        turn = trajectory.turns[-1]
        assert (turn.stop_reason, turn.http_status, turn.first, turn.end) == ("error", 529, 4, 5)

    def test_a_failure_answered_by_another_model_stays_and_the_conversation_goes_on(self) -> None:
        first, second, third = REFUND.calls()
        messages = third.request.messages if third.request else ()
        failed = call(2, third.request, self.overloaded, 529)
        (trajectory,) = told([first, second, failed, call(3, asked(*messages, model="m-2"), third.response)])
        assert trajectory == [*REFUND_LINES[:-1], "4/3 failure 529 Overloaded", "5/4 text Done."]

    def test_an_opening_that_fails_and_fails_again_is_one_conversation(self) -> None:
        calls = [call(number, asked(user("Go")), self.overloaded, 401) for number in range(2)]
        assert told(calls) == [
            ["0/1 system Be kind.", "1/1 user Go", "2/1 failure 401 Overloaded", "3/2 failure 401 Overloaded"]
        ]

    def test_after_a_failure_only_what_was_not_said_yet_is_told(self) -> None:
        calls = [
            call(0, asked(user("Go")), answered(want("look", "c"))),
            call(1, asked(user("Go"), said(want("look", "c")), back(got("long", "c")), user("So?")), None, 400),
            call(2, asked(user("Go"), said(want("look", "c")), back(got("cut", "c")), user("So?")), answered("Ok")),
        ]
        (trajectory,) = conversations(calls).conversations
        assert [line for line in lines(trajectory) if "failure" in line or "text" in line] == [
            "4/2 failure 400 HTTP 400",
            "6/3 text Ok",
        ]
        assert trajectory.calls[0].result == "long"

    def test_a_stream_that_breaks_off_keeps_what_had_come(self) -> None:
        broken = ModelResponse(parts=(Text(text="Well,"),), error="stream ended", complete=False)
        (trajectory,) = told([call(0, asked(user("Go"), system=None), broken, 200)])
        assert trajectory == ["0/1 user Go", "1/1 text Well,", "2/1 failure 200 stream ended"]

    def test_a_failure_without_a_request_stays_in_order(self) -> None:
        calls = [
            call(0, None, answered(want("look", "c"))),
            call(1, None, self.overloaded),
            call(2, None, answered("Ok")),
        ]
        assert told(calls) == [["0/1 call-1 look {}", "1/2 failure None Overloaded", "2/3 text Ok"]]


class TestWithoutRequests:
    """Formats whose order is all there is."""

    @pytest.mark.parametrize("stop", ["end_turn", "refusal", "stop_sequence", "content_filter"])
    def test_a_final_answer_ends_a_conversation(self, stop: StopReason) -> None:
        calls = [
            call(0, None, answered(want("look", "c"))),
            call(1, None, answered("Done.", stop=stop)),
            call(2, None, answered("New.")),
        ]
        assert told(calls) == [["0/1 call-1 look {}", "1/2 text Done."], ["0/1 text New."]]

    @pytest.mark.parametrize("stop", ["max_tokens", "pause_turn"])
    def test_an_answer_that_was_cut_does_not(self, stop: StopReason) -> None:
        calls = [call(0, None, answered("Do", stop=stop)), call(1, None, answered("Done."))]
        assert told(calls) == [["0/1 text Do", "1/2 text Done."]]

    def test_an_answer_that_calls_a_tool_is_not_final_whatever_its_stop_reason(self) -> None:
        calls = [call(0, None, answered(want("look"), stop="end_turn")), call(1, None, answered("Done."))]
        assert len(told(calls)) == 1

    def test_the_hash_that_opened_a_conversation_opens_the_next(self) -> None:
        keys = ["k1", "k2", "k1", "k3"]
        calls = [call(at, None, answered(want("look")), key=key) for at, key in enumerate(keys)]
        assert [len(trajectory) for trajectory in told(calls)] == [2, 2]

    @pytest.mark.parametrize("keys", [["k1", "k1", "k2"], ["any", "any", "any"]])
    def test_the_same_hash_at_once_is_the_same_request_again(self, keys: list[str]) -> None:
        calls = [call(at, None, answered("Che", stop="max_tokens"), key=key) for at, key in enumerate(keys)]
        assert len(told(calls)) == 1


class TestUnordered:
    """Folders of files named by request hash: order tells nothing, and equal requests of several runs share one file."""

    def test_any_order_of_files_gives_the_same_conversation(self) -> None:
        for calls in permutations(REFUND.calls()):
            assert told(list(calls), ordered=False) == [REFUND_LINES]

    def test_every_leaf_is_a_whole_trajectory(self) -> None:
        shared = REFUND.calls()[1].request
        messages = shared.messages if shared is not None else ()
        branch = asked(*messages, said(want("close", "z")), back(got("ok", "z")))
        refunded, closed = told([*REFUND.calls(), call(3, branch, answered("Closed."))], ordered=False)
        assert refunded == REFUND_LINES
        assert closed == [*REFUND_LINES[:3], '3/2 call-2 close {} = "ok"', "4/3 text Closed."]

    def test_an_overwritten_answer_is_read_from_the_history_and_nothing_is_borrowed(self) -> None:
        kept, overwritten = REFUND.calls(), REFUND.with_(ids="b").calls(3)
        found = conversations([kept[0], *kept[1:], *overwritten[1:]], ordered=False).conversations
        assert [lines(trajectory) for trajectory in found] == [REFUND_LINES, REFUND_LINES]
        whole, partial = found
        assert [turn.recorded for turn in whole.turns] == [True, True, True]
        first = partial.turns[0]
        assert (first.recorded, first.interaction, first.requested_model) == (False, 0, "m-1")
        assert (first.usage, first.model, first.stop_reason, first.http_status) == (None, None, None, None)

    def test_an_answer_overwritten_by_one_that_did_something_else_is_the_historys(self) -> None:
        policy = REFUND.with_(ids="b", tools=(("check_policy", {}, {"ok": True}), *REFUND.tools))
        calls = [policy.calls()[0], *REFUND.calls(10)[1:], *policy.calls(20)[1:]]
        tools = {trajectory.tools for trajectory in conversations(calls, ordered=False).conversations}
        assert tools == {("get_order", "issue_refund"), ("check_policy", "get_order", "issue_refund")}

    def test_a_final_answer_that_overwrote_a_call_is_a_run_of_its_own(self) -> None:
        first, *rest = REFUND.calls()
        refused = call(0, first.request, answered("I cannot do that."))
        found = told([refused, *rest], ordered=False)
        assert sorted(found, key=len) == [[*REFUND_LINES[:2], "2/1 text I cannot do that."], REFUND_LINES]

    def test_a_failure_that_overwrote_an_answer_is_a_run_of_its_own(self) -> None:
        first, *rest = REFUND.calls()
        failed = call(0, first.request, None, 401)
        found = told([failed, *rest], ordered=False)
        assert sorted(found, key=len) == [[*REFUND_LINES[:2], "2/1 failure 401 HTTP 401"], REFUND_LINES]

    def test_answers_continued_on_the_server_are_chained_by_their_ids(self) -> None:
        calls = [
            call(0, asked(user("More"), previous="r2"), answered("Last", response_id="r3")),
            call(1, asked(user("Hello")), answered("Hi", response_id="r1")),
            call(2, asked(user("More"), previous="r1"), answered("So", response_id="r2")),
        ]
        (trajectory,) = told(calls, ordered=False)
        assert [line.split(" ", 1)[1] for line in trajectory[1:]] == [
            "user Hello",
            "text Hi",
            "user More",
            "text So",
            "user More",
            "text Last",
        ]

    def test_answers_without_a_request_stand_alone(self) -> None:
        calls = [call(0, None, answered(want("look", "c"))), call(1, None, answered("Done."))]
        assert told(calls, ordered=False) == [["0/1 call-1 look {}"], ["0/1 text Done."]]

    def test_answers_that_name_each_other_are_cut_where_the_circle_begins(self) -> None:
        calls = [
            call(0, asked(user("A"), previous="r2"), answered("a", response_id="r1")),
            call(1, asked(user("B"), previous="r1"), answered("b", response_id="r2")),
            call(2, asked(user("C"), previous="r3"), answered("c", response_id="r3")),
        ]
        found = conversations(calls, ordered=False).conversations
        assert [[turn.interaction for turn in trajectory.turns] for trajectory in found] == [[0, 1], [2]]

    def test_two_hundred_runs_of_one_folder_each_find_their_own_way(self) -> None:
        runs = [REFUND.with_(ids=f"r{number}-") for number in range(200)]
        calls = [call for number, run in enumerate(runs) for call in run.calls(3 * number)[1:]]
        found = conversations([REFUND.calls()[0], *calls], ordered=False).conversations
        assert len(found) == 200
        own = [[turn.interaction // 3 for turn in trajectory.turns[1:] if turn.recorded] for trajectory in found]
        assert all(len(numbers) == 2 and numbers[0] == numbers[1] for numbers in own)


def test_nothing_gives_nothing() -> None:
    assert conversations([]).conversations == ()
