"""The jobs and hooks of docs/ci.md and the action, run for real against a remote of this machine; forges and recorders are stubs."""

import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import yaml

from reviewlib import cli
from tests.cli.cassettes import ORDER, REFUND, cassette
from tests.repositories import ISOLATED, Built, build

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
ACTION = yaml.safe_load((ROOT / ".github/actions/cassette-review/action.yml").read_text(encoding="utf-8"))
BLOCKS = [yaml.load(block, yaml.BaseLoader) for block in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)]
WORKFLOWS = {block["name"]: block for block in BLOCKS if "jobs" in block}
(GITLAB,) = (block for block in BLOCKS if "cassettes" in block)
(PRE_COMMIT,) = (block for block in BLOCKS if "repos" in block)
(HOOK,) = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)

PLAIN = "cassettes in plain steps"
NIGHTLY = "cassettes, recorded every night"
NOTES = "refs/notes/cassette-review"

PRODUCT = "from reviewlib.cli import main; main()"

GH = """
import json, os, pathlib, sys
words = sys.argv[1:]
if words == ["run", "download", "--name", "cassettes-recorded", "--dir", "nightly"]:
    import shutil
    shutil.copytree(os.environ["RECORDED"], "nightly/recorded")
    sys.exit(0)
store = pathlib.Path(os.environ["STORE"])
comments = json.loads(store.read_text()) if store.exists() else []
option = lambda name: words[words.index(name) + 1] if name in words else ""
assert os.environ["GH_TOKEN"] == "token"
if words[:2] == ["pr", "comment"]:
    assert words[2] == "7" and "--create-if-none" in words and "--edit-last" in words
    comments[-1:] = [{"id": 1, "user": {"login": "github-actions[bot]"}, "body": open(option("--body-file")).read()}]
elif option("--method"):
    body = open(option("--field").removeprefix("body=@")).read()
    (address,) = [word for word in words if word.startswith("repos/")]
    if option("--method") == "POST":
        assert address == "repos/acme/shop/issues/7/comments"
        comments.append({"id": len(comments) + 1, "user": {"login": "github-actions[bot]"}, "body": body})
    else:
        (known,) = [each for each in comments if address == f"repos/acme/shop/issues/comments/{each['id']}"]
        known["body"] = body
else:
    mark = "<!-- cassette-review -->"
    assert f'startswith("{mark}")' in option("--jq") and 'login == "github-actions[bot]"' in option("--jq")
    for each in comments:
        if each["user"]["login"] == "github-actions[bot]" and each["body"].startswith(mark):
            print(each["id"])
store.write_text(json.dumps(comments))
"""
"""``gh`` as far as the jobs use it: comments in a file."""

CURL = """
import json, os, pathlib, sys, urllib.parse
words = sys.argv[1:]
option = lambda name: words[words.index(name) + 1] if name in words else ""
assert option("--header") == "PRIVATE-TOKEN: token" and "--fail" in words
store = pathlib.Path(os.environ["STORE"])
notes = json.loads(store.read_text()) if store.exists() else []
address = urllib.parse.urlsplit(words[-1])
assert (address.scheme, address.netloc) == ("https", "gitlab.example.org")
place = address.path.removeprefix("/api/v4/projects/12/merge_requests/7/notes")
if address.path == "/api/v4/user":
    print(json.dumps({"id": 5}))
elif not option("--request"):
    assert place == "" and urllib.parse.parse_qs(address.query) == {"sort": ["asc"], "per_page": ["100"]}
    print(json.dumps(notes))
else:
    name, _, file = option("--data-urlencode").partition("@")
    assert name == "body" and option("--output") == "/dev/null"
    body = open(file).read()
    if option("--request") == "POST":
        assert place == ""
        notes.append({"id": len(notes) + 1, "author": {"id": 5}, "body": body})
    else:
        assert option("--request") == "PUT"
        (known,) = [each for each in notes if place == f"/{each['id']}"]
        known["body"] = body
store.write_text(json.dumps(notes))
"""
"""``curl`` as far as GitLab's API is used: the notes of a merge request in a file."""

UV = """
import os, shutil, sys
words = sys.argv[1:]
if words[:2] == ["tool", "install"]:
    assert words[-1].startswith("git+https://") or os.path.samefile(words[-1], os.environ["PRODUCT"]), words
    sys.exit(0)
assert words == ["run", "pytest", "--record-mode=rewrite"], words
assert os.listdir("tests/cassettes") == []
shutil.copytree(os.environ["RECORDED"], "tests/cassettes", dirs_exist_ok=True)
sys.exit(int(os.environ.get("RECORDING_ENDS_WITH", "0")))
"""
"""``uv``: installing does nothing, and recording puts prepared cassettes in place."""


def executable(path, code):
    path.write_text(f"#!{sys.executable}\n{code}")
    path.chmod(0o755)


@dataclass
class Machine:
    """A CI's machine, with the clone that its checkout step makes."""

    clone: Path
    environment: dict[str, str]
    outputs: dict[str, str] = field(default_factory=dict)

    def run(self, script, shell=("bash", "-e"), **environment):
        """Run a shell script as a CI does, in the clone."""
        return subprocess.run(
            [*shell, "-c", script],
            cwd=self.clone,
            env={**self.environment, **environment},
            capture_output=True,
            text=True,
            check=False,
        )

    def steps(self, steps, known):
        """Run the steps of a GitHub job or action until one fails; ``known`` gives what its expressions mean."""
        ended = 0
        for step in steps:
            condition = re.sub(r"^\$\{\{ (.*) \}\}$", r"\1", step.get("if", "success()"))
            wanted = condition == "!cancelled()" or (ended == 0 and known[condition])
            if not wanted or "run" not in step:
                continue
            environment = {name: self.meaning(value, known) for name, value in step.get("env", {}).items()}
            shell = (
                ("bash", "--noprofile", "--norc", "-eo", "pipefail") if step.get("shell") == "bash" else ("bash", "-e")
            )
            done = self.run(step["run"], shell, **environment)
            self.outputs |= dict(line.split("=", 1) for line in self.read("GITHUB_OUTPUT").splitlines())
            ended = ended or done.returncode
            self.said = done.stdout + done.stderr
        return ended

    def meaning(self, value, known):
        """Put in what the expressions of a value mean."""
        meant = known | {f"steps.report.outputs.{name}": output for name, output in self.outputs.items()}
        return re.sub(r"\$\{\{ (.*?) \}\}", lambda found: meant[found[1]], value)

    def read(self, name):
        """A file that a variable of the environment names."""
        path = Path(self.environment[name])
        return path.read_text(encoding="utf-8") if path.exists() else ""

    @property
    def comments(self):
        """The bodies of the pull request's comments."""
        return [each["body"] for each in json.loads(self.read("STORE") or "[]")]


@dataclass(frozen=True)
class Shop:
    """A project, its remote, and the merge commit of pull request 7 in it."""

    project: Built
    remote: Path
    folder: Path

    def push(self):
        """Push main and the branch, and merge them as a forge does."""
        self.project.git("push", "--quiet", "--force", str(self.remote), "main", "branch")
        merge = self.project.git("commit-tree", "branch^{tree}", "-p", "main", "-p", "branch", "-m", "merge")
        self.project.git("push", "--quiet", "--force", str(self.remote), f"{merge}:refs/pull/7/merge")

    def machine(self, *fetch, **environment):
        """Check out as a CI does: the wanted ref alone, detached."""
        folder = self.folder / f"machine-{len(list(self.folder.iterdir()))}"
        clone = build(folder / "clone")
        clone.git("remote", "add", "origin", f"file://{self.remote}")
        clone.git("fetch", "--quiet", *fetch)
        clone.git("checkout", "--quiet", "--detach", "FETCH_HEAD")
        clone.git("config", "--unset", "user.name")
        clone.git("config", "--unset", "user.email")
        return Machine(clone.root, {**self.environment(folder), **environment})

    def environment(self, folder):
        """What a runner has in its environment, and the stubs on its path."""
        stubs = folder / "bin"
        stubs.mkdir(parents=True)
        executable(stubs / "gh", GH)
        executable(stubs / "curl", CURL)
        executable(stubs / "uv", UV)
        executable(stubs / "cassette-review", PRODUCT)
        return {
            **ISOLATED,
            "PATH": f"{stubs}:{os.environ['PATH']}",
            "HOME": str(folder),
            "PYTHONPATH": str(ROOT),
            "PRODUCT": str(ROOT),
            "GITHUB_ACTION_PATH": str(ROOT / ".github/actions/cassette-review"),
            "GITHUB_REPOSITORY": "acme/shop",
            "GITHUB_REF": "refs/pull/7/merge",
            "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
            "GITHUB_OUTPUT": str(folder / "output"),
            "RUNNER_TEMP": str(folder),
            "CASSETTE_REVIEW": WORKFLOWS[PLAIN]["env"]["CASSETTE_REVIEW"],
            "STORE": str(self.folder / "comments.json"),
            "RECORDED": str(self.folder / "recorded"),
        }

    def pull_request(self, *, depth="2"):
        """The machine of a pull request's job."""
        return self.machine("--depth", depth, "origin", "refs/pull/7/merge")

    def judge(self, verb, *words):
        """Say something about the branch, and push it."""
        command = [sys.executable, "-c", PRODUCT, verb, "main...branch", *words]
        environment = {**os.environ, **ISOLATED, "PYTHONPATH": str(ROOT)}
        subprocess.run(command, cwd=self.project.root, env=environment, check=True, capture_output=True)
        self.project.git("push", "--quiet", str(self.remote), NOTES)


@pytest.fixture
def shop(tmp_path):
    """On main a recorded refund and an order; on the branch the refund is of another amount, and the order is noise."""
    project = build(tmp_path / "project")
    project.commit({REFUND: cassette(), ORDER: cassette()})
    project.git("checkout", "--quiet", "-b", "branch")
    project.commit({REFUND: cassette(390), ORDER: cassette(request_id="req_2")})
    remote = tmp_path / "remote.git"
    project.git("init", "--quiet", "--bare", str(remote))
    made = Shop(project, remote, tmp_path / "machines")
    made.folder.mkdir()
    made.push()
    return made


def known(*, own=True, **inputs):
    """What the expressions of the jobs mean."""
    given = {name: each["default"] for name, each in ACTION["inputs"].items()} | inputs
    return {
        "success()": True,
        "github.token": "token",
        "github.event.number": "7",
        "github.event.pull_request.number": "7",
        "github.event.pull_request.head.repo.full_name == github.repository": own,
        "inputs.comment == 'true' && github.event.pull_request.head.repo.full_name == github.repository": (
            own and given["comment"] == "true"
        ),
        "inputs.gate == 'true'": given["gate"] == "true",
        "inputs.revisions": given["revisions"],
        "secrets.ANTHROPIC_API_KEY": "no key",
    }


STEPS = {"action": ACTION["runs"]["steps"], "plain": WORKFLOWS[PLAIN]["jobs"]["review"]["steps"]}


# GitHub: pull requests


@pytest.mark.parametrize("way", STEPS)
def test_a_pull_request_fails_until_its_change_of_behaviour_is_approved(shop, way):
    machine = shop.pull_request()
    assert machine.steps(STEPS[way], known()) == 1
    assert f"open: {REFUND}" in machine.said
    assert "cassette-review open --pr 7" in machine.said
    (comment,) = machine.comments
    assert "issue\\_refund.amount 39 → 390" in comment
    assert "issue\\_refund.amount 39 → 390" in machine.read("GITHUB_STEP_SUMMARY")

    shop.judge("approve", "--", REFUND)
    machine = shop.pull_request()
    assert machine.steps(STEPS[way], known()) == 0
    (comment,) = machine.comments
    assert "approved" in comment


def test_the_action_leaves_a_report_of_each_kind(shop):
    machine = shop.pull_request()
    machine.steps(STEPS["action"], known())
    folder = Path(machine.outputs["folder"])
    assert folder == Path(machine.environment["RUNNER_TEMP"]) / "cassette-review"
    assert "1 cassette of 2 changed needs a person." in (folder / "report.html").read_text()
    assert ET.fromstring((folder / "junit.xml").read_bytes()).get("failures") == "1"
    results = json.loads((folder / "results.sarif").read_text())["runs"][0]["results"]
    assert [each["ruleId"] for each in results if each["baselineState"] == "new"] == ["gate-open"]
    assert results[0]["ruleId"] == "gate-open"


def test_the_action_leaves_the_comments_of_others_alone(shop):
    first = shop.pull_request()
    others = [
        {"id": 1, "user": {"login": "github-actions[bot]"}, "body": "coverage 90%"},
        {"id": 2, "user": {"login": "mallory"}, "body": "<!-- cassette-review -->\nall good"},
    ]
    Path(first.environment["STORE"]).write_text(json.dumps(others))
    for _ in range(2):
        shop.pull_request().steps(STEPS["action"], known())
    bodies = first.comments
    assert bodies[:2] == ["coverage 90%", "<!-- cassette-review -->\nall good"]
    assert len(bodies) == 3
    assert bodies[2].startswith("<!-- cassette-review -->\n**")
    assert len(bodies[2]) < 65_536


@pytest.mark.skipif(shutil.which("jq") is None, reason="jq is not installed")
def test_the_query_for_the_earlier_comment_is_jq():
    (script,) = (step["run"] for step in STEPS["action"] if step.get("name") == "Comment")
    typed = re.search(r'--jq ("(?:[^"\\]|\\.)*")', script)[1]
    mark = "<!-- cassette-review -->"
    query = subprocess.run(
        ["bash", "-c", f"mark='{mark}'; printf %s {typed}"], capture_output=True, text=True, check=True
    )
    said = (("github-actions[bot]", f"x {mark}"), ("mallory", mark), ("github-actions[bot]", f"{mark}\n"))
    comments = [{"id": number, "user": {"login": who}, "body": body} for number, (who, body) in enumerate(said)]
    done = subprocess.run(["jq", query.stdout], input=json.dumps(comments), capture_output=True, text=True, check=True)
    assert done.stdout == "2\n"


def test_a_fork_gets_no_comment_and_the_gate_all_the_same(shop):
    machine = shop.pull_request()
    assert machine.steps(STEPS["plain"], known(own=False)) == 1
    assert machine.comments == []


def test_what_breaks_a_rule_is_attached_and_told_first_before_the_job_fails(shop):
    shop.project.git("checkout", "--quiet", "main")
    shop.project.commit({"cassette-review.toml": "[[rules]]\nmust_not_appear = ['sorry']\n"})
    shop.project.git("checkout", "--quiet", "-B", "branch")
    shop.project.commit({REFUND: cassette(words="Sorry, refunded.")})
    shop.push()
    machine = shop.pull_request()
    assert machine.steps(STEPS["action"], known()) == 1
    assert machine.said.startswith("error: “sorry” must not appear")
    assert machine.comments[0].splitlines()[1].startswith("**error: “sorry” must not appear")
    folder = Path(machine.outputs["folder"])
    assert 'class="alarm"' in (folder / "report.html").read_text()
    assert ET.fromstring((folder / "junit.xml").read_bytes()).get("errors") == "1"
    first = json.loads((folder / "results.sarif").read_text())["runs"][0]["results"][0]
    assert (first["ruleId"], first["level"]) == ("must-not-appear", "error")
    assert shop.pull_request().steps(STEPS["action"], known(gate="false", comment="false")) == 0


def test_inputs_of_the_action_turn_comment_and_gate_off(shop):
    machine = shop.pull_request()
    assert machine.steps(STEPS["action"], known(comment="false", gate="false")) == 0
    assert machine.comments == []


def test_a_pull_request_without_cassettes_gets_no_comment_until_it_has_had_one(shop):
    shop.project.git("checkout", "--quiet", "-B", "branch", "main")
    shop.project.commit({"README.md": "A shop."})
    shop.push()
    machine = shop.pull_request()
    assert machine.steps(STEPS["action"], known()) == 0
    assert machine.comments == []
    mine = {"id": 9, "user": {"login": "github-actions[bot]"}, "body": "<!-- cassette-review -->\nearlier"}
    Path(machine.environment["STORE"]).write_text(json.dumps([mine]))
    shop.pull_request().steps(STEPS["action"], known())
    assert "No cassettes changed." in machine.comments[0]


def test_too_little_history_is_said_with_the_fix(shop):
    machine = shop.pull_request(depth="1")
    assert machine.steps(STEPS["action"], known()) == 2
    assert "fetch-depth: 2" in machine.said


def test_the_short_job_uses_the_action_and_has_the_rights_that_it_needs():
    job = WORKFLOWS["cassettes"]["jobs"]["review"]
    assert job["steps"][0]["with"]["fetch-depth"] == "2"
    path = re.fullmatch(r"OWNER/cassette-review/(.+)@v\S+", job["steps"][1]["uses"])[1]
    assert (ROOT / path / "action.yml").is_file()
    for workflow in (WORKFLOWS["cassettes"], WORKFLOWS[PLAIN]):
        assert workflow["permissions"] == {"contents": "read", "pull-requests": "write"}
        assert "pull_request_target" not in workflow["on"]


def test_the_page_names_the_inputs_and_outputs_of_the_action():
    told = PAGE.partition("Inputs:")[2].partition("\n\n")[0]
    for name, each in ACTION["inputs"].items():
        assert f"`{name}`" in told
        assert each["default"] in told
    assert all(f"`{name}`" in told for name in ACTION["outputs"])


def test_no_expression_stands_in_a_script():
    """What a forge puts into a script is a program; a branch may be called ``$(…)``."""
    jobs = [job for workflow in WORKFLOWS.values() for job in workflow["jobs"].values()]
    for step in [*ACTION["runs"]["steps"], *(step for job in jobs for step in job["steps"])]:
        assert "${{" not in step.get("run", "")


# Recorded every night


def recorded(shop, files):
    for name, content in files.items():
        path = shop.folder / "recorded" / Path(name).relative_to("tests/cassettes")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


def nightly_machine(shop, **environment):
    return shop.machine("--depth", "1", "origin", "main", GITHUB_REF="refs/heads/main", **environment)


def test_a_nightly_recording_that_differs_is_a_report_and_no_failure(shop):
    recorded(shop, {REFUND: cassette(390)})
    machine = nightly_machine(shop)
    assert machine.steps(WORKFLOWS[NIGHTLY]["jobs"]["record"]["steps"], known()) == 0
    assert "issue_refund.amount 39 → 390" in machine.said
    assert "cassette removed" in machine.said
    assert "issue\\_refund.amount 39 → 390" in machine.read("GITHUB_STEP_SUMMARY")
    assert "issue_refund.amount 39 → 390" in (machine.clone / "report.html").read_text()
    assert machine.run("git status --porcelain tests").stdout == ""


def test_a_nightly_recording_that_fails_is_reported_and_fails(shop):
    recorded(shop, {REFUND: cassette(), ORDER: cassette()})
    machine = nightly_machine(shop, RECORDING_ENDS_WITH="3")
    assert machine.steps(WORKFLOWS[NIGHTLY]["jobs"]["record"]["steps"], known()) == 3
    assert "No cassettes changed." in machine.said


BROKEN = {
    "a budget": "[[rules]]\npaths = ['tests/cassettes/test_refund/**']\nbudget = { tokens = 100 }\n",
    "the suite's budget": "[suite]\ntokens = 100\n",
    "a rule": "[[rules]]\npaths = ['tests/cassettes/test_refund/**']\nforbidden_tools = ['issue_*']\n",
}


@pytest.mark.parametrize("policy", BROKEN.values(), ids=BROKEN)
def test_a_nightly_recording_that_breaks_the_policy_is_reported_and_fails(shop, policy):
    shop.project.git("checkout", "--quiet", "main")
    shop.project.commit({"cassette-review.toml": policy, REFUND: None, ORDER: None})
    shop.push()
    recorded(shop, {REFUND: cassette(), ORDER: cassette()})
    shop.project.commit({"tests/cassettes/README": "none yet"})
    shop.push()
    machine = nightly_machine(shop)
    assert machine.steps(WORKFLOWS[NIGHTLY]["jobs"]["record"]["steps"], known()) == 1
    assert machine.said.splitlines()[0].startswith("error: ")
    assert 'class="alarm"' in (machine.clone / "report.html").read_text()
    done = gitlab(shop, shop.machine("origin", "main"), "cassettes-recorded-every-night")
    assert (done.returncode, "error: " in done.stdout) == (1, True)


(PROMOTION,) = re.findall(r"```console\n(\$ gh run download .*?)```", PAGE, re.DOTALL)


def test_what_was_recorded_at_night_is_kept_as_the_page_says(shop):
    recorded(shop, {REFUND: cassette(390), ORDER: cassette(7)})
    machine = shop.machine("origin", "main")
    machine.run("git config user.name Ada && git config user.email ada@example.org")
    for line in PROMOTION.splitlines():
        if not line.startswith("$ cassette-review open"):
            done = machine.run(line.removeprefix("$ "), GH_TOKEN="token")
            assert done.returncode == 0, line + done.stdout + done.stderr
    merged = shop.machine("origin", "recorded-anew")
    assert (merged.clone / REFUND).read_text() == cassette(390)
    assert (merged.clone / ORDER).read_text() == cassette(), "nobody approved it"
    merged.run(f"git fetch --quiet origin main '+{NOTES}*:{NOTES}*'")
    assert merged.run("cassette-review check FETCH_HEAD...HEAD").returncode == 0


# GitLab


def gitlab(shop, machine, job, **more):
    base = shop.project.git("merge-base", "main", "branch")
    variables = {
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": base,
        "CI_MERGE_REQUEST_IID": "7",
        "CASSETTE_REVIEW": GITLAB["variables"]["CASSETTE_REVIEW"],
        "CI_API_V4_URL": "https://gitlab.example.org/api/v4",
        "CI_PROJECT_ID": "12",
        "GITHUB_REF": "",
    } | more
    script = "\n".join(GITLAB[job]["script"]).replace('export PATH="$HOME/.local/bin:$PATH"', "")
    return machine.run(script, ("bash", "-eo", "pipefail"), **variables)


def test_a_merge_request_of_gitlab_is_gated_and_reported(shop):
    machine = shop.machine("origin", "branch")
    done = gitlab(shop, machine, "cassettes")
    assert (done.returncode, f"open: {REFUND}" in done.stdout) == (1, True)
    assert "cassette-review open --pr 7" in done.stdout
    assert ET.fromstring((machine.clone / "junit.xml").read_bytes()).get("failures") == "1"
    assert "needs a person" in (machine.clone / "report.html").read_text()
    shop.judge("approve", "--", REFUND)
    assert gitlab(shop, shop.machine("origin", "branch"), "cassettes").returncode == 0
    assert machine.comments == [], "there is no token"


def test_a_merge_request_of_gitlab_has_one_comment_that_every_run_brings_up_to_date(shop):
    machine = shop.machine("origin", "branch")
    others = [
        {"id": 1, "author": {"id": 9}, "body": "<!-- cassette-review -->\nall good"},
        {"id": 2, "author": {"id": 5}, "body": "coverage 90%"},
    ]
    Path(machine.environment["STORE"]).write_text(json.dumps(others))
    done = gitlab(shop, machine, "cassettes", GITLAB_TOKEN="token")
    assert (done.returncode, "token" in done.stdout) == (1, False)
    assert machine.comments[:2] == [each["body"] for each in others]
    assert machine.comments[2].startswith("<!-- cassette-review -->\n**")
    assert "issue\\_refund.amount 39 → 390" in machine.comments[2]
    shop.judge("approve", "--", REFUND)
    assert gitlab(shop, shop.machine("origin", "branch"), "cassettes", GITLAB_TOKEN="token").returncode == 0
    assert len(machine.comments) == 3
    assert "approved by Ada" in machine.comments[2]
    assert len(machine.comments[2]) < 1_000_000


@pytest.mark.parametrize("ends", ["0", "3"])
def test_a_schedule_of_gitlab_reports_and_ends_as_the_recording_did(shop, ends):
    recorded(shop, {REFUND: cassette(390), ORDER: cassette()})
    machine = shop.machine("origin", "main", RECORDING_ENDS_WITH=ends)
    done = gitlab(shop, machine, "cassettes-recorded-every-night")
    assert (done.returncode, "issue_refund.amount 39 → 390" in done.stdout) == (int(ends), True)
    assert "needs a person" in (machine.clone / "report.html").read_text()
    assert (machine.clone / "recorded" / Path(REFUND).relative_to("tests/cassettes")).read_text() == cassette(390)


# Before a commit


def committed(machine, content, **options):
    """Stage one content, leave another in the working tree, and commit; what git and its hooks said."""
    path = machine.clone / REFUND
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    machine.run("git add --all")
    path.write_text(cassette(7))
    return machine.run("git -c user.name=Ada -c user.email=ada@example.org commit --quiet -m change", **options)


def test_the_hook_shows_what_is_about_to_be_committed_and_never_stops_it(shop):
    machine = shop.machine("origin", "main")
    executable(machine.clone / ".git/hooks/pre-commit", "")
    (machine.clone / ".git/hooks/pre-commit").write_text(HOOK)
    done = committed(machine, cassette(390))
    assert done.returncode == 0
    assert "issue_refund.amount 39 → 390" in done.stdout + done.stderr
    assert machine.run("git log --format=%s -1").stdout == "change\n"
    broken = committed(machine, cassette(1), PYTHONPATH="/nowhere")
    assert broken.returncode == 0


def test_the_hook_lets_a_first_commit_pass(shop):
    machine = shop.machine("origin", "main")
    machine.run("git checkout --quiet --orphan fresh")
    (machine.clone / ".git/hooks/pre-commit").write_text(HOOK)
    (machine.clone / ".git/hooks/pre-commit").chmod(0o755)
    done = machine.run("git -c user.name=Ada -c user.email=ada@example.org commit --quiet -m first")
    assert (done.returncode, done.stderr) == (0, "")


def test_the_hook_for_pre_commit_shows_the_same(shop):
    machine = shop.machine("origin", "main")
    (hook,) = PRE_COMMIT["repos"][0]["hooks"]
    (machine.clone / REFUND).write_text(cassette(390))
    machine.run("git add --all")
    names = {
        "GIT_AUTHOR_NAME": "Ada",
        "GIT_AUTHOR_EMAIL": "a@b",
        "GIT_COMMITTER_NAME": "Ada",
        "GIT_COMMITTER_EMAIL": "a@b",
    }
    done = machine.run(hook["entry"], **names)
    assert (done.returncode, "issue_refund.amount 39 → 390" in done.stdout) == (0, True)
    assert (hook["language"], hook["pass_filenames"], hook["verbose"]) == ("system", "false", "true")


# The page


def test_every_format_is_described():
    from typing import get_args

    from reviewlib.cli.reading import Format

    told = re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)
    assert sorted(told) == sorted(get_args(Format))


@pytest.mark.parametrize("word", ["text", "markdown", "json", "html", "junit", "sarif"])
def test_every_format_ends_as_the_page_says_and_holds_no_credential(shop, monkeypatch, capsys, word):
    key = "sk-ant-api03-" + "Ab3" * 31 + "AA"
    shop.project.commit({REFUND: cassette(390, system=f"Use {key}.", words=f"Done with {key}.")})
    monkeypatch.chdir(shop.project.root)
    codes = [
        cli.run([*command, "--format", word])
        for command in (
            ["diff", "main...branch"],
            ["check", "main...branch"],
            ["check", "main...branch", "--report-only"],
        )
    ]
    printed = capsys.readouterr()
    assert (codes, printed.err) == ([0, 1, 0], "")
    assert "issue_refund.amount 39" in printed.out.replace("\\_", "_")
    assert key not in printed.out
    assert key[:20] not in printed.out
