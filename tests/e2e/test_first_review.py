"""The newcomer's path: docs/first-review.md, followed word for word in a repository that has never heard of this tool."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml
from playwright.sync_api import expect

from tests.e2e.driving import settle, started
from tests.e2e.recordings import exchange
from tests.e2e.test_review import SETTLED, entries

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "first-review.md").read_text(encoding="utf-8")
STEPS = re.findall(r"^\d+\. (.+?)(?=^\d+\. |^That is|\Z)", PAGE.partition("\n## ")[0], re.MULTILINE | re.DOTALL)
CASSETTE = "tests/cassettes/test_refund.yaml"


def commands(step):
    return [shlex.split(line) for line in re.findall(r"^ *\$ (.+)$", step, re.MULTILINE)]


def keys(step):
    return re.findall(r"[Pp]ress `(.)`", step)


def recorded(amount):
    """A vcrpy cassette of one refund, as a test of somebody's agent records it."""
    use = {"type": "tool_use", "id": "toolu_1", "name": "issue_refund", "input": {"order_id": "4471", "amount": amount}}
    back = {"type": "tool_result", "tool_use_id": "toolu_1", "content": json.dumps({"refunded": amount})}
    ask = {"role": "user", "content": "Please refund order 4471."}
    called, done = {"role": "assistant", "content": [use]}, {"role": "user", "content": [back]}
    told = [{"type": "text", "text": f"I refunded ${amount}.00."}]
    return yaml.safe_dump({"interactions": [exchange([ask], [use]), exchange([ask, called, done], told)], "version": 1})


def git(folder, *words):
    subprocess.run(["git", "-c", "commit.gpgsign=false", *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def own(tmp_path):
    """A repository of one's own, in which a test was recorded anew and not committed."""
    folder = tmp_path / "shop-agent"
    file = folder / CASSETTE
    file.parent.mkdir(parents=True)
    file.write_text(recorded(39))
    git(folder, "init", "-b", "main")
    git(folder, "config", "user.name", "Noor Newcomer")
    git(folder, "config", "user.email", "noor@example.org")
    git(folder, "add", ".")
    git(folder, "commit", "-m", "Record")
    file.write_text(recorded(390))
    return folder


@contextmanager
def run(command, folder):
    """Run the installed command as it is written; the only help is that no window opens here."""
    installed = shutil.which(command[0], path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    assert installed, f"{command[0]} is not installed"
    with started(installed, *command[1:], "--no-browser", "--port", "0", cwd=folder) as link:
        yield link


def test_there_are_four_steps_that_need_thought():
    assert len(STEPS) == 4
    assert sum(len(commands(step)) + len(keys(step)) for step in STEPS) == 4


def test_the_readme_leads_there():
    assert "(docs/first-review.md)" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_first_cassette_of_ones_own_repository_is_approved(own, visit):
    install, *opening = commands(STEPS[0] + STEPS[1])
    assert install == ["uv", "tool", "install", "."]
    assert "cassette-review = " in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    with run(*opening, own) as link:
        page = visit(link)
        for step in STEPS[2:]:
            (key,) = keys(step)
            settle(page)
            page.wait_for_timeout(SETTLED)
            page.keyboard.press(key.lower())
            if key == "N":
                expect(page.locator("h1")).to_contain_text("issue_refund.amount 39 → 390")
        expect(page.locator(f'a.row[data-path="{CASSETTE}"] .state')).to_contain_text("approved · Noor Newcomer")
        page.context.close()  # before its server ends
    (said,) = entries(own)
    assert (said["verdict"], said["pair"]["path"]) == ("approve", CASSETTE)


def test_without_a_new_recording_the_page_names_the_last_one(own, visit):
    git(own, "commit", "-am", "Record again")
    with run(["cassette-review", "open"], own) as link:
        page = visit(link)
        told = page.locator(".empty pre").inner_text()
        page.context.close()
    assert re.fullmatch(r"cassette-review open (\w+)\^\.\.\1", told)
    with run(shlex.split(told), own) as link:
        page = visit(link)
        expect(page.locator("a.row").first).to_contain_text("issue_refund.amount 39 → 390")
        page.context.close()
