"""The text models of Bedrock InvokeModel, each with a body of its own; also the APIs of Anthropic and Cohere that came before chat.

Read: Llama, Titan, Mistral, Cohere Command, AI21 Jurassic and Claude 2, as JSON and as AWS event streams. The model is in the URL.
(Claude 3 and later, Nova, Command R and models with OpenAI's shape are read as those.) Not read: probabilities, and models that make
vectors or pictures.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reviewlib.model.call import Message, ModelRequest, ModelResponse, StopReason, Usage
from reviewlib.model.frozen import Plain
from reviewlib.providers._content import text_part
from reviewlib.providers._plain import Tree, count, string, tree, trees
from reviewlib.providers._request import parameters
from reviewlib.providers.provider import Assembled, Provider

STOP_REASONS: Mapping[str, StopReason] = {
    "stop": "end_turn",
    "finish": "end_turn",
    "finished": "end_turn",
    "complete": "end_turn",
    "endoftext": "end_turn",
    "stop_sequence": "stop_sequence",
    "length": "max_tokens",
    "max_tokens": "max_tokens",
    "content_filtered": "content_filter",
    "error_toxic": "content_filter",
    "intervened": "content_filter",
    "error": "error",
}
_GUARDRAIL = "amazon-bedrock-guardrailAction"
_METRICS = "amazon-bedrock-invocationMetrics"
_PROMPTS = ("prompt", "inputText")


@dataclass(frozen=True, slots=True)
class _Dialect:
    """Where a model keeps its text and why it stopped: in the answer itself, or in the items of the list under ``listed``."""

    text: str
    reason: str
    sent: str = ""
    written: str = ""
    listed: str = ""


_DIALECTS = (
    _Dialect("generation", "stop_reason", "prompt_token_count", "generation_token_count"),  # Llama
    _Dialect("outputText", "completionReason", "inputTextTokenCount", "tokenCount", "results"),  # Titan
    _Dialect("outputText", "completionReason", "inputTextTokenCount", "totalOutputTextTokenCount"),  # Titan, streamed
    _Dialect(
        "outputText", _GUARDRAIL, "inputTextTokenCount", "totalOutputTextTokenCount"
    ),  # Titan, stopped by a guardrail
    _Dialect("text", "stop_reason", listed="outputs"),  # Mistral
    _Dialect("text", "finish_reason", listed="generations"),  # Cohere Command
    _Dialect("text", "finish_reason"),  # Cohere Command, streamed
    _Dialect("text", "finishReason", listed="completions"),  # AI21 Jurassic
    _Dialect("completion", "stop_reason"),  # Claude 2
)


def _items(body: Tree, dialect: _Dialect) -> list[Tree]:
    """The texts of an answer with their reasons. Jurassic keeps both one level deeper."""
    if not dialect.listed:
        return [body]
    return [item | tree(item.get("data")) for item in trees(body.get(dialect.listed))]


def _dialect(body: Tree) -> _Dialect | None:
    """The one whose text and whose reason are there; the reason may be null in a stream."""
    return next(
        (
            dialect
            for dialect in _DIALECTS
            if any(isinstance(item.get(dialect.text), str) and dialect.reason in item for item in _items(body, dialect))
        ),
        None,
    )


def _read_request(body: Tree) -> ModelRequest:
    prompt = next((found for key in _PROMPTS if (found := string(body.get(key)))), None)
    return ModelRequest(
        model=string(body.get("model")),
        system=None,
        messages=(Message(role="user", parts=text_part(prompt)),),
        tools=(),
        parameters=parameters(body, _PROMPTS),
        stream=body.get("stream") is True,
    )


def _read_answer(body: Tree) -> ModelResponse:
    dialect = _dialect(body) or _DIALECTS[0]
    items = _items(body, dialect)
    raw = next((found for item in items if (found := _reason(item.get(dialect.reason)))), None)
    return ModelResponse(
        response_id=string(body.get("id")),
        model=string(body.get("model")),
        parts=tuple(part for item in items for part in text_part(item.get(dialect.text))),
        stop_reason=STOP_REASONS.get(raw.lower(), "other") if raw else None,
        stop_reason_raw=raw,
        usage=_read_usage(body, items[0] if items else {}, dialect),
    )


def _reason(value: Plain) -> str | None:
    return string(tree(value).get("reason")) if isinstance(value, dict) else string(value)


def _read_usage(body: Tree, item: Tree, dialect: _Dialect) -> Usage | None:
    """What the model counted, or what Bedrock measured at the end of a stream."""
    measured = tree(body.get(_METRICS))
    sent = count(measured.get("inputTokenCount", body.get(dialect.sent)))
    written = count(measured.get("outputTokenCount", item.get(dialect.written)))
    return None if sent is None and written is None else Usage(input_tokens=sent, output_tokens=written)


def _assemble(events: Sequence[Tree]) -> Assembled:
    """The answer in the shape of one event: the texts joined, everything else as it came last."""
    dialect = next((found for event in events if (found := _dialect(event))), _DIALECTS[0])
    texts: list[str] = []
    rest: Tree = {}
    for event in events:
        for item in _items(event, dialect):
            texts.append(string(item.get(dialect.text)) or "")
            rest |= {key: value for key, value in item.items() if value is not None}
        rest |= {key: event[key] for key in (_METRICS, dialect.sent) if event.get(key) is not None}
    whole = {dialect.text: "".join(texts), dialect.reason: rest.get(dialect.reason)}
    answer = rest | ({dialect.listed: [rest | whole]} if dialect.listed else whole)
    return Assembled(answer, _reason(rest.get(dialect.reason)) is not None)


def _is_own(body: Tree) -> bool:
    return not {"choices", "message", "generation_id", "event_type"} & body.keys() and _dialect(body) is not None


PROVIDER = Provider(
    name="bedrock_text",
    title="Bedrock InvokeModel, text models",
    summary="Text models of Bedrock InvokeModel, each with a body of its own (Llama, Titan, Mistral, Cohere Command, AI21 Jurassic, Claude 2), as "
    "JSON and as AWS event streams; newer models are read by the API whose shape they have. Models that make vectors or pictures are "
    "other traffic.",
    path=re.compile(
        r"/model/(?!.*(?:claude-[^v]|nova))(?P<model>.+)/invoke(?:-with-response-stream)?$|/v1/complete$|/v1/generate$"
    ),
    sends=lambda body: (
        ("inputText" in body and "textGenerationConfig" in body) or {"prompt", "max_gen_len"} <= body.keys()
    ),
    may_send=lambda body: not {"prompt", "inputText", "inputs", "messages", "message"}.isdisjoint(body),
    answers=_is_own,
    streams=_is_own,
    read_request=_read_request,
    read_answer=_read_answer,
    assemble=_assemble,
)
