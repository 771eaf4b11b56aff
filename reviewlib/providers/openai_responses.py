"""The OpenAI Responses API.

Read: JSON and streams; function calls, custom tools, and OpenAI's own tools with the results that stand in the same answer; reasoning
summaries; ``previous_response_id``, which chains answers whose history the server keeps; the answer of a background response, which is
fetched with GET until it has come. Not read: encrypted reasoning, annotations, log probabilities.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Literal, TypeAlias

from reviewlib.model.call import (
    CallPart,
    Message,
    ModelRequest,
    ModelResponse,
    Part,
    ResultPart,
    StopReason,
    Thinking,
    ToolSchema,
    Usage,
)
from reviewlib.model.frozen import Plain
from reviewlib.providers._content import call, result_value, split_system, text_part, unknown, with_server_results
from reviewlib.providers._failure import error_in
from reviewlib.providers._media import attachment, media
from reviewlib.providers._memory import remembered
from reviewlib.providers._plain import Tree, clean, count, kind, string, tree, trees
from reviewlib.providers._request import parameters, tool_schema
from reviewlib.providers.provider import Assembled, Provider

_Role: TypeAlias = Literal["system", "user", "assistant", "tool"]
_ROLES: Mapping[str, _Role] = {"system": "system", "developer": "system", "assistant": "assistant", "tool": "tool"}

_SERVER_SIDE: Mapping[str, tuple[str, str]] = {
    "web_search_call": ("action", "sources"),
    "file_search_call": ("queries", "results"),
    "code_interpreter_call": ("code", "outputs"),
    "image_generation_call": ("", "result"),
    "mcp_call": ("arguments", "output"),
    "tool_search_call": ("arguments", ""),
}
"""Tools that OpenAI runs: where such an item keeps the arguments, and where the result."""

_CLIENT_SIDE: Mapping[str, str] = {
    "function_call": "arguments",
    "custom_tool_call": "input",
    "computer_call": "action",
    "local_shell_call": "action",
    "shell_call": "action",
    "apply_patch_call": "operation",
}
"""Tools that the harness runs, and where such an item keeps the arguments."""

_INCOMPLETE: Mapping[str, StopReason] = {
    "max_output_tokens": "max_tokens",
    "content_filter": "content_filter",
    "failed": "error",
}

_RUNNING = frozenset({"queued", "in_progress"})
"""What a background response says until it is fetched again."""

_RESULTS = ("_output", "_response")
"""How the types of items that answer a call end (``function_call_output``, ``mcp_approval_response``)."""

_ADDED = "additional_tools"
_SILENT = frozenset({"item_reference", "compaction", "mcp_list_tools", _ADDED})
"""Items that are no step: a pointer into the server's memory, an encrypted summary, lists of what a server offers."""


def _read_request(body: Tree) -> ModelRequest:
    leading, messages = split_system(_read_history(body.get("input")))
    return ModelRequest(
        model=string(body.get("model")),
        system="\n\n".join(filter(None, (string(body.get("instructions")), leading))) or None,
        messages=messages,
        tools=tuple(_read_tool(tool) for tool in _offered(body)),
        parameters=parameters(body, {"input", "instructions", "previous_response_id", "conversation"}),
        previous=string(body.get("previous_response_id")),
        stream=body.get("stream") is True,
    )


def _offered(body: Tree) -> Iterator[Tree]:
    """The tools of a request: those in a namespace after it, and those that an item of the history adds last."""
    added = [tool for item in trees(body.get("input")) if kind(item) == _ADDED for tool in trees(item.get("tools"))]
    for tool in (*trees(body.get("tools")), *added):
        inner = trees(tool.get("tools")) if kind(tool) == "namespace" else []
        yield {key: value for key, value in tool.items() if key != "tools"} if inner else tool
        yield from inner


@remembered
def _read_tool(tool: Tree) -> ToolSchema:
    return tool_schema(tool, "parameters")


def _read_history(history: Plain) -> list[Message]:
    """The items as messages: what the model wrote in one answer is one message, and so are the results that follow it."""
    if isinstance(history, str):
        return [Message(role="user", parts=text_part(history))]
    items = trees(history)
    messages: list[Message] = []
    for role, run in groupby(items, key=_role):
        listed = list(run)
        if role in {"assistant", "tool"}:
            messages.append(Message(role=role, parts=_read_items(listed)))
        else:
            messages += [Message(role=role, parts=_read_items([item])) for item in listed]
    return messages


def _role(item: Tree) -> _Role:
    named = kind(item) or "message"
    if named == "message":
        return _ROLES.get(string(item.get("role")) or "", "user")
    return "tool" if named.endswith(_RESULTS) and item.get("execution") != "server" else "assistant"


def _read_items(items: Iterable[Tree]) -> tuple[Part, ...]:
    return with_server_results(part for item in _with_call_ids(items) for part in _read_item(item))


def _with_call_ids(items: Iterable[Tree]) -> Iterator[Tree]:
    """Give what the provider's tool search found the id of its search: neither has a ``call_id``, and one follows the other."""
    search: Plain = None
    for item in items:
        if kind(item) == "tool_search_call":
            search = item.get("call_id") or item.get("id")
        yield item if kind(item) != "tool_search_output" or item.get("call_id") else item | {"call_id": search}


def _read_item(item: Tree) -> tuple[Part, ...]:
    """One item of the input or the output, by its type; of a type that no table has, by how the type ends."""
    named = kind(item) or "message"
    if named in _SILENT:
        return ()
    if named == "message":
        return _read_content(item.get("content"))
    return (_read_step(item, named),)


def _read_step(item: Tree, named: str) -> Part:
    if named == "reasoning":
        return Thinking(text=_reasoning_text(item))
    if named in _CLIENT_SIDE:
        return _read_client_call(item, named)
    if named.endswith(("_call", "_request")):
        found = _read_server_call(item, named)
        return found.model_copy(update={"server_side": False}) if item.get("execution") == "client" else found
    return _read_result(item) if named.endswith(_RESULTS) else unknown(item)


def _read_content(content: Plain) -> tuple[Part, ...]:
    return (
        tuple(part for block in content for part in _read_block(block))
        if isinstance(content, list)
        else text_part(content)
    )


def _read_block(block: Plain) -> tuple[Part, ...]:
    inner = tree(block)
    if not inner:
        return text_part(block)
    if kind(inner) in {"input_text", "output_text", "text"}:
        return text_part(inner.get("text"))
    if inner.get("type") == "refusal":
        return text_part(inner.get("refusal"))
    return (attachment(inner) or unknown(inner),)


def _reasoning_text(item: Tree) -> str | None:
    """The summary or the reasoning itself; None where only an encrypted form was sent."""
    pieces = [*trees(item.get("summary")), *trees(item.get("content"))]
    return "\n\n".join(filter(None, (string(piece.get("text")) for piece in pieces))) or None


def _read_client_call(item: Tree, named: str) -> CallPart:
    """A function by its name, free text for a custom tool; of the tools that OpenAI defines, the type is the name."""
    call_id, arguments = item.get("call_id") or item.get("id"), item.get(_CLIENT_SIDE[named])
    if named == "custom_tool_call":
        return call(call_id, item.get("name"), None).model_copy(update={"arguments": arguments})
    return call(call_id, item.get("name") if named == "function_call" else named.removesuffix("_call"), arguments)


def _read_server_call(item: Tree, named: str) -> CallPart:
    """A call of OpenAI's own tools, with the result that stands in the same item.

    The arguments of a kind that no table has are everything that it says. An approval that MCP asks for is a call without a result.
    """
    call_id = item.get("call_id") or item.get("id")
    if named in {"mcp_call", "mcp_approval_request"}:
        made = call(call_id, item.get("name"), item.get("arguments"), server_side=True)
        problem = item.get("error")
        return _with_result(made, item.get("output") if problem is None else problem, is_error=problem is not None)
    rest = {key: value for key, value in item.items() if key not in {"id", "call_id", "type", "status"}}
    into, out_of = _SERVER_SIDE.get(named, ("", ""))
    result = rest.pop(out_of, None)
    if isinstance(action := rest.get(into), dict):  # of a web search; the sources that it found stand in it
        result = action.get(out_of, result)
        rest = {key: value for key, value in action.items() if key != out_of}
    if named == "image_generation_call" and isinstance(result, str):
        result = media("image", result).model_dump(exclude_none=True)
    made = call(call_id, named.removesuffix("_call"), rest, server_side=True)
    return _with_result(made, result, is_error=item.get("status") == "failed")


def _with_result(made: CallPart, result: Plain, *, is_error: bool) -> CallPart:
    if result is None:
        return made
    return made.model_copy(update={"result": result_value(result), "result_recorded": True, "is_error": is_error})


def _read_result(item: Tree) -> ResultPart:
    result = next((item[key] for key in ("output", "approve", "tools") if key in item), None)
    call_id = item.get("call_id") or item.get("approval_request_id") or item.get("id")
    return ResultPart(call_id=string(call_id), result=result_value(result))


def _read_answer(body: Tree) -> ModelResponse:
    output = trees(body.get("output"))
    parts = _read_items(output)
    error = error_in(body)
    status = string(body.get("status"))
    cut = string(tree(body.get("incomplete_details")).get("reason"))
    return ModelResponse(
        response_id=string(body.get("id")),
        model=string(body.get("model")),
        parts=parts,
        stop_reason="error" if error else _stop_reason(cut or status, parts, refused=_is_refusal(output)),
        stop_reason_raw=cut or status,
        usage=_read_usage(tree(body.get("usage"))),
        error=error,
        complete=status not in _RUNNING,
    )


def _is_refusal(output: Iterable[Tree]) -> bool:
    return any(kind(block) == "refusal" for item in output for block in trees(item.get("content")))


def _stop_reason(raw: str | None, parts: Sequence[Part], *, refused: bool) -> StopReason | None:
    """Responses have no stop reason of their own: a status, and why they are incomplete."""
    if raw not in {"completed", "complete"}:  # hand-written recordings say "complete"
        return _INCOMPLETE.get(raw, "other") if raw and raw not in _RUNNING else None
    if any(isinstance(part, CallPart) and not part.server_side for part in parts):
        return "tool_use"
    return "refusal" if refused else "end_turn"


def _read_usage(usage: Tree) -> Usage | None:
    """``input_tokens`` includes the cached ones, ``output_tokens`` the reasoning ones."""
    if not usage:
        return None
    details = tree(usage.get("input_tokens_details"))
    return Usage(
        input_tokens=count(usage.get("input_tokens")),
        output_tokens=count(usage.get("output_tokens")),
        cache_read_tokens=count(details.get("cached_tokens")),
        cache_write_tokens=count(details.get("cache_write_tokens")),
        reasoning_tokens=count(tree(usage.get("output_tokens_details")).get("reasoning_tokens")),
    )


_ENDS = frozenset({"response.completed", "response.incomplete", "response.failed"})
_DELTAS: Mapping[str, tuple[str, str]] = {
    "response.output_text.delta": ("message", "text"),
    "response.refusal.delta": ("message", "refusal"),
    "response.function_call_arguments.delta": ("function_call", "arguments"),
    "response.mcp_call_arguments.delta": ("mcp_call", "arguments"),
    "response.custom_tool_call_input.delta": ("custom_tool_call", "input"),
    "response.code_interpreter_call_code.delta": ("code_interpreter_call", "code"),
}
"""Events that spell an item: its type, and the key whose text they spell."""


def _assemble(events: Sequence[Tree]) -> Assembled:
    """The response that the last event carries whole; of a stream that broke off, the items that had arrived."""
    response: Tree = {}
    items: dict[int, Tree] = {}
    spelled: dict[tuple[int, str], list[str]] = {}
    ended = False
    for event in events:
        named, index, delta = kind(event), count(event.get("output_index")) or 0, event.get("delta")
        response |= tree(event.get("response"))
        if isinstance(event.get("item"), dict):  # response.output_item.added, then .done with the whole item
            items[index] = tree(event["item"])
        if named == "response.output_item.done":
            spelled = {key: pieces for key, pieces in spelled.items() if key[0] != index}
        elif named in _DELTAS and isinstance(delta, str):
            spelled.setdefault((index, named), []).append(delta)
        ended = ended or named in _ENDS
    if not response.get("output"):
        for (index, named), pieces in spelled.items():
            items[index] = _with_spelled(items.get(index, {}), *_DELTAS[named], clean("".join(pieces)))
        response["output"] = [items[index] for index in sorted(items)]
    return Assembled(response, ended)


def _with_spelled(item: Tree, item_type: str, key: str, text: str) -> Tree:
    """An item whose ``done`` event never came, with what its deltas had spelled."""
    whole = {"type": item_type} | item
    if item_type != "message":
        return whole | {key: text}
    return whole | {
        "content": [*trees(item.get("content")), {"type": "refusal" if key == "refusal" else "text", key: text}]
    }


def _sends(body: Tree) -> bool:
    """A model and an input of typed items or with instructions; embeddings have a model and an input as well."""
    typed = any("role" in item or "type" in item for item in trees(body.get("input")))
    return (
        _may_send(body)
        and "messages" not in body
        and isinstance(body.get("model"), str)
        and (typed or not {"instructions", "previous_response_id", "tools", "max_output_tokens"}.isdisjoint(body))
    )


def _may_send(body: Tree) -> bool:
    return isinstance(body.get("input"), str | list) or "previous_response_id" in body or "prompt" in body


PROVIDER = Provider(
    name="openai_responses",
    title="OpenAI Responses",
    summary="The Responses API: JSON and streams, with OpenAI's own tools (results in the same answer), reasoning summaries, "
    "previous_response_id, and background responses that are fetched later. Encrypted reasoning and annotations are left out.",
    path=re.compile(r"/responses(?:/resp_[^/]+)?$"),
    sends=_sends,
    may_send=_may_send,
    answers=lambda body: body.get("object") == "response" and ("output" in body or "status" in body),
    streams=lambda event: kind(event).startswith("response."),
    read_request=_read_request,
    read_answer=_read_answer,
    assemble=_assemble,
)
