"""The demo: a real git repository made from the sample scenarios, with one branch that upgrades the model."""

import os
import shutil
from pathlib import Path
from typing import NamedTuple

from reviewlib.errors import UsageError
from reviewlib.paths import samples_dir
from reviewlib.sources.command import Git

BRANCH = "upgrade-model"
REVIEWER = ("Robin Reviewer", "robin@example.org")

_AUTHOR = ("Sam Developer", "sam@example.org")
_PYPROJECT = """\
[project]
name = "larch-and-lantern-agents"
version = "1.4.0"
description = "The agents of an online shop for outdoor gear, with their recorded tests"

[tool.cassette-review]
record_command = "uv run pytest {test} --record-mode=rewrite"
require_approval = ["behaviour"]

[tool.cassette-review.severities]
retired-model = "off"  # these recordings are of March 2026, whenever somebody looks at them
"""


class Demo(NamedTuple):
    """What the dashboard is opened on: the repository, and the two sides."""

    path: Path
    revisions: str


def build_demo(target: Path) -> Demo:
    """Build the repository in a folder that is absent or empty.

    ``main`` has every scenario's baseline, ``upgrade-model`` its re-record. Authors, dates and settings are fixed, so the commit
    ids are the same everywhere, and a link into the demo keeps working.

    Raises:
        UsageError: the folder is not empty.

    """
    if target.exists() and any(target.iterdir()):
        raise UsageError(f"{target} is not empty; name an empty folder for the demo")
    target.mkdir(parents=True, exist_ok=True)
    target = target.resolve()
    git = Git(target).with_environment(GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_NOSYSTEM="1")
    git.run("init", "--quiet", "--template=", "--initial-branch=main")
    git.run("config", "user.name", REVIEWER[0])
    git.run("config", "user.email", REVIEWER[1])
    (target / "pyproject.toml").write_text(_PYPROJECT, encoding="utf-8")
    _lay_out(target, "baseline")
    _commit(git, "Record the agents' tests", "2026-03-02T09:00:00+00:00")
    git.run("checkout", "--quiet", "-b", BRANCH)
    git.run("rm", "-r", "--quiet", "--ignore-unmatch", "--", "tests", "test")
    _lay_out(target, "head")
    _commit(git, "Upgrade the model, tighten the system prompt, record anew", "2026-03-09T15:30:00+00:00")
    return Demo(target, f"main...{BRANCH}")


def _lay_out(target: Path, side: str) -> None:
    """Copy one side of every scenario; below it, paths are the repository's."""
    for scenario in sorted(samples_dir().iterdir()):
        if (scenario / side).is_dir():
            shutil.copytree(scenario / side, target, dirs_exist_ok=True)


def _commit(git: Git, message: str, at: str) -> None:
    name, email = _AUTHOR
    author = git.with_environment(
        GIT_AUTHOR_NAME=name,
        GIT_AUTHOR_EMAIL=email,
        GIT_AUTHOR_DATE=at,
        GIT_COMMITTER_NAME=name,
        GIT_COMMITTER_EMAIL=email,
        GIT_COMMITTER_DATE=at,
    )
    author.run("add", "--all", "--force", ".")
    author.run("commit", "--quiet", "--no-gpg-sign", "-m", message)
