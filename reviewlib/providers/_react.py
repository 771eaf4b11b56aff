"""Tool calls written as prose: ``Action: name``, ``Action Input: {…}``, answered by ``Observation: …`` in the next prompt.

Read only where the request's own prompt defines that syntax and no native call is present, so that ordinary prose is left alone.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from reviewlib.model.call import CallPart, Message, ModelCall, ModelRequest, ModelResponse, Part, ResultPart, Text
from reviewlib.providers._content import call, result_value, text_part

_ACTION = re.compile(r"^[ \t>*]*Action[ \t]*:", re.MULTILINE)
_KEYWORD = "Action Input"
"""Nearly no text has it; the search line by line took half of the time of reading all calls."""
_INPUT = re.compile(r"\n+[ \t]*Action Input[ \t]*:")
_OBSERVATION = re.compile(r"^[ \t]*Observation[ \t]*:?[ \t]*", re.MULTILINE)
_PLACEHOLDER = re.compile(r"[\[\]<>{}]|^(?:the|an?|one of|name of|should be|your)\b", re.IGNORECASE)
"""What stands for a tool's name where the syntax is explained: ``the action to take, should be one of [search]``, ``<tool>``."""
_FINAL = re.compile(r"^[ \t]*Final Answer[ \t]*:", re.MULTILINE)


def read_prose(model_call: ModelCall) -> ModelCall:
    """The call with its prose calls as parts, or the very same call where the prompt defines no such syntax."""
    request, response = model_call.request, model_call.response
    if request is None or not _defines(request):
        return model_call
    update: dict[str, ModelRequest | ModelResponse] = {
        "request": request.model_copy(update={"messages": _read_history(request.messages)})
    }
    if response is not None and not any(part.kind == "call" for part in response.parts):
        parts, invented = _read_parts(response.parts)
        if any(isinstance(part, CallPart) for part in parts):
            parts += text_part(f"Observation: {invented}" if invented else None)
            update["response"] = response.model_copy(update={"parts": parts, "stop_reason": "tool_use"})
    return model_call.model_copy(update=update)


def _defines(request: ModelRequest) -> bool:
    """True where a system or user message has the syntax itself, with its two keywords at the start of a line."""
    texts = [request.system or ""]
    texts += [text for message in request.messages if message.role in {"system", "user"} for text in _texts(message)]
    return any(_KEYWORD in text and next(_uses(text), None) and _OBSERVATION.search(text) for text in texts)


def _texts(message: Message) -> list[str]:
    return [part.text for part in message.parts if part.kind == "text"]


def _read_history(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """Calls in assistant messages become parts; an observation, there or at the start of the next message, becomes their result."""
    made: list[Message] = []
    for message in messages:
        waiting = made[-1].parts[-1] if made and made[-1].role == "assistant" and made[-1].parts else None
        if message.role == "assistant" and not any(part.kind == "call" for part in message.parts):
            parts, observation = _read_parts(message.parts)
            made.append(message.model_copy(update={"parts": parts}))
            if observation is not None:
                made.append(_result(parts[-1], observation))
        elif message.role == "user" and isinstance(waiting, CallPart) and waiting.origin == "text":
            found = [_OBSERVATION.match(text) for text in _texts(message)]
            made.append(_result(waiting, _texts(message)[0][found[0].end() :]) if found and found[0] else message)
        else:
            made.append(message)
    return tuple(made)


def _result(asked: Part, observation: str) -> Message:
    tool = asked.tool if isinstance(asked, CallPart) else None
    return Message(role="tool", parts=(ResultPart(call_id=None, tool=tool, result=result_value(observation.strip())),))


@dataclass(frozen=True, slots=True)
class _Found:
    """A prose call in a text: what stands before it, the name of the tool, and everything after ``Action Input:``."""

    before: str
    tool: str
    after: str


def _find(text: str) -> _Found | None:
    """The first prose call, with a tool's name where a harness that explains the syntax again has a placeholder."""
    for start, tool, end in _uses(text):
        if not _PLACEHOLDER.search(tool):
            return _Found(text[:start], tool, text[end:])
    return None


def _uses(text: str) -> Iterator[tuple[int, str, int]]:
    """Every use of the syntax: where it begins, what it names, where the input begins.

    Line by line, as one pattern for both lines took quadratic time on 400 KB of blanks.
    """
    if _KEYWORD not in text:
        return
    for action in _ACTION.finditer(text):
        end = text.find("\n", action.end())
        given = _INPUT.match(text, end) if end >= 0 else None
        if given:
            yield action.start(), text[action.end() : end].strip(" \t*`"), given.end()


def _call(tool: str, words: str) -> CallPart:
    """A call; an input that is no JSON is the one argument that it has, as words."""
    asked = call(None, tool, words.strip().removesuffix("```").strip())
    arguments = asked.arguments if asked.arguments_raw is None else asked.arguments_raw
    return asked.model_copy(update={"arguments": arguments, "arguments_raw": None, "origin": "text"})


def _read_parts(parts: tuple[Part, ...]) -> tuple[tuple[Part, ...], str | None]:
    """The parts with the first prose call in them, and the observation after it: its result in a history, in an answer words
    that the model made up. Text that has its final answer first calls nothing.
    """
    for index, part in enumerate(parts):
        found = _find(part.text) if isinstance(part, Text) else None
        if found is None or _FINAL.search(found.before):
            continue
        words, *rest = _OBSERVATION.split(found.after, maxsplit=1)
        thought = found.before.strip().removeprefix("```").strip()
        observation = rest[0].strip().removesuffix("```").strip() if rest else ""
        return (*parts[:index], *text_part(thought), _call(found.tool, words)), observation or None
    return parts, None
