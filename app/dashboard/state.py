"""What is selected, in the address bar, and what this browser session remembers. Nothing else touches either.

The address is the truth: widgets are set from it before they are drawn, and write to it when they are used. So a link, a
reload, and back and forward all lead to the same screen.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, Literal, TypeAlias, cast

import streamlit as st

from dashboard.present import ALARMS, RANKS, STATES
from dashboard.rows import SORTS, Sort
from dashboard.spending import UNITS, Unit

View: TypeAlias = Literal["steps", "unified", "raw", "usage", "since"]
Side: TypeAlias = Literal["head", "baseline"]
VIEWS: tuple[View, ...] = ("steps", "unified", "raw", "usage", "since")
TURNED: tuple[View, ...] = VIEWS[:3]
"""The views of what was recorded, that one key turns through."""

SETTLE_SECONDS = 0.6
"""How long a pair must have been shown before a verdict on it counts. Without it a held key approved up to 23 unseen pairs."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What the address says. ``ranks`` and ``states`` empty mean all, but identical pairs only when asked for.

    ``kind`` is what one goes from pair to pair after; empty: what the pair that is shown is about.
    """

    pair: str = ""
    view: View = "steps"
    step: str = ""
    side: Side = "head"
    ranks: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    alarms: tuple[str, ...] = ()
    code: str = ""
    group: str = ""
    sort: Sort = ""
    cause: str = ""
    search: str = ""
    measure: str = ""
    unit: Unit = "absolute"
    kind: str = ""

    @classmethod
    def of(cls, params: Mapping[str, str]) -> "Selection":
        """Read an address. What is not known is left out, so an outdated link still opens."""
        view = params.get("view", "steps")
        return cls(
            pair=params.get("pair", ""),
            view=view if view in VIEWS else "steps",
            step=params.get("step", ""),
            side="baseline" if params.get("side") == "baseline" else "head",
            ranks=_known(params.get("rank", ""), RANKS),
            states=_known(params.get("state", ""), STATES),
            alarms=_known(params.get("finding", ""), ALARMS),
            code=params.get("code", ""),
            group=params.get("group", ""),
            sort=sort if (sort := params.get("sort", "")) in SORTS else "",
            cause=params.get("cause", ""),
            search=params.get("q", ""),
            measure=params.get("measure", ""),
            unit=unit if (unit := params.get("unit", "absolute")) in UNITS else "absolute",
            kind=params.get("kind", ""),
        )

    def params(self) -> dict[str, str]:
        """Write the address. What is as usual is left out."""
        every = {
            "pair": self.pair,
            "view": "" if self.view == "steps" else self.view,
            "step": self.step,
            "side": "" if self.side == "head" else self.side,
            "rank": ",".join(self.ranks),
            "state": ",".join(self.states),
            "finding": ",".join(self.alarms),
            "code": self.code,
            "group": self.group,
            "sort": self.sort,
            "cause": self.cause,
            "q": self.search,
            "measure": self.measure,
            "unit": "" if self.unit == "absolute" else self.unit,
            "kind": self.kind,
        }
        return {name: value for name, value in every.items() if value}

    @property
    def filtered(self) -> bool:
        """Whether anything narrows the queue."""
        return bool(self.ranks or self.states or self.alarms or self.code or self.group or self.cause or self.search)


def selection() -> Selection:
    """What the address says now."""
    return Selection.of(st.query_params.to_dict())


def go(**changes: Any) -> None:
    """Change the selection: one entry in the browser's history. Another pair opens in its first view."""
    if "pair" in changes:
        changes = {"view": "steps", "step": "", "kind": "", **changes}
    st.query_params.from_dict(replace(selection(), **changes).params())


@dataclass(frozen=True, slots=True)
class Jump:
    """Another page to go to, and its address."""

    page: str
    params: Mapping[str, str]


def jump(page: str, **params: str) -> None:
    """Go to another page when this run is over: inside a callback Streamlit cannot change it."""
    st.session_state["jump"] = Jump(page, params)


def take_jump() -> Jump | None:
    """Where to go, once."""
    return cast("Jump | None", st.session_state.pop("jump", None))


def open_pair(path: str) -> None:
    """Open a pair, from whatever page."""
    if st.session_state.get("page", "review") == "review":
        go(pair=path)
    else:
        jump("review", pair=path)


def enter(page: str) -> None:
    """Note which page is shown."""
    st.session_state["page"] = page


@dataclass(frozen=True, slots=True)
class Notice:
    """One sentence about what just happened; ``good`` tells success from refusal."""

    text: str
    good: bool


@dataclass(frozen=True, slots=True)
class Done:
    """What this session wrote last, for undo: the entries of one act, each with its pair."""

    entries: tuple[tuple[str, str], ...]

    @property
    def pair(self) -> str:
        """The pair to return to; none after an act on several."""
        return self.entries[0][1] if len(self.entries) == 1 else ""


def notify(text: str, *, good: bool = True) -> None:
    """Say something on the next screen, once."""
    st.session_state["notice"] = Notice(text, good)


def take_notice() -> Notice | None:
    """What there is to say now."""
    return cast("Notice | None", st.session_state.pop("notice", None))


def remember_done(done: Done | None) -> None:
    """Keep what undo takes back."""
    st.session_state["done"] = done


def last_done() -> Done | None:
    """What undo takes back, if anything."""
    return cast("Done | None", st.session_state.get("done"))


def mark_rendered(path: str, digest: str) -> None:
    """Note that this content stands on the screen, and since when. To be called last: until then the browser may show another one."""
    if st.session_state.get("rendered", ("", "", 0.0))[:2] != (path, digest):
        st.session_state["rendered"] = (path, digest, monotonic())


def has_been_seen(path: str, digest: str) -> bool:
    """Whether exactly this content has stood on the screen long enough to be judged. A no starts the time anew, so that a held
    key, which asks 30 times a second, never gets a yes.
    """
    shown_path, shown, since = st.session_state.get("rendered", ("", "", 0.0))
    if (shown_path, shown) == (path, digest) and monotonic() - since >= SETTLE_SECONDS:
        return True
    st.session_state["rendered"] = (shown_path, shown, monotonic())
    return False


def remember_ledger(head: str | None) -> None:
    """Note which commit of the ledger the page shows."""
    st.session_state["ledger"] = head


def known_ledger() -> str | None:
    """The commit of the ledger that the page shows."""
    return cast("str | None", st.session_state.get("ledger"))


def last_opened() -> str:
    """The pair that was opened last, so that the queue can show where one was."""
    return cast("str", st.session_state.get("last_opened", ""))


def remember_opened(path: str) -> None:
    """Note which pair is open."""
    st.session_state["last_opened"] = path


def typed(key: str) -> str:
    """What was typed into a text field (the arguments of a callback are those of the last completed run)."""
    return cast("str", st.session_state.get(key) or "").strip()


def preset(key: str, value: Any) -> None:
    """Set a widget, before it is drawn, to what the address says."""
    st.session_state[key] = value


def chosen(key: str) -> Any:
    """The value of a widget, inside its callback."""
    return st.session_state.get(key)


def _known(text: str, words: tuple[str, ...]) -> tuple[str, ...]:
    asked = set(text.split(","))
    return tuple(word for word in words if word in asked)
