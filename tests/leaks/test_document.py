"""The raw text of a file is shown with its secrets masked where they stand, or not at all."""

import base64
import gzip
import json
import time

import pytest
import yaml

from reviewlib.leaks.document import shown, told
from reviewlib.leaks.marks import digest
from reviewlib.model.leak import Leak
from tests.planted import Draw, secret

DRAWN = Draw("document")(30)
NPM = secret("npm")


def leak(value):
    return Leak(kind="k", digest=digest(value), place="somewhere")


def text(data, *leaks):
    texts = shown([data if isinstance(data, bytes) else data.encode()], leaks)
    return None if texts is None else texts[0]


@pytest.mark.parametrize("write", [json.dumps, yaml.safe_dump, lambda tree: json.dumps(tree, indent=2)])
@pytest.mark.parametrize(
    "tree",
    [
        {"headers": {"authorization": f"Bearer {DRAWN}"}},
        {"headers": {"Authorization": [f"Bearer {DRAWN}"]}},
        {"headers": [{"name": "x-api-key", "value": DRAWN}]},
        {"headers": [["x-api-key", DRAWN]]},
        {"cookie": f"sid={DRAWN}; theme=dark"},
        {"api_key": DRAWN, "next": 1},
        {"uri": f"https://h/v1?key={DRAWN}&alt=sse"},
        {"uri": f"https://me:{DRAWN}@h/v1"},
    ],
    ids=repr,
)
def test_fields_are_masked_by_their_names_as_files_write_them(write, tree):
    printed = text(write(tree))
    assert DRAWN not in printed
    assert "[masked:" in printed


@pytest.mark.parametrize("name", ["key", "api_key", "access_token"])
def test_what_is_masked_already_keeps_its_digest(name):
    assert f":{digest(DRAWN)}]&alt" in text(f'{{"uri": "https://h/v1?{name}={DRAWN}&alt=sse"}}', leak(DRAWN))


@pytest.mark.parametrize(
    "packed",
    [
        lambda value: value,
        lambda value: base64.b64encode(value.encode()).decode(),
        lambda value: base64.urlsafe_b64encode(f"??>>{value}".encode()).decode(),
    ],
)
def test_keys_are_masked_in_words_and_in_base64(packed):
    file = json.dumps({"content": packed(f"use the key {NPM} for it")})
    printed = text(file, leak(NPM))
    assert NPM not in printed
    assert digest(NPM) in printed


def test_a_compressed_file_is_shown_unpacked_and_masked():
    printed = text(gzip.compress(f'{{"a": "use {NPM}"}}'.encode(), mtime=0), leak(NPM))
    assert printed.startswith('{"a": "use [masked:')


def test_a_file_whose_secret_is_not_masked_in_place_is_not_shown():
    pieces = "\n".join(json.dumps({"delta": NPM[start : start + 6]}) for start in range(0, len(NPM), 6))
    assert text(pieces, leak(NPM)) is None
    assert text("nothing", leak(NPM)) is None
    assert text("nothing") == "nothing"


@pytest.mark.parametrize("name", ["content", "text", "arguments", "partial_json", "delta"])
def test_a_secret_that_is_repeated_in_the_pieces_of_a_stream_hides_the_file(name):
    pieces = [f"data: {json.dumps({'x': {name: NPM[start : start + 3]}})}" for start in range(0, len(NPM), 3)]
    for stream in (
        "\n".join(pieces),
        json.dumps({"body": "\n".join(pieces)}),
        yaml.safe_dump({"body": "\n".join(pieces)}),
    ):
        assert text(f"prompt: use {NPM}\n{stream}", leak(NPM)) is None
    assert text(f"prompt: use {NPM}\n{pieces[0]}", leak(NPM))


def test_a_secret_of_a_cassette_may_stand_in_any_of_its_files():
    assert shown([b"nothing", f"use {NPM}".encode()], [leak(NPM)])[0] == "nothing"


def test_what_is_no_text_is_none():
    assert shown([b"\0\1\2", b"words"]) == (None, "words")


@pytest.mark.parametrize(
    "plain", ["content-type: application/json", '{"model": "m", "max_tokens": 5}', "a: b\nkeys: [1]", "naïve ✓"]
)
def test_everything_else_stays(plain):
    assert text(plain) == plain


def test_hostile_files_take_linear_time():
    begun = time.perf_counter()
    for data in (
        "authorization: " * 50_000,
        "name: a\n" * 100_000,
        "key=" * 200_000,
        '"api_key": "' + "x" * 500_000,
        "- " * 300_000,
        "cookie:\n   -" * 50_000,
    ):
        text(data)
    assert time.perf_counter() - begun < 20


UNREAD = {
    "text that breaks off": lambda value: f'{{"note": "use {value}'.encode(),
    "bytes that are no text": lambda value: b"\0\xff" + value.encode() + b"\xff\0",
    "UTF-16": lambda value: f'{{"note": "{value}"}}'.encode("utf-16"),
    "gzip": lambda value: gzip.compress(f'{{"note": "{value}'.encode()),
    "gzip that breaks off": lambda value: gzip.compress(f"use {value} for it".encode() * 9)[:-12],
    "base64": lambda value: b'["' + base64.b64encode(f"use {value} for it".encode()),
}


@pytest.mark.parametrize("how", UNREAD)
def test_keys_are_found_in_whatever_a_file_is(how):
    assert digest(NPM) in {named for _, named in told(UNREAD[how](NPM))}
    assert list(told(UNREAD[how]("nothing of it"))) == []


@pytest.mark.parametrize(
    "field", ['"authorization": "Bearer {}"', "x-api-key:\n  - {}", '"cookie": "sid={}"', '"uri": "https://h/?key={}']
)
def test_what_stands_behind_a_telling_name_is_found_in_text_of_no_format(field):
    assert [named for _, named in told(f"[{field.format(DRAWN)}".encode())] == [digest(DRAWN)]


def test_the_largest_file_of_no_format_is_looked_through_in_seconds():
    bomb = gzip.compress(b"password: a" * 15_000_000 + NPM.encode())
    began = time.process_time()
    assert [named for _, named in told(bomb)] == [digest(NPM)]
    assert time.process_time() - began < 10
