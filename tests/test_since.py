"""What changed since a verdict, from the contents that the ledger pinned."""

import json
from datetime import UTC, datetime

import pytest

from reviewlib import pipeline
from reviewlib.formats.content import tree_id
from reviewlib.ledger import Ledger
from reviewlib.model.cassette import File, Unreadable
from reviewlib.model.review import Side
from reviewlib.policy import DEFAULT_POLICY
from reviewlib.since import changed_since
from reviewlib.sources import Snapshot
from reviewlib.verdicts import contents, states, verdict_entry
from tests.cli.cassettes import REFUND, cassette
from tests.repositories import Built, repo, snapshot
from tests.test_verdicts import ADA
from tests.test_verdicts import pair as made_pair

__all__ = ["repo"]

NOW = datetime(2026, 5, 4, tzinfo=UTC)


def reviewed(built: Built, revisions: str | None = None):
    taken = snapshot(built, revisions)
    return pipeline.review(taken, DEFAULT_POLICY, NOW), taken


def approve(built: Built, revisions: str | None = None) -> None:
    review, taken = reviewed(built, revisions)
    entries = [verdict_entry(pair, "approve", ADA, at=NOW, entry_id=pair.path) for pair in review.pairs]
    Ledger(built.open()).append(entries, contents(review.pairs, taken))


def since(built: Built, revisions: str | None = None):
    review, _ = reviewed(built, revisions)
    ledger = Ledger(built.open())
    (pair,) = review.pairs
    state = states(ledger.entries(), review)[pair.path]
    assert state.since is not None, state
    return state.state, changed_since(pair, state.since, ledger.pinned, DEFAULT_POLICY, NOW)


def forget_everything_but_the_ledger(built: Built) -> None:
    built.git("reflog", "expire", "--expire=now", "--all")
    built.git("gc", "--quiet", "--prune=now")


@pytest.fixture
def approved(repo: Built) -> Built:
    """A refund of 390 was approved in the working tree, and nothing but the ledger holds it any more."""
    repo.commit({REFUND: cassette(39)})
    repo.write({REFUND: cassette(390)})
    approve(repo)
    repo.write({REFUND: cassette(391)})
    forget_everything_but_the_ledger(repo)
    return repo


def test_a_changed_argument_is_stale_with_the_difference_to_what_was_approved(approved: Built):
    state, found = since(approved)
    assert (state, found.side) == ("stale", "head")
    assert found.pair.headline == "issue_refund.amount 390 → 391"
    assert found.pair.baseline_content != found.pair.head_content
    assert found.pair.diff.rows, "it is shown like any other pair"


def test_noise_is_carried_and_the_difference_is_identical(approved: Built):
    approved.write({REFUND: cassette(390, request_id="req_9")})
    state, found = since(approved)
    assert (state, found.pair.significance) == ("carried", "identical")


def test_a_cassette_that_is_gone_now_or_was_then(approved: Built):
    approved.write({REFUND: None})
    state, found = since(approved)
    assert (state, found.pair.status) == ("stale", "removed")
    approve(approved)
    approved.write({REFUND: cassette(390)})
    ledger = Ledger(approved.open())
    (pair,) = reviewed(approved)[0].pairs
    removal = next(entry for entry in ledger.entries() if entry.pair.head is None)
    assert changed_since(pair, removal, ledger.pinned, DEFAULT_POLICY, NOW).pair.status == "added"


def test_where_only_the_baseline_moved_the_baselines_are_compared(repo: Built):
    repo.commit({REFUND: cassette(39)})
    repo.commit({REFUND: cassette(40)})
    repo.write({REFUND: cassette(390)})
    approve(repo, "HEAD~1")
    state, found = since(repo, "HEAD")
    assert (state, found.side, found.pair.headline) == ("stale", "baseline", "issue_refund.amount 39 → 40")


def test_a_content_that_nobody_pinned_makes_an_unreadable_side_that_says_so(approved: Built):
    (pair,) = reviewed(approved)[0].pairs
    (entry,) = Ledger(approved.open()).entries()
    found = changed_since(pair, entry, lambda *_: (), DEFAULT_POLICY, NOW)
    assert isinstance(found.pair.baseline, Unreadable)
    assert "reviews fetch brings it" in found.pair.headline
    assert found.pair.significance is None


def test_a_clone_that_fetched_the_ledger_can_tell_as_well(approved: Built, tmp_path):
    other = Built(tmp_path / "other")
    approved.git("clone", "--quiet", f"file://{approved.root}", str(other.root))
    Ledger(other.open()).fetch()
    other.write({REFUND: cassette(391)})
    assert since(other)[1].pair.headline == "issue_refund.amount 390 → 391"


# Cassettes of several files


def hashed(amount: int, name: str) -> dict[str, bytes | str | None]:
    """A cassette that is a folder of files named by request hash."""
    asked = {
        "model": "claude-sonnet-4-0",
        "max_tokens": 64,
        "messages": [{"role": "user", "content": f"Refund {name}."}],
    }
    call = {"type": "tool_use", "id": "toolu_1", "name": "issue_refund", "input": {"amount": amount}}
    answer = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-4-20250514", "content": [call],
              "stop_reason": "tool_use", "usage": {"input_tokens": 9, "output_tokens": 9}}  # fmt: skip
    return {f"tests/cassettes/suite/{name * 16}.json": json.dumps({"request": asked, "response": answer})}


def test_a_folder_is_pinned_as_a_tree_and_comes_back_as_files(repo: Built):
    repo.commit({**hashed(1, "a"), **hashed(2, "b")})
    repo.write(hashed(10, "a"))
    review, taken = reviewed(repo)
    (pair,) = review.pairs
    assert pair.path == "tests/cassettes/suite"
    assert sorted(contents([pair], taken)) == sorted(
        f"{content}/{name * 16}.json" for content in (pair.baseline_content, pair.head_content) for name in "ab"
    )
    approve(repo)
    repo.write(hashed(11, "a"))
    forget_everything_but_the_ledger(repo)
    files = Ledger(repo.open()).pinned(pair.head_content, pair.path)
    assert [file.path for file in files] == [f"tests/cassettes/suite/{name * 16}.json" for name in "ab"]
    state, found = since(repo)
    assert (state, found.pair.headline) == ("stale", "issue_refund.amount 10 → 11")


def test_a_cassette_with_sidecars_is_pinned_with_them(repo: Built):
    sidecar = f"cassettes/x.assets/sha256-{'0' * 64}"
    files = tuple(
        File(path=path, blob=repo.git("hash-object", "-w", "--stdin", stdin=data), data=data)
        for path, data in (("cassettes/x.yaml", b"main"), (sidecar, b"long"), ("cassettes/y.yaml", b"another"))
    )
    content = tree_id((file.path, file.blob) for file in files[:2])
    side = Side(label="x")
    taken = Snapshot(baseline=side, head=side, baseline_files=(), head_files=files)
    one = made_pair(path="cassettes/x.yaml", head_path="cassettes/x.yaml", baseline=None, head=content)
    pins = contents([one], taken)
    assert pins == {f"{content}/x.yaml": b"main", f"{content}/{sidecar.removeprefix('cassettes/')}": b"long"}
    ledger = Ledger(repo.open())
    ledger.append([verdict_entry(one, "flag", ADA, at=NOW, entry_id="1")], pins)
    forget_everything_but_the_ledger(repo)
    assert [(file.path, file.data) for file in ledger.pinned(content, "cassettes/x.yaml")] == [
        ("cassettes/x.yaml", b"main"),
        (sidecar, b"long"),
    ]


def test_what_is_not_at_hand_is_not_pinned():
    side = Side(label="x")
    gone = File(path="a.json", blob="1" * 40, data=b"", missing="not in this clone")
    taken = Snapshot(baseline=side, head=side, baseline_files=(), head_files=(gone,))
    assert contents([made_pair(baseline=None, head="1" * 40)], taken) == {}
    other = gone.model_copy(update={"data": b"x", "missing": None, "blob": "2" * 40})
    taken = taken.model_copy(update={"head_files": (other,)})
    assert contents([made_pair(baseline=None, head="1" * 40)], taken) == {"2" * 40: b"x"}


@pytest.mark.parametrize("content", ["", "HEAD", "--help", "0" * 40, "HEAD:x", "a" * 39])
def test_what_is_no_content_is_not_at_hand(repo: Built, content: str):
    repo.commit({"x": "y"})
    assert Ledger(repo.open()).pinned(content, "x") == ()
    assert Ledger(repo.open()).pinned(repo.git("rev-parse", "HEAD"), "x") == (), "a commit is no content"
