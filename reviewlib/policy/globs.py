"""Path patterns, as a policy writes them."""

import re
from collections.abc import Iterable
from functools import lru_cache


def matches(globs: Iterable[str], path: str) -> bool:
    """Whether one of the patterns names this repository-relative path.

    ``**`` spans folders, ``*`` and ``?`` stay within a name; every other character, brackets too, stands for itself.
    """
    return any(_compiled(glob).fullmatch(path) for glob in globs)


@lru_cache(maxsize=256)
def _compiled(glob: str) -> re.Pattern[str]:
    """Make a glob an expression over a whole path. ``**/`` matches no folder as well."""
    tokens = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", glob.removeprefix("./"))
    return re.compile("".join(tokens.get(part) or re.escape(part) for part in parts), re.DOTALL)
