"""A map ``name:hash#n`` → result, in order of completion: model answers under ``model``, tool results under the harness' tool names.

The hash is the first 16 hex digits of sha256 over the arguments as compact JSON with sorted keys, numbers as JavaScript writes them.
"""

import re

from reviewlib.formats import http
from reviewlib.formats.format import NO_REQUESTS, Context, Format, Parsed
from reviewlib.model.cassette import Exchange, Interaction, Response, ToolExecution
from reviewlib.model.frozen import Plain

_KEY = re.compile(r"(?P<name>[^:#]+):(?P<hash>[0-9a-f]{16})#[0-9]+")
_TOOL_PREFIX = "tool."
_MODEL = "model"


def recognise(tree: Plain) -> bool:
    """Whether every key of the object is ``name:hash#n``."""
    return isinstance(tree, dict) and bool(tree) and all(_KEY.fullmatch(key) for key in tree)


def parse(tree: Plain, _context: Context) -> Parsed:
    """Answers and tool results in the order they completed."""
    return Parsed(
        interactions=tuple(_interaction(index, key, result) for index, (key, result) in enumerate(tree.items())),
        not_recorded=(*NO_REQUESTS, "http_status"),
    )


def _interaction(index: int, key: str, result: Plain) -> Interaction:
    name, _, rest = key.partition(":")
    digest = rest.partition("#")[0]
    if name == _MODEL or name.startswith(_MODEL + "."):
        return Exchange(index=index, request=None, response=Response(body=http.body(result)), key=digest)
    return ToolExecution(
        index=index,
        tool=name.removeprefix(_TOOL_PREFIX),
        arguments_recorded=False,
        arguments_sha=digest,
        result=result,
    )


FORMAT = Format(
    "name-hash-map",
    "map of name:hash#n",
    frozenset({"json", "yaml"}),
    recognise,
    parse,
    summary="Written by recorders that projects make for themselves around model and tools, one JSON map a test. It holds the answers and the tool "
    "results in the order they completed, each under a hash of what was asked. The requests themselves are not held.",
)
