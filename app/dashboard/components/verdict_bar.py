"""What a reviewer can do about the pair on the screen, with the key of each. It is drawn after the evidence, and pinned below it."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from dashboard import decide, state
from dashboard.alike import spoken
from dashboard.components import page
from dashboard.components.notes import comment, thread_note
from dashboard.inert import escaped
from dashboard.who import Person
from reviewlib.model.review import Pair
from reviewlib.verdicts import Anchor, Entry, PairState, Thread, fates


@dataclass(frozen=True)
class Walk:
    """Where one can go from here: the paths of the queue as it is filtered, and the next pair (None: there is no other) of a kind."""

    visible: tuple[str, ...]
    kind: str = ""
    alike: str | None = None


@dataclass(frozen=True)
class Standing:
    """Where a pair stands, what was said about it by step, and the step that comments are about (None: the pair as a whole)."""

    state: PairState
    threads: Sequence[Thread]
    target: Anchor | None = None

    @property
    def open_thread(self) -> Thread | None:
        """The thread of the target that nobody has resolved."""
        for thread in self.threads:
            if thread.step == self.target and not thread.outdated and thread.resolved_by is None:
                return thread
        return None


def token(pair: Pair) -> str:
    """Names a pair and its exact content in the keys of what decides, so that no button of one pair can act for another.

    What only walks keeps its key: it stays in the page, which saves the browser 30 ms a pair.
    """
    return hashlib.sha256(f"{pair.path}\0{pair.digest}".encode("utf-8", "surrogatepass")).hexdigest()[:16]


def show(pair: Pair, standing: Standing, walk: Walk, person: Person) -> None:
    """Show the buttons; ``person`` is who looks."""
    visible = walk.visible
    name = token(pair)
    with st.bottom:
        page.notice()
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="verdict-bar"):
            if person.reviewer is None:
                page.show(f'<span class="dim">{escaped(person.why)}</span>')
            else:
                _decisions(pair, standing, visible, name)
                mine = [entry for entry in standing.state.entries if entry.reviewer.key == person.reviewer.key]
                _taking_back(pair, mine, visible, name)
            st.space("stretch")
            _walk(pair, walk)


def _decisions(pair: Pair, standing: Standing, visible: Sequence[str], name: str) -> None:
    field = f"comment-{name}"
    about = decide.About(pair.path, pair.digest, field, tuple(visible), standing.target)
    st.button(
        "Approve",
        key=f"approve-{name}",
        icon=":material/check:",
        shortcut="A",
        type="primary",
        disabled=pair.significance is None,
        on_click=decide.act,
        args=("approve", about),
    )
    st.button(
        "Flag", key=f"flag-{name}", icon=":material/flag:", shortcut="F", on_click=decide.act, args=("flag", about)
    )
    where = standing.target.spoken if standing.target is not None else ""
    st.text_input(
        "Comment",
        key=field,
        label_visibility="collapsed",
        placeholder=f"Comment on {where}" if where else "Comment, sent with Approve, Flag or Comment",
        width=300,
    )
    st.button("Comment", key=f"say-{name}", shortcut="M", on_click=decide.act, args=("comment", about))
    if standing.open_thread is not None:
        st.button(
            "Resolve",
            key=f"resolve-{name}",
            shortcut="E",
            help=f"Closes the comments on {where or 'the pair as a whole'}",
            on_click=decide.act,
            args=("resolve", about),
        )
    if standing.target is not None:
        st.button("Unpin step", key="unpin", type="tertiary", on_click=_unpin)
    st.button("Skip", key="skip", shortcut="S", on_click=decide.skip, args=(pair.path, tuple(visible)))


def _taking_back(pair: Pair, mine: Sequence[Entry], visible: Sequence[str], name: str) -> None:
    about = decide.About(pair.path, pair.digest, f"comment-{name}", tuple(visible), None)
    if any(entry.verdict for entry in mine):
        st.button("Withdraw", key=f"withdraw-{name}", shortcut="W", on_click=decide.act, args=("withdraw", about))
    if state.last_done() is not None:
        st.button("Undo", key="undo", shortcut="U", on_click=decide.undo)


def history(standing: PairState, threads: Sequence[Thread]) -> None:
    """List who said what about exactly this content, what an earlier content was told, and the comments on the pair as a whole."""
    items = [_verdict(entry, fate) for entry, fate in fates(standing.entries) if entry.kind != "comment"]
    items += [
        f'<li class="dim">an earlier content: {_verdict_words(entry)}</li>'
        for entry in standing.earlier
        if entry.verdict
    ]
    whole = [thread for thread in threads if thread.step is None or thread.outdated]
    said = "".join(_thread(thread) for thread in whole)
    if items or said:
        listed = f'<ul class="plain">{"".join(items)}</ul>' if items else ""
        page.show(f'<h2 class="minor">Said about this pair</h2>{listed}{said}')


def _thread(thread: Thread) -> str:
    if not thread.outdated:
        return thread_note(thread)
    said = "".join(f"<p>{comment(entry)}</p>" for entry in thread.comments)
    where = "" if thread.step is None else f" at {escaped(thread.step.spoken)}"
    return f'<details class="thread"><summary>on an earlier content{where}</summary>{said}</details>'


def _verdict(entry: Entry, fate: str) -> str:
    told = f' <span class="dim">({fate})</span>' if fate in ("replaced", "withdrawn", "set aside") else ""
    quiet = ' class="dim"' if told else ""
    return f"<li{quiet}>{_verdict_words(entry)}{told}</li>"


def _verdict_words(entry: Entry) -> str:
    said = {"approve": "approved", "flag": "flagged"}.get(entry.verdict or "", "withdrew what was said")
    automated = " (automated)" if entry.agent else ""
    together = ", with others" if entry.bulk else ""
    return (
        f"<b>{escaped(entry.reviewer.name)}{automated}</b> {said}{together} "
        f'<span class="dim">{entry.at:%Y-%m-%d %H:%M} UTC</span> {escaped(entry.comment)}'
    )


def _walk(pair: Pair, walk: Walk) -> None:
    visible = walk.visible
    place = visible.index(pair.path) if pair.path in visible else -1
    before = visible[place - 1] if place > 0 else None
    after = visible[place + 1] if place + 1 < len(visible) else None
    st.button("Previous", key="previous", shortcut="P", disabled=before is None, on_click=_open, args=(before or "",))
    st.button("Next", key="next", shortcut="N", disabled=after is None, on_click=_open, args=(after or "",))
    st.button(
        "Next alike",
        key="next-alike",
        shortcut="G",
        help=_alike_words(walk),
        disabled=walk.alike is None,
        on_click=state.go,
        kwargs={"pair": walk.alike or "", "kind": walk.kind},
    )
    st.button("Queue", key="to-queue", shortcut="Q", on_click=_open, args=("",))


def _alike_words(walk: Walk) -> str:
    kind = spoken(walk.kind)
    return f"No other pair here is about: {kind}" if walk.alike is None else f"The next pair that is about: {kind}"


def _open(path: str) -> None:
    state.go(pair=path)


def _unpin() -> None:
    state.go(step="")
