"""The ``ModelResponse`` of pydantic-ai, which recorders at its seam store: already neutral, without its request."""

import re
from collections.abc import Callable, Mapping, Sequence

from reviewlib.model.call import CallPart, ModelRequest, ModelResponse, Part, ResultPart, StopReason, Usage
from reviewlib.model.frozen import Plain
from reviewlib.providers import anthropic, openai_chat
from reviewlib.providers._content import call, result_value, text_part, thinking_part, unknown, with_server_results
from reviewlib.providers._media import media
from reviewlib.providers._plain import Tree, count, string, tree, trees
from reviewlib.providers.provider import Assembled, Provider

_FINISH: Mapping[str, StopReason] = {
    "stop": "end_turn",
    "length": "max_tokens",
    "content_filter": "content_filter",
    "tool_call": "tool_use",
    "error": "error",
}


def _read_answer(body: Tree) -> ModelResponse:
    parts = with_server_results(part for item in trees(body.get("parts")) for part in _read_part(item))
    raw = string(tree(body.get("provider_details")).get("finish_reason"))
    finish = string(body.get("finish_reason"))
    return ModelResponse(
        response_id=string(body.get("provider_response_id")),
        model=string(body.get("model_name")),
        parts=parts,
        stop_reason=_stop_reason(raw, finish, parts),
        stop_reason_raw=raw or finish,
        usage=_read_usage(tree(body.get("usage"))),
        complete=string(body.get("state")) in {None, "complete"},
    )


def _call(part: Tree, *, server_side: bool = False) -> tuple[Part, ...]:
    return (call(part.get("tool_call_id"), part.get("tool_name"), part.get("args"), server_side=server_side),)


def _return(part: Tree) -> tuple[Part, ...]:
    tool = string(part.get("tool_name"))
    result = result_value(part.get("content"))
    return (ResultPart(call_id=string(part.get("tool_call_id")), tool=tool, result=result),)


def _file(part: Tree) -> tuple[Part, ...]:
    content = tree(part.get("content"))
    return (media(content.get("media_type"), content.get("data")),)


_PARTS: Mapping[Plain, Callable[[Tree], tuple[Part, ...]]] = {
    "text": lambda part: text_part(part.get("content")),
    "thinking": lambda part: (thinking_part(part.get("content")),),
    "tool-call": _call,
    "builtin-tool-call": lambda part: _call(part, server_side=True),
    "builtin-tool-return": _return,
    "file": _file,
}


def _read_part(part: Tree) -> tuple[Part, ...]:
    kind = string(part.get("part_kind"))
    return _PARTS[kind](part) if kind in _PARTS else (unknown(part),)


def _stop_reason(raw: str | None, finish: str | None, parts: Sequence[Part]) -> StopReason | None:
    """The provider's own word where one of the known dialects has it (``refusal`` is finer than pydantic-ai's words)."""
    if any(isinstance(part, CallPart) and not part.server_side for part in parts) and finish in {None, "stop"}:
        return "tool_use"
    known: Plain = anthropic.STOP_REASONS.get(raw or "") or openai_chat.STOP_REASONS.get(raw or "")
    return known or (_FINISH.get(finish, "other") if finish else None)


def _read_usage(usage: Tree) -> Usage | None:
    """Buckets are inclusive, and 0 where the provider said nothing: an answer of no tokens at all is one without usage."""
    sent, written = count(usage.get("input_tokens")), count(usage.get("output_tokens"))
    if not sent and not written:
        return None
    return Usage(
        input_tokens=sent,
        output_tokens=written,
        cache_read_tokens=count(usage.get("cache_read_tokens")),
        cache_write_tokens=count(usage.get("cache_write_tokens")),
        reasoning_tokens=count(tree(usage.get("details")).get("reasoning_tokens")),
    )


def _never(_: Tree) -> bool:
    return False


def _read_request(_: Tree) -> ModelRequest:
    return ModelRequest(model=None, system=None, messages=(), tools=())


PROVIDER = Provider(
    name="pydantic_ai",
    title="pydantic-ai ModelResponse",
    summary="The ModelResponse that recorders at pydantic-ai's seam store: parts, usage and finish reason, already neutral. Its request "
    "is not part of it.",
    path=re.compile(r"(?!)"),  # not an HTTP API
    sends=_never,
    may_send=_never,
    answers=lambda body: (
        body.get("kind") == "response" and any("part_kind" in part for part in trees(body.get("parts")))
    ),
    streams=_never,
    read_request=_read_request,
    read_answer=_read_answer,
    assemble=lambda _: Assembled({}, complete=False),
)
