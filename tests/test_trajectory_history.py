"""Histories by rolling digest, and how well an answer agrees with what is sent back in its place."""

import pytest

from reviewlib.model.call import CallPart, Media, Message, ModelRequest, ModelResponse, Part, Text, Thinking
from reviewlib.trajectory.attempts import failure, finished
from reviewlib.trajectory.evidence import Evidence, evidence
from reviewlib.trajectory.fingerprint import _written
from reviewlib.trajectory.history import History, read_histories
from tests.trajectory_calls import answered, asked, back, call, got, said, user, want


def read_history(request: ModelRequest | None) -> History:
    return read_histories([request])[0]


def key(*messages: Message) -> bytes:
    return read_history(asked(*messages)).key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((said("Hi"),), (said("Hi "),)),
        ((said("A"), said("B")), (said("A", "B"),)),
        ((said(want("a", "1")),), (said(want("a", "2")),)),
        ((said(want("a", n=39)),), (said(want("a", n=39.0)),)),
        ((said(Thinking(text="hm"), "A"),), (said("A"),)),
        ((said("", "A"),), (said("A"),)),
        ((back(got("x", "1")),), (back(got("x")),)),
        ((back(got({"a": 1, "b": 2})),), (back(got({"b": 2, "a": 1})),)),
    ],
)
def test_histories_that_say_the_same_have_one_key(one: tuple[Message, ...], other: tuple[Message, ...]) -> None:
    assert key(*one) == key(*other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((said("A"),), (user("A"),)),
        ((said("A"), said("B")), (said("AB"),)),
        ((said("A"), said("B")), (said("B"), said("A"))),
        ((said(want("a")),), (said(want("b")),)),
        ((said(want("a", n=1)),), (said(want("a", n=True)),)),
        ((said(want("a")),), (back(got("a")),)),
        (
            (said(CallPart(call_id=None, tool="a", arguments_raw="{")),),
            (said(CallPart(call_id=None, tool="a", arguments_raw="{}")),),
        ),
        (
            (said(Media(media_type="image/png", digest="00")),),
            (said(Media(media_type="image/png", digest="01")),),
        ),
    ],
)
def test_histories_that_say_otherwise_have_other_keys(one: tuple[Message, ...], other: tuple[Message, ...]) -> None:
    assert key(*one) != key(*other)


def test_a_lone_surrogate_is_text_like_any_other() -> None:
    assert key(user("\ud800")) != key(user("\ud801"))


def test_borders_are_the_proper_prefixes_longest_first_without_silent_ends() -> None:
    history = read_history(asked(user("A"), said(Thinking(text="hm"), "B"), user("C"), user(" ")))
    assert list(history.borders()) == [3, 1]


def test_the_last_block_is_the_last_run_of_assistant_parts() -> None:
    history = read_history(asked(user("A"), said("B"), said(want("c")), back(got("d")), user("E")))
    assert history.last_block() == (1, 3)
    assert read_history(asked(user("A"))).last_block() == (0, 0)
    assert read_history(None).last_block() == (0, 0)


@pytest.mark.parametrize(
    ("answer", "sent_back", "expected"),
    [
        (("A",), ("A",), Evidence.ALIKE),
        (("<think>hm</think>A",), ("A",), Evidence.ALIKE),
        (("Action: x",), ("Action: x\nObservation: y",), Evidence.ALIKE),
        (('{"a":1}',), ('{ "a": 1 }',), Evidence.ALIKE),
        (("A",), ("B",), Evidence.DIFFERENT),
        (("A",), (), Evidence.SILENT),
        (("A",), ("",), Evidence.SILENT),
        ((want("a", "1"),), (want("a", "1"),), Evidence.SAME_IDS),
        ((want("a", "1", n=1),), (want("a", "1", n="cut"),), Evidence.SAME_IDS),
        ((want("a", "1"), want("b", "2")), (want("b", "2"),), Evidence.SAME_IDS),
        ((want("a", "1"),), (want("a", "2"),), Evidence.OTHER_IDS),
        ((want("a", "1"),), (want("b", "2"),), Evidence.CONFLICT),
        (("A",), (want("b", "2"),), Evidence.CONFLICT),
        ((want("a"),), (want("a", "2"),), Evidence.ALIKE),
        ((want("a", "1"),), (want("a"),), Evidence.ALIKE),
        ((want("a"), want("b")), (want("b"), want("a")), Evidence.ALIKE),
        ((want("a", n=1),), (want("a", n=2),), Evidence.DIFFERENT),
        ((want("a", "1"),), ("",), Evidence.SILENT),
        (("A", want("a", "1")), ("A",), Evidence.ALIKE),
        (("A", CallPart(call_id=None, tool="x", origin="text")), ("A",), Evidence.ALIKE),
    ],
)
def test_an_answer_is_weighed_against_the_history(
    answer: tuple[Part | str, ...], sent_back: tuple[Part | str, ...], expected: Evidence
) -> None:
    assert evidence(answered(*answer), said(*sent_back).parts) is expected


@pytest.mark.parametrize(
    "answer", [None, ModelResponse(error="no"), ModelResponse(parts=(Text(text="B"),), complete=False)]
)
def test_an_answer_that_is_not_whole_contradicts_nothing(answer: ModelResponse | None) -> None:
    assert evidence(answer, said(want("a", "1")).parts) is Evidence.SILENT


@pytest.mark.parametrize(
    ("status", "response", "expected"),
    [
        (200, answered("A"), None),
        (None, answered("A"), None),
        (201, None, None),
        (101, None, None),
        (401, None, "HTTP 401"),
        (302, None, "HTTP 302"),
        (404, ModelResponse(error="no such model"), "no such model"),
        (200, ModelResponse(error="overloaded"), "overloaded"),
    ],
)
def test_a_failure_is_an_error_or_a_status_outside_of_2xx(
    status: int | None, response: ModelResponse | None, expected: str | None
) -> None:
    assert failure(call(0, None, response, status)) == expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (answered("A"), True),
        (answered(), True),
        (answered("A", stop="refusal"), True),
        (answered(CallPart(call_id="s", tool="search", server_side=True), "A", stop="end_turn"), True),
        (answered("A", stop="max_tokens"), False),
        (answered("A", stop="pause_turn"), False),
        (answered("A", complete=False), False),
        (answered(want("a")), False),
        (ModelResponse(error="no"), False),
        (None, False),
    ],
)
def test_an_answer_is_final_when_nothing_is_left_to_do(response: ModelResponse | None, expected: bool) -> None:
    assert finished(call(0, None, response)) is expected


@pytest.mark.parametrize(
    ("number", "written"),
    [
        (39.0, "39"),
        (0.1, "0.1"),
        (1e-6, "0.000001"),
        (1.5e-7, "1.5e-7"),
        (1e16, "10000000000000000"),
        (1e21, "1e+21"),
        (-2.5, "-2.5"),
        (10**20, "100000000000000000000"),
    ],
)
def test_numbers_are_written_as_javascript_writes_them(number: float, written: str) -> None:
    assert _written(number) == written


@pytest.mark.parametrize("request_", [asked(), asked(said()), None])
def test_an_empty_history_extends_nothing(request_: ModelRequest | None) -> None:
    history = read_history(request_)
    assert (history.atoms, list(history.borders())) == ((), [])
