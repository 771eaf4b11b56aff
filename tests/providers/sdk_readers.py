"""What the providers' official SDKs make of a recorded answer. Each is fed through a transport in this process; nothing is sent anywhere."""

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import anthropic
import boto3
import httpx2
import openai
from botocore.awsrequest import AWSResponse
from botocore.config import Config
from google import genai

PROMPT: list[Any] = [{"role": "user", "content": "x"}]


@dataclass(frozen=True, slots=True)
class Seen:
    """What is compared: calls as (tool, arguments), the names of tools that the provider ran, the words, the stop reason raw and
    as the contract names it, and the tokens as (input, output, cache read, cache written, reasoning), in the convention of ``Usage``.
    """

    calls: tuple[tuple[str, Any], ...]
    own_tools: tuple[str, ...]
    text: str
    stop: str | None
    normal: str | None
    usage: tuple[int | None, ...] | None


@dataclass(frozen=True, slots=True)
class Body:
    """A recorded answer as bytes, and whether it is a stream."""

    data: bytes
    is_stream: bool


class Feed:
    """The local end of every transport: it answers whatever is asked with the body that is held."""

    held = Body(b"", is_stream=False)

    @classmethod
    def answer(cls, kind: Any) -> Callable[[Any], Any]:
        """A handler that makes responses of the class ``kind``."""

        def handle(_: Any) -> Any:
            content_type = "text/event-stream" if cls.held.is_stream else "application/json"
            return kind(200, content=cls.held.data, headers={"content-type": content_type})

        return handle

    @classmethod
    def answer_boto(cls, request: Any, **_: Any) -> AWSResponse:
        """The same for botocore, in place of sending."""
        content_type = "application/vnd.amazon.eventstream" if cls.held.is_stream else "application/json"
        return AWSResponse(request.url, 200, {"content-type": content_type}, _Raw(cls.held.data))


class _Raw(io.BytesIO):
    """What botocore expects of urllib3."""

    def stream(self, *_: Any, **__: Any) -> Any:
        yield self.read()

    def release_conn(self) -> None:
        self.close()


NORMAL = {
    "anthropic": {"model_context_window_exceeded": "max_tokens"},
    "openai_chat": {"stop": "end_turn", "tool_calls": "tool_use", "function_call": "tool_use", "length": "max_tokens"},
    "openai_responses": {"completed": "end_turn", "max_output_tokens": "max_tokens", "failed": "error"},
    "gemini": {
        "STOP": "end_turn",
        "MAX_TOKENS": "max_tokens",
        "SAFETY": "content_filter",
        "UNEXPECTED_TOOL_CALL": "other",
    },
    "bedrock_converse": {"guardrail_intervened": "content_filter"},
}
"""The providers' own words for why an answer ended, where the contract has another; after their documentation."""


def normal(provider: str, raw: str | None, calls: object, *, refused: bool = False) -> str | None:
    """The stop reason in the contract's words. OpenAI and Google end calls, and OpenAI refusals, as they end everything."""
    if provider.startswith(("openai", "gemini")) and raw in {"stop", "completed", "STOP", "", None} and calls:
        return "tool_use"
    if refused and raw in {"stop", "completed"}:
        return "refusal"
    return NORMAL.get(provider, {}).get(raw, raw) if raw else None


@cache
def _anthropic() -> Any:
    transport = httpx2.MockTransport(Feed.answer(httpx2.Response))
    return anthropic.Anthropic(
        api_key="x",
        base_url="http://local.test",
        max_retries=0,
        http_client=anthropic.DefaultHttpxClient(transport=transport),
    )


@cache
def _openai() -> Any:
    transport = httpx2.MockTransport(Feed.answer(httpx2.Response))
    return openai.OpenAI(
        api_key="x",
        base_url="http://local.test/v1",
        max_retries=0,
        http_client=openai.DefaultHttpxClient(transport=transport),
    )


@cache
def _google() -> Any:
    client = httpx2.Client(transport=httpx2.MockTransport(Feed.answer(httpx2.Response)))
    return genai.Client(api_key="x", http_options={"httpx_client": client, "base_url": "http://local.test"})


@cache
def _bedrock() -> Any:
    client = boto3.client(
        "bedrock-runtime",
        region_name="us-east-1",
        aws_access_key_id="x",
        aws_secret_access_key="x",
        config=Config(retries={"total_max_attempts": 1}),
    )
    client.meta.events.register("before-send.bedrock-runtime", Feed.answer_boto)
    return client


def _parsed(arguments: Any) -> Any:
    """Arguments as a value; text that is no JSON object stays text, none at all is an empty object."""
    if not isinstance(arguments, str):
        return arguments
    try:
        found = json.loads(arguments or "{}")
    except ValueError:
        return arguments
    return found if isinstance(found, dict | list) else arguments


def read_anthropic(body: Body) -> Seen:
    """The Messages API, through the beta client, which knows every block."""
    messages = _anthropic().beta.messages
    asked = {"model": "m", "max_tokens": 9, "messages": PROMPT}
    if body.is_stream:
        with messages.stream(**asked) as stream:
            message = stream.get_final_message()
    else:
        message = messages.create(**asked)
    blocks = message.content
    usage = message.usage
    cached = (usage.cache_read_input_tokens, usage.cache_creation_input_tokens)
    return Seen(
        calls=tuple((block.name, _parsed(block.input)) for block in blocks if block.type == "tool_use"),
        own_tools=tuple(block.name for block in blocks if block.type in {"server_tool_use", "mcp_tool_use"}),
        text="".join(block.text for block in blocks if block.type == "text"),
        stop=message.stop_reason,
        normal=normal("anthropic", message.stop_reason, ()),
        usage=(usage.input_tokens + sum(filter(None, cached)), usage.output_tokens, *cached, None),
    )


def _chat_usage(usage: Any) -> tuple[int | None, ...] | None:
    if usage is None:
        return None
    details, spoken = usage.prompt_tokens_details, usage.completion_tokens_details
    thought = spoken.reasoning_tokens if spoken else None
    written = usage.completion_tokens
    if thought and usage.total_tokens == usage.prompt_tokens + written + thought:
        written += thought
    read, wrote = getattr(details, "cached_tokens", None), getattr(details, "cache_write_tokens", None)
    return (usage.prompt_tokens, written, read, wrote, thought)


def read_openai_chat(body: Body) -> Seen:
    """Chat Completions; a stream is put together by the SDK's own helper."""
    completions = _openai().chat.completions
    if body.is_stream:
        with completions.stream(model="m", messages=PROMPT) as stream:
            completion = stream.get_final_completion()
    else:
        completion = completions.create(model="m", messages=PROMPT)
    messages = [choice.message for choice in completion.choices]
    calls = [called for message in messages for called in message.tool_calls or ()]
    functions = [
        (called.function.name, _parsed(called.function.arguments)) for called in calls if called.type != "custom"
    ]
    customs = [(called.custom.name, called.custom.input) for called in calls if called.type == "custom"]
    legacy = [message.function_call for message in messages if message.function_call]
    stop = next((choice.finish_reason for choice in completion.choices if choice.finish_reason is not None), None)
    refused = any(message.refusal for message in messages)
    return Seen(
        calls=(*functions, *customs, *((called.name, _parsed(called.arguments)) for called in legacy)),
        own_tools=(),
        text="".join((message.content or "") + (message.refusal or "") for message in messages),
        stop=stop,
        normal=normal("openai_chat", stop, calls or legacy, refused=refused),
        usage=_chat_usage(completion.usage),
    )


def read_openai_responses(body: Body) -> Seen:
    """Responses. It has no stop reason: its status, or why it is incomplete, is compared in its place."""
    responses = _openai().responses
    if body.is_stream:
        with responses.stream(model="m", input="x") as stream:
            response = stream.get_final_response()
    else:
        response = responses.create(model="m", input="x")
    items = response.output
    own = [
        item for item in items if item.type.endswith("_call") and item.type not in {"function_call", "custom_tool_call"}
    ]
    contents = [part for item in items if item.type == "message" for part in item.content]
    usage = response.usage
    stop = response.incomplete_details.reason if response.incomplete_details else response.status
    calls = tuple(
        (item.name, _parsed(item.arguments) if item.type == "function_call" else item.input)
        for item in items
        if item.type in {"function_call", "custom_tool_call"}
    )
    return Seen(
        calls=calls,
        own_tools=tuple(item.name if item.type == "mcp_call" else item.type.removesuffix("_call") for item in own),
        text="".join(part.text if part.type == "output_text" else part.refusal for part in contents),
        stop=stop,
        normal=normal("openai_responses", stop, calls, refused=any(part.type == "refusal" for part in contents)),
        usage=usage
        and (
            usage.input_tokens,
            usage.output_tokens,
            getattr(usage.input_tokens_details, "cached_tokens", None),
            getattr(usage.input_tokens_details, "cache_write_tokens", None),
            getattr(usage.output_tokens_details, "reasoning_tokens", None),
        ),
    )


def read_openai_completions(body: Body) -> Seen:
    """The legacy completions; the SDK leaves it to its user to join a stream."""
    completions = _openai().completions
    if body.is_stream:
        pieces = list(completions.create(model="m", prompt="x", stream=True))
    else:
        pieces = [completions.create(model="m", prompt="x")]
    choices = sorted((choice for piece in pieces for choice in piece.choices), key=lambda choice: choice.index)
    stop = next((choice.finish_reason for choice in choices if choice.finish_reason), None)
    return Seen(
        calls=(),
        own_tools=(),
        text="".join(choice.text for choice in choices),
        stop=stop,
        normal=normal("openai_chat", stop, ()),
        usage=_chat_usage(next((piece.usage for piece in reversed(pieces) if piece.usage), None)),
    )


def read_gemini(body: Body) -> Seen:
    """generateContent; the SDK leaves it to its user to join a stream."""
    models = _google().models
    if body.is_stream:
        pieces = list(models.generate_content_stream(model="m", contents="x"))
    else:
        pieces = [models.generate_content(model="m", contents="x")]
    candidates = [candidate for piece in pieces for candidate in piece.candidates or ()]
    parts = [part for candidate in candidates if candidate.content for part in candidate.content.parts or ()]
    blocked = next((piece.prompt_feedback.block_reason for piece in pieces if piece.prompt_feedback), None)
    reason = blocked or next((found.finish_reason for found in reversed(candidates) if found.finish_reason), None)
    calls = tuple((part.function_call.name, part.function_call.args or {}) for part in parts if part.function_call)
    return Seen(
        calls=calls,
        own_tools=tuple("code_execution" for part in parts if part.executable_code),
        text="".join(part.text for part in parts if part.text and not part.thought),
        stop=reason.value if reason else None,
        normal=_gemini_normal(reason.value if reason else None, calls, parts),
        usage=_gemini_usage([piece.usage_metadata for piece in pieces if piece.usage_metadata]),
    )


def _gemini_normal(raw: str | None, calls: object, parts: list[Any]) -> str | None:
    """A call that Google did not let through is a failure where it leaves nothing behind."""
    return "error" if raw == "UNEXPECTED_TOOL_CALL" and not parts else normal("gemini", raw, calls)


def _gemini_usage(counted: list[Any]) -> tuple[int | None, ...] | None:
    """The counts of a stream are totals so far: the last one that is given."""

    def last(name: str) -> int | None:
        return next((value for usage in reversed(counted) if (value := getattr(usage, name)) is not None), None)

    sent, tools, thought = last("prompt_token_count"), last("tool_use_prompt_token_count"), last("thoughts_token_count")
    written, whole = last("candidates_token_count"), last("total_token_count")
    if sent is None:
        return None
    sent += tools or 0
    if written is None and whole in {sent, sent + (thought or 0)}:
        written = 0
    if written is not None and thought and whole == sent + written + thought:
        written += thought
    return (sent, written, last("cached_content_token_count"), None, thought)


def read_bedrock_converse(body: Body) -> Seen:
    """Converse; boto3 parses the event stream and leaves it to its user to join it."""
    asked: dict[str, Any] = {"modelId": "m", "messages": [{"role": "user", "content": [{"text": "x"}]}]}
    if body.is_stream:
        answer = _joined(list(_bedrock().converse_stream(**asked)["stream"]))
    else:
        answer = _bedrock().converse(**asked)
    blocks = answer["output"]["message"]["content"]
    uses = [block["toolUse"] for block in blocks if "toolUse" in block]
    usage = answer["usage"]
    cached = (usage.get("cacheReadInputTokens"), usage.get("cacheWriteInputTokens"))
    return Seen(
        calls=tuple((use["name"], _parsed(use["input"])) for use in uses if use.get("type") != "server_tool_use"),
        own_tools=tuple(use["name"] for use in uses if use.get("type") == "server_tool_use"),
        text="".join(_words(blocks)),
        stop=answer["stopReason"],
        normal=normal("bedrock_converse", answer["stopReason"], ()),
        usage=(usage["inputTokens"] + sum(filter(None, cached)), usage["outputTokens"], *cached, None),
    )


def _words(blocks: list[Any]) -> list[str]:
    """The texts in order; a cited passage is a block of its own."""
    passages = [block.get("citationsContent", {}).get("content", [block]) for block in blocks]
    return [piece.get("text", "") for pieces in passages for piece in pieces]


def _joined(events: list[Any]) -> dict[str, Any]:
    blocks: dict[int, dict[str, Any]] = {}
    answer: dict[str, Any] = {}
    for event in events:
        (name, value), *_ = event.items()
        if name == "contentBlockStart":
            blocks[value["contentBlockIndex"]] = {"toolUse": value["start"]["toolUse"] | {"input": ""}}
        elif name == "contentBlockDelta":
            block, delta = blocks.setdefault(value["contentBlockIndex"], {}), value["delta"]
            if "toolUse" in delta:
                block["toolUse"]["input"] += delta["toolUse"]["input"]
            elif "text" in delta:
                block["text"] = block.get("text", "") + delta["text"]
        elif name in {"messageStop", "metadata"}:
            answer |= value
    return answer | {"output": {"message": {"content": [blocks[index] for index in sorted(blocks)]}}}


READERS: dict[str, tuple[str, Callable[[Body], Seen]]] = {
    "anthropic": ("anthropic", read_anthropic),
    "openai_chat": ("openai", read_openai_chat),
    "openai_responses": ("openai", read_openai_responses),
    "openai_completions": ("openai", read_openai_completions),
    "gemini": ("google-genai", read_gemini),
    "bedrock_converse": ("boto3", read_bedrock_converse),
}
"""The SDK of each provider's answers, and how it is asked."""
