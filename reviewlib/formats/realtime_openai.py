"""Frames of OpenAI Realtime → Responses that continue one another: each holds what was said since the one before."""

from dataclasses import dataclass, field

from reviewlib.formats.plain import text, tree, trees
from reviewlib.model.cassette import Exchange, Request, Response
from reviewlib.model.frozen import Plain

_TALK = ("session.", "conversation.item.", "response.", "input_audio_buffer.")
_VOLATILE = frozenset({"type", "object", "id", "expires_at", "model", "client_secret"})
_SPOKEN = frozenset({"input_audio", "output_audio", "audio"})
_DETAILS: dict[Plain, str] = {
    "input_token_details": "input_tokens_details",
    "output_token_details": "output_tokens_details",
}


@dataclass(slots=True)
class OpenAIRealtime:
    """Folds frames in order.

    ``asked``: the settings that the client sent, ``said``: the items since the last call, ``asking``: those of the response that is open.
    A client may send a tool's result before the response that calls it is done: that belongs to the next one.
    """

    model: str | None = None
    asked: dict[str, Plain] = field(default_factory=dict)
    said: dict[str, dict[str, Plain]] = field(default_factory=dict)
    exchanges: list[Exchange] = field(default_factory=list)
    previous: str | None = None
    asking: dict[str, dict[str, Plain]] | None = None

    @staticmethod
    def speaks(data: dict[str, Plain]) -> bool:
        """Whether a frame is one of this API."""
        return isinstance(kind := data.get("type"), str) and kind.startswith(_TALK)

    def sent(self, data: dict[str, Plain]) -> None:
        """Read a frame of the client."""
        if data.get("type") == "session.update":
            session = tree(data.get("session"))
            self.asked |= {
                name: value for name, value in session.items() if name not in _VOLATILE and value is not None
            }
            self._name(session)
        elif data.get("type") == "conversation.item.create":
            self.said[f"sent {len(self.said)}"] = _written(tree(data.get("item")))

    def received(self, data: dict[str, Plain]) -> None:
        """Read a frame of the server."""
        kind = text(data.get("type"))
        if kind in {"session.created", "session.updated"}:
            self._name(tree(data.get("session")))
        elif kind == "conversation.item.input_audio_transcription.completed":
            words = data.get("transcript")
            item = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": words}]}
            heard = self.said if self.asking is None else self.asking  # the transcript may come after the answer began
            heard[str(data.get("item_id"))] = item
        elif kind == "response.created":
            self._begin()
        elif kind == "response.done":
            self._answered(tree(data.get("response")))
        elif kind == "error":
            self._answered({"error": data.get("error"), "status": "failed"})

    def finished(self) -> tuple[Exchange, ...]:
        """Return the calls; a response that was begun and not done is a call without an answer."""
        if self.asking is not None:
            self._add(None)
        return tuple(self.exchanges)

    def _name(self, session: dict[str, Plain]) -> None:
        if isinstance(model := session.get("model"), str):
            self.model = model

    def _answered(self, response: dict[str, Plain]) -> None:
        usage = {_DETAILS.get(name, name): value for name, value in tree(response.get("usage")).items()}
        output = [_written(item) for item in trees(response.get("output"))]
        answer = {**response, "object": "response", "model": self.model, "output": output, "usage": usage}
        self._add(Response(body=answer))
        self.previous = response["id"] if isinstance(response.get("id"), str) else self.previous

    def _begin(self) -> None:
        if self.asking is None:
            self.asking, self.said = self.said, {}

    def _add(self, response: Response | None) -> None:
        self._begin()
        body = {
            **self.asked,
            "model": self.model,
            "input": list((self.asking or {}).values()),
            "previous_response_id": self.previous,
        }
        self.exchanges.append(Exchange(index=len(self.exchanges), request=Request(body=body), response=response))
        self.asking = None


def _written(item: dict[str, Plain]) -> dict[str, Plain]:
    """An item with what was spoken as text, where there is a transcript."""
    content = item.get("content")
    if not isinstance(content, list):
        return item
    return {**item, "content": [_spoken(part) if isinstance(part, dict) else part for part in content]}


def _spoken(part: dict[str, Plain]) -> dict[str, Plain]:
    if text(part.get("type")) in _SPOKEN and isinstance(words := part.get("transcript"), str):
        return {"type": "output_text" if part["type"] != "input_audio" else "input_text", "text": words}
    return part
