"""A side is read at once: folders gathered, failures as values, secrets masked, ids that git would give."""

import gzip
import json
import logging
import subprocess

import pytest

from reviewlib import formats
from reviewlib.errors import DecodeError
from reviewlib.formats import FORMATS, claims, companions, read_cassette, read_cassettes
from reviewlib.formats.content import blob_id, tree_id
from reviewlib.formats.format import Companions, Format, Parsed
from reviewlib.model.cassette import Cassette, Exchange, Unreadable
from tests.formats.samples import ANSWER, HASH, REQUEST, SAMPLES, file, interaction, jsonl, readable, vcr

FOLDER = "tests/cassettes"
PAIR = {"request": REQUEST, "response": ANSWER}


def hash_file(digit: str, content=PAIR, folder=FOLDER):
    return file(f"{folder}/{digit * 16}.json", content)


def test_results_are_sorted_by_path_and_every_file_is_accounted_for():
    files = [
        each.model_copy(update={"path": f"{number}/{each.path}"}) for number, (_, each) in enumerate(SAMPLES["vcrpy"])
    ]
    results = read_cassettes(list(reversed(files)))
    assert [each.path for each in results] == sorted(each.path for each in files)


def test_no_files_are_no_cassettes():
    assert read_cassettes([]) == ()


# ---------------------------------------------------------------- folders of request hashes


def test_hash_named_files_of_one_folder_are_one_cassette():
    files = [hash_file("b"), hash_file("a"), hash_file("c", folder="other"), file(f"{FOLDER}/plain.json", PAIR)]
    results = {each.path: readable(each) for each in read_cassettes(files)}
    assert list(results) == ["other", FOLDER, f"{FOLDER}/plain.json"]
    assert [each.key for each in results[FOLDER].interactions] == ["a" * 16, "b" * 16]
    assert not results[FOLDER].ordered
    assert results["other"].ordered
    assert results[f"{FOLDER}/plain.json"].interactions[0].key is None


def test_a_broken_file_in_such_a_folder_is_its_own_row():
    results = read_cassettes([hash_file("a"), hash_file("b", b'{"request": '), hash_file("c")])
    assert [type(each) for each in results] == [Cassette, Unreadable]
    assert len(readable(results[0]).interactions) == 2
    assert results[1].path == f"{FOLDER}/{'b' * 16}.json"


def test_a_hash_for_a_name_is_no_claim_on_another_format():
    results = read_cassettes([hash_file("a"), hash_file("b", [{"fp": HASH, "response": ANSWER}])])
    assert [readable(each).format for each in results] == ["hash-files", "fp-list"]


def test_files_at_the_root_are_the_cassette_of_the_root():
    assert read_cassettes([file("a" * 16 + ".json", PAIR)])[0].path == "."


def test_one_file_is_read_with_its_companions():
    alone = readable(read_cassette(hash_file("a")))
    together = readable(read_cassette(hash_file("a"), [hash_file("b"), hash_file("a")]))
    assert (alone.path, len(alone.interactions)) == (FOLDER, 1)
    assert (together.path, len(together.interactions)) == (FOLDER, 2)
    assert together == read_cassettes([hash_file("a"), hash_file("b")])[0]


def test_a_broken_file_is_unreadable_whatever_its_companions():
    result = read_cassette(hash_file("a", b"\x00"), [hash_file("b")])
    assert isinstance(result, Unreadable)
    assert result.path == f"{FOLDER}/{'a' * 16}.json"


def test_companions_are_told_by_name_alone():
    found = companions(f"{FOLDER}/{'0' * 16}.json")
    assert isinstance(found, Companions)
    assert found.folder == FOLDER
    assert found.holds(f"{FOLDER}/{'f' * 16}.json")
    assert found.holds(f"{FOLDER}/{'f' * 64}.json.gz")
    for other in (
        f"{FOLDER}/x.json",
        f"{FOLDER}/deep/{'f' * 16}.json",
        f"{'f' * 16}.json",
        f"{FOLDER}/{'f' * 16}.json.bak",
    ):
        assert not found.holds(other)
    assert companions("tests/cassettes/test_a.toml") is None
    assert companions("f" * 16 + ".json") == Companions("", found.pattern)


# ---------------------------------------------------------------- content ids


def test_the_content_of_one_file_is_its_blob_and_of_a_folder_the_tree_git_would_write(tmp_path):
    files = [hash_file("b"), hash_file("a", {"request": REQUEST, "response": {"id": "2"}})]
    single = file("t.json", PAIR)
    assert readable(read_cassette(single)).content == single.blob

    def git(*words, **options):
        return subprocess.run(
            ["git", *words], cwd=tmp_path, check=True, capture_output=True, text=True, **options
        ).stdout.strip()

    git("init", "-q", ".")
    listing = []
    for each in files:
        blob = git("hash-object", "-w", "--stdin", input=each.data.decode())
        assert blob == each.blob
        listing.append(f"100644 blob {blob}\t{each.path.rpartition('/')[2]}\n")
    assert readable(read_cassettes(files)[0]).content == git("mktree", input="".join(listing))
    inner = git("mktree", input=f"100644 blob {files[0].blob}\tsha256-1\n")
    outer = git("mktree", input=f"040000 tree {inner}\ta.assets\n100644 blob {files[1].blob}\ta.yaml\n")
    assert tree_id([("t/c/a.yaml", files[1].blob), ("t/c/a.assets/sha256-1", files[0].blob)]) == outer


def test_a_file_has_the_id_that_git_gives_an_empty_blob_of_either_format():
    assert blob_id(b"") == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
    assert blob_id(b"", 64) == "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"


def test_a_tree_of_sha256_blobs_has_a_sha256_id():
    assert len(tree_id([("a", "0" * 64)])) == 64


# ---------------------------------------------------------------- one item's failure is a value


@pytest.mark.parametrize(
    ("data", "stage", "words"),
    [
        (b"", "load", "empty"),
        (b"\x89PNG\r\n\x1a\n\x00\xff", "load", "binary"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "load", "git lfs pull"),
        (b'{"interactions": [', "decode", "not valid JSON"),
        (b"interactions:\n- request: !!python/object/apply:os.system ['true']\n", "decode", "os.system"),
        (b"a: &a [1,*a]\n", "decode", "contains itself"),
        (b"[" * 10_000_000, "decode", "lists and objects"),
        (b'{"a": 1, "b": 2}', "recognise", "JSON with the keys a, b"),
        (b"words", "recognise", "plain text"),
        (b"[1, 2]", "recognise", "JSON, a list of 2"),
        (b"{}", "recognise", "JSON, an empty object"),
        (
            b"requests: [{uri: x}]\nresponses: [{status: {code: 1}}, {status: {code: 1}}]\n",
            "parse",
            "1 requests stand beside 2 responses",
        ),
    ],
)
def test_a_broken_cassette_is_one_row_with_stage_and_reason(data, stage, words):
    broken, sound = file("m.yaml", data), file("a.json", [{"fp": HASH, "response": ANSWER}])
    results = read_cassettes([broken, sound])
    assert [each.path for each in results] == ["a.json", "m.yaml"]
    assert isinstance(results[0], Cassette)
    assert isinstance(results[1], Unreadable)
    assert (results[1].stage, results[1].content) == (stage, broken.blob)
    assert words in results[1].reason
    assert claims(broken) == (stage == "parse")


def test_a_file_whose_bytes_are_not_at_hand_says_why():
    absent = file("a.yaml", b"").model_copy(update={"missing": "the blob is not in this partial clone"})
    result = read_cassette(absent)
    assert isinstance(result, Unreadable)
    assert (result.stage, result.reason) == ("load", "the blob is not in this partial clone")


def broken_format(error: Exception, name: str = "broken") -> Format:
    def parse(_tree, _context) -> Parsed:
        raise error

    return Format(name, f"the {name} recorder", frozenset({"json"}), lambda tree: tree == {"broken": True}, parse)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (KeyError("x"), "KeyError"),
        (RecursionError("deep"), "RecursionError"),
        (DecodeError("parse", "no item 3"), "no item 3"),
    ],
)
def test_an_adapter_that_fails_ends_nothing(monkeypatch, caplog, error, reason):
    monkeypatch.setattr(formats, "FORMATS", (*FORMATS, broken_format(error)))
    with caplog.at_level(logging.INFO):
        results = read_cassettes([file("x.json", {"broken": True}), file("a.json", [{"fp": HASH, "response": ANSWER}])])
    assert isinstance(results[0], Cassette)
    assert isinstance(results[1], Unreadable)
    assert results[1].stage == "parse"
    assert reason in results[1].reason
    assert not caplog.records


def test_two_claims_name_both_candidates(monkeypatch):
    both = (broken_format(KeyError(), "one"), broken_format(KeyError(), "other"))
    monkeypatch.setattr(formats, "FORMATS", both)
    result = read_cassette(file("x.json", {"broken": True}))
    assert isinstance(result, Unreadable)
    assert result.stage == "recognise"
    assert result.reason == "more than one recorder may have written this: the one recorder, the other recorder"


# ---------------------------------------------------------------- secrets

SECRET = "sk-ant-" + "api03-" + "Zx9" * 15


@pytest.mark.parametrize(
    "sample",
    [
        file(
            "t.yaml",
            vcr(interaction(request={"headers": {"Authorization": [f"Bearer {SECRET}"], "X-Api-Key": SECRET}})),
        ),
        file("t.yaml", vcr(interaction(request={"uri": f"https://h/v1?key={SECRET}"}))),
        file("t.yaml", vcr(interaction(request={"body": json.dumps({"prompt": f"use {SECRET}"})}))),
        file("t.yaml", vcr(interaction(request={"body": json.dumps({"prompt": f"use {SECRET}"}).encode()}))),
        file(
            "t.yaml",
            vcr(
                interaction(
                    request={
                        "body": f"client_secret={SECRET}",
                        "headers": {"Content-Type": ["application/x-www-form-urlencoded"]},
                    }
                )
            ),
        ),
        file(
            "t.yaml",
            vcr(
                interaction(
                    response={
                        "headers": {"Set-Cookie": [SECRET]},
                        "body": {"string": gzip.compress(json.dumps({"access_token": SECRET}).encode(), mtime=0)},
                    }
                )
            ),
        ),
        file("t.yaml", vcr(interaction(response={"headers": {"X-Other": [SECRET, "more"]}}))),
        file("t.yaml", vcr(interaction(request={"body": json.dumps({"api_key": SECRET.replace("-", "")})}))),
        file("t.yaml", vcr(interaction(request={"body": json.dumps(SECRET).replace("s", r"\u0073").join(["[", "]"])}))),
        file("t.yaml", vcr(interaction(response={"body": None, "parsed_body": {"content": [f"it is {SECRET}"]}}))),
        file(
            "t.yaml.gz",
            gzip.compress(vcr(interaction(response={"body": {"string": f"data: {SECRET}\n\n"}})).encode(), mtime=0),
        ),
        file("t.json", {"request": {"messages": [], "api_key": SECRET}, "response": {"text": SECRET}}),
        file("t.json", [{"fp": HASH, "response": {"text": SECRET}}]),
        file("t.json", {f"tool.getKey:{HASH}#1": {"api_key": SECRET}}),
        file("t.jsonl", jsonl({"key": HASH * 4, "request": {"messages": [SECRET]}, "response": {"text": SECRET}})),
        file(
            "t.jsonl",
            jsonl(
                {"created_at": "x", "format_version": 1},
                {"event_id": "1", "kind": "tool_result", "timestamp": 1, "name": SECRET, "result": SECRET},
            ),
        ),
    ],
    ids=lambda sample: sample.path,
)
def test_no_interaction_ever_holds_a_secret(sample):
    cassette = readable(read_cassette(sample))
    shown = repr(cassette)
    assert SECRET not in shown
    assert SECRET.replace("-", "") not in shown
    assert "[masked:" in shown


def test_what_a_recorder_masked_itself_stays():
    sample = file(
        "t.yaml", vcr(interaction(request={"headers": {"authorization": ["PLACEHOLDER"], "x-api-key": ["<redacted>"]}}))
    )
    exchange = readable(read_cassette(sample)).interactions[0]
    assert isinstance(exchange, Exchange)
    assert exchange.request
    assert exchange.request.headers == {"authorization": "PLACEHOLDER", "x-api-key": "<redacted>"}


# ---------------------------------------------------------------- synthetic cassettes


@pytest.mark.parametrize(
    ("content", "synthetic"),
    [
        ([{"fp": "any", "response": ANSWER}], True),
        ([{"fp": HASH, "response": {**ANSWER, "id": "msg_synthetic_01"}}], True),
        ({"request": REQUEST, "response": {**ANSWER, "id": "msg_synthetic_01"}}, True),
        ([{"fp": HASH, "response": ANSWER}], False),
        ([{"fp": HASH, "response": {**ANSWER, "id": 5}}], False),
    ],
)
def test_hand_written_cassettes_are_labelled(content, synthetic):
    assert readable(read_cassette(file("t.json", content))).synthetic is synthetic
