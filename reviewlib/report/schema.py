"""The JSON that scripts outside rely on.

The schemas in ``docs/schemas`` are generated from these models: ``python -m reviewlib.report.schema diff > docs/schemas/diff.json``.

Fields may be added; none is renamed, removed or given another meaning. Steps, turns and conversations are named as in
``docs/architecture.md``. A value that a format does not record is null, and named in ``not_recorded``.
"""

import json
import sys
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from reviewlib.model.call import StopReason, Usage
from reviewlib.model.cassette import Fact
from reviewlib.model.change import ChangeKind, Significance
from reviewlib.model.review import Finding, Severity, Since, State, Status
from reviewlib.summary import Reason


class Output(BaseModel):
    """What is printed. Every field is always there."""

    model_config = ConfigDict(frozen=True, extra="forbid", json_schema_serialization_defaults_required=True)


class Refusal(Output):
    """Why a cassette could not be read: the stage that gave up, and the reason in one sentence."""

    stage: Literal["load", "decode", "recognise", "parse"]
    reason: str


class ShownUsage(Output):
    """Tokens; null is unknown, never 0.

    ``input_tokens`` includes cached and cache-written ones, ``output_tokens`` the reasoning ones, whatever the provider counts.
    """

    input_tokens: int | None
    output_tokens: int | None
    cache_read_tokens: int | None
    cache_write_tokens: int | None
    reasoning_tokens: int | None

    @classmethod
    def of(cls, usage: Usage | None) -> "ShownUsage | None":
        """Show a usage; None where nothing is recorded."""
        return None if usage is None else cls(**usage.model_dump())


class SidesOfUsage(Output):
    """The tokens of both sides; null where a side is absent or its total is not known."""

    baseline: ShownUsage | None
    head: ShownUsage | None


class SidesOfCost(Output):
    """US dollars on both sides; null where a price is unknown."""

    baseline: float | None
    head: float | None


class ShownTurn(Output):
    """One model response. ``turn`` counts from 1, ``interaction`` from 0 in the file; ``seconds`` is how long the call took."""

    turn: int
    interaction: int
    provider: str
    requested_model: str | None
    model: str | None
    stop_reason: StopReason | None
    stop_reason_raw: str | None
    http_status: int | None
    seconds: float | None
    usage: ShownUsage | None


class ShownStep(Output):
    """One step that is no tool call."""

    index: int
    kind: Literal["system_prompt", "user_message", "assistant_text", "reasoning", "failure"]
    turn: int
    text: str | None


class ShownToolCall(Output):
    """A tool call with its result. ``arguments`` is null where it could not be parsed: then ``arguments_raw`` is its text.

    ``result`` is null where it was not recorded, which ``result_recorded`` tells from a recorded null.
    ``is_error`` is null where the format does not say.
    """

    index: int
    kind: Literal["tool_call"] = "tool_call"
    turn: int
    text: str
    tool: str
    call: str
    arguments: Any
    arguments_raw: str | None
    server_side: bool
    result: Any
    result_recorded: bool
    is_error: bool | None


class ShownConversation(Output):
    """One conversation: its turns, its steps, the names of the tools in the order called, and what the format does not hold."""

    turns: tuple[ShownTurn, ...]
    steps: tuple[ShownStep | ShownToolCall, ...]
    tools: tuple[str, ...]
    not_recorded: tuple[Fact, ...]


class ShownTraffic(Output):
    """An interaction that is no model call."""

    interaction: int
    method: str | None
    uri: str | None
    http_status: int | None


class ShowReport(Output):
    """``show --format json``. ``ref`` is the revision as given, or ``worktree``; ``blob`` is the cassette's content id."""

    schema_: Literal["cassette-review/show/1"] = Field("cassette-review/show/1", alias="schema")
    path: str
    ref: str
    blob: str
    format: str | None
    unreadable: Refusal | None
    interactions: int
    conversations: tuple[ShownConversation, ...]
    other_traffic: tuple[ShownTraffic, ...]
    notes: tuple[str, ...]


class ShownDetail(Output):
    """One differing leaf. ``absent`` names the side that lacks it, whose value is null here."""

    path: str
    baseline: Any
    head: Any
    absent: Literal["baseline", "head"] | None


class ShownChange(Output):
    """One difference. ``cause`` is null, or the index in ``changes`` of the change that it follows from.

    Steps are [conversation, index] on their side, or null.
    """

    kind: ChangeKind
    significance: Significance
    tool: str | None
    cause: int | None
    baseline_step: tuple[int, int] | None
    head_step: tuple[int, int] | None
    details: tuple[ShownDetail, ...]
    note: str


class ShownFinding(Output):
    """A judged fact with a stable code."""

    code: str
    severity: Severity
    message: str
    step: tuple[int, int] | None
    since: Since

    @classmethod
    def of(cls, finding: Finding) -> "ShownFinding":
        """Show a finding."""
        return cls(**finding.model_dump())


class ShownMessage(Output):
    """A sentence of a check, and how many pairs have it."""

    message: str
    pairs: int


class ShownJudgement(Output):
    """What one check says of all pairs that is new in head, or gone from it. ``pairs`` are their paths; none where it is about all of them
    together. ``decided`` counts those of them that nobody has to look at any more.
    """

    code: str
    severity: Severity
    since: Since
    messages: tuple[ShownMessage, ...]
    pairs: tuple[str, ...]
    decided: int


class UnreadableSides(Output):
    """Why a pair could not be compared, by side."""

    baseline: Refusal | None
    head: Refusal | None


class ShownReviewer(Output):
    """A reviewer that a state rests on. ``automated``: the verdict was submitted by automation; ``own``: they wrote a commit under review."""

    name: str
    email: str
    automated: bool
    own: bool


class ShownPair(Output):
    """A baseline cassette matched with a head cassette. ``significance`` is null when a side is unreadable.

    ``subject`` is ``policy`` for rules of review that changed. ``state_by`` are the reviewers that the state rests on, ``state_since``
    is when the earlier verdict was given that a carried, stale or resolved state goes back to, ``state_why`` says it in a sentence,
    ``approvals_missing`` is how many approvals the policy still asks for. ``limits`` are sentences on budgets that were hit, and on what
    could as well have been compared with something else.
    """

    path: str
    baseline_path: str | None
    status: Status
    significance: Significance | None
    headline: str
    subject: Literal["cassette", "policy"]
    state: State
    state_by: tuple[ShownReviewer, ...]
    state_since: str | None
    state_why: str
    approvals_missing: int
    signature: str
    digest: str
    changes: tuple[ShownChange, ...]
    limits: tuple[str, ...]
    findings: tuple[ShownFinding, ...]
    usage: SidesOfUsage
    cost_usd: SidesOfCost
    unreadable: UnreadableSides | None


class ShownGroup(Output):
    """The pairs, by path, that changed alike."""

    signature: str
    headline: str
    pairs: tuple[str, ...]


class ShownTotals(Output):
    """Counts over all pairs, and both sides' sums."""

    pairs: int
    identical: int
    cosmetic: int
    request: int
    behaviour: int
    unreadable: int
    added: int
    removed: int
    usage: SidesOfUsage
    cost_usd: SidesOfCost
    states: dict[State, int]


class DiffReport(Output):
    """``diff --format json``. ``baseline`` and ``head`` are a commit id, ``worktree`` or a directory. ``findings`` begin with the new errors."""

    schema_: Literal["cassette-review/diff/1"] = Field("cassette-review/diff/1", alias="schema")
    baseline: str
    head: str
    findings: tuple[ShownJudgement, ...]
    totals: ShownTotals
    pairs: tuple[ShownPair, ...]
    groups: tuple[ShownGroup, ...]
    notes: tuple[str, ...]


class ShownWaiting(Output):
    """A pair that the gate waits for, why, what the ledger says about it, the command that shows it, and the one that opens the dashboard on it."""

    path: str
    reason: Reason
    significance: Significance | None
    headline: str
    why: str
    command: str
    open: str


class CheckReport(Output):
    """``check --format json``. ``passed`` is what the exit code says, also with ``--report-only``. ``findings`` begin with the new errors."""

    schema_: Literal["cassette-review/check/1"] = Field("cassette-review/check/1", alias="schema")
    baseline: str
    head: str
    passed: bool
    findings: tuple[ShownJudgement, ...]
    pairs: int
    waiting: tuple[ShownWaiting, ...]


class AuditedCassette(Output):
    """One cassette by itself. ``unreadable`` says why it could not be read."""

    path: str
    findings: tuple[ShownFinding, ...]
    unreadable: str | None


class AuditReport(Output):
    """``audit --format json``. ``findings`` are about all cassettes together; ``usage`` is that of the ``measured`` ones, ``cost_usd`` of the
    ``priced`` ones. A budget that is not set is null.
    """

    schema_: Literal["cassette-review/audit/1"] = Field("cassette-review/audit/1", alias="schema")
    side: str
    day: str
    passed: bool
    cassettes: tuple[AuditedCassette, ...]
    findings: tuple[ShownFinding, ...]
    turns: int
    calls: int
    usage: ShownUsage | None
    measured: int
    cost_usd: float | None
    priced: int
    token_budget: int | None
    cost_budget_usd: float | None


REPORTS: dict[str, type[Output]] = {"show": ShowReport, "diff": DiffReport, "check": CheckReport, "audit": AuditReport}


def printed(report: Output) -> str:
    """Print in ASCII only: half a surrogate is valid in JSON but in no file, and no escape sequence may reach a terminal."""
    return json.dumps(report.model_dump(mode="python", by_alias=True), indent=2, allow_nan=False) + "\n"


def schema_text(name: str) -> str:
    """Write the JSON Schema of one report as it stands in ``docs/schemas``."""
    schema = REPORTS[name].model_json_schema(mode="serialization", by_alias=True)
    return json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}, indent=2) + "\n"


if __name__ == "__main__":
    sys.stdout.write(schema_text(sys.argv[1]))
