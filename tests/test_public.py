"""Re-record commits of public repositories: what is known to be true of each is what is told."""

from collections import Counter
from datetime import UTC, datetime
from functools import cache

from reviewlib.model.review import Review
from reviewlib.pipeline import review
from reviewlib.policy import Policy
from reviewlib.report.text import render
from reviewlib.sources.directory import snapshot
from reviewlib.summary import summarise
from tests.corpus import CORPUS, needs_corpus

AT = datetime(2026, 11, 1, tzinfo=UTC)

pytestmark = needs_corpus


@cache
def public(name: str) -> Review:
    folder = CORPUS / "public" / name
    return review(snapshot(folder / "base", folder / "head", Policy(cassettes=("**",))), Policy(), AT)


def kinds(pair):
    return {change.kind for change in pair.diff.changes}


def findings(name):
    return Counter((item.code, item.since) for pair in public(name).pairs for item in pair.findings)


CALLS = {"tool_added", "tool_removed", "tool_moved", "arguments"}


def test_reworded_messages_and_a_moved_parameter_fit_one_screen_and_no_call_is_called_changed():
    found = public("pydantic-ai-native-output")
    assert all(pair.diff is not None and not kinds(pair) & CALLS for pair in found.pairs)
    assert Counter(pair.significance for pair in found.pairs) == {"request": 5, "identical": 1}
    printed = render(found, {}, summarise(found, {}))
    assert printed.count("\n") <= 24
    assert "parameter output_format moved to output_config.format" in printed
    assert "user message edited" in printed


def test_models_renamed_by_search_and_replace_are_found_as_such():
    assert findings("pydantic-ai-renamed-model")["renamed-model", "new"] >= 20


def test_two_calls_that_turned_into_401_stand_first():
    first = public("crewai-model-change").pairs[:3]
    assert [pair.headline.startswith("HTTP 200 → 401") for pair in first] == [True, True, False]
    assert all(
        ("recorded-failure", "error", "new") in {(f.code, f.severity, f.since) for f in pair.findings}
        for pair in first[:2]
    )


def test_a_hand_edited_tool_schema_is_told_as_an_edit_and_the_runs_as_the_same():
    found = public("cagent-tool-schema")
    assert findings("cagent-tool-schema")["requests-edited", "new"] == len(found.pairs)
    assert {pair.significance for pair in found.pairs} == {"request"}
    assert max(len(cause.pairs) for cause in found.causes if "tool schema" in cause.headline) >= 4


def test_hand_edited_requests_whose_answer_comes_from_another_model_are_found():
    assert findings("adk-go-gemini25")["model-mismatch", "new"] >= 3
    assert findings("adk-go-gemini25")["requests-edited", "new"] >= 4


def test_snapshots_that_repeat_a_growing_conversation_are_read_once():
    changed = [
        pair for pair in public("copilot-cli-bump").pairs if kinds(pair) & {"tool_added", "tool_removed", "tool_moved"}
    ]
    assert len(changed) == 7  # 16 where each conversation's repeated beginning is counted again


def test_one_answer_that_many_cassettes_share_is_one_group():
    assert max(len(group.pairs) for group in public("copilot-cli-bump").groups) >= 30


def test_a_run_that_moved_to_another_endpoint_is_compared_across_it():
    found = public("openinference-responses")
    assert findings("openinference-responses")["moved-endpoint", "new"] == len(found.pairs)
    assert not any(kinds(pair) & CALLS for pair in found.pairs)


def test_retries_that_came_and_went_are_told_and_are_no_change_of_behaviour():
    told = findings("fantasy-429")
    assert told["retried", "new"] >= 3
    assert told["retried", "gone"] >= 5


def test_parallel_calls_that_became_sequential_are_told_as_turns():
    assert any("turns" in kinds(pair) for pair in public("ruby-llm-rerecord").pairs)


def test_every_cassette_of_every_commit_is_read():
    for folder in sorted((CORPUS / "public").iterdir()):
        assert [pair.headline for pair in public(folder.name).pairs if pair.diff is None] == [], folder.name
