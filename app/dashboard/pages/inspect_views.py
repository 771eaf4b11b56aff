"""How one cassette is looked at: as a conversation, through its history, beside another one, against a request, as text."""

from collections.abc import Mapping, Sequence
from datetime import datetime

import altair as alt
import pandas as pd
import streamlit as st

from dashboard import attached, figures, load, look, state
from dashboard.components import attached as attachments
from dashboard.components import charts, grid, header, notes, page, walk
from dashboard.components import raw as raw_text
from dashboard.inert import escaped, one_line
from dashboard.look import Look
from reviewlib import checks, pipeline
from reviewlib.checks.check import Given
from reviewlib.costs import totals, turn_cost
from reviewlib.model.cassette import Unreadable
from reviewlib.model.review import Totals
from reviewlib.model.trajectory import OtherTraffic, Recording
from reviewlib.sources.history import Version


def conversation(desk: load.Desk, asked: Look, recording: Recording) -> None:
    """The recording as it went, with what is wrong with it, what it used, and what else is in the file."""
    cassette = recording.cassette
    found = checks.findings(None, recording, None, Given(desk.read.policy, desk.read.prices_at))
    facts = [
        f"format <b>{escaped(cassette.format)}</b>",
        f"interactions <b>{len(cassette.interactions):,}</b>",
        f"conversations <b>{len(recording.conversations):,}</b>",
        *_used(totals(recording, desk.read.prices_at)),
    ]
    missing = dict.fromkeys((*recording.not_recorded, *cassette.not_recorded))
    if missing:
        facts.append(f"not recorded: {escaped(', '.join(fact.replace('_', ' ') for fact in missing))}")
    said = [f"<li>{notes.finding_note(finding)}</li>" for finding in found]
    said += [f'<li class="dim">{escaped(note)}</li>' for note in (*recording.notes, *recording.orphans)]
    page.show(
        f'<h1>{escaped(cassette.path)}</h1><div class="meta">{"".join(f"<span>{fact}</span>" for fact in facts)}</div>'
        f'<ul class="plain">{"".join(said)}</ul>'
    )
    with st.container(horizontal=True, vertical_alignment="center", key="views"):
        _search(asked.find)
        drawing, shown, every = grid.of_recording(recording, notes.of_findings(found), asked.find)
        walk.show("inspect-walk", f"{cassette.content}{asked.find}", asked.step, drawing, look.go)
    _turns(recording, desk.read.prices_at)
    attachments.show(attached.of_recording(recording), cassette.content[:16])
    grid.show(drawing)
    if asked.find:
        page.show(f'<p class="dim">{shown:,} of {every:,} steps hold “{escaped(asked.find)}”.</p>')
    _traffic(recording.other_traffic)


def _used(used: Totals) -> list[str]:
    said = [f"turns <b>{used.turns:,}</b>", f"tool calls <b>{used.calls:,}</b>"]
    count = figures.tokens(used)
    if count is not None:
        said.append(f"tokens <b>{count:,}</b>")
    if used.cost is not None:
        said.append(f"cost <b>{figures.dollars(used.cost)}</b>")
    if used.seconds is not None:
        said.append(f"latency <b>{figures.seconds(used.seconds)}</b>")
    return said


def _search(find: str) -> None:
    state.preset("inspect-find", find)
    st.text_input(
        "Search inside",
        key="inspect-find",
        type="search",
        placeholder="Search inside",
        label_visibility="collapsed",
        width=230,
        on_change=lambda: look.go(find=state.typed("inspect-find")),
    )


def _turns(recording: Recording, prices_at: datetime) -> None:
    """A line for each turn: who answered, why it ended, what it used, and what that cost."""
    rows = "".join(
        f"<tr><th scope='row'>{turn.turn}</th><td>{escaped(turn.model or turn.requested_model or 'not recorded')}</td>"
        f"<td>{escaped(turn.stop_reason_raw or turn.stop_reason or 'not recorded')}</td>"
        f"<td>{figures.count(getattr(turn.usage, 'input_tokens', None))}</td>"
        f"<td>{figures.count(getattr(turn.usage, 'output_tokens', None))}</td>"
        f"<td>{'unknown' if (cost := turn_cost(turn, prices_at)) is None else figures.dollars(cost)}</td>"
        f"<td>{figures.seconds(turn.seconds)}</td></tr>"
        for trajectory in recording.conversations
        for turn in trajectory.turns[:400]
    )
    if rows:
        names = ("turn", "model", "stop reason", "input", "output", "cost", "latency")
        heads = "".join(f"<th scope='col'>{name}</th>" for name in names)
        page.show(
            f"<details><summary>Turns and tokens</summary><table class='figures'><tr>{heads}</tr>{rows}</table></details>"
        )


def _traffic(others: tuple[OtherTraffic, ...]) -> None:
    items = "".join(
        f"<li class='mono'>{escaped(' '.join(filter(None, (one.method, one.uri))))} {one.http_status or ''}</li>"
        for one in others[:500]
    )
    if items:
        page.show(
            f"<details><summary>{len(others):,} interactions that are no model calls</summary>"
            f'<ul class="plain">{items}</ul></details>'
        )


def raw(found: look.Found) -> None:
    """The files as they lie there, masked."""
    raw_text.show_files("recorded text", found.recording, found.files, f"inspect-{found.files[0].blob[:16]}")


def history(desk: load.Desk, path: str) -> None:
    """Who recorded the cassette anew, when, and what it did and used through time."""
    if desk.repository is None:
        page.empty("No history", "Two folders are compared, outside any repository.")
        return
    tips = tuple(dict.fromkeys(side.commit for side in (desk.review.head, desk.review.baseline) if side.commit)) or (
        "HEAD",
    )
    listed = desk.repository.versions(path, tips)
    if not listed:
        page.empty(
            "Not committed yet",
            "No commit of either side changed this cassette. Once it is committed, its versions are listed here.",
        )
        return
    read = {version.commit: look.found_or_sentence(desk, path, version.commit) for version in listed}
    recordings = {commit: found.recording for commit, found in read.items() if isinstance(found, look.Found)}
    _through_time(listed, recordings, desk.read.prices_at)
    rows = "".join(_version(version, recordings.get(version.commit), desk.read.prices_at) for version in listed)
    names = ("when", "who", "commit", "subject", "calls", "tokens", "cost", "tools")
    heads = "".join(f"<th scope='col'>{name}</th>" for name in names)
    page.show(
        f"<div class='sideways' role='region' aria-label='Versions' tabindex='0'><table class='figures wide'>"
        f"<caption>{len(listed)} versions</caption><tr>{heads}</tr>{rows}</table></div>"
    )
    if len(listed) > 1:
        _pick_two(path, listed)


def _version(version: Version, recording: Recording | Unreadable | None, prices_at: datetime) -> str:
    used = totals(recording, prices_at) if isinstance(recording, Recording) else None
    tokens = figures.tokens(used) if used is not None else None
    cells = (
        f"{version.at:%Y-%m-%d %H:%M}",
        version.author,
        version.commit[:10],
        one_line(version.subject, 90),
        "removed or unreadable" if used is None else f"{used.calls:,}",
        figures.count(tokens),
        "unknown" if used is None or used.cost is None else figures.dollars(used.cost),
        one_line(" → ".join(tool for one in recording.conversations for tool in one.tools), 120)
        if isinstance(recording, Recording)
        else "",
    )
    first, *rest = (escaped(cell) for cell in cells)
    return f"<tr><th scope='row'>{first}</th>{''.join(f'<td>{cell}</td>' for cell in rest)}</tr>"


def _through_time(
    listed: Sequence[Version], recordings: Mapping[str, Recording | Unreadable | None], prices_at: datetime
) -> None:
    rows = []
    for number, version in enumerate(reversed(listed), start=1):
        recording = recordings.get(version.commit)
        if isinstance(recording, Recording):
            used = totals(recording, prices_at)
            name = f"{number}. {version.at:%Y-%m-%d}"
            known: list[tuple[str, float | None]] = [("tokens", figures.tokens(used)), ("tool calls", used.calls)]
            rows += [
                {"version": name, "measure": measure, "value": value} for measure, value in known if value is not None
            ]
    if len(rows) < 3:
        return
    data = pd.DataFrame(rows)
    colour = charts.SIDE_COLOURS[page.theme()][1]
    for column, measure in zip(st.columns(2), ("tokens", "tool calls"), strict=True):
        part = data[data["measure"] == measure]
        if not part.empty:
            chart = (
                alt.Chart(part)
                .mark_line(point=True, color=colour)
                .encode(
                    x=alt.X("version:N", sort=None, title=None, axis=alt.Axis(labelAngle=0, labelOverlap=True)),
                    y=alt.Y("value:Q", title=measure),
                    tooltip=["version:N", "value:Q"],
                )
            )
            with column:
                st.altair_chart(chart, height=190, alt=f"{measure} of each version, oldest first")


def _pick_two(path: str, listed: Sequence[Version]) -> None:
    words = {
        version.commit: f"{version.at:%Y-%m-%d} {version.commit[:10]} {one_line(version.subject, 60)}"
        for version in listed
    }
    with st.container(horizontal=True, vertical_alignment="bottom", key="two-versions"):
        for key, label, index in (("version-before", "Baseline", 1), ("version-after", "Head", 0)):
            st.selectbox(label, list(words), index=index, key=key, format_func=words.__getitem__, width=430)
        st.button("Compare these", key="compare-versions", on_click=_compare_versions, args=(path,))


def _compare_versions(path: str) -> None:
    look.go(
        sight="compare",
        path=path,
        place=state.chosen("version-after"),
        other_path=path,
        other_place=state.chosen("version-before"),
    )


def compare(desk: load.Desk, baseline: Recording | Unreadable | None, head: Recording, names: tuple[str, str]) -> None:
    """Any two cassettes beside each other, as a pair is; there is nothing to decide about it."""
    pair = pipeline.compare(baseline, head, desk.read.policy, desk.read.prices_at)
    header.show(pair, None, "compared by hand, no verdict is kept")
    header.findings(pair)
    header.ignored(pair)
    drawing = grid.of_pair(pair, names, notes.of(pair))
    walk.show("compare-walk", pair.digest, "", drawing, look.go)
    header.strips(pair)
    header.request(pair)
    attachments.show(attached.of_pair(pair), "compared")
    grid.show(drawing)
