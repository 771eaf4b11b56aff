"""A review for a terminal and a CI log: one headline a pair, riskiest first, in as few lines as possible."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from rich.style import Style

from reviewlib.headline import phrase
from reviewlib.model.review import Pair, Review
from reviewlib.report import wording
from reviewlib.report.commands import Commands
from reviewlib.report.neutral import log_safe, one_line
from reviewlib.summary import HasState, Summary, Waiting, state_of

_COLUMN = 56
"""A path longer than this has its headline on the next line, and leaves the column of the others where it is."""

_STYLES = {
    "error": "bold red",
    "unreadable": "bold magenta",
    "behaviour": "bold red",
    "request": "bold yellow",
    "cosmetic": "cyan",
    "identical": "dim",
}

Paint = Callable[[str, str], str]


def render(
    review: Review, states: Mapping[str, HasState], summary: Summary, *, changes: bool = False, colour: bool = False
) -> str:
    """Show a review. With ``changes``, the changes of each pair stand below its headline, and groups are not folded."""
    paint = _ansi if colour else _plain
    printed = list(_head(review, summary, paint))
    if not review.pairs:
        return log_safe("\n".join([*printed, "No cassettes changed.", *_lines(wording.notes(review))])) + "\n"
    printed += _lines(_counts(review, summary))
    shown = _one_by_one(wording.entries(review, summary)) if changes else wording.entries(review, summary)
    for significance in wording.HEADINGS:
        section = [entry for entry in shown if entry.significance == significance]
        if not section:
            continue
        word = significance or "unreadable"
        count = sum(len(entry.pairs) for entry in section)
        if significance == "identical" and not changes:
            moved = wording.noise(pair for entry in section for pair in entry.pairs)
            printed += ["", f"{paint('identical', word)} ({count}): {moved}"]
            continue
        printed += ["", f"{paint(word, word)} ({count})", *_section(section, states, changes=changes)]
    foot = _lines(wording.notes(review))
    return log_safe("\n".join([*printed, *(["", *foot] if foot else [])])) + "\n"


def render_gate(review: Review, summary: Summary, waiting: tuple[Waiting, ...], commands: Commands) -> str:
    """Say whether the gate is open; if not, name each pair it waits for, why, and the command that shows it."""
    printed = [*_head(review, summary, _plain), wording.gate(review, summary, waiting)]
    for item in waiting:
        printed += ["", f"{item.reason}: {one_line(item.path)}", f"  {one_line(item.headline)}"]
        printed += [f"  why: {one_line(item.why)}"] if item.why else []
        printed.append(f"  see it: {one_line(commands.see(item))}")
        printed.append(f"  open it: {one_line(commands.open(item))}")
    return log_safe("\n".join(printed)) + "\n"


def _head(review: Review, summary: Summary, paint: Paint) -> Iterator[str]:
    """What must not be merged, then what was compared."""
    yield from (paint(one_line(line), "error") for line in wording.errors(summary))
    yield one_line(wording.sides(review))
    yield from _lines(wording.together(summary))


def _counts(review: Review, summary: Summary) -> Iterator[str]:
    yield f"{wording.counted(review)}: {wording.tally(summary)}"
    for line in (wording.found(summary), wording.called(review), wording.decided(summary), wording.figures(summary)):
        if line:
            yield line
    yield from wording.in_common(review)


def _one_by_one(entries: Iterable[wording.Entry]) -> tuple[wording.Entry, ...]:
    return tuple(
        wording.Entry(significance=pair.significance, pairs=(pair,)) for entry in entries for pair in entry.pairs
    )


def _section(entries: list[wording.Entry], states: Mapping[str, HasState], *, changes: bool) -> Iterator[str]:
    names = [_name(entry) for entry in entries]
    width = max((len(name) for name in names if len(name) <= _COLUMN), default=0)
    for name, entry in zip(names, entries, strict=True):
        first = entry.pairs[0]
        headline = f"{one_line(entry.shared or first.headline)}{_tag(entry, states)}"
        yield from (f"  {name:<{width}}  {headline}",) if len(name) <= _COLUMN else (f"  {name}", f"      {headline}")
        if entry.shared is not None:
            together = f"  (--group {entry.group})" if entry.group else ""
            yield f"    {wording.named([pair.path for pair in entry.pairs])}{together}"
        yield from (f"    {one_line(line)}" for line in wording.judged(entry.pairs))
        if entry.shared is not None:
            continue
        if changes:
            yield from _changes(first)


def _name(entry: wording.Entry) -> str:
    return one_line(entry.pairs[0].path) if entry.shared is None else f"{len(entry.pairs)} cassettes"


def _tag(entry: wording.Entry, states: Mapping[str, HasState]) -> str:
    """Name what has been decided, and where the pair came from."""
    (pair, *others) = entry.pairs
    state = state_of(pair, states)
    moved = (
        f" (was {one_line(pair.baseline_path)})"
        if pair.status == "renamed" and pair.baseline_path and not others
        else ""
    )
    if any(state_of(other, states) != state for other in others):
        return " [decided in part]"
    return moved if state == "open" else f"{moved} [{state}]"


def _changes(pair: Pair) -> Iterator[str]:
    for cause, followers in wording.causes(pair):
        yield f"    - {one_line(phrase(cause))}"
        for detail in cause.details:
            yield f"        {one_line(wording.detail_line(detail))}"
        if followers:
            yield f"        {wording.consequences(followers)}"
    if pair.ignored:
        yield f"    not compared: {one_line(wording.ignored(pair))}"
    for limit in () if pair.diff is None else pair.diff.limits:
        yield f"    limit: {one_line(limit)}"


def _lines(texts: Iterable[str]) -> list[str]:
    return [one_line(text) for text in texts]


def _plain(text: str, _style: str) -> str:
    return text


def _ansi(text: str, style: str) -> str:
    return Style.parse(_STYLES[style]).render(text)
