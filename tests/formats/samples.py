"""Small cassettes of our own, one or more a format, and how a test makes files of them."""

import base64
import gzip
import hashlib
import json
from typing import Any

import yaml

from reviewlib.model.cassette import Cassette, File, Unreadable
from tests.formats.agent_samples import AGENT_SAMPLES
from tests.formats.http_samples import ANSWER, HTTP_SAMPLES, REQUEST, URI


def file(path: str, content: bytes | str | dict[str, Any] | list[Any]) -> File:
    """A file as a source gives it; anything but bytes and text is written as JSON."""
    data = (
        content.encode()
        if isinstance(content, str)
        else content
        if isinstance(content, bytes)
        else json.dumps(content).encode()
    )
    return File(path=path, blob=hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest(), data=data)


def readable(result: Cassette | Unreadable) -> Cassette:
    """The cassette, where it could be read."""
    assert isinstance(result, Cassette), result
    return result


def jsonl(*lines: dict[str, Any]) -> str:
    return "".join(json.dumps(line) + "\n" for line in lines)


HASH = "0a58059a4001cfa8"


def interaction(**changes: Any) -> dict[str, Any]:
    """One interaction as vcrpy writes it; ``request`` and ``response`` members may be replaced, None drops one."""
    sent = {"method": "POST", "uri": URI, "body": json.dumps(REQUEST), "headers": {"Accept": ["application/json"]}}
    got = {
        "status": {"code": 200, "message": "OK"},
        "headers": {"Content-Type": ["application/json"]},
        "body": {"string": json.dumps(ANSWER)},
    }
    for side, name in ((sent, "request"), (got, "response")):
        side.update(changes.get(name, {}))
        for key in [key for key, value in side.items() if value is None]:
            del side[key]
    return {"request": sent, "response": got}


def vcr(*interactions: dict[str, Any]) -> str:
    return yaml.safe_dump({"interactions": list(interactions), "version": 1})


def typed(data: dict[str, Any], name: str = "anthropic.types.message.Message") -> dict[str, Any]:
    """An object of an SDK as Llama Stack's recorder writes it."""
    return {"__type__": name, "__data__": data}


def llama_call(body: Any, sent: dict[str, Any] | None = None, **got: Any) -> dict[str, Any]:
    """One call as Llama Stack's recorder writes it; ``sent`` in place of the request's body, ``got`` beside the answer's."""
    request = {"method": "POST", "url": URI, "headers": {}, **(sent or {"body": REQUEST, "endpoint": "/v1/messages"})}
    response = {"body": body, "is_streaming": isinstance(body, list), **got}
    return {
        "test_id": "tests/test_refund.py::test_refund",
        "request": request,
        "response": response,
        "id_normalization_mapping": {},
    }


def llama_search(body: Any, **got: Any) -> dict[str, Any]:
    """One run of a tool as Llama Stack's recorder writes it."""
    sent = {"provider": "search", "tool_name": "web_search", "kwargs": {"query": "weather"}}
    return {"request": sent, "response": {"body": body, "is_streaming": False, **got}}


HEADER = {"created_at": "2026-11-30T09:26:33.182914+00:00", "format_version": 1, "framework": "raw-sdk"}


def event(kind: str, number: int = 0, **fields: Any) -> dict[str, Any]:
    return {"event_id": f"{number:012x}", "kind": kind, "timestamp": 1796030793.0 + number, **fields}


def langchain() -> bytes:
    encoded = {
        "method": "POST",
        "uri": URI,
        "body": json.dumps(REQUEST).encode(),
        "headers": {"authorization": ["PLACEHOLDER"]},
    }
    got = {"status": {"code": 200, "message": "OK"}, "headers": {}, "body": {"string": json.dumps(ANSWER).encode()}}
    return gzip.compress(yaml.safe_dump({"requests": [encoded], "responses": [got]}).encode(), mtime=0)


SAMPLES: dict[str, tuple[tuple[str, File], ...]] = {
    "vcrpy": (
        ("yaml", file("t/a.yaml", vcr(interaction()))),
        ("json", file("t/a.json", {"version": 1, "interactions": [interaction()]})),
        ("under another extension", file("t/a.txt", vcr(interaction()))),
        ("no version", file("t/b.yaml", yaml.safe_dump({"interactions": [interaction()]}))),
        ("nothing recorded", file("t/c.yaml", "interactions: []\nversion: 1\n")),
        (
            "gzip answer",
            file(
                "t/d.yaml",
                vcr(interaction(response={"body": {"string": gzip.compress(json.dumps(ANSWER).encode(), mtime=0)}})),
            ),
        ),
        (
            "parsed body",
            file(
                "t/e.yaml",
                vcr(
                    interaction(
                        request={"body": None, "parsed_body": REQUEST}, response={"body": None, "parsed_body": ANSWER}
                    )
                ),
            ),
        ),
        (
            "legacy httpx",
            file(
                "t/f.yaml",
                vcr(
                    interaction(
                        response={
                            "body": None,
                            "status": None,
                            "content": json.dumps(ANSWER),
                            "http_version": "HTTP/1.1",
                            "status_code": 200,
                        }
                    )
                ),
            ),
        ),
        ("before 1.0", file("t/g.yaml", yaml.safe_dump([interaction()]))),
        ("langchain-tests", file("t/h.yaml.gz", langchain())),
    ),
    "agentreplay": (
        (
            "raw SDK",
            file(
                "t/a.jsonl",
                jsonl(
                    HEADER, event("model_request", name="m", arguments=REQUEST), event("model_response", result=ANSWER)
                ),
            ),
        ),
        (
            "pydantic-ai",
            file("t/b.jsonl", jsonl(HEADER, event("model_request"), event("model_response", result={"parts": []}))),
        ),
        ("nothing recorded", file("t/c.jsonl", jsonl(HEADER))),
        (
            "Windows line ends",
            file("t/d.jsonl", jsonl(HEADER, event("run_start"), event("run_end")).replace("\n", "\r\n")),
        ),
    ),
    "fp-list": (
        ("recorded", file("t/a.json", [{"fp": HASH, "response": ANSWER}])),
        ("written by hand", file("t/b.json", [{"fp": "any", "response": ANSWER}])),
    ),
    "hash-files": (
        ("request", file(f"t/{HASH}.json", {"request": REQUEST, "response": ANSWER})),
        ("under another name", file("t/a.json", {"request": REQUEST, "response": ANSWER})),
        (
            "chunks",
            file("t/b.json", {"request": REQUEST, "response": [{"type": "message_start"}, {"type": "message_stop"}]}),
        ),
        ("hash only", file("t/c.json", {"hash": HASH, "response": ANSWER})),
        (
            "gzip",
            file("t/d.json.gz", gzip.compress(json.dumps({"request": REQUEST, "response": ANSWER}).encode(), mtime=0)),
        ),
        (
            "responses api",
            file(
                "t/e.json", {"request": {"model": "m", "input": "hi"}, "response": {"object": "response", "output": []}}
            ),
        ),
    ),
    "llama-stack": (
        ("object", file("t/a.json", llama_call(typed(ANSWER)))),
        ("earlier", file("t/b.json", {key: llama_call(typed(ANSWER))[key] for key in ("request", "response")})),
        ("stream", file("t/c.json", llama_call([typed({"type": "message_start"}), typed({"type": "message_stop"})]))),
        ("by HTTP", file("t/d.json", llama_call(ANSWER, sent={"payload": REQUEST}, status=200))),
        ("failure", file("t/e.json", llama_call(None, is_exception=True, exception_message="Error code: 400"))),
        ("search", file("t/f.json", llama_search(typed({"content": "Rain."})))),
    ),
    "name-hash-map": (
        ("map", file("t/a.json", {f"model:{HASH}#1": ANSWER, f"tool.getOrder:{HASH}#1": {"total": 39}})),
    ),
    "keyed-jsonl": (
        (
            "lines",
            file(
                "t/a.jsonl",
                jsonl(*[{"key": HASH * 4, "recorded_at": 1793000000, "request": REQUEST, "response": ANSWER}] * 2),
            ),
        ),
        (
            "one line",
            file(
                "t/b.jsonl", jsonl({"key": HASH * 4, "recorded_at": 1793000000, "request": REQUEST, "response": ANSWER})
            ),
        ),
    ),
}
SAMPLES |= HTTP_SAMPLES | AGENT_SAMPLES
SAMPLES["lone-answer"] = (("stream", file("t/a.json", {"status": 200, "headers": {}, "body": "data: {}\n\n"})),)

OTHERS: dict[str, File] = {
    "a package manifest": file("package.json", {"name": "x", "version": "1.0.0", "dependencies": {}}),
    "a workflow": file("ci.yml", "on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n"),
    "a project file": file("pyproject.toml", "[project]\nname = 'x'\n"),
    "a list of numbers": file("n.json", [1, 2, 3]),
    "a list of objects": file("o.json", [{"fp": HASH}, {"response": {}}]),
    "an empty object": file("e.json", {}),
    "an empty list": file("l.json", []),
    "log lines": file("log.jsonl", jsonl({"level": "info", "msg": "x"}, {"level": "warn", "msg": "y"})),
    "words": file("readme.txt", "Read this first."),
    "interactions that are a mapping": file("m.yaml", "version: 1\ninteractions:\n  abc: [1, 2]\n"),
    "frames of a tape": file("tape.jsonl", jsonl({"dir": "read", "frame": {}}, {"dir": "write", "data": "{}"})),
}


def encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()
