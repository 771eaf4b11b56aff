"""When a recording was made, and with which prompt."""

import hashlib
import json
from datetime import UTC, datetime

import pytest

from reviewlib.checks.ages import recorded_at
from reviewlib.model.surroundings import Origin, Surroundings
from tests.checks.judging import given, loaded, made, since, told
from tests.trajectories import T

JUNE = datetime(2026, 6, 3, tzinfo=UTC).timestamp()
PATH = "tests/cassettes/test.yaml"


def at(moment):
    return made(T(text="Done."), recorded_at=moment)


def committed(moment, path=PATH):
    return Surroundings(origins={path: Origin(name="Ada", email="ada@example.org", at=moment)})


def test_without_a_schedule_nothing_is_stale():
    assert since("stale", None, at(0.0)) == []


@pytest.mark.parametrize(("days", "seen"), [(179, True), (180, False), (181, False)])
def test_a_recording_is_stale_once_it_is_older_than_the_schedule(days, seen):
    assert since("stale", None, at(JUNE), given(stale_after_days=days)) == ["new"] * seen


def test_a_stale_recording_tells_its_day_and_age():
    assert told("stale", None, at(JUNE), given(stale_after_days=90)) == [
        ("new", "recorded on 2026-06-03, 180 days ago: it is to be recorded anew after 90")
    ]


def test_the_first_schedule_that_names_the_path_holds():
    schedules = [{"paths": ["**/test.*"], "days": 400}, {"paths": ["**"], "days": 10}]
    assert since("stale", None, at(JUNE), given(schedules=schedules, stale_after_days=5)) == []
    assert since("stale", None, at(JUNE), given(schedules=schedules[1:])) == ["new"]
    assert since("stale", None, at(JUNE), given(schedules=[{"paths": ["other/**"], "days": 10}])) == []


@pytest.mark.parametrize("moment", [-1.0, 1e300, float("inf"), float("nan")])
def test_a_number_that_is_no_moment_is_none(moment):
    assert recorded_at(at(moment)) is None
    assert since("stale", None, at(moment), given(stale_after_days=1)) == []
    assert since("stale", None, at(None), given(around=committed(moment), stale_after_days=1)) == []
    assert since("volatile-key", None, at(moment)) == []


def test_recording_anew_makes_it_fresh():
    assert since("stale", at(JUNE), at(JUNE + 170 * 86_400), given(stale_after_days=90)) == ["gone"]


def test_a_moment_of_the_future_is_not_stale():
    assert since("stale", None, at(4e9), given(stale_after_days=1)) == []


def test_without_a_time_in_the_cassette_the_commit_counts_and_without_either_nothing():
    policy = {"stale_after_days": 90}
    assert since("stale", None, at(None), given(**policy)) == []
    assert told("stale", None, at(None), given(around=committed(JUNE), **policy))[0][1].startswith(
        "committed on 2026-06-03"
    )
    fresh = at(JUNE + 170 * 86_400)
    assert since("stale", None, fresh, given(around=committed(JUNE), **policy)) == [], (
        "the cassette's own time goes first"
    )


def test_each_side_goes_by_its_own_commit():
    around = {"around": committed(JUNE + 170 * 86_400), "before": committed(JUNE)}
    assert since("stale", at(None), at(None), given(stale_after_days=90, **around)) == ["gone"]


ANSWER = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "model": "gpt-5",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "Hi."}, "finish_reason": "stop"}],
}
SENT = {"model": "gpt-5", "messages": [{"role": "user", "content": "Hello"}]}


def http(answer, headers=None):
    request = {
        "method": "POST",
        "uri": "https://api.openai.com/v1/chat/completions",
        "headers": {},
        "body": json.dumps(SENT),
    }
    body = answer if isinstance(answer, str) else json.dumps(answer)
    got = {"status": {"code": 200, "message": "OK"}, "headers": headers or {}, "body": {"string": body}}
    return {"version": 1, "interactions": [{"request": request, "response": got}]}


DATED = {"date": ["Wed, 03 Jun 2026 00:00:00 GMT"]}
CHUNK = json.dumps(ANSWER | {"object": "chat.completion.chunk", "created": int(JUNE)}, separators=(",", ":"))


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        (http(ANSWER), None),
        (http(ANSWER, DATED), JUNE),
        (http(ANSWER | {"created": int(JUNE) + 7}), JUNE + 7),
        (http(ANSWER | {"created": int(JUNE) + 7}, DATED), JUNE),
        (http(ANSWER | {"created": 0}), None),
        (http(ANSWER, {"date": ["yesterday"]}), None),
        (http(f"data: {CHUNK}\n\ndata: [DONE]\n\n"), JUNE),
        (http(ANSWER | {"choices": [], "note": f'"created": {int(JUNE)}'}), None),
    ],
)
def test_the_time_is_read_from_headers_and_answers(value, moment):
    assert recorded_at(loaded(value)) == moment


def test_the_recorders_own_time_goes_before_what_the_answer_says():
    value = [
        {"key": "0" * 64, "recorded_at": int(JUNE), "request": SENT, "response": ANSWER | {"created": 1_700_000_000}}
    ]
    assert recorded_at(loaded("\n".join(map(json.dumps, value)).encode(), "tests/cassettes/test.jsonl")) == JUNE


PROMPT = "prompts/refund.md"
SHA = hashlib.sha256(b"Refund what is broken.").hexdigest()
OTHER = hashlib.sha256(b"Refund nothing.").hexdigest()


def templated(sha, **more):
    return made(T(text="Done."), parameters={"template_sha": sha} if sha else {}, **more)


def prompts(sha, path=PROMPT):
    return Surroundings(prompts={path: sha})


@pytest.mark.parametrize(
    ("recorded", "here", "templates", "seen"),
    [
        (OTHER, prompts(SHA), {"tests/cassettes/**": PROMPT}, True),
        (SHA, prompts(SHA), {"tests/cassettes/**": PROMPT}, False),
        (None, prompts(SHA), {"tests/cassettes/**": PROMPT}, False),
        (OTHER, prompts(SHA), {"elsewhere/**": PROMPT}, False),
        (OTHER, prompts(SHA, "prompts/other.md"), {"tests/cassettes/**": PROMPT}, False),
        (OTHER, prompts(SHA), {}, False),
    ],
    ids=["edited since", "as recorded", "not recorded", "another path", "no such file", "no policy"],
)
def test_a_template_drifts_where_the_file_that_the_policy_names_is_another(recorded, here, templates, seen):
    assert since("template-drift", None, templated(recorded), given(around=here, templates=templates)) == ["new"] * seen


def test_a_drifted_template_is_judged_by_the_prompt_of_its_own_side():
    templates = {"**": PROMPT}
    moved = given(around=prompts(OTHER), before=prompts(SHA), templates=templates)
    assert since("template-drift", templated(SHA), templated(OTHER, run="b"), moved) == []
    assert since("template-drift", templated(SHA), templated(SHA, run="b"), moved) == ["new"]
    ((_, message),) = told("template-drift", None, templated(SHA), moved)
    assert message.startswith(f"recorded with {PROMPT} as {SHA[:12]}, and the file is {OTHER[:12]} now")
