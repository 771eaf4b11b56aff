"""Every recorder tells the same story: the one change of each recorded scenario is what is reported, and nothing else."""

import pytest

from tests.corpus import needs_corpus
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
