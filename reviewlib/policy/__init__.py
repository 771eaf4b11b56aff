"""What a project asks of a review, read from ``[tool.cassette-review]`` in pyproject.toml or from cassette-review.toml.

Pure: it gets texts, and the source decides whose (a comparison is judged by its baseline's policy, so that a branch
cannot loosen the rules it is judged by).

``project`` the rules · ``rules`` what agents must do, by path · ``hygiene`` what is asked of recordings · ``globs`` path patterns · ``node_ids`` the test of a path ·
``reading`` from TOML and back.
"""

from reviewlib.policy.hygiene import Hygiene, Schedule
from reviewlib.policy.node_ids import test_id
from reviewlib.policy.project import DEFAULT_GLOBS, DEFAULT_POLICY, AgentVerdicts, Policy, Setting
from reviewlib.policy.reading import POLICY_FILES, read_policy, written
from reviewlib.policy.rules import Budget, Rule

__all__ = [
    "DEFAULT_GLOBS",
    "DEFAULT_POLICY",
    "POLICY_FILES",
    "AgentVerdicts",
    "Budget",
    "Hygiene",
    "Policy",
    "Rule",
    "Schedule",
    "Setting",
    "read_policy",
    "test_id",
    "written",
]
