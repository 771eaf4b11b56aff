"""Everything that is printed, drawn and written of a review, by name; and the ways in which a value may stand in a text."""

import base64
import json
from collections.abc import Iterator
from urllib.parse import quote, quote_plus

from dashboard.components import grid, notes, raw

from reviewlib.model.cassette import Unreadable
from reviewlib.model.review import Pair, Review
from reviewlib.model.trajectory import Recording
from reviewlib.report import html, junit, markdown, recording, sarif, text
from reviewlib.report import json as report
from reviewlib.sources import Snapshot
from reviewlib.summary import summarise, waiting
from tests.report.test_gate import COMMANDS

WINDOW = 16
"""Letters of a secret that are already too many of it."""


def shown(review: Review, snapshot: Snapshot) -> dict[str, str]:
    """What a review is shown as, everywhere."""
    summary, gate = summarise(review, {}), waiting(review, {}, ("behaviour",))
    found = {
        "text": text.render(review, {}, summary, changes=True),
        "text gate": text.render_gate(review, summary, gate, COMMANDS),
        "markdown": markdown.render(review, {}, summary),
        "markdown gate": markdown.render_gate(review, summary, gate, COMMANDS),
        "json": report.render(review, {}, summary),
        "json gate": report.render_gate(review, summary, gate, COMMANDS),
        "html": html.render(review, {}, summary),
        "html gate": html.render_gate(review, {}, summary, gate, COMMANDS),
        "junit": junit.render(review, {}, summary, gate, COMMANDS),
        "sarif": sarif.render(review, {}, summary, gate, COMMANDS, sarif.Tool("1", None)),
        "held": repr(review),
    }
    for number, pair in enumerate(review.pairs):
        found |= {f"{number} {name}": page for name, page in _pages(pair, snapshot)}
    return found


def _pages(pair: Pair, snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    for unified in (False, True):
        drawing = grid.of_pair(pair, ("a", "b"), notes.of(pair), unified=unified)
        yield f"steps {unified}", drawing.html + "".join(drawing.late.values())
    for side, files in ((pair.baseline, snapshot.baseline_files), (pair.head, snapshot.head_files)):
        if side is None:
            continue
        yield "json of one", report.render_recording(side, "p", "HEAD")
        yield "text of one", recording.render(side, "p", "HEAD")
        yield "raw", "".join(raw.readable([file.data for file in files], side.leaks))
        if isinstance(side, Unreadable):
            continue
        assert isinstance(side, Recording)
        drawing, _, _ = grid.of_recording(side, {})
        yield "steps of one", drawing.html + "".join(drawing.late.values())


def stands_in(value: str, text_: str) -> bool:
    """Whether a text tells a value: as it is, escaped, quoted, in base64, or a good part of it."""
    if any(form in text_ for form in _forms(value)):
        return True
    return any(value[start : start + WINDOW] in text_ for start in range(0, max(1, len(value) - WINDOW), 4))


def _forms(value: str) -> Iterator[str]:
    yield from (value, json.dumps(value)[1:-1], quote(value, safe=""), quote_plus(value), value.encode().hex())
    for shift in range(3):
        packed = base64.b64encode(b"\0" * shift + value.encode()).decode().rstrip("=")
        core = packed[4:-4] if shift else packed[:-4]
        if len(core) >= WINDOW:
            yield core
