"""Mirascope's recordings of a local MLX model: answers token by token, by the hash of a request that is not kept."""

import re

from reviewlib.formats.format import NO_REQUESTS, Context, Format, Parsed
from reviewlib.formats.plain import text
from reviewlib.model.cassette import Exchange, Response
from reviewlib.model.frozen import Plain

_HASH = re.compile(r"[0-9a-f]{64}")


def recognise(tree: Plain) -> bool:
    """Whether ``interactions`` maps hashes to lists of tokens; without any, it is all that the file holds."""
    found = tree.get("interactions") if isinstance(tree, dict) else None
    return isinstance(found, dict) and (bool(found) or len(tree) == 1) and all(map(_is_answer, found.items()))


def parse(tree: Plain, _context: Context) -> Parsed:
    """One answer a hash; their order in the file is that of the hashes."""
    exchanges = tuple(_exchange(index, *item) for index, item in enumerate(tree["interactions"].items()))
    return Parsed(
        interactions=exchanges,
        not_recorded=(*NO_REQUESTS, "tool_results", "tool_errors", "model", "http_status"),
        ordered=len(exchanges) < 2,
    )


def _is_answer(item: tuple[Plain, Plain]) -> bool:
    key, tokens = item
    return (
        isinstance(key, str)
        and _HASH.fullmatch(key) is not None
        and isinstance(tokens, list)
        and all(isinstance(token, dict) and token.keys() >= {"text", "token"} for token in tokens)
    )


def _exchange(index: int, key: str, tokens: list[dict[str, Plain]]) -> Exchange:
    last = tokens[-1] if tokens else {}
    message = {"role": "assistant", "content": "".join(text(token["text"]) or "" for token in tokens)}
    usage = {"prompt_tokens": last.get("prompt_tokens"), "completion_tokens": last.get("generation_tokens")}
    choice = {"message": message, "finish_reason": last.get("finish_reason")}
    body = {"object": "chat.completion", "choices": [choice], "usage": usage}
    return Exchange(index=index, request=None, response=Response(body=body), key=key)


FORMAT = Format(
    "mlx",
    "Mirascope's MLX recorder",
    frozenset({"yaml", "json"}),
    recognise,
    parse,
    summary="Answers of a local MLX model as Mirascope's test suite records them, token by token, with counts of tokens. The prompt, the tools "
    "and the model are not kept, only a hash of the request; calls of tools are part of the text.",
)
