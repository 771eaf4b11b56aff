"""What the agent did: the ordered steps of each conversation of a cassette."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from reviewlib.model.call import Media, StopReason, ToolSchema, Usage
from reviewlib.model.cassette import Cassette, Fact
from reviewlib.model.frozen import Frozen, Plain
from reviewlib.model.leak import Leak


class SystemPrompt(Frozen):
    """What the harness tells the model before everything else. ``turn`` is the first turn that was sent with it."""

    kind: Literal["system_prompt"] = "system_prompt"
    index: int
    turn: int
    text: str


class UserMessage(Frozen):
    """A message from the user's side. ``turn`` is the turn that answers it. ``media`` are attachments."""

    kind: Literal["user_message"] = "user_message"
    index: int
    turn: int
    text: str
    media: tuple[Media, ...] = ()


class AssistantText(Frozen):
    """Words of the model, for the user or beside its calls."""

    kind: Literal["assistant_text"] = "assistant_text"
    index: int
    turn: int
    text: str


class Reasoning(Frozen):
    """Thinking of the model; ``text`` is None where the provider withholds it. Shown, never compared."""

    kind: Literal["reasoning"] = "reasoning"
    index: int
    turn: int
    text: str | None


class ToolCall(Frozen):
    """A tool call with its result.

    ``call`` is ``call-1``… by order of appearance in the conversation: provider ids are volatile. ``arguments`` is None with
    ``arguments_raw`` set where they could not be parsed. ``result`` counts only where ``result_recorded``.
    ``is_error`` is None where the format does not say. ``executed`` is None where the recorder does not see executions,
    False where it does and saw none. ``result_message`` is the place of the message that holds the result in the history that was sent;
    None where no request holds it.
    """

    kind: Literal["tool_call"] = "tool_call"
    index: int
    turn: int
    text: str = ""
    tool: str
    call: str
    arguments: Plain = None
    arguments_raw: str | None = None
    server_side: bool = False
    result: Plain = None
    result_recorded: bool = False
    is_error: bool | None = None
    executed: bool | None = None
    result_message: int | None = None
    origin: Literal["native", "text"] = "native"


class Failure(Frozen):
    """A call of the model that ended without an answer, and nothing retried it. ``text`` is the provider's message."""

    kind: Literal["failure"] = "failure"
    index: int
    turn: int
    text: str
    http_status: int | None = None


Step: TypeAlias = Annotated[
    SystemPrompt | UserMessage | AssistantText | Reasoning | ToolCall | Failure, Field(discriminator="kind")
]


class Attempt(Frozen):
    """A failed try that a success of the same request followed: transport, not behaviour."""

    interaction: int
    http_status: int | None
    text: str


class Turn(Frozen):
    """One model response, and what was asked with it.

    ``turn`` counts from 1, ``interaction`` from 0 in the cassette. ``tools`` and ``parameters`` are what the request offered
    (None: not recorded). ``key`` is the stored request hash, ``seconds`` how long the call took: shown, never compared. ``first`` and ``end`` bound the turn's steps
    in the trajectory: ``steps[first:end]`` are the answer's steps, without the user messages before it.
    ``recorded`` is False where the answer itself is not in the cassette: its steps were read from the history of a later request (it was
    handed over, or overwritten by another run), or from tool runs alone. Its usage, model and stop reason are unknown then.
    """

    turn: int
    interaction: int
    provider: str
    requested_model: str | None = None
    model: str | None = None
    stop_reason: StopReason | None = None
    stop_reason_raw: str | None = None
    http_status: int | None = None
    usage: Usage | None = None
    response_id: str | None = None
    tools: tuple[ToolSchema, ...] | None = None
    parameters: dict[str, Plain] | None = None
    key: str | None = None
    recorded_at: float | None = None
    seconds: float | None = None
    attempts: tuple[Attempt, ...] = ()
    first: int
    end: int
    recorded: bool = True


class Trajectory(Frozen):
    """The steps of one conversation, in order; ``steps[i].index == i``."""

    turns: tuple[Turn, ...]
    steps: tuple[Step, ...]

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The tool calls, in the order called."""
        return tuple(step for step in self.steps if isinstance(step, ToolCall))

    @property
    def tools(self) -> tuple[str, ...]:
        """The names of the tools, in the order called."""
        return tuple(call.tool for call in self.calls)


class OtherTraffic(Frozen):
    """An interaction that is no model call."""

    interaction: int
    method: str | None
    uri: str | None
    http_status: int | None


class Recording(Frozen):
    """A cassette that was read to the end: its conversations, in the order of their first interaction, and the rest. ``leaks`` are its secrets."""

    cassette: Cassette
    conversations: tuple[Trajectory, ...]
    other_traffic: tuple[OtherTraffic, ...] = ()
    not_recorded: tuple[Fact, ...] = ()
    notes: tuple[str, ...] = ()
    orphans: tuple[str, ...] = ()
    doubt: str = ""
    leaks: tuple[Leak, ...] = ()

    @property
    def path(self) -> str:
        """Where the cassette is; an ``Unreadable`` has one, too."""
        return self.cassette.path

    @property
    def content(self) -> str:
        """Its content id; an ``Unreadable`` has one, too."""
        return self.cassette.content
