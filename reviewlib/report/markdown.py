"""A review as a comment on a pull request: GitHub's and GitLab's Markdown, within their limit."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from reviewlib.model.review import Review
from reviewlib.report import wording
from reviewlib.report.commands import Commands
from reviewlib.report.neutral import capped, one_line
from reviewlib.summary import Summary, Waiting, state_of
from reviewlib.verdicts import PairState, explained

LIMIT = 65_000
"""Characters. GitHub refuses a comment of more than 65,536."""

_MOST_ERRORS = 12
_ERROR = 1_500
"""Checks that the comment begins with, and characters of each: all of them, escaped, leave room for the rows."""

_CELL = 240
"""Characters of what the ledger says about a pair; a flag's reason may be an essay."""

_NAMED = 40
"""Members of a group that are named; more are counted, so that one group of hundreds leaves room for the others."""

_MARKS = re.compile(r"([\\`*_{}\[\]()#!|~=$^])")
"""What a dialect of Markdown gives a meaning to inside a line; a backslash before ASCII punctuation is always literal."""

_REFERENCE = re.compile(r"(?<=[@#!&%~$])(?=\w)|(?<=GH-)(?=\d)|(?<=:)(?=//)|(?<=www)(?=\.)", re.IGNORECASE)
"""Where a zero-width space keeps a forge from notifying somebody, cross-referencing an issue, or making a link."""


def render(review: Review, states: Mapping[str, PairState], summary: Summary, reopen: str = "") -> str:
    """Show a review; rows that would not fit into a comment are counted instead. ``reopen`` is the command that opens it locally."""
    head = _head(review, summary)
    foot = [f"Open it: {_code(reopen)}  "] if reopen and review.pairs else []
    foot += [f"_{_prose(note)}_" for note in wording.notes(review)]
    if not review.pairs:
        return "\n".join([*head, "No cassettes changed.", *foot]) + "\n"
    head += [f"{wording.counted(review)}: {wording.tally(summary)}", ""]
    told = (wording.found(summary), wording.decided(summary), wording.figures(summary))
    head += [f"{line}  " for line in told if line]
    head += ["", "| | cassette | what changed | state |", "|---|---|---|---|"]
    return _fitted(head, list(_rows(wording.entries(review, summary), states)), foot)


def render_gate(review: Review, summary: Summary, waiting: tuple[Waiting, ...], commands: Commands) -> str:
    """Say whether the gate is open; if not, name each pair it waits for, why, and the command that opens it."""
    head, said = _head(review, summary), wording.gate(review, summary, waiting)
    if not waiting:
        return "\n".join([*head, said]) + "\n"
    head += [f"**{said}**", ""]
    head += ["| why | cassette | what changed | open it |", "|---|---|---|---|"]
    rows = [
        f"| {_told(item.reason, item.why)} | {_code(item.path)} | {_prose(item.headline)} | {_code(commands.open(item))} |"
        for item in waiting
    ]
    return _fitted(head, rows, [f"All of it: {_code(commands.review)}"])


def _head(review: Review, summary: Summary) -> list[str]:
    """What must not be merged, what was compared, and what is worth less and is about all pairs together."""
    errors = wording.errors(summary)
    told = [*errors[:_MOST_ERRORS], *([f"error: of {len(errors)} checks"] if len(errors) > _MOST_ERRORS else [])]
    lines = [f"**{_prose(capped(line, _ERROR))}**  " for line in told]
    lesser = [f"{_prose(capped(line, _ERROR))}  " for line in wording.together(summary)[:_MOST_ERRORS]]
    return [
        *lines,
        *([""] if lines else []),
        f"**{_prose(wording.sides(review))}**",
        "",
        *lesser,
        *([""] if lesser else []),
    ]


def _rows(entries: Iterable[wording.Entry], states: Mapping[str, PairState]) -> Iterator[str]:
    ordered = sorted(entries, key=lambda entry: (not _is_policy(entry), wording.HEADINGS.index(entry.significance)))
    identical = [pair for entry in ordered if entry.significance == "identical" for pair in entry.pairs]
    for entry in ordered:
        if entry.significance == "identical":
            continue
        word = "policy" if _is_policy(entry) else entry.significance or "unreadable"
        yield (
            f"| {word} | {_names(entry)} | {_prose(entry.shared or entry.pairs[0].headline)} | {_state(entry, states)} |"
        )
    if identical:
        yield f"| identical | {wording.plural(len(identical), 'cassette')} | {wording.noise(identical)} | |"


def _is_policy(entry: wording.Entry) -> bool:
    return entry.pairs[0].subject == "policy"


def _state(entry: wording.Entry, states: Mapping[str, PairState]) -> str:
    """Name the state with who is behind it; of a group, what all members share, else how many are in which."""
    counts = Counter(state_of(pair, states) for pair in entry.pairs)
    if len(counts) > 1:
        return f"decided in part: {', '.join(f'{count} {state}' for state, count in counts.most_common())}"
    (state,) = counts
    why = {explained(states[pair.path]) if pair.path in states else "" for pair in entry.pairs}
    return _told(state, why.pop() if len(why) == 1 else "")


def _told(word: str, why: str) -> str:
    return f"{word}<br>{_prose(capped(why, _CELL))}" if why else word


def _names(entry: wording.Entry) -> str:
    names = "<br>".join(_code(pair.path) for pair in entry.pairs[:_NAMED])
    if entry.shared is None:
        return names
    more = f"<br>and {len(entry.pairs) - _NAMED} more" if len(entry.pairs) > _NAMED else ""
    return f"<details><summary>{len(entry.pairs)} cassettes</summary>{names}{more}</details>"


def _fitted(head: list[str], rows: list[str], foot: list[str]) -> str:
    room = LIMIT - sum(len(line) + 1 for line in (*head, *foot)) - 100
    kept: list[str] = []
    for row in rows:
        if len(row) < room:
            kept.append(row)
            room -= len(row) + 1
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
