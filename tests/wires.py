"""The story as the APIs of providers put it on the wire: two recordings of it have nothing in common but what is said.

Whatever a provider makes anew for every answer comes from ``Fresh``.
"""

import json
from collections.abc import Callable
from typing import Any

from tests.providers.frames import converse_stream, invoke_stream
from tests.story import Fresh, Story, Tree, Wired, schema, sse, turns
from tests.wires_openai import chat, responses


def anthropic(story: Story, fresh: Fresh, *, stream: bool = False, bedrock: bool = False) -> list[Wired]:
    messages: list[Tree] = [{"role": "user", "content": story.user}]
    found = []
    for said, calls in turns(story, fresh, "toolu_01"):
        blocks: list[Tree] = []
        if said.thought:
            blocks.append({"type": "thinking", "thinking": fresh.thought(said), "signature": fresh.signature()})
        if said.text:
            blocks.append(fresh.padded({"type": "text", "text": said.text}, "citations"))
        blocks += [fresh.padded({"type": "tool_use", "id": name, "name": call.tool, "input": call.arguments}, "caller") for name, call in calls]  # fmt: skip
        sent: Tree = {
            "max_tokens": 1024,
            "system": [{"type": "text", "text": story.system, "cache_control": {"type": "ephemeral"}}],
            "messages": list(messages),
            "temperature": story.temperature,
            "tools": [{"name": name, "description": text, "input_schema": schema()} for name, text in story.tools],
            "metadata": {"user_id": fresh.id("user_")},
        }
        sent |= {"anthropic_version": "bedrock-2023-05-31"} if bedrock else {"model": story.model, "stream": stream}
        answer = fresh.padded(
            {
                "id": fresh.id("msg_bdrk_01" if bedrock else "msg_01"),
                "type": "message",
                "role": "assistant",
                "model": f"{story.model}-20260401",
                "content": blocks,
                "stop_reason": said.stop or ("tool_use" if calls else "end_turn"),
                "stop_sequence": None,
                "usage": {"input_tokens": said.tokens[0], "output_tokens": said.tokens[1], "service_tier": "standard"},
            },
            "container",
            "context_management",
        )
        body = json.dumps(answer).encode()
        if stream:
            events = _anthropic_events(answer, fresh)
            body = invoke_stream(events) if bedrock else sse(events, named=True)
        host = f"https://bedrock-runtime.us-east-1.amazonaws.com/model/anthropic.claude-{story.model}/invoke" if bedrock else "https://api.anthropic.com/v1/messages"  # fmt: skip
        uri = f"{host}-with-response-stream" if bedrock and stream else host
        kind = (
            "application/json"
            if not stream
            else "application/vnd.amazon.eventstream"
            if bedrock
            else "text/event-stream"
        )
        found.append(Wired(uri, sent, body, kind))
        messages.append({"role": "assistant", "content": blocks})
        results = [
            {"type": "tool_result", "tool_use_id": name, "content": json.dumps(call.result)}
            | ({"is_error": True} if call.failed else {})
            for name, call in calls
        ]
        messages += [{"role": "user", "content": results}] if results else []
    return found


def _anthropic_events(answer: Tree, fresh: Fresh) -> list[Tree]:
    start = {**answer, "content": [], "stop_reason": None, "usage": {**answer["usage"], "output_tokens": 1}}
    events: list[Tree] = [{"type": "message_start", "message": start}]
    for index, block in enumerate(answer["content"]):
        key = {"text": "text", "thinking": "thinking", "tool_use": "input"}[block["type"]]
        empty: Any = {} if key == "input" else ""
        shown = {name: value for name, value in block.items() if name != "signature"} | {key: empty}
        events.append({"type": "content_block_start", "index": index, "content_block": shown})
        if fresh.chance.random() < 0.3:
            events.append({"type": "ping"})
        text = json.dumps(block[key]) if key == "input" else block[key]
        kind = {"text": "text_delta", "thinking": "thinking_delta", "input": "input_json_delta"}[key]
        name = "partial_json" if key == "input" else key
        deltas = [{"type": kind, name: piece} for piece in fresh.pieces(text)]
        if "signature" in block:
            deltas.append({"type": "signature_delta", "signature": block["signature"]})
        events += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        events.append({"type": "content_block_stop", "index": index})
    usage = {"output_tokens": answer["usage"]["output_tokens"]}
    return [*events, {"type": "message_delta", "delta": {"stop_reason": answer["stop_reason"], "stop_sequence": None}, "usage": usage}, {"type": "message_stop"}]  # fmt: skip


def gemini(story: Story, fresh: Fresh, *, stream: bool = False) -> list[Wired]:
    contents: list[Tree] = [{"role": "user", "parts": [{"text": story.user}]}]
    found = []
    for said, calls in turns(story, fresh, "", 8):
        parts: list[Tree] = [{"text": fresh.thought(said), "thought": True}] if said.thought else []
        parts += [{"text": said.text}] if said.text else []
        parts += [
            {"functionCall": {"name": call.tool, "args": call.arguments}, "thoughtSignature": fresh.signature()}
            for _, call in calls
        ]
        sent = {
            "systemInstruction": {"parts": [{"text": story.system}]},
            "contents": list(contents),
            "generationConfig": {"temperature": story.temperature},
            "tools": [
                {
                    "functionDeclarations": [
                        {"name": name, "description": text, "parameters": schema()} for name, text in story.tools
                    ]
                }
            ],
        }
        usage = {
            "promptTokenCount": said.tokens[0],
            "candidatesTokenCount": said.tokens[1],
            "totalTokenCount": sum(said.tokens),
        }
        head = {"modelVersion": f"{story.model}-001", "responseId": fresh.id("", 22), "usageMetadata": usage}
        finish = {"max_tokens": "MAX_TOKENS", "refusal": "SAFETY"}.get(said.stop, "STOP")
        if stream:
            cut = [piece for part in parts for piece in _gemini_pieces(part, fresh)]
            events = [
                {"candidates": [{"content": {"parts": [part], "role": "model"}, "index": 0}], **head} for part in cut
            ]
            events[-1]["candidates"][0]["finishReason"] = finish
            body, verb, kind = sse(events), "streamGenerateContent?alt=sse", "text/event-stream"
        else:
            candidate = fresh.padded({"content": {"parts": parts, "role": "model"}, "finishReason": finish, "avgLogprobs": -fresh.chance.random()}, "citationMetadata")  # fmt: skip
            body, verb, kind = (
                json.dumps({"candidates": [candidate], **head}).encode(),
                "generateContent",
                "application/json",
            )
        found.append(
            Wired(f"https://generativelanguage.googleapis.com/v1beta/models/{story.model}:{verb}", sent, body, kind)
        )
        contents.append({"role": "model", "parts": parts})
        answers = [{"functionResponse": {"name": call.tool, "response": call.result}} for _, call in calls]
        contents += [{"role": "user", "parts": answers}] if answers else []
    return found


def _gemini_pieces(part: Tree, fresh: Fresh) -> list[Tree]:
    return [{**part, "text": piece} for piece in fresh.pieces(part["text"])] if "text" in part else [part]


def converse(story: Story, fresh: Fresh, *, stream: bool = False) -> list[Wired]:
    messages: list[Tree] = [{"role": "user", "content": [{"text": story.user}]}]
    found = []
    for said, calls in turns(story, fresh, "tooluse_", 22):
        content: list[Tree] = []
        if said.thought:
            content.append(
                {"reasoningContent": {"reasoningText": {"text": fresh.thought(said), "signature": fresh.signature()}}}
            )
        content += [{"text": said.text}] if said.text else []
        content += [
            {"toolUse": {"toolUseId": name, "name": call.tool, "input": call.arguments}} for name, call in calls
        ]
        sent = {
            "system": [{"text": story.system}],
            "messages": list(messages),
            "inferenceConfig": {"temperature": story.temperature},
            "toolConfig": {
                "tools": [
                    {"toolSpec": {"name": name, "description": text, "inputSchema": {"json": schema()}}}
                    for name, text in story.tools
                ]
            },
        }
        stop = said.stop or ("tool_use" if calls else "end_turn")
        usage = {"inputTokens": said.tokens[0], "outputTokens": said.tokens[1], "totalTokens": sum(said.tokens)}
        metrics = {"latencyMs": fresh.chance.randrange(300, 9000)}
        if stream:
            events = [
                *_converse_events(content, fresh),
                {"messageStop": {"stopReason": stop}},
                {"metadata": {"usage": usage, "metrics": metrics}},
            ]
            body, verb, kind = converse_stream(events), "converse-stream", "application/vnd.amazon.eventstream"
        else:
            answer = {
                "output": {"message": {"role": "assistant", "content": content}},
                "stopReason": stop,
                "usage": usage,
                "metrics": metrics,
            }
            body, verb, kind = json.dumps(answer).encode(), "converse", "application/json"
        found.append(
            Wired(
                f"https://bedrock-runtime.us-east-1.amazonaws.com/model/us.amazon.{story.model}-v1%3A0/{verb}",
                sent,
                body,
                kind,
            )
        )
        messages.append({"role": "assistant", "content": content})
        results = [
            {
                "toolResult": {
                    "toolUseId": name,
                    "content": [{"json": call.result}],
                    "status": "error" if call.failed else "success",
                }
            }
            for name, call in calls
        ]
        messages += [{"role": "user", "content": results}] if results else []
    return found


def _converse_events(content: list[Tree], fresh: Fresh) -> list[Tree]:
    events: list[Tree] = [{"messageStart": {"role": "assistant"}}]
    for index, block in enumerate(content):
        if "toolUse" in block:
            use = block["toolUse"]
            events.append(
                {
                    "contentBlockStart": {
                        "contentBlockIndex": index,
                        "start": {"toolUse": {"toolUseId": use["toolUseId"], "name": use["name"]}},
                    }
                }
            )
            deltas: list[Tree] = [{"toolUse": {"input": piece}} for piece in fresh.pieces(json.dumps(use["input"]))]
        elif "text" in block:
            deltas = [{"text": piece} for piece in fresh.pieces(block["text"])]
        else:
            thought = block["reasoningContent"]["reasoningText"]
            deltas = [{"reasoningContent": {"text": piece}} for piece in fresh.pieces(thought["text"])]
            deltas.append({"reasoningContent": {"signature": thought["signature"]}})
        events += [{"contentBlockDelta": {"contentBlockIndex": index, "delta": delta}} for delta in deltas]
        events.append({"contentBlockStop": {"contentBlockIndex": index}})
    return events


DIALECTS: dict[str, Callable[[Story, Fresh], list[Wired]]] = {
    "anthropic": anthropic,
    "anthropic stream": lambda story, fresh: anthropic(story, fresh, stream=True),
    "anthropic on bedrock": lambda story, fresh: anthropic(story, fresh, bedrock=True),
    "anthropic stream on bedrock": lambda story, fresh: anthropic(story, fresh, stream=True, bedrock=True),
    "chat": chat,
    "chat stream": lambda story, fresh: chat(story, fresh, stream=True),
    "responses": responses,
    "responses stream": lambda story, fresh: responses(story, fresh, stream=True),
    "gemini": gemini,
    "gemini stream": lambda story, fresh: gemini(story, fresh, stream=True),
    "converse": converse,
    "converse stream": lambda story, fresh: converse(story, fresh, stream=True),
}
"""Every dialect in which the story is told, whole and as a stream."""
