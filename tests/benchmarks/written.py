"""The places in docs/benchmarks.md that a benchmark writes."""

from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs" / "benchmarks.md"


def write(name: str, block: str) -> None:
    """Put a block between ``<!-- NAME:begin -->`` and ``<!-- NAME:end -->``, in place of what stands there."""
    begin, end = f"<!-- {name}:begin -->\n", f"<!-- {name}:end -->\n"
    text = DOCS.read_text(encoding="utf-8")
    before, mark, rest = text.partition(begin)
    if not mark or end not in rest:
        raise SystemExit(f"docs/benchmarks.md has no place for {name}")
    DOCS.write_text(f"{before}{begin}{block}{end}{rest.partition(end)[2]}", encoding="utf-8")
