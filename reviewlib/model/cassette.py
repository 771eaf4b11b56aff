"""What one recorded file holds, in the order its recorder wrote it, before any provider's dialect is read."""

from typing import Literal, TypeAlias

from pydantic import Field

from reviewlib.model.frozen import Frozen, Plain
from reviewlib.model.leak import Leak

Fact: TypeAlias = Literal[
    "requests",
    "system_prompt",
    "user_messages",
    "tool_schemas",
    "parameters",
    "requested_model",
    "tool_results",
    "tool_errors",
    "usage",
    "model",
    "stop_reasons",
    "http_status",
    "model_calls",
    "answers",
]
"""Something a format may not hold (``answers``: what the model said, where only requests were stored). What is listed as not recorded is never shown as equal, nor as absent."""


class File(Frozen):
    """One file as its source gave it: ``path`` relative to the source's root, its blob id, and its bytes.

    ``missing`` says in one sentence why the bytes are not at hand (a partial clone, a refused permission, too large);
    ``data`` is empty then, and the file is an ``Unreadable`` of stage ``load``.
    """

    path: str
    blob: str
    data: bytes = Field(repr=False)
    missing: str | None = None


class Request(Frozen):
    """What was sent. ``body`` is the decoded tree where it was JSON, otherwise text or bytes, None where it was empty.

    ``method`` and ``uri`` are None for recorders that sit at the SDK. ``headers`` are lower-cased and masked.
    """

    method: str | None = None
    uri: str | None = None
    headers: dict[str, str] = {}
    body: Plain = None


class Response(Frozen):
    """What came back. ``body`` is the decoded tree where it was JSON, text for an SSE or NDJSON stream, else bytes.

    ``chunks`` holds the already parsed events of a recorder that stores a stream as a list; ``body`` is None then.
    ``status`` is None for recorders that sit at the SDK.
    """

    status: int | None = None
    headers: dict[str, str] = {}
    body: Plain = None
    chunks: tuple[Plain, ...] | None = None


class Exchange(Frozen):
    """One request with its answer. Either side is None where the format does not hold it.

    ``key`` is the request hash of formats that store one. ``recorded_at`` is in seconds since the epoch, ``seconds`` is how long the call
    took: shown, never compared. ``model`` is the requested model where the recorder notes it beside the request.
    """

    kind: Literal["exchange"] = "exchange"
    index: int
    request: Request | None
    response: Response | None
    key: str | None = None
    recorded_at: float | None = None
    seconds: float | None = None
    model: str | None = None


class ToolExecution(Frozen):
    """A tool run that the recorder saw itself. ``call_id`` is the provider's id of the call, where it is stored.

    ``arguments_sha`` is the hash of the arguments, for formats that hold only that (``name-hash-map``: the first 16 hex digits of
    sha256 over compact JSON with sorted keys, numbers written as JavaScript does). ``result_recorded`` is False where the run was
    seen to begin but not to end.
    """

    kind: Literal["tool"] = "tool"
    index: int
    tool: str
    arguments: Plain = None
    arguments_recorded: bool = True
    arguments_sha: str | None = None
    result: Plain = None
    result_recorded: bool = True
    is_error: bool | None = None
    call_id: str | None = None


Interaction: TypeAlias = Exchange | ToolExecution


class Cassette(Frozen):
    """One recording. ``format`` is the adapter's name, ``content`` its content id (a blob id, or a tree id of several files).

    ``ordered`` is False where file order tells nothing (a folder of files named by request hash).
    ``sees_executions``: the recorder sees tools run (whether or not any ran here), so a call that it saw no run of was not executed.
    ``synthetic`` marks hand-written recordings. ``size`` is in bytes, of all its files together; None is unknown. ``notes`` are sentences for a person ("read by the generic fallback").
    """

    path: str
    content: str
    format: str
    interactions: tuple[Interaction, ...]
    not_recorded: tuple[Fact, ...] = ()
    ordered: bool = True
    sees_executions: bool = False
    synthetic: bool = False
    recorded_at: float | None = None
    size: int | None = None
    notes: tuple[str, ...] = ()


class Unreadable(Frozen):
    """A cassette that could not be read: the stage that gave up, and why, in one sentence. ``leaks`` are the secrets in its bytes."""

    path: str
    content: str
    stage: Literal["load", "decode", "recognise", "parse"]
    reason: str
    leaks: tuple[Leak, ...] = ()
