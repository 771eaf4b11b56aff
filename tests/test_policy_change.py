"""Rules of review that changed in the same branch."""

import pytest

from reviewlib.policy import DEFAULT_POLICY, Policy, read_policy
from reviewlib.policy_change import policy_change, with_policy_change
from reviewlib.sources import Snapshot
from reviewlib.summary import summarise, waiting
from reviewlib.verdicts import contents, refusal, states, verdict_entry
from tests.repositories import CASSETTE, Built, repo
from tests.reviews import pair, review
from tests.test_verdicts import ADA, NOON

__all__ = ["repo"]

LOOSE = Policy(require_approval=(), blocking=())


def changed(baseline=DEFAULT_POLICY, head=LOOSE, digits=40):
    return policy_change(baseline, head, "cassette-review.toml", digits)


def test_equal_rules_are_no_change_wherever_they_stand():
    own = read_policy(None, 'require_approval = ["request"]\nusage_tolerance = 0.1\n')
    shared = read_policy('[tool.cassette-review]\nusage_tolerance = 0.1\nrequire_approval = ["request"]\n', None)
    assert policy_change(own, shared, "pyproject.toml", 40) is None
    assert own.effective == shared.effective


def test_a_change_names_each_rule_with_both_values():
    found = changed()
    assert found is not None
    assert found.pair.headline == 'rules of review: require_approval ["behaviour"] → []; blocking ["secret"] → []'
    assert [(change.details[0].path, change.details[0].head) for change in found.pair.diff.changes] == [
        ("require_approval", []),
        ("blocking", []),
    ]
    assert (found.pair.subject, found.pair.significance) == ("policy", "behaviour")


TABLES = read_policy(
    None,
    '[[rules]]\nforbidden_tools = ["delete_*"]\n[[rules]]\nbudget = { tokens = 300 }\n[suite]\ncost = 2\n[hygiene]\nmost_turns = 9\n',
)


def test_of_a_table_what_is_no_default_is_told_in_the_headline_and_all_of_it_in_the_details():
    added, taken = changed(head=TABLES), changed(baseline=TABLES, head=DEFAULT_POLICY)
    assert added is not None
    assert taken is not None
    assert added.pair.headline == (
        'rules of review: rules [] → [{"forbidden_tools": ["delete_*"]}, {"budget": {"tokens": 300}}]; '
        'suite {} → {"cost": "2"}; hygiene {} → {"most_turns": 9}'
    )
    assert taken.pair.headline.endswith('suite {"cost": "2"} → {}; hygiene {"most_turns": 9} → {}')
    assert added.pair.diff.changes[0].details[0].head[0]["required_tools"] == []


@pytest.mark.parametrize("digits", [40, 64])
def test_its_contents_are_the_rules_under_gits_own_ids(digits: int):
    found = changed(digits=digits)
    assert found is not None
    assert len(found.baseline.blob) == len(found.head.blob) == digits
    assert found.baseline.data == b"{}"
    whole, snapshot = with_policy_change(review(), empty(), found)
    assert contents(whole.pairs, snapshot) == {
        found.baseline.blob: b"{}",
        found.head.blob: b'{"blocking": [], "require_approval": []}',
    }


def test_rules_that_cannot_be_used_can_be_flagged_but_not_approved():
    found = changed(head="unknown key 'colour'")
    assert found is not None
    assert found.pair.significance is None
    assert "the rules of review cannot be used: unknown key 'colour'" in found.pair.headline
    assert "can be flagged" in (refusal(found.pair, found.pair.digest, "approve") or "")


def test_it_stands_first_and_waits_whatever_the_policy_asks_for():
    whole, _ = with_policy_change(review(pair("a", "behaviour")), empty(), changed())
    assert summarise(whole, {}).order == ("cassette-review.toml", "a")
    assert summarise(whole, {}).policies == 1
    assert [(item.path, item.reason) for item in waiting(whole, {}, ())] == [("cassette-review.toml", "open")]


def test_it_takes_a_verdict_like_any_other_which_ends_with_other_rules():
    whole, _ = with_policy_change(review(), empty(), changed())
    entry = verdict_entry(whole.pairs[0], "approve", ADA, at=NOON, entry_id="x")
    known = states([entry], whole)
    assert waiting(whole, known, ()) == ()
    assert summarise(whole, known).order == ("cassette-review.toml",), "it stays in its place"
    other, _ = with_policy_change(review(), empty(), changed(head=Policy(require_approval=())))
    assert states([entry], other)["cassette-review.toml"].state == "stale"


def test_without_a_change_nothing_is_added():
    assert with_policy_change(review(), empty(), None) == (review(), empty())


def empty() -> Snapshot:
    side = review().baseline
    return Snapshot(baseline=side, head=side, baseline_files=(), head_files=())


def told(built: Built, revisions: str) -> str | None:
    repository = built.open()
    comparison = repository.compare(revisions)
    found = repository.policy_change(comparison, repository.policy(comparison))
    return None if found is None else f"{found.pair.path}: {found.pair.headline}"


def test_a_repository_compares_the_rules_of_both_sides(repo: Built):
    repo.commit({CASSETTE: "base", "pyproject.toml": "[project]\nname = 'x'\n"})
    repo.commit({"pyproject.toml": "[project]\nname = 'y'\n"})
    assert told(repo, "HEAD~1..HEAD") is None
    repo.commit({"pyproject.toml": "[tool.cassette-review]\nmin_approvals = 2\n"})
    assert told(repo, "HEAD~1..HEAD") == "pyproject.toml: rules of review: min_approvals 1 → 2"
    repo.commit({"pyproject.toml": "", "cassette-review.toml": "min_approvals = 2\n"})
    assert told(repo, "HEAD~1..HEAD") is None, "moved, not changed"
    repo.commit({"cassette-review.toml": None})
    assert told(repo, "HEAD~1..HEAD") == "pyproject.toml: rules of review: min_approvals 2 → 1"
    repo.write({"cassette-review.toml": "min_aprovals = 2\n"})
    assert "did you mean 'min_approvals'?" in (told(repo, "HEAD") or "")


def test_authors_are_those_of_the_commits_between_both_sides(repo: Built):
    repo.commit({CASSETTE: "base"})
    repo.git("checkout", "--quiet", "-b", "branch")
    for who in ("grace", "mallory"):
        repo.git("config", "user.email", f"{who.title()}@example.org")
        repo.commit({CASSETTE: who, ".mailmap": "Nobody <nobody@example.org> <Mallory@example.org>\n"})
    repo.git("config", "user.email", "edsger@example.org")
    repository = repo.open()
    assert repository.authors(repository.compare("main...HEAD")) == {"grace@example.org", "mallory@example.org"}
    assert repository.authors(repository.compare("HEAD..HEAD")) == set()
    assert repository.authors(repository.compare("HEAD")) == {"edsger@example.org"}, "who changes the working tree"


def test_in_an_unborn_repository_the_author_is_whoever_is_at_work(repo: Built):
    repo.write({CASSETTE: "new"})
    assert repo.open().authors(repo.open().compare("HEAD")) == {"ada@example.org"}
