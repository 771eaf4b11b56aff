"""The canonical form of what two readings are compared by: what a diff is applied to, and what comes out of it.

Left out is what is volatile: ids, times, signatures, reasoning, key order, null padding. Numbers are unified, parallel calls are sorted by tool
and arguments, and conversations by content. A diff is an edit script over it (``apply.py``).

A form is a dictionary: ``conversations``, each with ``system_prompts``, ``user_messages``, the places of the turns that they are ``answered_by``, ``hash``, ``manner`` and ``turns``, each with its
``text``, ending, settings and ``calls``; and ``usage``.
"""

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from reviewlib.acts import Act, acts_of
from reviewlib.diff.prose import manner
from reviewlib.diff.requests import hash_of, prompts_of, sent, shown_prompt, tools_form
from reviewlib.diff.steps import arguments_form
from reviewlib.diff.turns import ending_form
from reviewlib.model.trajectory import SystemPrompt, ToolCall, Trajectory, UserMessage
from reviewlib.usage import BUCKETS, total_usage
from reviewlib.values import canonical

Form: TypeAlias = dict[str, Any]
"""A canonical form, or a part of one: plain values only."""


def form_of(conversations: Sequence[Trajectory]) -> Form:
    """Return the canonical form of a cassette's conversations. Compare forms with ``values.same``."""
    return whole([conversation_form(item) for item in conversations], usage_form(conversations))


def whole(conversations: Iterable[Form], usage: Form | None) -> Form:
    """Put conversations and token totals together; the order of conversations does not count."""
    return {"conversations": sorted(conversations, key=canonical), "usage": usage}


def usage_form(conversations: Sequence[Trajectory]) -> Form | None:
    """Return the token totals by bucket, or None where a turn does not say."""
    usage = total_usage(conversations)
    return None if usage is None else {bucket: getattr(usage, bucket) for bucket in BUCKETS}


def conversation_form(trajectory: Trajectory) -> Form:
    """Return the form of one conversation."""
    turns = [{**turn_form(act), "calls": sorted_calls(map(call_form, act.calls))} for act in acts_of(trajectory)]
    return {**frame_form(trajectory), "turns": turns}


def frame_form(trajectory: Trajectory) -> Form:
    """Return the form of what belongs to a conversation as a whole."""
    return {
        "system_prompts": [shown_prompt(step) for step in prompts_of(trajectory, SystemPrompt)],
        "user_messages": [shown_prompt(step) for step in prompts_of(trajectory, UserMessage)],
        "answered_by": [step.turn - 1 for step in prompts_of(trajectory, UserMessage)],
        "hash": hash_of(next(iter(trajectory.turns), None)),
        "manner": manner(trajectory),
    }


def turn_form(act: Act) -> Form:
    """Return the form of a turn, without its calls."""
    turn = act.turn
    return {
        "text": act.text,
        **ending_form(act),
        "models": {"requested": turn.requested_model, "served": turn.model},
        "tools": None if turn.tools is None else tools_form(turn.tools),
        "parameters": None if turn.parameters is None else sent(turn.parameters),
    }


def call_form(call: ToolCall) -> Form:
    """Return the form of a call with its result; a result that is not recorded is left out."""
    form: Form = {"tool": call.tool, "arguments": arguments_form(call), "is_error": call.is_error}
    return {**form, "result": call.result} if call.result_recorded else form


def sorted_calls(calls: Iterable[Form]) -> list[Form]:
    """Put parallel calls in their canonical order: by tool, then by arguments, then by what came of them."""
    return sorted(calls, key=lambda call: (call["tool"], canonical(call["arguments"]), canonical(call)))
