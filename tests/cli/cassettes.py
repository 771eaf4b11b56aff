"""A recording of one refund, as vcrpy writes it."""

import json

REFUND = "tests/cassettes/test_refund/test_refund.yaml"
ORDER = "tests/cassettes/test_refund/test_order.yaml"


def answer(*content, stop="tool_use", sent=100, answered=20):
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-4-20250514",
        "content": list(content),
        "stop_reason": stop,
        "usage": {"input_tokens": sent, "output_tokens": answered},
    }


def interaction(messages, response, system, status=200):
    body = {"model": "claude-sonnet-4-0", "max_tokens": 512, "system": system, "messages": messages}
    return {
        "request": {
            "method": "POST",
            "uri": "https://api.anthropic.com/v1/messages",
            "headers": {"content-type": ["application/json"]},
            "body": json.dumps(body),
        },
        "response": {
            "status": {"code": status, "message": ""},
            "headers": {"content-type": ["application/json"]},
            "body": {"string": json.dumps(response)},
        },
    }


def cassette(amount=39, system="You are a support agent.", words="Done, refunded.", request_id="req_1"):
    """A recording of one refund, as vcrpy writes it (JSON is YAML)."""
    asked = {"role": "user", "content": "Refund order 1234."}
    call = {"type": "tool_use", "id": "toolu_1", "name": "issue_refund", "input": {"order": "1234", "amount": amount}}
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": json.dumps({"ok": True, "refunded": amount})}
    history = [asked, {"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
    first = interaction([asked], answer(call), system)
    last = interaction(history, answer({"type": "text", "text": words}, stop="end_turn"), system)
    first["response"]["headers"]["request-id"] = [request_id]
    return json.dumps({"interactions": [first, last], "version": 1}, indent=1)
