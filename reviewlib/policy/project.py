"""The rules of one project: ``Policy``."""

import hashlib
import json
import shlex
from string import Formatter
from typing import Annotated, Literal, TypeAlias

from pydantic import Field, ValidationInfo, field_validator

from reviewlib.model.change import Significance
from reviewlib.model.frozen import Frozen
from reviewlib.policy.globs import matches
from reviewlib.policy.hygiene import Hygiene
from reviewlib.policy.node_ids import test_id
from reviewlib.policy.rules import Budget, Rule

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

_Secret: TypeAlias = Annotated[str, Field(pattern=r"^[a-z0-9-]+:(?:[0-9a-f]{8}|[0-9a-f]{2})$")]

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
    ``severities``: by a finding's code, the severity that it has in this project, or ``off``. ``rules``: what the agent must and must not do,
    by path pattern. ``allow_secrets``: secrets that are known and none, by the name that the finding gives (``github-pat:3f9a1c2e``).
    ``allow_personal_data``: addresses and numbers that belong to nobody, as patterns (``*@acme.example``, ``+1202555*``). ``suite``: what everything that is compared may cost together. ``hygiene``: what is asked of the recordings themselves.
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
    rules: tuple[Rule, ...] = ()
    allow_secrets: tuple[_Secret, ...] = ()
    allow_personal_data: tuple[str, ...] = ()
    suite: Budget = Budget()
    hygiene: Hygiene = Hygiene()

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
    def effective(self) -> str:
        """The rules that differ from the defaults, as JSON: equal for equal rules, in whichever file and order they stand."""
        return json.dumps(self.model_dump(mode="json", exclude_defaults=True), sort_keys=True)

    def is_cassette_path(self, path: str) -> bool:
        """Whether a glob names this repository-relative path."""
        return matches(self.cassettes, path)

    def rules_for(self, path: str) -> tuple[Rule, ...]:
        """Return the rules whose paths name this cassette."""
        return tuple(rule for rule in self.rules if matches(rule.paths, path))

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
