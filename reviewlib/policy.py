"""What a project asks of a review, read from ``[tool.cassette-review]`` in pyproject.toml or from cassette-review.toml.

Pure: it gets texts, and the source decides whose (a comparison is judged by its baseline's policy, so that a branch
cannot loosen the rules it is judged by).
"""

import difflib
import hashlib
import json
import re
import shlex
import tomllib
from functools import lru_cache
from string import Formatter
from typing import Annotated, Literal, TypeAlias

from pydantic import Field, ValidationError, ValidationInfo, field_validator

from reviewlib.errors import PolicyError
from reviewlib.model.change import Significance
from reviewlib.model.frozen import Frozen, Plain

POLICY_FILES = ("pyproject.toml", "cassette-review.toml")
"""Where a policy may stand, at the top of the repository."""

DEFAULT_GLOBS = (
    "**/cassettes/**",
    "**/*cassettes*/**",
    "**/*recordings*/**",
    "**/__snapshots__/**",
    "**/testdata/**",
    "**/vcr*/**",
)

Setting: TypeAlias = Literal["error", "warning", "info", "off"]
"""The severity that a project gives to a finding; ``off`` turns its check off."""

AgentVerdicts: TypeAlias = Literal["count", "label", "refuse"]
"""What an automated reviewer's verdict is worth."""

_RECORD = ("test", "path")
_RERUN = ("branch", "commit")


class Policy(Frozen):
    """The rules of one project.

    ``cassettes``: globs over repository-relative paths; ``**`` spans folders, ``*`` and ``?`` stay within a name, and every
    other character, brackets too, stands for itself. ``record_command``: how a cassette is recorded anew, with ``{test}``
    (the test's id) and ``{path}`` (the cassette's). ``usage_tolerance``: the fraction of a token count that may move without
    being a change worth reading. ``require_approval``: the significances that need a verdict. ``blocking``: the codes of
    findings that no verdict clears where they are new in head. ``self_approval``: whether the author of a head commit counts as its reviewer.
    ``min_approvals``: how many reviewers have to approve. ``agent_verdicts``: ``count`` takes an automated reviewer's verdict as any
    other, ``label`` shows it and lets it decide nothing, ``refuse`` does not record it, either. ``rerun_command``: the shell command that starts the
    check anew once verdicts were pushed, with ``{branch}`` and ``{commit}``.
    ``volatile``: fields that mean nothing in this project (``volatile.py`` says how they are written).
    ``severities``: by a finding's code, the severity that it has in this project, or ``off``.
    """

    cassettes: tuple[str, ...] = DEFAULT_GLOBS
    record_command: str | None = None
    usage_tolerance: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.2
    require_approval: tuple[Significance, ...] = ("behaviour",)
    blocking: tuple[str, ...] = ("secret",)
    self_approval: bool = True
    min_approvals: Annotated[int, Field(ge=1, le=20, strict=True)] = 1
    agent_verdicts: AgentVerdicts = "count"
    rerun_command: str | None = None
    severities: dict[str, Setting] = {}
    volatile: tuple[str, ...] = ()

    @field_validator("record_command", "rerun_command")
    @classmethod
    def _knows_its_placeholders(cls, template: str | None, info: ValidationInfo) -> str | None:
        known = _RECORD if info.field_name == "record_command" else _RERUN
        for _, name, spec, conversion in Formatter().parse(template or ""):
            if name is not None and (name not in known or spec or conversion):
                raise ValueError(
                    f"{{{name}}} is no placeholder as written; there are {{{known[0]}}} and {{{known[1]}}}"
                )
        return template

    @property
    def digest(self) -> str:
        """Names exactly these rules: the first 16 hex digits of the sha256 of their JSON."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:16]

    @property
    def rules(self) -> str:
        """The rules that differ from the defaults, as JSON: equal for equal rules, in whichever file and order they stand."""
        return json.dumps(self.model_dump(mode="json", exclude_defaults=True), sort_keys=True)

    def is_cassette_path(self, path: str) -> bool:
        """Whether a glob names this repository-relative path."""
        return any(_compiled(glob).fullmatch(path) for glob in self.cassettes)

    def record_command_for(self, path: str) -> str | None:
        """Give the shell command that records this cassette anew; None where the policy has none, or the test is not known by the path."""
        if self.record_command is None:
            return None
        test = test_id(path)
        if test is None and "{test}" in self.record_command:
            return None
        return self.record_command.format(test=shlex.quote(test or ""), path=shlex.quote(path))

    def rerun_command_for(self, branch: str, commit: str) -> str | None:
        """Give the shell command that starts the check of a branch anew; None where the policy has none."""
        if self.rerun_command is None:
            return None
        return self.rerun_command.format(branch=shlex.quote(branch), commit=shlex.quote(commit))


DEFAULT_POLICY = Policy()


def read_policy(pyproject_text: str | None, own_text: str | None) -> Policy:
    """Read the policy of two files' texts (None: there is no such file); the defaults where neither has one.

    Raises:
        PolicyError: not TOML, a policy in both files, an unknown key (named with the nearest known), or a value that does not fit.

    """
    own = None if own_text is None else _toml(own_text, "cassette-review.toml")
    tool = {} if pyproject_text is None else _toml(pyproject_text, "pyproject.toml").get("tool", {})
    shared = tool.get("cassette-review") if isinstance(tool, dict) else None
    if own is not None and shared is not None:
        raise PolicyError(
            "the policy stands twice, in cassette-review.toml and as [tool.cassette-review] in pyproject.toml; keep one"
        )
    if own is not None:
        return _policy(own, "cassette-review.toml")
    if shared is not None:
        return _policy(shared, "[tool.cassette-review] in pyproject.toml")
    return DEFAULT_POLICY


def written(policy: Policy, file: str) -> str:
    """Write a policy as TOML, each rule with where it comes from: ``file``, or the defaults. What has no value is a comment."""
    lines = []
    for name in type(policy).model_fields:
        value = getattr(policy, name)
        origin = file if name in policy.model_fields_set else "default"
        lines.append(f"# {name} is not set" if value is None else f"{name} = {_as_toml(value)}  # {origin}")
    return "\n".join(lines) + "\n"


def _as_toml(value: Plain) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_as_toml(item)}" for key, item in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False)


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


def _toml(text: str, name: str) -> dict[str, Plain]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PolicyError(f"{name} is no valid TOML: {error}") from error


def _policy(table: Plain, place: str) -> Policy:
    if not isinstance(table, dict):
        raise PolicyError(f"{place} is a {type(table).__name__}, and has to be a table")
    for key in table:
        if key not in Policy.model_fields:
            near = difflib.get_close_matches(key.replace("-", "_"), Policy.model_fields, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(Policy.model_fields)}"
            raise PolicyError(f"{place} has an unknown key {key!r}; {hint}")
    try:
        return Policy.model_validate(table)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise PolicyError(f"{place}: {where} is {first['input']!r}: {first['msg']}") from error


@lru_cache(maxsize=256)
def _compiled(glob: str) -> re.Pattern[str]:
    """Make a glob an expression over a whole path. ``**/`` matches no folder as well."""
    tokens = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", glob.removeprefix("./"))
    return re.compile("".join(tokens.get(part) or re.escape(part) for part in parts), re.DOTALL)
