"""Changes of what the harness sends: prompts, user messages, tool schemas, parameters, models and request hashes.

Each distinct edit is told once in a pair, however many turns were sent with it.
"""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from reviewlib.align import align
from reviewlib.diff.draft import Draft, Place, Sides, draft
from reviewlib.diff.matching import Matching
from reviewlib.model.call import ToolSchema
from reviewlib.model.change import Absent, ChangeKind, Detail, Significance
from reviewlib.model.frozen import Plain
from reviewlib.model.trajectory import SystemPrompt, Trajectory, Turn, UserMessage
from reviewlib.model_names import family
from reviewlib.placeholders import stands_for, without_placeholders
from reviewlib.values import canonical, differing, same

HASHED = "template_sha"
"""A parameter that some harnesses record in place of the prompt: its change is a ``request_hash``."""

Prompt: TypeAlias = SystemPrompt | UserMessage


def prompt_pairs(
    baseline: Trajectory, head: Trajectory, kind: type[SystemPrompt] | type[UserMessage]
) -> list[tuple[Prompt | None, Prompt | None]]:
    """Match the system prompts, or the user messages, of two trajectories: equal ones, then in order between those."""
    one: list[Prompt] = [step for step in baseline.steps if isinstance(step, kind)]
    other: list[Prompt] = [step for step in head.steps if isinstance(step, kind)]
    pairs: list[tuple[Prompt | None, Prompt | None]] = []
    alone: tuple[list[Prompt], list[Prompt]] = ([], [])

    def settle() -> None:
        both = min(len(alone[0]), len(alone[1]))
        pairs.extend(zip(alone[0][:both], alone[1][:both], strict=True))
        pairs.extend((step, None) for step in alone[0][both:])
        pairs.extend((None, step) for step in alone[1][both:])
        alone[0].clear()
        alone[1].clear()

    for i, j in align([_prompt_key(step) for step in one], [_prompt_key(step) for step in other]):
        if i is not None and j is not None:
            settle()
            pairs.append((one[i], other[j]))
        elif i is not None:
            alone[0].append(one[i])
        elif j is not None:
            alone[1].append(other[j])
    settle()
    return pairs


def _prompt_key(step: Prompt) -> tuple[str, ...]:
    media = step.media if isinstance(step, UserMessage) else ()
    return (step.text.strip(), *(f"{item.media_type} {item.digest or item.url}" for item in media))


def prompt_drafts(
    baseline: Trajectory, head: Trajectory, conversation: int, sides: Sides, unknown: frozenset[str]
) -> Iterator[Draft]:
    """Yield edited, added and dropped system prompts and user messages. ``unknown`` are the facts a side does not record."""
    kinds: tuple[tuple[ChangeKind, type[SystemPrompt | UserMessage], str], ...] = (
        ("system_prompt", SystemPrompt, "system_prompt"),
        ("user_message", UserMessage, "user_messages"),
    )
    for kind, step_type, fact in kinds:
        if fact in unknown:
            continue
        for one, other in prompt_pairs(baseline, head, step_type):
            if (
                one
                and other
                and (_prompt_key(one) == _prompt_key(other) or stands_for(shown_prompt(one), shown_prompt(other)))
            ):
                continue
            details = (
                Detail(
                    path="",
                    baseline=shown_prompt(one) if one else Absent(),
                    head=shown_prompt(other) if other else Absent(),
                ),
            )
            yield draft(kind, "request", Place(conversation), sides, one, other, details=details)


def shown_prompt(step: Prompt) -> str:
    """Return the words of a prompt, and a line for each attachment."""
    return "\n".join((step.text, *_prompt_key(step)[1:]))


def setting_drafts(matching: Matching, conversation: int, sides: Sides) -> Iterator[Draft]:
    """Yield changed tool schemas, parameters and models of corresponding turns, and the first turn's changed hash."""
    seen: set[tuple[str, str]] = set()
    for i, j in matching.slots:
        if i is None or j is None:
            continue
        one, other = matching.baseline[i].turn, matching.head[j].turn
        for kind, significance, details in _settings(one, other):
            key = (kind, canonical([[d.path, _plain(d.baseline), _plain(d.head)] for d in details]))
            if details and key not in seen:
                seen.add(key)
                yield draft(kind, significance, Place(conversation), sides, details=details)
    if matching.baseline and matching.head:
        yield from _hash_drafts(matching.baseline[0].turn, matching.head[0].turn, conversation, sides)


def _plain(value: Plain) -> Plain:
    return {"\0absent": True} if isinstance(value, Absent) else value


def _settings(one: Turn, other: Turn) -> Iterator[tuple[ChangeKind, Significance, tuple[Detail, ...]]]:
    yield "model", _model_significance(one, other), tuple(_model_details(one, other))
    if one.tools is not None and other.tools is not None and one.tools is not other.tools:
        yield "tool_schema", "request", without_placeholders(tuple(_schema_details(one.tools, other.tools)))
    if one.parameters is not None and other.parameters is not None:
        details = differing(_sent(one.parameters), _sent(other.parameters))
        yield "parameters", "request", without_placeholders(details)


def _sent(parameters: dict[str, Plain]) -> dict[str, Plain]:
    """Drop what an SDK pads with null, and the template hash, which is told apart."""
    return {key: value for key, value in parameters.items() if value is not None and key != HASHED}


def _model_details(one: Turn, other: Turn) -> Iterator[Detail]:
    for path, left, right in (
        ("requested", one.requested_model, other.requested_model),
        ("served", one.model, other.model),
    ):
        if left is not None and right is not None and left != right:
            yield Detail(path=path, baseline=left, head=right)


def _model_significance(one: Turn, other: Turn) -> Significance:
    served = one.model, other.model
    if served[0] is not None and served[1] is not None and family(served[0]) != family(served[1]):
        return "behaviour"
    return "request"


def _schema_details(one: Sequence[ToolSchema], other: Sequence[ToolSchema]) -> Iterator[Detail]:
    left, right = {tool.name: tool for tool in one}, {tool.name: tool for tool in other}
    for name in dict.fromkeys([*left, *right]):
        if name not in right:
            yield Detail(path=name, baseline="offered", head=Absent())
        elif name not in left:
            yield Detail(path=name, baseline=Absent(), head="offered")
        else:
            yield from _tool_details(name, left[name], right[name])
    common = [name for name in left if name in right], [name for name in right if name in left]
    if common[0] != common[1]:
        yield Detail(path="order", baseline=common[0], head=common[1])


def _tool_details(name: str, one: ToolSchema, other: ToolSchema) -> Iterator[Detail]:
    if (one.description or "") != (other.description or ""):
        yield Detail(path=f"{name}.description", baseline=one.description, head=other.description)
    for left, right in ((one.schema_, other.schema_), (one.options, other.options)):
        if not same(left, right):
            for detail in differing(left, right):
                yield detail.model_copy(update={"path": f"{name}.{detail.path}" if detail.path else name})


def _hash_drafts(one: Turn, other: Turn, conversation: int, sides: Sides) -> Iterator[Draft]:
    hashes = [
        (turn.key if turn.parameters is None else None, (turn.parameters or {}).get(HASHED)) for turn in (one, other)
    ]
    for left, right in zip(hashes[0], hashes[1], strict=True):
        if left is not None and right is not None and left != right:
            details = (Detail(path="hash", baseline=left, head=right),)
            yield draft("request_hash", "request", Place(conversation), sides, details=details)
            return
