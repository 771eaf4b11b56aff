"""vcrpy in every dialect gives the same exchange."""

import gzip
import json
import zlib

import pytest
import yaml

from reviewlib.formats import read_cassette
from reviewlib.model.cassette import Exchange
from tests.corpus import CORPUS, needs_corpus
from tests.formats.samples import ANSWER, REQUEST, SAMPLES, URI, encoded, file, interaction, readable, vcr

PACKED = gzip.compress(json.dumps(ANSWER).encode(), mtime=0)


def exchanges(content) -> list[Exchange]:
    cassette = readable(read_cassette(file("t.yaml", content)))
    assert cassette.format == "vcrpy"
    assert cassette.not_recorded == ()
    return [each for each in cassette.interactions if isinstance(each, Exchange)]


@pytest.mark.parametrize(
    "sample", [pytest.param(each, id=what) for what, each in SAMPLES["vcrpy"] if what != "nothing recorded"]
)
def test_every_dialect_tells_the_same(sample):
    (exchange,) = exchanges(sample.data)
    assert exchange.request
    assert exchange.response
    assert (exchange.request.method, exchange.request.uri, exchange.request.body) == ("POST", URI, REQUEST)
    assert (exchange.response.status, exchange.response.body) == (200, ANSWER)


def test_a_cassette_without_interactions_is_one():
    for text in ("interactions: []\nversion: 1\n", "interactions: []\n", '{"version": 1, "interactions": []}'):
        assert exchanges(text) == []


@pytest.mark.parametrize(
    ("body", "read"),
    [
        ({"string": json.dumps(ANSWER)}, ANSWER),
        ({"string": PACKED}, ANSWER),
        ({"string": zlib.compress(json.dumps(ANSWER).encode())}, ANSWER),
        ({"string": ""}, None),
        ({"string": None}, None),
        ({"encoding": "utf-8", "string": "words"}, "words"),
        ({"string": "data: {}\n\ndata: [DONE]\n\n"}, "data: {}\n\ndata: [DONE]\n\n"),
        ({"string": b"\x00\x00\x01\xff"}, b"\x00\x00\x01\xff"),
        ("a bare text", "a bare text"),
        (ANSWER, ANSWER),
        (None, None),
    ],
)
def test_answers_come_in_many_shapes(body, read):
    recorded = interaction()
    recorded["response"]["body"] = body
    assert exchanges(vcr(recorded))[0].response.body == read


@pytest.mark.parametrize("body", ["", None])
def test_a_request_without_a_body_has_none(body):
    recorded = interaction()
    recorded["request"]["body"] = body
    assert exchanges(vcr(recorded))[0].request.body is None


def test_compressed_text_is_read_whatever_its_headers_say():
    lying = interaction(response={"headers": {"content-encoding": ["gzip"]}})
    silent = interaction(response={"headers": {}, "body": {"string": PACKED}})
    assert [each.response.body for each in exchanges(vcr(lying, silent))] == [ANSWER, ANSWER]


def test_parsed_body_wins_over_body_and_a_stream_beside_it_stays():
    both = interaction(request={"body": "", "parsed_body": REQUEST}, response={"body": {"string": "event: x\n\n"}})
    (exchange,) = exchanges(vcr(both))
    assert exchange.request.body == REQUEST
    assert exchange.response.body == "event: x\n\n"


def test_failures_and_order_are_kept():
    failed = interaction(response={"status": {"code": 529, "message": "Overloaded"}})
    read = exchanges(vcr(failed, interaction()))
    assert [(each.index, each.response.status) for each in read] == [(0, 529), (1, 200)]


def test_python_objects_of_older_recordings_are_read_as_plain_values():
    text = f"""\
interactions:
- request:
    body: !!python/object/new:_io.BytesIO
      state: !!python/tuple
      - !!binary {encoded(json.dumps(REQUEST).encode())}
      - 0
      - null
    headers:
      ? !!python/object/apply:multidict._multidict.istr
      - Content-Type
      : - application/json
    method: POST
    uri: {URI}
  response:
    body: {{string: !!python/unicode 'hi'}}
    headers: {{}}
    status: {{code: 200, message: OK}}
- request:
    body: !!python/object/apply:builtins.iter
      args:
      - - !!binary {encoded(json.dumps(REQUEST).encode())}
      state: 0
    headers: {{}}
    method: POST
    uri: {URI}
  response:
    body: {{string: ''}}
    headers: {{}}
    status: {{code: 200, message: OK}}
version: 1
"""
    first, second = exchanges(text)
    assert first.request.body == second.request.body == REQUEST
    assert first.request.headers == {"content-type": "application/json"}
    assert first.response.body == "hi"


def test_aliases_are_read():
    text = "h: &h\n"
    recorded = interaction()
    text = yaml.safe_dump({"interactions": [recorded, recorded]})
    assert "&id" in text
    one, two = exchanges(text)
    assert one.request == two.request


def test_the_base_of_the_interactions_must_be_vcrpys():
    for spoilt in (
        [interaction(), {"request": {}, "response": {}}],
        [interaction(request={"uri": None, "url": URI})],
        [interaction(request={"body": {"type": "json", "content": {}}})],
        [interaction(response={"status": 200})],
    ):
        result = read_cassette(file("t.yaml", yaml.safe_dump({"interactions": spoilt})))
        assert getattr(result, "format", None) != "vcrpy"


@needs_corpus
@pytest.mark.parametrize(
    "pattern", ["test_anthropic/test_refund[[]arg_changed]*", "test_openai/test_refund[[]arg_changed]*"]
)
def test_one_scenario_recorded_in_each_dialect_asks_the_same(pattern):
    asked = []
    for recorder in ("vcrpy-yaml", "vcrpy-decoded", "vcrpy-json", "vcrpy-parsed-body"):
        (path,) = (CORPUS / "recorders" / recorder / "base").glob(pattern)
        (first, *_) = exchanges(path.read_bytes())
        assert isinstance(first.response.body, dict)
        asked.append((first.request.uri, first.request.body))
    assert all(each == asked[0] for each in asked)
