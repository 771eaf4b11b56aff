"""What every adapter keeps: it claims its own, refuses everybody else's, and survives whatever it is given."""

import fnmatch
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewlib.decode import decode
from reviewlib.formats import FORMATS, claims, read_cassette, read_cassettes
from reviewlib.formats.format import Context, Format
from reviewlib.model.cassette import Cassette, Exchange, File, ToolExecution, Unreadable
from tests.corpus import CORPUS, needs_corpus
from tests.formats.samples import HASH, OTHERS, SAMPLES, file, readable

NAMED = [pytest.param(name, each, id=f"{name}: {what}") for name, samples in SAMPLES.items() for what, each in samples]


def test_every_format_has_samples_and_a_name_of_its_own():
    assert {format_.name for format_ in FORMATS} == set(SAMPLES)
    assert len({format_.title for format_ in FORMATS}) == len(FORMATS)


@pytest.mark.parametrize(("name", "sample"), NAMED)
def test_a_sample_is_claimed_by_its_own_format_alone(name: str, sample: File):
    assert claims(sample)
    assert readable(read_cassette(sample)).format == name
    assert [format_.name for format_ in FORMATS if claimed_by(format_, sample)] == [name]


def claimed_by(format_: Format, sample: File) -> bool:
    decoded = decode(sample.data)
    views = {decoded.kind: decoded.value}
    if decoded.kind == "json" and isinstance(decoded.value, dict):
        views["jsonl"] = [decoded.value]
    return any(kind in format_.reads and format_.recognise(value) for kind, value in views.items())


@pytest.mark.parametrize("what", OTHERS)
def test_what_is_no_cassette_of_these_formats_is_claimed_by_none(what: str):
    assert not claims(OTHERS[what])
    result = read_cassette(OTHERS[what])
    assert isinstance(result, Unreadable)
    assert result.stage == "recognise"
    assert result.reason.startswith("no recorder writes this: ")


@pytest.mark.parametrize(("name", "sample"), NAMED)
def test_interactions_are_numbered_in_order(name: str, sample: File):
    cassette = readable(read_cassette(sample))
    assert cassette.format == name
    assert [each.index for each in cassette.interactions] == list(range(len(cassette.interactions)))
    assert cassette.path == ("t" if sample.path == f"t/{HASH}.json" else sample.path)
    for each in cassette.interactions:
        if isinstance(each, Exchange):
            assert each.request is not None or "requests" in cassette.not_recorded
            assert each.response is not None
        else:
            assert isinstance(each, ToolExecution)
            assert each.tool


@pytest.mark.parametrize(("name", "sample"), NAMED)
def test_reading_twice_gives_equal_values(name: str, sample: File):
    assert read_cassette(sample) == read_cassette(sample), name


hostile_leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | st.binary(max_size=6)
KEYS = st.sampled_from(
    [
        "request",
        "response",
        "interactions",
        "uri",
        "status",
        "body",
        "fp",
        "key",
        "kind",
        "arguments",
        "result",
        "headers",
        "string",
        f"model:{'a' * 16}#1",
    ]
)
hostile_trees = st.recursive(
    hostile_leaves,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS | st.text(max_size=4), inner, max_size=5),
    max_leaves=20,
)


@settings(max_examples=150, deadline=None)
@given(hostile_trees)
def test_no_tree_makes_recognition_fail(tree: Any):
    for format_ in FORMATS:
        if "jsonl" not in format_.reads or isinstance(tree, list):
            assert format_.recognise(tree) in (True, False)


@pytest.mark.parametrize(("name", "sample"), NAMED)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_a_cassette_with_any_value_replaced_is_read_or_unreadable(name: str, sample: File, data: st.DataObject):
    decoded = decode(sample.data)
    format_ = next(each for each in FORMATS if each.name == name)
    value = decoded.value if decoded.kind in format_.reads else [decoded.value]
    places = [place for place in walk(value) if place or "jsonl" not in format_.reads]
    spoilt = replaced(value, data.draw(st.sampled_from(places)), data.draw(hostile_trees))
    if format_.recognise(spoilt):
        try:
            parsed = format_.parse(spoilt, Context("x"))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            pytest.fail(f"{name} recognised what it cannot read: {error!r}")
        assert all(each is not None for each in parsed.interactions)


def walk(value: Any, place: tuple[Any, ...] = ()) -> Any:
    yield place
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield from walk(child, (*place, key))


def replaced(value: Any, place: tuple[Any, ...], new: Any) -> Any:
    if not place:
        return new
    key, *rest = place
    if isinstance(value, dict):
        return {**value, key: replaced(value[key], tuple(rest), new)}
    return [replaced(item, tuple(rest), new) if index == key else item for index, item in enumerate(value)]


@pytest.mark.parametrize(("name", "sample"), NAMED)
def test_a_cut_off_file_is_read_or_unreadable_and_harms_no_other(name: str, sample: File):
    sound = file("sound.json", [{"fp": "0" * 16, "response": {"id": "x"}}])
    step = max(1, len(sample.data) // 25)
    for length in range(0, len(sample.data), step):
        cut = sample.model_copy(update={"data": sample.data[:length]})
        results = read_cassettes([cut, sound])
        assert len(results) == 2, name
        assert readable(next(each for each in results if each.path == "sound.json")).interactions
        assert all(each.reason and "\n" not in each.reason for each in results if isinstance(each, Unreadable))


RECORDED = {
    "vcrpy": "vcrpy-* langchain-yaml-gz",
    "agentreplay": "pytest-agentreplay",
    "fp-list": "seed000-*",
    "hash-files": "seed001-*",
    "name-hash-map": "seed002-*",
    "keyed-jsonl": "seed003-*",
    "cassetteai": "cassetteai",
    "cassetter": "cassetter-*",
    "har": "pollyjs-har",
    "pytest-llm-vcr": "pytest-llm-vcr-*",
    "reel": "reel-*",
    "replex": "replex-*",
    "agentape": "agentape agentape-stream",
    "agentcassette": "agentcassette",
    "agenttape": "agenttape-*",
    "cendor": "cendor-cassette-*",
    "claude-agent": "claude-agent-cassette",
    "langchain-replay": "langchain-replay",
    "llm-cassette": "llm-cassette-*",
    "llmvcr": "llmvcr-openai",
    "mcp-cassette": "mcp-cassette",
    "traceops": "traceops-* replay-agent-*",
}
WITH_SIDECARS = {"langchain-replay"}


def recorded(pattern: str, step: int) -> list[File]:
    paths = sorted(path for path in (CORPUS / "recorders").glob(f"{pattern}/*/**/*") if path.is_file())[::step]
    return [file(path.relative_to(CORPUS).as_posix(), path.read_bytes()) for path in paths]


@needs_corpus
@pytest.mark.parametrize("name", RECORDED)
def test_everything_a_recorder_wrote_is_claimed_by_its_format_alone(name: str):
    for pattern in RECORDED[name].split():
        files = recorded(pattern, 1 if name in WITH_SIDECARS else 3)
        assert files
        for result in read_cassettes(files):
            assert readable(result).format == name
            assert readable(result).interactions


@needs_corpus
def test_no_recorder_of_the_corpus_is_left_out():
    patterns = [pattern for patterns in RECORDED.values() for pattern in patterns.split()]
    folders = {path.name for path in (CORPUS / "recorders").iterdir() if path.is_dir()}
    assert folders == {name for name in folders if any(fnmatch.fnmatch(name, pattern) for pattern in patterns)}


@needs_corpus
def test_every_public_vcrpy_cassette_is_read_and_its_bodies_are_decoded():
    folders = (
        "crewai-model-change",
        "pydantic-ai-native-output",
        "langchain-aws-claude5",
        "openinference-responses",
        "pydantic-ai-gpt5",
    )
    begun = time.perf_counter()
    paths = [
        path for folder in folders for path in sorted((CORPUS / "public" / folder).rglob("*.*")) if path.is_file()
    ][::3]
    for path in paths:
        cassette = readable(read_cassette(file(path.name, path.read_bytes())))
        assert isinstance(cassette, Cassette)
        for each in cassette.interactions:
            assert isinstance(each, Exchange)
            assert each.request
            assert each.request.method
            assert each.response
            assert each.response.status
    assert time.perf_counter() - begun < 60
