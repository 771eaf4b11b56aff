"""Text made part of a page: nothing in it is markup, and nothing in it is unseen."""

from collections.abc import Iterable
from html import escape

from reviewlib.report.neutral import lines, one_line


def inline(text: str) -> str:
    """Put a text on one line."""
    return escape(one_line(text))


def block(text: str) -> str:
    """Keep the lines of a text; the element around it keeps white space (``pre-wrap``)."""
    return escape("\n".join(lines(text)))


def element(name: str, classes: str, *inner: str) -> str:
    """Put markup into an element."""
    return f'<{name} class="{classes}">{"".join(inner)}</{name}>'


def badge(word: str) -> str:
    """Show one of the product's own words: a significance, a state, a severity."""
    return f'<span class="badge {word}">{word}</span>'


def items(classes: str, inner: Iterable[str]) -> str:
    """Make a list of pieces of markup; nothing where there are none."""
    listed = "".join(f"<li>{each}</li>\n" for each in inner)
    return f'<ul class="{classes}">\n{listed}</ul>\n' if listed else ""
