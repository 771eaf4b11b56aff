"""Every recorder tells the same story: the one change of each recorded scenario is what is reported, and nothing else."""

import gzip
import re
from collections import Counter

import pytest
import yaml

from reviewlib.formats import read_cassettes
from reviewlib.model.cassette import File
from reviewlib.trajectory import read_recording
from reviewlib.values import canonical
from tests.corpus import CORPUS, needs_corpus
from tests.recorders import SCENARIOS, cells, judge, matrix, pairs_of, scenario, table_in_docs

FLAT = ("seed001-hash-files-anthropic-flat", "seed001-hash-files-openai-flat")


@needs_corpus
@pytest.mark.parametrize(("recorder", "path"), cells())
def test_the_one_change_of_a_scenario_is_reported_and_nothing_else(recorder, path):
    name = scenario(path)
    pair = next((item for item in pairs_of(recorder) if item.path == path), None)
    verdict = judge(pair, name)
    assert verdict.right, f"{verdict.word}: {pair and pair.headline}"


@needs_corpus
@pytest.mark.parametrize("recorder", FLAT)
@pytest.mark.parametrize("head", ["head", "head_stale_kept"])
def test_a_flat_hash_named_folder_is_compared_as_a_set_of_trajectories(recorder, head):
    (pair,) = pairs_of(recorder, head)
    causes = {(change.kind, change.tool) for change in pair.diff.changes if change.cause is None}
    assert causes == {
        ("tool_removed", "check_refund_policy"),
        ("arguments", "issue_refund"),
        ("tool_added", "issue_refund"),
    }
    assert "issue_refund.amount 39 → 390" in pair.headline


@needs_corpus
@pytest.mark.parametrize(
    ("recorder", "head", "causes"),
    [
        (
            "seed000-fp-list",
            "head_on_top",
            {"test_refund_model_bump.json": "model", "test_refund_prompt_edited.json": "request_hash"},
        ),
        (
            "seed003-jsonl-openai",
            "head_appended",
            {"test_model_bump.jsonl": "model", "test_prompt_edited.jsonl": "system_prompt"},
        ),
    ],
)
def test_a_run_that_was_appended_is_compared_with_the_one_before_it(recorder, head, causes):
    pairs = {pair.path: pair for pair in pairs_of(recorder, head)}
    for path, kind in causes.items():
        told = [change.kind for change in pairs[path].diff.changes if change.cause is None]
        assert told == [kind]
        assert [finding.code for finding in pairs[path].findings] == ["appended"]


@needs_corpus
def test_the_table_in_the_documentation_is_what_was_measured():
    assert table_in_docs() == matrix(), "run: python -m tests.recorders"


@needs_corpus
def test_every_scenario_is_held_by_several_recorders():
    seen = {name: {recorder for recorder, path in cells() if scenario(path) == name} for name in SCENARIOS}
    assert all(len(recorders) >= 4 for recorders in seen.values()), seen


ONE_TURN = "agentape-stream"
"""It stops recording after the first turn of a stream."""

SILENT = "agenttape-anthropic-yaml"
"""It missed every call of the model; the tool runs are there, in the order in which they ended."""


@needs_corpus
@pytest.mark.parametrize("name", [name for name in SCENARIOS if name != "resend"])
def test_every_recorder_tells_the_same_baseline_by_its_tools_and_arguments(name):
    stories = {}
    for recorder, path in cells():
        pair = next((item for item in pairs_of(recorder) if item.path == path), None)
        if scenario(path) == name and pair is not None and recorder not in {ONE_TURN, SILENT}:
            stories[recorder, path] = tuple(sorted(_asked(pair.baseline)))
    assert len(stories) >= 4
    assert len(set(stories.values())) == 1, stories


def _asked(recording):
    """Tool and arguments of every call; calls of one turn have no order, and harnesses prefix the names of tools."""
    for conversation in recording.conversations:
        for step in conversation.calls:
            plain = step.tool.rpartition("__")[2].replace("_", "").lower()
            yield plain, canonical(step.arguments)


@needs_corpus
def test_a_scenario_has_one_signature_in_nearly_all_recorders():
    for name in ("skip_policy", "arg_changed", "order_swapped", "tool_error", "poll", "max_tokens", "reworded"):
        signatures = Counter(
            pair.signature
            for recorder, path in cells()
            for pair in pairs_of(recorder)
            if pair.path == path and scenario(path) == name and judge(pair, name).word.count("not recorded") == 0
        )
        assert signatures.most_common(1)[0][1] >= 0.9 * signatures.total(), (name, signatures)


@needs_corpus
def test_bedrock_calls_of_langchains_gzip_cassettes_are_as_many_as_their_answers_hold():
    counted = told = 0
    for path in sorted((CORPUS / "public" / "langchain-aws-claude5").rglob("*.gz")):
        tree = yaml.load(gzip.decompress(path.read_bytes()), Loader=yaml.CSafeLoader)
        bodies = [answer["body"]["string"] for answer in tree["responses"]]
        counted += len({name for body in bodies for name in re.findall(rb'"toolUseId":\s*"([^"]+)"', body)})
        (cassette,) = read_cassettes([File(path="x.yaml.gz", blob="0" * 40, data=path.read_bytes())])
        told += sum(len(conversation.calls) for conversation in read_recording(cassette).conversations)
    assert counted == told == 8
