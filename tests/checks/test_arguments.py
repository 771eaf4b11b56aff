"""Arguments against recorded schemas, which may be broken, huge, or made to keep a judge busy."""

import json
import time

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewlib.checks import arguments
from reviewlib.checks.arguments import ArgumentReader, plainly_fits
from tests.checks.cassettes import DONE, TOOLS, call, cassette, findings

POINT = {
    "type": "object",
    "properties": {"x": {"type": "number"}, "name": {"$ref": "#/$defs/Name"}, "next": {"$ref": "#"}},
    "required": ["x"],
    "$defs": {"Name": {"type": "string", "minLength": 1}},
}


def complaint(schema, value):
    return ArgumentReader().complaint(schema, value)


RIGHT = {
    "types": ({"type": "object", "properties": {"n": {"type": ["integer", "null"]}}}, {"n": None}),
    "a whole number, however written": ({"type": "integer"}, 39.0),
    "Gemini's capitals": ({"type": "OBJECT", "properties": {"n": {"type": "STRING"}}}, {"n": "x"}),
    "OpenAPI's null": ({"type": "object", "properties": {"n": {"type": "STRING", "nullable": True}}}, {"n": None}),
    "a reference": (POINT, {"x": 1, "name": "a", "next": {"x": 2}}),
    "one of several": ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, 4),
    "properties by pattern": ({"patternProperties": {"^x-": {}}, "additionalProperties": False}, {"x-a": 1}),
    "branches that only a pattern tells apart": (
        {"oneOf": [{"type": "string", "pattern": "^a"}, {"type": "string", "pattern": "^b"}]},
        "a1",
    ),
    "what must not be, by a pattern": ({"not": {"pattern": "^secret"}}, "plain"),
    "no schema": (None, {"x": 1}),
    "a schema of true": (True, {"x": 1}),
    "unknown keywords": ({"type": "object", "widget": {"type": "number"}}, {"x": 1}),
}
WRONG = {
    "another type": ({"type": "object", "properties": {"n": {"type": "integer"}}}, {"n": "4"}, "n: '4' is not of type"),
    "true is no number": ({"type": "integer"}, True, "True is not of type 'integer'"),
    "nothing is no text": ({"type": "object", "properties": {"n": {"type": "STRING"}}}, {"n": None}, "n: None is not"),
    "what is required": (POINT, {}, "'x' is a required property"),
    "what is referred to": (POINT, {"x": 1, "name": ""}, "name: "),
    "a choice": ({"enum": ["a", "b"]}, "c", "'c' is not one of ['a', 'b']"),
    "a constant": ({"const": "a"}, "b", "'a' was expected"),
    "a bound": ({"properties": {"n": {"exclusiveMinimum": 0}}}, {"n": 0}, "n: 0 is less than or equal to"),
    "an item": ({"items": {"type": "string"}}, ["a", 1], "[1]: 1 is not of type 'string'"),
    "all of several": ({"allOf": [{"type": "object"}, {"required": ["x"]}]}, {}, "'x' is a required property"),
    "none of several": ({"oneOf": [{"type": "string"}, {"type": "integer"}]}, [], "[] is not valid under any"),
    "a part of a schema that holds itself twice": (
        {"properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"}, "n": {"type": "integer"}}},
        {"left": {"n": 1}, "n": "x"},
        "n: 'x' is not of type 'integer'",
    ),
    "an unknown property": (
        {"properties": {"a": {}}, "additionalProperties": False},
        {"b": 1},
        "Additional properties are not allowed ('b' was unexpected)",
    ),
}


@pytest.mark.parametrize("case", RIGHT)
def test_arguments_that_fit_are_not_complained_of(case):
    assert complaint(*RIGHT[case]) is None


@pytest.mark.parametrize("case", WRONG)
def test_arguments_that_do_not_fit_are_complained_of_with_place_and_reason(case):
    schema, value, words = WRONG[case]
    assert complaint(schema, value).startswith(words)


def flat(types):
    """Schemas of objects with flat properties, and values for them."""
    names = st.sampled_from(["a", "b", "c"])
    schemas = st.fixed_dictionaries(
        {"properties": st.dictionaries(names, st.one_of(st.just({}), types.map(lambda kind: {"type": kind})))},
        optional={
            "type": st.sampled_from(["object", "string"]),
            "required": st.lists(names, unique=True),
            "additionalProperties": st.one_of(st.booleans(), types.map(lambda kind: {"type": kind})),
            "minProperties": st.integers(0, 2),
        },
    )
    values = st.one_of(st.none(), st.booleans(), st.integers(-2, 2), st.floats(-2, 2), st.text(max_size=2))
    return st.tuples(schemas, st.one_of(values, st.dictionaries(names, st.one_of(values, st.just([])))))


@given(flat(st.sampled_from(["string", "number", "integer", "boolean", "null", "array", "object"])))
def test_what_plainly_fits_fits(case):
    schema, value = case
    if plainly_fits(schema, value):
        assert jsonschema.Draft202012Validator(schema).is_valid(value)


def test_a_usual_call_plainly_fits():
    assert plainly_fits(TOOLS[0]["input_schema"], {"order_id": "4471"})
    assert not plainly_fits(TOOLS[0]["input_schema"], {"order_id": 4471})


BROKEN = [
    {"type": "text"},
    {"type": 4},
    {"type": ["string", 4]},
    {"type": []},
    {"required": "x"},
    {"required": [1, None]},
    {"properties": ["x"]},
    {"items": [{"type": "string"}]},
    {"anyOf": "x"},
    {"anyOf": []},
    {"allOf": [None, 4, "x"]},
    {"enum": "abc"},
    {"enum": []},
    {"minimum": "4"},
    {"minimum": True},
    {"maximum": float("nan")},
    {"exclusiveMinimum": True},
    {"maxLength": -1.5},
    {"multipleOf": 0},
    {"pattern": "("},
    {"patternProperties": {"(": {}}},
    {"additionalProperties": "no"},
    {"$ref": 4},
    {"$ref": "#/nowhere/at/all"},
    {"$ref": "#/$defs/~"},
    {"$dynamicRef": "#x", "$schema": "https://example.com/none", "$id": "::"},
    {"format": "uri", "contentEncoding": 4},
]


@pytest.mark.parametrize("schema", BROKEN, ids=json.dumps)
def test_a_broken_part_of_a_schema_says_nothing(schema):
    assert complaint({"type": "object", "properties": {"n": schema}}, {"n": "text", "x": 1}) is None


def test_no_reference_leads_out_of_the_schema(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("something was fetched")

    for name in ("socket.socket.connect", "urllib.request.urlopen", "builtins.open"):
        monkeypatch.setattr(name, refuse)
    for reference in ("https://example.com/schema.json", "file:///etc/passwd", "other.json#/a", "urn:x:y", "./$defs/a"):
        inside = {"$defs": {"a": {"type": "integer"}}}
        assert complaint({"$ref": reference, "type": "object", **inside}, {"x": 1}) is None
        assert complaint({"$ref": reference, "type": "object"}, "x") == "'x' is not of type 'object'"


UNFOLDING = {f"d{level}": {"allOf": [{"$ref": f"#/$defs/d{level + 1}"}] * 10} for level in range(20)}
DEEP: dict = {}
for _ in range(600):
    DEEP = {"type": "object", "properties": {"x": DEEP}}

HOSTILE = {
    "a catastrophic pattern": ({"type": "string", "pattern": "^(a+)+$"}, "a" * 60 + "!"),
    "a catastrophic name": ({"patternProperties": {"^(a+)+$": {}}, "additionalProperties": False}, {"a" * 60 + "!": 1}),
    "references that unfold without end": ({"$ref": "#/$defs/d0", "$defs": UNFOLDING}, {"x": 1}),
    "references in a circle": (
        {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
        1,
    ),
    "a schema that is deep": (DEEP, {"x": {"x": 1}}),
    "a schema that is wide": ({"properties": {f"n{n}": {"type": "string"} for n in range(50_000)}}, {"n1": 1}),
    "items that must differ": ({"uniqueItems": True}, [{"n": n} for n in range(20_000)]),
    "values without end": ({"items": {"type": "integer"}}, list(range(500_000))),
    "branches without end": (
        {"items": {"anyOf": [*[{"type": "string"}] * 1900, {"type": "integer"}]}},
        list(range(1900)),
    ),
    "branches of which the last fits": (
        {"items": {"anyOf": [*[{"type": "string"}] * 48, {"type": "integer"}]}},
        list(range(1900)),
    ),
    "a huge number": ({"type": "number", "multipleOf": 0.1, "maximum": 10**400}, 10**399),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_schema_that_would_keep_a_judge_busy_takes_no_time(case):
    start = time.process_time()
    complaint(*HOSTILE[case])
    assert time.process_time() - start < 3


def test_many_hostile_schemas_take_no_more_time_than_one_recording_is_worth(monkeypatch):
    monkeypatch.setattr(arguments, "MAX_WORK", 20_000)
    reader = ArgumentReader()
    for _ in range(50):
        reader.complaint({"$ref": "#/$defs/d0", "$defs": UNFOLDING}, {"x": 1})
    assert reader.complaint({"type": "string"}, 1) is None
    assert complaint({"type": "string"}, 1) == "1 is not of type 'string'"


def test_a_long_value_is_cut_where_the_complaint_quotes_it():
    told = complaint({"type": "integer"}, "x" * 100_000)
    assert len(told) < 130
    assert told.endswith("is not of type 'integer'")


def test_a_recording_with_a_broken_schema_is_judged_all_the_same():
    for schema in BROKEN:
        tools = ({**TOOLS[0], "input_schema": {**schema, "properties": {"order_id": schema}}},)
        assert findings(None, cassette(call(), DONE, tools=tools), "invalid-arguments") == []
    tools = ({**TOOLS[0], "input_schema": {"$ref": "#/$defs/d0", "$defs": UNFOLDING}},)
    assert findings(None, cassette(call(), DONE, tools=tools), "invalid-arguments") == []
