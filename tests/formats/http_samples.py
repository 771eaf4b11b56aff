"""One exchange as every HTTP recorder writes it, in every dialect; the same request and the same answer in all of them."""

import base64
import gzip
import json
from typing import Any

import yaml

from reviewlib.model.cassette import File

URI = "https://api.anthropic.com/v1/messages"
REQUEST = {"model": "claude-sonnet-5", "max_tokens": 99, "messages": [{"role": "user", "content": "Refund order 4471"}]}
ANSWER = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "content": [{"type": "text", "text": "Done."}],
    "stop_reason": "end_turn",
}
SENT, GOT = json.dumps(REQUEST), json.dumps(ANSWER)
PACKED = gzip.compress(GOT.encode(), mtime=0)
TYPE = "application/json"


def encoded(data: bytes | str) -> str:
    return base64.b64encode(data if isinstance(data, bytes) else data.encode()).decode()


# ---------------------------------------------------------------- one interaction as each recorder writes it


def ruby(string: Any = GOT, **body: Any) -> dict[str, Any]:
    sent = {"encoding": "UTF-8", "string": SENT}
    got = body or {"encoding": "ASCII-8BIT", "string": string}
    return {
        "request": {"method": "post", "uri": URI, "body": sent, "headers": {"Content-Type": [TYPE]}},
        "response": {"status": {"code": 200, "message": "OK"}, "headers": {"Content-Type": [TYPE]}, "body": got},
        "recorded_at": "Mon, 30 Nov 2026 09:26:33 GMT",
    }


def ruby_cassette(*interactions: dict[str, Any]) -> dict[str, Any]:
    return {"http_interactions": list(interactions), "recorded_with": "VCR 6.4.0"}


def go(body: Any = GOT, code: Any = 200, **request: Any) -> dict[str, Any]:
    sent = {"body": SENT, "form": {}, "headers": {"Content-Type": [TYPE]}, "url": URI, "method": "POST", **request}
    got = {"body": body, "headers": {"Content-Type": [TYPE]}, "status": "200 OK", "code": code, "duration": "1.2s"}
    return {"request": sent, "response": got}


def go_cassette(version: int, *interactions: dict[str, Any]) -> dict[str, Any]:
    return {"version": version, "interactions": list(interactions)}


def datadog(body: str = GOT, request_body: str = SENT) -> dict[str, Any]:
    return {
        "request": {"method": "POST", "url": URI, "headers": {"Content-Type": TYPE}, "body": request_body},
        "response": {"status": {"code": 200, "message": "OK"}, "headers": {"Content-Type": TYPE}, "body": body},
    }


def har_entry(content: dict[str, Any] | None = None, post: dict[str, Any] | None = None) -> dict[str, Any]:
    fields = [{"name": "Content-Type", "value": TYPE}]
    return {
        "_id": "897d3731",
        "_order": 0,
        "request": {
            "method": "POST",
            "url": URI,
            "headers": fields,
            "postData": post or {"mimeType": TYPE, "text": SENT},
        },
        "response": {"status": 200, "statusText": "OK", "headers": fields, "content": content or {"text": GOT}},
        "startedDateTime": "2026-11-30T09:26:33.162Z",
    }


def har(*entries: dict[str, Any]) -> dict[str, Any]:
    return {"log": {"version": "1.2", "creator": {"name": "Polly.JS", "version": "6.0.6"}, "entries": list(entries)}}


def http_message(first: str, body: bytes, *fields: str) -> bytes:
    return "\r\n".join((first, f"Content-Type: {TYPE}", *fields, "", "")).encode() + body


def httprr(*exchanges: tuple[bytes, bytes]) -> bytes:
    pairs = (b"%d %d\n" % (len(sent), len(got)) + sent + got for sent, got in exchanges)
    return b"httprr trace v1\n" + b"".join(pairs)


HTTPRR_SENT = http_message(f"POST {URI} HTTP/1.1", SENT.encode(), "Host: api.anthropic.com")
HTTPRR_GOT = http_message("HTTP/2.0 200 OK", GOT.encode())


def chunked(data: bytes, size: int = 40) -> bytes:
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


def braintrust_entry(got: dict[str, Any] | None = None, sent: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "callIndex": 0,
        "id": "9aa262365558ebc2",
        "matchKey": "POST api.anthropic.com/v1/messages",
        "recordedAt": "2026-11-30T09:26:33.182Z",
        "request": {"method": "POST", "url": URI, "headers": {}, "body": sent or {"kind": "json", "value": REQUEST}},
        "response": {
            "status": 200,
            "headers": {"content-type": TYPE},
            "body": got or {"kind": "json", "value": ANSWER},
        },
    }


def braintrust(*entries: dict[str, Any]) -> dict[str, Any]:
    return {"entries": list(entries), "meta": {"createdAt": "2026-11-30T09:00:00.000Z"}, "version": 1}


def nock_call(response: Any = ANSWER, fields: Any = ("Content-Type", TYPE), **more: Any) -> dict[str, Any]:
    return {
        "scope": "https://api.anthropic.com:443",
        "method": "POST",
        "path": "/v1/messages",
        "body": REQUEST,
        "status": 200,
        "response": response,
        "rawHeaders": list(fields) if isinstance(fields, tuple) else fields,
        "responseIsBinary": False,
        **more,
    }


def cassetter_interaction(**got: Any) -> dict[str, Any]:
    body = got or {"body": {"type": "json", "content": ANSWER}}
    return {
        "request": {"method": "POST", "uri": URI, "headers": {}, "body": {"type": "json", "content": REQUEST}},
        "response": {"status": 200, "headers": {"content-type": [TYPE]}, **body},
        "recorded_at": "2026-11-30T09:26:33.182914+00:00",
    }


def cassetter_cassette(*interactions: dict[str, Any], **more: Any) -> str:
    return yaml.safe_dump({"version": 1, "interactions": list(interactions), **more})


CASSETTER_TOML = f"""\
version = 1

[[interactions]]
recorded_at = "2026-11-30T09:26:33.182914+00:00"

[interactions.request]
method = "POST"
uri = "{URI}"
body_type = "json"
body_content = '{SENT}'

[interactions.request.headers]
accept = ["{TYPE}"]

[interactions.response]
status = 200
body_type = "json"
body_content = '{GOT}'
"""


def llm_vcr_interaction(**changes: Any) -> dict[str, Any]:
    return {
        "method": "POST",
        "url": URI,
        "request_headers": {"x-api-key": "opaque"},
        "request_body": REQUEST,
        "status_code": 200,
        "response_headers": {"content-type": TYPE},
        "response_body": ANSWER,
        "streaming": False,
        "chunks": [],
        **changes,
    }


def reel_line(**got: Any) -> dict[str, Any]:
    return {
        "schema_version": 1,
        "id": "req_1",
        "ts": "2026-11-30T09:26:33+00:00",
        "provider": "anthropic",
        "request": {"method": "POST", "path": "/v1/messages", "fingerprint": "sha256:1326", "body": REQUEST},
        "response": {"status": 200, "headers": {"content-type": TYPE}, "body": ANSWER, "stream_chunks": None, **got},
        "meta": {},
    }


def replex_exchange(**got: Any) -> dict[str, Any]:
    sent = {
        "method": "POST",
        "url": URI,
        "headers": {},
        "body": REQUEST,
        "body_encoding": "json",
        "match_key": "sha256:1",
    }
    answer = {"status": 200, "headers": {}, "body": ANSWER, "body_encoding": "json", "stream": None, **got}
    return {"type": "exchange", "index": 0, "duration_ms": 5, "request": sent, "response": answer}


def replex_scenario(*events: dict[str, Any]) -> dict[str, Any]:
    head = {"schema_version": 1, "replex_version": "0.1.0", "name": "refund", "created_at": "2026-11-30T09:26:33Z"}
    return {**head, "events": list(events), "meta": {}, "usage": {}}


def mastra_recording(**got: Any) -> dict[str, Any]:
    answer = got or {"body": ANSWER, "isStreaming": False}
    return {
        "hash": "f98adc5ac5da9e8a",
        "request": {"url": URI, "method": "POST", "body": REQUEST, "timestamp": 1796030793182},
        "response": {"status": 200, "statusText": "OK", "headers": {"content-type": TYPE}, **answer},
    }


def cassetteai_entry(**changes: Any) -> dict[str, Any]:
    return {
        "request_hash": "866f4db424c8eb3b",
        "request": REQUEST,
        "response": ANSWER,
        "stream_chunks": None,
        "is_streaming": False,
        "model": "claude-sonnet-5",
        "call_index": 0,
        **changes,
    }


def stub(**got: Any) -> dict[str, Any]:
    pattern = {"equalToJson": SENT, "ignoreArrayOrder": True}
    return {
        "id": "0f1c",
        "request": {"url": "/v1/messages", "method": "POST", "bodyPatterns": [pattern]},
        "response": {"status": 200, "headers": {"Content-Type": TYPE}, **(got or {"body": GOT})},
    }


# ---------------------------------------------------------------- as files


def _json(path: str, tree: Any) -> File:
    return File(path=path, blob="0" * 40, data=json.dumps(tree).encode())


def _yaml(path: str, tree: Any) -> File:
    return File(path=path, blob="0" * 40, data=yaml.safe_dump(tree).encode())


def _raw(path: str, data: bytes | str) -> File:
    return File(path=path, blob="0" * 40, data=data.encode() if isinstance(data, str) else data)


_LOCAL_TAG = f"""\
http_interactions:
- request: {{method: post, uri: '{URI}', body: {{encoding: UTF-8, string: '{SENT}'}}, headers: {{}}}}
  response:
    status: {{code: 200, message: OK}}
    headers: {{}}
    body: {{encoding: ASCII-8BIT, string: !binary "{encoded(PACKED)}"}}
  recorded_at: Mon, 30 Nov 2026 09:26:33 GMT
recorded_with: VCR 6.4.0
"""
_HALVES = [encoded(PACKED[:50]), encoded(PACKED[50:])]

HTTP_SAMPLES: dict[str, tuple[tuple[str, File], ...]] = {
    "ruby-vcr": (
        ("yaml", _yaml("t/a.yml", ruby_cassette(ruby()))),
        ("json", _json("t/a.json", ruby_cassette(ruby()))),
        ("binary", _yaml("t/b.yml", ruby_cassette(ruby(PACKED)))),
        ("binary under the local tag", _raw("t/c.yml", _LOCAL_TAG)),
        ("exact bytes", _yaml("t/d.yml", ruby_cassette(ruby(encoding="UTF-8", base64_string=encoded(PACKED))))),
        ("nothing recorded", _yaml("t/e.yml", ruby_cassette())),
    ),
    "go-vcr": (
        ("version 1", _yaml("t/a.yaml", {**go_cassette(1, go()), "rwmutex": {}})),
        ("version 2", _yaml("t/b.yaml", go_cassette(2, {"id": 0, **go(proto="HTTP/1.1", content_length=9)}))),
        ("gzip answer", _yaml("t/c.yaml", go_cassette(2, go(PACKED)))),
        ("nothing recorded", _raw("t/d.yaml", "---\nversion: 2\ninteractions: []\n")),
    ),
    "ddapm": (
        ("text", _json("t/a.json", datadog())),
        ("base64", _json("t/b.json", datadog(f"base64:{encoded(PACKED)}"))),
    ),
    "har": (
        ("Polly", _json("t/recording.har", har(har_entry()))),
        ("yaml", _yaml("t/recording.har.yaml", har(har_entry()))),
        ("base64", _json("t/b.har", har(har_entry({"encoding": "base64", "text": encoded(PACKED)})))),
        ("base64 pieces", _json("t/c.har", har(har_entry({"encoding": "base64", "text": json.dumps(_HALVES)})))),
        ("request as a tree", _yaml("t/d.har.yaml", har(har_entry(post={"textJSON": REQUEST})))),
        ("nothing recorded", _json("t/e.har", har())),
    ),
    "httprr": (
        ("text", _raw("t/a.httprr", httprr((HTTPRR_SENT, HTTPRR_GOT)))),
        ("gzip", _raw("t/a.httprr.gz", gzip.compress(httprr((HTTPRR_SENT, HTTPRR_GOT)), mtime=0))),
        ("path only", _raw("t/b.httprr", httprr((HTTPRR_SENT.replace(URI.encode(), b"/v1/messages"), HTTPRR_GOT)))),
        (
            "chunked",
            _raw(
                "t/c.httprr",
                httprr(
                    (
                        HTTPRR_SENT,
                        http_message("HTTP/1.1 200 OK", chunked(GOT.encode()), "Transfer-Encoding: chunked"),
                    )
                ),
            ),
        ),
        (
            "said to be chunked",
            _raw(
                "t/d.httprr",
                httprr((HTTPRR_SENT, http_message("HTTP/1.1 200 OK", GOT.encode(), "Transfer-Encoding: chunked"))),
            ),
        ),
        ("gzip answer", _raw("t/e.httprr", httprr((HTTPRR_SENT, http_message("HTTP/2.0 200 OK", PACKED))))),
        ("nothing recorded", _raw("t/f.httprr", "httprr trace v1\n")),
    ),
    "braintrust": (
        ("json", _json("t/a.cassette.json", braintrust(braintrust_entry()))),
        ("text", _json("t/b.cassette.json", braintrust(braintrust_entry({"kind": "text", "value": GOT})))),
        (
            "base64",
            _json("t/c.cassette.json", braintrust(braintrust_entry({"kind": "base64", "value": encoded(PACKED)}))),
        ),
        ("nothing recorded", _json("t/d.cassette.json", braintrust())),
    ),
    "nock": (
        ("tree", _json("t/a.json", [nock_call()])),
        ("text", _json("t/b.json", [nock_call(GOT)])),
        ("compressed pieces", _json("t/c.json", [nock_call([PACKED.hex()], ("Content-Encoding", "gzip"))])),
        ("binary", _json("t/d.json", [nock_call(PACKED.hex(), responseIsBinary=True)])),
        ("headers as a mapping", _json("t/e.json", [nock_call(fields={"Content-Type": TYPE})])),
    ),
    "cassetter": (
        ("yaml", _raw("t/a.yaml", cassetter_cassette(cassetter_interaction()))),
        ("toml", _raw("t/a.toml", CASSETTER_TOML)),
        (
            "text",
            _raw("t/b.yaml", cassetter_cassette(cassetter_interaction(body={"type": "text", "content": GOT}))),
        ),
        (
            "binary",
            _raw(
                "t/c.yaml",
                cassetter_cassette(cassetter_interaction(body={"type": "binary", "content": GOT.encode().hex()})),
            ),
        ),
    ),
    "pytest-llm-vcr": (
        ("tree", _yaml("t/a.yaml", {"name": "a", "interactions": [llm_vcr_interaction()]})),
        (
            "pieces",
            _yaml(
                "t/b.yaml",
                {"name": "b", "interactions": [llm_vcr_interaction(response_body=None, chunks=[GOT[:9], GOT[9:]])]},
            ),
        ),
        ("nothing recorded", _yaml("t/c.yaml", {"name": "c", "interactions": []})),
    ),
    "reel": (
        ("one line", _raw("t/a.jsonl", json.dumps(reel_line()))),
        ("after a line of meta", _raw("t/b.jsonl", json.dumps({"_meta": {"v": 1}}) + "\n" + json.dumps(reel_line()))),
    ),
    "replex": (
        ("exchange", _json("t/a.replex.json", replex_scenario(replex_exchange()))),
        (
            "base64",
            _json("t/b.replex.json", replex_scenario(replex_exchange(body=encoded(PACKED), body_encoding="base64"))),
        ),
        ("other events", _json("t/c.replex.json", replex_scenario({"type": "note"}, replex_exchange()))),
        ("nothing recorded", _json("t/d.replex.json", replex_scenario())),
    ),
    "llm-recorder": (
        ("with meta", _json("t/a.json", {"meta": {"name": "a"}, "recordings": [mastra_recording()]})),
        ("bare list", _json("t/b.json", [mastra_recording()])),
        ("pieces", _json("t/c.json", [mastra_recording(chunks=[GOT[:9], GOT[9:]], isStreaming=True)])),
        ("nothing recorded", _json("t/d.json", {"meta": {"name": "d"}, "recordings": []})),
    ),
    "cassetteai": (("entry", _json("t/a.json", {"version": 1, "entries": [cassetteai_entry()]})),),
    "wiremock": (
        ("one stub", _json("t/a.json", stub())),
        ("mappings", _json("t/b.json", {"mappings": [stub()], "meta": {"total": 1}})),
        ("tree", _json("t/c.json", stub(jsonBody=ANSWER))),
        ("base64", _json("t/d.json", stub(base64Body=encoded(PACKED)))),
    ),
}
"""By the format's name, what is special about each sample, and the sample. All but ``nothing recorded`` hold the one exchange."""
