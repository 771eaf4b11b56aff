"""The recorded refund scenario of the corpus: what each of its pairs changed, and how to find the pairs of one recorder."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from reviewlib.model.cassette import Fact
from reviewlib.model.change import Significance
from reviewlib.model.review import Pair
from reviewlib.model.trajectory import Recording
from reviewlib.pipeline import review
from reviewlib.policy import Policy
from reviewlib.sources.directory import snapshot
from tests.corpus import CORPUS

AT = datetime(2026, 11, 30, tzinfo=UTC)


@dataclass(frozen=True)
class Expected:
    """The one change of a scenario. ``needs`` is the fact that a format must hold to show it, ``otherwise`` what shows without it."""

    causes: tuple[tuple[str, str | None], ...]
    significance: Significance
    follows: frozenset[str] = frozenset({"text", "usage"})
    headline: str = ""
    needs: tuple[Fact, ...] = ()
    otherwise: tuple[tuple[str, str | None], ...] = ()


SCENARIOS: dict[str, Expected] = {
    "unchanged": Expected((), "identical"),
    "parallel": Expected((), "identical", otherwise=(("tool_moved", "check_refund_policy"),)),
    "retry": Expected((), "identical"),
    "skip_policy": Expected(
        (("tool_removed", "check_refund_policy"),), "behaviour", headline="drops check_refund_policy"
    ),
    "arg_changed": Expected(
        (("arguments", "issue_refund"),),
        "behaviour",
        frozenset({"result", "text", "usage"}),
        "issue_refund.amount 39 → 390",
    ),
    "order_swapped": Expected(
        (("tool_moved", "check_refund_policy"),),
        "behaviour",
        headline="check_refund_policy now before get_order",
        otherwise=(("tool_added", "check_refund_policy"), ("tool_removed", "get_order")),
    ),
    "reworded": Expected((("text", None),), "cosmetic", headline="reworded", needs=("answers",)),
    "tokens_grew": Expected((("usage", None),), "request", headline="tokens", needs=("usage",)),
    "model_bump": Expected(
        (("model", None),),
        "behaviour",
        frozenset({"text", "usage", "request_hash"}),
        "model",
        needs=("model",),
        otherwise=(("model", None),),
    ),
    "prompt_edited": Expected(
        (("system_prompt", None),),
        "request",
        frozenset({"text", "usage", "request_hash"}),
        "system prompt edited",
        needs=("system_prompt",),
    ),
    "tool_error": Expected(
        (("tool_added", "issue_refund"),), "behaviour", frozenset({"text", "usage"}), "adds issue_refund"
    ),
    "poll": Expected((("tool_added", "get_order"),), "behaviour", frozenset({"text", "usage"}), "adds get_order"),
    "max_tokens": Expected(
        (("stop_reason", None),),
        "behaviour",
        frozenset({"tool_removed", "turns", "text", "usage"}),
        "max_tokens",
        needs=("stop_reasons",),
        otherwise=(("tool_removed", "issue_refund"),),
    ),
    "resend": Expected((("turns", None),), "behaviour", frozenset({"text", "usage"}), "turn"),
}

HASHED = Expected((("request_hash", None),), "request", headline="the requests changed")
"""What a format shows that holds a hash of the request in place of the prompt."""

_NAMED = re.compile("|".join(sorted((name.replace("_", "[_-]") for name in SCENARIOS), key=len, reverse=True)))


@cache
def pairs_of(recorder: str, head: str = "head") -> tuple[Pair, ...]:
    """The pairs of one recorder's folder, the equal ones too."""
    folder = CORPUS / "recorders" / recorder
    rules = Policy(
        severities={"retired-model": "off"}
    )  # which models have retired is a matter of the day, not of the recorder
    return review(snapshot(folder / "base", folder / head, Policy(cassettes=("**",))), rules, AT).pairs


def scenario(path: str) -> str | None:
    """The scenario that a path names."""
    found = _NAMED.search(path)
    return found.group().replace("-", "_") if found else None


READ = (
    "seed00",
    "vcrpy",
    "pytest-agentreplay",
    "langchain-yaml-gz",
    "cassetter",
    "pollyjs-har",
    "pytest-llm-vcr",
    "reel",
    "replex",
    "cassetteai",
    "agentape",
    "agentcassette",
    "agenttape",
    "cendor",
    "claude-agent-cassette",
    "langchain-replay",
    "llm-cassette",
    "llmvcr",
    "mcp-cassette",
    "replay-agent",
    "traceops",
)
"""The recorders of the corpus that are read, by how their folders' names begin."""


def recorders() -> list[str]:
    """The recorders of the corpus that are read, none where it is absent."""
    folder = CORPUS / "recorders"
    found = (item.name for item in folder.iterdir() if item.is_dir()) if folder.is_dir() else ()
    return sorted(name for name in found if name.startswith(READ))


def cells() -> list[tuple[str, str]]:
    """Every (recorder, path below base) that names a scenario, without the flat folders, which hold several."""
    found: dict[tuple[str, str], None] = {}
    for recorder in recorders():
        base = CORPUS / "recorders" / recorder / "base"
        for path in sorted(base.rglob("*")):
            if path.is_file() and not recorder.endswith("-flat") and scenario(str(path.relative_to(base))):
                found[recorder, _cassette(path.relative_to(base))] = None
    return list(found)


def _cassette(path: Path) -> str:
    """A file named by its hash belongs to the cassette that is its folder, a sidecar to the one that it stands beside."""
    if path.name == "metadata.json":
        return str(path.with_name("recording.jsonl"))
    return str(path.parent) if re.fullmatch(r"[0-9a-f]{16}\.json", path.name) else str(path)


@dataclass(frozen=True)
class Verdict:
    """What one cell of the matrix says: the word for the table, and whether it is what was expected."""

    word: str
    right: bool


def judge(pair: Pair | None, name: str) -> Verdict:
    """Hold a pair of the corpus against what its scenario changed. No pair: nothing differs, byte for byte."""
    expected = SCENARIOS[name]
    if pair is None:
        return Verdict("identical", not expected.causes)
    if pair.diff is None or pair.baseline is None or pair.head is None:
        return Verdict("unreadable", right=False)
    causes = tuple((change.kind, _plain(change.tool)) for change in pair.diff.changes if change.cause is None)
    followers = {change.kind for change in pair.diff.changes if change.cause is not None}
    blind = "model_calls" in _not_recorded(pair)
    missing = blind or any(fact in _not_recorded(pair) for fact in expected.needs)
    missing = missing or (name == "order_swapped" and _is_one_turn(pair))
    missing = missing or (name == "resend" and not _holds(pair)) or (name == "max_tokens" and not _stops(pair))
    if missing and (causes == expected.otherwise or (blind and not causes)) and (causes or expected.causes):
        return Verdict(f"not recorded{f'; {_word(causes)}' if causes else ''}", right=True)
    if causes == expected.causes:
        right = (
            pair.significance == expected.significance
            and followers <= expected.follows
            and expected.headline in re.sub(r"mcp__[a-z]+__", "", pair.headline)
        )
        return Verdict(_word(causes), right)
    if name == "prompt_edited" and causes == HASHED.causes:
        return Verdict("request hash", pair.significance == HASHED.significance)
    return Verdict(f"{_word(causes)} (!)", right=False)


def _plain(tool: str | None) -> str | None:
    """The name of a tool without the server that an MCP client puts before it."""
    return tool.rpartition("__")[2] if tool else tool


def _word(causes: tuple[tuple[str, str | None], ...]) -> str:
    return ", ".join(kind if tool is None else f"{kind} {tool}" for kind, tool in causes) or "identical"


def _not_recorded(pair: Pair) -> set[str]:
    return {fact for side in (pair.baseline, pair.head) for fact in getattr(side, "not_recorded", ())}


def _holds(pair: Pair) -> bool:
    """Tell whether the second answer to one request was stored; most recorders keep the first or the last of equal requests."""
    counts = [len(side.cassette.interactions) for side in (pair.baseline, pair.head) if isinstance(side, Recording)]
    return counts[0] != counts[1]


def _is_one_turn(pair: Pair) -> bool:
    """Tell whether the recording stopped after the first turn: two turns that changed places are then two different ones."""
    sides = [side for side in (pair.baseline, pair.head) if isinstance(side, Recording)]
    return all(len(side.conversations) == len(side.conversations[0].turns) == 1 for side in sides)


def _stops(pair: Pair) -> bool:
    """Tell whether the recorder stored how the last turn of each side ended."""
    sides = [side for side in (pair.baseline, pair.head) if isinstance(side, Recording)]
    return all(side.conversations[-1].turns[-1].stop_reason for side in sides)


DOCS = Path(__file__).parents[1] / "docs" / "formats.md"
_MARKS = ("<!-- recorders:begin -->\n", "<!-- recorders:end -->\n")
_COLUMNS = tuple(SCENARIOS)


def matrix() -> str:
    """The table of docs/formats.md: a row a recorder, a column a scenario."""
    lines = [
        f"| recorder | {' | '.join(name.replace('_', ' ') for name in _COLUMNS)} |",
        f"|---|{'---|' * len(_COLUMNS)}",
    ]
    for recorder in recorders():
        found: dict[str, set[str]] = {}
        pairs = {pair.path: pair for pair in pairs_of(recorder)}
        for _, path in (cell for cell in cells() if cell[0] == recorder):
            name = scenario(path) or ""
            found.setdefault(name, set()).add(_cell(judge(pairs.get(path), name), name))
        if found:
            lines.append(
                f"| {recorder} | {' | '.join('; '.join(sorted(found.get(name, {'–'}))) for name in _COLUMNS)} |"
            )
    return "\n".join(lines) + "\n"


def _cell(verdict: Verdict, name: str) -> str:
    if not verdict.right:
        return f"✗ {verdict.word}"
    expected = _word(SCENARIOS[name].causes)
    return "✓" if verdict.word == expected else verdict.word


def table_in_docs() -> str:
    """The table as it stands in the documentation."""
    text = DOCS.read_text(encoding="utf-8")
    return text.partition(_MARKS[0])[2].partition(_MARKS[1])[0]


def main() -> None:
    """Write the table into the documentation."""
    text = DOCS.read_text(encoding="utf-8")
    before, _, rest = text.partition(_MARKS[0])
    DOCS.write_text(f"{before}{_MARKS[0]}{matrix()}{_MARKS[1]}{rest.partition(_MARKS[1])[2]}", encoding="utf-8")


if __name__ == "__main__":
    main()
