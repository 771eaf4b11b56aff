"""The story as Chat Completions and as the Responses API put it on the wire, whole and streamed."""

import json

from tests.story import Fresh, Story, Tree, Wired, schema, sse, turns

_FINISH = {"max_tokens": "length", "refusal": "content_filter"}


def chat(story: Story, fresh: Fresh, *, stream: bool = False) -> list[Wired]:
    messages: list[Tree] = [{"role": "system", "content": story.system}, {"role": "user", "content": story.user}]
    found = []
    for said, calls in turns(story, fresh, "call_"):
        made = [
            {"id": name, "type": "function", "function": {"name": call.tool, "arguments": json.dumps(call.arguments)}}
            for name, call in calls
        ]
        message = fresh.padded({"role": "assistant", "content": said.text or None} | ({"tool_calls": made} if made else {}), "refusal", "audio", "function_call")  # fmt: skip
        sent = {
            "model": story.model,
            "messages": list(messages),
            "temperature": story.temperature,
            "stream": stream,
            "tools": [
                {"type": "function", "function": {"name": name, "description": text, "parameters": schema()}}
                for name, text in story.tools
            ],
        } | ({"stream_options": {"include_usage": True}} if stream else {})
        finish = _FINISH.get(said.stop) or ("tool_calls" if made else "stop")
        usage = {"prompt_tokens": said.tokens[0], "completion_tokens": said.tokens[1], "total_tokens": sum(said.tokens)}
        head = {
            "id": fresh.id("chatcmpl-"),
            "created": fresh.now(),
            "model": f"{story.model}-2026-04-14",
            "system_fingerprint": fresh.id("fp_", 10),
            "service_tier": "default",
        }
        if stream:
            events = _chat_events(message, finish, usage, {**head, "object": "chat.completion.chunk"}, fresh)
            body, kind = sse(events, done=True), "text/event-stream; charset=utf-8"
        else:
            choice = fresh.padded({"index": 0, "message": message, "finish_reason": finish}, "logprobs")
            answer = fresh.padded(
                {**head, "object": "chat.completion", "choices": [choice], "usage": usage}, "moderation"
            )
            body, kind = json.dumps(answer).encode(), "application/json"
        found.append(Wired("https://api.openai.com/v1/chat/completions", sent, body, kind))
        messages.append(message)
        messages += [{"role": "tool", "tool_call_id": name, "content": json.dumps(call.result)} for name, call in calls]
    return found


def _chat_events(message: Tree, finish: str, usage: Tree, head: Tree, fresh: Fresh) -> list[Tree]:
    def event(delta: Tree, finish: str | None = None) -> Tree:
        choice = fresh.padded({"index": 0, "delta": delta, "finish_reason": finish}, "logprobs")
        return {**head, "choices": [choice], "usage": None, "obfuscation": fresh.id("", 6)}

    events = [event({"role": "assistant", "content": "" if message["content"] else None})]
    events += [event({"content": piece}) for piece in (fresh.pieces(message["content"]) if message["content"] else [])]
    for index, call in enumerate(message.get("tool_calls") or []):
        events.append(
            event(
                {
                    "tool_calls": [
                        {"index": index, **call, "function": {"name": call["function"]["name"], "arguments": ""}}
                    ]
                }
            )
        )
        events += [event({"tool_calls": [{"index": index, "function": {"arguments": piece}}]}) for piece in fresh.pieces(call["function"]["arguments"])]  # fmt: skip
    return [*events, event({}, finish), {**head, "choices": [], "usage": usage}]


def responses(story: Story, fresh: Fresh, *, stream: bool = False) -> list[Wired]:
    history: list[Tree] = [{"role": "user", "content": story.user}]
    found = []
    for said, calls in turns(story, fresh, "call_"):
        items: list[Tree] = []
        if said.thought:
            items.append({"type": "reasoning", "id": fresh.id("rs_"), "summary": [{"type": "summary_text", "text": fresh.thought(said)}], "encrypted_content": fresh.signature()})  # fmt: skip
        if said.text:
            content = [{"type": "output_text", "text": said.text, "annotations": [], "logprobs": []}]
            items.append(
                {
                    "type": "message",
                    "id": fresh.id("msg_"),
                    "role": "assistant",
                    "status": "completed",
                    "content": content,
                }
            )
        items += [
            {
                "type": "function_call",
                "id": fresh.id("fc_"),
                "call_id": name,
                "name": call.tool,
                "arguments": json.dumps(call.arguments),
                "status": "completed",
            }
            for name, call in calls
        ]
        sent = {
            "model": story.model,
            "instructions": story.system,
            "input": list(history),
            "temperature": story.temperature,
            "stream": stream,
            "tools": [
                {"type": "function", "name": name, "description": text, "parameters": schema()}
                for name, text in story.tools
            ],
        }
        cut = said.stop == "max_tokens"
        answer = fresh.padded(
            {
                "id": fresh.id("resp_", 40),
                "object": "response",
                "created_at": fresh.now(),
                "status": "incomplete" if cut else "completed",
                "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
                "model": f"{story.model}-2026-04-14",
                "output": items,
                "usage": {
                    "input_tokens": said.tokens[0],
                    "output_tokens": said.tokens[1],
                    "total_tokens": sum(said.tokens),
                },
            },
            "moderation",
            "conversation",
        )
        body = sse(_response_events(answer, fresh), named=True) if stream else json.dumps(answer).encode()
        found.append(
            Wired(
                "https://api.openai.com/v1/responses", sent, body, "text/event-stream" if stream else "application/json"
            )
        )
        history += items
        history += [
            {"type": "function_call_output", "call_id": name, "output": json.dumps(call.result)} for name, call in calls
        ]
    return found


def _response_events(answer: Tree, fresh: Fresh) -> list[Tree]:
    events: list[Tree] = [
        {"type": "response.created", "response": {**answer, "status": "in_progress", "output": [], "usage": None}}
    ]
    for index, item in enumerate(answer["output"]):
        empty = (
            {**item, "status": "in_progress"}
            | ({"arguments": ""} if "arguments" in item else {})
            | ({"content": []} if "content" in item else {})
        )
        events.append({"type": "response.output_item.added", "output_index": index, "item": empty})
        kind, text = (
            ("response.function_call_arguments", item.get("arguments"))
            if "arguments" in item
            else ("response.output_text", _words(item))
        )
        events += [{"type": f"{kind}.delta", "output_index": index, "item_id": item["id"], "delta": piece, "obfuscation": fresh.id("", 8)} for piece in fresh.pieces(text or "") if text]  # fmt: skip
        events.append({"type": "response.output_item.done", "output_index": index, "item": item})
    end = "response.incomplete" if answer["status"] == "incomplete" else "response.completed"
    events.append({"type": end, "response": answer})
    return [{**event, "sequence_number": number} for number, event in enumerate(events)]


def _words(item: Tree) -> str | None:
    return item["content"][0]["text"] if item["type"] == "message" else None
