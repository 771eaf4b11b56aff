"""Every recorder tells the same story: one scenario, recorded by all of them, is one sequence of tools, arguments and results."""

import re
from collections.abc import Iterator
from functools import cache
from hashlib import sha1
from pathlib import Path

import pytest

from reviewlib.formats import read_cassettes
from reviewlib.model.cassette import Cassette, File
from reviewlib.model.frozen import Plain
from reviewlib.model.trajectory import Recording, ToolCall
from reviewlib.trajectory import read_recording
from reviewlib.values import canonical
from tests.corpus import CORPUS, needs_corpus

pytestmark = needs_corpus

RECORDERS = CORPUS / "recorders"

FORMATS = (
    "seed000-fp-list",
    "seed001-hash-files-anthropic",
    "seed001-hash-files-openai",
    "seed002-name-hash-map",
    "seed003-jsonl-anthropic",
    "seed003-jsonl-openai",
    "pytest-agentreplay",
    "vcrpy-decoded",
    "vcrpy-json",
    "vcrpy-legacy-4.4.0-httpx",
    "vcrpy-legacy-5.1.0-httpx",
    "vcrpy-legacy-6.0.2-httpx",
    "vcrpy-legacy-7.0.0-httpx",
    "vcrpy-parsed-body",
    "vcrpy-yaml",
)
FLAT = ("seed001-hash-files-anthropic-flat", "seed001-hash-files-openai-flat")

SCENARIO = re.compile(
    r"unchanged|skip.policy|arg.changed|tokens.grew|model.bump|order.swapped|reworded|parallel|prompt.edited|retry|tool.error"
    r"|max.tokens|resend|poll"
)

ORDER = {"order_id": "4471", "status": "delivered", "total": 39, "customer": "Ada", "placed": "2026-11-02"}
GET_ORDER = ("get_order", {"order_id": "4471"}, ORDER)
GET_MISSING = ("get_order", {"order_id": "9999"}, {"error": "order 9999 not found"})
POLICY = (
    "check_refund_policy",
    {"order_id": "4471", "reason": "damaged"},
    {"eligible": True, "window_days": 30, "max_amount": 39},
)
REFUND = (
    "issue_refund",
    {"order_id": "4471", "amount": 39, "reason": "damaged"},
    {"refund_id": "rf_88", "amount": 39, "status": "issued"},
)
REFUND_390 = (
    "issue_refund",
    {"order_id": "4471", "amount": 390, "reason": "damaged"},
    {"refund_id": "rf_88", "amount": 390, "status": "issued"},
)
REFUND_MISSING = (
    "issue_refund",
    {"order_id": "9999", "amount": 39, "reason": "damaged"},
    {"refund_id": "rf_88", "amount": 39, "status": "issued"},
)

Story = tuple[tuple[str, Plain, Plain], ...]
WHOLE: Story = (GET_ORDER, POLICY, REFUND)
BASELINE: dict[str, Story] = {
    "tool_error": (GET_MISSING,),
    "poll": (GET_ORDER, GET_ORDER),
}
HEAD: dict[str, Story] = {
    "skip_policy": (GET_ORDER, REFUND),
    "arg_changed": (GET_ORDER, POLICY, REFUND_390),
    "order_swapped": (POLICY, GET_ORDER, REFUND),
    "tool_error": (GET_MISSING, REFUND_MISSING),
    "poll": (GET_ORDER, GET_ORDER, GET_ORDER),
    "max_tokens": (GET_ORDER, POLICY),
    "parallel": (POLICY, GET_ORDER, REFUND),
}

# These recorders hold one answer for each request: asked again, they gave the cut one, and the run ended there.
ONE_ANSWER_EACH = ("seed003-jsonl-anthropic", "seed003-jsonl-openai", "vcrpy-parsed-body")


@cache
def recordings(recorder: str, side: str) -> tuple[Recording, ...]:
    """Read one side of one recorder. Hand-written cassettes tell a story of their own."""
    root = RECORDERS / recorder / side
    files = [
        File(path=path.relative_to(root).as_posix(), blob=sha1(path.read_bytes()).hexdigest(), data=path.read_bytes())
        for path in sorted(root.rglob("*"))
        if path.is_file()
    ]
    read = read_cassettes(files)
    assert all(isinstance(cassette, Cassette) for cassette in read), read
    return tuple(
        read_recording(cassette) for cassette in read if isinstance(cassette, Cassette) and not cassette.synthetic
    )


def scenario(recording: Recording) -> str:
    found = SCENARIO.search(Path(recording.cassette.path).as_posix())
    assert found is not None, recording.cassette.path
    return found.group().replace("-", "_")


def told(side: str) -> Iterator[tuple[str, Recording]]:
    for recorder in FORMATS:
        for recording in recordings(recorder, side):
            yield recorder, recording


def calls_of(recording: Recording) -> tuple[ToolCall, ...]:
    (trajectory,) = recording.conversations
    return trajectory.calls


def plain(value: Plain) -> str:
    return canonical(value)


@pytest.mark.parametrize(("side", "stories"), [("base", BASELINE), ("head", HEAD)])
@pytest.mark.parametrize("recorder", FORMATS)
def test_each_recorder_tells_each_scenario_alike(recorder: str, side: str, stories: dict[str, Story]) -> None:
    for recording in recordings(recorder, side):
        name = scenario(recording)
        expected = stories.get(name, WHOLE)
        if name == "resend" and recorder in ONE_ANSWER_EACH:
            expected = (GET_ORDER,)
        calls = calls_of(recording)
        where = f"{recorder} {recording.cassette.path}"
        assert [(one.tool, plain(one.arguments)) for one in calls] == [
            (tool, plain(arguments)) for tool, arguments, _ in expected
        ], where
        for one, (_, _, result) in zip(calls, expected, strict=True):
            if one.result_recorded:
                assert plain(one.result) == plain(result), where
            elif one.executed is not False:
                assert "tool_results" in recording.not_recorded, where
        assert recording.orphans == (), where


@pytest.mark.parametrize("recorder", FORMATS)
def test_every_turn_has_usage_and_a_stop_reason_and_bounds_its_steps(recorder: str) -> None:
    for recording in recordings(recorder, "base"):
        (trajectory,) = recording.conversations
        assert [step.index for step in trajectory.steps] == list(range(len(trajectory.steps)))
        for turn in trajectory.turns:
            assert turn.usage is not None, recording.cassette.path
            # pydantic-ai's FunctionModel gives no finish reason.
            assert turn.stop_reason is not None or "_fn/" in recording.cassette.path
            assert all(step.turn == turn.turn for step in trajectory.steps[turn.first : turn.end])


@pytest.mark.parametrize("recorder", FORMATS)
def test_a_retry_is_an_attempt_where_it_is_recorded_and_never_a_step(recorder: str) -> None:
    for recording in recordings(recorder, "head"):
        (trajectory,) = recording.conversations
        assert not any(step.kind == "failure" for step in trajectory.steps)
        attempts = [attempt.http_status for turn in trajectory.turns for attempt in turn.attempts]
        over_http = "http_status" not in recording.not_recorded
        if scenario(recording) == "retry" and over_http:
            assert attempts in ([529], [503]), recording.cassette.path
        else:
            assert attempts == [], recording.cassette.path


@pytest.mark.parametrize(("side", "count"), [("base", 4), ("head", 4), ("head_stale_kept", 8)])
@pytest.mark.parametrize("recorder", FLAT)
def test_a_flat_folder_of_hash_named_files_gives_one_trajectory_for_each_run(
    recorder: str, side: str, count: int
) -> None:
    (recording,) = recordings(recorder, side)
    assert len(recording.conversations) == count
    openings = {"4471": 3, "9999": 1}
    for order, times in openings.items():
        found = [
            trajectory
            for trajectory in recording.conversations
            if any(step.kind == "user_message" and order in step.text for step in trajectory.steps)
        ]
        assert len(found) == times * count // 4
    assert recording.orphans == ()


@pytest.mark.parametrize("recorder", FLAT)
def test_an_answer_that_another_run_overwrote_lends_its_usage_to_none(recorder: str) -> None:
    (recording,) = recordings(recorder, "base")
    lent = [
        turn.response_id
        for trajectory in recording.conversations
        for turn in trajectory.turns
        if turn.response_id is not None
    ]
    assert len(lent) == len(set(lent))
    unknown = [turn for trajectory in recording.conversations for turn in trajectory.turns if not turn.recorded]
    assert all(turn.usage is None and turn.model is None and turn.stop_reason is None for turn in unknown)
    assert len(unknown) == 2


@pytest.mark.parametrize("recorder", ["seed003-jsonl-anthropic", "seed003-jsonl-openai"])
def test_a_run_appended_behind_the_old_one_is_a_conversation_of_its_own(recorder: str) -> None:
    appended = {scenario(recording): recording for recording in recordings(recorder, "head_appended")}
    assert len(appended["prompt_edited"].conversations) == 2
    assert [len(trajectory.calls) for trajectory in appended["prompt_edited"].conversations] == [3, 3]
    assert len(appended["skip_policy"].conversations) == 1


def test_what_is_sent_twice_is_a_turn_more() -> None:
    turns = {
        recorder: len(recording.conversations[0].turns)
        for recorder, recording in told("head")
        if scenario(recording) == "resend"
    }
    assert turns["seed000-fp-list"] == 6
    assert turns["seed002-name-hash-map"] == 6
