"""Does a history hold this answer? How well a recorded answer agrees with what a later request sends back in its place."""

from collections import Counter
from collections.abc import Sequence
from enum import IntEnum

from reviewlib.model.call import CallPart, ModelResponse, Part
from reviewlib.trajectory.history import call_key


class Evidence(IntEnum):
    """From contradiction to proof."""

    CONFLICT = 0
    """The history holds calls that this answer did not make."""
    DIFFERENT = 1
    """Other words, or other arguments without ids that could tell."""
    SILENT = 2
    """Nothing to compare."""
    OTHER_IDS = 3
    """The same calls under other ids: another recording of the same answer."""
    ALIKE = 4
    """The same calls or words."""
    SAME_IDS = 5
    """A provider id of the answer stands in the history."""


def evidence(answer: ModelResponse | None, sent_back: Sequence[Part]) -> Evidence:
    """Weigh the assistant's parts that follow a request in a later history against the answer recorded for it.

    Histories may lack the calls of an answer (``keyed-jsonl`` keeps role and content alone), or their ids.
    """
    if answer is None or answer.error is not None or not answer.complete or not sent_back:
        return Evidence.SILENT
    made, sent = _calls(answer.parts), _calls(sent_back)
    if not sent:
        return _words_agree(answer.parts, sent_back)
    made_ids, sent_ids = call_ids(made), call_ids(sent)
    if made_ids & sent_ids:
        return Evidence.SAME_IDS
    both_have_ids = bool(made_ids and sent_ids)
    if made and Counter(map(call_key, made)) == Counter(map(call_key, sent)):
        return Evidence.OTHER_IDS if both_have_ids else Evidence.ALIKE
    if both_have_ids or (sent_ids and not made):
        return Evidence.CONFLICT
    return Evidence.DIFFERENT


def call_ids(parts: Sequence[Part]) -> frozenset[str]:
    """Return the provider's ids of the calls among these parts."""
    return frozenset(part.call_id for part in parts if part.kind == "call" and part.call_id)


def _calls(parts: Sequence[Part]) -> tuple[CallPart, ...]:
    """Leave calls that were read out of prose to the comparison of words."""
    return tuple(part for part in parts if part.kind == "call" and part.origin == "native")


def _words_agree(made: Sequence[Part], sent: Sequence[Part]) -> Evidence:
    """Compare words without white space; harnesses cut a part off (ReAct observations, think tags), so either may hold the other."""
    said, back = _words(made), _words(sent)
    if not back:
        return Evidence.SILENT
    if said and (said in back or back in said):
        return Evidence.ALIKE
    return Evidence.DIFFERENT


def _words(parts: Sequence[Part]) -> str:
    return "".join("".join(part.text.split()) for part in parts if part.kind == "text")
