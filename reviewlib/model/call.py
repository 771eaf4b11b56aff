"""One model call in provider-neutral form: what was sent, and what the model answered."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from reviewlib.model.frozen import Frozen, Plain

StopReason: TypeAlias = Literal[
    "end_turn",
    "tool_use",
    "max_tokens",
    "stop_sequence",
    "refusal",
    "content_filter",
    "pause_turn",
    "error",
    "other",
]


class Text(Frozen):
    """Words of a message or an answer."""

    kind: Literal["text"] = "text"
    text: str


class Thinking(Frozen):
    """Reasoning of the model. ``text`` is None where it is encrypted or withheld. Shown, never compared."""

    kind: Literal["thinking"] = "thinking"
    text: str | None


class Media(Frozen):
    """An image, a document or audio: its media type, size in bytes and sha256 digest (first 16 hex digits), or its URL."""

    kind: Literal["media"] = "media"
    media_type: str
    size: int | None = None
    digest: str | None = None
    url: str | None = None


class CallPart(Frozen):
    """A tool call as the model wrote it.

    ``arguments`` is the parsed value; where ``arguments_raw`` is not None it could not be parsed, and that is its text.
    ``result`` is set for tools that the provider runs itself (``server_side``), in the same response.
    ``origin`` is ``text`` where the call was read out of ReAct-style prose.
    """

    kind: Literal["call"] = "call"
    call_id: str | None
    tool: str
    arguments: Plain = None
    arguments_raw: str | None = None
    server_side: bool = False
    result: Plain = None
    result_recorded: bool = False
    is_error: bool | None = None
    origin: Literal["native", "text"] = "native"


class ResultPart(Frozen):
    """A tool's result, sent back to the model. ``call_id`` links it to its call; ``tool`` where the dialect names it."""

    kind: Literal["result"] = "result"
    call_id: str | None
    tool: str | None = None
    result: Plain = None
    is_error: bool | None = None


Part: TypeAlias = Annotated[Text | Thinking | Media | CallPart | ResultPart, Field(discriminator="kind")]


class Message(Frozen):
    """One message of the history, with its parts in order. Results stand in messages of role ``tool``."""

    role: Literal["system", "user", "assistant", "tool"]
    parts: tuple[Part, ...]


class ToolSchema(Frozen):
    """A tool offered to the model; ``schema_`` is its JSON Schema (or what the dialect has in its place).

    ``options`` is what the request says about it beside that (``strict``, ``defer_loading``); for a tool that the provider runs
    itself, everything but its name.
    """

    name: str
    description: str | None = None
    schema_: Plain = None
    options: dict[str, Plain] = {}


class Usage(Frozen):
    """Tokens of one answer. None is unknown, never 0.

    ``input_tokens`` includes cached and cache-written ones, ``output_tokens`` the reasoning ones, whatever the provider counts.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    reasoning_tokens: int | None = None

    @property
    def tokens(self) -> int | None:
        """Input and output together; None where one of them is unknown."""
        if self.input_tokens is None or self.output_tokens is None:
            return None
        return self.input_tokens + self.output_tokens


class ModelRequest(Frozen):
    """What was sent to the model. ``system`` is apart from ``messages``; ``parameters`` is everything else in the body,
    without messages, tools, model and the stream flag. ``previous`` is the id of the answer that it continues on the server.
    """

    model: str | None
    system: str | None
    messages: tuple[Message, ...]
    tools: tuple[ToolSchema, ...]
    parameters: dict[str, Plain] = {}
    previous: str | None = None
    stream: bool = False


class ModelResponse(Frozen):
    """What the model answered. ``response_id`` is the provider's id, volatile; ``error`` is set when it is a failure instead."""

    response_id: str | None = None
    model: str | None = None
    parts: tuple[Part, ...] = ()
    stop_reason: StopReason | None = None
    stop_reason_raw: str | None = None
    usage: Usage | None = None
    error: str | None = None
    complete: bool = True


class ModelCall(Frozen):
    """One call: the interaction it was recorded in, the adapter that read it, and both halves.

    ``request`` is None where the format holds none. ``response`` is None where no answer was recorded.
    ``key`` is the stored request hash, ``http_status`` the recorded status (None at the SDK), ``seconds`` how long the call took.
    """

    interaction: int
    provider: str
    request: ModelRequest | None
    response: ModelResponse | None
    key: str | None = None
    http_status: int | None = None
    recorded_at: float | None = None
    seconds: float | None = None
