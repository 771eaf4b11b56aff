"""A review as a comment on a pull request: GitHub's and GitLab's Markdown, within their limit."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from reviewlib.model.review import Review
from reviewlib.report import wording
from reviewlib.report.neutral import one_line
from reviewlib.summary import HasState, Summary, Waiting, state_of

LIMIT = 65_000
"""Characters. GitHub refuses a comment of more than 65,536."""

_MARKS = re.compile(r"([\\`*_{}\[\]()#!|~=$^])")
"""What a dialect of Markdown gives a meaning to inside a line; a backslash before ASCII punctuation is always literal."""

_REFERENCE = re.compile(r"(?<=[@#!&%~$])(?=\w)|(?<=GH-)(?=\d)|(?<=:)(?=//)|(?<=www)(?=\.)", re.IGNORECASE)
"""Where a zero-width space keeps a forge from notifying somebody, cross-referencing an issue, or making a link."""


def render(review: Review, states: Mapping[str, HasState], summary: Summary) -> str:
    """Show a review; rows that would not fit into a comment are counted instead."""
    head = [f"**{_prose(wording.sides(review))}**", ""]
    foot = [f"_{_prose(note)}_" for note in wording.notes(review)]
    if not review.pairs:
        return "\n".join([*head, "No cassettes changed.", *foot]) + "\n"
    head += [f"{wording.plural(summary.pairs, 'changed cassette')}: {wording.tally(summary)}", ""]
    head += [f"{line}  " for line in (wording.decided(summary), wording.figures(summary)) if line]
    head += ["", "| | cassette | what changed | state |", "|---|---|---|---|"]
    return _fitted(head, list(_rows(wording.entries(review, summary), states)), foot)


def render_gate(review: Review, waiting: tuple[Waiting, ...], command: Callable[[str], str]) -> str:
    """Say whether the gate is open; if not, name each pair it waits for, why, and the command that shows it."""
    head = [f"**{_prose(wording.sides(review))}**", ""]
    if not waiting:
        count = wording.plural(len(review.pairs), "changed cassette")
        return (
            "\n".join([*head, f"{count}, nothing needs a person." if review.pairs else "No cassettes changed."]) + "\n"
        )
    head += [f"**{len(waiting)}** of {wording.plural(len(review.pairs), 'changed cassette')} need a person.", ""]
    head += ["| why | cassette | what changed | see it |", "|---|---|---|---|"]
    rows = [
        f"| {item.reason} | {_code(item.path)} | {_prose(item.headline)} | {_code(command(item.path))} |"
        for item in waiting
    ]
    return _fitted(head, rows, [])


def _rows(entries: Iterable[wording.Entry], states: Mapping[str, HasState]) -> Iterator[str]:
    ordered = sorted(entries, key=lambda entry: wording.HEADINGS.index(entry.significance))
    identical = sum(len(entry.pairs) for entry in ordered if entry.significance == "identical")
    for entry in ordered:
        if entry.significance == "identical":
            continue
        decisions = {state_of(pair, states) for pair in entry.pairs}
        state = decisions.pop() if len(decisions) == 1 else "decided in part"
        yield (
            f"| {entry.significance or 'unreadable'} | {_names(entry)} "
            f"| {_prose(entry.shared or entry.pairs[0].headline)} | {state} |"
        )
    if identical:
        yield f"| identical | {wording.plural(identical, 'cassette')} | only ids, times, headers and the like moved | |"


def _names(entry: wording.Entry) -> str:
    names = "<br>".join(_code(pair.path) for pair in entry.pairs)
    if entry.shared is None:
        return names
    return f"<details><summary>{len(entry.pairs)} cassettes</summary>{names}</details>"


def _fitted(head: list[str], rows: list[str], foot: list[str]) -> str:
    room = LIMIT - sum(len(line) + 1 for line in (*head, *foot)) - 100
    kept: list[str] = []
    for row in rows:
        room -= len(row) + 1
        if room < 0:
            break
        kept.append(row)
    left = len(rows) - len(kept)
    more = (
        [f"_{wording.plural(left, 'more row')} did not fit into a comment; `cassette-review diff` shows all._"]
        if left
        else []
    )
    return "\n".join([*head, *kept, "", *more, *foot]).rstrip("\n") + "\n"


def _prose(text: str) -> str:
    """Show recorded text as words: no markup, no HTML, no mention, no reference and no link comes to life."""
    return _escaped(_REFERENCE.sub("\u200b", one_line(text)))


def _code(text: str) -> str:
    """Show recorded text in a fixed-width font, copied as it is: forges resolve nothing inside ``code``."""
    return f"<code>{_escaped(one_line(text))}</code>"


def _escaped(line: str) -> str:
    marked = _MARKS.sub(r"\\\1", line.replace("&", "&amp;"))
    return marked.replace("<", "&lt;").replace(">", "&gt;")
