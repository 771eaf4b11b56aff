"""Approved scratch recordings replace the committed ones, and nothing else is written."""

import json
import os
from pathlib import Path

import pytest

from reviewlib.cli import placing
from reviewlib.errors import UsageError
from reviewlib.formats.content import blob_id
from reviewlib.model.cassette import File
from tests.cli.cassettes import ORDER, REFUND, cassette
from tests.repositories import build

FOLDER = "tests/cassettes"
HERE, THERE = REFUND.removeprefix(f"{FOLDER}/"), ORDER.removeprefix(f"{FOLDER}/")
"""The same as they are called in either folder; reports and verdicts call them as the repository does."""


@pytest.fixture
def scratch(isolated, tmp_path, monkeypatch):  # noqa: ARG001 - it has to come first
    """A committed refund and order, and a scratch folder in which the refund is of another amount, and the order is noise."""
    made = build((tmp_path / "project").resolve())
    made.commit({REFUND: cassette(), ORDER: cassette()})
    monkeypatch.chdir(made.root)
    folder = tmp_path / "scratch"
    write(folder, {HERE: cassette(390), THERE: cassette(request_id="req_2")})
    return folder


def write(folder, files):
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)


@pytest.fixture
def promote(run, scratch):
    sides = ("--baseline-dir", FOLDER, "--head-dir", str(scratch))

    def command(*words, verb="promote"):
        at = words.index("--") if "--" in words else len(words)
        return run(verb, *words[:at], *sides, *words[at:])

    return command


def names(folder):
    return sorted(each.name for each in folder.iterdir())


def committed(name):
    return Path(FOLDER, name).read_text()


def test_what_nobody_approved_stays(promote):
    code, out, _ = promote()
    assert code == 0
    assert f"left: {REFUND} is open (issue_refund.amount 39 → 390)" in out
    assert "0 cassettes replaced, 1 left.\n1 cassette moved by noise alone; --identical takes them, too.\n" in out
    assert (committed(HERE), committed(THERE)) == (cassette(), cassette())


def test_what_is_approved_replaces_the_committed_file_byte_by_byte(promote, scratch):
    assert promote("--", HERE, verb="approve")[0] == 0
    code, out, _ = promote()
    assert (code, out.splitlines()[0]) == (0, f"replaced: {REFUND}")
    assert committed(HERE) == (scratch / HERE).read_text()
    assert committed(THERE) == cassette(), "noise is not asked for"
    assert names(Path(FOLDER, HERE).parent) == ["test_order.yaml", "test_refund.yaml"]
    assert "No cassettes changed" not in promote(verb="diff")[1]


def test_a_dry_run_says_the_same_and_writes_nothing(promote):
    promote("--", HERE, verb="approve")
    out = promote("--dry-run")[1]
    assert f"replaced: {REFUND}\n1 cassette would be replaced, 0 left.\n" in out
    assert committed(HERE) == cassette()


def test_noise_is_taken_where_it_is_wanted(promote, scratch):
    out = promote("--identical")[1]
    assert f"replaced: {ORDER}" in out
    assert committed(THERE) == (scratch / THERE).read_text()
    assert committed(HERE) == cassette()


def test_another_content_than_the_approved_one_stays(promote, scratch):
    promote("--", HERE, verb="approve")
    write(scratch, {HERE: cassette(39000)})
    out = promote()[1]
    assert f"left: {REFUND} is stale (approved by Ada on " in out
    assert committed(HERE) == cassette()


def test_what_is_flagged_stays(promote):
    promote("--comment", "too much", "--", HERE, verb="flag")
    assert f"left: {REFUND} is flagged (flagged by Ada: too much)" in promote()[1]
    assert committed(HERE) == cassette()


def test_a_promoted_recording_is_approved_in_its_pull_request_too(promote, run):
    promote("--", HERE, verb="approve")
    promote()
    git = build(Path.cwd()).git
    git("checkout", "--quiet", "-b", "promoted")
    git("commit", "--quiet", "--all", "-m", "promoted")
    assert run("check", "main...promoted")[0] == 0
    assert "[approved]" in run("diff", "main...promoted")[1]


def test_named_cassettes_are_replaced_all_or_none(promote, scratch):
    write(scratch, {"test_other.yaml": cassette(5)})
    promote("--", "test_other.yaml", verb="approve")
    code, _, err = promote("--", HERE, "test_other.yaml")
    assert code == 2
    assert f"{REFUND} is open" in err
    assert f"cassette-review approve --baseline-dir {FOLDER} --head-dir {scratch} -- {REFUND}" in err
    assert not Path(FOLDER, "test_other.yaml").exists()
    code, out, _ = promote("--", "test_other.yaml")
    assert (code, out.splitlines()[0]) == (0, f"added: {FOLDER}/test_other.yaml")
    assert committed("test_other.yaml") == cassette(5)


def test_a_removal_is_approved_like_anything_else(promote, scratch):
    (scratch / HERE).unlink()
    assert f"left: {REFUND} is open" in promote()[1]
    promote("--", HERE, verb="approve")
    assert f"removed: {REFUND}" in promote()[1]
    assert not Path(FOLDER, HERE).exists()
    assert Path(FOLDER, THERE).exists()


def test_a_cassette_of_another_name_goes_where_it_is_now(promote, scratch):
    (scratch / HERE).rename(scratch / "test_moved.yaml")
    promote("--", ".", verb="approve")
    out = promote()[1]
    assert f"moved: {FOLDER}/test_moved.yaml" in out
    assert committed("test_moved.yaml") == cassette(390)
    assert not Path(FOLDER, HERE).exists()


def run_of(amount):
    """A folder of one file a request, named by the request's hash."""
    asked = [{"role": "user", "content": "Refund order 1234."}]
    call = {
        "id": "c",
        "type": "function",
        "function": {"name": "issue_refund", "arguments": json.dumps({"amount": amount})},
    }
    turns = [
        (asked, {"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls"),
        (
            [
                *asked,
                {"role": "assistant", "content": None, "tool_calls": [call]},
                {"role": "tool", "tool_call_id": "c", "content": "ok"},
            ],
            {"role": "assistant", "content": f"Refunded {amount}."},
            "stop",
        ),
    ]
    files = {}
    for messages, message, reason in turns:
        body = {"model": "gpt-4o", "messages": messages}
        answer = {
            "object": "chat.completion",
            "model": "gpt-4o",
            "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        }
        name = blob_id(json.dumps(body).encode())
        files[f"run/{name}.json"] = json.dumps({"request": body, "response": answer})
    return files


def test_a_cassette_of_several_files_is_replaced_as_a_whole(promote, scratch):
    write(Path(FOLDER), run_of(39))
    write(scratch, run_of(390))
    assert f"left: {FOLDER}/run is open" in promote()[1]
    assert promote("--", "run", verb="approve")[0] == 0
    assert f"replaced: {FOLDER}/run" in promote()[1]
    assert {f"run/{name}" for name in names(Path(FOLDER, "run"))} == set(run_of(390))
    assert all(committed(name) == content for name, content in run_of(390).items())


def test_a_link_in_the_working_tree_is_written_through_nowhere(promote, scratch, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_text("mine")
    write(scratch, {"linked/a.yaml": cassette(1), "file.yaml": cassette(2)})
    Path(FOLDER, "linked").symlink_to(outside)
    Path(FOLDER, "file.yaml").symlink_to(outside / "secret")
    promote("--", "linked", "file.yaml", verb="approve")
    for name in ("linked", "file.yaml"):
        code, _, err = promote("--", name)
        assert (code, "link" in err) == (2, True)
    assert names(outside) == ["secret"]
    assert (outside / "secret").read_text() == "mine"


def test_links_in_the_scratch_folder_are_no_recordings(promote, scratch, tmp_path):
    (tmp_path / "key").write_text(cassette(7))
    (scratch / "linked.yaml").symlink_to(tmp_path / "key")
    assert "linked" not in promote()[1]


@pytest.mark.parametrize(
    "path", ["../up.yaml", "/etc/up.yaml", ".git/hooks/pre-commit", "a/.GIT/x", "a/../../x", "a\\xff.yaml"]
)
def test_a_path_that_leads_elsewhere_is_refused(tmp_path, path):
    file = File(path=path, blob="b", data=b"x")
    for step in (placing.check, placing.place):
        with pytest.raises(UsageError, match="no place for a cassette"):
            step(tmp_path, placing.Placement((), (file,)))
    assert list(tmp_path.iterdir()) == []


def test_what_moved_since_it_was_compared_is_not_overwritten(tmp_path):
    before, after = (File(path="a/x.yaml", blob=blob_id(data), data=data) for data in (b"before", b"after"))
    write(tmp_path, {"a/x.yaml": "mine"})
    with pytest.raises(UsageError, match="not what was reviewed"):
        placing.check(tmp_path, placing.Placement((before,), (after,)))
    with pytest.raises(UsageError, match="not what was reviewed"):
        placing.check(tmp_path, placing.Placement((), (after,)))
    for there in ("before", "after"):
        write(tmp_path, {"a/x.yaml": there})
        placing.check(tmp_path, placing.Placement((before,), (after,)))


def test_a_file_keeps_its_mode_and_a_failed_write_leaves_the_old_one(tmp_path, monkeypatch):
    before, after = (File(path="x.yaml", blob=blob_id(data), data=data) for data in (b"before", b"after"))
    write(tmp_path, {"x.yaml": "before"})
    (tmp_path / "x.yaml").chmod(0o640)
    with monkeypatch.context() as broken:
        broken.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError("no space left")))
        with pytest.raises(OSError, match="no space"):
            placing.place(tmp_path, placing.Placement((before,), (after,)))
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("x.yaml", "before")]
    placing.place(tmp_path, placing.Placement((before,), (after,)))
    assert (tmp_path / "x.yaml").read_text() == "after"
    assert (tmp_path / "x.yaml").stat().st_mode & 0o777 == 0o640


def test_both_folders_are_needed_and_the_first_lies_in_the_repository(run, scratch, tmp_path):
    for words in ((), ("--head-dir", str(scratch))):
        code, _, err = run("promote", *words)
        assert (code, "--baseline-dir DIR --head-dir DIR" in err) == (2, True)
    write(tmp_path / "elsewhere", {HERE: cassette()})
    code, _, err = run("promote", "--baseline-dir", str(tmp_path / "elsewhere"), "--head-dir", str(scratch))
    assert (code, "is not in the working tree of" in err) == (2, True)
