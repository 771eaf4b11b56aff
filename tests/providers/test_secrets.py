"""Secrets that no search of the file can see, in pieces or in base64, are masked where they come together."""

import pytest

from tests.providers.bodies import answered, sse
from tests.providers.frames import converse_stream, invoke_stream

SECRET = "sk-ant-" + "api03-" + "Zx9" * 15
PIECES = [SECRET[:12], SECRET[12:30], SECRET[30:]]


def chat(*deltas):
    return [{"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta}]} for delta in deltas]


def messages(kind, key):
    start = {"type": kind, "id": "t1", "name": "login", "input": {}} if kind == "tool_use" else {"type": kind}
    texts = ['{"key": "', *PIECES, '"}'] if kind == "tool_use" else PIECES
    deltas = [
        {"type": "content_block_delta", "index": 0, "delta": {"type": f"{key}_delta", key: text}} for text in texts
    ]
    return [
        {"type": "message_start", "message": {}},
        {"type": "content_block_start", "index": 0, "content_block": start},
        *deltas,
    ]


CALL = [
    {"tool_calls": [{"index": 0, "id": "c", "function": {"name": "login", "arguments": text}}]}
    for text in ('{"key": "', *PIECES, '"}')
]
CONVERSE = [
    {"messageStart": {"role": "assistant"}},
    *({"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": text}}} for text in ("It is ", SECRET)),
    {"messageStop": {"stopReason": "end_turn"}},
]


@pytest.mark.parametrize(
    "recorded",
    [
        {"answer": sse(chat(*({"content": text} for text in PIECES)))},
        {"chunks": chat(*({"content": text} for text in PIECES))},
        {"answer": sse(chat(*CALL))},
        {"answer": sse(messages("text", "text"))},
        {"answer": sse(messages("thinking", "thinking"))},
        {"answer": sse(messages("tool_use", "partial_json"))},
        {"answer": invoke_stream(messages("text", "text"))},
        {"answer": converse_stream(CONVERSE)},
        {
            "answer": invoke_stream(
                [
                    *messages("text", "text")[:2],
                    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": SECRET}},
                ]
            )
        },
    ],
    ids=[
        "chat",
        "chat chunks",
        "chat arguments",
        "messages",
        "thinking",
        "messages arguments",
        "invoke pieces",
        "converse",
        "invoke",
    ],
)
def test_a_secret_is_masked_when_its_pieces_come_together(recorded):
    shown = repr(answered(**recorded))
    assert SECRET not in shown
    assert "[masked:api-key:" in shown
