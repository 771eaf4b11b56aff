"""A recording is guarded as a whole: what it is known by stays, and what stands beside it is looked at."""

import json

import pytest
import yaml

from reviewlib import pipeline
from reviewlib.leaks.guard import guard, shelves
from reviewlib.leaks.marks import digest
from reviewlib.model.cassette import Unreadable
from tests.formats.samples import ANSWER, REQUEST, file, interaction, vcr
from tests.planted import Draw, secret
from tests.showing import stands_in

NPM = secret("npm")


def reading(*files):
    return {item.cassette.path: item for item in pipeline.safely_read(files)}


def exchange(words):
    return {"request": {**REQUEST, "messages": [{"role": "user", "content": words}]}, "response": ANSWER}


def prompting(words, path="t/a.yaml"):
    return file(path, vcr(interaction(request={"body": json.dumps(exchange(words)["request"])})))


def test_a_recording_without_a_secret_is_the_same_object():
    (read,) = pipeline.read([prompting("nothing of it")])
    assert guard(read) is read


def test_what_a_cassette_is_known_by_is_never_changed():
    path = f"t/{NPM}.yaml"
    (read,) = pipeline.safely_read([prompting(f"use {NPM}", path)])
    assert read.cassette.path == path
    assert len(read.cassette.content) == 40
    assert read.leaks


def test_each_secret_is_told_once_with_its_first_place_and_how_many_there_are():
    asked = [
        {"role": "user", "content": f"use {NPM}"},
        {"role": "assistant", "content": f"Not {NPM}!"},
        {"role": "user", "content": "Why?"},
    ]
    sent = json.dumps({**REQUEST, "messages": asked})
    (read,) = pipeline.safely_read([file("t/a.yaml", vcr(interaction(request={"body": sent})))])
    (leak,) = read.leaks
    assert (leak.digest, leak.place, leak.step) == (digest(NPM), "a user message", (0, 0))
    assert leak.places == 3  # the two steps, and the request that holds both


def test_guarding_twice_changes_nothing():
    files = [prompting(f"use {NPM} and {secret('private key')} and {secret('postgres address')}")]
    (once,) = pipeline.safely_read(files)
    assert guard(once, files) == once


def test_order_tells_nothing():
    values = [secret(kind) for kind in ("npm", "sendgrid", "pulumi", "mongodb address")]
    ways = [pipeline.safely_read([prompting(" and ".join(order))])[0].leaks for order in (values, values[::-1])]
    assert {leak.name for leak in ways[0]} == {leak.name for leak in ways[1]}


def test_files_of_a_folder_are_one_cassette_and_each_is_looked_at():
    kept = file(f"t/{'a' * 16}.json", exchange("nothing"))
    dropped = file(f"t/{'b' * 16}.json", exchange("nothing") | {"recorder": {"argv": f"--with {NPM}"}})
    found = reading(kept, dropped, prompting("nothing", "t/other.yaml"))
    assert [leak.place for leak in found["t"].leaks] == ["a part of the file that is not shown"]
    assert found["t/other.yaml"].leaks == ()


def test_shelves_hold_each_file_under_its_path_and_hashes_under_their_folder():
    files = [prompting("x"), file(f"u/{'a' * 16}.json", exchange("x"))]
    held = shelves(files)
    assert set(held) == {"t/a.yaml", f"u/{'a' * 16}.json", "u"}


@pytest.mark.parametrize("length", [12, 24])
def test_a_recorders_own_note_is_found_where_nothing_was_read_from_it(length):
    tree = yaml.safe_load(prompting("x").data) | {"note": f"https://me:{Draw('note')(length)}@db.acme-corp.com/"}
    (read,) = pipeline.safely_read([file("t/a.yaml", yaml.safe_dump(tree))])
    assert [leak.kind for leak in read.leaks] == ["userinfo"] or [leak.kind for leak in read.leaks] == []
    assert not stands_in(Draw("note")(length), repr(read))


def test_what_cannot_be_read_is_looked_through_all_the_same():
    broken = file("t/a.yaml", f'{{"interactions": [{{"note": "{NPM} {NPM}'.encode())
    (read,) = pipeline.safely_read([broken])
    assert isinstance(read, Unreadable)
    assert [(leak.digest, leak.place) for leak in read.leaks] == [(digest(NPM), "a file that could not be read")]
    assert guard(read.model_copy(update={"leaks": ()}), [file("t/a.yaml", b"{")]).leaks == ()


def test_why_something_is_unreadable_is_masked():
    told = guard(Unreadable(path="p", content="c", stage="parse", reason=f"no such key {NPM}"))
    assert told.reason == f"no such key [masked:npm-access-token:{digest(NPM)}]" or digest(NPM) in told.reason
    assert not stands_in(NPM, told.reason)
