"""Changes of what the harness sends: prompts, user messages, tool schemas, parameters, models and request hashes.

Each distinct edit is told once in a pair, however many turns were sent with it.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from reviewlib.align import align
from reviewlib.diff.draft import Place, Sides, Told, draft
from reviewlib.diff.matching import Matching
from reviewlib.model.call import ToolSchema
from reviewlib.model.change import Absent, ChangeKind, Detail, Edit, Significance
from reviewlib.model.frozen import Plain
from reviewlib.model.trajectory import SystemPrompt, Trajectory, Turn, UserMessage
from reviewlib.model_names import family
from reviewlib.placeholders import stands_for, without_placeholders
from reviewlib.values import canonical, differences, differing, same

HASHED = "template_sha"
"""A parameter that some harnesses record in place of the prompt: its change is a ``request_hash``."""

Prompt: TypeAlias = SystemPrompt | UserMessage


def prompts_of(trajectory: Trajectory, kind: type[SystemPrompt | UserMessage]) -> list[Prompt]:
    """Return the system prompts, or the user messages, of a trajectory."""
    return [step for step in trajectory.steps if isinstance(step, kind)]


def prompt_pairs(
    baseline: Trajectory, head: Trajectory, kind: type[SystemPrompt] | type[UserMessage]
) -> list[tuple[Prompt | None, Prompt | None]]:
    """Match the system prompts, or the user messages, of two trajectories: equal ones, then in order between those."""
    one, other = prompts_of(baseline, kind), prompts_of(head, kind)
    keys = [_prompt_key(step) for step in one], [_prompt_key(step) for step in other]
    if keys[0] == keys[1]:
        return list(zip(one, other, strict=True))
    pairs: list[tuple[Prompt | None, Prompt | None]] = []
    alone: tuple[list[Prompt], list[Prompt]] = ([], [])

    def settle() -> None:
        both = min(len(alone[0]), len(alone[1]))
        pairs.extend(zip(alone[0][:both], alone[1][:both], strict=True))
        pairs.extend((step, None) for step in alone[0][both:])
        pairs.extend((None, step) for step in alone[1][both:])
        alone[0].clear()
        alone[1].clear()

    for i, j in align(*keys):
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
) -> Iterator[Told]:
    """Yield edited, added and dropped system prompts and user messages. ``unknown`` are the facts a side does not record."""
    kinds: tuple[tuple[ChangeKind, type[SystemPrompt | UserMessage], str], ...] = (
        ("system_prompt", SystemPrompt, "system_prompt"),
        ("user_message", UserMessage, "user_messages"),
    )
    for kind, step_type, fact in kinds:
        for one, other, place in placed_prompts(prompt_pairs(baseline, head, step_type)):
            if one and other and _prompt_key(one) == _prompt_key(other):
                continue
            detail = Detail(
                path="",
                baseline=shown_prompt(one) if one else Absent(),
                head=shown_prompt(other) if other else Absent(),
            )
            edit = Edit(
                conversation=conversation,
                action="set",
                what="conversation",
                field=f"{kind}s",
                details=(detail.model_copy(update={"path": f"[{place}]"}),),
            )
            if fact in unknown:
                yield edit.model_copy(update={"reason": "unknown"})
            elif one and other and stands_for(detail.baseline, detail.head):
                yield edit.model_copy(update={"reason": "placeholder"})
            else:
                yield draft(kind, "request", Place(conversation), sides, one, other, details=(detail,), edits=(edit,))


def placed_prompts(
    pairs: Iterable[tuple[Prompt | None, Prompt | None]],
) -> Iterator[tuple[Prompt | None, Prompt | None, int]]:
    """Add the place among the baseline's prompts, or head's for one that only head has."""
    i = j = 0
    for one, other in pairs:
        yield one, other, i if one is not None else j
        i += one is not None
        j += other is not None


def shown_prompt(step: Prompt) -> str:
    """Return the words of a prompt, and a line for each attachment."""
    return "\n".join(_prompt_key(step))


def setting_drafts(matching: Matching, conversation: int, sides: Sides) -> Iterator[Told]:
    """Yield changed tool schemas, parameters and models of corresponding turns, and the first turn's changed hash."""
    found: dict[tuple[str, str], tuple[_Setting, list[Edit]]] = {}
    known: dict[tuple[Hashable, ...], tuple[_Setting, ...]] = {}
    for i, j in matching.slots:
        if i is None or j is None:
            continue
        one, other = matching.baseline[i].turn, matching.head[j].turn
        yield from _unknown_settings(one, other, conversation, i)
        offers = _identity(one.tools), _identity(other.tools)
        if offers not in known:
            known[offers] = tuple(_offered(one, other))
        parameters = id(one.parameters), id(other.parameters)
        if parameters not in known:
            known[parameters] = tuple(_asked(one, other))
        for setting in (_model_setting(one, other), *known[offers], *known[parameters]):
            if setting.details:
                key = setting.kind, _written(setting.details)
                found.setdefault(key, (setting, []))[1].append(_set(conversation, i, setting.field, setting.own))
            if setting.silent:
                yield _set(conversation, i, setting.field, setting.silent, "placeholder")
    for setting, edits in found.values():
        place = Place(conversation)
        yield draft(setting.kind, setting.significance, place, sides, details=setting.details, edits=tuple(edits))
    first = [acts[0].turn if acts else None for acts in (matching.baseline, matching.head)]
    yield from _hash_drafts(first[0], first[1], conversation, sides)


@dataclass(frozen=True, slots=True)
class _Setting:
    """What differs in one setting of a turn. ``own`` are the details of its edit where they are not those that are shown."""

    kind: ChangeKind
    significance: Significance
    field: str
    details: tuple[Detail, ...]
    own: tuple[Detail, ...] | None = None
    silent: tuple[Detail, ...] = ()


def _set(
    conversation: int,
    place: int,
    field: str,
    details: tuple[Detail, ...] | None,
    reason: Literal["", "placeholder", "unknown"] = "",
) -> Edit:
    return Edit(
        conversation=conversation,
        action="set",
        what="turn",
        place=place,
        field=field,
        details=details,
        reason=reason,
    )


def _written(details: tuple[Detail, ...]) -> str:
    return canonical([[d.path, _plain(d.baseline), _plain(d.head)] for d in details])


def _plain(value: Plain) -> Plain:
    return {"\0absent": True} if isinstance(value, Absent) else value


def _model_setting(one: Turn, other: Turn) -> _Setting:
    return _Setting("model", _model_significance(one, other), "models", tuple(_model_details(one, other)))


def _identity(tools: Sequence[ToolSchema] | None) -> tuple[int, ...] | None:
    return None if tools is None else tuple(map(id, tools))


def _offered(one: Turn, other: Turn) -> Iterator[_Setting]:
    """Yield what differs in the tools that were offered; turns share them, so it is looked at once for all of them."""
    if one.tools is not None and other.tools is not None and one.tools is not other.tools:
        details = tuple(_schema_details(one.tools, other.tools))
        if details:
            told = without_placeholders(details)
            whole = (Detail(path="", baseline=tools_form(one.tools), head=tools_form(other.tools)),)
            yield _Setting("tool_schema", "request", "tools", told, own=whole, silent=() if told else whole)


def _asked(one: Turn, other: Turn) -> Iterator[_Setting]:
    """Yield what differs in the parameters; turns may share them, too."""
    if one.parameters is not None and other.parameters is not None:
        details = differences(sent(one.parameters), sent(other.parameters))
        told = without_placeholders(details)
        silent = tuple(detail for detail in details if detail not in told) if len(told) < len(details) else ()
        yield _Setting("parameters", "request", "parameters", told, silent=silent)


def _unknown_settings(one: Turn, other: Turn, conversation: int, place: int) -> Iterator[Edit]:
    """Yield what only one side records."""
    for path, left, right in (
        ("requested", one.requested_model, other.requested_model),
        ("served", one.model, other.model),
    ):
        if (left is None) is not (right is None):
            yield _set(conversation, place, "models", (Detail(path=path, baseline=left, head=right),), "unknown")
    if (one.tools is None) is not (other.tools is None):
        forms = [None if tools is None else tools_form(tools) for tools in (one.tools, other.tools)]
        yield _set(conversation, place, "tools", (Detail(path="", baseline=forms[0], head=forms[1]),), "unknown")
    if (one.parameters is None) is not (other.parameters is None):
        parameters = [None if item is None else sent(item) for item in (one.parameters, other.parameters)]
        details = (Detail(path="", baseline=parameters[0], head=parameters[1]),)
        yield _set(conversation, place, "parameters", details, "unknown")


def tools_form(tools: Sequence[ToolSchema]) -> list[dict[str, Plain]]:
    """Return what is offered to the model, in order, as plain values."""
    return [
        {"name": tool.name, "description": tool.description or "", "schema": tool.schema_, "options": tool.options}
        for tool in tools
    ]


def sent(parameters: dict[str, Plain]) -> dict[str, Plain]:
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
    left, right = _by_name(one), _by_name(other)
    for name in dict.fromkeys([*left, *right]):
        if name not in right:
            yield Detail(path=name, baseline="offered", head=Absent())
        elif name not in left:
            yield Detail(path=name, baseline=Absent(), head="offered")
        elif left[name] is not right[name]:  # a tool that was read before is the same object, of whichever side
            yield from _tool_details(name, left[name], right[name])
    common = [name for name in left if name in right], [name for name in right if name in left]
    if common[0] != common[1]:
        yield Detail(path="order", baseline=common[0], head=common[1])


def _by_name(tools: Sequence[ToolSchema]) -> dict[str, ToolSchema]:
    """Return tools by their names; of several with one name, the later ones are numbered."""
    found: dict[str, ToolSchema] = {}
    for tool in tools:
        name, number = tool.name, 1
        while name in found:
            number += 1
            name = f"{tool.name} {number}"
        found[name] = tool
    return found


def _tool_details(name: str, one: ToolSchema, other: ToolSchema) -> Iterator[Detail]:
    if (one.description or "") != (other.description or ""):
        yield Detail(path=f"{name}.description", baseline=one.description, head=other.description)
    for left, right in ((one.schema_, other.schema_), (one.options, other.options)):
        if not same(left, right):
            for detail in differing(left, right):
                yield detail.model_copy(update={"path": f"{name}.{detail.path}" if detail.path else name})


def hash_of(turn: Turn | None) -> str | None:
    """Return the hash that stands for what a turn was sent, where one does."""
    if turn is None:
        return None
    return turn.key if turn.parameters is None else turn.parameters.get(HASHED)


def _hash_drafts(one: Turn | None, other: Turn | None, conversation: int, sides: Sides) -> Iterator[Told]:
    left, right = hash_of(one), hash_of(other)
    if left == right:
        return
    details = (Detail(path="hash", baseline=left, head=right),)
    edit = Edit(conversation=conversation, action="set", what="conversation")
    kinds = [turn is not None and turn.parameters is None for turn in (one, other)]
    if left is None or right is None or kinds[0] is not kinds[1]:
        yield edit.model_copy(update={"details": details, "reason": "unknown"})
    else:
        yield draft("request_hash", "request", Place(conversation), sides, details=details, edits=(edit,))
