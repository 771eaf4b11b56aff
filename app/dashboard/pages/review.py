"""The comparison: its queue, and the pair that was opened from it.

Both are one page of Streamlit, told apart by the address: changing the page would put two entries into the browser's history.
"""

from dashboard import load, state
from dashboard.components import live, page
from dashboard.pages import pair, queue


def render() -> None:
    """Show the pair that the address names, else the queue."""
    desk = load.desk()
    live.watch(desk)
    selected = state.selection()
    opened = desk.pair(selected.pair) if selected.pair else None
    if opened is not None:
        pair.render(desk, selected, opened)
        return
    if selected.pair:
        page.trouble(f"{selected.pair} is not part of this comparison (any more). The queue shows what is.")
    queue.render(desk, selected)
