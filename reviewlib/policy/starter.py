"""A first policy, written from what a repository holds: as TOML with a comment on each key."""

import json
import re
from collections.abc import Iterable, Sequence
from decimal import ROUND_CEILING, Decimal
from textwrap import wrap

from reviewlib.model.frozen import Frozen
from reviewlib.policy.globs import matches
from reviewlib.policy.node_ids import test_id
from reviewlib.policy.project import DEFAULT_GLOBS

_FOLDERS = 6
"""Folders outside the usual places that are named one by one; more are named by what they have in common."""

_TOOLS = 40
"""Tools that are named; more are counted."""

_WIDTH = 120

_RECORDERS = {"vcrpy": "pytest {test} --record-mode=rewrite"}
"""By format, the command that records one test anew, where its recorder has the same one everywhere."""


class Held(Frozen):
    """One cassette of a repository: where it is, its format (``title`` in words), its tools, and what its run took (None: not known)."""

    path: str
    format: str
    title: str
    tools: tuple[str, ...] = ()
    tokens: int | None = None
    cost: Decimal | None = None


def starter(cassettes: Sequence[Held], runner: str = "") -> str:
    """Write ``cassette-review.toml`` for these cassettes. ``runner`` is what the project's commands begin with: ``uv run``."""
    parts = (
        _head(cassettes),
        _places(cassettes),
        _record(cassettes, runner),
        _GATE,
        _NOISE,
        _rules(cassettes),
        _HYGIENE,
    )
    return "\n".join(parts)


def globs(paths: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """Find patterns that name all of these paths, each with how many it names first: the usual places that are used, then folders."""
    left = sorted(paths)
    found: list[tuple[str, int]] = []
    for glob in (*DEFAULT_GLOBS, *_folders([path for path in left if not matches(DEFAULT_GLOBS, path)])):
        named = [path for path in left if matches((glob,), path)]
        if named:
            found.append((glob, len(named)))
            left = [path for path in left if path not in named]
    return tuple(found)


def rounded_up(number: Decimal | int) -> Decimal:
    """Round up to two digits: 12,589 becomes 13,000, and 0.3674 becomes 0.37."""
    exact = Decimal(number)
    return exact if not exact else exact.quantize(Decimal(1).scaleb(exact.adjusted() - 1), ROUND_CEILING)


def _folders(paths: Sequence[str]) -> list[str]:
    """Name the folders that paths lie in, a file at the top by itself."""
    folders = sorted({path.rpartition("/")[0] for path in paths} - {""})
    outer = [each for each in folders if not any(each.startswith(f"{other}/") for other in folders)]
    if len(outer) > _FOLDERS:
        outer = sorted({each.partition("/")[0] for each in outer})
    return [*(f"{each}/**" for each in outer), *(path for path in paths if "/" not in path)]


def _head(cassettes: Sequence[Held]) -> str:
    titles = sorted({each.title for each in cassettes})
    counts = ", ".join(f"{sum(each.title == title for each in cassettes):,} {title}" for title in titles)
    return (
        "# What a review of cassettes goes by. Every key: docs/policy.md of cassette-review. A comparison is judged by its baseline's policy.\n"
        + _comment(f"Found: {counts or 'no cassette yet'}.")
    )


def _places(cassettes: Sequence[Held]) -> str:
    found = globs(each.path for each in cassettes) or tuple((glob, 0) for glob in DEFAULT_GLOBS)
    listed = "".join(f"  {_text(glob)},{f'  # {count:,} now' if count else ''}\n" for glob, count in found)
    return f"# Where cassettes are. ** spans folders, * and ? stay within a name.\ncassettes = [\n{listed}]\n"


def _record(cassettes: Sequence[Held], runner: str) -> str:
    """Guess the command by the formats: certain only where every test is recorded by it."""
    known = {_RECORDERS.get(each.format) for each in cassettes if test_id(each.path)}
    command = known.pop() if len(known) == 1 else None
    said = "# How a cassette is recorded anew; {test} is its test, {path} the cassette. Shown for a flagged cassette.\n"
    if command is None:
        return f'{said}# record_command = "make record CASSETTE={{path}}"\n'
    return f"{said}record_command = {_text(f'{runner} {command}'.strip())}\n"


def _rules(cassettes: Sequence[Held]) -> str:
    tools = sorted({tool for each in cassettes for tool in each.tools if tool})
    more = f" and {len(tools) - _TOOLS} more" if len(tools) > _TOOLS else ""
    named = ", ".join(_word(tool) for tool in tools[:_TOOLS]) or "none"
    example = [_text(tool) for tool in tools[:2]] or ['"get_order"', '"issue_refund"']
    return (
        f"{_comment(f'Tools that are called: {named}{more}.')}"
        "# What an agent must and must not do, by path; tables may be repeated.\n"
        "# [[rules]]\n"
        '# paths = ["tests/cassettes/refunds/**"]\n'
        f"# required_tools = [{example[0]}]\n"
        f'# forbidden_tools = ["delete_*"]\n'
        f"# order = [[{', '.join(example)}]]  # the second only after the first\n"
        "# max_steps = 20\n"
        '# must_appear = ["order 1234"]\n'
        '# must_not_appear = ["as an AI"]\n\n'
        f"{_budgets(cassettes)}"
    )


def _budgets(cassettes: Sequence[Held]) -> str:
    tokens = [each.tokens for each in cassettes if each.tokens]
    costs = [each.cost for each in cassettes if each.cost]
    one = _budget(max(tokens, default=None), max(costs, default=None))
    all_tokens = sum(tokens) if len(tokens) == len(cassettes) else None
    all_costs = sum(costs, Decimal(0)) if len(costs) == len(cassettes) else None
    every = _budget(all_tokens, all_costs)
    return (
        "# What one run may take: the most that a cassette takes now, rounded up. token_growth = 0.5 allows half as much again as the baseline.\n"
        f'[[rules]]\npaths = ["**"]\n[rules.budget]\n{one}\n'
        "# What all cassettes of a comparison may take together: what all take now, rounded up, where all of them say.\n"
        f"[suite]\n{every}"
    )


def _budget(tokens: int | None, cost: Decimal | None) -> str:
    told = (f"tokens = {rounded_up(tokens):f}", f"{'':2}# {tokens:,} now\n") if tokens else ("# tokens = 20000", "\n")
    paid = (
        (f"cost = {rounded_up(cost):f}", f"{'':2}# US dollars; {cost:.4f} now\n")
        if cost
        else ("# cost = 0.50", "  # US dollars\n")
    )
    return "".join((*told, *paid, "# token_growth = 0.5\n"))


def _text(value: str) -> str:
    """Write a text as TOML; what cannot be seen is spelled out."""
    quoted = json.dumps(value.encode(errors="replace").decode(), ensure_ascii=False)
    return "".join(char if char.isprintable() else f"\\U{ord(char):08X}" for char in quoted)


def _comment(words: str) -> str:
    """Write words as comments of at most so many characters a line."""
    lines = wrap(words, _WIDTH, initial_indent="# ", subsequent_indent="#   ", break_on_hyphens=False)
    return "".join(f"{line}\n" for line in lines)


def _word(name: str) -> str:
    """Write a name into a comment, where a line break would end it."""
    return name if re.fullmatch(r"[\w./:-]+", name, re.ASCII) else _text(name)


_GATE = """\
# The significances that need a verdict: "behaviour", "request", "cosmetic".
require_approval = ["behaviour"]
# Findings that no verdict clears where they are new.
blocking = ["secret"]
# Secrets that are none, by the name that the finding gives them, and addresses and numbers that belong to nobody.
# allow_secrets = ["generic-api-key:3f9a1c2e"]
# allow_personal_data = ["*@example.org"]
# min_approvals = 1
# self_approval = true         # whether the author of a commit under review may approve it
# agent_verdicts = "count"     # what an automated reviewer's verdict is worth: "count", "label" or "refuse"
# rerun_command = "gh workflow run cassettes.yml --ref {branch}"
# severities = { retried = "off", model-mismatch = "error" }
"""

_NOISE = """\
# The share of a token count that may move without being a change worth reading.
usage_tolerance = 0.2
# Fields that mean nothing here.
# volatile = ["tool_call[search].arguments.request_id"]
"""

_HYGIENE = """\
# What is asked of the recordings themselves.
# [hygiene]
# stale_after_days = 180
"""
