"""The samples are what they claim to be: well-formed for their recorder, harmless, and reviewed as ``expected.json`` says."""

import gzip
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
import yaml
from genai_prices import Usage, calc_price

from reviewlib.model.cassette import File
from reviewlib.model.trajectory import Recording
from reviewlib.pipeline import review
from reviewlib.policy import DEFAULT_POLICY
from tests.samples import SAMPLES, SCENARIOS, UNREADABLE, ExpectedPair, Scenario

PRICES_AT = datetime(2026, 11, 30, tzinfo=UTC)

DIALECTS = {
    "agentreplay pydantic-ai",
    "agentreplay raw-sdk",
    "fp-list",
    "fp-list synthetic",
    "hash-files",
    "keyed-jsonl",
    "name-hash-map",
    "vcrpy content",
    "vcrpy json",
    "vcrpy parsed_body",
    "vcrpy yaml",
    "vcrpy yaml gzip",
}

ANSWERS = {
    "Anthropic Messages": '"type": "message"',
    "Anthropic Messages, streamed": '"type": "message_start"',
    "OpenAI Chat": '"object": "chat.completion"',
    "OpenAI Chat, streamed": '"object": "chat.completion.chunk"',
    "OpenAI Responses": '"object": "response"',
    "OpenAI Responses, streamed": '"type":"response.completed"',
}


def _side_files() -> Iterator[tuple[Scenario, str, File]]:
    for scenario in SCENARIOS:
        for side, files in (("baseline", scenario.baseline), ("head", scenario.head)):
            for file in files:
                yield scenario, side, file


READABLE = [(scenario, file) for scenario, side, file in _side_files() if (scenario.name, side) != (UNREADABLE, "head")]
EVERY_FILE = pytest.mark.parametrize("file", [file for _, file in READABLE], ids=[file.path for _, file in READABLE])
EVERY_SCENARIO = pytest.mark.parametrize("scenario", SCENARIOS, ids=[scenario.name for scenario in SCENARIOS])


def _tree(file: File) -> Any:
    """Parse a file by its extension, with nothing of the product."""
    text = file.data.decode()
    if file.path.endswith(".yaml"):
        return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    if file.path.endswith(".jsonl"):
        assert text.endswith("\n")
        return [json.loads(line) for line in text.split("\n")[:-1]]
    return json.loads(text)


def _dialect(file: File) -> str:
    tree = _tree(file)
    if isinstance(tree, dict) and "interactions" in tree:
        return _vcrpy_dialect(file, tree)
    if file.path.endswith(".jsonl"):
        return "keyed-jsonl" if "key" in tree[0] else f"agentreplay {tree[0]['framework']}"
    if isinstance(tree, list):
        return "fp-list synthetic" if tree[0]["fp"] == "any" else "fp-list"
    return "hash-files" if set(tree) == {"request", "response"} else "name-hash-map"


def _vcrpy_dialect(file: File, tree: dict[str, Any]) -> str:
    response = tree["interactions"][0]["response"]
    if file.path.endswith(".json"):
        return "vcrpy json"
    if "parsed_body" in tree["interactions"][0]["request"]:
        return "vcrpy parsed_body"
    if "content" in response:
        return "vcrpy content"
    return "vcrpy yaml gzip" if isinstance(response["body"]["string"], bytes) else "vcrpy yaml"


def _plain(file: File) -> str:
    """Everything a file holds as JSON text, its compressed answers unpacked and quotes inside strings unescaped."""
    text = json.dumps(_tree(file), ensure_ascii=False, default=lambda body: gzip.decompress(body).decode())
    return re.sub(r'\\+"', '"', text)


def test_each_scenario_names_the_format_of_its_files() -> None:
    for scenario, file in READABLE:
        assert _dialect(file).split()[0] == scenario.expected.format, file.path


@EVERY_FILE
def test_a_file_has_the_shape_its_recorder_writes(file: File) -> None:
    dialect, tree = _dialect(file), _tree(file)
    if dialect.startswith("vcrpy"):
        assert set(tree) == {"version", "interactions"}
        assert tree["version"] == 1
        for interaction in tree["interactions"]:
            assert set(interaction) == {"request", "response"}
            assert {"headers", "method", "uri"} < set(interaction["request"])
    elif dialect.startswith("fp-list"):
        assert all(set(item) == {"fp", "response"} for item in tree)
        assert all(re.fullmatch(r"[0-9a-f]{16}|any", item["fp"]) for item in tree)
    elif dialect == "hash-files":
        assert {"model", "messages"} <= set(tree["request"])
    elif dialect == "name-hash-map":
        assert all(re.fullmatch(r"[^:#]+:[0-9a-f]{16}#\d+", key) for key in tree)
    elif dialect == "keyed-jsonl":
        assert all(set(line) == {"key", "recorded_at", "request", "response"} for line in tree)
    else:
        assert set(tree[0]) == {"created_at", "format_version", "framework"}
        assert {"run_start", "run_end"} < {line["kind"] for line in tree[1:]}


def test_every_dialect_and_every_kind_of_answer_is_present() -> None:
    assert {_dialect(file) for _, file in READABLE} == DIALECTS
    texts = [_plain(file) for _, file in READABLE]
    for name, mark in ANSWERS.items():
        assert any(mark in text for text in texts), name


@EVERY_FILE
def test_stored_hashes_are_those_of_the_stored_requests(file: File) -> None:
    dialect, tree = _dialect(file), _tree(file)
    if dialect == "hash-files":
        blob = json.dumps(tree["request"], sort_keys=True, ensure_ascii=False)
        assert file.path.endswith(f"/{_sha(blob)[:16]}.json")
    elif dialect == "keyed-jsonl":
        keys = [_sha(_compact(line["request"])) for line in tree]
        assert [line["key"] for line in tree] == keys
    elif dialect == "name-hash-map":
        assert _tool_keys(tree) == _called(tree)


def _compact(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _tool_keys(tree: dict[str, Any]) -> Counter[str]:
    return Counter(key.split(":")[1].split("#")[0] for key in tree if key.startswith("tool."))


def _called(tree: dict[str, Any]) -> Counter[str]:
    blocks = [block for key, answer in tree.items() if key.startswith("model:") for block in answer["content"]]
    return Counter(_sha(_compact(block["input"]))[:16] for block in blocks if block["type"] == "tool_use")


@EVERY_SCENARIO
def test_every_file_differs_and_is_expected(scenario: Scenario) -> None:
    baseline = {file.path: file.blob for file in scenario.baseline}
    head = {file.path: file.blob for file in scenario.head}
    paths = [pair.path for pair in scenario.expected.pairs]
    assert len(set(paths)) == len(paths)
    assert not set(baseline.items()) & set(head.items())
    for pair in scenario.expected.pairs:
        assert _holds(head, pair) or (pair.status == "removed" and pair.path in baseline), pair.path
    renamed = sum(pair.status == "renamed" for pair in scenario.expected.pairs)
    unnamed = [path for path in baseline.keys() | head.keys() if not any(path.startswith(name) for name in paths)]
    assert len(unnamed) == renamed


def _holds(paths: dict[str, str], pair: ExpectedPair) -> bool:
    return any(path == pair.path or path.startswith(f"{pair.path}/") for path in paths)


def test_all_scenarios_fit_into_one_repository() -> None:
    for side in ("baseline", "head"):
        counts = Counter(file.path for _, where, file in _side_files() if where == side)
        assert [path for path, count in counts.items() if count > 1] == []


def test_the_samples_stay_small() -> None:
    sizes = [path.stat().st_size for path in SAMPLES.rglob("*") if path.is_file()]
    assert sum(sizes) < 1_500_000
    assert max(sizes) < 200_000


def test_no_file_names_a_machine_or_holds_a_secret() -> None:
    private = re.compile(
        r"(?<![\w.-])/(?:home|root|Users|tmp|var|work)/|localhost|127\.0\.0\.1|sk-[\w-]{8}|AKIA\w{12}|eyJ[\w-]{20}"
    )
    for path in SAMPLES.rglob("*"):
        if path.is_file():
            assert private.findall(path.read_text(encoding="utf-8")) == [], path.name


def test_one_old_recorder_kept_an_authorization_header_that_is_obviously_fake() -> None:
    with_header = {scenario.name: file for scenario, file in READABLE if b"authorization" in file.data}
    assert list(with_header) == ["restock-recorded-401"]
    for scenario, file in READABLE:
        if scenario.name in with_header:
            sent = [item["request"]["headers"]["authorization"] for item in _tree(file)["interactions"]]
            assert sent == [["Bearer demo-not-a-real-key"]] * len(sent)


def test_the_price_of_every_served_model_is_known() -> None:
    served = {model for _, file in READABLE for model in re.findall(r"\b(?:claude|gpt)-[a-z0-9.-]*\d\b", _plain(file))}
    assert len(served) > 8
    for model in sorted(served):
        provider = "anthropic" if model.startswith("claude") else "openai"
        price = calc_price(Usage(input_tokens=1000, output_tokens=100), model, provider_id=provider)
        assert price.total_price > Decimal(0), model


def test_the_broken_recording_ends_in_the_middle_of_a_string() -> None:
    broken = next(scenario for scenario in SCENARIOS if scenario.name == UNREADABLE).head[0]
    with pytest.raises(yaml.YAMLError):
        _tree(broken)


def test_some_cassettes_of_every_significance_exist() -> None:
    counts = Counter(pair.significance for scenario in SCENARIOS for pair in scenario.expected.pairs)
    assert set(counts) == {"identical", "cosmetic", "request", "behaviour", None}
    assert {pair.status for scenario in SCENARIOS for pair in scenario.expected.pairs} == {
        "modified",
        "added",
        "removed",
        "renamed",
    }


@EVERY_SCENARIO
def test_a_review_says_what_the_scenario_expects(scenario: Scenario) -> None:
    pairs = {pair.path: pair for pair in review(scenario.snapshot, DEFAULT_POLICY, PRICES_AT).pairs}
    assert sorted(pairs) == sorted(pair.path for pair in scenario.expected.pairs)
    for expected in scenario.expected.pairs:
        pair = pairs[expected.path]
        assert (pair.status, pair.significance) == (expected.status, expected.significance)
        read = [side for side in (pair.baseline, pair.head) if isinstance(side, Recording)]
        assert {side.cassette.format for side in read} == {scenario.expected.format}
        changes = pair.diff.changes if pair.diff else ()
        wanted = {(change.kind, change.tool) for change in expected.changes if change.cause}
        assert {(change.kind, change.tool) for change in changes if change.cause is None} == wanted
        followed = {(change.kind, change.tool) for change in expected.changes if not change.cause}
        assert followed <= {(change.kind, change.tool) for change in changes if change.cause is not None}
        assert [words for words in expected.headline_contains if words not in pair.headline] == []
