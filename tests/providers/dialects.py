"""The story of ``bodies`` in the dialects beyond OpenAI's and Anthropic's, and the tables of all of them."""

import json
from typing import Any

from tests.providers.bodies import (
    ANTHROPIC_ANSWER,
    ANTHROPIC_EVENTS,
    ANTHROPIC_REQUEST,
    ARGUMENTS,
    CHAT_ANSWER,
    CHAT_EVENTS,
    CHAT_REQUEST,
    PYDANTIC_ANSWER,
    QUESTION,
    RESPONSES_ANSWER,
    RESPONSES_EVENTS,
    RESPONSES_REQUEST,
    SCHEMA,
    SYSTEM,
    Tree,
)

FUNCTION = {"name": "get_order", "description": "Look up.", "parameters": SCHEMA}

# -- Gemini ---------------------------------------------------------------------------------------------------------------

GEMINI_REQUEST: Tree = {
    "systemInstruction": {"role": "user", "parts": [{"text": SYSTEM}]},
    "contents": [{"role": "user", "parts": [{"text": QUESTION}]}],
    "tools": [{"functionDeclarations": [FUNCTION]}],
}
GEMINI_USAGE = {
    "promptTokenCount": 3210,
    "cachedContentTokenCount": 200,
    "candidatesTokenCount": 4,
    "thoughtsTokenCount": 1,
    "totalTokenCount": 3215,
}
GEMINI_CALL = {"functionCall": {"name": "get_order", "args": ARGUMENTS}, "thoughtSignature": "c2ln"}


def gemini_answer(*parts: Tree, finish: Any = "STOP", **more: Any) -> Tree:
    """A whole answer with these parts; ``finish`` None is a piece of a stream."""
    candidate = {"content": {"role": "model", "parts": list(parts)}} | ({"finishReason": finish} if finish else {})
    return {"candidates": [candidate], "modelVersion": "gemini-test-2", "responseId": "g1"} | more


GEMINI_ANSWER = gemini_answer({"text": "One moment."}, GEMINI_CALL, usageMetadata=GEMINI_USAGE)
GEMINI_EVENTS = [
    gemini_answer({"text": "One"}, finish=None, usageMetadata={"promptTokenCount": 3210, "totalTokenCount": 3210}),
    gemini_answer({"text": " mo"}, finish=None),
    gemini_answer({"text": "ment."}, finish=None),
    gemini_answer(GEMINI_CALL, finish=None),
    gemini_answer({"text": "", "thoughtSignature": "c2ln"}, usageMetadata=GEMINI_USAGE),
]

# -- Bedrock Converse -----------------------------------------------------------------------------------------------------

CONVERSE_REQUEST: Tree = {
    "system": [{"text": SYSTEM}],
    "messages": [{"role": "user", "content": [{"text": QUESTION}]}],
    "inferenceConfig": {"maxTokens": 100},
    "toolConfig": {
        "tools": [{"toolSpec": {"name": "get_order", "description": "Look up.", "inputSchema": {"json": SCHEMA}}}]
    },
}
CONVERSE_USAGE = {
    "inputTokens": 10,
    "outputTokens": 5,
    "totalTokens": 3215,
    "cacheReadInputTokens": 200,
    "cacheWriteInputTokens": 3000,
}
CONVERSE_ANSWER: Tree = {
    "output": {
        "message": {
            "role": "assistant",
            "content": [
                {"text": "One moment."},
                {"toolUse": {"toolUseId": "tooluse_1", "name": "get_order", "input": ARGUMENTS}},
            ],
        }
    },
    "stopReason": "tool_use",
    "usage": CONVERSE_USAGE,
    "metrics": {"latencyMs": 700},
}


def converse_delta(index: int, **delta: Any) -> Tree:
    """A delta of one block."""
    return {"contentBlockDelta": {"contentBlockIndex": index, "delta": delta}}


CONVERSE_EVENTS: list[Tree] = [
    {"messageStart": {"role": "assistant"}},
    converse_delta(0, text="One mo"),
    converse_delta(0, text="ment."),
    {"contentBlockStop": {"contentBlockIndex": 0}},
    {
        "contentBlockStart": {
            "contentBlockIndex": 1,
            "start": {"toolUse": {"toolUseId": "tooluse_1", "name": "get_order"}},
        }
    },
    converse_delta(1, toolUse={"input": '{"order_id": '}),
    converse_delta(1, toolUse={"input": '"7"}'}),
    {"contentBlockStop": {"contentBlockIndex": 1}},
    {"messageStop": {"stopReason": "tool_use"}},
    {"metadata": {"usage": CONVERSE_USAGE, "metrics": {"latencyMs": 700}}},
]

# -- Cohere ---------------------------------------------------------------------------------------------------------------

COHERE_REQUEST: Tree = {
    "model": "command-test",
    "messages": [{"role": "system", "content": SYSTEM}, {"role": "user", "content": QUESTION}],
    "tools": [{"type": "function", "function": FUNCTION}],
}
COHERE_USAGE = {
    "billed_units": {"input_tokens": 9, "output_tokens": 4},
    "tokens": {"input_tokens": 3210, "output_tokens": 5},
    "cached_tokens": 200,
}
COHERE_CALL = {
    "id": "get_order_1",
    "type": "function",
    "function": {"name": "get_order", "arguments": '{"order_id": "7"}'},
}
COHERE_ANSWER: Tree = {
    "id": "c1",
    "message": {"role": "assistant", "tool_plan": "One moment.", "tool_calls": [COHERE_CALL]},
    "finish_reason": "TOOL_CALL",
    "usage": COHERE_USAGE,
}


def cohere_event(kind: str, index: int | None = None, **message: Any) -> Tree:
    """An event whose delta is a piece of the message."""
    return {"type": kind, "delta": {"message": message}} | ({} if index is None else {"index": index})


COHERE_EVENTS: list[Tree] = [
    {"id": "c1", "type": "message-start", "delta": {"message": {"role": "assistant", "content": [], "tool_plan": ""}}},
    cohere_event("tool-plan-delta", tool_plan="One mo"),
    cohere_event("tool-plan-delta", tool_plan="ment."),
    cohere_event(
        "tool-call-start",
        0,
        tool_calls={"id": "get_order_1", "type": "function", "function": {"name": "get_order", "arguments": ""}},
    ),
    cohere_event("tool-call-delta", 0, tool_calls={"function": {"arguments": '{"order_id": '}}),
    cohere_event("tool-call-delta", 0, tool_calls={"function": {"arguments": '"7"}'}}),
    {"type": "tool-call-end", "index": 0},
    {"type": "message-end", "delta": {"finish_reason": "TOOL_CALL", "usage": COHERE_USAGE}},
]

# -- Ollama ---------------------------------------------------------------------------------------------------------------

OLLAMA_REQUEST: Tree = {
    "model": "llama-test",
    "messages": [{"role": "system", "content": SYSTEM}, {"role": "user", "content": QUESTION}],
    "tools": [{"type": "function", "function": FUNCTION}],
    "options": {"temperature": 0},
    "stream": False,
}
OLLAMA_CALL = {"function": {"name": "get_order", "arguments": ARGUMENTS}}
OLLAMA_END = {"done": True, "done_reason": "stop", "prompt_eval_count": 3210, "eval_count": 5, "total_duration": 9}


def ollama_line(done: bool = False, **message: Any) -> Tree:
    """A line of a stream."""
    return {"model": "llama-test", "message": {"role": "assistant"} | message, "done": done}


OLLAMA_ANSWER = ollama_line(content="One moment.", tool_calls=[OLLAMA_CALL]) | OLLAMA_END
OLLAMA_EVENTS = [
    ollama_line(content="One"),
    ollama_line(content=" mo"),
    ollama_line(content="ment."),
    ollama_line(content="", tool_calls=[OLLAMA_CALL]),
    ollama_line(content="") | OLLAMA_END,
]

# -- xAI ------------------------------------------------------------------------------------------------------------------

XAI_REQUEST: Tree = {
    "model": "grok-test",
    "messages": [
        {"role": "ROLE_SYSTEM", "content": [{"text": SYSTEM}]},
        {"role": "ROLE_USER", "content": [{"text": QUESTION}]},
    ],
    "tools": [{"function": FUNCTION | {"parameters": json.dumps(SCHEMA)}}],
}
XAI_USAGE = {
    "prompt_tokens": 3210,
    "completion_tokens": 4,
    "reasoning_tokens": 1,
    "total_tokens": 3215,
    "cached_prompt_text_tokens": 200,
}
XAI_CALL = {
    "id": "call_1",
    "type": "TOOL_CALL_TYPE_CLIENT_SIDE_TOOL",
    "function": {"name": "get_order", "arguments": '{"order_id":"7"}'},
}
XAI_ANSWER: Tree = {
    "id": "x1",
    "model": "grok-test-2",
    "outputs": [
        {
            "finish_reason": "REASON_TOOL_CALLS",
            "message": {"role": "ROLE_ASSISTANT", "content": "One moment.", "tool_calls": [XAI_CALL]},
        }
    ],
    "usage": XAI_USAGE,
}


def xai_chunk(finish: str | None = None, usage: Tree | None = None, index: int = 0, **delta: Any) -> Tree:
    """A chunk as recorders keep it."""
    output = {"delta": {"role": "ROLE_ASSISTANT"} | delta} | ({"finish_reason": finish} if finish else {})
    output |= {"index": index} if index else {}
    return {"chunk": {"id": "x1", "model": "grok-test-2", "outputs": [output], "usage": usage or {}}}


XAI_EVENTS = [
    xai_chunk(content="One"),
    xai_chunk(content=" mo"),
    xai_chunk(content="ment."),
    xai_chunk(tool_calls=[XAI_CALL]),
    xai_chunk("REASON_TOOL_CALLS", XAI_USAGE),
]

# -- dialects that only continue a text -----------------------------------------------------------------------------------

COMPLETION_USAGE = {"prompt_tokens": 3210, "completion_tokens": 5, "total_tokens": 3215}


def completion(text: str, finish: str | None = "stop", **more: Any) -> Tree:
    """An answer of the legacy completions, or one event of its stream."""
    choice = {"index": 0, "text": text, "finish_reason": finish, "logprobs": None}
    return {"id": "cmpl-1", "object": "text_completion", "model": "davinci-test", "choices": [choice]} | more


def llama(text: str, stop: str | None = "stop", written: int = 5) -> Tree:
    """An answer of Llama, or one event of its stream."""
    return {"generation": text, "prompt_token_count": 3210, "generation_token_count": written, "stop_reason": stop}


def token(text: str, whole: str | None = None) -> Tree:
    """A token of text-generation-inference; the last one brings the whole text."""
    details = {"finish_reason": "eos_token", "generated_tokens": 5, "input_length": 3210} if whole else None
    return {"token": {"id": 1, "text": text, "special": False}, "generated_text": whole, "details": details}


TEXT_REQUESTS: dict[str, Tree] = {
    "openai_completions": {"model": "davinci-test", "prompt": QUESTION, "max_tokens": 9},
    "bedrock_text": {"prompt": QUESTION, "max_gen_len": 9},
    "huggingface": {"inputs": QUESTION, "parameters": {"max_new_tokens": 9}},
}
TEXT_ANSWERS: dict[str, Tree] = {
    "openai_completions": completion("One moment.", usage=COMPLETION_USAGE),
    "bedrock_text": llama("One moment."),
    "huggingface": {"generated_text": "One moment."}
    | {"details": {"finish_reason": "eos_token", "generated_tokens": 5, "prefill": [{}] * 3210}},
}
TEXT_EVENTS: dict[str, list[Tree]] = {
    "openai_completions": [
        completion("One", None),
        completion(" mo", None),
        completion("ment", None),
        completion("."),
        {"id": "cmpl-1", "object": "text_completion", "choices": [], "usage": COMPLETION_USAGE},
    ],
    "bedrock_text": [llama("One", None, 1), llama(" mo", None, 1), llama("ment", None, 1), llama("."), llama("")],
    "huggingface": [token("One"), token(" mo"), token("ment"), token(".", "One moment.")],
}

# -- all of them ----------------------------------------------------------------------------------------------------------

REQUESTS = {
    "anthropic": ANTHROPIC_REQUEST,
    "openai_chat": CHAT_REQUEST,
    "openai_responses": RESPONSES_REQUEST,
    "gemini": GEMINI_REQUEST,
    "bedrock_converse": CONVERSE_REQUEST,
    "cohere": COHERE_REQUEST,
    "ollama": OLLAMA_REQUEST,
    "xai": XAI_REQUEST,
}
ANSWERS = {
    "anthropic": ANTHROPIC_ANSWER,
    "openai_chat": CHAT_ANSWER,
    "openai_responses": RESPONSES_ANSWER,
    "pydantic_ai": PYDANTIC_ANSWER,
    "gemini": GEMINI_ANSWER,
    "bedrock_converse": CONVERSE_ANSWER,
    "cohere": COHERE_ANSWER,
    "ollama": OLLAMA_ANSWER,
    "xai": XAI_ANSWER,
}
EVENTS = {
    "anthropic": ANTHROPIC_EVENTS,
    "openai_chat": CHAT_EVENTS,
    "openai_responses": RESPONSES_EVENTS,
    "gemini": GEMINI_EVENTS,
    "bedrock_converse": CONVERSE_EVENTS,
    "cohere": COHERE_EVENTS,
    "ollama": OLLAMA_EVENTS,
    "xai": XAI_EVENTS,
}
URLS = {
    "anthropic": "https://api.anthropic.com/v1/messages",
    "openai_chat": "https://api.openai.com/v1/chat/completions",
    "openai_responses": "https://api.openai.com/v1/responses",
    "gemini": "https://generativelanguage.googleapis.com/v1beta/models/gemini-test:generateContent",
    "bedrock_converse": "https://bedrock-runtime.us-east-1.amazonaws.com/model/us.vendor.test-v1%3A0/converse",
    "cohere": "https://api.cohere.com/v2/chat",
    "ollama": "http://localhost:11434/api/chat",
    "xai": "https://api.x.ai/xai_api.Chat/GetCompletion",
    "openai_completions": "https://api.openai.com/v1/completions",
    "bedrock_text": "https://bedrock-runtime.us-east-1.amazonaws.com/model/meta.llama3-test-v1%3A0/invoke",
    "huggingface": "https://api-inference.huggingface.co/models/owner/test/generate",
}
FRAGMENTED = ("anthropic", "openai_chat", "openai_responses", "bedrock_converse", "cohere")
"""Dialects that stream a call's arguments in pieces; the others send calls whole."""
