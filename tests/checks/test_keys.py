"""Whether replay would find what is stored: the keys that recorders find their answers by."""

import copy
import hashlib
import json

import pytest

from reviewlib.model.call import ToolSchema
from reviewlib.model.trajectory import Recording
from reviewlib.pipeline import read
from tests.checks.judging import file, loaded, made, since, told
from tests.corpus import CORPUS, needs_corpus
from tests.trajectories import T, call

SENT = {
    "model": "claude-sonnet-5",
    "max_tokens": 64,
    "messages": [{"role": "user", "content": "Refund order 4471, für 39 €"}],
}
ANSWER = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "claude-sonnet-5",
    "content": [{"type": "text", "text": "Done."}],
    "stop_reason": "end_turn",
}
ASKED_AGAIN = SENT | {
    "messages": [*SENT["messages"], {"role": "assistant", "content": "Done."}, {"role": "user", "content": "Sure?"}]
}


def sha(text):
    return hashlib.sha256(text.encode()).hexdigest()


def compact(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def spaced(value):
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def edited(request):
    changed = copy.deepcopy(request)
    changed["messages"][0]["content"] = "Refund order 4472"
    return changed


def lines(*entries):
    return "\n".join(map(json.dumps, entries)).encode()


def keyed(*requests, key=None):
    """JSON Lines of key, request and response."""
    entries = [
        {"key": key or sha(compact(was)), "recorded_at": 1, "request": now, "response": ANSWER} for was, now in requests
    ]
    return lines(*entries), "tests/cassettes/test.jsonl"


def cassetteai(*requests):
    entries = [
        {
            "request_hash": sha(spaced({"messages": was["messages"], "tools": []}))[:16],
            "request": now,
            "response": ANSWER,
            "is_streaming": False,
        }
        for was, now in requests
    ]
    return {"version": 1, "entries": entries}, "tests/cassettes/test.json"


def cendor(*requests):
    def noted(body):
        return {
            "kind": "llm",
            "provider": "anthropic",
            "model": body["model"],
            "messages": body["messages"],
            "stream": False,
        }

    entries = [
        {"seq": seq, "kind": "llm", "request_hash": sha(compact(noted(was))), "request": noted(now), "response": ANSWER}
        for seq, (was, now) in enumerate(requests)
    ]
    return {"version": 2, "entries": entries}, "tests/cassettes/test.json"


def reel(*requests):
    entries = [
        {
            "schema_version": 1,
            "provider": "anthropic",
            "request": {
                "method": "POST",
                "path": "/v1/messages",
                "fingerprint": f"sha256:{sha('v1' + chr(10) + '/v1/messages' + chr(10) + compact(was))}",
                "body": now | {"stream": False, "metadata": {"user_id": "u"}},
            },
            "response": {"status": 200, "headers": {}, "body": ANSWER},
        }
        for was, now in requests
    ]
    return lines(*entries), "tests/cassettes/test.jsonl"


def replex(*requests):
    def event(was, now):
        key = f"sha256:{sha('POST /v1/messages' + chr(10) + compact(was))}"
        url = "https://api.anthropic.com/v1/messages"
        sent = {"method": "POST", "url": url, "headers": {}, "body": now, "match_key": key}
        return {"type": "exchange", "request": sent, "response": {"status": 200, "headers": {}, "body": ANSWER}}

    events = [event(was, now) for was, now in requests]
    return {"schema_version": 1, "replex_version": "0.1.0", "events": events}, "tests/cassettes/test.replex.json"


FORMATS = {"keyed": keyed, "cassetteai": cassetteai, "cendor": cendor, "reel": reel, "replex": replex}
FIXED = ("cassetteai", "reel")


@pytest.mark.parametrize("name", FORMATS)
def test_a_request_that_was_edited_behind_its_key_is_told_and_one_as_recorded_is_not(name):
    whole = loaded(*FORMATS[name]((SENT, SENT), (ASKED_AGAIN, ASKED_AGAIN)))
    changed = loaded(*FORMATS[name]((SENT, edited(SENT)), (ASKED_AGAIN, ASKED_AGAIN)))
    assert isinstance(whole, Recording)
    assert told("fingerprint-mismatch", None, whole) == []
    assert told("fingerprint-mismatch", None, changed) == [
        ("new", "1 of 2 requests are not those of the keys that they are stored under: edited since")
    ]


@pytest.mark.parametrize("name", FORMATS)
def test_where_a_project_may_change_the_hash_another_entry_has_to_confirm_it(name):
    alone = loaded(*FORMATS[name]((SENT, edited(SENT))))
    assert since("fingerprint-mismatch", None, alone) == (["new"] if name in FIXED else [])


@pytest.mark.parametrize("mask", ["sk-ant-" + "a1" * 20, "<redacted>", "[redacted:phone]", "X-API-KEY-XXX"])
def test_a_request_in_which_something_was_masked_is_not_judged(mask):
    hidden = copy.deepcopy(SENT)
    hidden["messages"][0]["content"] = f"My key is {mask}"
    assert since("fingerprint-mismatch", None, loaded(*cassetteai((SENT, hidden)))) == []


def test_a_format_without_a_known_hash_is_not_judged():
    value = [{"fp": "0" * 16, "response": ANSWER}]
    assert since("fingerprint-mismatch", None, loaded(value)) == []


def flat(*pairs):
    """A folder of files named by request hash."""
    parts = [
        file({"request": now, "response": answer}, f"tests/cassettes/{sha(spaced(was))[:16]}.json")
        for was, now, answer in pairs
    ]
    (found,) = read(parts)
    return found


def test_files_named_by_request_hash_are_judged_by_their_names():
    others = [SENT | {"max_tokens": 99}, ASKED_AGAIN]
    entries = [(each, each, ANSWER) for each in others]
    assert since("fingerprint-mismatch", None, flat(*entries, (SENT, SENT, ANSWER))) == []
    assert since("fingerprint-mismatch", None, flat(*entries, (SENT, edited(SENT), ANSWER))) == ["new"]


def test_of_two_entries_with_one_key_one_is_never_played():
    twice = loaded(*keyed((SENT, SENT), (SENT, SENT), (ASKED_AGAIN, ASKED_AGAIN)))
    assert [message[:40] for _, message in told("unplayed", None, twice)] == [
        "1 entries share the key of another one, "
    ]
    assert told("unplayed", None, loaded(*keyed((SENT, SENT), (ASKED_AGAIN, ASKED_AGAIN)))) == []


def test_a_key_that_is_played_by_occurrence_may_be_there_twice():
    assert (
        told("unplayed", None, loaded([{"fp": "0" * 16, "response": ANSWER}, {"fp": "0" * 16, "response": ANSWER}]))
        == []
    )


CALL = {"type": "tool_use", "id": "toolu_1", "name": "get_order", "input": {"order_id": "4471"}}
OTHER = CALL | {"id": "toolu_2", "name": "check_policy"}
GET = call("get_order", {"order_id": "4471"}, {"total": 39})
RESULT = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "39"}
TOOLS = [
    {"name": name, "description": "", "input_schema": {"type": "object"}} for name in ("get_order", "check_policy")
]
FIRST = SENT | {"tools": TOOLS}
NEXT = FIRST | {
    "messages": [*SENT["messages"], {"role": "assistant", "content": [CALL]}, {"role": "user", "content": [RESULT]}]
}


def test_answers_behind_one_that_another_run_overwrote_are_never_asked_for():
    calls = ANSWER | {"content": [CALL], "stop_reason": "tool_use"}
    overwritten = ANSWER | {"content": [OTHER], "stop_reason": "tool_use"}
    kept = flat((FIRST, FIRST, calls), (NEXT, NEXT, ANSWER))
    lost = flat((FIRST, FIRST, overwritten), (NEXT, NEXT, ANSWER))
    assert told("unplayed", None, kept) == []
    assert [message[:28] for _, message in told("unplayed", None, lost)] == ["1 answers follow one that an"]


def test_a_conversation_that_began_before_the_recording_is_played():
    assert told("unplayed", None, flat((NEXT, NEXT, ANSWER))) == []
    examples = NEXT | {"max_tokens": 9}
    assert told("unplayed", None, flat((NEXT, NEXT, ANSWER), (examples, examples, ANSWER))) == []


def test_where_the_order_is_known_an_answer_that_is_not_held_stops_no_replay():
    offered = (ToolSchema(name="get_order"),)
    one = made(GET, T(text="Done."), tools=offered, changes={1: {"recorded": False}})
    assert told("unplayed", None, one) == []
    unordered = one.model_copy(update={"cassette": one.cassette.model_copy(update={"ordered": False})})
    assert since("unplayed", None, unordered) == ["new"]


@needs_corpus
@pytest.mark.parametrize(
    "recorder", ["cassetteai", "cendor-cassette-openai", "reel-openai", "replex-anthropic", "seed003-jsonl-openai"]
)
def test_the_hashes_are_those_of_the_recorders(recorder):
    folder = CORPUS / "recorders" / recorder / "base"
    recordings = _all(folder)
    assert len(recordings) > 10
    for recording in recordings:
        assert since("fingerprint-mismatch", None, recording) == []
        first = recording.cassette.interactions[0]
        changed = first.model_copy(update={"key": "sha256:" + "0" * 64})
        interactions = (changed, *recording.cassette.interactions[1:])
        broken = recording.model_copy(
            update={"cassette": recording.cassette.model_copy(update={"interactions": interactions})}
        )
        assert since("fingerprint-mismatch", None, broken) == ["new"]


def _all(folder):
    parts = [file(path.read_bytes(), path.name) for path in sorted(folder.iterdir()) if path.is_file()]
    return [item for item in read(parts) if isinstance(item, Recording)]
