"""The queue: what the comparison comes to, and its pairs, riskiest first."""

import streamlit as st

from dashboard import decide, load, present, state
from dashboard.components import page
from dashboard.components import queue as rows
from dashboard.inert import escaped
from reviewlib.model.review import Pair

_BANNERS = 3
"""Shared causes that stand above the rows."""


def render(desk: load.Desk, selected: state.Selection) -> None:
    """Show the counts, what many pairs share, and the rows that are left by the filter."""
    _header(desk)
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
    found = [
        present.queue_row(pair, desk.state(pair).state, [who.name for who in desk.state(pair).by]) for pair in shown
    ]
    params = {name: value for name, value in selected.params().items() if name != "pair"}
    rows.show(found, params, state.last_opened(), lambda path: state.go(pair=path))


def visible(desk: load.Desk, selected: state.Selection) -> tuple[Pair, ...]:
    """The pairs that the filter leaves, riskiest first. Identical ones only where they are asked for."""
    causes = {cause.key: set(cause.paths) for cause in desk.read.causes}
    words = selected.search.lower().split()

    def matches(pair: Pair) -> bool:
        rank = present.rank(pair)
        return (
            (rank in selected.ranks if selected.ranks else rank != "identical")
            and (not selected.states or desk.state(pair).state in selected.states)
            and (not selected.cause or pair.path in causes.get(selected.cause, ()))
            and all(word in desk.read.haystacks[pair.path] for word in words)
        )

    return tuple(pair for pair in desk.review.pairs if matches(pair))


def _header(desk: load.Desk) -> None:
    review = desk.review
    title = f"{escaped(desk.title)} · " if desk.title else ""
    noise = sum(pair.significance == "identical" for pair in review.pairs)
    facts = [f"<b>{len(review.pairs):,}</b> changed cassettes" + (f", <b>{noise:,}</b> only by noise" if noise else "")]
    if review.uncounted:
        facts.append(f"{review.uncounted:,} other changed files")
    facts += [escaped(note) for note in review.notes]
    page.show(
        f"<h1>{title}{escaped(present.side_name(review.baseline))} → {escaped(present.side_name(review.head))}</h1>"
        f'<div class="meta">{"".join(f"<span>{fact}</span>" for fact in facts)}</div>',
        "topline",
    )


def _nothing(desk: load.Desk) -> None:
    others = f"{desk.review.uncounted:,} changed files are no cassettes. " if desk.review.uncounted else ""
    page.empty(
        "No cassette differs",
        f"{others}Record some anew and reload this page, or name the two sides to compare:",
        "cassette-review open main...HEAD",
    )


def _filters(desk: load.Desk, selected: state.Selection) -> None:
    counts = present.counts(desk.review, desk.states)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="filters"):
        _pills("rank", "Significance", tuple(rank for rank in present.RANKS if counts[rank]), selected.ranks, counts)
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


def _pills(name: str, label: str, options: tuple[str, ...], chosen: tuple[str, ...], counts: dict[str, int]) -> None:
    key = f"filter-{name}"
    state.preset(key, [word for word in chosen if word in options])

    def changed() -> None:
        state.go(**{f"{name}s": tuple(state.chosen(key) or ())})

    st.pills(
        label,
        options,
        key=key,
        selection_mode="multi",
        format_func=lambda word: f"{present.SHAPES[word]} {counts[word]:,} {word}",
        label_visibility="collapsed",
        on_change=changed,
    )


def _search(selected: state.Selection) -> None:
    state.preset("search", selected.search)
    st.text_input(
        "Search",
        key="search",
        type="search",
        placeholder="Search names, tools, arguments, texts",
        label_visibility="collapsed",
        width=280,
        on_change=lambda: state.go(search=state.typed("search")),
    )


def _banners(desk: load.Desk, selected: state.Selection) -> None:
    causes = desk.read.causes[:_BANNERS]
    if not causes:
        return
    with st.container(key="banners"):
        for cause in causes:
            _banner(cause, on=cause.key == selected.cause)


def _banner(cause: present.Cause, *, on: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"banner-{cause.key}"):
        page.show(f"<b>{len(cause.paths)} cassettes</b> have one cause in common: {escaped(cause.sentence)}")
        st.button(
            "Show all" if on else "Only these",
            key=f"cause-{cause.key}",
            type="tertiary",
            on_click=_only,
            args=("" if on else cause.key,),
        )


def _only(cause: str) -> None:
    state.go(cause=cause)


def _open(path: str) -> None:
    state.go(pair=path)


def _clear() -> None:
    state.go(ranks=(), states=(), cause="", search="")
