"""Braintrust cassettes: bodies by kind, and the binary ones in files beside the cassette."""

import hashlib

import pytest

from reviewlib.formats import Companions, companions, read_cassette, read_cassettes
from reviewlib.formats.content import tree_id
from reviewlib.model.cassette import Cassette, Exchange, File, Unreadable
from tests.formats.http_samples import ANSWER, PACKED, REQUEST, braintrust, braintrust_entry, encoded
from tests.formats.samples import file, readable

PATH = "e2e/__cassettes__/chat.cassette.json"
BLOBS = "e2e/__cassettes__/chat.cassette.blobs"
IMAGE = bytes([137, 80, 78, 71, 0, 255])


def aside(data: bytes) -> dict:
    sha = hashlib.sha256(data).hexdigest()
    return {"kind": "binary", "path": f"chat.cassette.blobs/{sha}.bin", "sha256": sha, "contentType": "image/png"}


def blob(data: bytes) -> File:
    return file(f"{BLOBS}/{hashlib.sha256(data).hexdigest()}.bin", data)


def bodies(cassette: Cassette | Unreadable) -> list[tuple[object, object]]:
    found = [each for each in readable(cassette).interactions if isinstance(each, Exchange)]
    return [(each.request and each.request.body, each.response and each.response.body) for each in found]


@pytest.mark.parametrize(
    ("body", "read"),
    [
        ({"kind": "json", "value": [1]}, [1]),
        ({"kind": "text", "value": "words"}, "words"),
        ({"kind": "base64", "value": encoded(PACKED)}, ANSWER),
        ({"kind": "base64", "value": encoded(IMAGE)}, IMAGE),
        ({"kind": "empty"}, None),
        ({"kind": "sse", "chunks": ["event: a\ndata: {}", "data: [DONE]"]}, "event: a\ndata: {}\n\ndata: [DONE]\n\n"),
        ({"kind": "sse", "chunks": []}, None),
        ({"kind": "sse", "chunks": [None, "data: {}"]}, "data: {}\n\n"),
        ({"kind": "unheard of", "value": "x"}, "x"),
        ("bare", "bare"),
        (None, None),
    ],
)
def test_a_body_says_its_kind(body: object, read: object):
    entry = braintrust_entry()
    entry["response"]["body"] = body
    assert bodies(read_cassette(file(PATH, braintrust(entry)))) == [(REQUEST, read)]


SOUND = file(PATH, braintrust(braintrust_entry(sent=aside(IMAGE)), braintrust_entry(got=aside(PACKED))))


def test_binary_bodies_are_read_from_the_files_beside():
    (cassette,) = read_cassettes([blob(PACKED), SOUND, blob(IMAGE)])
    assert bodies(cassette) == [(IMAGE, ANSWER), (REQUEST, ANSWER)]
    assert readable(cassette).notes == ()


def test_the_content_is_that_of_all_its_files():
    whole = [SOUND, blob(PACKED), blob(IMAGE)]
    (cassette,) = read_cassettes(whole)
    assert cassette.content == tree_id((each.path, each.blob) for each in whole)
    assert readable(read_cassette(SOUND)).content == SOUND.blob


def test_a_file_that_is_not_here_is_told_and_harms_nothing():
    absent = blob(IMAGE).model_copy(update={"data": b"", "missing": "a partial clone"})
    for files, count in (([SOUND], 2), ([SOUND, blob(IMAGE)], 1), ([SOUND, absent, blob(PACKED)], 1)):
        (cassette,) = read_cassettes(files)
        assert readable(cassette).notes == (f"Binary bodies in files that are not here: {count}.",)


def test_one_cassette_is_read_with_what_stands_beside_it():
    assert bodies(read_cassette(SOUND, [blob(IMAGE), blob(PACKED)])) == [(IMAGE, ANSWER), (REQUEST, ANSWER)]


@pytest.mark.parametrize(
    ("path", "found"),
    [
        (PATH, Companions(BLOBS, r"[0-9a-f]{64}\.bin")),
        ("chat.cassette.json", Companions("chat.cassette.blobs", r"[0-9a-f]{64}\.bin")),
        ("e2e/chat.har", None),
        ("e2e/chat.cassette.toml", None),
        (blob(IMAGE).path, None),
    ],
)
def test_what_stands_beside_is_told_by_name_alone(path: str, found: Companions | None):
    assert companions(path) == found


def test_a_blob_without_its_cassette_is_unreadable():
    (result,) = read_cassettes([blob(IMAGE)])
    assert isinstance(result, Unreadable)
    assert result.stage == "load"


def test_a_file_beside_a_cassette_that_owns_none_stays_its_own():
    other = file(PATH, {"nothing": "of ours"})
    assert len(read_cassettes([other, blob(IMAGE)])) == 2


@pytest.mark.parametrize("sha", [None, 5, [], {}])
def test_a_blob_without_a_name_is_not_here(sha: object):
    broken = file(PATH, braintrust(braintrust_entry(got={"kind": "binary", "sha256": sha})))
    assert bodies(read_cassette(broken)) == [(REQUEST, None)]
