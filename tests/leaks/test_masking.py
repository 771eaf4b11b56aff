"""Known secrets are masked however they are spelled, few or many, in trees and recordings of any shape."""

import base64
import gzip
import json
import time
from urllib.parse import quote

import pytest

from reviewlib.leaks.marks import digest, found_mark, marks
from reviewlib.leaks.masking import hits, masked, masker
from reviewlib.leaks.scanner import Hit, scan
from reviewlib.leaks.texts import replaced, texts
from tests.planted import Draw, secret

NPM = secret("npm")
WRITTEN = found_mark("npm", NPM)


def hit(value):
    return Hit("k", value, value)


@pytest.mark.parametrize("others", [0, 100], ids=["few", "many"])
@pytest.mark.parametrize(
    "spell",
    [
        lambda value: value,
        lambda value: json.dumps(value)[1:-1],
        lambda value: json.dumps(json.dumps(value)[1:-1])[1:-1],
        lambda value: quote(value, safe=""),
    ],
)
def test_a_secret_is_masked_in_every_spelling(spell, others):
    value = f'one "two" \\ three\n/{Draw("x")(20)}é'
    change = masker([hit(value), *(hit(Draw(str(number))(30)) for number in range(others))])
    assert (
        change(f"<{spell(value)}> and <{spell(value)}>") == f"<{found_mark('k', value)}> and <{found_mark('k', value)}>"
    )
    assert change("nothing of it") == "nothing of it"


@pytest.mark.parametrize("others", [0, 100], ids=["few", "many"])
def test_of_two_secrets_that_begin_alike_the_longer_is_masked_whole(others):
    short, long = "abcd1234EF", "abcd1234EFgh99"
    change = masker([hit(short), hit(long), *(hit(Draw(str(number))(30)) for number in range(others))])
    assert change(f"{long} {short}") == f"{found_mark('k', long)} {found_mark('k', short)}"


def test_base64_of_gzip_that_holds_one_becomes_its_mark():
    packed = base64.b64encode(gzip.compress(f"with {NPM}".encode(), mtime=0)).decode()
    ((_, told),) = marks(masked({"body": packed})["body"])
    assert told == digest(NPM)


def test_ten_thousand_secrets_take_no_longer_than_their_text():
    values = [Draw(str(number))(36) for number in range(10_000)]
    begun = time.perf_counter()
    change = masker(map(hit, values))
    assert not any(value in change(" ".join(values)) for value in values[:20])
    assert time.perf_counter() - begun < 10


def test_a_tree_without_a_secret_is_the_same_object():
    tree = {"a": ["b", 1, None, {"c": ("d",)}], "e": b"\0"}
    assert replaced(tree, lambda text: text) is tree
    assert masked(tree) is tree


def test_texts_are_each_told_once_with_short_ones_under_their_names():
    found = list(texts({"a": "x", "list": ["y", "y", ("z", 1)], "long": "w" * 400, "inner": '{"p": "q\\n"}'}))
    assert {"a: x", "y", "z", "w" * 400, "p: q\n"} <= set(found)
    assert found.count("y") == 1


@pytest.mark.parametrize("name", ["signature", "encrypted_content", "thoughtSignature", "embedding", "b64_json"])
def test_what_is_drawn_or_encrypted_is_left_out(name):
    assert NPM not in "".join(texts({name: NPM}))
    assert NPM not in "".join(texts({"data": NPM, "media_type": "image/png"}))
    assert NPM in "".join(texts({"data": NPM}))


def test_what_goes_on_as_random_data_is_no_key():
    data = Draw("data")
    assert list(scan(f"x {NPM} y"))
    assert not list(scan(f"{data(200)}_{NPM}{data(200)}"))
    folded = "\n        ".join(data(76) for _ in range(5))
    assert not list(scan(f"{folded}\n        {NPM}{data(30)}\n        {folded}"))


@pytest.mark.parametrize("spoil", ["{}EXAMPLE", "fake-{}", "<{}>"])
def test_documented_examples_are_none(spoil):
    key = spoil.format("AKIA" + "IOSFODNN7EXAMPLE"[:16]) if "EXAMPLE" in spoil else spoil.format(f"npm_{'x' * 36}")
    assert hits(f"use {key} here") == ()


def test_what_is_masked_already_is_not_found_again():
    assert hits(f"token={WRITTEN} https://a:{WRITTEN}@h/ Authorization: Bearer {WRITTEN}") == ()


def test_what_unpacks_to_gigabytes_is_left_packed():
    bomb = base64.b64encode(gzip.compress(b"a" * 50_000_000, mtime=0)).decode()
    begun = time.perf_counter()
    found = texts([bomb, *(f"{bomb[:-8]}{number:08d}" for number in range(200))])
    assert sum(map(len, found)) < 20_000_000
    assert time.perf_counter() - begun < 10


def test_json_within_json_is_read_to_its_end_and_no_further():
    text = f"with {NPM}"
    for _ in range(8):
        text = json.dumps({"inner": text})
    assert any(f'"with {NPM}"' in each for each in texts(text))
    assert NPM not in json.dumps(masked({"a": text}))


def test_hostile_text_is_scanned_in_linear_time():
    begun = time.perf_counter()
    for text in (
        "a" * 5_000_000,
        "sk-" * 1_000_000,
        "-----BEGIN PRIVATE KEY-----\n" * 50_000,
        "://a:" * 500_000,
        "\\" * 1_000_000,
    ):
        hits(text)
    assert time.perf_counter() - begun < 20
