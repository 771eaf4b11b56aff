"""A secret of any kind, planted anywhere in a cassette of any format, is found, and nothing that is shown tells it."""

import base64
import gzip
import json
import logging
import subprocess
import sys
import zlib
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import brotli
import pytest
import yaml
import zstandard

from reviewlib import pipeline
from reviewlib.formats import FORMATS, read_cassettes
from reviewlib.leaks.scanner import scan
from reviewlib.model.cassette import File
from reviewlib.model.review import Review, Side
from reviewlib.policy import DEFAULT_POLICY, Policy
from reviewlib.sources import Snapshot
from reviewlib.verdicts.judged import contents
from tests.formats.http_samples import ANSWER
from tests.formats.samples import file, interaction, vcr
from tests.planted import KINDS, PLACES, pieces, samples, secret
from tests.showing import shown, stands_in

AT = datetime(2026, 11, 30, tzinfo=UTC)
NAMES = sorted({name for name, _ in samples()})


def snapshot(baseline: File | None, head: File | None) -> Snapshot:
    sides = [(file(f"t/cassettes/{each.path}", each.data),) if each else () for each in (baseline, head)]
    return Snapshot(baseline=Side(label="a"), head=Side(label="b"), baseline_files=sides[0], head_files=sides[1])


def reviewed(baseline: File | None, head: File | None, policy: Policy = DEFAULT_POLICY) -> Review:
    return pipeline.review(snapshot(baseline, head), policy, AT)


def secrets(review: Review, since: str = "new") -> list[str]:
    (pair,) = review.pairs
    return [found.message for found in pair.findings if found.code == "secret" and found.since == since]


def test_there_are_more_than_forty_kinds_and_every_format():
    assert len(KINDS) > 40
    assert len({secret(kind) for kind in KINDS}) == len(KINDS)
    assert set(NAMES) == {format_.name for format_ in FORMATS} | {"generic"}


@pytest.mark.parametrize("name", NAMES)
def test_in_every_format_a_secret_is_found_wherever_it_stands_and_never_shown(name, caplog):
    """Each place of each sample with a kind of its own, so that all kinds are met many times."""
    caplog.set_level(logging.DEBUG)
    clean, kinds, held = samples(), list(KINDS), set()
    for number, place in enumerate(PLACES):
        kind = kinds[(NAMES.index(name) * len(PLACES) + number) % len(kinds)]
        if "\n" in secret(kind) and place in {"header", "address"}:  # which have one line
            kind = "npm"
        for (owner, what), head in samples(place, secret(kind)).items():
            baseline = clean[owner, what]
            if owner != name or head.data == baseline.data:
                continue
            held.add(place)
            review = reviewed(baseline, head)
            assert secrets(review), f"{kind} is not found in the {place} of {what}"
            for where, page in shown(review, snapshot(baseline, head)).items():
                assert not stands_in(pieces(secret(kind)), page), f"{kind} in the {place} of {what} is told by: {where}"
            assert not stands_in(pieces(secret(kind)), caplog.text)
    assert held, "no sample of this format could hold a secret"


@pytest.mark.parametrize("kind", KINDS)
def test_a_secret_of_every_kind_is_found_at_every_place(kind):
    for place in PLACES:
        head = samples(place, secret(kind))["vcrpy", "yaml"]
        review = reviewed(None, head)
        assert secrets(review), f"not found in the {place}"
        assert not stands_in(pieces(secret(kind)), repr(review)), f"told in the {place}"


PACKINGS = {
    "gzip": lambda data: gzip.compress(data, mtime=0),
    "deflate": zlib.compress,
    "brotli": brotli.compress,
    "zstd": zstandard.compress,
    "base64": base64.b64encode,
    "gzip in base64": lambda data: base64.b64encode(gzip.compress(data, mtime=0)),
}


@pytest.mark.parametrize("packing", PACKINGS)
@pytest.mark.parametrize("kind", ["npm", "anthropic", "private key"])
def test_a_packed_secret_is_found_and_never_shown(packing, kind):
    said = {**ANSWER, "content": [{"type": "text", "text": f"With {secret(kind)}"}]}
    packed = PACKINGS[packing](json.dumps(said).encode())
    if "base64" in packing:
        result = {"type": "tool_result", "tool_use_id": "t", "content": packed.decode()}
        sent = {"model": "m", "messages": [{"role": "user", "content": [result]}]}
        head = file("t/a.yaml", vcr(interaction(request={"body": json.dumps(sent)})))
    else:
        head = file("t/a.yaml", vcr(interaction(response={"body": {"string": packed}})))
    review = reviewed(None, head)
    assert secrets(review)
    for where, page in shown(review, snapshot(None, head)).items():
        assert not stands_in(pieces(secret(kind)), page), where
        assert "base64" not in packing or packed.decode() not in page, where


STREAM = {"object": "chat.completion.chunk"}


def test_a_secret_in_the_pieces_of_a_stream_is_found_and_its_file_is_not_shown():
    key = secret("npm")
    said = [key[start : start + 5] for start in range(0, len(key), 5)]
    events = [{**STREAM, "choices": [{"index": 0, "delta": {"content": piece}}]} for piece in said]
    body = "".join(f"data: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"
    head = file("t/a.yaml", vcr(interaction(response={"body": {"string": body}})))
    review = reviewed(None, head)
    (message,) = secrets(review)
    assert "the model's words" in message
    pages = shown(review, snapshot(None, head))
    assert pages["0 raw"].startswith("Not shown: a secret stands in this file in a way that cannot be masked")
    assert not any(stands_in(key, page) for page in pages.values())


DRAWN = secret("pulumi")[4:30]
FIELDS = {
    "authorization": f"Bearer {DRAWN}",
    "Proxy-Authorization": "Basic " + base64.b64encode(f"app:{DRAWN}".encode()).decode(),
    "Cookie": f"session={DRAWN}; theme=dark",
    "set-cookie": f"sid={DRAWN}; path=/; HttpOnly",
    "x-api-key": DRAWN,
}


@pytest.mark.parametrize("name", FIELDS)
def test_a_credential_without_a_shape_is_found_by_the_name_of_its_header(name):
    head = file("t/a.yaml", vcr(interaction(request={"headers": {name: [FIELDS[name]]}})))
    review = reviewed(file("t/a.yaml", vcr(interaction())), head)
    (message,) = secrets(review)
    assert f"in the request header {name.lower()} of interaction 1" in message
    for where, page in shown(review, snapshot(None, head)).items():
        assert not stands_in(DRAWN, page), where


@pytest.mark.parametrize("uri", ["https://h/v1?key={}&alt=sse", "https://app:{}@h/v1", "https://h/v1?access_token={}"])
def test_a_credential_in_an_address_is_found(uri):
    head = file("t/a.yaml", vcr(interaction(request={"uri": uri.format(DRAWN)})))
    review = reviewed(None, head)
    (message,) = secrets(review)
    assert " in the address of interaction 1 (" in message
    assert not any(stands_in(DRAWN, page) for page in shown(review, snapshot(None, head)).values())


def test_what_no_adapter_keeps_is_looked_at_too():
    tree = yaml.safe_load(vcr(interaction())) | {"recorded_with": f"curl -H 'x: {secret('npm')}'"}
    (message,) = secrets(reviewed(None, file("t/a.yaml", yaml.safe_dump(tree))))
    assert " in a part of the file that is not shown (" in message


def with_prompt(*values: str) -> File:
    sent = {"model": "m", "messages": [{"role": "user", "content": f"Use {' and '.join(values)}"}]}
    return file("t/a.yaml", vcr(interaction(request={"body": json.dumps(sent)})))


def test_only_what_head_alone_holds_is_new():
    one, other = secret("npm"), secret("sendgrid")
    review = reviewed(with_prompt(one), with_prompt(one, other))
    assert [len(secrets(review, since)) for since in ("new", "known", "gone")] == [1, 1, 0]
    review = reviewed(with_prompt(one, other), with_prompt(other))
    assert [len(secrets(review, since)) for since in ("new", "known", "gone")] == [0, 1, 1]


def test_another_secret_in_its_place_is_new_and_the_diff_shows_that_it_changed():
    one, other = secret("npm"), secret("npm")[:-6] + "A1b2C3"
    review = reviewed(with_prompt(one), with_prompt(other))
    assert [len(secrets(review, since)) for since in ("new", "known", "gone")] == [1, 0, 1]
    (pair,) = review.pairs
    assert [change.kind for change in pair.diff.changes] == ["user_message"]


def test_a_new_secret_cannot_be_approved_and_a_known_one_can():
    from reviewlib.verdicts import states

    baseline, head = with_prompt("nothing"), with_prompt(secret("npm"))
    review = reviewed(baseline, head)
    (path,) = (pair.path for pair in review.pairs)
    assert states([], review)[path].state == "blocked"
    assert states([], reviewed(head, with_prompt(secret("npm"), "nothing")))[path].state == "open"


def test_the_policy_allows_a_secret_by_its_name():
    head = with_prompt(secret("npm"))
    (message,) = secrets(reviewed(None, head))
    named = message.rpartition("(")[2].rstrip(")")
    assert secrets(reviewed(None, head, Policy(allow_secrets=(named,)))) == []
    assert secrets(reviewed(None, head, Policy(allow_secrets=("npm-access-token:00000000",)))) == [message]


@pytest.mark.parametrize(
    "damage", [lambda text: text[: len(text) // 2], lambda text: text.replace('"role"', "["), lambda text: f"{text}}}"]
)
def test_a_cassette_that_cannot_be_read_says_why_without_its_secrets(damage, caplog):
    caplog.set_level(logging.DEBUG)
    key = secret("npm")
    tree = {"interactions": [{key: key, "request": {"body": key}, "response": [key]}], "version": 1, key: key}
    for text in (json.dumps(tree), yaml.safe_dump(tree)):
        head = file("t/a.yaml", damage(text))
        for page in (*shown(reviewed(None, head), snapshot(None, head)).values(), caplog.text):
            assert not stands_in(key, page)


def test_a_failure_of_an_adapter_is_told_and_logged_without_the_secrets_in_it(monkeypatch, caplog):
    from reviewlib.formats import vcrpy

    caplog.set_level(logging.DEBUG)
    key = secret("sendgrid")

    def broken(value, _):
        raise KeyError(str(value))

    monkeypatch.setattr("reviewlib.formats.FORMATS", (replace(vcrpy.FORMAT, parse=broken),))
    (read,) = pipeline.safely_read([with_prompt(key)])
    assert read.reason.startswith("its shape is not the one its recorder writes (KeyError: ")
    assert "unexpected failure in t/a.yaml: KeyError" in caplog.text
    assert not stands_in(key, read.reason)
    assert not stands_in(key, caplog.text)


def test_the_ledger_pins_no_cassette_that_holds_a_secret():
    from reviewlib.verdicts.judged import contents

    baseline, head = with_prompt("nothing"), with_prompt(secret("npm"))
    review = reviewed(baseline, head)
    assert list(contents(review.pairs, snapshot(baseline, head))) == [baseline.blob]


def test_looking_for_secrets_opens_no_connection():
    """In a process of its own, whose every attempt at a socket would end it."""
    script = (
        "import os, sys\n"
        "from reviewlib.leaks.scanner import scan\n"
        "def refuse(event, args):\n"
        "    if event.startswith('socket.'): os._exit(3)\n"
        "sys.addaudithook(refuse)\n"
        "found = [hit.kind for hit in scan(sys.stdin.read())]\n"
        "sockets = [link for link in os.listdir('/proc/self/fd') if os.path.islink(f'/proc/self/fd/{link}')\n"
        "           and os.readlink(f'/proc/self/fd/{link}').startswith('socket:')]\n"
        "print(len(found), len(sockets))\n"
    )
    values = "\n".join(secret(kind) for kind in KINDS)
    done = subprocess.run([sys.executable, "-c", script], input=values, capture_output=True, text=True, check=True)
    found, sockets = map(int, done.stdout.split())
    assert found > 30
    assert sockets == 0


def test_no_part_that_validates_is_used():
    root = Path(pipeline.__file__).parent
    users = {path.name: path.read_text() for path in root.rglob("*.py") if "kingfisher_sdk" in path.read_text()}
    assert set(users) == {"scanner.py"}
    assert "from kingfisher_sdk import Rules, Scanner\n" in users["scanner.py"]
    assert users["scanner.py"].count("kingfisher_sdk") == 1


def test_reading_alone_masks_what_has_a_shape():
    (cassette,) = read_cassettes([with_prompt(secret("anthropic"))])
    assert not stands_in(secret("anthropic"), repr(cassette))


def test_no_file_of_the_project_looks_as_if_it_held_a_secret():
    """Values are put together when a test runs, so that this repository passes the scanners that it recommends."""
    root = Path(__file__).parents[1]
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=root, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("not a clone: git does not list the project's files")
    files = [root / name for name in listed.stdout.splitlines() if (root / name).is_file()]
    assert [str(path.relative_to(root)) for path in files for _ in scan(path.read_bytes())] == []


def test_a_secret_in_a_cassette_that_cannot_be_read_is_found_and_never_shown():
    clean = file("a.yaml", with_prompt("nothing").data)
    head = file("a.yaml", f'{{"interactions": [{{"note": "{secret("npm")}'.encode())
    review = reviewed(clean, head)
    assert [pair.head.stage for pair in review.pairs] == ["decode"]
    assert secrets(review)
    assert secrets(reviewed(head, file("a.yaml", b"{")), "gone")
    assert secrets(reviewed(head, file("a.yaml", head.data + b" ")), "known")
    assert contents(review.pairs, snapshot(None, head)) == {}, "the ledger is pushed"
    for where, page in shown(review, snapshot(clean, head)).items():
        assert not stands_in(secret("npm"), page), where


@pytest.mark.parametrize("kind", ["npm", "gitlab", "sendgrid", "pulumi"])
def test_a_secret_behind_what_an_address_escapes_is_found_and_never_shown(kind):
    """``%20`` ends in a digit, and no key begins behind one."""
    key = secret(kind)
    sent = {"model": "m", "messages": [{"role": "user", "content": f"open https://h.acme-corp.com/a%20{key}%20b"}]}
    head = file("t/a.yaml", vcr(interaction(request={"body": json.dumps(sent)})))
    review = reviewed(None, head)
    assert secrets(review)
    for where, page in shown(review, snapshot(None, head)).items():
        assert not stands_in(key, page), where
