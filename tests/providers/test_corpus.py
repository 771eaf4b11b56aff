"""Real recordings: the same scenario tells the same story in every recorder's words, whole or streamed."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

from reviewlib.model.call import CallPart, ModelCall, ModelRequest, Usage
from reviewlib.model.cassette import Exchange, Request, Response
from reviewlib.providers import read_call
from tests.corpus import CORPUS, needs_corpus
from tests.providers.bodies import brief

pytestmark = needs_corpus

RECORDERS = CORPUS / "recorders"
STORY = [
    ["Let me look up that order.", ("get_order", {"order_id": "4471"})],
    [("issue_refund", {"amount": 39.0, "order_id": "4471", "reason": "damaged"})],
]


def _lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def _read(request: Any, response: Response) -> ModelCall:
    call = read_call(Exchange(index=0, request=request, response=response))
    assert call is not None
    return call


def _reel(folder: str) -> list[ModelCall]:
    """One JSONL line per exchange, streams as a list of records."""
    lines = [
        line for line in _lines(RECORDERS / folder / "head" / "test_refund_skip_policy.jsonl") if "request" in line
    ]
    return [
        _read(
            Request(method="POST", uri=line["request"]["path"], body=line["request"]["body"]),
            Response(
                status=200,
                body=line["response"]["body"],
                chunks=tuple(line["response"].get("stream_chunks") or ()) or None,
            ),
        )
        for line in lines
    ]


def _responses_only(path: Path) -> list[ModelCall]:
    return [_read(None, Response(body=item["response"])) for item in json.loads(path.read_text(encoding="utf-8"))]


def _replay(name: str) -> list[ModelCall]:
    lines = _lines(RECORDERS / "pytest-agentreplay" / "head" / name / "test_refund_flow[skip_policy].jsonl")
    return [_read(None, Response(body=line["result"])) for line in lines if line.get("kind") == "model_response"]


def _calls() -> dict[str, list[ModelCall]]:
    reels = {
        name: _reel(name) for name in ("reel-anthropic", "reel-anthropic-stream", "reel-openai", "reel-openai-stream")
    }
    return reels | {
        "seed 000": _responses_only(RECORDERS / "seed000-fp-list" / "head" / "test_refund_skip_policy.json"),
        "pydantic-ai": _replay("test_pydantic_ai_anthropic"),
    }


def test_every_recorder_tells_the_same_story():
    for recorder, calls in _calls().items():
        parts = [brief(call.response.parts) for call in calls if call.response]
        assert parts[:2] == STORY, recorder
        assert [call.response.stop_reason for call in calls if call.response] == ["tool_use", "tool_use", "end_turn"], (
            recorder
        )


def test_a_stream_counts_the_tokens_that_the_whole_answer_counts():
    calls = _calls()
    for whole in ("reel-anthropic", "reel-openai"):
        assert _usage(calls[f"{whole}-stream"]) == _usage(calls[whole])
        assert all(_usage(calls[whole]))


def _usage(calls: list[ModelCall]) -> list[Usage | None]:
    return [call.response.usage if call.response else None for call in calls]


def test_results_in_the_next_request_are_trees_and_name_their_call():
    for recorder, calls in _calls().items():
        requests = [call.request for call in calls]
        if not all(requests):
            continue
        asked = (
            [part.call_id for part in calls[0].response.parts if isinstance(part, CallPart)]
            if calls[0].response
            else []
        )
        answered = _results(requests[1])
        assert [part.call_id for part in answered] == asked, recorder
        assert all(isinstance(part.result, dict) for part in answered), recorder


def _results(request: ModelRequest | None) -> list[Any]:
    return [part for message in request.messages if message.role == "tool" for part in message.parts] if request else []


def test_each_request_extends_the_history_of_the_one_before_it():
    for recorder, calls in _calls().items():
        histories = [call.request.messages for call in calls if call.request]
        for earlier, later in pairwise(histories):
            assert later[: len(earlier)] == earlier, recorder
