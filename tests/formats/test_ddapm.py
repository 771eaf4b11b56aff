"""One call a file: the files of a folder whose names end in a request hash are one recording."""

import json
from datetime import UTC, datetime

import pytest

from reviewlib.formats import companions, read_cassette, read_cassettes
from reviewlib.model.cassette import Cassette, Exchange, File, Unreadable
from reviewlib.model.review import Side
from reviewlib.pipeline import review
from reviewlib.policy import Policy
from reviewlib.sources import Snapshot
from reviewlib.trajectory import read_recording
from tests.formats.http_samples import GOT, PACKED, datadog, encoded
from tests.formats.samples import file, readable

FOLDER = "tests/cassettes/anthropic"
FIRST, SECOND = "anthropic_v1_messages_post_28bbec95.json", "anthropic_v1_messages_post_0ff9791e.json"
NAMES = {"baseline": (FIRST, SECOND), "head": ("a_post_00000001.json", "a_post_00000002.json")}
CALL = {"type": "tool_use", "id": "toolu_1", "name": "get_order", "input": {"order_id": "4471"}}
RESULT = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "damaged"}
OPENING = [{"role": "user", "content": "Refund order 4471"}]


def message(*content: dict, stop: str) -> str:
    return json.dumps({"type": "message", "role": "assistant", "content": list(content), "stop_reason": stop})


def asked(*messages: dict) -> str:
    return json.dumps({"model": "claude-sonnet-5", "messages": list(messages)})


RUN = {
    FIRST: datadog(message(CALL, stop="tool_use"), asked(*OPENING)),
    SECOND: datadog(
        message({"type": "text", "text": "Done."}, stop="end_turn"),
        asked(*OPENING, {"role": "assistant", "content": [CALL]}, {"role": "user", "content": [RESULT]}),
    ),
}


def gathered(*names: str) -> Cassette:
    (cassette,) = read_cassettes([file(f"{FOLDER}/{name}", RUN[name]) for name in names])
    return readable(cassette)


def test_a_folder_is_one_cassette_and_its_order_tells_nothing():
    cassette = gathered(FIRST, SECOND)
    assert (cassette.path, cassette.format, cassette.ordered) == (FOLDER, "ddapm", False)
    assert [each.key for each in cassette.interactions if isinstance(each, Exchange)] == ["0ff9791e", "28bbec95"]


def test_the_conversation_is_told_by_the_histories():
    (trajectory,) = read_recording(gathered(FIRST, SECOND)).conversations
    assert [step.kind for step in trajectory.steps] == ["user_message", "tool_call", "assistant_text"]
    assert trajectory.calls[0].result == "damaged"


def test_content_follows_every_file_of_the_folder():
    assert gathered(FIRST, SECOND).content != gathered(FIRST).content
    assert gathered(SECOND, FIRST).content == gathered(FIRST, SECOND).content


def test_an_edited_prompt_is_one_change_though_every_file_has_another_name():
    def side(label: str, opening: str) -> tuple[Side, tuple[File, ...]]:
        files = [
            (name, json.dumps(call).replace("Refund order", opening))
            for name, call in zip(NAMES[label], RUN.values(), strict=True)
        ]
        return Side(label=label), tuple(file(f"{FOLDER}/{name}", text) for name, text in files)

    (baseline, before), (head, after) = side("baseline", "Refund order"), side("head", "Please refund order")
    snapshot = Snapshot(baseline=baseline, head=head, baseline_files=before, head_files=after)
    (pair,) = review(snapshot, Policy(), datetime(2026, 11, 30, tzinfo=UTC)).pairs
    assert (pair.path, pair.status, pair.significance) == (FOLDER, "modified", "request")
    assert pair.diff
    assert [change.kind for change in pair.diff.changes] == ["user_message"]


def test_a_broken_file_harms_no_other():
    files = [file(f"{FOLDER}/{FIRST}", RUN[FIRST]), file(f"{FOLDER}/{SECOND}", "{")]
    cassette, broken = read_cassettes(files)
    assert len(readable(cassette).interactions) == 1
    assert isinstance(broken, Unreadable)
    assert broken.path == f"{FOLDER}/{SECOND}"


@pytest.mark.parametrize(
    ("name", "belongs"),
    [
        (FIRST, True),
        ("azure_openai_deployments_gpt-4.1-mini_chat_completions_post_5836d4fe.json", True),
        ("datadog_api_experiments_patch_1c1899d5.json", True),
        ("openai_chat_completions_post_01c947d6.yaml", False),
        ("openai_chat_completions_post_01c947d.json", False),
        ("openai_chat_completions_01c947d6.json", False),
        ("post_01c947d6.json", False),
        ("notes.json", False),
    ],
)
def test_what_belongs_to_the_folder_is_told_by_name(name: str, belongs: bool):
    found = companions(f"{FOLDER}/{FIRST}")
    assert found
    assert found.folder == FOLDER
    assert found.holds(f"{FOLDER}/{name}") is belongs
    assert not found.holds(f"elsewhere/{name}")


def test_a_file_under_another_name_is_a_cassette_of_its_own():
    cassette = readable(read_cassette(file(f"{FOLDER}/score.json", RUN[FIRST])))
    (exchange,) = cassette.interactions
    assert isinstance(exchange, Exchange)
    assert (cassette.path, cassette.ordered, exchange.key) == (f"{FOLDER}/score.json", True, None)


@pytest.mark.parametrize(
    ("body", "read"),
    [
        (f"base64:{encoded(PACKED)}", json.loads(GOT)),
        (f"base64:{encoded(bytes([0, 255]))}", b"\x00\xff"),
        ("base64:no base64!", "no base64!"),
        ("data: {}\n\n", "data: {}\n\n"),
    ],
)
def test_bodies_are_text_or_base64(body: str, read: object):
    for cassette in (read_cassette(file("a.json", datadog(body))), read_cassette(file("a.json", datadog("", body)))):
        (exchange,) = readable(cassette).interactions
        assert isinstance(exchange, Exchange)
        assert exchange.request
        assert exchange.response
        assert read in (exchange.request.body, exchange.response.body)
