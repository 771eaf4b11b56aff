"""The tables of what is not compared: complete, true, and what the ``not compared`` view counts."""

import json
from typing import Any

import pytest

from reviewlib.formats import FALLBACK, FORMATS
from reviewlib.ignored import ignored
from reviewlib.model.cassette import Exchange, File, Request, Response
from reviewlib.model.review import Ignored
from reviewlib.model.trajectory import Recording
from reviewlib.pipeline import compare, read
from reviewlib.policy import Policy
from reviewlib.providers import PROVIDERS, read_call
from reviewlib.uncompared import FORMATS as FORMAT_FIELDS
from reviewlib.uncompared import PROVIDERS as PROVIDER_FIELDS
from reviewlib.uncompared import REASONS, SENT, kinds_of
from tests.benchmarks.noise import AT, folders
from tests.corpus import needs_corpus
from tests.providers.bodies import ANTHROPIC_ANSWER, ANTHROPIC_REQUEST, CHAT_ANSWER, CHAT_REQUEST
from tests.providers.dialects import ANSWERS, REQUESTS, TEXT_ANSWERS, TEXT_REQUESTS, URLS
from tests.rewriting import Change, rewritten

OWN = frozenset({"arguments", "args", "input", "function_call", "tool_calls"})
"""Below these the keys are the agent's."""


def test_every_provider_and_every_format_has_its_table():
    assert PROVIDER_FIELDS.keys() == {provider.name for provider in PROVIDERS}
    assert FORMAT_FIELDS.keys() == {item.name for item in (*FORMATS, FALLBACK)}
    assert {kind for fields in PROVIDER_FIELDS.values() for kind in fields} == REASONS.keys()


def everywhere(value: Any, name: str, new: Any) -> Any:
    """A body in which every object has a field, but for what the agent wrote."""
    if isinstance(value, list):
        return [everywhere(item, name, new) for item in value]
    if not isinstance(value, dict):
        return value
    return {key: item if key in OWN else everywhere(item, name, new) for key, item in value.items()} | {name: new}


def neutral(provider: str, answer: Any) -> Any:
    sent = Request(method="POST", uri=URLS.get(provider), body=(REQUESTS | TEXT_REQUESTS).get(provider))
    call = read_call(Exchange(index=0, request=sent, response=Response(status=200, body=answer)))
    dumped = call.response.model_dump(exclude={"response_id"})
    return [{key: item for key, item in part.items() if key != "call_id"} for part in dumped.pop("parts")], dumped


FIELDS = [
    (provider, name) for provider, fields in PROVIDER_FIELDS.items() for names in fields.values() for name in names
]


@pytest.mark.parametrize(("provider", "name"), FIELDS)
def test_another_value_of_a_field_that_is_not_compared_reads_the_same(provider, name):
    answer = (ANSWERS | TEXT_ANSWERS)[provider]
    one, other = (neutral(provider, everywhere(answer, name, f"value-{number}")) for number in (1, 2))
    assert one == other


@pytest.mark.parametrize("name", SENT)
def test_another_value_of_what_is_sent_about_transport_and_billing_reads_the_same(name):
    for request, answer in ((ANTHROPIC_REQUEST, ANTHROPIC_ANSWER), (CHAT_REQUEST, CHAT_ANSWER)):
        one, other = (
            read_call(Exchange(index=0, request=Request(body=request | {name: value}), response=Response(body=answer)))
            for value in ("a", "b")
        )
        assert one.request.parameters == other.request.parameters


def recording(answer, **sent):
    pair = {
        "request": {
            "method": "POST",
            "uri": "https://api.openai.com/v1/chat/completions",
            "body": json.dumps(CHAT_REQUEST | sent),
        },
        "response": {"status": {"code": 200}, "headers": {}, "body": {"string": json.dumps(answer)}},
    }
    (item,) = read([File(path="a", blob="0" * 40, data=json.dumps({"interactions": [pair], "version": 1}).encode())])
    return item


def test_what_differs_inside_answers_is_counted_by_kind_and_name():
    one = {**CHAT_ANSWER, "created": 1, "system_fingerprint": "fp_a", "id": "chatcmpl-1", "service_tier": "default"}
    other = {"service_tier": "flex", "id": "chatcmpl-2", "moderation": None, "system_fingerprint": "fp_b", "created": 2, **{key: value for key, value in CHAT_ANSWER.items() if key not in one or key not in {"created", "id"}}}  # fmt: skip
    found = {item.what: item for item in ignored(recording(one, user="a"), recording(other, user="b"))}
    assert found["ids of answers"].count == 1
    assert found["times"] == Ignored(what="times", count=1, names=("created",))
    assert found["signatures and fingerprints"].names == ("system_fingerprint",)
    assert found["tiers and caching"].names == ("service_tier",)
    assert found["keys without a value"] == Ignored(what="keys without a value", count=1, names=("moderation",))
    assert found["fields of requests about transport and billing"].names == ("user",)
    assert found["objects with their keys in another order"].count >= 1


def test_of_equal_answers_nothing_is_counted():
    assert ignored(recording(CHAT_ANSWER), recording(CHAT_ANSWER)) == ()


def test_an_unknown_provider_has_no_fields():
    assert kinds_of("unknown") == {}


BODIES = frozenset({"body", "response", "request", "result", "data", "messages", "args", "frame", "message", "parts"})
"""Below these stands what was sent and answered."""


def other_fields(names, seen):
    """Put another value into the fields that a recorder writes around requests and answers."""

    def other(value):
        if isinstance(value, bool) or not isinstance(value, (str, int, float)):
            return value
        return "2001-02-03T04:05:06Z" if isinstance(value, str) else value + 1

    def changed(item, place):
        if not BODIES.isdisjoint(place[:-1]):
            return item
        seen.update(name for name in names if name in item)
        return {key: other(value) if key in names else value for key, value in item.items()}

    def headers(fields, _place):
        seen.add("headers")
        return [(name, other(value) if name.lower() not in KEPT else value) for name, value in fields]

    return Change(mapping=changed, headers=headers)


KEPT = frozenset({"content-type", "content-encoding", "transfer-encoding", "host"})


@needs_corpus
def test_other_values_around_the_answers_are_no_change_in_any_format():
    seen = {name: set() for name in FORMAT_FIELDS}
    for files in folders()[::3]:
        for item in read(files[:6]):
            if (
                isinstance(item, Recording)
                and len(item.cassette.path)
                and item.cassette.path in {file.path for file in files}
            ):
                name = item.cassette.format
                (file,) = (file for file in files if file.path == item.cassette.path)
                data = rewritten(file.data, other_fields(FORMAT_FIELDS[name], seen[name]))
                beside = [
                    each for each in files if each.path.startswith(file.path.rpartition(".")[0]) and each is not file
                ]
                again = next(
                    each
                    for each in read([file.model_copy(update={"data": data}), *beside])
                    if isinstance(each, Recording)
                )
                assert compare(item, again, Policy(), AT).significance == "identical", (file.path, name)
    assert sum(bool(names) for names in seen.values()) >= 12, seen
