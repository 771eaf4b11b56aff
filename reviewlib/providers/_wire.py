"""What one exchange put on the wire, decoded once and then shown to every provider."""

import re
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote

from reviewlib.model.cassette import Exchange, Response
from reviewlib.model.frozen import Plain
from reviewlib.providers._plain import Tree, structure, tree
from reviewlib.providers._sse import Stream
from reviewlib.providers._stream import read_body, read_chunks

_HOST = re.compile(r"^[a-z][a-z0-9+.-]*://[^/?#]*", re.IGNORECASE)
_NOT_A_CALL = re.compile(
    r"[/:](?:count[_-]?tokens|countTokens|input_tokens|tokenize|batches|batch|threads|assistants|embed|embeddings|embedContent"
    r"|batchEmbedContents|moderations|files|uploads|conversations|compact|cancel|rerank|images|audio|vector_stores)(?:[/:]|$)"
    r"|/model/[^/]*(?:embed|rerank|image|canvas|stability|reel)[^/]*/"  # Bedrock: the model's name is all that tells
)
_COUNTED = frozenset({"input_tokens", "embedding", "embeddings", "embeddingsByType", "images", "artifacts"})
"""What an answer has that is no answer in words: a count of tokens, vectors, pictures."""


@dataclass(frozen=True, slots=True)
class Wire:
    """One exchange, decoded.

    ``path``      of the URL, percent-decoded, without host and query; None for recorders at the SDK
    ``request``   the object that was sent, None where there is none or it is none
    ``status``    of HTTP, None at the SDK
    ``answer``    the object that came back, None where it was no single object
    ``stream``    the events of a streamed answer: of server-sent events, an AWS event stream, JSON lines, or a JSON array
    ``remains``   what came back and is neither: text, bytes, a list; None where nothing was recorded
    """

    method: str
    path: str | None
    request: Tree | None
    status: int | None
    answer: Tree | None
    stream: Stream
    remains: Plain

    @property
    def is_side_traffic(self) -> bool:
        """True for what cannot be a model call, whatever its body looks like: counting, batches, embeddings, reading back."""
        counted = self.answer is not None and not _COUNTED.isdisjoint(self.answer)
        sends = self.method in {"", "POST"} or _is_fetched(self.method, self.answer)
        return not sends or counted or (self.path is not None and _is_no_call(self.path))


def read_wire(exchange: Exchange) -> Wire:
    """Decode one exchange; never fails, whatever is in it."""
    request, response = exchange.request, exchange.response
    answer, stream, remains = _read_answer(response) if response else (None, Stream(), None)
    method = (request.method or "").upper() if request else ""
    body = _structured(request.body) if request else None
    if answer is not None and _is_fetched(method, answer):
        body = {"previous_response_id": answer.get("id")}
    return Wire(
        method=method,
        path=_path(request.uri) if request and request.uri else None,
        request=tree(body) if isinstance(body, dict) else None,
        status=response.status if response else None,
        answer=answer,
        stream=stream,
        remains=remains,
    )


def _is_fetched(method: str, answer: Tree | None) -> bool:
    """True where GET brings the answer of a call that was left running in the background; not while it still runs."""
    return (
        method == "GET"
        and answer is not None
        and answer.get("background") is True
        and answer.get("status") not in {"queued", "in_progress"}
    )


def _read_answer(response: Response) -> tuple[Tree | None, Stream, Plain]:
    """What came back, as one of three: an object, a stream, or what remains."""
    if response.chunks:
        stream = read_chunks(response.chunks)
        return None, stream, None if stream.events else list(response.chunks)
    body = _structured(response.body)
    if isinstance(body, dict):
        return tree(body) if body else None, Stream(), None
    stream = read_body(body)
    return None, stream, None if stream.events or not body else body


def _structured(body: Plain) -> Plain:
    """A body that is still the text of a JSON object or array as its tree, every other body as it is."""
    found = structure(body) if isinstance(body, (str, bytes)) else None
    return body if found is None else found


@lru_cache(maxsize=256)
def _is_no_call(path: str) -> bool:
    return _NOT_A_CALL.search(path) is not None


@lru_cache(maxsize=256)
def _path(uri: str) -> str:
    """The path in an address. A recording has few addresses, each of them many times."""
    return unquote(re.split(r"[?#]", _HOST.sub("", uri), maxsplit=1)[0])
