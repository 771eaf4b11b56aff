"""agentcassette: the calls of wrapped Python functions in JSON, in order: ``llm`` and ``tool`` steps with arguments and result.

The token counts beside a step are a guess (four characters a token) where the answer has none of its own; only the answer's are read.
"""

from reviewlib.formats import http, sdk
from reviewlib.formats.format import Context, Format, Parsed
from reviewlib.formats.plain import text, tree
from reviewlib.model.cassette import Exchange, Interaction, Request
from reviewlib.model.frozen import Plain

_HISTORY = {"messages", "input", "contents", "prompt"}


def recognise(tree_: Plain) -> bool:
    """Whether every step has an ``index``, a ``type`` and the arguments of a Python call."""
    steps = tree_.get("steps") if isinstance(tree_, dict) else None
    return isinstance(steps, list) and bool(steps) and all(_is_step(step) for step in steps)


def parse(tree_: Plain, _context: Context) -> Parsed:
    """Every step in order; a call that raised was not recorded."""
    return Parsed(
        interactions=tuple(_interaction(index, step) for index, step in enumerate(tree_["steps"])),
        not_recorded=("http_status",),
        recorded_at=http.epoch(tree_.get("recorded_at")),
    )


def _is_step(step: Plain) -> bool:
    if not isinstance(step, dict) or not step.keys() >= {"index", "type", "name", "result"}:
        return False
    arguments = step.get("arguments")
    return isinstance(arguments, dict) and arguments.keys() >= {"args", "kwargs"}


def _interaction(index: int, step: dict[str, Plain]) -> Interaction:
    if step["type"] != "llm":
        return sdk.execution(index, step["name"], step["arguments"], step["result"])
    words = text(step["result"])
    return Exchange(
        index=index,
        request=_request(tree(sdk.called_with(step["arguments"]))),
        response=sdk.response(step["result"]) if words is None else sdk.words(words),
        seconds=http.took(step.get("duration_ms")),
    )


def _request(arguments: dict[str, Plain]) -> Request | None:
    """What the SDK was called with where the function passes it on, else the function's own arguments as one message."""
    if arguments.keys() & _HISTORY:
        return sdk.request(arguments)
    return Request(body={"messages": [{"role": "user", "content": sdk.written(arguments)}]}) if arguments else None


FORMAT = Format(
    "agentcassette",
    "agentcassette",
    frozenset({"json"}),
    recognise,
    parse,
    summary="Written by agentcassette, one JSON file a test. It holds what the wrapped functions were called with and what they returned, so "
    "as much of a request as the wrapped function sees; calls that failed are left out. Its own token counts may be guesses and are not read.",
)
