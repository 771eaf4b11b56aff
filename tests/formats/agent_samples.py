"""One run as every recorder of agents writes it: the user asks for a refund, the model looks the order up, then answers."""

import hashlib
import json
from typing import Any

import yaml

from reviewlib.model.cassette import File

TREE = dict[str, Any]

PROMPT, DONE = "Refund order 4471", "Refunded."
ARGUMENTS = {"order_id": "4471"}
ORDER = {"total": 39.0}
SYSTEM = "Check the policy first."


def made(path: str, content: str | TREE | list[Any], *, as_yaml: bool = False) -> File:
    """A file of a text, or of a tree as JSON or YAML."""
    text = content if isinstance(content, str) else yaml.safe_dump(content) if as_yaml else json.dumps(content)
    data = text.encode()
    return File(path=path, blob=hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest(), data=data)


def lines(*items: TREE) -> str:
    return "".join(json.dumps(item) + "\n" for item in items)


# ---------------------------------------------------------------- the run in each API's words


def openai_call(number: int = 0, name: str = "get_order", arguments: TREE | None = None) -> TREE:
    function = {"name": name, "arguments": json.dumps(arguments or ARGUMENTS)}
    return {"id": f"call_{number}", "type": "function", "function": function}


OPENAI_ASK = {"role": "assistant", "content": None, "tool_calls": [openai_call()]}
OPENAI_RESULT = {"role": "tool", "tool_call_id": "call_0", "content": json.dumps(ORDER)}
OPENAI_SENT = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": PROMPT}]
OPENAI_TOOL = {"type": "function", "function": {"name": "get_order", "parameters": {"type": "object"}}}


def openai_request(*more: TREE) -> TREE:
    return {"model": "gpt-5", "messages": [*OPENAI_SENT, *more], "tools": [OPENAI_TOOL]}


def openai_answer(message: TREE, finish: str) -> TREE:
    choice = {"index": 0, "message": message, "finish_reason": finish}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    return {"id": "chatcmpl-1", "object": "chat.completion", "model": "gpt-5-2026", "choices": [choice], "usage": usage}


OPENAI_RUN = (
    (openai_request(), openai_answer(OPENAI_ASK, "tool_calls")),
    (openai_request(OPENAI_ASK, OPENAI_RESULT), openai_answer({"role": "assistant", "content": DONE}, "stop")),
)
"""Request and answer of each call."""

CLAUDE_ASK = {"type": "tool_use", "id": "toolu_1", "name": "get_order", "input": ARGUMENTS}
CLAUDE_RESULT = {"type": "tool_result", "tool_use_id": "toolu_1", "content": json.dumps(ORDER), "is_error": False}


def claude_answer(number: int, *blocks: TREE, output: int = 5, **more: Any) -> TREE:
    usage = {"input_tokens": 10, "output_tokens": output}
    shape = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": "claude-sonnet-5"}
    return {**shape, "content": list(blocks), "stop_reason": None, "usage": usage, **more}


CLAUDE_RUN = (
    (
        {"model": "claude-sonnet-5", "max_tokens": 99, "messages": [{"role": "user", "content": PROMPT}]},
        claude_answer(1, CLAUDE_ASK, stop_reason="tool_use"),
    ),
    (
        {
            "model": "claude-sonnet-5",
            "max_tokens": 99,
            "messages": [
                {"role": "user", "content": PROMPT},
                {"role": "assistant", "content": [CLAUDE_ASK]},
                {"role": "user", "content": [CLAUDE_RESULT]},
            ],
        },
        claude_answer(2, {"type": "text", "text": DONE}, stop_reason="end_turn"),
    ),
)

# ---------------------------------------------------------------- Copilot


def copilot(*conversations: list[TREE], models: list[str] | None = None) -> TREE:
    return {"models": models or ["claude-sonnet-4.5"], "conversations": [{"messages": each} for each in conversations]}


PLACEHOLDER = {"role": "system", "content": "${system}"}
COPILOT_SENT = [PLACEHOLDER, {"role": "user", "content": PROMPT}]
COPILOT = copilot([*COPILOT_SENT, OPENAI_ASK, OPENAI_RESULT, {"role": "assistant", "content": DONE}])

# ---------------------------------------------------------------- frames of the Claude Agent SDK


def frame(kind: str, message: TREE | None = None, **more: Any) -> TREE:
    return {"type": kind, **({"message": message} if message else {}), "session_id": "s1", **more}


START = frame("system", subtype="init", model="claude-sonnet-5", tools=["get_order"])
ASKED = frame("user", {"role": "user", "content": PROMPT})
RESULT = frame("user", {"role": "user", "content": [CLAUDE_RESULT]})
END = frame("result", subtype="success", is_error=False, usage={"input_tokens": 20, "output_tokens": 10})
FRAMES = [
    START,
    frame("assistant", claude_answer(1, CLAUDE_ASK)),
    RESULT,
    frame("assistant", claude_answer(2, {"type": "text", "text": DONE})),
    END,
]
HELLO = {"type": "control_request", "request_id": "r1", "request": {"subtype": "initialize"}}


def tape(*frames: TREE) -> list[TREE]:
    """Both directions: what the SDK wrote stands as text."""
    written = [{"dir": "write", "data": json.dumps(each) + "\n"} for each in (HELLO, ASKED)]
    return [*written, *({"dir": "read", "frame": each} for each in frames)]


def stdio(*frames: TREE) -> TREE:
    sent = [{"direction": "send", "message": each} for each in (HELLO, ASKED)]
    return {"metadata": {}, "messages": [*sent, *({"direction": "recv", "message": each} for each in frames)]}


# ---------------------------------------------------------------- realtime sessions and gRPC


def frames_of(*frames: tuple[str, TREE]) -> TREE:
    named = {">": "sent", "<": "received"}
    items = [{"kind": "message", "direction": named[way], "data": data} for way, data in frames]
    return {"version": 1, "interactions": items}


def gemini_turn(text: str) -> TREE:
    return {"client_content": {"turns": [{"role": "user", "parts": [{"text": text}]}], "turnComplete": True}}


GEMINI_SETUP = {"setup": {"model": "models/gemini-live", "systemInstruction": {"parts": [{"text": SYSTEM}]}}}
GEMINI_COUNT = {"promptTokenCount": 10, "responseTokenCount": 5, "totalTokenCount": 15}
GEMINI_CALL = {"id": "f1", "name": "get_order", "args": ARGUMENTS}
GEMINI = frames_of(
    (">", GEMINI_SETUP),
    ("<", {"setupComplete": {}}),
    (">", gemini_turn(PROMPT)),
    ("<", {"toolCall": {"functionCalls": [GEMINI_CALL]}}),
    (">", {"tool_response": {"functionResponses": [{"id": "f1", "name": "get_order", "response": ORDER}]}}),
    ("<", {"serverContent": {"outputTranscription": {"text": "Refun"}}}),
    ("<", {"serverContent": {"modelTurn": {"parts": [{"inlineData": {"mimeType": "audio/pcm", "data": "AAAA"}}]}}}),
    ("<", {"serverContent": {"outputTranscription": {"text": "ded."}}}),
    ("<", {"serverContent": {"turnComplete": True}, "usageMetadata": GEMINI_COUNT}),
)

REALTIME_CALL = {"type": "function_call", "call_id": "c1", "name": "get_order", "arguments": json.dumps(ARGUMENTS)}
REALTIME_SAID = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": PROMPT}]}
REALTIME_RESULT = {"type": "function_call_output", "call_id": "c1", "output": json.dumps(ORDER)}
REALTIME_SPOKEN = {
    "type": "message",
    "role": "assistant",
    "content": [{"type": "output_audio", "transcript": DONE}],
}


def realtime_response(number: int, *output: TREE) -> TREE:
    usage = {"input_tokens": 10, "output_tokens": 5, "input_token_details": {"cached_tokens": 4}}
    shape = {"object": "realtime.response", "id": f"resp_{number}", "status": "completed"}
    return {"type": "response.done", "response": {**shape, "output": list(output), "usage": usage}}


OPENAI_REALTIME = frames_of(
    ("<", {"type": "session.created", "session": {"model": "gpt-realtime", "instructions": "default"}}),
    (">", {"type": "session.update", "session": {"type": "realtime", "instructions": SYSTEM}}),
    (">", {"type": "conversation.item.create", "item": REALTIME_SAID}),
    (">", {"type": "response.create"}),
    ("<", {"type": "response.created", "response": {"id": "resp_1", "output": []}}),
    (">", {"type": "conversation.item.create", "item": REALTIME_RESULT}),
    ("<", realtime_response(1, REALTIME_CALL)),
    (">", {"type": "response.create"}),
    ("<", {"type": "response.created", "response": {"id": "resp_2", "output": []}}),
    ("<", realtime_response(2, REALTIME_SPOKEN)),
)

XAI_SENT = {"model": "grok-4", "messages": [{"role": "ROLE_USER", "content": [{"text": PROMPT}]}]}
XAI_SAID = {"outputs": [{"finish_reason": "REASON_STOP", "message": {"role": "ROLE_ASSISTANT", "content": DONE}}]}
XAI_CHUNKS = [
    {"chunk": {"outputs": [{"delta": {"role": "ROLE_ASSISTANT", "content": "Refun"}}]}},
    {"chunk": {"outputs": [{"delta": {"content": "ded."}, "finish_reason": "REASON_STOP"}]}},
]


def xai(*items: TREE) -> TREE:
    return {"version": 1, "interactions": list(items)}


XAI_PAIR = {"request_sample": {"json": XAI_SENT, "raw": b"\1"}, "response_sample": {"json": XAI_SAID, "raw": b"\1"}}
XAI_STREAM = {
    "request_stream": {"json": XAI_SENT, "raw": b"\1"},
    "response_stream": {"chunks_json": XAI_CHUNKS, "chunks_raw": [b"\1"]},
}
XAI_UPLOAD = {"collections_method": {"method": "create", "request_json": {"name": "x"}, "response_json": {"id": "1"}}}

# ---------------------------------------------------------------- the recorders at the SDK


def agenttape(*items: TREE) -> TREE:
    numbered = [{"index": index, **item} for index, item in enumerate(items)]
    return {"version": "1", "created_at": "2026-11-30T09:48:39", "run_id": "r", "meta": {}, "interactions": numbered}


TAPE_TOOL = {"kind": "tool", "request": {"name": "get_order", "args": ARGUMENTS}, "response": ORDER}


def tape_llm(sent: TREE, got: TREE) -> TREE:
    return {"kind": "llm", "request": {"endpoint": "chat.completions", **sent}, "response": got}


def tape_http(sent: TREE, got: TREE) -> TREE:
    url = "https://api.anthropic.com/v1/messages"
    headers = {"x-api-key": "sk-ant-REDACTED-0000000000", "content-type": "application/json"}
    return {
        "kind": "http",
        "request": {"method": "POST", "url": url, "headers": headers, "json": sent},
        "response": {"status_code": 200, "headers": {}, "json": got},
    }


AGENTTAPE = agenttape(tape_llm(*OPENAI_RUN[0]), TAPE_TOOL, tape_llm(*OPENAI_RUN[1]))


def llm_cassette_call(sent: TREE, got: Any) -> TREE:
    return {"type": "llm_call", "provider": "x", "request": {"body": sent, "operation": "create"}, "response": got}


LLM_CASSETTE = (
    {"type": "header", "format_version": 1},
    llm_cassette_call(*CLAUDE_RUN[0]),
    {"type": "tool_call", "name": "get_order", "args": ARGUMENTS, "result": ORDER},
    llm_cassette_call(*CLAUDE_RUN[1]),
)


def step(index: int, kind: str, name: str, kwargs: TREE, result: Any) -> TREE:
    counts = {"input_tokens": 7777, "output_tokens": 7777}
    arguments = {"args": [], "kwargs": kwargs}
    return {"index": index, "type": kind, "name": name, "arguments": arguments, "result": result, **counts}


AGENTCASSETTE = {
    "version": 1,
    "recorded_at": "2026-11-30T09:31:22Z",
    "steps": [
        step(0, "llm", "call_model", *CLAUDE_RUN[0]),
        step(1, "tool", "get_order", ARGUMENTS, ORDER),
        step(2, "llm", "call_model", *CLAUDE_RUN[1]),
    ],
}


def entry(seq: int, kind: str, request: TREE, response: Any) -> TREE:
    asked = {"kind": kind, **request}
    return {"seq": seq, "kind": kind, "request_hash": f"{seq:064x}", "request": asked, "response": response}


def asked_by_cendor(sent: TREE) -> TREE:
    return {"provider": "x", "model": sent["model"], "messages": sent["messages"], "stream": False}


CENDOR = {
    "version": 2,
    "entries": [
        entry(0, "llm", asked_by_cendor(CLAUDE_RUN[0][0]), CLAUDE_RUN[0][1]),
        entry(1, "tool", {"name": "get_order", "arguments": {"args": [], "kwargs": ARGUMENTS}}, ORDER),
        entry(2, "llm", asked_by_cendor(CLAUDE_RUN[1][0]), CLAUDE_RUN[1][1]),
    ],
}


def event(kind: str, **more: Any) -> TREE:
    return {"event_type": kind, "timestamp": 1796031166.0, "event_id": "e", **more}


def traced(sent: TREE, got: TREE, provider: str = "anthropic") -> tuple[TREE, TREE]:
    return event("llm_request", provider=provider, **sent), event("llm_response", provider=provider, response=got)


TRACE_ASKED = event("tool_call", tool_name="get_order", tool_input=ARGUMENTS, metadata={"tool_use_id": "toolu_1"})
TRACE_RAN = event("tool_call", tool_name="get_order", tool_input=ARGUMENTS)
TRACE_RESULT = event("tool_result", tool_name="get_order", tool_input=ARGUMENTS, tool_output=ORDER)


def trace(*events: TREE, version: str = "trace_ops_version") -> TREE:
    metadata = {"recorded_at": 1796031166.2, version: "0.5.0"}
    return {"version": "1", "trace_id": "t", "metadata": metadata, "events": list(events), "summary": {}}


TRACE = trace(*traced(*CLAUDE_RUN[0]), TRACE_ASKED, TRACE_RAN, TRACE_RESULT, *traced(*CLAUDE_RUN[1]))


def llmvcr(*pairs: tuple[TREE, TREE]) -> TREE:
    cut = [
        {
            "request": {
                "model": sent["model"],
                "messages": [{"role": each["role"], "content": each["content"]} for each in sent["messages"]],
            },
            "response": got,
        }
        for sent, got in pairs
    ]
    recorded = {"llmvcr_version": "0.1", "provider": "openai", "recorded_at": "2026-11-30T09:32:16Z"}
    return {**recorded, "interactions": cut}


def agentape(*items: TREE) -> TREE:
    recorded = {"version": "1.0", "recorded_at": "2026-11-30T09:32:22+00:00", "provider": "openai"}
    return {**recorded, "interactions": list(items)}


def taped(sent: TREE, got: TREE, **more: Any) -> TREE:
    request = {"method": "chat.completions.create", **sent}
    return {"id": 1, "timestamp": "2026-11-30T09:32:22+00:00", "request": request, "response": got, **more}


def mcp(*payloads: tuple[str, TREE], **more: Any) -> TREE:
    messages = [
        {"seq": n, "sender": sender, "payload": {"jsonrpc": "2.0", **each}} for n, (sender, each) in enumerate(payloads)
    ]
    return {
        "format_version": 3,
        "recorded_at": "2026-11-30T09:40:45Z",
        "transport": "stdio",
        "messages": messages,
        **more,
    }


def mcp_call(number: int, arguments: TREE | None = None) -> tuple[str, TREE]:
    params = {"name": "get_order", "arguments": ARGUMENTS if arguments is None else arguments}
    return "client", {"id": number, "method": "tools/call", "params": params}


def mcp_answer(number: int, **answer: Any) -> tuple[str, TREE]:
    return "server", {"id": number, **answer}


MCP = mcp(mcp_call(1), mcp_answer(1, result={"content": [{"type": "text", "text": json.dumps(ORDER)}]}))

ENDED, STARTED, RETURNED = "on_chat_model_end", "on_tool_start", "on_tool_end"


def told(kind: str, name: str = "", **data: Any) -> TREE:
    return {"event_type": kind, "name": name, "data": data}


def graph_turn(*events: TREE, messages: list[TREE] | None = None, said: str = PROMPT) -> TREE:
    response = {} if messages is None else {"messages": messages}
    return {"type": "turn", "phase": "agent", "user_message": said, "events": list(events), "response": response}


GRAPH_EVENTS = (
    told(ENDED, content="Looking."),
    told(STARTED, "get_order", input=ARGUMENTS),
    told(RETURNED, "get_order", output=json.dumps(ORDER)),
    told(ENDED, content=DONE),
)
GRAPH_MESSAGES = [
    {"type": "human", "content": PROMPT},
    {"type": "ai", "content": "Looking.", "tool_calls": [{"name": "get_order", "args": ARGUMENTS}]},
    {"type": "tool", "content": json.dumps(ORDER)},
    {"type": "ai", "content": DONE},
]
GRAPH_TURN = graph_turn(*GRAPH_EVENTS, messages=GRAPH_MESSAGES)


def logged(kind: str, name: str, kwargs: TREE, data: Any, **more: Any) -> TREE:
    output = {"class": "X", "module": "x", "data": data}
    call = {"schema_version": 1, "id": "i", "timestamp": "2026-11-30T09:32:22+00:00", "type": kind, "name": name}
    return {**call, "input": {"args": [], "kwargs": kwargs}, "output": output, "metadata": {}, **more}


AGENT_CASSETTE = (
    logged("model_call", "create", *OPENAI_RUN[0]),
    logged("tool_call", "get_order", ARGUMENTS, ORDER),
    logged("model_call", "create", *OPENAI_RUN[1]),
)


def token(number: int, text: str, finish: str | None = None) -> TREE:
    return {"text": text, "token": 7, "generation_tokens": number, "prompt_tokens": 10, "finish_reason": finish}


MLX = {"interactions": {"0a" * 32: [token(1, "Refun"), token(2, "ded.", "stop")]}}

AGENT_SAMPLES: dict[str, tuple[tuple[str, File], ...]] = {
    "copilot": (
        ("snapshot", made("t/a.yaml", COPILOT, as_yaml=True)),
        ("nothing recorded", made("t/b.yaml", {"models": ["m"], "conversations": []}, as_yaml=True)),
    ),
    "xai-grpc": (
        ("call", made("t/a.xai.yaml", xai(XAI_PAIR), as_yaml=True)),
        ("stream", made("t/b.xai.yaml", xai(XAI_STREAM), as_yaml=True)),
        ("with other methods", made("t/c.xai.yaml", xai(XAI_UPLOAD, XAI_PAIR), as_yaml=True)),
    ),
    "realtime": (
        ("Gemini Live", made("t/a.yaml", GEMINI, as_yaml=True)),
        ("OpenAI Realtime", made("t/b.yaml", OPENAI_REALTIME, as_yaml=True)),
    ),
    "claude-agent": (
        ("frames", made("t/a.jsonl", lines(*FRAMES))),
        ("tape", made("t/b.jsonl", lines(*tape(*FRAMES)))),
        ("stdio", made("t/c.json", stdio(*FRAMES))),
        ("frames in YAML", made("t/d.yaml", {"messages": FRAMES}, as_yaml=True)),
    ),
    "agenttape": (
        ("JSON", made("t/a.json", AGENTTAPE)),
        ("YAML under .json", made("t/b.json", AGENTTAPE, as_yaml=True)),
        ("through HTTP", made("t/c.yaml", agenttape(tape_http(*CLAUDE_RUN[0]), TAPE_TOOL), as_yaml=True)),
        ("tool runs alone", made("t/d.yaml", agenttape(TAPE_TOOL), as_yaml=True)),
    ),
    "llm-cassette": (("lines", made("t/a.jsonl", lines(*LLM_CASSETTE))),),
    "agentcassette": (("steps", made("t/a.json", AGENTCASSETTE)),),
    "cendor": (("entries", made("t/a.json", CENDOR)),),
    "traceops": (
        ("traceops", made("t/a.yaml", TRACE, as_yaml=True)),
        ("replay-agent", made("t/b.yaml", trace(*TRACE["events"], version="agent_replay_version"), as_yaml=True)),
    ),
    "llmvcr": (("interactions", made("t/a.yaml", llmvcr(*OPENAI_RUN), as_yaml=True)),),
    "agentape": (("with anchors", made("t/a.yaml", agentape(*(taped(*pair) for pair in OPENAI_RUN)), as_yaml=True)),),
    "mcp-cassette": (("messages", made("t/a.mcp.json", MCP)), ("nothing called", made("t/b.mcp.json", mcp()))),
    "langchain-replay": (
        ("turn", made("t/case/recording.jsonl", lines(GRAPH_TURN))),
        ("question", made("t/ask/recording.jsonl", lines({"type": "ask_call", "prompt": "Why?", "response": "So."}))),
    ),
    "agent-cassette": (("lines", made("t/a.jsonl", lines(*AGENT_CASSETTE))),),
    "mlx": (("tokens", made("t/a.yaml", MLX, as_yaml=True)),),
}
