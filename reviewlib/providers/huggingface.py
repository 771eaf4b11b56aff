"""Hugging Face text generation: the inference API, text-generation-inference, and SageMaker endpoints that run it.

Read: a text that is continued, as JSON and as a stream of tokens. (Its chat endpoint speaks Chat Completions and is read as that.)
Not read: single tokens and their probabilities. Tasks that generate no text are other traffic.
"""

import re
from collections.abc import Mapping, Sequence

from reviewlib.model.call import Message, ModelRequest, ModelResponse, StopReason, Usage
from reviewlib.providers._content import text_part
from reviewlib.providers._plain import Tree, count, string, tree, trees
from reviewlib.providers._request import parameters
from reviewlib.providers.provider import Assembled, Provider

STOP_REASONS: Mapping[str, StopReason] = {
    "eos_token": "end_turn",
    "stop_sequence": "stop_sequence",
    "length": "max_tokens",
}
_GENERATES = frozenset(
    {"max_new_tokens", "return_full_text", "do_sample", "temperature", "top_p", "top_k", "stop", "details"}
)
"""Parameters that only a task with generated text takes."""


def _read_request(body: Tree) -> ModelRequest:
    return ModelRequest(
        model=string(body.get("model")),
        system=None,
        messages=(Message(role="user", parts=text_part(body.get("inputs"))),),
        tools=(),
        parameters=parameters(body, {"inputs", "options"}),
        stream=body.get("stream") is True,
    )


def _read_answer(body: Tree) -> ModelResponse:
    details = tree(body.get("details"))
    raw = string(details.get("finish_reason"))
    written, sent = count(details.get("generated_tokens")), count(details.get("input_length"))
    if sent is None and trees(details.get("prefill")):
        sent = len(details["prefill"])
    return ModelResponse(
        parts=text_part(body.get("generated_text")),
        stop_reason=STOP_REASONS.get(raw, "other") if raw else None,
        stop_reason_raw=raw,
        usage=None if written is None else Usage(input_tokens=sent, output_tokens=written),
    )


def _assemble(events: Sequence[Tree]) -> Assembled:
    """The last event has the whole text; without streaming the answer is a list of one, which reads as a stream of one."""
    last = next((event for event in reversed(events) if isinstance(event.get("generated_text"), str)), None)
    if last is not None:
        return Assembled(last, complete=True)
    tokens = [tree(event.get("token")) for event in events]
    spelled = "".join(string(token.get("text")) or "" for token in tokens if token.get("special") is not True)
    return Assembled({"generated_text": spelled}, complete=False)


def _sends(body: Tree) -> bool:
    return isinstance(body.get("inputs"), str) and not _GENERATES.isdisjoint(tree(body.get("parameters")))


PROVIDER = Provider(
    name="huggingface",
    title="Hugging Face text generation",
    summary="Text generation of Hugging Face's inference API, text-generation-inference and SageMaker, as JSON and as a stream of tokens; its chat "
    "endpoint is read as Chat Completions. The probabilities of tokens are left out.",
    path=re.compile(r"(?:/models/(?P<model>[^/]+/[^/]+))?/generate(?:_stream)?$"),
    sends=_sends,
    may_send=lambda body: isinstance(body.get("inputs"), str),
    answers=lambda body: isinstance(body.get("generated_text"), str),
    streams=lambda event: isinstance(event.get("generated_text"), str) or "text" in tree(event.get("token")),
    read_request=_read_request,
    read_answer=_read_answer,
    assemble=_assemble,
)
