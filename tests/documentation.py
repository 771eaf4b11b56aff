"""The parts of docs/formats.md that are written from the adapters' own words.

``uv run python -m tests.documentation`` writes them; a test compares.
"""

from pathlib import Path

from reviewlib.formats import FALLBACK, FORMATS
from reviewlib.providers import PROVIDERS
from reviewlib.uncompared import FORMATS as FORMATS_FIELDS
from reviewlib.uncompared import PROVIDERS as PROVIDERS_FIELDS
from reviewlib.uncompared import REASONS, SENT

DOCS = Path(__file__).parents[1] / "docs" / "formats.md"


def formats() -> str:
    """A paragraph a format, in alphabetical order, the fallback last."""
    ordered = [*sorted(FORMATS, key=lambda item: item.title.lower()), FALLBACK]
    return "\n".join(f"- **{item.title}** (`{item.name}`). {item.summary}" for item in ordered) + "\n"


def providers() -> str:
    """A paragraph a provider's API, in alphabetical order."""
    ordered = sorted(PROVIDERS, key=lambda item: item.title.lower())
    return "\n".join(f"- **{item.title}** (`{item.name}`). {item.summary}" for item in ordered) + "\n"


def uncompared() -> str:
    """What is not compared: the reasons, a row a provider, and a row a format that writes something around the answers."""
    lines = [
        "| what | why it is not compared |",
        "|---|---|",
        *(f"| {kind} | {reason} |" for kind, reason in REASONS.items()),
        "",
    ]
    lines += ["| API | fields of answers |", "|---|---|"]
    for name, fields in PROVIDERS_FIELDS.items():
        told = "; ".join(f"{kind}: {_code(names)}" for kind, names in fields.items())
        lines.append(f"| {name} | {told} |")
    lines += ["", "| format | what the recorder writes around requests and answers |", "|---|---|"]
    lines += [f"| {name} | {_code(names)} |" for name, names in sorted(FORMATS_FIELDS.items()) if names]
    none = ", ".join(name for name, names in sorted(FORMATS_FIELDS.items()) if not names)
    lines += [
        "",
        f"Of every request, {_code(SENT)} are not compared: how the answer shall travel, and whom to bill. Nothing around the answers: {none}.",
    ]
    return "\n".join(lines) + "\n"


def _code(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


BLOCKS = {"formats": formats, "providers": providers, "uncompared": uncompared}


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
