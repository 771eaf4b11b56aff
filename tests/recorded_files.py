"""Exchanges as recorders write them into a file, with the headers and times of their day."""

import base64
import gzip
import json
from collections.abc import Callable
from typing import Any

import yaml

from tests.story import Fresh, Tree, Wired


def _headers(wired: Wired, fresh: Fresh) -> dict[str, str]:
    made = {
        "content-type": wired.kind,
        "date": f"Mon, {fresh.chance.randrange(10, 28)} Nov 2026 10:{fresh.chance.randrange(10, 59)}:00 GMT",
        "request-id": fresh.id("req_"),
        "cf-ray": f"{fresh.chance.getrandbits(60):x}-FRA",
        "x-ratelimit-remaining-requests": str(fresh.chance.randrange(9999)),
        "openai-processing-ms": str(fresh.chance.randrange(9999)),
        "set-cookie": f"__cf_bm={fresh.id('')}; path=/",
    }
    kept = [name for name in made if name == "content-type" or fresh.chance.random() < 0.8]
    fresh.chance.shuffle(kept)
    return {name: made[name] for name in kept} | wired.headers


def _time(fresh: Fresh) -> str:
    return f"2026-11-{fresh.chance.randrange(10, 28)}T10:{fresh.chance.randrange(10, 59)}:07.{fresh.chance.randrange(100, 999)}Z"


def _text(wired: Wired) -> str | None:
    try:
        return wired.answer.decode()
    except UnicodeDecodeError:
        return None


def vcrpy(exchanges: list[Wired], fresh: Fresh) -> bytes:
    """vcrpy and pytest-recording: text, or bytes where the answer came compressed or is none."""
    items = []
    for wired in exchanges:
        packed = fresh.chance.random() < 0.5
        body: Any = gzip.compress(wired.answer, mtime=0) if packed else _text(wired) or wired.answer
        request = {
            "method": "POST",
            "uri": wired.uri,
            "body": json.dumps(wired.sent),
            "headers": {"user-agent": [fresh.id("sdk/", 4)]},
        }
        fields = {name: [value] for name, value in _headers(wired, fresh).items()} | (
            {"content-encoding": ["gzip"]} if packed else {}
        )
        response = {"status": {"code": wired.status, "message": "OK"}, "headers": fields, "body": {"string": body}}
        items.append({"request": request, "response": response})
    return yaml.safe_dump({"interactions": items, "version": 1}).encode()


def ruby_vcr(exchanges: list[Wired], fresh: Fresh) -> bytes:
    """Ruby VCR: bodies under ``string``, or as base64 where they are no text."""
    items = []
    for wired in exchanges:
        text = _text(wired)
        body = {"encoding": "UTF-8", "string": text} if text is not None else {"encoding": "ASCII-8BIT", "base64_string": base64.encodebytes(wired.answer).decode()}  # fmt: skip
        items.append(
            {
                "request": {
                    "method": "post",
                    "uri": wired.uri,
                    "body": {"encoding": "UTF-8", "string": json.dumps(wired.sent)},
                    "headers": {},
                },
                "response": {
                    "status": {"code": wired.status, "message": "OK"},
                    "headers": {name.title(): [value] for name, value in _headers(wired, fresh).items()},
                    "body": body,
                },
                "recorded_at": "Mon, 16 Nov 2026 10:11:12 GMT",
            }
        )
    return yaml.safe_dump({"http_interactions": items, "recorded_with": "VCR 6.4.0"}).encode()


def polly(exchanges: list[Wired], fresh: Fresh) -> bytes:
    """Polly.JS: HTTP Archive, with a hash of every request, and a list of base64 pieces in place of bytes."""
    entries = []
    for wired in exchanges:
        text = _text(wired)
        content: Tree = {"mimeType": wired.kind, "size": len(wired.answer), "text": text}
        if text is None:
            cut = fresh.chance.randrange(1, len(wired.answer))
            pieces = [base64.b64encode(piece).decode() for piece in (wired.answer[:cut], wired.answer[cut:])]
            content |= {"encoding": "base64", "text": json.dumps(pieces)}
        entries.append(
            {
                "_id": fresh.id("", 32),
                "_order": 0,
                "cache": {},
                "request": {
                    "method": "POST",
                    "url": wired.uri,
                    "headers": [{"name": "host", "value": "x"}],
                    "postData": {"mimeType": "application/json", "params": [], "text": json.dumps(wired.sent)},
                },
                "response": {
                    "status": wired.status,
                    "headers": [{"name": name, "value": value} for name, value in _headers(wired, fresh).items()],
                    "content": content,
                },
                "startedDateTime": _time(fresh),
                "time": fresh.chance.randrange(9000),
                "timings": {"wait": fresh.chance.randrange(9000)},
            }
        )
    return json.dumps(
        {"log": {"_recordingName": "refund", "creator": {"name": "Polly.JS"}, "entries": entries}}
    ).encode()


def go_vcr(exchanges: list[Wired], fresh: Fresh) -> bytes:
    """go-vcr, version 2."""
    items = [
        {
            "id": number,
            "request": {
                "method": "POST",
                "url": wired.uri,
                "body": json.dumps(wired.sent),
                "headers": {"Content-Type": ["application/json"]},
            },
            "response": {
                "code": wired.status,
                "status": "200 OK",
                "headers": {name: [value] for name, value in _headers(wired, fresh).items()},
                "body": _text(wired) or base64.b64encode(wired.answer).decode(),
                "duration": f"{fresh.chance.randrange(9000)}ms",
            },
        }
        for number, wired in enumerate(exchanges)
    ]
    return yaml.safe_dump({"version": 2, "interactions": items}).encode()


def nock(exchanges: list[Wired], fresh: Fresh) -> bytes:
    """nock: trees for JSON, hexadecimal digits for bytes, text for a stream."""
    items = []
    for wired in exchanges:
        scope, _, path = wired.uri.partition(".com")
        text = _text(wired)
        response: Any = (
            wired.answer.hex() if text is None else json.loads(text) if wired.kind == "application/json" else text
        )
        raw = [word for pair in _headers(wired, fresh).items() for word in pair]
        items.append({"scope": f"{scope}.com:443", "method": "POST", "path": path, "body": wired.sent, "status": wired.status, "response": response, "rawHeaders": raw})  # fmt: skip
    return json.dumps(items).encode()


def httprr(exchanges: list[Wired], fresh: Fresh) -> bytes:
    """httprr: the raw bytes, counted; the answer chunked now and then."""
    written = [b"httprr trace v1\n"]
    for wired in exchanges:
        host, _, path = wired.uri.removeprefix("https://").partition("/")
        sent = json.dumps(wired.sent).encode()
        asked = (
            f"POST https://{host}/{path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {len(sent)}\r\n\r\n".encode()
            + sent
        )
        fields, body = _headers(wired, fresh), wired.answer
        if fresh.chance.random() < 0.5:
            cut = fresh.chance.randrange(1, len(body))
            fields |= {"Transfer-Encoding": "chunked"}
            body = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in (body[:cut], body[cut:])) + b"0\r\n\r\n"
        lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        got = f"HTTP/1.1 {wired.status} OK\r\n{lines}\r\n".encode() + body
        written.append(b"%d %d\n%s%s" % (len(asked), len(got), asked, got))
    return b"".join(written)


def cassetter(exchanges: list[Wired], fresh: Fresh) -> bytes:
    """cassetter: bodies with their type."""
    items = []
    for wired in exchanges:
        text = _text(wired)
        content, kind = (text, "json" if wired.kind == "application/json" else "text") if text is not None else (wired.answer.hex(), "binary")  # fmt: skip
        items.append(
            {
                "recorded_at": _time(fresh),
                "request": {
                    "method": "POST",
                    "uri": wired.uri,
                    "headers": {},
                    "body_type": "json",
                    "body_content": json.dumps(wired.sent),
                },
                "response": {
                    "status": wired.status,
                    "headers": {name: [value] for name, value in _headers(wired, fresh).items()},
                    "body_type": kind,
                    "body_content": content,
                },
            }
        )
    return yaml.safe_dump({"version": 1, "interactions": items}).encode()


RECORDERS: dict[str, Callable[[list[Wired], Fresh], bytes]] = {
    "vcrpy": vcrpy,
    "ruby-vcr": ruby_vcr,
    "har": polly,
    "go-vcr": go_vcr,
    "nock": nock,
    "httprr": httprr,
    "cassetter": cassetter,
}
"""Every recorder of HTTP that is written here, under the name of the adapter that must read it."""
