"""OpenAI's legacy completions: a prompt, and the text that continues it; with the hosts that still speak it.

Read: JSON and streams, every choice in order. A prompt of tokens is shown as its JSON. Not read: log probabilities.
"""

import re
from collections.abc import Mapping, Sequence

from reviewlib.model.call import Message, ModelRequest, ModelResponse, StopReason
from reviewlib.model.frozen import Plain
from reviewlib.providers._content import text_part
from reviewlib.providers._failure import error_in
from reviewlib.providers._plain import Tree, compact, count, string, tree, trees
from reviewlib.providers._request import parameters
from reviewlib.providers._usage import openai_counts
from reviewlib.providers.provider import Assembled, Provider

STOP_REASONS: Mapping[str, StopReason] = {
    "stop": "end_turn",
    "eos": "end_turn",  # Together
    "length": "max_tokens",
    "content_filter": "content_filter",
}


def _read_request(body: Tree) -> ModelRequest:
    prompt = body.get("prompt")
    prompts = prompt if isinstance(prompt, list) and all(isinstance(item, str) for item in prompt) else [prompt]
    return ModelRequest(
        model=string(body.get("model")),
        system=None,
        messages=tuple(Message(role="user", parts=text_part(_words(item))) for item in prompts),
        tools=(),
        parameters=parameters(body, {"prompt"}),
        stream=body.get("stream") is True,
    )


def _words(prompt: Plain) -> str:
    return prompt if isinstance(prompt, str) else compact(prompt)


def _read_answer(body: Tree) -> ModelResponse:
    choices = trees(body.get("choices"))
    raw = next((found for choice in choices if (found := string(choice.get("finish_reason")))), None)
    error = error_in(body)
    return ModelResponse(
        response_id=string(body.get("id")),
        model=string(body.get("model")),
        parts=tuple(part for choice in choices for part in text_part(choice.get("text"))),
        stop_reason="error" if error else STOP_REASONS.get(raw, "other") if raw else None,
        stop_reason_raw=raw,
        usage=openai_counts(tree(body.get("usage"))),
        error=error,
    )


def _assemble(events: Sequence[Tree]) -> Assembled:
    answer: Tree = {}
    texts: dict[int, list[str]] = {}
    finish: dict[int, str] = {}
    for event in events:
        answer |= {key: event[key] for key in ("id", "model", "usage") if event.get(key)}
        for choice in trees(event.get("choices")):
            index = count(choice.get("index")) or 0
            texts.setdefault(index, []).append(string(choice.get("text")) or "")
            if reason := string(choice.get("finish_reason")):
                finish[index] = reason
    choices = [{"text": "".join(texts[index]), "finish_reason": finish.get(index)} for index in sorted(texts)]
    return Assembled(answer | {"choices": choices}, bool(texts) and texts.keys() == finish.keys())


def _answers(body: Tree) -> bool:
    choices = body.get("choices")
    if not isinstance(choices, list) or any("message" in choice or "delta" in choice for choice in trees(choices)):
        return False
    return body.get("object") == "text_completion" or any(
        isinstance(choice.get("text"), str) for choice in trees(choices)
    )


PROVIDER = Provider(
    name="openai_completions",
    title="OpenAI completions (legacy)",
    summary="The legacy completions API of OpenAI and of the hosts that still speak it: a prompt, and the text that continues it, as JSON "
    "and as a stream. Log probabilities are left out.",
    path=re.compile(r"(?:/(?:deployments|engines)/(?P<model>[^/]+)|(?<!/chat))/completions$"),
    sends=lambda body: (
        isinstance(body.get("model"), str) and "max_tokens" in body and isinstance(body.get("prompt"), str)
    ),
    may_send=lambda body: "prompt" in body,
    answers=_answers,
    streams=_answers,
    read_request=_read_request,
    read_answer=_read_answer,
    assemble=_assemble,
)
