"""Which test recorded a cassette, by the cassette's path."""

import re


def test_id(path: str) -> str | None:
    """The pytest id of the test that recorded a cassette, by its path; None where the path does not tell.

    pytest-recording and pytest-agentreplay write ``tests/cassettes/test_refund/test_flow[eu].yaml`` for
    ``tests/test_refund.py::test_flow[eu]``, and ``TestRefund.test_flow.yaml`` for a method of a class.
    """
    parts = path.split("/")
    if len(parts) < 3 or parts[-3] != "cassettes" or not parts[-2].startswith("test"):
        return None
    plain, bracket, parameters = _without_suffix(parts[-1]).partition("[")
    *classes, function = plain.split(".")
    if not function.startswith("test"):
        return None
    module = "/".join((*parts[:-3], f"{parts[-2]}.py"))
    return "::".join((module, *classes, f"{function}{bracket}{parameters}"))


test_id.__test__ = False  # type: ignore[attr-defined]  # by its name pytest would collect it where a test imports it


def _without_suffix(name: str) -> str:
    """Take ``.yaml``, ``.json``, ``.yaml.gz`` … off a file name; a dot inside brackets belongs to a parameter."""
    end = name.rfind("]") + 1
    if end:
        return name[:end]
    return re.sub(r"(\.(ya?ml|jsonl?|ndjson|toml|txt))?(\.gz)?$", "", name)
