"""Frames of Gemini Live → calls of generateContent: each answer with the history before it."""

import base64
import binascii
from collections.abc import Iterable
from dataclasses import dataclass, field

from reviewlib.formats.plain import tree, trees
from reviewlib.formats.session import Session
from reviewlib.model.cassette import Exchange, Response
from reviewlib.model.frozen import Plain

_MARKS = ("setup", "setupComplete", "serverContent", "toolCall")
_SETTINGS: tuple[str, ...] = ("systemInstruction", "tools", "generationConfig", "toolConfig")
_USAGE: dict[Plain, str] = {"responseTokenCount": "candidatesTokenCount"}


@dataclass(slots=True)
class _Answer:
    """What the model said since its last answer."""

    said: list[str] = field(default_factory=list)
    written: list[dict[str, Plain]] = field(default_factory=list)
    sound: list[dict[str, Plain]] = field(default_factory=list)
    calls: list[dict[str, Plain]] = field(default_factory=list)
    usage: Plain = None

    def add(self, content: dict[str, Plain]) -> None:
        if isinstance(text := tree(content.get("outputTranscription")).get("text"), str):
            self.said.append(text)
        for part in trees(tree(content.get("modelTurn")).get("parts")):
            (self.sound if "inlineData" in part else self.written).append(part)

    def has_content(self) -> bool:
        return bool(self.said or self.written or self.sound or self.calls)

    def parts(self) -> list[Plain]:
        spoken = [{"text": "".join(self.said)}] if self.said else list(_as_one(self.sound))
        return [*self.written, *spoken, *({"functionCall": call} for call in self.calls)]


@dataclass(slots=True)
class GeminiLive:
    """Folds frames in order. An answer ends where the server says so, or where it calls tools."""

    setup: dict[str, Plain] = field(default_factory=dict)
    session: Session = field(default_factory=lambda: Session("contents"))
    exchanges: list[Exchange] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)
    answer: _Answer = field(default_factory=_Answer)

    @staticmethod
    def speaks(data: dict[str, Plain]) -> bool:
        """Whether a frame is one of this API."""
        return any(mark in data for mark in _MARKS)

    def sent(self, data: dict[str, Plain]) -> None:
        """Read a frame of the client."""
        if isinstance(setup := data.get("setup"), dict):
            self.setup = setup
        content = tree(data.get("client_content") or data.get("clientContent"))
        self.session.say(turn for turn in trees(content.get("turns")))
        result = tree(data.get("tool_response") or data.get("toolResponse"))
        responses = trees(result.get("functionResponses") or result.get("function_responses"))
        if responses:
            self.session.say([{"role": "user", "parts": [{"functionResponse": each} for each in responses]}])
        spoken = tree(data.get("realtime_input") or data.get("realtimeInput"))
        if isinstance(text := spoken.get("text"), str) and text:
            self.heard.append(text)

    def received(self, data: dict[str, Plain]) -> None:
        """Read a frame of the server."""
        content = tree(data.get("serverContent"))
        if isinstance(text := tree(content.get("inputTranscription")).get("text"), str):
            self.heard.append(text)
        self.answer.add(content)
        if isinstance(usage := data.get("usageMetadata"), dict):
            self.answer.usage = {_USAGE.get(name, name): value for name, value in usage.items()}
        calls = trees(tree(data.get("toolCall")).get("functionCalls"))
        self.answer.calls += calls
        if calls or content.get("turnComplete") is True:
            self._close()

    def finished(self) -> tuple[Exchange, ...]:
        """Return the calls; an answer that was cut off ends with the recording."""
        self._close()
        return tuple(self.exchanges)

    def _close(self) -> None:
        if not self.answer.has_content():
            if self.exchanges and self.answer.usage:  # an answer of calls alone is counted when the turn completes
                self._count_last()
            self.answer = _Answer()
            return
        if self.heard:
            self.session.say([{"role": "user", "parts": [{"text": "".join(self.heard)}]}])
        model = self.setup.get("model")
        model = model.removeprefix("models/") if isinstance(model, str) else None
        content = {"role": "model", "parts": self.answer.parts()}
        body = {"candidates": [{"content": content}], "usageMetadata": self.answer.usage}
        self.exchanges.append(
            Exchange(
                index=len(self.exchanges),
                request=self.session.request(**{name: self.setup.get(name) for name in _SETTINGS}),
                response=Response(body=body),
                model=model,
            )
        )
        self.session.say([content])
        self.heard, self.answer = [], _Answer()

    def _count_last(self) -> None:
        last = self.exchanges[-1]
        if last.response is not None and last.response.body["usageMetadata"] is None:
            body = {**last.response.body, "usageMetadata": self.answer.usage}
            self.exchanges[-1] = last.model_copy(update={"response": Response(body=body)})


def _as_one(sound: list[dict[str, Plain]]) -> Iterable[Plain]:
    """Sound comes in dozens of pieces, each encoded by itself."""
    pieces = [tree(part["inlineData"]) for part in sound]
    try:
        whole = b"".join(base64.b64decode(piece["data"]) for piece in pieces)
    except (KeyError, TypeError, ValueError, binascii.Error):
        return sound
    return [{"inlineData": {**pieces[0], "data": base64.b64encode(whole).decode()}}] if pieces else []
