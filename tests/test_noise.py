"""Noise in recorded files: what is new in every re-record is never told, and never hides what is."""

import gzip
import json
from random import Random

import pytest
import yaml

from reviewlib.decode import decode
from reviewlib.model.cassette import File
from tests.benchmarks.noise import ALL, EACH, altered, changed_pairs, folders, measured
from tests.corpus import CORPUS, needs_corpus
from tests.noise import KINDS, noised
from tests.rewriting import Change, rewritten
from tests.samples import SAMPLES
from tests.streams import frames, is_frames, recut, sse, unframed, unsse

SHARE = 12
"""Every so many folders are read here; ``python -m tests.benchmarks.mutations`` reads all of them."""


@pytest.fixture(scope="module")
def tally():
    every = folders()
    own = [files for files in every if files[0].path.startswith(str(SAMPLES))]
    odd = [files[::5] for files in every if files[0].path.startswith(str(CORPUS / "samples"))]
    return measured([*own[::3], *odd[:1], *(files[:4] for files in every[::SHARE])], [*EACH, ALL])


def test_noise_alone_is_no_change_in_any_cassette(tally):
    assert tally.told == {}


@needs_corpus
def test_every_kind_of_noise_touches_cassettes(tally):
    touched = {name: sum(count for (_, kind), count in tally.touched.items() if kind == name) for name, _ in EACH}
    assert all(count >= 5 for count in touched.values()), touched


@needs_corpus
def test_a_change_is_told_the_same_under_any_amount_of_noise():
    found = [item for seed, pair in enumerate(list(changed_pairs())[::8]) for item in altered(pair[0], pair[1], seed)]
    assert sum(has_changed for _, has_changed, _ in found) >= 20
    assert [(path, otherwise) for path, _, otherwise in found if otherwise] == []


def noisy(tree, kind, seed=1):
    file = File(path="x.json", blob="0" * 40, data=json.dumps(tree).encode())
    (other,) = noised([file], [item for item in KINDS if item.name == kind], seed)
    return decode(other.data).value


def test_an_id_is_renamed_wherever_it_stands_and_nothing_else_is():
    tree = {
        "response": {"id": "chatcmpl-A1b2C3d4E5", "tool_calls": [{"id": "9X3Ws5q4O", "function": {"name": "f"}}]},
        "request": {"messages": [{"tool_call_id": "9X3Ws5q4O", "content": "of 9X3Ws5q4O, order 4471-98765"}]},
    }
    made = noisy(tree, "ids")
    name = made["request"]["messages"][0]["tool_call_id"]
    assert name != "9X3Ws5q4O"
    assert made["response"]["tool_calls"][0]["id"] == name
    assert made["request"]["messages"][0]["content"] == f"of {name}, order 4471-98765"
    assert made["response"]["id"].startswith("chatcmpl-")
    assert made["response"]["id"] != "chatcmpl-A1b2C3d4E5"


def test_times_of_the_recorder_are_moved_and_those_that_a_tool_told_are_not():
    tree = {
        "recorded_at": 5,
        "body": {"created": 7, "messages": [{"content": [{"created_at": "2026-01-01T00:00:00Z"}]}]},
    }
    made = noisy(tree, "times")
    assert made["recorded_at"] > 5
    assert made["body"]["created"] > 7
    assert made["body"]["messages"] == tree["body"]["messages"]


def test_padding_adds_keys_without_a_value_and_takes_none_that_has_one():
    answer = {
        "choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": "Hi", "refusal": None}}],
        "id": "x",
    }
    made = [noisy({"response": answer}, "padding", seed)["response"] for seed in range(8)]
    assert any(item != answer for item in made)
    for item in made:
        message = item["choices"][0]["message"]
        assert {key: value for key, value in message.items() if value is not None} == {
            "role": "assistant",
            "content": "Hi",
        }


CHUNKS = [
    ("content_block_delta", {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}})
    for text in ("Hel", "lo the", "re, what", " a day")
]


def test_a_stream_is_cut_at_other_places_and_says_the_same():
    stream = sse([("message_start", {"type": "message_start"}), *CHUNKS, (None, "[DONE]")])
    made = {sse(recut(unsse(stream), Random(seed))) for seed in range(20)}
    assert len(made) > 10
    for text in made:
        events = [data for _, data in unsse(text)]
        assert events[0] == {"type": "message_start"}
        assert events[-1] == "[DONE]"
        assert "".join(data["delta"]["text"] for data in events[1:-1]) == "Hello there, what a day"


def test_the_frames_of_an_event_stream_are_written_as_they_were_read():
    raw = frames([(b"", {"delta": {"text": "Hello"}}), (b"", {"stopReason": "end_turn"})])
    assert is_frames(raw)
    assert frames(unframed(raw)) == raw
    cut = frames(recut(unframed(raw), Random(3)))
    assert "".join(data["delta"]["text"] for _, data in unframed(cut) if "delta" in data) == "Hello"


def test_the_pieces_of_a_tool_call_name_it_once():
    call = {"index": 0, "id": "call_1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1, "b": 2}'}}
    event = {"choices": [{"index": 0, "delta": {"tool_calls": [call]}}]}
    made = next(cut for seed in range(20) if len(cut := recut([event], Random(seed))) == 2)
    assert [item["choices"][0]["delta"]["tool_calls"][0].get("id") for item in made] == ["call_1", None]


@pytest.mark.parametrize(
    "data",
    [
        b'{"a": "yes", "n": 1.5, "s": "12e5"}',
        b'{"a": 1}\n{"b": "\xe2\x80\xa8"}\n',
        b"a: 'yes'\nb: !!binary aGk=\nc: '2026-01-01'\nd: [1, null, '=']\n",
        b'version = 1\n[[interactions]]\nbody = """{"x": "\\u00e9"}"""\n',
        gzip.compress(b"a: 1\n"),
    ],
)
def test_a_file_that_is_rewritten_without_a_change_holds_the_same(data):
    assert decode(rewritten(data, Change())).value == _with_bodies(decode(data).value)


def _with_bodies(value):
    """Bodies that are JSON are written anew, without its spaces mattering."""
    if isinstance(value, dict):
        return {key: _with_bodies(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_bodies(item) for item in value]
    return (
        json.dumps(json.loads(value), ensure_ascii=False) if isinstance(value, str) and value.startswith("{") else value
    )


def test_a_compressed_body_stays_compressed_and_packing_turns_that_about():
    packed = gzip.compress(b'{"id": "x"}', mtime=0)
    data = yaml.dump({"body": {"string": packed}}).encode()
    assert decode(rewritten(data, Change())).value["body"]["string"].startswith(b"\x1f\x8b")
    (other,) = noised([File(path="x", blob="0" * 40, data=data)], [kind for kind in KINDS if kind.name == "packing"], 1)
    assert decode(other.data).value["body"]["string"] == '{"id": "x"}'
