"""What a pair has in common with others: the kinds of its changes and findings, and where the next pair of a kind is. Pure; no streamlit."""

from collections.abc import Mapping, Sequence

from dashboard.present import KIND_WORDS, alarms, rank
from reviewlib.model.review import Pair

Kind = str
"""A kind of change, the code of a finding, or a significance."""


def kinds(pair: Pair) -> tuple[Kind, ...]:
    """What a pair is about: the kinds of its gravest causes in reading order, then the codes of new findings; else its significance alone."""
    changes = pair.diff.changes if pair.diff is not None else ()
    causes = [change.kind for change in changes if change.cause is None and change.significance == pair.significance]
    worst = alarms(pair)
    codes = [finding.code for finding in pair.findings if finding.since == "new" and finding.severity in worst]
    return tuple(dict.fromkeys((*causes, *codes))) or (rank(pair),)


def following(path: str, visible: Sequence[str], known: Mapping[str, tuple[Kind, ...]], kind: Kind) -> str | None:
    """The first pair after this one, in the order on the screen and around its end, that is of a kind too; None where no other is."""
    start = visible.index(path) + 1 if path in visible else 0
    around = (*visible[start:], *visible[:start])
    return next((other for other in around if other != path and kind in known.get(other, ())), None)


def spoken(kind: Kind) -> str:
    """A kind as a person says it."""
    return KIND_WORDS.get(kind, kind.replace("_", " "))
