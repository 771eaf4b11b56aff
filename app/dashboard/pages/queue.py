"""The queue: what the comparison comes to, and its pairs, riskiest first."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from dashboard import decide, load, present, state
from dashboard.components import about, page, queue
from dashboard.inert import escaped, one_line
from dashboard.rows import ordered
from reviewlib.model.review import Group, Pair
from reviewlib.report import wording

_BANNERS = 3
"""Shared causes that stand above the rows."""

_ALARM = 600
"""Characters of a line about a finding above the rows."""

_PILL_WORDS = {"error": "with errors", "warning": "with warnings"}


def render(desk: load.Desk, selected: state.Selection) -> None:
    """Show the counts, what many pairs share, and the rows that are left by the filter."""
    _alarms(desk)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="queue-head"):
        _header(desk)
        _codes(desk, selected)
        about.show(desk)
    if not desk.review.pairs:
        _nothing(desk)
        return
    _filters(desk, selected)
    _banners(desk, selected)
    page.notice()
    shown = visible(desk, selected)
    if not shown:
        page.empty("No pair matches", "Take a filter away, or clear the search.")
        if selected.filtered:
            st.button("Clear all filters", on_click=_clear)
        return
    show_rows(desk, shown, selected)


def show_rows(desk: load.Desk, shown: Sequence[Pair], selected: state.Selection) -> None:
    """Show pairs as the list that one opens, selects and decides from."""
    listing = queue.Listing(
        rows=[line(desk, pair) for pair in shown],
        groups={group.signature: one_line(group.headline, 240) for group in desk.review.groups},
        params={name: value for name, value in selected.params().items() if name not in ("pair", "view", "step")},
        last=state.last_opened(),
        sort=selected.sort,
        grouped=not selected.sort,
    )
    queue.show(listing, ACTS)


def line(desk: load.Desk, pair: Pair) -> Mapping[str, Any]:
    """A pair as a row of the list, with where it stands now."""
    standing = desk.state(pair)
    return {
        **desk.read.rows[pair.path],
        "state": standing.state,
        "reviewers": one_line(", ".join(who.name for who in standing.by), 60),
    }


def visible(desk: load.Desk, selected: state.Selection) -> tuple[Pair, ...]:
    """The pairs that the filter leaves, in the order on the screen. Identical ones only where they are asked for."""
    causes = {cause.signature: set(cause.pairs) for cause in desk.review.causes}
    words = selected.search.lower().split()

    def matches(pair: Pair) -> bool:
        rank = present.rank(pair)
        return (
            (rank in selected.ranks if selected.ranks else rank != "identical")
            and (not selected.states or desk.state(pair).state in selected.states)
            and (not selected.alarms or bool(set(selected.alarms) & set(present.alarms(pair))))
            and (not selected.code or selected.code in present.new_codes(pair))
            and (not selected.group or pair.signature == selected.group)
            and (not selected.cause or pair.path in causes.get(selected.cause, ()))
            and all(word in desk.read.haystacks[pair.path] for word in words)
        )

    matching = [pair for pair in desk.read.by_risk if matches(pair)]
    return ordered(matching, selected.sort, lambda pair: desk.state(pair).state)


def _alarms(desk: load.Desk) -> None:
    """Say what must not be merged, as the first lines of every report do, and what else is about all pairs together."""
    summary = desk.standings.summary
    lines = [("bad", line) for line in wording.errors(summary)] + [("", line) for line in wording.together(summary)]
    if lines:
        notes = (f'<div class="note {kind}">{escaped(one_line(line, _ALARM))}</div>' for kind, line in lines)
        page.show("".join(notes), "alarms")


def _header(desk: load.Desk) -> None:
    review = desk.review
    title = f"{escaped(desk.title)} · " if desk.title else ""
    noise = sum(pair.significance == "identical" for pair in review.pairs)
    facts = [f"<b>{len(review.pairs):,}</b> changed cassettes" + (f", <b>{noise:,}</b> only by noise" if noise else "")]
    if review.uncounted:
        facts.append(f"{review.uncounted:,} other changed files")
    facts += [escaped(note) for note in review.notes]
    page.show(
        f"<h1>{title}{' → '.join(map(escaped, present.side_names(review)))}</h1>"
        f'<div class="meta">{"".join(f"<span>{fact}</span>" for fact in facts)}</div>',
        "topline",
    )


def _sharing(desk: load.Desk) -> None:
    """Say how many entries the remote does not have, and offer to give them."""
    notes = load.ledger_of(desk.repository)
    waiting = 0 if notes is None else notes.unpushed()
    if waiting:
        st.button(
            f"Push {waiting:,} entr{'y' if waiting == 1 else 'ies'}",
            key="push",
            help="They are in this clone only. A push takes in what others said, too.",
            on_click=decide.push,
        )


def _nothing(desk: load.Desk) -> None:
    others = f"{desk.review.uncounted:,} changed files are no cassettes. " if desk.review.uncounted else ""
    last = None if desk.repository is None else desk.repository.last_recording(desk.read.policy)
    if last is None:
        advice = "Record some anew and reload this page, or name the two sides to compare:"
    else:
        advice = "Record some anew and reload this page. Or look at the last commit that changed one:"
    page.empty(
        "No cassette differs",
        f"{others}{advice}",
        "cassette-review open main...HEAD" if last is None else f"cassette-review open {last}^..{last}",
    )


def _filters(desk: load.Desk, selected: state.Selection) -> None:
    counts = present.counts(desk.review, desk.states)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="filters"):
        _pills("rank", "Significance", tuple(rank for rank in present.RANKS if counts[rank]), selected.ranks, counts)
        _pills("alarm", "Findings", tuple(word for word in present.ALARMS if counts[word]), selected.alarms, counts)
        _pills("state", "State", tuple(word for word in present.STATES if counts[word]), selected.states, counts)
        _search(selected)
        following = decide.next_open(desk, "", tuple(pair.path for pair in visible(desk, selected)))
        st.button(
            "Next open",
            key="next-open",
            shortcut="N",
            type="primary",
            disabled=following is None,
            on_click=_open,
            args=(following or "",),
        )
        if state.last_done() is not None:
            st.button("Undo", key="undo", shortcut="U", on_click=decide.undo)
        _sharing(desk)


def _pills(name: str, label: str, options: tuple[str, ...], chosen: tuple[str, ...], counts: dict[str, int]) -> None:
    if not options:
        return
    key = f"filter-{name}"
    state.preset(key, [word for word in chosen if word in options])

    def changed() -> None:
        state.go(**{f"{name}s": tuple(state.chosen(key) or ())})

    st.pills(
        label,
        options,
        key=key,
        selection_mode="multi",
        format_func=lambda word: f"{present.SHAPES[word]} {counts[word]:,} {_PILL_WORDS.get(word, word)}",
        label_visibility="collapsed",
        on_change=changed,
    )


def _codes(desk: load.Desk, selected: state.Selection) -> None:
    """One kind of finding, of those that are new; severities alone do not tell a secret from a slow call."""
    counts = desk.read.codes
    if len(counts) < 2 and not selected.code:
        return
    state.preset("filter-code", selected.code if selected.code in counts else None)
    st.selectbox(
        "Finding",
        list(counts),
        index=None,
        key="filter-code",
        format_func=lambda code: f"{counts[code]:,} {code}",
        placeholder="Any finding",
        label_visibility="collapsed",
        width=210,
        on_change=lambda: state.go(code=state.chosen("filter-code") or ""),
    )


def _search(selected: state.Selection) -> None:
    state.preset("search", selected.search)
    st.text_input(
        "Search",
        key="search",
        type="search",
        placeholder="Search names, tools, arguments, texts",
        label_visibility="collapsed",
        width=250,
        on_change=lambda: state.go(search=state.typed("search")),
    )


def _banners(desk: load.Desk, selected: state.Selection) -> None:
    causes = desk.review.causes[:_BANNERS]
    group = next((group for group in desk.review.groups if group.signature == selected.group), None)
    if not causes and group is None:
        return
    with st.container(key="banners"):
        if group is not None:
            _group_banner(group)
        for cause in causes:
            _banner(cause, on=cause.signature == selected.cause)


def _group_banner(group: Group) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="banner-group"):
        page.show(f"<b>{len(group.pairs)} cassettes</b> changed alike: {escaped(one_line(group.headline))}")
        st.button("Show all", key="group-off", type="tertiary", on_click=_ungroup)


def _ungroup() -> None:
    state.go(group="")


def _banner(cause: Group, *, on: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"banner-{cause.signature}"):
        page.show(f"<b>{len(cause.pairs)} cassettes</b> share: {escaped(cause.headline)}")
        st.button(
            "Show all" if on else "Only these",
            key=f"cause-{cause.signature}",
            type="tertiary",
            on_click=_only,
            args=("" if on else cause.signature,),
        )


def _only(cause: str) -> None:
    state.go(cause=cause)


def _open(path: str) -> None:
    state.go(pair=path)


def _sort(column: str) -> None:
    state.go(sort=column)


def _clear() -> None:
    state.go(ranks=(), states=(), alarms=(), code="", group="", cause="", search="")


ACTS = queue.Acts(open=state.open_pair, decide=decide.act_on_all, sort=_sort)
