import shlex
from decimal import Decimal

import pytest

from reviewlib.errors import PolicyError
from reviewlib.policy import DEFAULT_POLICY, Policy, read_policy, test_id, written


def own(text: str) -> Policy:
    return read_policy(None, text)


def told(pyproject: str | None, text: str | None) -> str:
    with pytest.raises(PolicyError) as caught:
        read_policy(pyproject, text)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    "path",
    [
        "cassettes/a.yaml",
        "tests/cassettes/test_x/test_y[eu].yaml",
        "tests/cassettes/deep/er/still/a.json",
        "py/my_cassettes_v2/a.json",
        "recordings/a.har",
        "x/old-recordings-2025/a",
        "js/__snapshots__/a.yaml",
        "go/testdata/TestX/a.yaml",
        "spec/vcr/a.yml",
        "spec/vcr_cassettes/a.yml",
        "tests/cassettes/new\nline.yaml",
        "tests/cassettes/[brackets] {braces} $^.yaml",
    ],
)
def test_the_default_globs_name_the_usual_places(path):
    assert DEFAULT_POLICY.is_cassette_path(path)


@pytest.mark.parametrize(
    "path", ["cassettes.yaml", "src/cassettes.py", "README.md", "tests/test_x.py", "xcassettes", "Cassettes/a"]
)
def test_the_default_globs_leave_the_rest_alone(path):
    assert not DEFAULT_POLICY.is_cassette_path(path)


@pytest.mark.parametrize(
    ("glob", "path", "matches"),
    [
        ("golden/*.json", "golden/a.json", True),
        ("golden/*.json", "golden/deep/a.json", False),
        ("golden/**/a.json", "golden/a.json", True),
        ("golden/**/a.json", "golden/x/y/a.json", True),
        ("golden/**", "golden", False),
        ("**", "any/thing", True),
        ("**/*.yaml", "a.yaml", True),
        ("?.json", "a.json", True),
        ("?.json", "/.json", False),
        ("a[eu].json", "a[eu].json", True),
        ("a[eu].json", "ae.json", False),
        ("a+(b).json", "a+(b).json", True),
        ("./golden/*", "golden/a", True),
    ],
)
def test_a_glob_takes_everything_but_stars_and_question_marks_literally(glob, path, matches):
    assert Policy(cassettes=(glob,)).is_cassette_path(path) is matches


@pytest.mark.parametrize(
    ("pyproject", "text"),
    [
        (None, None),
        ("[project]\nname = 'x'\n", None),
        ("[tool.ruff]\n", None),
        (None, ""),
        ("[tool.cassette-review]\n", None),
        ("tool = 1", None),
    ],
)
def test_without_rules_there_are_the_defaults(pyproject, text):
    assert read_policy(pyproject, text) == DEFAULT_POLICY
    assert DEFAULT_POLICY.require_approval == ("behaviour",)


def test_both_places_say_the_same():
    rules = 'cassettes = ["golden/**"]\nrecord_command = "make record T={test}"\nusage_tolerance = 0.5\nself_approval = false\n'
    rules += 'require_approval = ["behaviour", "request"]\nblocking = ["secret", "failure"]\n'
    assert read_policy(f"[tool.cassette-review]\n{rules}", None) == own(rules)
    assert own(rules).require_approval == ("behaviour", "request")


@pytest.mark.parametrize(
    ("pyproject", "text", "words"),
    [
        (None, "cassettes = [", "cassette-review.toml is no valid TOML"),
        ("a = ", None, "pyproject.toml is no valid TOML"),
        ("[tool.cassette-review]", "", "stands twice"),
        ("[tool]\ncassette-review = 1", None, "has to be a table"),
        (None, "cassete = []", "unknown key 'cassete'; did you mean 'cassettes'?"),
        (None, "record-command = 'x'", "did you mean 'record_command'?"),
        (None, "colour = 'red'", "there are cassettes, record_command"),
        (None, "cassettes = 'golden/**'", "cassettes is 'golden/**'"),
        (None, "usage_tolerance = -1", "usage_tolerance is -1"),
        (None, "usage_tolerance = nan", "usage_tolerance is nan"),
        (None, "require_approval = ['everything']", "require_approval.0 is 'everything'"),
        (None, "record_command = 'x {tests}'", "{tests} is no placeholder"),
        (None, "record_command = 'x {}'", "{} is no placeholder"),
        (None, "record_command = 'x {path.__class__}'", "{path.__class__} is no placeholder"),
        (None, "record_command = 'x {path:>999999999}'", "{path} is no placeholder as written"),
        (None, "record_command = 'x {path'", "record_command is"),
        (None, "record_command = 'x {branch}'", "{branch} is no placeholder as written; there are {test} and {path}"),
        (None, "rerun_command = 'x {path}'", "{path} is no placeholder as written; there are {branch} and {commit}"),
        (None, "min_approvals = 0", "min_approvals is 0"),
        (None, "min_approvals = true", "min_approvals is True"),
        (None, "min_approvals = 1.5", "min_approvals is 1.5"),
        (None, "agent_verdicts = 'ignore'", "agent_verdicts is 'ignore'"),
        (None, "agent-verdicts = 'label'", "did you mean 'agent_verdicts'?"),
    ],
)
def test_what_cannot_be_used_is_one_sentence_with_what_was_near(pyproject, text, words):
    assert words in told(pyproject, text)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("tests/cassettes/test_refund/test_flow.yaml", "tests/test_refund.py::test_flow"),
        ("tests/cassettes/test_refund/test_flow[eu].yaml", "tests/test_refund.py::test_flow[eu]"),
        ("tests/cassettes/test_refund/test_flow[gpt-4.1-v1.0].jsonl", "tests/test_refund.py::test_flow[gpt-4.1-v1.0]"),
        ("tests/cassettes/test_refund/TestRefund.test_flow.yaml", "tests/test_refund.py::TestRefund::test_flow"),
        (
            "tests/cassettes/test_refund/TestA.TestB.test_flow[x].json",
            "tests/test_refund.py::TestA::TestB::test_flow[x]",
        ),
        ("tests/cassettes/test_refund/test_flow.yaml.gz", "tests/test_refund.py::test_flow"),
        ("cassettes/test_refund/test_flow.yaml", "test_refund.py::test_flow"),
        ("tests/cassettes/refund.yaml", None),
        ("tests/cassettes/suite/0123456789abcdef.json", None),
        ("tests/golden/test_refund/test_flow.yaml", None),
        ("tests/cassettes/test_refund/conversation.yaml", None),
        ("test_flow.yaml", None),
    ],
)
def test_a_test_is_known_by_its_cassettes_path(path, expected):
    assert test_id(path) == expected


def test_the_record_command_is_safe_to_paste():
    policy = Policy(record_command="uv run pytest {test} --record-mode=rewrite # {path}")
    path = "tests/cassettes/test_refund/test_flow[it's; rm -rf $HOME].yaml"
    assert (
        shlex.split(policy.record_command_for(path) or "", comments=True)[3]
        == "tests/test_refund.py::test_flow[it's; rm -rf $HOME]"
    )


def test_without_a_template_or_a_known_test_there_is_no_command():
    assert DEFAULT_POLICY.record_command_for("tests/cassettes/test_a/test_b.yaml") is None
    assert Policy(record_command="pytest {test}").record_command_for("golden/a.yaml") is None
    assert Policy(record_command="record {path}").record_command_for("golden/a b.yaml") == "record 'golden/a b.yaml'"


def test_the_digest_names_the_rules():
    assert Policy().digest == DEFAULT_POLICY.digest
    assert len({Policy().digest, Policy(usage_tolerance=0.3).digest, Policy(blocking=()).digest}) == 3


def test_the_rerun_command_is_safe_to_run():
    policy = Policy(rerun_command="again --ref {branch} --at {commit}")
    branch = "fix; rm -rf $HOME"
    assert shlex.split(policy.rerun_command_for(branch, "1f3a") or "") == ["again", "--ref", branch, "--at", "1f3a"]
    assert DEFAULT_POLICY.rerun_command_for("main", "1f3a") is None


def test_rules_are_what_differs_from_the_defaults_in_whatever_order():
    assert DEFAULT_POLICY.effective == "{}"
    one, other = own("min_approvals = 2\nusage_tolerance = 0.5\n"), own("usage_tolerance = 0.5\nmin_approvals = 2\n")
    assert one.effective == other.effective == '{"min_approvals": 2, "usage_tolerance": 0.5}'
    severities = (
        own(f"[severities]\n{lines}")
        for lines in ("retried = 'off'\ntrimmed = 'info'", "trimmed = 'info'\nretried = 'off'")
    )
    assert len({policy.effective for policy in severities}) == 1


def test_a_policy_is_written_as_toml_that_reads_as_the_same_policy():
    policy = Policy(
        record_command='x "{test}"', severities={"retried": "off"}, volatile=("parameters.seed",), usage_tolerance=0.5
    )
    text = written(policy, "cassette-review.toml")
    assert read_policy(None, text) == policy
    assert "usage_tolerance = 0.5  # cassette-review.toml" in text
    assert "self_approval = true  # default" in text


RULED = """
suite = {tokens = 90000, cost_growth = 0.5}

[[rules]]
paths = ["**/refund/**"]
forbidden_tools = ["delete_account"]
order = [["get_order", "issue_refund"]]
budget = {cost = 0.25}
"""


def test_rules_by_path_are_read_and_written_back():
    policy = read_policy(None, RULED)
    assert policy.rules[0].order == (("get_order", "issue_refund"),)
    assert policy.rules[0].budget.cost == Decimal("0.25")
    assert read_policy(None, written(policy, "cassette-review.toml")) == policy


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[rules]]\nforbiden_tools = []\n", "'rules.0.forbiden_tools'; did you mean 'forbidden_tools'"),
        ("[[rules]]\n[rules.budget]\ncoast = 1\n", "'rules.0.budget.coast'; did you mean 'cost'"),
        ("[suite]\ntokens_growth = 1\n", "'suite.tokens_growth'; did you mean 'token_growth'"),
        ("[suite]\ntokens = -1\n", "suite.tokens is -1"),
    ],
)
def test_a_wrong_key_inside_a_table_is_refused_with_the_nearest(text, said):
    with pytest.raises(PolicyError) as refused:
        read_policy(None, text)
    assert said in str(refused.value)
