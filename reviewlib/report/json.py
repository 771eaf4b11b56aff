"""A review and a recording as JSON, exactly as ``schema`` says."""

from collections.abc import Mapping
from decimal import Decimal

from reviewlib.model.call import Usage
from reviewlib.model.cassette import Unreadable
from reviewlib.model.change import Absent, Change, Detail
from reviewlib.model.review import Pair, Review
from reviewlib.model.trajectory import Recording, Step, ToolCall, Trajectory
from reviewlib.report import schema, wording
from reviewlib.report.commands import Commands
from reviewlib.report.values import plain
from reviewlib.summary import Summary, Waiting, is_shut, state_of
from reviewlib.verdicts import PairState, explained


def render(review: Review, states: Mapping[str, PairState], summary: Summary) -> str:
    """Print a review as ``schema.DiffReport``."""
    report = schema.DiffReport(
        baseline=review.baseline.label,
        head=review.head.label,
        findings=_judged(summary),
        totals=_totals(summary),
        pairs=tuple(_pair(pair, states) for pair in review.pairs),
        groups=tuple(schema.ShownGroup(**group.model_dump()) for group in review.groups),
        notes=wording.notes(review),
    )
    return schema.printed(report)


def render_recording(read: Recording | Unreadable, path: str, ref: str) -> str:
    """Print one cassette as ``schema.ShowReport``."""
    if isinstance(read, Unreadable):
        report = schema.ShowReport(
            path=path,
            ref=ref,
            blob=read.content,
            format=None,
            unreadable=_refusal(read),
            interactions=0,
            conversations=(),
            other_traffic=(),
            notes=(),
        )
        return schema.printed(report)
    cassette = read.cassette
    report = schema.ShowReport(
        path=path,
        ref=ref,
        blob=cassette.content,
        format=cassette.format,
        unreadable=None,
        interactions=len(cassette.interactions),
        conversations=tuple(_conversation(trajectory, read) for trajectory in read.conversations),
        other_traffic=tuple(schema.ShownTraffic(**other.model_dump()) for other in read.other_traffic),
        notes=read.notes,
    )
    return schema.printed(report)


def render_gate(review: Review, summary: Summary, waiting: tuple[Waiting, ...], commands: Commands) -> str:
    """Print what the gate says as ``schema.CheckReport``."""
    report = schema.CheckReport(
        baseline=review.baseline.label,
        head=review.head.label,
        passed=not is_shut(summary, waiting),
        findings=_judged(summary),
        pairs=len(review.pairs),
        waiting=tuple(_waiting(item, commands) for item in waiting),
    )
    return schema.printed(report)


def _waiting(item: Waiting, commands: Commands) -> schema.ShownWaiting:
    shown = item.model_dump(exclude={"paths"})
    return schema.ShownWaiting(**shown, command=commands.see(item), open=commands.open(item))


def _judged(summary: Summary) -> tuple[schema.ShownJudgement, ...]:
    return tuple(
        schema.ShownJudgement(
            code=item.code,
            severity=item.severity,
            since=item.since,
            messages=tuple(schema.ShownMessage(message=message, pairs=count) for message, count in item.messages),
            pairs=item.pairs,
            decided=item.decided,
        )
        for item in summary.findings
    )


def _totals(summary: Summary) -> schema.ShownTotals:
    return schema.ShownTotals(
        pairs=summary.pairs,
        **summary.significances,
        unreadable=summary.unreadable,
        added=summary.statuses["added"],
        removed=summary.statuses["removed"],
        usage=_usages(summary.baseline.usage, summary.head.usage),
        cost_usd=_costs(summary.baseline.cost, summary.head.cost),
        states=summary.states,
    )


def _pair(pair: Pair, states: Mapping[str, PairState]) -> schema.ShownPair:
    known = states.get(pair.path) or PairState(state=state_of(pair, states))
    return schema.ShownPair(
        path=pair.path,
        baseline_path=pair.baseline_path,
        status=pair.status,
        significance=pair.significance,
        headline=pair.headline,
        subject=pair.subject,
        state=known.state,
        state_by=tuple(
            schema.ShownReviewer(name=who.name, email=who.email, automated=who in known.automated, own=who in known.own)
            for who in known.by
        ),
        state_since=None if known.since is None else known.since.at.isoformat(),
        state_why=explained(known),
        approvals_missing=known.missing,
        signature=pair.signature,
        digest=pair.digest,
        changes=() if pair.diff is None else tuple(_change(change) for change in pair.diff.changes),
        limits=() if pair.diff is None else pair.diff.limits,
        findings=tuple(schema.ShownFinding.of(finding) for finding in pair.findings),
        usage=_usages(pair.baseline_totals.usage, pair.head_totals.usage),
        cost_usd=_costs(pair.baseline_totals.cost, pair.head_totals.cost),
        unreadable=_unreadable(pair),
    )


def _change(change: Change) -> schema.ShownChange:
    return schema.ShownChange(
        kind=change.kind,
        significance=change.significance,
        tool=change.tool,
        cause=change.cause,
        baseline_step=change.baseline_step,
        head_step=change.head_step,
        details=tuple(_detail(detail) for detail in change.details),
        note=change.note,
    )


def _detail(detail: Detail) -> schema.ShownDetail:
    lacking = [side for side in ("baseline", "head") if isinstance(getattr(detail, side), Absent)]
    return schema.ShownDetail(
        path=detail.path,
        baseline=plain(detail.baseline),
        head=plain(detail.head),
        absent=lacking[0] if lacking else None,
    )


def _unreadable(pair: Pair) -> schema.UnreadableSides | None:
    baseline, head = (_refusal(side) if isinstance(side, Unreadable) else None for side in (pair.baseline, pair.head))
    return schema.UnreadableSides(baseline=baseline, head=head) if baseline or head else None


def _refusal(unreadable: Unreadable) -> schema.Refusal:
    return schema.Refusal(stage=unreadable.stage, reason=unreadable.reason)


def _conversation(trajectory: Trajectory, recording: Recording) -> schema.ShownConversation:
    kept = set(schema.ShownTurn.model_fields) - {"usage"}
    return schema.ShownConversation(
        turns=tuple(
            schema.ShownTurn(**turn.model_dump(include=kept), usage=schema.ShownUsage.of(turn.usage))
            for turn in trajectory.turns
        ),
        steps=tuple(_step(step) for step in trajectory.steps),
        tools=trajectory.tools,
        not_recorded=recording.not_recorded,
    )


def _step(step: Step) -> schema.ShownStep | schema.ShownToolCall:
    if not isinstance(step, ToolCall):
        return schema.ShownStep(index=step.index, kind=step.kind, turn=step.turn, text=step.text)
    return schema.ShownToolCall(
        index=step.index,
        turn=step.turn,
        text=step.text,
        tool=step.tool,
        call=step.call,
        arguments=plain(step.arguments),
        arguments_raw=step.arguments_raw,
        server_side=step.server_side,
        result=plain(step.result) if step.result_recorded else None,
        result_recorded=step.result_recorded,
        is_error=step.is_error,
    )


def _usages(baseline: Usage | None, head: Usage | None) -> schema.SidesOfUsage:
    return schema.SidesOfUsage(baseline=schema.ShownUsage.of(baseline), head=schema.ShownUsage.of(head))


def _costs(baseline: Decimal | None, head: Decimal | None) -> schema.SidesOfCost:
    return schema.SidesOfCost(
        baseline=None if baseline is None else float(baseline), head=None if head is None else float(head)
    )
