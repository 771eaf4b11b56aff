"""The top of a pair: what it comes to, what is wrong with it, what was called in which order, and what was sent differently."""

from collections.abc import Iterator, Sequence

from dashboard import anchors, figures, present
from dashboard.components import page
from dashboard.components.grid import badge, chip, value_lines, words
from dashboard.components.notes import finding_note
from dashboard.inert import escaped
from dashboard.values_view import detail_line
from reviewlib.model.cassette import Unreadable
from reviewlib.model.change import Change, StepRef
from reviewlib.model.review import Finding, Ignored, Pair, State
from reviewlib.model.trajectory import Recording
from reviewlib.verdicts import PairState, explained
from reviewlib.words import compare, condensed


def show(pair: Pair, standing: PairState | None, position: str) -> None:
    """Show the headline with its significance and state (None: nothing is decided here), and the facts beside it."""
    badges = [badge(present.rank(pair))]
    why = "" if standing is None else explained(standing)
    if standing is not None:
        badges.append(badge(standing.state, tip=present.STATE_WORDS[standing.state]))
    if pair.status != "modified":
        badges.insert(1, f'<span class="badge">{pair.status}</span>')
    renamed = f"{pair.baseline_path} → " if pair.status == "renamed" and pair.baseline_path else ""
    page.show(
        f'<div class="badges">{"".join(badges)}<span class="path">{escaped(renamed + pair.path)}</span>'
        f'<span class="dim">{escaped(position)}</span></div>'
        f"<h1>{escaped(pair.headline)}</h1>"
        + (f'<p class="why-state">{escaped(why)}</p>' if why else "")
        + f'<div class="meta">{_facts(pair) if pair.subject == "cassette" else ""}</div>'
    )


def findings(pair: Pair) -> None:
    """List the findings, worst first, with what is already in the baseline told apart; and why a side could not be read."""
    items = [
        _unreadable(side, name)
        for name, side in (("baseline", pair.baseline), ("head", pair.head))
        if isinstance(side, Unreadable)
    ]
    order = ("error", "warning", "info")
    items += [
        _finding(item)
        for item in sorted(pair.findings, key=lambda item: (item.since != "new", order.index(item.severity)))
    ]
    items += [f'<li class="dim">{escaped(remark)}</li>' for remark in present.remarks(pair)]
    if items:
        page.show(f'<ul class="plain" aria-label="Findings">{"".join(items)}</ul>')


def ignored(pair: Pair) -> None:
    """Say in a fold what differs and was not compared, so that nothing is hidden for good."""
    if pair.ignored:
        total = sum(item.count for item in pair.ignored)
        items = "".join(f"<li>{_not_compared(item)}</li>" for item in pair.ignored)
        page.show(
            f'<details class="ignored"><summary>{total:,} difference{"" if total == 1 else "s"} not compared</summary>'
            f'<ul class="plain">{items}</ul><p class="dim">They say nothing of what the agent did. “About this comparison” in the queue '
            "lists what is never a difference; the raw text holds all of it.</p></details>"
        )


def _not_compared(item: Ignored) -> str:
    names = f' <span class="dim">{escaped(", ".join(item.names))}</span>' if item.names else ""
    return f"<b>{item.count:,}</b> {escaped(item.what)}{names}"


def strips(pair: Pair) -> None:
    """Show the order of the tools of both sides, one above the other."""
    rows = [(name, present.shortened(present.order_strip(pair, name))) for name in ("baseline", "head")]
    if any(beads for _, beads in rows):
        page.show(f'<div class="strips">{"".join(_strip(name, beads) for name, beads in rows)}</div>')


def request(pair: Pair) -> None:
    """Show what the harness sends differently: prompts word by word, tool schemas by tool, parameters, model."""
    items = "".join(
        f'<div class="item">{_request_change(pair, change)}</div>' for change in present.request_changes(pair)
    )
    if items:
        page.show(
            f'<section class="panel" aria-label="Request changes"><h2>What was sent differently</h2>{items}</section>'
        )


def record_command(pair: Pair, state: State) -> None:
    """Tell how a pair that no approval will let pass, a flagged or a blocked one, is recorded anew."""
    why = {"flagged": "Flagged. To record it anew:", "blocked": "No verdict clears this. To record it anew without it:"}
    if state in why and pair.record_command is not None:
        page.show(f'<h2 class="minor">{why[state]}</h2><pre>{escaped(pair.record_command)}</pre>')


def _facts(pair: Pair) -> str:
    facts = [(figure.name, figure) for figure in figures.figures(pair) if not figure.name.startswith("of these")]
    shown = [f"<span>{name} <b>{escaped(figure.baseline)}{_arrow(figure)}</b></span>" for name, figure in facts]
    shown.append(f"<span>format <b>{escaped(present.formats(pair) or 'unknown')}</b></span>")
    missing = present.not_recorded(pair)
    if missing:
        shown.append(f"<span>not recorded: {escaped(', '.join(missing))}</span>")
    return "".join(shown)


def _arrow(figure: figures.Figure) -> str:
    if figure.baseline == figure.head:
        return ""
    share = f" ({figure.share})" if figure.share else ""
    return escaped(f" → {figure.head}{share}")


def _unreadable(side: Unreadable, name: str) -> str:
    return (
        f"<li>{badge('unreadable', f'{name} cannot be read')} at stage <b>{side.stage}</b>: {escaped(side.reason)} "
        '<span class="dim">The raw text is under “Raw”.</span></li>'
    )


def _finding(finding: Finding) -> str:
    anchor = anchors.of_finding(finding)
    where = ""
    if anchor is not None:
        where = f' <a href="#{anchors.written(anchor.side, anchor.step)}">{anchor.spoken}</a>'
    return f"<li>{finding_note(finding)}{where}</li>"


def _strip(name: str, beads: Sequence[present.Bead]) -> str:
    items = "".join(f'<li class="{bead.mark}">{_sign(bead)}{escaped(bead.text)}</li>' for bead in beads)
    return f'<span class="dim">{name}</span><ol class="strip" aria-label="Tools of the {name}">{items or "<li>no calls</li>"}</ol>'


def _sign(bead: present.Bead) -> str:
    return {"added": "+ ", "removed": "− ", "moved": "⇅ ", "changed": "≠ "}.get(bead.mark, "")


def _request_change(pair: Pair, change: Change) -> str:
    body = "".join(_bodies(pair, change))
    return f"<div>{chip(present.chip(change))}</div>{body}"


def _bodies(pair: Pair, change: Change) -> Iterator[str]:
    texts = _text(pair.baseline, change.baseline_step), _text(pair.head, change.head_step)
    if change.kind in ("system_prompt", "user_message") and any(text is not None for text in texts):
        segments = compare(texts[0] or "", texts[1] or "")
        short = condensed(segments)
        yield f'<div class="words">{words(short, 2_000)}</div>'
        if short != segments:
            whole = words(segments, 20_000)
            yield f'<details><summary class="more">show the whole text</summary><div class="words">{whole}</div></details>'
    elif len(change.details) > 1 or any(present.is_long(detail) for detail in change.details):
        yield value_lines(map(detail_line, change.details))


def _text(recording: Recording | Unreadable | None, ref: StepRef | None) -> str | None:
    if not isinstance(recording, Recording) or ref is None:
        return None
    return recording.conversations[ref[0]].steps[ref[1]].text
