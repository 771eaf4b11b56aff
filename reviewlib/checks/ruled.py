"""Checks of what the project's rules say: tools, their order, the number of steps, and the words of the answer."""

from collections.abc import Iterator
from itertools import pairwise

from reviewlib.checks.appearance import holds, mentions, plain
from reviewlib.checks.check import Check, Given, Sighting
from reviewlib.model.trajectory import AssistantText, Recording, ToolCall, Trajectory, Turn
from reviewlib.policy import Rule
from reviewlib.policy.globs import matches
from reviewlib.values import leaves

_LONGEST = 80


def rules_for(recording: Recording, given: Given) -> tuple[Rule, ...]:
    """Return the rules whose paths name this cassette."""
    return given.policy.rules_for(recording.path)


def forbidden_tools(recording: Recording, given: Given) -> Iterator[Sighting]:
    """See calls of tools that are never to be called."""
    for rule in rules_for(recording, given):
        for number, call in _calls(recording) if rule.forbidden_tools else ():
            if matches(rule.forbidden_tools, call.tool):
                yield Sighting(
                    f"{call.tool} was called, which is forbidden (forbidden_tools: {_listed(rule.forbidden_tools)})",
                    (number, call.index),
                    call.tool,
                )


def required_tools(recording: Recording, given: Given) -> Iterator[Sighting]:
    """See runs without a call that has to be made."""
    for rule in rules_for(recording, given):
        called = {call.tool for _, call in _calls(recording)} if rule.required_tools else set()
        for wanted in rule.required_tools:
            if not any(matches((wanted,), tool) for tool in called):
                seen = f"called were {_listed(sorted(called))}" if called else "nothing was called"
                yield Sighting(f"{wanted} was never called, which is required; {seen}", key=wanted)


def orders(recording: Recording, given: Given) -> Iterator[Sighting]:
    """See calls that were made before what has to come first. Calls of one turn have no order, so neither comes first."""
    for rule in rules_for(recording, given):
        for tools in rule.order:
            for number, conversation in enumerate(recording.conversations):
                for first, second in pairwise(tools):
                    yield from _too_early(number, conversation, first, second)


def _too_early(number: int, conversation: Trajectory, first: str, second: str) -> Iterator[Sighting]:
    calls = conversation.calls
    since = next((call.turn for call in calls if matches((first,), call.tool)), None)
    early = next((call for call in calls if matches((second,), call.tool)), None)
    if early is None or (since is not None and since < early.turn):
        return
    if since is None:
        seen = f"{first} was not called"
    else:
        seen = f"{first} was called {'in the same turn' if since == early.turn else 'only after it'}"
    yield Sighting(
        f"{early.tool} was called too early: {first} has to come before {second}, and {seen}",
        (number, early.index),
        f"{first} {second}",
    )


def long_runs(recording: Recording, given: Given) -> Iterator[Sighting]:
    """See conversations of more calls than are allowed. A run that takes still more, or fewer, is another fact."""
    for rule in rules_for(recording, given):
        for number, conversation in enumerate(recording.conversations) if rule.max_steps is not None else ():
            calls = conversation.calls
            if rule.max_steps is not None and len(calls) > rule.max_steps:
                yield Sighting(
                    f"{len(calls)} tool calls were made, where max_steps is {rule.max_steps}",
                    (number, calls[rule.max_steps].index),
                    str(len(calls)),
                )


def missing_texts(recording: Recording, given: Given) -> Iterator[Sighting]:
    """See final answers that lack what they have to say."""
    if "answers" in recording.not_recorded:
        return
    for rule in rules_for(recording, given):
        answers = _final_answers(recording) if rule.must_appear else ()
        said = [plain(text) for _, text in answers]
        for text in rule.must_appear:
            if not any(holds(answer, plain(text)) for answer in said):
                last = answers[-1] if answers else None
                seen = f"it says “{_short(last[1])}”" if last and last[1] else "there is none"
                yield Sighting(f"“{text}” has to appear in the final answer; {seen}", last[0] if last else None, text)


def unwanted_texts(recording: Recording, given: Given) -> Iterator[Sighting]:
    """See words of the model that hold what must never be said."""
    for rule in rules_for(recording, given):
        unwanted = [(text, plain(text)) for text in rule.must_not_appear]
        for number, step in _words(recording) if unwanted else ():
            said = plain(step.text)
            for text, as_plain in unwanted:
                if mentions(said, as_plain):
                    yield Sighting(
                        f"“{text}” must not appear, and turn {step.turn} says “{_short(step.text)}”",
                        (number, step.index),
                        text,
                    )


def _calls(recording: Recording) -> Iterator[tuple[int, ToolCall]]:
    for number, conversation in enumerate(recording.conversations):
        for call in conversation.calls:
            yield number, call


def _words(recording: Recording) -> Iterator[tuple[int, AssistantText]]:
    for number, conversation in enumerate(recording.conversations):
        for step in conversation.steps:
            if isinstance(step, AssistantText):
                yield number, step


def _final_answers(recording: Recording) -> tuple[tuple[tuple[int, int], str], ...]:
    """Return what the run says at its end, and at which step: of several conversations the one that ends last.

    Where the order of the recording tells nothing, every conversation is as final as the others.
    """
    endings = [(item.turns[-1], number) for number, item in enumerate(recording.conversations) if item.turns]
    if recording.cassette.ordered and endings:
        endings = [max(endings, key=lambda ending: ending[0].interaction)]
    return tuple(
        ((number, max(turn.end - 1, 0)), _said(recording.conversations[number], turn)) for turn, number in endings
    )


def _said(conversation: Trajectory, turn: Turn) -> str:
    """Return the words of a turn; where it has none, its answer may be what it calls a tool with."""
    steps = conversation.steps[turn.first : turn.end]
    words = [step.text for step in steps if isinstance(step, AssistantText)]
    if not words:
        calls = [step for step in steps if isinstance(step, ToolCall)]
        words = [
            str(leaf) for call in calls for leaf in leaves([call.arguments, call.arguments_raw]) if leaf is not None
        ]
    return "\n".join(words)


def _listed(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(names[:8]) + (" …" if len(names) > 8 else "")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


CHECKS = (
    Check("forbidden-tool", "A forbidden tool was called", "error", ruled=forbidden_tools),
    Check("required-tool", "A required tool was not called", "error", ruled=required_tools),
    Check("order", "A tool was called before what has to come first", "error", ruled=orders),
    Check("max-steps", "Too many tool calls", "error", ruled=long_runs),
    Check("must-appear", "The answer lacks what it has to say", "error", ruled=missing_texts),
    Check("must-not-appear", "Something was said that must not be", "error", ruled=unwanted_texts),
)
