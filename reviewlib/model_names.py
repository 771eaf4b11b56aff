"""Names of models: which ones are one family served under several names."""

import re

_DATED = re.compile(r"[-@](?:20\d{2}-?\d{2}-?\d{2}|\d{8}|latest|preview-\d{2}-\d{2}|v\d+(?::\d+)?|\d{3})$")
_ROUTED = re.compile(r"^(?:[\w.-]+/)*(?:(?:us|eu|apac|global)\.)?(?:anthropic\.|meta\.|amazon\.|cohere\.|mistral\.)?")


def family(model: str) -> str:
    """Return a model's name without the date of its snapshot and without the route to it.

    ``gpt-5-mini-2025-08-07`` and ``openai/gpt-5-mini`` are both ``gpt-5-mini``.
    """
    name = _ROUTED.sub("", model.strip().lower())
    while True:
        shorter = _DATED.sub("", name)
        if shorter == name:
            return name
        name = shorter
