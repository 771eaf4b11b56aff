"""Public cassettes of the HTTP recorders: every file opens, and holds as many exchanges as its raw text shows."""

import gzip
import re
from pathlib import Path

import pytest

from reviewlib.formats import read_cassette
from reviewlib.model.cassette import Cassette, Exchange, ToolExecution
from tests.corpus import CORPUS, needs_corpus
from tests.formats.samples import file, readable

MARKS = {
    "ruby-vcr": rb"(?m)^  recorded_at: \w{3}, ",
    "go-vcr": rb"(?m)^ *- id: \d+$",
    "httprr": rb"(?m)HTTP/[12]\.[01] \d{3} ",
    "har": rb"(?m)^ *\"?startedDateTime\"?: ",
    "nock": rb'(?m)^    "scope": ',
    "braintrust": rb'(?m)^ +"matchKey": ',
    "ddapm": rb'(?m)^  "request": ',
    "cassetter": rb"(?m)^- request:$",
    "replex": rb'(?m)^      "type": "(?:exchange|tool_call)"',
    "reel": rb'(?m)^\{"schema_version"',
    "pytest-llm-vcr": rb"(?m)^- method: ",
    "cassetteai": rb'(?m)^      "request_hash": ',
}
"""What stands once in the raw text for each interaction, by format."""

FOLDERS = {
    "public/ruby-llm-rerecord": ("ruby-vcr", 259, 577),
    "public/cagent-tool-schema": ("go-vcr", 12, 24),
    "public/fantasy-429": ("go-vcr", 116, 215),
    "public/adk-go-gemini25": ("httprr", 52, 102),
    "recorders/pollyjs-har": ("har", 8, 31),
}
"""Format, files and exchanges of each folder."""

SAMPLES = {
    "ruby-vcr": 6,
    "go-vcr": 6,
    "httprr": 8,
    "har": 6,
    "nock": 2,
    "braintrust": 3,
    "ddapm": 1,
    "cassetter": 2,
}
"""The formats of the odd single cassettes, with the number of files."""


def files_in(folder: str) -> list[Path]:
    return sorted(path for path in (CORPUS / folder).rglob("*") if path.is_file())


def counted(cassette: Cassette, path: Path) -> int:
    """How often the mark of an interaction stands in the raw text."""
    data = path.read_bytes()
    raw = gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
    return len(re.findall(MARKS[cassette.format], raw))


@needs_corpus
@pytest.mark.parametrize("folder", FOLDERS)
def test_a_rerecorded_folder_opens_whole(folder: str):
    name, count, exchanges = FOLDERS[folder]
    paths = files_in(folder)
    cassettes = [readable(read_cassette(file(path.name, path.read_bytes()))) for path in paths]
    assert {cassette.format for cassette in cassettes} == {name}
    assert len(cassettes) == count
    assert sum(len(cassette.interactions) for cassette in cassettes) == exchanges
    for path, cassette in zip(paths, cassettes, strict=True):
        assert len(cassette.interactions) == counted(cassette, path), path
        for each in cassette.interactions:
            assert isinstance(each, Exchange)
            assert each.request
            assert each.request.method
            assert each.request.uri
            assert each.request.uri.startswith("http")
            assert each.response
            assert each.response.status


@needs_corpus
def test_every_odd_cassette_of_these_formats_opens():
    found = dict.fromkeys(SAMPLES, 0)
    for path in files_in("samples"):
        cassette = read_cassette(file(path.name, path.read_bytes()))
        if isinstance(cassette, Cassette) and cassette.format in SAMPLES:
            found[cassette.format] += 1
            assert len(cassette.interactions) == counted(cassette, path), path
    assert found == SAMPLES


@needs_corpus
@pytest.mark.parametrize("recorder", ["cassetter-yaml", "replex", "reel", "pytest-llm-vcr", "cassetteai"])
def test_every_interaction_of_a_recorder_is_read(recorder: str):
    paths = [path for folder in (CORPUS / "recorders").glob(f"{recorder}*") for path in folder.rglob("*.*")]
    assert paths
    for path in paths:
        cassette = readable(read_cassette(file(path.name, path.read_bytes())))
        assert len(cassette.interactions) == counted(cassette, path), path
        assert all(isinstance(each, ToolExecution) or each.response for each in cassette.interactions)


@needs_corpus
@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("*bedrock-agent---*.har", {bytes}),
        ("*bedrock_test_recordings_should-handle-streaming*", {bytes}),
        ("*bedrock_test_recordings_should-handle-tool*", {dict}),
        ("sourcegraph-cody*", {dict}),
        ("DataDog*01c947d6.json", {str}),
        ("*TestWithFormat.httprr", {str}),
        ("*TestGoogleAIToolCallResponse.httprr", {dict, list}),
        ("*cohere-v8.cassette.json", {dict, str}),
        ("*ruby_llm*streaming_responses_bedrock*", {bytes}),
    ],
)
def test_odd_bodies_are_read_as_what_they_are(name: str, kinds: set[type]):
    (path,) = (CORPUS / "samples").glob(name)
    cassette = readable(read_cassette(file(path.name, path.read_bytes())))
    bodies = [each.response.body for each in cassette.interactions if isinstance(each, Exchange) and each.response]
    assert {type(body) for body in bodies} == kinds
