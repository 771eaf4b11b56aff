"""How results say that a tool failed, where nothing but their words does."""

import re

from reviewlib.model.frozen import Plain

_FAILED = re.compile(
    r"\s*(?:Traceback \(most recent call last\)|(?:[A-Z]\w*)?(?:Error|Exception)\b\s*[:(]|error:\s|(?:fatal|ERROR)\b:?\s)"
)
_FLAGS = frozenset({"error", "errors"})


def reads_as_error(result: Plain) -> bool:
    """Tell whether a result begins as tracebacks and error messages do, or is an object of an error alone (``{"error": "…"}``)."""
    if isinstance(result, str):
        return _FAILED.match(result) is not None
    if isinstance(result, dict):
        return len(result) == 1 and any(bool(result.get(name)) for name in _FLAGS)
    return isinstance(result, list) and len(result) == 1 and reads_as_error(result[0])
