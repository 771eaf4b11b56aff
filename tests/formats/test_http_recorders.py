"""The HTTP recorders, whatever they write, tell the same exchange; and each refuses what it did not write."""

import json

import pytest
import yaml

from reviewlib.decode import decode
from reviewlib.formats import FORMATS, read_cassette
from reviewlib.model.cassette import Exchange, File
from tests.formats.http_samples import (
    ANSWER,
    HTTP_SAMPLES,
    REQUEST,
    SENT,
    URI,
    braintrust,
    braintrust_entry,
    cassetteai_entry,
    cassetter_cassette,
    cassetter_interaction,
    datadog,
    go,
    go_cassette,
    har,
    har_entry,
    llm_vcr_interaction,
    mastra_recording,
    nock_call,
    reel_line,
    replex_exchange,
    replex_scenario,
    ruby,
    ruby_cassette,
    stub,
)
from tests.formats.samples import file, jsonl, readable

EMPTY = "nothing recorded"
RECORDED = [
    pytest.param(name, sample, id=f"{name}: {what}")
    for name, samples in HTTP_SAMPLES.items()
    for what, sample in samples
    if what != EMPTY
]
BLANK = [
    pytest.param(name, sample, id=name)
    for name, samples in HTTP_SAMPLES.items()
    for what, sample in samples
    if what == EMPTY
]
AT_SECOND, AT_MILLISECOND, AT_MICROSECOND = 1796030793.0, 1796030793.182, 1796030793.182914

WHERE = {
    "cassetteai": None,
    "reel": "/v1/messages",
    "wiremock": "/v1/messages",
    "nock": URI.replace(".com", ".com:443"),
}
"""The address, where a recorder does not store it whole."""
WHEN = {
    "ruby-vcr": AT_SECOND,
    "reel": AT_SECOND,
    "har": 1796030793.162,
    "braintrust": AT_MILLISECOND,
    "llm-recorder": AT_MILLISECOND,
    "cassetter": AT_MICROSECOND,
}
KEYS = {
    "har": "897d3731",
    "reel": "sha256:1326",
    "replex": "sha256:1",
    "llm-recorder": "f98adc5ac5da9e8a",
    "cassetteai": "866f4db424c8eb3b",
}


@pytest.mark.parametrize(("name", "sample"), RECORDED)
def test_every_dialect_tells_the_same_exchange(name: str, sample: File):
    cassette = readable(read_cassette(sample))
    (exchange,) = cassette.interactions
    assert isinstance(exchange, Exchange)
    assert exchange.request
    assert exchange.response
    assert (exchange.request.uri, exchange.request.body) == (WHERE.get(name, URI), REQUEST)
    assert exchange.request.method == (None if name == "cassetteai" else "POST")
    assert (exchange.response.body, exchange.response.chunks) == (ANSWER, None)
    assert exchange.response.status == (None if name == "cassetteai" else 200)
    assert cassette.not_recorded == (("http_status",) if name == "cassetteai" else ())
    assert cassette.ordered
    assert cassette.notes == ()


@pytest.mark.parametrize(("name", "sample"), RECORDED)
def test_time_and_key_are_read_where_they_are_stored(name: str, sample: File):
    (exchange,) = readable(read_cassette(sample)).interactions
    assert isinstance(exchange, Exchange)
    assert exchange.recorded_at == (None if name not in WHEN else pytest.approx(WHEN[name], abs=1e-6))
    assert exchange.key == KEYS.get(name)


@pytest.mark.parametrize(("name", "sample"), BLANK)
def test_a_cassette_of_nothing_is_one(name: str, sample: File):
    cassette = readable(read_cassette(sample))
    assert (cassette.format, cassette.interactions) == (name, ())


def test_every_format_says_who_writes_it_and_what_it_holds():
    for format_ in FORMATS:
        if format_.name in HTTP_SAMPLES:
            assert format_.summary.startswith("Written by ")
            assert 2 <= format_.summary.count(". ") + 1 <= 4
            assert format_.summary.endswith(".")


def without(tree: dict, *path: str) -> dict:
    """The tree without the member at a path."""
    name, *rest = path
    if not rest:
        return {key: value for key, value in tree.items() if key != name}
    return {**tree, name: without(tree[name], *rest)}


FOREIGN = {
    "ruby-vcr, an address called url": ruby_cassette(ruby(), without(ruby(), "request", "uri")),
    "ruby-vcr, no answer": ruby_cassette(without(ruby(), "response")),
    "go-vcr, a mapping": {"version": 2, "interactions": {"a": go()}},
    "go-vcr, no code": go_cassette(2, go(), without(go(), "response", "code")),
    "go-vcr, nothing in version 3": go_cassette(3),
    "ddapm, more than a call": {**datadog(), "meta": {}},
    "ddapm, no address": without(datadog(), "request", "url"),
    "ddapm, a status without a code": {**datadog(), "response": {"status": {}, "body": ""}},
    "har, no entries": {"log": {"version": "1.2"}},
    "har, one entry without an answer": har(har_entry(), without(har_entry(), "response")),
    "nock, one item of another kind": [nock_call(), {"scope": "https://x"}],
    "nock, a definition without an answer": [without(nock_call(), "status")],
    "braintrust, no meta": without(braintrust(braintrust_entry()), "meta"),
    "braintrust, entries without a match key": braintrust(without(braintrust_entry(), "matchKey")),
    "braintrust, of another kind": {"meta": {}, "entries": [], "log": []},
    "cassetter, an unknown type": {"interactions": [cassetter_interaction(body={"type": "xml", "content": ""})]},
    "cassetter, no list": {"interactions": [], "grpc_interactions": {"a": 1}},
    "cassetter, a gRPC call without an answer": {"grpc_interactions": [{"request": {"method": "/a/b"}}]},
    "cassetter, a frame without a direction": {"ws_interactions": [{"uri": "wss://x", "frames": [{}]}]},
    "pytest-llm-vcr, no body": {"name": "a", "interactions": [without(llm_vcr_interaction(), "request_body")]},
    "replex, no version of it": without(replex_scenario(replex_exchange()), "replex_version"),
    "replex, a nameless tool": replex_scenario({"type": "tool_call", "args": {}}),
    "llm-recorder, no hash": {"meta": {}, "recordings": [without(mastra_recording(), "hash")]},
    "llm-recorder, nothing and more": {"recordings": []},
    "cassetteai, streaming unknown": {"entries": [without(cassetteai_entry(), "is_streaming")]},
    "wiremock, a status in words": stub(status="OK"),
    "wiremock, no address": without(stub(), "request", "url"),
    "wiremock, no stubs": {"mappings": []},
}


def claimants(text: str) -> list[str]:
    """The recorders that would have written a text; the fallback is none."""
    decoded = decode(text.encode())
    views = {decoded.kind: decoded.value}
    if decoded.kind == "json" and isinstance(decoded.value, dict):
        views["jsonl"] = [decoded.value]
    return [each.name for each in FORMATS if any(kind in each.reads and each.recognise(views[kind]) for kind in views)]


@pytest.mark.parametrize("what", FOREIGN)
def test_what_a_recorder_did_not_write_is_not_claimed(what: str):
    assert claimants(json.dumps(FOREIGN[what])) == []


@pytest.mark.parametrize(
    "lines",
    [
        ({"_meta": {}},),
        ({"_meta": {}}, {"a": 1}),
        (reel_line(), {"x": 1}),
        (without(reel_line(), "request", "fingerprint"),),
    ],
)
def test_lines_that_are_no_calls_are_not_reels(lines: tuple[dict, ...]):
    assert claimants(jsonl(*lines)) == []


SECRETS = [
    pytest.param("ruby-vcr", yaml.safe_dump(ruby_cassette(ruby('{"api_key": "opaque"}'))), id="ruby-vcr"),
    pytest.param("go-vcr", yaml.safe_dump(go_cassette(2, go('{"api_key": "opaque"}'))), id="go-vcr"),
    pytest.param("ddapm", json.dumps(datadog('{"api_key": "opaque"}')), id="ddapm"),
    pytest.param("har", json.dumps(har(har_entry({"text": '{"api_key": "opaque"}'}))), id="har"),
    pytest.param("nock", json.dumps([nock_call({"api_key": "opaque"})]), id="nock"),
    pytest.param(
        "braintrust",
        json.dumps(braintrust(braintrust_entry({"kind": "json", "value": {"api_key": "opaque"}}))),
        id="bt",
    ),
    pytest.param(
        "cassetter",
        cassetter_cassette(cassetter_interaction(body={"type": "json", "content": {"api_key": "opaque"}})),
        id="cassetter",
    ),
    pytest.param("reel", jsonl(reel_line(body={"api_key": "opaque"})), id="reel"),
    pytest.param("replex", json.dumps(replex_scenario(replex_exchange(body={"api_key": "opaque"}))), id="replex"),
    pytest.param("cassetteai", json.dumps({"entries": [cassetteai_entry(response={"api_key": "opaque"})]}), id="ai"),
]


@pytest.mark.parametrize(("name", "text"), SECRETS)
def test_secrets_are_masked_in_every_format(name: str, text: str):
    cassette = readable(read_cassette(file("t", text)))
    (exchange,) = cassette.interactions
    assert cassette.format == name
    assert isinstance(exchange, Exchange)
    assert exchange.response
    assert exchange.response.body == {"api_key": "[masked:api-key]"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ruby-vcr", yaml.safe_dump(ruby_cassette({**ruby(), "response": {}}))),
        ("ruby-vcr", yaml.safe_dump(ruby_cassette(ruby(None)))),
        ("go-vcr", yaml.safe_dump(go_cassette(2, go("")))),
        ("go-vcr", yaml.safe_dump(go_cassette(2, go(None)))),
        ("ddapm", json.dumps(datadog(""))),
        ("har", json.dumps(har(har_entry({"size": 0})))),
        ("braintrust", json.dumps(braintrust(braintrust_entry({"kind": "empty"})))),
        ("nock", json.dumps([nock_call("")])),
        ("cassetter", cassetter_cassette(cassetter_interaction(body={"type": "none"}))),
        ("reel", jsonl(reel_line(body=None))),
        ("replex", json.dumps(replex_scenario(replex_exchange(body=None)))),
        ("wiremock", json.dumps(stub(headers={}))),
    ],
)
def test_an_answer_without_a_body_has_none(name: str, text: str):
    cassette = readable(read_cassette(file("t", text)))
    (exchange,) = cassette.interactions
    assert cassette.format == name
    assert isinstance(exchange, Exchange)
    assert exchange.response
    assert exchange.response.body is None


@pytest.mark.parametrize(
    ("name", "status", "text"),
    [
        ("go-vcr", 429, yaml.safe_dump(go_cassette(2, go(code=429), go()))),
        ("nock", 529, json.dumps([nock_call(status=529), nock_call()])),
        ("har", 401, json.dumps(har({**har_entry(), "response": {"status": 401, "content": {}}}, har_entry()))),
        ("reel", 503, jsonl(reel_line(status=503), reel_line())),
        ("replex", 529, json.dumps(replex_scenario(replex_exchange(status=529), replex_exchange()))),
    ],
)
def test_failures_and_order_are_kept(name: str, status: int, text: str):
    cassette = readable(read_cassette(file("t", text)))
    read = [(each.index, each.response.status) for each in cassette.interactions if isinstance(each, Exchange)]
    assert (cassette.format, read) == (name, [(0, status), (1, 200)])


def test_what_a_stub_does_not_tell_is_said():
    patterns = {"bodyPatterns": [{"matchesJsonPath": "$.model"}, {"equalTo": "words"}]}
    mappings = [{**stub(), "request": {"urlPath": "/v1", **patterns}}, stub(bodyFileName="a.json"), stub()]
    cassette = readable(read_cassette(file("t.json", {"mappings": mappings})))
    assert not cassette.ordered
    assert cassette.notes == ("Answers in files that are not read: 1.",)
    asked = [each.request.body for each in cassette.interactions if isinstance(each, Exchange) and each.request]
    assert asked == ["words", json.loads(SENT), json.loads(SENT)]
