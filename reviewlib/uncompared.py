"""What is recorded and not compared, with the reason: the fields of every provider's answers, and what each format writes around them.

Adapters read what is compared and nothing else, so no entry here hides anything: it says what is known to be left out, and under
which name a difference in it is counted. ``docs/formats.md`` shows these tables; tests put other values into every field.
"""

from collections.abc import Mapping
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["ids", "times", "signatures", "measurements", "scores", "citations", "transport", "billing"]

REASONS: Mapping[Kind, str] = {
    "ids": "made anew for every answer, call and item; they only link a call to its result",
    "times": "when it was recorded, and how long an id or a container lives",
    "signatures": "signed or encrypted by the provider, and unreadable to everybody else",
    "measurements": "how long the provider took",
    "scores": "numbers beside the words: probabilities and safety ratings, other ones for the same words",
    "citations": "where in the text something was cited; the search that found it is compared",
    "transport": "how the answer travelled: pieces, padding of pieces, their numbers",
    "billing": "what tier answered and how it was cached or billed; tokens are compared as usage",
}
"""Why nothing of a kind is compared."""

Fields: TypeAlias = Mapping[Kind, tuple[str, ...]]

_OPENAI: Fields = {
    "ids": ("id",),
    "times": ("created",),
    "signatures": ("system_fingerprint",),
    "scores": ("logprobs",),
    "transport": ("obfuscation",),
    "billing": ("service_tier",),
}

PROVIDERS: Mapping[str, Fields] = {
    "anthropic": {
        "ids": ("id", "tool_use_id"),
        "times": ("expires_at", "page_age"),
        "signatures": ("signature", "encrypted_content", "encrypted_index", "encrypted_stdout"),
        "citations": ("citations",),
        "billing": ("service_tier", "inference_geo", "cache_control"),
    },
    "openai_chat": {
        **_OPENAI,
        "scores": ("logprobs", "content_filter_results", "prompt_filter_results"),
        "citations": ("annotations", "citations"),
        "measurements": ("queue_time", "prompt_time", "completion_time", "total_time"),
        "billing": ("service_tier", "provider"),
    },
    "openai_completions": _OPENAI,
    "openai_responses": {
        "ids": ("id", "call_id", "item_id"),
        "times": ("created_at", "completed_at"),
        "signatures": ("encrypted_content",),
        "scores": ("logprobs",),
        "citations": ("annotations",),
        "transport": ("sequence_number", "obfuscation"),
        "billing": ("service_tier", "billing", "prompt_cache_key", "prompt_cache_retention", "safety_identifier"),
    },
    "gemini": {
        "ids": ("responseId",),
        "times": ("createTime",),
        "signatures": ("thoughtSignature",),
        "scores": ("avgLogprobs", "logprobsResult", "safetyRatings"),
        "citations": ("citationMetadata", "groundingSupports", "searchEntryPoint"),
        "billing": ("trafficType", "serviceTier"),
    },
    "bedrock_converse": {
        "ids": ("toolUseId",),
        "signatures": ("signature", "redactedContent"),
        "measurements": ("latencyMs",),
        "citations": ("citations",),
        "transport": ("p",),
    },
    "bedrock_text": {"measurements": ("amazon-bedrock-invocationMetrics",), "scores": ("logprobs",)},
    "cohere": {
        "ids": ("id", "generation_id", "response_id"),
        "scores": ("logprobs",),
        "citations": ("citations",),
        "billing": ("billed_units",),
    },
    "ollama": {
        "times": ("created_at",),
        "measurements": ("total_duration", "load_duration", "prompt_eval_duration", "eval_duration"),
        "transport": ("context",),
    },
    "huggingface": {"scores": ("tokens", "prefill")},
    "xai": {"ids": ("id",), "times": ("created",), "signatures": ("systemFingerprint",), "citations": ("citations",)},
    "pydantic_ai": {
        "ids": ("run_id", "conversation_id", "provider_response_id"),
        "times": ("timestamp",),
        "signatures": ("signature",),
    },
}
"""By provider: the fields of its answers that are not compared."""

_HTTP = ("headers",)

FORMATS: Mapping[str, tuple[str, ...]] = {
    "agent-cassette": ("timestamp", "duration_ms"),
    "agentape": ("id", "timestamp", "recorded_at", "latency_ms"),
    "agentcassette": ("recorded_at", "duration_ms", "input_tokens", "output_tokens"),
    "agentreplay": ("event_id", "timestamp", "created_at"),
    "agenttape": ("run_id", "created_at", "latency_ms", "match_key", "freeze", *_HTTP),
    "braintrust": ("id", "recordedAt", "createdAt", "matchKey", *_HTTP),
    "cassetteai": ("call_index", "prompt_tokens", "completion_tokens"),
    "cassetter": ("recorded_at", *_HTTP),
    "cendor": ("seq",),
    "claude-agent": ("session_id", "uuid", "cwd", "duration_ms", "duration_api_ms", "total_cost_usd", "apiKeySource"),
    "copilot": (),
    "ddapm": _HTTP,
    "fp-list": (),
    "go-vcr": ("id", "duration", "proto", "content_length", "uncompressed", *_HTTP),
    "har": ("_id", "_order", "startedDateTime", "time", "timings", "cookies", "cache", *_HTTP),
    "hash-files": (),
    "httprr": _HTTP,
    "keyed-jsonl": ("recorded_at",),
    "langchain-replay": ("created_at",),
    "llama-stack": ("test_id", "id_normalization_mapping", "provider_metadata", *_HTTP),
    "llm-cassette": (),
    "llm-recorder": ("timestamp", "createdAt", *_HTTP),
    "llmvcr": ("recorded_at",),
    "lone-answer": _HTTP,
    "mcp-cassette": ("recorded_at", "session_id", "redaction"),
    "mlx": (),
    "name-hash-map": (),
    "nock": ("rawHeaders", "reqheaders", "responseIsBinary"),
    "pytest-llm-vcr": ("recorded_at", "request_headers", "response_headers"),
    "realtime": ("event_id",),
    "reel": ("id", "ts", "t_offset_ms", *_HTTP),
    "replex": ("created_at", "duration_ms", "index", "meta", *_HTTP),
    "ruby-vcr": ("recorded_at", *_HTTP),
    "traceops": ("trace_id", "event_id", "timestamp", "recorded_at", "duration_ms", "summary"),
    "vcrpy": ("recorded_at", *_HTTP),
    "wiremock": ("id", "uuid", *_HTTP),
    "xai-grpc": ("raw", "chunks_raw"),
    "generic": (),
}
"""By format: what the recorder writes around requests and answers that is not compared. Nothing is left out where there is nothing."""

SENT: tuple[str, ...] = (
    "stream", "stream_options", "metadata", "user", "safety_identifier", "prompt_cache_key", "cache_control",
)  # fmt: skip
"""Of every request: how the answer shall travel, and whom to bill."""


def kinds_of(provider: str) -> dict[str, Kind]:
    """Return the kind of each field of a provider's answers that is not compared; nothing for an unknown provider."""
    return {name: kind for kind, names in PROVIDERS.get(provider, {}).items() for name in names}
