"""What a provider is, and how one reads an exchange."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from reviewlib.model.call import ModelRequest, ModelResponse
from reviewlib.providers._failure import error_in, failure_text, shortened
from reviewlib.providers._plain import Tree
from reviewlib.providers._sse import Stream
from reviewlib.providers._wire import Wire
from reviewlib.redact import mask


class Evidence(Enum):
    """What speaks for a provider, the strongest first. Hosts lie and gateways rename paths, so the answer's own shape counts most."""

    ANSWER = "answer"
    PATH = "path"
    REQUEST = "request"


@dataclass(frozen=True, slots=True)
class Assembled:
    """A streamed answer put together into the object that the same call would have answered without streaming.

    ``complete`` is False where the stream broke off before the dialect's own end.
    """

    answer: Tree
    complete: bool


@dataclass(frozen=True, slots=True)
class Provider:
    """One API: how its traffic is told from others', and how it is read.

    ``summary``       what is read and what is not, in two or three plain sentences for the documentation
    ``path``          matches the URL path of its calls; a group ``model`` in it is the requested model
    ``sends``         true for a request object that can only be a call of this API
    ``may_send``      true for a request object that may be one, where the path says so
    ``answers``       true for an answer object of this API; ``streams`` the same for one streamed event
    ``read_request``  ``read_answer``  ``assemble``: the three readers; they accept any object, also a broken one
    """

    name: str
    title: str
    summary: str
    path: re.Pattern[str]
    sends: Callable[[Tree], bool]
    may_send: Callable[[Tree], bool]
    answers: Callable[[Tree], bool]
    streams: Callable[[Tree], bool]
    read_request: Callable[[Tree], ModelRequest]
    read_answer: Callable[[Tree], ModelResponse]
    assemble: Callable[[Sequence[Tree]], Assembled]

    def has(self, evidence: Evidence, wire: Wire) -> bool:
        """Whether an exchange that is no side traffic gives this evidence for the provider."""
        match evidence:
            case Evidence.ANSWER:
                in_whole = wire.answer is not None and self.answers(wire.answer)
                return in_whole or any(map(self.streams, wire.stream.events))
            case Evidence.PATH:
                is_path = wire.path is not None and self.path.search(wire.path) is not None
                return is_path and (wire.request is None or self.may_send(wire.request))
            case Evidence.REQUEST:
                return wire.request is not None and self.sends(wire.request)

    def parse(self, wire: Wire) -> tuple[ModelRequest | None, ModelResponse | None]:
        """Both halves of a call that this provider has recognised."""
        request = self.read_request(wire.request) if wire.request is not None else None
        if request is not None and wire.path:
            request = self._told_by_path(request, wire.path)
        return request, self._read_response(wire)

    def _told_by_path(self, request: ModelRequest, path: str) -> ModelRequest:
        """The request with the model and the wish for a stream, where the path tells them and the body does not."""
        model, stream = request.model or self._model_in(path), request.stream or _streams(path)
        if (model, stream) == (request.model, request.stream):
            return request
        return request.model_copy(update={"model": model, "stream": stream})

    def _model_in(self, path: str) -> str | None:
        found = self.path.search(path)
        return found.groupdict().get("model") if found else None

    def _read_response(self, wire: Wire) -> ModelResponse | None:
        if wire.status is not None and not 200 <= wire.status <= 299:
            first = wire.stream.events[0] if wire.stream.events else None
            return _failed(failure_text(wire.status, wire.answer or first or wire.remains))
        if wire.stream.events:
            return self._read_stream(wire.stream)
        if wire.answer is None and wire.remains is None:
            return None
        if wire.answer is not None:
            if self.answers(wire.answer):
                return self.read_answer(wire.answer)
            if error := error_in(wire.answer):
                return _failed(error)
        return _failed(self._unreadable(wire))

    def _read_stream(self, stream: Stream) -> ModelResponse:
        events = stream.events
        error = next((found for event in events if not self.streams(event) and (found := error_in(event))), None)
        if not any(map(self.streams, events)):
            return _failed(error or f"The recorded stream is none of {self.title}.")
        assembled = self.assemble(events)
        response = self.read_answer(mask(assembled.answer))  # a secret may have come in pieces
        if error := response.error or error:
            return response.model_copy(update={"error": error, "stop_reason": "error", "complete": False})
        complete = assembled.complete or stream.ended
        return response if response.complete == complete else response.model_copy(update={"complete": complete})

    def _unreadable(self, wire: Wire) -> str:
        remains = wire.remains
        if isinstance(remains, bytes):
            return f"The recorded answer is {len(remains)} bytes that cannot be read as {self.title}."
        if isinstance(remains, str):
            return f"The recorded answer cannot be read as {self.title}: {shortened(remains.strip())}"
        return f"The recorded answer is no answer of {self.title}."


def _streams(path: str) -> bool:
    """True where the path asks for a stream: ``:streamGenerateContent``, ``converse-stream``, ``invoke-with-response-stream``."""
    return "stream" in path.rpartition("/")[2].lower()


def _failed(error: str) -> ModelResponse:
    return ModelResponse(error=error, stop_reason="error")
