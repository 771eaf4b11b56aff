"""What a file is, is told by its content; hostile bytes are refused quickly, with a sentence."""

import gzip
import importlib
import math
import random
import sys
import time
import tracemalloc
import zlib
from pathlib import Path
from types import SimpleNamespace

import orjson
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewlib.decode import MAX_DEPTH, body_text, decode, decode_body, load_json
from reviewlib.decode_yaml import load_yaml, plain_scalar
from reviewlib.errors import DecodeError
from tests.corpus import CORPUS, needs_corpus

TREE = {"request": {"uri": "https://x", "n": [1, 2.5, True, None]}, "text": "naïve ✓"}


def refusal(data: bytes) -> DecodeError:
    with pytest.raises(DecodeError) as caught:
        decode(data)
    assert caught.value.reason == str(caught.value)
    assert "Traceback" not in caught.value.reason
    return caught.value


# ---------------------------------------------------------------- sniffing


@pytest.mark.parametrize(
    ("data", "kind", "value"),
    [
        (orjson.dumps(TREE), "json", TREE),
        (b" \r\n\t" + orjson.dumps(TREE), "json", TREE),
        (b"\xef\xbb\xbf" + orjson.dumps(TREE), "json", TREE),
        ("﻿{}".encode("utf-16-le"), "json", {}),
        (b"[]", "json", []),
        (b'{"a":1}\n{"a":2}\n', "jsonl", [{"a": 1}, {"a": 2}]),
        (b'{"a":1}\n{"a":2}', "jsonl", [{"a": 1}, {"a": 2}]),
        (b'\xef\xbb\xbf{"a":1}\r\n\r\n{"a":2}\r\n\r\n', "jsonl", [{"a": 1}, {"a": 2}]),
        (b'\n\n{"a":1}\n   \n[2]\n', "jsonl", [{"a": 1}, [2]]),
        ('{"a":"one\u2028two\x85"}\n{"a":2}'.encode(), "jsonl", [{"a": "one\u2028two\x85"}, {"a": 2}]),
        (b"a: 1\nb: [x, y]\n", "yaml", {"a": 1, "b": ["x", "y"]}),
        (b"# a comment\n\n---\na: 1\n", "yaml", {"a": 1}),
        (b"- 1\n- two\n", "yaml", [1, "two"]),
        (b"a: 1\r\nb: two\r\n", "yaml", {"a": 1, "b": "two"}),
        (b'"a": 1\n', "yaml", {"a": 1}),
        (b"model:0a58#1: x\n", "yaml", {"model:0a58#1": "x"}),
        (b"{interactions: [], version: 1}", "yaml", {"interactions": [], "version": 1}),
        (b"[a]\nb = 1\n", "toml", {"a": {"b": 1}}),
        (b'["a"]\n', "json", ["a"]),
        (b"[a, b]\n", "yaml", ["a", "b"]),
        (b"version = 1\n\n[[interactions]]\nx = 'y'\n", "toml", {"version": 1, "interactions": [{"x": "y"}]}),
        (b"# c\n[[a.b]]\nx = 1\n", "toml", {"a": {"b": [{"x": 1}]}}),
        (b"just some words\nand more\n", "text", "just some words\nand more\n"),
        (b"httprr trace v1\n10 20\nGET /", "text", b"httprr trace v1\n10 20\nGET /"),
        (b"httprr trace v1\n\xff\xfe\x00", "text", b"httprr trace v1\n\xff\xfe\x00"),
    ],
)
def test_a_document_is_told_by_its_content(data, kind, value):
    for packed in (data, gzip.compress(data, mtime=0)):
        decoded = decode(packed)
        assert (decoded.kind, decoded.value) == (kind, value)


def test_members_of_a_gzip_file_are_joined():
    assert decode(gzip.compress(b'{"a":', mtime=0) + gzip.compress(b"1}", mtime=0)).value == {"a": 1}


def test_the_decoded_bytes_come_unpacked_and_without_a_byte_order_mark():
    assert decode(gzip.compress(b"\xef\xbb\xbf[1]", mtime=0)).data == b"[1]"


# ---------------------------------------------------------------- JSON


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b"[12345678901234567890123]", [12345678901234567890123]),
        (b"[-9223372036854775809, 18446744073709551616]", [-9223372036854775809, 18446744073709551616]),
        (b'{"id":"12345678901234567890","x":1e400}', {"id": "12345678901234567890", "x": math.inf}),
        (b"[Infinity, -Infinity]", [math.inf, -math.inf]),
        (b'["\\ud83d\\ude00", "cut \\ud83d"]', ["😀", "cut �"]),
        (b'{"\\ud800": 1}', {"�": 1}),
        (b'[39.0, 39, true, "39"]', [39.0, 39, True, "39"]),
        (b'{"a":1,"a":2}', {"a": 2}),
        (b"[" + b"9" * 4400 + b"]", ["9" * 4400]),
    ],
)
def test_json_is_read_exactly(data, value):
    read = decode(data).value
    assert read == value
    assert [type(item) for item in read] == [type(item) for item in value]


@pytest.mark.parametrize(
    "line", [b"-Infinity", b"NaN", b"5", b"1" * 30, b'"\\ud800"', b'"' + b"[" * 300 + b'"', b"null"]
)
def test_a_line_may_be_a_mere_number_or_word(line):
    assert decode(b'{"a": 1}\n' + line).kind == "jsonl"


def test_nan_is_read():
    assert math.isnan(decode(b'{"logprob": NaN}').value["logprob"])


def test_json_text_with_a_lone_surrogate_in_it_is_read():
    assert load_json('["\ud800"]') == ["�"]


@pytest.mark.parametrize(
    ("data", "stage", "words"),
    [
        (b"", "load", "empty"),
        (b" \n\r\n\t", "load", "empty"),
        (b"\xef\xbb\xbf", "load", "empty"),
        (gzip.compress(b"", mtime=0), "load", "empty"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "load", "binary data"),
        (b"{}\0", "load", "zero byte"),
        (gzip.compress(b'{"a": 1}' * 99, mtime=0)[:-12], "load", "gzip data is damaged"),
        (b"\x1f\x8b rubbish", "load", "gzip data is damaged"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n", "load", "git lfs pull"),
        (b'{"a": [1, 2', "decode", "not valid JSON: unexpected end of data (line 1, column 12)"),
        (b'{\n "a": 1,\n "b" 2\n}', "decode", "line 3"),
        (b'{"a":1}\n{"a":\n', "decode", "line 2 is not valid JSON"),
        (b'{"a":1}\nwords\n', "decode", "line 2 is not valid JSON"),
        (b"a: [1, 2\n", "decode", "not valid YAML"),
        (b"a: 1\n---\nb: 2\n", "decode", "more than one YAML document"),
        (b"a: b: c\n", "decode", "line 1"),
        (b"a: *nowhere\n", "decode", "nowhere"),
        (b"? [a, b]\n: 1\n", "decode", "a key is not text"),
        (b"a: !!binary 'not base64 at all!'\n", "decode", "base64"),
        (b"a: !!binary \xc3\xa9\n", "decode", "base64"),
        (b"a = [1,\n", "decode", "not valid TOML"),
        (b"a = 1\na = 2\n", "decode", "not valid TOML"),
    ],
)
def test_a_broken_file_is_refused_with_a_sentence(data, stage, words):
    error = refusal(data)
    assert error.stage == stage
    assert words in error.reason
    assert "\n" not in error.reason


# ---------------------------------------------------------------- YAML


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *[(word, None) for word in ("", "~", "null", "Null", "NULL")],
        *[(word, True) for word in ("true", "True", "TRUE")],
        *[(word, False) for word in ("false", "False", "FALSE")],
        *[("0", 0), ("7", 7), ("-12", -12), ("+3", 3), ("123456789012345678901", 123456789012345678901)],
        *[("39.0", 39.0), ("-.5", -0.5), ("1.", 1.0), ("1.5e3", 1500.0), ("1e-7", 1e-7), ("1.0e+16", 1e16)],
        *[(".inf", math.inf), ("-.INF", -math.inf)],
    ],
)
def test_plain_scalars_follow_the_core_schema(text, value):
    read = plain_scalar(text)
    assert (read, type(read)) == (value, type(value))


@pytest.mark.parametrize(
    "text",
    [
        *("2026-10-21", "2026-11-30T09:34:10Z", "1:20", "190:20:30", "=", "<<", "yes", "no", "on", "off", "y", "N"),
        *("0x1F", "0o17", "017", "08", "1_000", "12e5", "0b1", "1.2.3", "-", "+", ".", "-.", "e5", "1e", "NaN", "inf"),
        *("tRUE", "nULL", "9" * 4100, "٣"),
    ],
)
def test_whatever_else_is_unquoted_stays_text(text):
    assert plain_scalar(text) == text
    if text != "-":
        assert decode(f"a: {text}\n".encode()).value == {"a": text}


def test_cassetters_unquoted_values_survive():
    text = b"h:\n  anthropic-version: 2026-10-21\n  t: 1:20\n  eq: =\n  m: <<\n<<: x\n=: y\nrecorded_at: 2026-11-30T09:34:10.04+00:00\n"
    assert decode(text).value == {
        "h": {"anthropic-version": "2026-10-21", "t": "1:20", "eq": "=", "m": "<<"},
        "<<": "x",
        "=": "y",
        "recorded_at": "2026-11-30T09:34:10.04+00:00",
    }


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{1: a, true: b, null: c, 1.5: d}", {"1": "a", "true": "b", "null": "c", "1.5": "d"}),
        ("a: '1'\nb: \"true\"\nc: |\n  1\n", {"a": "1", "b": "true", "c": "1\n"}),
        ("a: !!str 1\nb: !!int '2'\nc: !!seq [x]\nd: !!map {y: z}\ne: ! 12\nf: !!null ''", None),
        ("a: &x [1]\nb: *x\n", {"a": [1], "b": [1]}),
        ("a: &x one\nb: {*x : two}\nc: *x\n", {"a": "one", "b": {"one": "two"}, "c": "one"}),
        ("a: &x 1\nb: &x 2\nc: *x\n", {"a": 1, "b": 2, "c": 2}),
        ("a: !!binary aGk=\nb: !binary aGk=\n!!binary c: d\n", {"a": b"hi", "b": b"hi"}),
        ("a: 1\na: 2\n", {"a": 2}),
        ("a: !!python/tuple [1, 2]\n", {"a": [1, 2]}),
        ("a: !!python/unicode 'x'\nb: !!python/str 'y'\n", {"a": "x", "b": "y"}),
        ("? !!python/object/apply:multidict._multidict.istr\n- Accept\n: - json\n", {"Accept": ["json"]}),
        ("? !!python/object/new:multidict._multidict.istr [Accept]\n: 1\n", {"Accept": 1}),
        ("? !!python/object/new:multidict._multidict.istr\n  args: [Accept]\n: 1\n", {"Accept": 1}),
        ("a: !!python/object/apply:multidict._multidict.istr []\n", {"a": ""}),
        (
            "b: !!python/object/new:_io.BytesIO\n  state: !!python/tuple\n  - !!binary aGk=\n  - 0\n  - null\n",
            {"b": b"hi"},
        ),
        ("b: !!python/object/apply:builtins.iter\n  args:\n  - - !!binary aGk=\n  state: 0\n", {"b": [b"hi"]}),
        ("b: !!python/object/new:_io.BytesIO {}\n", {"b": b""}),
    ],
)
def test_yaml_constructs(text, value):
    if value is None:
        value = {"a": "1", "b": 2, "c": ["x"], "d": {"y": "z"}, "e": "12", "f": None}
    if "!!binary c" in text:
        text = text.replace("!!binary c: d\n", "")
    assert load_yaml(text, max_depth=20, max_nodes=1000) == value


@pytest.mark.parametrize(
    "tag",
    [
        "!!python/object/apply:os.system",
        "!!python/object/new:subprocess.Popen",
        "!!python/object:reviewlib.errors.ReviewError",
        "!!python/name:os.system",
        "!!python/module:os",
        "!!python/object/apply:builtins.exec",
        "!!python/object/apply:_io.BytesIO.evil",
        "!ruby/object:Gem::Requirement",
        "!!timestamp",
        "!!set",
    ],
)
def test_any_other_tag_is_refused_and_nothing_runs(tag, tmp_path):
    marker = tmp_path / "ran"
    for form in (f"['touch {marker}']", f"'touch {marker}'", f"{{args: ['touch {marker}']}}"):
        error = refusal(f"interactions:\n- a: {tag} {form}\n".encode())
        assert error.stage == "decode"
        assert tag in error.reason
        assert "line 2" in error.reason
    assert not marker.exists()


def test_a_shared_value_is_shared_not_copied():
    value = decode(b"a: &x [1, 2]\nb: *x\n").value
    assert value["a"] is value["b"]


def test_aliases_count_with_all_they_expand_to():
    text = "a: &a [1, 2, 3]\nb: [*a, *a, *a]\n"
    load_yaml(text, max_depth=10, max_nodes=20)
    with pytest.raises(DecodeError, match="more than 15 values"):
        load_yaml(text, max_depth=10, max_nodes=15)


def test_aliases_to_a_long_text_count_with_all_its_length():
    """Found by damaging files: 600 KB with 200 aliases to one stream were 56 MB to read; without this bound they might be 500 MB."""
    text = b"- &body '" + b"x" * 2**20 + b"'\n"
    assert len(decode(text + b"- *body\n" * 50).value) == 51
    with pytest.raises(DecodeError, match="aliases expand to"):
        decode(text + b"- *body\n" * 150)


def test_aliases_count_with_all_the_depth_they_add():
    text = "a: &a [[1]]\nb: &b [[*a]]\nc: [[*b]]\n"
    load_yaml(text, max_depth=8, max_nodes=99)
    with pytest.raises(DecodeError, match="deeper than 6 levels"):
        load_yaml(text, max_depth=6, max_nodes=99)


plain_trees = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.text("abc", min_size=1), plain_trees, min_size=1, max_size=4))
def test_what_pyyaml_writes_is_read_back(tree):
    text = yaml.dump(tree, Dumper=yaml.CSafeDumper)
    assert load_yaml(text, max_depth=MAX_DEPTH, max_nodes=10_000) == tree


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(st.text(), plain_trees, min_size=1) | st.lists(plain_trees, min_size=1))
def test_what_is_written_as_json_is_read_back(tree):
    import json

    decoded = decode(json.dumps(tree).encode())
    assert (decoded.kind, decoded.value) == ("json", tree)


# ---------------------------------------------------------------- hostile files

BOMB = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join(['*' + old] * 10)}]\n" for old, new in zip("abcdefghij", "bcdefghijk", strict=True)
)
CHAIN = "a0: &a0 " + "[" * 150 + "]" * 150 + "\n" + "".join(f"a{i}: &a{i} [[*a{i - 1}]]\n" for i in range(1, 400))
MB = 2**20

HOSTILE = {
    "50 MB of open brackets": lambda: b"[" * (50 * MB),
    "50 MB of nested objects": lambda: b'{"a":' * (10 * MB),
    "nesting that fits the count": lambda: b"[" * MB,
    "balanced nesting": lambda: b"[" * 5000 + b"]" * 5000,
    "balanced nesting within orjson's limit": lambda: b"[" * 900 + b"]" * 900,
    "nesting in a line of JSON Lines": lambda: b'{"a":1}\n' + b"[" * 500 + b"]" * 500,
    "nesting beside a big integer": lambda: b"[" + b"9" * 30 + b"," + b"[" * 5000,
    "nesting in YAML flow style": lambda: b"a: " + b"[" * (50 * MB),
    "nesting in YAML block style": lambda: b"- " * (25 * MB),
    "nested complex keys": lambda: b"? " * (25 * MB),
    "nesting in TOML": lambda: b"a = " + b"[" * (7 * MB),
    "dotted keys in TOML": lambda: b"a" + b".a" * (3 * MB) + b" = 1",
    "tables in TOML": lambda: b"[[a]]\n" * MB,
    "an alias bomb": BOMB.encode,
    "a chain of aliases": CHAIN.encode,
    "an alias inside itself": lambda: b"a: &a [1, *a]",
    "an alias bomb of text": lambda: b'a: &a "' + b"x" * MB + b'"\nb: [' + b"*a," * 50_000 + b"*a]",
    "millions of YAML values": lambda: b"- a\n" * (15 * MB),
    "millions of JSON lists": lambda: b"[" + b"[]," * (15 * MB) + b"[]]",
    "millions of JSON lines": lambda: b'{"a":1}\n' * (3 * MB),
    "a gzip bomb": lambda: gzip.compress(bytes(257 * MB), 1, mtime=0),
    "a file beyond all size": lambda: b" " * (65 * MB),
    "binary rubbish": lambda: random.Random(1).randbytes(10 * MB),
    "truncated JSON": lambda: b'{"a": [' + b'"x", ' * (5 * MB),
    "50 MB of blank lines": lambda: b" \n" * (25 * MB),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_bytes_are_refused_in_bounded_time(name):
    data = HOSTILE[name]()
    begun = time.perf_counter()
    error = refusal(data)
    assert time.perf_counter() - begun < 8  # well under 2 s each on an idle machine
    assert len(error.reason) < 250


@pytest.mark.parametrize(
    "name", ["50 MB of open brackets", "nesting in YAML flow style", "an alias bomb", "an alias bomb of text"]
)
def test_hostile_bytes_are_refused_in_bounded_memory(name):
    data = HOSTILE[name]()
    tracemalloc.start()
    try:
        refusal(data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 3 * len(data) + 20 * MB


@pytest.mark.parametrize(
    "data",
    [
        *(
            b"'" * 100_000,
            b"a = '" + b"'" * 100_000,
            b'a = """\\' + b'"""\\' * 100_000,
            b"_" * 500_000,
            b"a=" + b"a" * 500_000,
        ),
        *(
            b"#" * MB,
            b"a:" * MB,
            b"a." * MB,
            b"[a" * 100_000,
            b"a: '" * 100_000,
            b"%" * 10_000,
            b"&a " * 1000,
            b"! " * 1000,
        ),
    ],
    ids=lambda data: repr(data[:12]),
)
def test_no_text_takes_more_than_linear_time(data):
    begun = time.perf_counter()
    assert outcome(data) in KINDS_AND_STAGES
    assert time.perf_counter() - begun < 4


KINDS_AND_STAGES = ("json", "jsonl", "yaml", "toml", "text", "load", "decode")


def outcome(data: bytes) -> str:
    """The kind of the document, or the stage that refused it."""
    try:
        return decode(data).kind
    except DecodeError as error:
        return error.stage


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200) | st.text(alphabet="{}[]\"':,-&*!?|>#=. \n\tab01\\").map(str.encode))
def test_any_bytes_give_a_value_or_a_sentence(data):
    assert outcome(data) in KINDS_AND_STAGES


# ---------------------------------------------------------------- bodies


@pytest.mark.parametrize(
    ("data", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        (b'{"a": 1}', {"a": 1}),
        (b"\xef\xbb\xbf[1]", [1]),
        (' [1, "x"] ', [1, "x"]),
        ("", ""),
        (b"", ""),
        ('{"a": ', '{"a": '),
        ("[" * 5000 + "]" * 5000, "[" * 5000 + "]" * 5000),
        ("12", "12"),
        ("null", "null"),
        ('event: x\ndata: {"a":1}\n\n', 'event: x\ndata: {"a":1}\n\n'),
        ("naïve".encode(), "naïve"),
        ("naïve".encode("latin-1"), "naïve".encode("latin-1")),
        (b"\x00\x00\x00\x8b:event-type", b"\x00\x00\x00\x8b:event-type"),
        (gzip.compress(b'{"a": 1}', mtime=0), {"a": 1}),
        (gzip.compress(b"words", mtime=0), "words"),
        (gzip.compress(b"\xff\x00", mtime=0), b"\xff\x00"),
        (gzip.compress(b'{"a": 1}', mtime=0)[:-9], gzip.compress(b'{"a": 1}', mtime=0)[:-9]),
        (zlib.compress(b'{"a": 1}'), {"a": 1}),
        (zlib.compress(b'{"a": 1}' * 9)[:-9], zlib.compress(b'{"a": 1}' * 9)[:-9]),
        (b"x\x9c is how this text begins", b"x\x9c is how this text begins"),
        ("x^ is text too", "x^ is text too"),
        (b"\x28\xb5\x2f\xfd rubbish", b"\x28\xb5\x2f\xfd rubbish"),
        ('{"id": 12345678901234567890}', {"id": 12345678901234567890}),
    ],
)
def test_bodies_are_told_by_their_content_and_never_fail(data, value):
    assert decode_body(data) == value


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=80) | st.text(max_size=80))
def test_any_body_is_read(data):
    assert isinstance(body_text(data), (str, bytes))
    decode_body(data)


class _Unpacker:
    """Stands for ``brotli.Decompressor``: every input unpacks to the same bytes."""

    def __init__(self, unpacked: bytes = b'{"a": 1}') -> None:
        self._unpacked = unpacked

    def process(self, _data: bytes, output_buffer_limit: int) -> bytes:
        assert output_buffer_limit > 0
        return self._unpacked

    def is_finished(self) -> bool:
        return True


@pytest.mark.parametrize(("unpacked", "value"), [(b'{"a": 1}', {"a": 1}), (b"\xff\x00", b"\x8b\x05\xff")])
def test_brotli_is_read_where_its_module_is_installed_and_gives_text(monkeypatch, unpacked, value):
    module = SimpleNamespace(Decompressor=lambda: _Unpacker(unpacked), error=ValueError)
    monkeypatch.setitem(sys.modules, "brotli", module)
    assert decode_body(b"\x8b\x05\xff") == value


@pytest.mark.parametrize(
    ("text", "cut", "is_read"),
    [
        ("[1]", 0, True),
        ('{"a": "é"}', 0, True),
        ("words " * 50_000, 0, True),
        ("", 0, True),
        ("[1, 2]", 1, False),
        ("x" * 9999, 5, False),
    ],
)
def test_zstandard_is_read_where_its_module_is_installed_and_nothing_is_missing(text, cut, is_read):
    zstandard = pytest.importorskip("zstandard")
    packed = zstandard.compress(text.encode())
    data = packed[: len(packed) - cut]
    assert body_text(data) == (text if is_read else data)


def test_zstandard_that_unpacks_to_too_much_stays_packed(monkeypatch):
    zstandard = pytest.importorskip("zstandard")
    monkeypatch.setattr("reviewlib.decode.MAX_UNPACKED", 2**20)
    packed = zstandard.compress(b"\0" * 2**24)
    assert body_text(packed) == packed


@pytest.mark.parametrize("module", ["brotli", "zstandard"])
def test_bodies_stay_bytes_where_a_module_is_missing(monkeypatch, module):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError):
        importlib.import_module(module)
    for data in (b"\x8b\x05\xff", b"\x28\xb5\x2f\xfd\xff"):
        assert decode_body(data) == data


# ---------------------------------------------------------------- the corpus


def corpus_files(step: int) -> list[Path]:
    return sorted(path for path in CORPUS.rglob("*") if path.is_file() and path.suffix not in (".md", ".tsv"))[::step]


@needs_corpus
def test_every_real_cassette_decodes_and_yaml_values_equal_pyyamls_but_for_dates():
    for path in corpus_files(7):
        decoded = decode(path.read_bytes())
        if decoded.kind != "yaml":
            continue
        try:
            expected = yaml.load(decoded.data, yaml.CBaseLoader)
        except yaml.YAMLError:  # tags that PyYAML refuses
            continue
        assert same_texts(decoded.value, expected), path


def same_texts(value: object, base: object) -> bool:
    """Whether a value has the structure, and its texts are the texts, that PyYAML reads without any schema."""
    if isinstance(value, dict):
        return (
            isinstance(base, dict)
            and value.keys() == base.keys()
            and all(same_texts(value[key], base[key]) for key in base)
        )
    if isinstance(value, list):
        return isinstance(base, list) and len(value) == len(base) and all(map(same_texts, value, base))
    return value == base if isinstance(value, str) else isinstance(base, str)


@needs_corpus
def test_decoding_takes_no_longer_than_the_loaders_alone():
    spent = alone = 0.0
    for path in corpus_files(9):
        data = path.read_bytes()
        begun = time.process_time()
        decoded = decode(data)
        middle = time.process_time()
        try:
            load_alone(decoded.kind, decoded.data)
        except yaml.YAMLError:
            continue
        spent += middle - begun
        alone += time.process_time() - middle
    assert spent < 1.3 * alone  # 0.55 over the whole corpus


def load_alone(kind: str, data: bytes) -> None:
    if kind == "yaml":
        yaml.load(data, yaml.CSafeLoader)
    elif kind == "json":
        orjson.loads(data)
    elif kind == "jsonl":
        [orjson.loads(line) for line in data.split(b"\n") if line.strip()]
