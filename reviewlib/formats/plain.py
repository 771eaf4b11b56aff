"""Reading recorded values whose types cannot be trusted: what is not of the expected type reads as absent."""

from reviewlib.model.frozen import Plain


def tree(value: Plain) -> dict[str, Plain]:
    """Return the object, or an empty one."""
    return value if isinstance(value, dict) else {}


def trees(value: Plain) -> list[dict[str, Plain]]:
    """Return the objects of a list; everything else in it is left out."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text(value: Plain) -> str | None:
    """Return the text, None where it is not one or empty."""
    return value if isinstance(value, str) and value else None
