"""What the dialects' token counts have in common."""

from reviewlib.model.call import Usage
from reviewlib.providers._plain import Tree, count, total, tree


def with_reasoning(
    written: int | None, thought: int | None, others: tuple[int | None, ...], whole: int | None
) -> int | None:
    """The output tokens with the reasoning ones.

    Some hosts leave reasoning out of what was ``written``; the ``whole`` tells: it is the sum of the parts (``others`` are the
    input), with reasoning as a part of its own or without.
    """
    if not thought or written is None or whole is None:
        return written
    return written + thought if whole == total((*others, written, thought)) else written


def google_counts(usage: Tree) -> Usage | None:
    """Google's ``usageMetadata``: the prompt includes what was cached; what its own tools put into it is counted apart."""
    sent, tools = count(usage.get("promptTokenCount")), count(usage.get("toolUsePromptTokenCount"))
    written = count(usage.get("candidatesTokenCount", usage.get("responseTokenCount")))
    thought = count(usage.get("thoughtsTokenCount"))
    if sent is None and written is None:
        return None
    whole = count(usage.get("totalTokenCount"))
    if written is None and (thought or whole == sent):  # nothing but thoughts, or nothing at all, was written
        written = 0
    return Usage(
        input_tokens=None if sent is None else total((sent, tools)),
        output_tokens=with_reasoning(written, thought, (sent, tools), whole),
        cache_read_tokens=count(usage.get("cachedContentTokenCount")),
        reasoning_tokens=thought,
    )


def openai_counts(usage: Tree) -> Usage | None:
    """The ``usage`` of OpenAI's chat and completions: ``prompt_tokens`` includes the cached ones."""
    if not usage:
        return None
    sent, written = count(usage.get("prompt_tokens")), count(usage.get("completion_tokens"))
    details = tree(usage.get("prompt_tokens_details"))
    thought = count(tree(usage.get("completion_tokens_details")).get("reasoning_tokens"))
    return Usage(
        input_tokens=sent,
        output_tokens=with_reasoning(written, thought, (sent,), count(usage.get("total_tokens"))),
        cache_read_tokens=count(details.get("cached_tokens")),
        cache_write_tokens=count(details.get("cache_write_tokens")),
        reasoning_tokens=thought,
    )
