"""vcrpy (and pytest-recording, pytest-vcr, langchain-tests): HTTP interactions in YAML or JSON, in every dialect met.

Bodies may be text, compressed bytes (``!!binary``), a tree (aiohttp), or moved to ``parsed_body`` (pydantic-ai's serializer); vcrpy up to
5.1 wrote httpx answers as ``{content, status_code}``; vcrpy before 1.0 wrote a bare list; langchain-tests two parallel lists.
"""

from reviewlib.errors import DecodeError
from reviewlib.formats import http
from reviewlib.formats.format import Context, Format, Parsed
from reviewlib.model.cassette import Exchange, Request, Response
from reviewlib.model.frozen import Plain


def recognise(tree: Plain) -> bool:
    """Whether every interaction has a ``request`` with a ``uri`` and a ``response`` as vcrpy writes them."""
    if isinstance(tree, dict) and tree.keys() <= {"interactions", "version"} and tree.get("interactions") == []:
        return tree.get("version", 1) in (1, "1")
    items = _items(tree)
    return bool(items) and all(_is_interaction(item) for item in items)


def parse(tree: Plain, _context: Context) -> Parsed:
    """Every interaction in file order; vcrpy holds whole requests and answers, so nothing is missing."""
    if isinstance(tree, dict) and "interactions" not in tree and len(tree["requests"]) != len(tree["responses"]):
        counts = f"{len(tree['requests'])} requests stand beside {len(tree['responses'])} responses"
        raise DecodeError("parse", f"{counts}, which cannot be told apart")
    return Parsed(interactions=tuple(_exchange(index, item) for index, item in enumerate(_items(tree))))


def _items(tree: Plain) -> list[Plain]:
    if isinstance(tree, list):
        return tree
    if not isinstance(tree, dict):
        return []
    if isinstance(interactions := tree.get("interactions"), list):
        return interactions
    requests, responses = tree.get("requests"), tree.get("responses")
    if isinstance(requests, list) and isinstance(responses, list):
        return [{"request": sent, "response": got} for sent, got in zip(requests, responses, strict=False)]
    return []


def _is_interaction(item: Plain) -> bool:
    if not isinstance(item, dict):
        return False
    sent, got = item.get("request"), item.get("response")
    if not isinstance(sent, dict) or not isinstance(sent.get("uri"), str):
        return False
    body = sent.get("body")
    typed = "body_type" in sent or (isinstance(body, dict) and body.keys() >= {"type", "content"})
    return not typed and isinstance(got, dict) and ("status_code" in got or isinstance(got.get("status"), dict))


def _exchange(index: int, item: dict[str, Plain]) -> Exchange:
    return Exchange(
        index=index,
        request=_request(item["request"]),
        response=_response(item["response"]),
        recorded_at=http.epoch(item.get("recorded_at")),
    )


def _request(sent: dict[str, Plain]) -> Request:
    content = sent["parsed_body"] if "parsed_body" in sent else sent.get("body")
    return http.request(sent.get("method"), sent["uri"], sent.get("headers"), content)


def _response(got: dict[str, Plain]) -> Response:
    status = got.get("status")
    code = status.get("code") if isinstance(status, dict) else got.get("status_code")
    return http.response(code, got.get("headers"), _content(got))


def _content(got: dict[str, Plain]) -> Plain:
    if "parsed_body" in got:
        return got["parsed_body"]
    if "content" in got:
        return got["content"]
    body = got.get("body")
    if isinstance(body, dict) and body.keys() <= {"string", "encoding"}:
        return body.get("string")
    return body


FORMAT = Format(
    "vcrpy",
    "vcrpy / pytest-recording",
    frozenset({"yaml", "json"}),
    recognise,
    parse,
    summary="Written by vcrpy through pytest-recording, pytest-vcr and langchain-tests, one YAML or JSON file a test. It holds every HTTP request "
    "and answer whole, failures and retries too. Tool results are seen only where a later request sends them back.",
)
