"""Google's generateContent and streamGenerateContent, of the Gemini API and of Vertex AI.

Read: JSON, server-sent events and the JSON-array stream; keys in camel or snake case, enums as words or numbers; function calls
and their responses, thoughts, attachments, code execution and Google Search (tools that Google runs), blocked prompts and answers.
Function calls mostly have no id, so a response belongs to its call by the tool's name and by order. Not read: thought signatures,
safety ratings, and where in the text a search result is cited.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from reviewlib.model.call import (
    CallPart,
    Message,
    ModelRequest,
    ModelResponse,
    Part,
    ResultPart,
    StopReason,
    Text,
    Thinking,
    ToolSchema,
)
from reviewlib.model.frozen import Plain
from reviewlib.providers._content import call, from_user, result_value, text_part, thinking_part, unknown
from reviewlib.providers._failure import error_in
from reviewlib.providers._gemini_stream import assemble
from reviewlib.providers._media import media
from reviewlib.providers._memory import remembered
from reviewlib.providers._plain import Tree, camel, count, string, tree, trees
from reviewlib.providers._request import parameters, tool_schema
from reviewlib.providers._usage import google_counts
from reviewlib.providers.provider import Provider

STOP_REASONS: Mapping[str, StopReason] = {
    "STOP": "end_turn",
    "MAX_TOKENS": "max_tokens",
    "SAFETY": "content_filter",
    "RECITATION": "content_filter",
    "BLOCKLIST": "content_filter",
    "PROHIBITED_CONTENT": "content_filter",
    "SPII": "content_filter",
    "MODEL_ARMOR": "content_filter",
    "IMAGE_SAFETY": "content_filter",
    "IMAGE_PROHIBITED_CONTENT": "content_filter",
    "IMAGE_RECITATION": "content_filter",
}
_NUMBERED = ("FINISH_REASON_UNSPECIFIED", "STOP", "MAX_TOKENS", "SAFETY", "RECITATION", "OTHER")
"""The finish reasons by their number, as far as the Gemini API and Vertex AI agree."""
_MALFORMED = frozenset(
    {"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MISSING_THOUGHT_SIGNATURE"}
)
"""The model meant to call a tool, and the API did not let the call through."""
_REDIRECT = "vertexaisearch.cloud.google.com"  # links to search results are redirects, new in every answer


def _read_request(body: Tree) -> ModelRequest:
    body = camel(tree(body.get("request")) or body)  # Code Assist wraps it
    messages = tuple(made for content in trees(body.get("contents")) for made in _read_message(content))
    listed = body.get("tools")
    tools = trees([listed] if isinstance(listed, dict) else listed)
    model = string(body.get("model"))
    return ModelRequest(
        model=model.removeprefix("models/") if model else None,
        system=_read_system(body.get("systemInstruction")),
        messages=_without_strange_names(messages),
        tools=tuple(schema for tool in tools for schema in _read_tool(camel(tool))),
        parameters=parameters(body, {"contents", "systemInstruction", "labels"}),
    )


def _read_system(instruction: Plain) -> str | None:
    parts = text_part(instruction) or tuple(
        part for item in trees(tree(instruction).get("parts")) for part in _read_part(item)
    )
    return "\n\n".join(part.text for part in parts if isinstance(part, Text)) or None


@remembered
def _read_tool(tool: Tree) -> list[ToolSchema]:
    """The functions of a tool, and each tool of Google's own that it switches on."""
    made = []
    for function in map(camel, trees(tool.pop("functionDeclarations", None))):
        key = "parametersJsonSchema" if "parametersJsonSchema" in function else "parameters"
        made.append(tool_schema(function, key))
    return made + [ToolSchema(name=name, options=tree(options)) for name, options in tool.items()]


@remembered
def _read_message(content: Tree) -> list[Message]:
    items = trees(content.get("parts"))
    if content.get("role") == "model":
        return [Message(role="assistant", parts=_read_parts(items))]
    return from_user(_read_parts(items))


def _without_strange_names(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """The messages, where a response that names no called function names none: some harnesses put an id of their own there."""
    called = {part.tool for message in messages for part in message.parts if isinstance(part, CallPart)}
    return tuple(
        message.model_copy(update={"parts": tuple(_without_strange_name(part, called) for part in message.parts)})
        if message.role == "tool"
        else message
        for message in messages
    )


def _without_strange_name(part: Part, called: set[str]) -> Part:
    if isinstance(part, ResultPart) and called and part.tool not in called:
        return part.model_copy(update={"tool": None})
    return part


def _read_parts(items: Sequence[Tree]) -> tuple[Part, ...]:
    """The parts in order; what Google's own tool returned is moved into the call before it."""
    made: list[Part] = []
    for part in (part for item in items for part in _read_part(item)):
        joined = _with_result(made[-1], part) if made else None
        if joined is None:
            made.append(part)
        else:
            made[-1] = joined
    return tuple(made)


def _with_result(asked: Part, told: Part) -> Part | None:
    """The call with its result, None where the one is no call of Google's own tools or the other not its result."""
    if not (
        isinstance(told, ResultPart) and isinstance(asked, CallPart) and asked.server_side and asked.tool == told.tool
    ):
        return None
    return asked.model_copy(update={"result": told.result, "result_recorded": True, "is_error": told.is_error})


def _read_part(item: Tree) -> tuple[Part, ...]:
    item = camel(item)
    found = next((key for key in _PARTS if key in item), None)
    if found is not None:
        return _PARTS[found](camel(tree(item[found])))
    if isinstance(item.get("text"), str):
        return (thinking_part(item["text"]),) if item.get("thought") is True else text_part(item["text"])
    rest = {key: value for key, value in item.items() if key not in {"thought", "thoughtSignature", "text"}}
    return (unknown(rest),) if rest else ()


def _function_response(part: Tree) -> ResultPart:
    answer = part.get("response")
    attached = [media(blob.get("mimeType"), blob.get("data")) for blob in map(_blob, trees(part.get("parts")))]
    result = result_value(answer)
    return ResultPart(
        call_id=string(part.get("id")),
        tool=string(part.get("name")),
        result=[result, *(item.model_dump(exclude_none=True) for item in attached)] if attached else result,
        is_error=True if isinstance(answer, dict) and answer.keys() == {"error"} else None,
    )


def _blob(part: Tree) -> Tree:
    return camel(tree(camel(part).get("inlineData")))


def _code_result(part: Tree) -> ResultPart:
    is_error = string(part.get("outcome")) not in {None, "OUTCOME_OK"}
    return ResultPart(call_id=None, tool="code_execution", result=result_value(part.get("output")), is_error=is_error)


def _own_result(part: Tree) -> ResultPart:
    return ResultPart(call_id=None, tool=_own_tool(part), result=result_value(part.get("response")))


def _own_tool(part: Tree) -> str:
    return (string(part.get("toolType")) or "tool").lower()


_PARTS: Mapping[str, Callable[[Tree], tuple[Part, ...]]] = {
    "functionCall": lambda part: (call(part.get("id"), part.get("name"), part.get("args")),),
    "functionResponse": lambda part: (_function_response(part),),
    "inlineData": lambda part: (media(part.get("mimeType"), part.get("data")),),
    "fileData": lambda part: (media(part.get("mimeType"), url=part.get("fileUri")),),
    "executableCode": lambda part: (call(None, "code_execution", _without_id(part), server_side=True),),
    "codeExecutionResult": lambda part: (_code_result(part),),
    "toolCall": lambda part: (call(None, _own_tool(part), part.get("args"), server_side=True),),
    "toolResponse": lambda part: (_own_result(part),),
}


def _without_id(part: Tree) -> Tree:
    return {key: value for key, value in part.items() if key != "id"}


def _read_answer(body: Tree) -> ModelResponse:
    body = camel(tree(body.get("response")) or body)
    candidates = [camel(candidate) for candidate in trees(body.get("candidates"))]
    searches = [part for candidate in candidates for part in _searches(camel(tree(candidate.get("groundingMetadata"))))]
    spoken = [
        part for candidate in candidates for part in _read_parts(trees(tree(candidate.get("content")).get("parts")))
    ]
    blocked = string(camel(tree(body.get("promptFeedback"))).get("blockReason"))
    raw = blocked or next(
        (found for candidate in candidates if (found := _finish(candidate.get("finishReason")))), None
    )
    parts = (*searches, *spoken)
    left_nothing = all(isinstance(part, Thinking) for part in spoken)
    error = error_in(body) or (_refused_call(candidates, raw) if raw in _MALFORMED and left_nothing else None)
    return ModelResponse(
        response_id=string(body.get("responseId")),
        model=string(body.get("modelVersion")),
        parts=parts,
        stop_reason="error" if error else "content_filter" if blocked else _stop_reason(raw, parts),
        stop_reason_raw=raw,
        usage=google_counts(camel(tree(body.get("usageMetadata")))),
        error=error,
    )


def _finish(reason: Plain) -> str | None:
    number = count(reason)
    if number is None:
        return string(reason)
    return _NUMBERED[number] if number < len(_NUMBERED) else str(number)


def _refused_call(candidates: Sequence[Tree], raw: str) -> str:
    said = next((found for candidate in candidates if (found := string(candidate.get("finishMessage")))), None)
    return said or raw


def _stop_reason(raw: str | None, parts: Sequence[Part]) -> StopReason | None:
    """The dialect has no reason for function calls: they end with ``STOP``."""
    if raw == "STOP" and any(isinstance(part, CallPart) and not part.server_side for part in parts):
        return "tool_use"
    return STOP_REASONS.get(raw, "other") if raw else None


def _searches(grounding: Tree) -> tuple[Part, ...]:
    """Google Search is told beside the answer: the queries, and the pages that were found."""
    queries = [query for query in grounding.get("webSearchQueries") or () if isinstance(query, str)]
    if not queries:
        return ()
    pages = [tree(chunk.get("web")) for chunk in trees(grounding.get("groundingChunks"))]
    found = [
        {key: page[key] for key in ("title", "uri") if string(page.get(key)) and _REDIRECT not in page[key]}
        for page in pages
    ]
    asked = call(None, "google_search", {"queries": queries}, server_side=True)
    return (asked.model_copy(update={"result": found, "result_recorded": True}),)


def _has_contents(body: Tree) -> bool:
    return isinstance((tree(body.get("request")) or body).get("contents"), list)


def _sends(body: Tree) -> bool:
    contents = (tree(body.get("request")) or body).get("contents")
    return isinstance(contents, list) and any(isinstance(content.get("parts"), list) for content in trees(contents))


def _answers(body: Tree) -> bool:
    body = tree(body.get("response")) or body
    candidates = body.get("candidates")
    if isinstance(candidates, list):
        return any(not {"content", "finishReason", "finish_reason"}.isdisjoint(item) for item in trees(candidates))
    is_blocked = "promptFeedback" in body or "prompt_feedback" in body
    return is_blocked or {"usageMetadata", "modelVersion"} <= body.keys()


PROVIDER = Provider(
    name="gemini",
    title="Gemini generateContent",
    summary="Google's generateContent and streamGenerateContent, of the Gemini API and of Vertex AI: JSON, server-sent events and the "
    "JSON-array stream. Code execution and Google Search are read as tools that the provider runs. Thought signatures, safety "
    "ratings and citations are left out.",
    path=re.compile(r"(?:/(?:models|tunedModels|endpoints)/(?P<model>[^/:]+))?:(?:g|streamG)enerateContent$"),
    sends=_sends,
    may_send=_has_contents,
    answers=_answers,
    streams=_answers,
    read_request=_read_request,
    read_answer=_read_answer,
    assemble=assemble,
)
