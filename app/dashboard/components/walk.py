"""The walk through the steps of a page: from change to change by key, to a step by its name, and rows drawn when they are seen."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from dashboard import state
from dashboard.components.grid import Drawing

_HERE = Path(__file__).parent
_BAR = """
<div class="walk" role="toolbar" aria-label="Changes" hidden>
  <span class="said" role="status"></span>
  <button data-key="k">Previous <span class="noun">change</span><kbd>K</kbd></button>
  <button data-key="j">Next <span class="noun">change</span><kbd>J</kbd></button>
  <button data-key="t">Next of this kind<kbd>T</kbd></button>
  <button data-key="l" title="Puts the step into the address; comments are about it">Pin step<kbd>L</kbd></button>
</div>
"""


@cache
def _component() -> Any:
    return st.components.v2.component(
        "cassette_review_walk",
        html=_BAR,
        css=(_HERE / "walk.css").read_text(encoding="utf-8"),
        js=(_HERE / "walk.js").read_text(encoding="utf-8"),
    )


def show(key: str, at: str, step: str, drawing: Drawing, go: Callable[..., None] = state.go) -> None:
    """Show the buttons of the walk, hidden where there is nothing to walk to, and hand over the rows that are drawn when they are seen.

    ``at`` names what is shown, so that a step is gone to once; ``step`` is the one that the address names; ``go`` writes another one into it.
    """

    def pinned() -> None:
        pressed = state.chosen(key)
        if pressed is not None and pressed.step:
            go(step=pressed.step)

    data = {"step": step, "at": at, "late": drawing.late}
    _component()(key=key, data=data, on_step_change=pinned)
