"""agenttape: model calls, tool runs and HTTP in one file, long texts in files beside it."""

import base64
import hashlib

import pytest

from reviewlib.formats import companions, read_cassette, read_cassettes
from reviewlib.model.cassette import Exchange, ToolExecution
from reviewlib.trajectory import read_recording
from tests.corpus import CORPUS, needs_corpus
from tests.formats.agent_samples import (
    AGENTTAPE,
    ARGUMENTS,
    CLAUDE_RUN,
    DONE,
    OPENAI_RUN,
    ORDER,
    TAPE_TOOL,
    TREE,
    agenttape,
    made,
    tape_http,
    tape_llm,
)
from tests.formats.samples import file, readable

LONG = "Refund order 4471. " * 300
DIGEST = hashlib.sha256(LONG.encode()).hexdigest()
ASSET = file(f"t/a.assets/sha256-{DIGEST}", LONG)


def reference(**more: str) -> TREE:
    return {"__agenttape_asset__": f"sha256:{DIGEST}", "encoding": "utf-8", "preview": LONG[:64], **more}


def outsourced(value: object) -> TREE:
    sent = {"model": "gpt-5", "messages": [{"role": "user", "content": value}]}
    return agenttape(tape_llm(sent, OPENAI_RUN[1][1]))


def first(tree: TREE, *sidecars):
    (cassette,) = read_cassettes([made("t/a.yaml", tree, as_yaml=True), *sidecars])
    return readable(cassette)


def prompt(cassette) -> object:
    (exchange,) = cassette.interactions
    assert isinstance(exchange, Exchange)
    assert exchange.request
    return exchange.request.body["messages"][0]["content"]


def test_a_long_text_is_put_back_from_the_file_that_holds_it():
    cassette = first(outsourced(reference()), ASSET)
    assert prompt(cassette) == LONG
    assert cassette.notes == ()


def test_the_file_that_holds_it_is_part_of_the_cassettes_content():
    other = file(ASSET.path, "changed")
    assert first(outsourced(reference()), ASSET).content != first(outsourced(reference()), other).content


def test_without_the_file_its_beginning_is_shown_and_a_note_says_so():
    cassette = first(outsourced(reference()))
    assert prompt(cassette) == f"{LONG[:64]}…"
    assert cassette.notes == ("Texts in files that are not here: 1; their beginnings are shown.",)


def test_a_file_that_could_not_be_loaded_is_not_here():
    missing = ASSET.model_copy(update={"missing": "a partial clone", "data": b""})
    assert first(outsourced(reference()), missing).notes


def test_bytes_stay_bytes():
    assert prompt(first(outsourced(reference(encoding="base64")), ASSET)) == LONG.encode()
    short = {"__agenttape_bytes__": base64.b64encode(b"abc").decode()}
    assert prompt(first(outsourced(short))) == b"abc"
    assert prompt(first(outsourced({"__agenttape_bytes__": 5}))) == 5


def test_secrets_in_outsourced_texts_are_masked():
    secret = file(ASSET.path, "Use sk-ant-" + "a1B2" * 8 + " for it.")
    assert prompt(first(outsourced(reference()), secret)) == "Use [masked:api-key] for it."


@pytest.mark.parametrize(
    ("path", "folder"),
    [
        ("t/a.yaml", "t/a.assets"),
        ("t/a.yml", "t/a.assets"),
        ("t/a.json", "t/a.assets"),
        ("a.b.yaml", "a.b.assets"),
        ("t/a.jsonl", None),
        ("t/yaml", None),
    ],
)
def test_where_the_files_are_is_told_by_the_name(path, folder):
    found = companions(path)
    assert (found and found.folder) == folder
    if found:
        assert found.holds(f"{folder}/sha256-{'0' * 64}")
        assert not found.holds(f"{folder}/other")


# ---------------------------------------------------------------- kinds


def test_every_kind_is_read_as_what_it_is():
    memory = {"kind": "memory_read", "boundary": "notes", "request": {"name": "notes"}, "response": ["x"]}
    cassette = first(agenttape(tape_llm(*OPENAI_RUN[0]), TAPE_TOOL, memory, tape_http(*CLAUDE_RUN[0])))
    read = read_recording(cassette)
    assert [each.uri for each in read.other_traffic] == ["memory_read/notes"]
    assert [turn.provider for each in read.conversations for turn in each.turns] == ["openai_chat", "anthropic"]
    assert "http_status" not in read.not_recorded


def test_secrets_in_headers_are_masked():
    (exchange,) = first(agenttape(tape_http(*CLAUDE_RUN[0]))).interactions
    assert isinstance(exchange, Exchange)
    assert exchange.request
    assert exchange.request.headers["x-api-key"].startswith("[masked")


@pytest.mark.parametrize(
    ("sides", "body"),
    [
        ({"json": {"a": 1}}, {"a": 1}),
        ({"json": {"a": 1}, "raw_b64": "e30="}, {"a": 1}),
        ({"text": "words"}, "words"),
        ({"content": "words"}, "words"),
        ({"form": {"a": ["b"]}}, {"a": ["b"]}),
        ({"body_b64": base64.b64encode(b'{"a":1}').decode()}, {"a": 1}),
        ({}, None),
    ],
)
def test_a_body_may_stand_under_the_name_of_its_kind(sides, body):
    item = {"kind": "http", "request": {"method": "POST", "url": "/x"}, "response": {"status_code": 200, **sides}}
    (exchange,) = first(agenttape(item)).interactions
    assert isinstance(exchange, Exchange)
    assert exchange.response
    assert (exchange.response.body, exchange.response.status) == (body, 200)


ERROR = {"type": "KeyError", "module": "builtins", "message": "'order 9999 not found'", "repr": "KeyError(…)"}


def test_a_tool_that_raised_is_an_error():
    (run,) = first(agenttape({"kind": "tool", "request": TAPE_TOOL["request"], "error": ERROR})).interactions
    assert run == ToolExecution(index=0, tool="get_order", arguments=ARGUMENTS, result=ERROR, is_error=True)


@pytest.mark.parametrize("kind", ["llm", "http"])
def test_a_call_that_raised_is_a_failure(kind):
    sent = {"llm": OPENAI_RUN[0][0], "http": {"method": "POST", "url": "/v1/messages", "json": CLAUDE_RUN[0][0]}}[kind]
    read = read_recording(first(agenttape({"kind": kind, "request": sent, "error": ERROR})))
    (turn,) = read.conversations[0].turns
    assert turn.stop_reason == "error"
    assert "order 9999 not found" in read.conversations[0].steps[-1].text


@pytest.mark.parametrize(
    ("items", "missed"),
    [
        ((TAPE_TOOL,), True),
        ((TAPE_TOOL, tape_http(*CLAUDE_RUN[0])), False),
        ((tape_llm(*OPENAI_RUN[0]),), False),
        ((), False),
    ],
)
def test_the_silent_miss_of_model_calls_is_said(items, missed):
    assert any("no model call" in note for note in first(agenttape(*items)).notes) is missed


def test_yaml_under_a_json_name_is_read():
    assert readable(read_cassette(made("t/a.json", AGENTTAPE, as_yaml=True))).interactions


@needs_corpus
@pytest.mark.parametrize(
    ("folder", "calls", "runs"),
    [
        ("agenttape-openai-json", 4, 3),
        ("agenttape-openai-yaml", 4, 3),
        ("agenttape-anthropic-httpx-yaml", 4, 3),
        ("agenttape-anthropic-yaml", 0, 3),
        ("agenttape-yaml-text-in-dot-json", 4, 3),
    ],
)
def test_recorded_runs_hold_calls_and_runs(folder, calls, runs):
    (path,) = (CORPUS / "recorders" / folder / "base").glob("refund_unchanged.*")
    cassette = readable(read_cassette(file(path.name, path.read_bytes())))
    kinds = [isinstance(each, Exchange) for each in cassette.interactions]
    assert (kinds.count(True), kinds.count(False)) == (calls, runs)


def test_a_run_is_told_to_its_end():
    read = read_recording(first(AGENTTAPE))
    assert [call.result for call in read.conversations[0].calls] == [ORDER]
    assert read.conversations[0].steps[-1].text == DONE
