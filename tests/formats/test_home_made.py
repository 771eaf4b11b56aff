"""The four formats that projects write for themselves: what each holds, and what it says it does not."""

import gzip
import json

import pytest

from reviewlib.formats import read_cassette, read_cassettes
from reviewlib.formats.format import NO_REQUESTS
from reviewlib.model.cassette import Cassette, Exchange, ToolExecution
from tests.corpus import CORPUS, needs_corpus
from tests.formats.samples import ANSWER, HASH, REQUEST, file, jsonl, readable


def read(content, path="t.json") -> Cassette:
    return readable(read_cassette(file(path, content)))


def calls(cassette: Cassette) -> list[Exchange]:
    return [each for each in cassette.interactions if isinstance(each, Exchange)]


# ---------------------------------------------------------------- fp-list


def test_fp_list_keeps_answers_in_call_order_with_their_hashes():
    cassette = read(
        [{"fp": HASH, "response": ANSWER}, {"fp": HASH, "response": {"id": "2"}}, {"fp": "any", "response": {}}]
    )
    assert [(each.key, each.request, each.response.body) for each in calls(cassette) if each.response] == [
        (HASH, None, ANSWER),
        (HASH, None, {"id": "2"}),
        (None, None, {}),
    ]
    assert cassette.not_recorded == (*NO_REQUESTS, "tool_results", "tool_errors", "http_status")
    assert cassette.ordered
    assert cassette.synthetic


@pytest.mark.parametrize(
    "spoilt", [{"fp": HASH}, {"fp": 1, "response": {}}, {"fp": HASH, "response": {}, "x": 1}, "text"]
)
def test_one_foreign_item_is_no_fp_list(spoilt):
    assert not hasattr(read_cassette(file("t.json", [{"fp": HASH, "response": {}}, spoilt])), "format")


# ---------------------------------------------------------------- hash-files


def test_hash_files_hold_whole_requests():
    (exchange,) = calls(read({"request": REQUEST, "response": ANSWER}, f"t/{HASH}.json"))
    assert exchange.request
    assert exchange.response
    assert (exchange.request.body, exchange.response.body, exchange.key) == (REQUEST, ANSWER, HASH)
    assert read({"request": REQUEST, "response": ANSWER}).not_recorded == ("http_status",)


@pytest.mark.parametrize("answer", [[{"n": 1}, {"n": 2}], {"chunks": [{"n": 1}, {"n": 2}]}])
def test_an_answer_may_be_its_stream_of_chunks(answer):
    (exchange,) = calls(read({"request": REQUEST, "response": answer}))
    assert exchange.response
    assert (exchange.response.body, exchange.response.chunks) == (None, ({"n": 1}, {"n": 2}))


@pytest.mark.parametrize("name", ["hash", "request_hash", "key", "fp"])
def test_the_hash_may_stand_for_the_request(name):
    cassette = read({name: HASH, "response": ANSWER})
    (exchange,) = calls(cassette)
    assert (exchange.request, exchange.key) == (None, HASH)
    assert set(NO_REQUESTS) <= set(cassette.not_recorded)


def test_large_ones_may_be_compressed():
    packed = gzip.compress(json.dumps({"request": REQUEST, "response": ANSWER}).encode(), mtime=0)
    results = read_cassettes(
        [file(f"t/{'a' * 16}.json.gz", packed), file(f"t/{'b' * 16}.json", {"request": REQUEST, "response": ANSWER})]
    )
    assert [each.key for each in calls(readable(results[0]))] == ["a" * 16, "b" * 16]


def test_one_answer_without_a_request_says_so_for_the_whole_folder():
    both = [
        file(f"t/{'a' * 16}.json", {"hash": HASH, "response": ANSWER}),
        file(f"t/{'b' * 16}.json", {"request": REQUEST, "response": ANSWER}),
    ]
    assert "requests" in readable(read_cassettes(both)[0]).not_recorded


@pytest.mark.parametrize(
    "content",
    [
        {"request": {"model": "m"}, "response": {}},
        {"request": REQUEST, "response": "text"},
        {"request": REQUEST, "response": {}, "extra": 1},
        {"hash": "not a hash", "response": {}},
        {"hash": 5, "response": {}},
    ],
)
def test_other_objects_are_no_hash_files(content):
    assert not hasattr(read_cassette(file(f"t/{HASH}.json", content)), "format")


# ---------------------------------------------------------------- name-hash-map


def test_the_map_holds_answers_and_tool_results_in_order_of_completion():
    cassette = read(
        {
            f"model:{'a' * 16}#1": ANSWER,
            f"tool.getOrder:{'b' * 16}#1": {"total": 39},
            f"tool.getOrder:{'b' * 16}#2": None,
            f"model:{'a' * 16}#2": {},
        }
    )
    first, tool, again, last = cassette.interactions
    assert isinstance(first, Exchange)
    assert (first.index, first.request, first.key) == (0, None, "a" * 16)
    assert tool == ToolExecution(
        index=1, tool="getOrder", arguments_recorded=False, arguments_sha="b" * 16, result={"total": 39}
    )
    assert again == ToolExecution(index=2, tool="getOrder", arguments_recorded=False, arguments_sha="b" * 16)
    assert isinstance(last, Exchange)
    assert last.key == "a" * 16
    assert cassette.not_recorded == (*NO_REQUESTS, "http_status")


@pytest.mark.parametrize(
    "key", ["model", "model:0a58#1", f"model:{HASH}", f":{HASH}#1", f"model:{HASH.upper()}#1", f"a:b:{HASH}#1"]
)
def test_one_foreign_key_is_no_map(key):
    assert not hasattr(read_cassette(file("t.json", {f"model:{HASH}#1": {}, key: {}})), "format")


# ---------------------------------------------------------------- keyed-jsonl


def line(number: int, **changes):
    return {
        "key": f"{number:064x}",
        "recorded_at": 1793000000 + number,
        "request": REQUEST,
        "response": ANSWER,
        **changes,
    }


def test_keyed_lines_hold_whole_requests_in_file_order():
    cassette = read(jsonl(line(1), line(2, request={**REQUEST, "template_sha": "x"}), line(1)), "t.jsonl")
    assert [(each.key, each.recorded_at) for each in calls(cassette)] == [
        (f"{n:064x}", 1793000000.0 + n) for n in (1, 2, 1)
    ]
    assert calls(cassette)[1].request.body["template_sha"] == "x"
    assert cassette.recorded_at == 1793000001.0
    assert cassette.not_recorded == ("http_status",)


def test_a_separator_inside_a_text_ends_no_line():
    text = json.dumps(line(1, response={"text": "one\u2028two"}), ensure_ascii=False) + "\n" + json.dumps(line(2))
    assert [each.response.body for each in calls(read(text, "t.jsonl")) if each.response] == [
        {"text": "one\u2028two"},
        ANSWER,
    ]


def test_chunks_of_a_line_are_kept_as_such():
    (exchange,) = calls(read(jsonl(line(1, response=[{"n": 1}])), "t.jsonl"))
    assert exchange.response
    assert exchange.response.chunks == ({"n": 1},)


@pytest.mark.parametrize("changes", [{"key": HASH}, {"request": "text"}, {"response": 5}])
def test_one_foreign_line_is_no_keyed_jsonl(changes):
    assert getattr(read_cassette(file("t.jsonl", jsonl(line(1), line(2, **changes)))), "format", None) != "keyed-jsonl"


# ---------------------------------------------------------------- recorded ones


@needs_corpus
@pytest.mark.parametrize("provider", ["anthropic", "openai"])
def test_a_flat_folder_of_a_whole_suite_is_one_cassette_a_side(provider):
    root = CORPUS / "recorders" / f"seed001-hash-files-{provider}-flat"
    for side in ("base", "head", "head_stale_kept"):
        files = [file(f"tests/cassettes/{path.name}", path.read_bytes()) for path in (root / side).glob("*.json")]
        (cassette,) = read_cassettes(files)
        assert readable(cassette).path == "tests/cassettes"
        assert len(readable(cassette).interactions) == len(files)
        assert not readable(cassette).ordered


@needs_corpus
def test_recorded_synthetic_cassettes_are_labelled_and_others_not():
    root = CORPUS / "recorders" / "seed000-fp-list" / "base"
    for path in root.rglob("*.json"):
        assert read(path.read_bytes()).synthetic is ("synthetic" in path.parts)
