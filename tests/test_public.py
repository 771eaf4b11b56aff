"""Re-record commits of public repositories: what is known to be true of each is what the first lines of ``diff`` tell."""

from collections import Counter
from datetime import UTC, datetime
from functools import cache

import pytest

from reviewlib.model.review import Review
from reviewlib.pipeline import review
from reviewlib.policy import Policy
from reviewlib.report.text import render
from reviewlib.sources.directory import snapshot
from reviewlib.summary import summarise
from tests.corpus import CORPUS, needs_corpus
from tests.public import (
    answers,
    called,
    endpoints,
    files,
    gemini_answers,
    gemini_models,
    models,
    rows,
    statuses,
    tools_counted_again,
    tools_counted_once,
    without_claude,
)

AT = datetime(2026, 11, 1, tzinfo=UTC)

LINES = 10
"""What a reviewer reads before anything else: these lines of the report, the sides in the first of them."""

pytestmark = needs_corpus

TOLD: dict[str, tuple[str, ...]] = {
    "pydantic-ai-native-output": (
        "6 changed cassettes: 5 request · 1 identical",
        "tool calls in 6 of 6: the same",
        "in 5 cassettes: parameter output_format moved to output_config.format",
        "user message edited",
    ),
    "pydantic-ai-renamed-model": (
        "error: the model was renamed by hand: claude-3-5-sonnet-20241022 became claude-sonnet-4-5-20250929",
        "every answer is the baseline's own",
        "new in 21 of 21 cassettes (renamed-model)",
        "tool calls in 21 of 21: the same",
    ),
    "pydantic-ai-gpt5": (
        "model gpt-4o → gpt-5",
        "model gemini-2.0-flash → gemini-2.5-pro",
        "tool calls in 13 of 24: 5 add, drop or move one",
        "in 3 cassettes: adds web_search",
    ),
    "crewai-model-change": (
        "error: HTTP 401 was recorded in place of an answer (2)",
        "test_agent_knowledege_with_crewai_knowledge.yaml, test_agent_with_knowledge_with_no_crewai_knowledge.yaml",
        "in 10 cassettes: model gpt-4o → gpt-4.1-mini",
    ),
    "adk-go-gemini25": ("4 requests-edited", "3 model-mismatch", "model gemini-2.0-flash → gemini-2.5-flash"),
    "cagent-tool-schema": (
        "6 changed cassettes: 6 request",
        "6 requests-edited",
        "tool calls in 6 of 6: the same",
        "in 5 cassettes: tool schema of read_file, read_multiple_files edited",
    ),
    "copilot-cli-bump": (
        "tool calls in 68 of 68: 7 add, drop or move one",
        "in 48 cassettes: report_intent returns Intent logged → Tool 'report_intent' does not exist",
    ),
    "langchain-aws-claude5": (
        "in 10 cassettes: model us.anthropic.claude-sonnet-4-20250514-v1:0 → us.anthropic.claude-sonnet-5",
        "tool calls in 11 of 11: the same",
        "tokens 11,885 → 25,352 (+113%)",
    ),
    "openinference-responses": (
        "8 moved-endpoint",
        "tool calls in 8 of 8: the same",
        "8 changed cassettes: 3 request · 5 cosmetic",
    ),
    "fantasy-429": ("3 retried (HTTP 429)", "5 retried gone (HTTP 429)"),
    "ruby-llm-rerecord": ("131 changed cassettes", "2 divide them into other turns"),
}
"""Of every commit that the corpus describes, what its first lines must say."""


def first_lines(name: str) -> str:
    found = public(name)
    return "\n".join(render(found, {}, summarise(found, {})).splitlines()[:LINES])


@pytest.mark.parametrize("name", TOLD)
def test_the_first_lines_say_what_is_known_of_a_commit(name):
    printed = first_lines(name)
    assert [words for words in TOLD[name] if words not in printed] == [], printed


def test_every_commit_that_the_corpus_describes_is_held_against_its_first_lines():
    assert sorted(TOLD) == sorted(rows())


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
    assert findings("pydantic-ai-renamed-model")["renamed-model", "new"] == 21


def test_one_of_the_renamed_cassettes_also_holds_an_answer_of_another_provider_which_nobody_touched():
    """Counted by whole cassettes 20 of 21 are renamed; the answers of Claude are renamed in all of them."""
    pairs = list(files("pydantic-ai-renamed-model"))
    assert all(without_claude(one) == without_claude(other) for one, other in pairs)
    renamed = [
        {mine != theirs for mine, theirs in zip(models(one), models(other), strict=True) if mine != (None, None)}
        for one, other in pairs
    ]
    assert Counter(map(frozenset, renamed)) == {frozenset({True}): 20, frozenset({True, False}): 1}


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
    assert all(answers(one) == answers(other) for one, other in files("cagent-tool-schema"))
    assert [len(cause.pairs) for cause in found.causes if "tool schema" in cause.headline] == [5]


def test_hand_edited_requests_whose_answer_comes_from_another_model_are_found():
    """Four files were edited by hand; in three of them the model that was asked for is now another than the one that answered."""
    edited = [other for one, other in files("adk-go-gemini25") if gemini_answers(one) == gemini_answers(other)]
    disagreeing = [path for path in edited if gemini_models(path)[0] != gemini_models(path)[1]]
    assert (len(edited), len(disagreeing)) == (4, 3)
    assert findings("adk-go-gemini25")["requests-edited", "new"] == len(edited)
    assert findings("adk-go-gemini25")["model-mismatch", "new"] == len(disagreeing)


def test_snapshots_that_repeat_a_growing_conversation_are_read_once():
    """The sequence of tools differs in 16 files where each repeated beginning is counted again, in 7 where every call is counted once."""
    again = [one for one, other in files("copilot-cli-bump") if tools_counted_again(one) != tools_counted_again(other)]
    once = [one for one, other in files("copilot-cli-bump") if tools_counted_once(one) != tools_counted_once(other)]
    assert (len(again), len(once)) == (16, 7)
    changed = {
        pair.path
        for pair in public("copilot-cli-bump").pairs
        if kinds(pair) & {"tool_added", "tool_removed", "tool_moved"}
    }
    assert changed == {path.relative_to(CORPUS / "public" / "copilot-cli-bump" / "base").as_posix() for path in once}


def test_one_answer_that_many_cassettes_share_is_one_group():
    assert max(len(group.pairs) for group in public("copilot-cli-bump").groups) >= 30


def test_a_run_that_moved_to_another_endpoint_is_compared_across_it():
    found = public("openinference-responses")
    assert findings("openinference-responses")["moved-endpoint", "new"] == len(found.pairs)
    assert not any(kinds(pair) & CALLS for pair in found.pairs)
    for one, other in files("openinference-responses"):
        assert (endpoints(one), endpoints(other)) == ({"chat/completions"}, {"responses"})
        assert called(one) == called(other)


def test_retries_that_came_and_went_are_told_and_are_no_change_of_behaviour():
    told = Counter(
        since
        for pair in public("fantasy-429").pairs
        for since in {item.since for item in pair.findings if item.code == "retried"}
    )
    gained = lost = 0
    for one, other in files("fantasy-429"):
        counts = statuses(one)[429], statuses(other)[429]
        gained, lost = gained + (counts[0] < counts[1]), lost + (counts[0] > counts[1])
    assert (gained, lost) == (told["new"], told["gone"]) == (3, 5)


def test_parallel_calls_that_became_sequential_are_told_as_turns():
    grown = next(pair for pair in public("ruby-llm-rerecord").pairs if _turns(pair) == (2, 4))
    assert "dice_roll in 3 turns instead of 1" in grown.headline


def _turns(pair):
    return tuple(
        sum(len(run.turns) for run in side.conversations) if side else 0 for side in (pair.baseline, pair.head)
    )


def test_every_cassette_of_every_commit_is_read():
    for folder in sorted((CORPUS / "public").iterdir()):
        assert [pair.headline for pair in public(folder.name).pairs if pair.diff is None] == [], folder.name
