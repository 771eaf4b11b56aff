"""The parts of docs/formats.md that are written from the adapters' own words.

``uv run python -m tests.documentation`` writes them; a test compares.
"""

from pathlib import Path

from reviewlib.formats import FALLBACK, FORMATS
from reviewlib.providers import PROVIDERS

DOCS = Path(__file__).parents[1] / "docs" / "formats.md"


def formats() -> str:
    """A paragraph a format, in alphabetical order, the fallback last."""
    ordered = [*sorted(FORMATS, key=lambda item: item.title.lower()), FALLBACK]
    return "\n".join(f"- **{item.title}** (`{item.name}`). {item.summary}" for item in ordered) + "\n"


def providers() -> str:
    """A paragraph a provider's API, in alphabetical order."""
    ordered = sorted(PROVIDERS, key=lambda item: item.title.lower())
    return "\n".join(f"- **{item.title}** (`{item.name}`). {item.summary}" for item in ordered) + "\n"


BLOCKS = {"formats": formats, "providers": providers}


def written(name: str) -> str:
    """What stands in the documentation between the marks of a block."""
    text = DOCS.read_text(encoding="utf-8")
    return text.partition(f"<!-- {name}:begin -->\n")[2].partition(f"<!-- {name}:end -->\n")[0]


def main() -> None:
    """Write every block."""
    text = DOCS.read_text(encoding="utf-8")
    for name, block in BLOCKS.items():
        begin, end = f"<!-- {name}:begin -->\n", f"<!-- {name}:end -->\n"
        before, _, rest = text.partition(begin)
        text = f"{before}{begin}{block()}{end}{rest.partition(end)[2]}"
    DOCS.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
