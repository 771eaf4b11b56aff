"""Contents that mean the same in every dialect: arguments, results, media, server-side results."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from reviewlib.model.call import CallPart, Message, Part, ResultPart, Text, Thinking
from reviewlib.model.frozen import Plain
from reviewlib.providers._media import attachment
from reviewlib.providers._plain import clean, compact, kind, string, structure, tree

_VOLATILE = ("encrypted_", "cache_control", "page_age")
"""How the keys begin that differ in every recording, or with the caching, and mean nothing: ``page_age`` is "8 hours ago"."""
_DEPTH = 40  # blocks of a message are at most 6 deep in the corpus; what lies deeper is taken as it is


def call(call_id: Plain, name: Plain, arguments: Plain, *, server_side: bool = False) -> CallPart:
    """A tool call. ``arguments`` is an object or the JSON text of one; an absent or empty text is a call without arguments.

    Text that is no JSON object (max_tokens cuts it, models misspell it) is kept as ``arguments_raw``.
    """
    raw = None
    if arguments is None or (isinstance(arguments, str) and not arguments.strip()):
        arguments = {}
    elif isinstance(arguments, str):
        parsed = structure(arguments)
        raw, arguments = clean(arguments) if parsed is None else None, parsed
    return CallPart(
        call_id=string(call_id),
        tool=string(name) or "",
        arguments=arguments,
        arguments_raw=raw,
        server_side=server_side,
    )


def result_value(content: Plain) -> Plain:
    """A tool's result as a value, the same whether it was sent as text, as text blocks or as a tree.

    Text that is a JSON object or array becomes its tree; one text block becomes its text; media become type, size and digest.
    """
    if isinstance(content, str):
        return _json_or_text(content)
    if isinstance(content, list):
        values = [_block_value(block) for block in content]
        return values[0] if len(values) == 1 and _is_text(content[0]) else values
    return _without_volatile(content)


def unknown(block: Plain) -> Text:
    """A block of a kind that no reader knows, as its JSON, so that a change in it is seen."""
    return Text(text=compact(_without_padding(block)))


def with_server_results(parts: Iterable[Part]) -> tuple[Part, ...]:
    """The parts with each result of a server-side tool moved into its call, where both stand in the same message."""
    listed = tuple(parts)
    results = {part.call_id: part for part in listed if part.kind == "result" and part.call_id}
    if not results:
        return listed
    joined: dict[str | None, ResultPart] = {}
    made: list[Part] = []
    for part in listed:
        if part.kind == "call" and part.server_side and part.call_id in results:
            found = joined[part.call_id] = results[part.call_id]
            update = {"result": found.result, "result_recorded": True, "is_error": found.is_error}
            made.append(part.model_copy(update=update))
        else:
            made.append(part)
    return tuple(part for part in made if not (part.kind == "result" and part.call_id in joined))


def text_part(value: Plain) -> tuple[Part, ...]:
    """A text as parts: none where it is empty or no text."""
    words = string(value)
    return (Text(text=words),) if words else ()


def thinking_part(value: Plain) -> Thinking:
    """Reasoning; an empty text is a withheld one."""
    return Thinking(text=string(value))


def split_system(messages: Sequence[Message]) -> tuple[str | None, tuple[Message, ...]]:
    """The system messages at the start, joined by blank lines, and the messages after them. A later one stays in the history."""
    first = next((index for index, message in enumerate(messages) if message.role != "system"), len(messages))
    texts = [part.text for message in messages[:first] for part in message.parts if part.kind == "text"]
    return "\n\n".join(texts) or None, tuple(messages[first:])


def from_user(parts: Iterable[Part]) -> list[Message]:
    """A message of the user, cut where tool results and other content meet."""
    made = []
    for is_result, run in groupby(parts, key=lambda part: part.kind == "result"):
        made.append(Message(role="tool" if is_result else "user", parts=tuple(run)))
    return made or [Message(role="user", parts=())]


def _json_or_text(text: str) -> Plain:
    found = structure(text)
    return clean(text) if found is None else found


def _is_text(block: Plain) -> bool:
    return isinstance(block, str) or kind(block) in {"text", "input_text", "output_text"}


def _block_value(block: Plain) -> Plain:
    inner = tree(block)
    if _is_text(block):
        return _json_or_text(str(inner.get("text") or "")) if inner else _json_or_text(block)
    attached = attachment(inner)
    return attached.model_dump(exclude_none=True) if attached else _without_padding(block)


def _without_padding(value: Plain, depth: int = 0) -> Plain:
    """A block of a message without what is volatile, and without the keys that SDKs write with null: its shape is the provider's."""
    if depth >= _DEPTH:
        return value
    if isinstance(value, list):
        return [_without_padding(item, depth + 1) for item in value]
    if not isinstance(value, dict):
        return value
    if not string(value.get("type")):
        return _without_volatile(value, depth)
    return {
        key: _without_padding(item, depth + 1)
        for key, item in value.items()
        if item is not None and not str(key).startswith(_VOLATILE)
    }


def _without_volatile(value: Plain, depth: int = 0) -> Plain:
    if depth < _DEPTH and isinstance(value, dict):
        kept = {key: item for key, item in value.items() if not str(key).startswith(_VOLATILE)}
        return {key: _without_volatile(item, depth + 1) for key, item in kept.items()}
    if depth < _DEPTH and isinstance(value, list):
        return [_without_volatile(item, depth + 1) for item in value]
    return value
