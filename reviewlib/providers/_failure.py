"""The message of a failed call, in the shapes that providers and the gateways before them use."""

from reviewlib.model.frozen import Plain
from reviewlib.providers._plain import Tree, string, tree

_WORDS_SHOWN = 300


def error_in(body: Tree) -> str | None:
    """The message of an error body; None for a body that is no error.

    ``{error: {message}}`` (OpenAI, Anthropic, Google) · ``{error: text}`` · ``{type: error, message}`` (OpenAI's stream) ·
    ``{error: {…}, message}``; an ``error`` that is null or empty is none.
    """
    error = body.get("error")
    if isinstance(error, dict) and error:
        inner = tree(error)
        return _first(inner, "message", "error", "type", "code") or "an error without a message"
    if string(error):
        return string(body.get("message")) or string(error)
    if body.get("type") == "error":
        return _first(body, "message", "code") or "an error without a message"
    return None


def failure_text(status: int, body: Plain) -> str:
    """What a response with a failing HTTP status says, ``HTTP <status>`` where it says nothing."""
    if isinstance(body, list) and body and isinstance(body[0], dict):  # Google wraps the error of a stream in a list
        body = body[0]
    if isinstance(body, dict):
        found = error_in(body) or _first(body, "message", "Message", "detail", "msg")
        if found:
            return found
    if isinstance(body, bytes):
        body = body.decode("utf-8", "replace")
    words = string(body.strip()) if isinstance(body, str) else None
    return shortened(words) if words else f"HTTP {status}"


def shortened(text: str) -> str:
    """The beginning of a text, for a message: an error page of a gateway can be long."""
    return text if len(text) <= _WORDS_SHOWN else f"{text[:_WORDS_SHOWN]}…"


def _first(body: Tree, *keys: str) -> str | None:
    return next((found for key in keys if (found := string(body.get(key)))), None)
