"""Findings, and what the gate waits for, as SARIF 2.1.0: what code scanning of forges and editors read.

The standard: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html.
"""

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping
from typing import Literal, NamedTuple, TypeAlias
from urllib.parse import quote

from reviewlib.checks import CHECKS
from reviewlib.model.frozen import Plain
from reviewlib.model.review import Finding, Pair, Review, Severity
from reviewlib.report.commands import Commands
from reviewlib.report.neutral import one_line
from reviewlib.summary import Reason, Summary, Waiting, is_decided
from reviewlib.verdicts import PairState, explained

Level: TypeAlias = Literal["error", "warning", "note"]
Node: TypeAlias = dict[str, Plain]

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

LEVELS: Mapping[Severity, Level] = {"error": "error", "warning": "warning", "info": "note"}


class Waits(NamedTuple):
    """A reason of the gate as a rule: its title, what it means, and how bad it is."""

    title: str
    text: str
    level: Level


WAITS: Mapping[Reason, Waits] = {
    "open": Waits(
        "Nobody has decided", "The cassette changed, and nobody has approved or flagged what it holds now.", "warning"
    ),
    "stale": Waits(
        "The verdict is about earlier content",
        "What the cassette does has changed since somebody judged it.",
        "warning",
    ),
    "approvals": Waits("Approvals are missing", "The policy asks for more approvals than there are.", "warning"),
    "finding": Waits(
        "A new error", "A check sees a new error, which is a result of its own, and nobody has decided.", "error"
    ),
    "flagged": Waits("Flagged", "A reviewer says that what the cassette holds now must not be merged.", "error"),
    "blocked": Waits("Blocked", "A new finding that no verdict clears, by the policy.", "error"),
    "unreadable": Waits("Unreadable", "The cassette could not be read, so nobody can say what changed.", "error"),
}


class Tool(NamedTuple):
    """What is said about this program: its version, and the address of its documentation, where it has one."""

    version: str
    docs: str | None = None


def render(
    review: Review,
    states: Mapping[str, PairState],
    summary: Summary,
    waiting: tuple[Waiting, ...],
    commands: Commands,
    tool: Tool,
) -> str:
    """Show the findings of head, and each pair that the gate waits for. What is gone is no result.

    New errors come first, in the order in which every report begins with them. Findings of a pair that the ledger has decided are
    suppressed, with the reason.
    """
    rules = tuple(_rules(tool))
    numbers = {rule["id"]: number for number, rule in enumerate(rules)}
    urgent = {item.code: place for place, item in enumerate(summary.errors)}
    found = [(pair, finding) for pair in review.pairs for finding in pair.findings if finding.since != "gone"]
    first = [each for each in found if _is_urgent(each[1], urgent)]
    results = [
        *(_finding(*each, states) for each in sorted(first, key=lambda each: urgent[each[1].code])),
        *(_together(review, finding) for finding in review.findings),
        *(_wait(item, commands) for item in waiting if item.reason != "finding"),  # the finding itself is shown
        *(_finding(*each, states) for each in found if not _is_urgent(each[1], urgent)),
    ]
    run: Node = {
        "tool": {"driver": {"name": "cassette-review", "version": tool.version, "rules": rules}},
        "automationDetails": {"id": "cassette-review/"},
        "columnKind": "unicodeCodePoints",
        "results": [{**result, "ruleIndex": numbers.get(result["ruleId"], -1)} for result in results],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=1) + "\n"


def _rules(tool: Tool) -> Iterator[Node]:
    for reason, waits in WAITS.items():
        yield _rule(f"gate-{reason}", waits.title, waits.text, waits.level, "verdicts.md#the-gate", tool)
    for check in CHECKS:
        yield _rule(
            check.code, check.title, f"{check.title}.", LEVELS[check.severity], f"findings.md#{check.code}", tool
        )


def _rule(code: str, title: str, text: str, level: Level, page: str, tool: Tool) -> Node:
    address = None if tool.docs is None else f"{tool.docs.rstrip('/')}/{page}"
    where = f"docs/{page} of cassette-review"
    return {
        "id": code,
        "shortDescription": {"text": title},
        "fullDescription": {"text": text},
        "help": {
            "text": f"{text} See {address or where}.",
            "markdown": f"{text} See {f'[{page}]({address})' if address else f'`{where}`'}.",
        },
        **({"helpUri": address} if address else {}),
        "defaultConfiguration": {"level": level},
    }


def _wait(item: Waiting, commands: Commands) -> Node:
    why = f" ({item.why})" if item.why else ""
    message = f"{item.reason}: {item.headline}{why}. See it: {commands.see(item)}"
    return {
        "ruleId": f"gate-{item.reason}",
        "level": WAITS[item.reason].level,
        "message": {"text": one_line(message)},
        "locations": [_location(item.path)],
        "partialFingerprints": {"pair/v1": _digest(item.reason, item.path, item.headline)},
        "baselineState": "new",
    }


def _finding(pair: Pair, finding: Finding, states: Mapping[str, PairState]) -> Node:
    known = states.get(pair.path)
    accepted = known is not None and is_decided(pair, states)
    suppressed = {
        "kind": "external",
        "justification": one_line(explained(known) if known else ""),
    }
    return {
        "ruleId": finding.code,
        "level": LEVELS[finding.severity],
        "message": {"text": one_line(finding.message)},
        "locations": [_location(pair.path, finding)],
        "partialFingerprints": {"finding/v1": _digest(finding.code, pair.path, finding.message, str(finding.step))},
        "baselineState": "new" if finding.since == "new" else "unchanged",
        **({"suppressions": [suppressed]} if accepted else {}),
    }


def _is_urgent(finding: Finding, urgent: Collection[str]) -> bool:
    return finding.severity == "error" and finding.since == "new" and finding.code in urgent


def _together(review: Review, finding: Finding) -> Node:
    """Show a finding about all pairs together. It has no file of its own, and forges refuse a result without one: it stands at the first pair."""
    return {
        "ruleId": finding.code,
        "level": LEVELS[finding.severity],
        "message": {"text": f"All cassettes together: {one_line(finding.message)}"},
        "locations": [_location(review.pairs[0].path if review.pairs else ".")],
        "partialFingerprints": {"finding/v1": _digest(finding.code, finding.message)},
        "baselineState": "new",
    }


def _location(path: str, finding: Finding | None = None) -> Node:
    """Name the file; a step, which has no line of its own, by its name. Forges show nothing that has no first line."""
    step = None if finding is None else finding.step
    named = {} if step is None else {"logicalLocations": [{"name": f"conversation {step[0] + 1}, step {step[1] + 1}"}]}
    address = quote(path.encode(errors="surrogatepass"))
    return {"physicalLocation": {"artifactLocation": {"uri": address}, "region": {"startLine": 1}}, **named}


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode(errors="surrogatepass")).hexdigest()[:32]
