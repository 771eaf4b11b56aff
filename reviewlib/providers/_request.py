"""What the request bodies of the chat-like APIs have in common."""

from collections.abc import Collection

from reviewlib.model.call import ToolSchema
from reviewlib.model.frozen import Plain
from reviewlib.providers._plain import Tree, kind, string

_NOT_BEHAVIOUR = frozenset(
    {
        "model",
        "stream",
        "stream_options",
        "tools",
        "metadata",
        "user",
        "safety_identifier",
        "prompt_cache_key",
        "cache_control",
    }
)
"""Keys that are read elsewhere, or that say how an answer travels or whom to bill, not what it shall be."""


def parameters(body: Tree, read: Collection[str]) -> dict[str, Plain]:
    """Everything else in a request body. ``read`` names the keys that the dialect reads itself; null is the default, so absent."""
    return {
        key: value for key, value in body.items() if value is not None and key not in _NOT_BEHAVIOUR and key not in read
    }


def tool_schema(tool: Tree, schema: str) -> ToolSchema:
    """A tool, whose JSON Schema stands under the key ``schema``; one that the provider runs has a type and options instead."""
    name = string(tool.get("name")) or string(tool.get("server_label")) or string(tool.get("type")) or ""
    read = {"name", "description", "cache_control", schema}
    options = {key: value for key, value in tool.items() if value is not None and key not in read}
    if kind(options) in {"function", "custom"}:  # what every tool of the harness is, said or not
        del options["type"]
    return ToolSchema(name=name, description=string(tool.get("description")), schema_=tool.get(schema), options=options)
