"""What the gate says as JUnit XML, which CI systems show as tests: first a failed one for each check that has new errors, then one for each
pair, failed where the gate waits.

The dialect is the one that Jenkins, GitLab and GitHub actions read: https://github.com/testmoapp/junitxml.
"""

import re
from collections.abc import Iterator, Mapping
from html import escape
from posixpath import basename, dirname

from reviewlib.headline import phrase
from reviewlib.model.review import Pair, Review
from reviewlib.report import wording
from reviewlib.report.commands import Commands
from reviewlib.report.neutral import one_line
from reviewlib.summary import Judged, Summary, Waiting, state_of
from reviewlib.verdicts import PairState

_NO_XML = re.compile("[\ufffe\uffff]")
"""Characters that XML does not have and that Unicode gives no category of control (https://www.w3.org/TR/xml/#charsets)."""

_MOST_CHANGES = 100


def render(
    review: Review,
    states: Mapping[str, PairState],
    summary: Summary,
    waiting: tuple[Waiting, ...],
    commands: Commands,
) -> str:
    """Show the new errors, then every pair in the review's order, which is riskiest first."""
    needed = {item.path: item for item in waiting}
    tests = len(summary.errors) + len(review.pairs)
    counts = f'tests="{tests}" failures="{len(needed)}" errors="{len(summary.errors)}" skipped="0" time="0"'
    cases = "".join(_error(item, summary) for item in summary.errors)
    cases += "".join(_case(pair, states, needed.get(pair.path), commands) for pair in review.pairs)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<testsuites name="cassette-review" {counts}>\n'
        f"<testsuite name={_quoted(wording.sides(review))} {counts}>\n"
        f"{cases}</testsuite>\n</testsuites>\n"
    )


def _error(item: Judged, summary: Summary) -> str:
    attributes = f'classname="cassette-review" name={_quoted(item.code)} time="0"'
    told = "\n".join(_escaped(path) for path in item.pairs)
    message = _quoted(wording.said(item, summary))
    return f"<testcase {attributes}><error type={_quoted(item.code)} message={message}>{told}</error></testcase>\n"


def _case(pair: Pair, states: Mapping[str, PairState], item: Waiting | None, commands: Commands) -> str:
    folder, name = dirname(pair.path) or "cassettes", basename(pair.path)
    attributes = f'classname={_quoted(folder)} name={_quoted(name)} file={_quoted(pair.path)} time="0"'
    told = "\n".join(_escaped(line) for line in _lines(pair, states, item, commands))
    if item is None:
        return f"<testcase {attributes}><system-out>{told}</system-out></testcase>\n"
    message = f"{item.reason}: {item.headline}"
    return f"<testcase {attributes}><failure type={_quoted(item.reason)} message={_quoted(message)}>{told}</failure></testcase>\n"


def _lines(pair: Pair, states: Mapping[str, PairState], item: Waiting | None, commands: Commands) -> Iterator[str]:
    yield f"{pair.significance or 'unreadable'}, {state_of(pair, states)}: {pair.headline}"
    if item is not None and item.why:
        yield f"why: {item.why}"
    for finding in pair.findings:
        yield f"{finding.severity} {finding.code} ({finding.since}): {finding.message}"
    causes = list(wording.causes(pair))
    for cause, followers in causes[:_MOST_CHANGES]:
        followed = f" ({wording.consequences(followers)})" if followers else ""
        yield f"- {phrase(cause)}{followed}"
    if len(causes) > _MOST_CHANGES:
        yield f"- and {wording.plural(len(causes) - _MOST_CHANGES, 'more change')}"
    if item is not None:
        yield f"see it: {commands.see(item)}"
        yield f"open it: {commands.open(item)}"


def _quoted(text: str) -> str:
    return f'"{_escaped(text)}"'


def _escaped(text: str) -> str:
    return escape(_NO_XML.sub(lambda found: ascii(found[0])[1:-1], one_line(text)))
