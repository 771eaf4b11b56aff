"""The command that starts the check of a branch anew, once verdicts are pushed: forges start one when a branch moves, not when notes do."""

import re
import shlex
from typing import NamedTuple
from urllib.parse import urlsplit

from reviewlib.policy import Policy

_GITHUB = """gh run rerun "$(gh run list --branch {branch} --limit 1 --json databaseId --jq '.[0].databaseId')\""""
_GITLAB = "glab ci run --branch {branch}"


class Rerun(NamedTuple):
    """What starts the check anew. ``command`` is None where the forge is not known; ``by_policy``: the project's policy names it, so it may be run."""

    command: str | None
    by_policy: bool = False

    @property
    def sentence(self) -> str:
        """Say what is to be done, without a full stop: it ends with the command."""
        if self.by_policy:
            return f"Start the check again: {self.command}"
        start = (
            "start the check of the pull request again"
            if self.command is None
            else f"start the check again: {self.command}"
        )
        return f"A forge checks branches, not notes; {start}"


def rerun(policy: Policy, address: str, branch: str | None, commit: str | None) -> Rerun:
    """Choose the policy's command (of the default branch: what a branch under review names is not run), else that of the remote's forge."""
    command = policy.rerun_command_for(branch or "HEAD", commit or "")
    return Rerun(command, by_policy=True) if command is not None else Rerun(rerun_hint(address, branch))


def rerun_hint(address: str, branch: str | None) -> str | None:
    """Give the command of a remote's forge that starts the last check of a branch anew; None where the forge is not known."""
    host = urlsplit(address).hostname or (re.match(r"(?:[^@/]+@)?([^:/]+):", address) or ["", ""])[1]
    if branch is None:
        return None
    command = _GITHUB if "github" in host else _GITLAB if "gitlab" in host else None
    return None if command is None else command.format(branch=shlex.quote(branch))
