"""The command as a process of its own: exit codes, pipes, signals, encodings, what is imported."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from reviewlib import cli
from reviewlib.cli import comparing
from tests.cli.cassettes import REFUND

MAIN = [sys.executable, "-c", "from reviewlib.cli import main; main()"]


def process(*words, **more):
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    return subprocess.Popen(
        [*MAIN, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment | more.pop("env", {}), **more
    )


@pytest.mark.usefixtures("project")
def test_the_exit_code_is_that_of_the_process():
    for words, code in ((("diff", "main...HEAD"), 0), (("check", "main...HEAD"), 1), (("diff", "nowhere"), 2)):
        running = process(*words)
        out, err = running.communicate(timeout=60)
        assert (running.returncode, bool(out), bool(err)) == (code, code != 2, code == 2)


@pytest.mark.usefixtures("project")
def test_a_closed_pipe_is_one_sentence():
    running = process("diff", "main...HEAD")
    running.stdout.close()
    err = running.stderr.read().decode()
    running.stderr.close()
    assert running.wait(timeout=60) == 2
    assert err == "cassette-review: The output was closed before everything was written.\n"


def test_an_interrupt_is_one_sentence(project):
    fifo = project.root / "cassettes" / "endless.yaml"
    fifo.parent.mkdir()
    wait = (
        "import time, reviewlib.pipeline as p; p.review = lambda *a, **k: (print('up', flush=True), time.sleep(60)); "
    )
    running = subprocess.Popen(
        [sys.executable, "-c", f"{wait}from reviewlib.cli import main; main()", "diff", "main...HEAD"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert running.stdout.readline() == b"up\n"
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=60)
    assert (running.returncode, err) == (2, b"cassette-review: Interrupted.\n")


@pytest.mark.usefixtures("project")
def test_output_is_utf8_whatever_the_locale_says():
    running = process("diff", "main...HEAD", env={"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    out, err = running.communicate(timeout=60)
    assert (running.returncode, err) == (0, b"")
    assert "39 → 390" in out.decode()


HEAVY = {"streamlit", "pandas", "deepdiff", "git", "pydantic", "genai_prices", "reviewlib.pipeline"}


@pytest.mark.parametrize(
    ("words", "unused"),
    [
        (["--version"], HEAVY),
        (["diff", "main...HEAD"], {"streamlit"}),
        (["diff", "HEAD..HEAD"], {"streamlit", "pandas", "deepdiff"}),
        (["show", REFUND], {"streamlit", "pandas", "deepdiff"}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
@pytest.mark.usefixtures("project")
def test_a_command_imports_only_what_it_needs(words, unused):
    script = f"import sys; from reviewlib import cli; cli.run({words!r}); print(sorted(sys.modules), file=sys.stderr)"
    ran = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert not unused & set(re.findall(r"'([^']+)'", ran.stderr))


def test_colour_is_for_terminals_that_want_it(monkeypatch):
    for tty, environment, wanted in (
        (True, {}, True),
        (False, {}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"TERM": "dumb"}, False),
    ):
        monkeypatch.setattr(sys.stdout, "isatty", lambda tty=tty: tty, raising=False)
        monkeypatch.delenv("NO_COLOR", raising=False)
        monkeypatch.setenv("TERM", "xterm")
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        assert comparing.coloured() is wanted


@pytest.mark.parametrize(
    ("words", "turned"),
    [
        (["diff"], ["diff"]),
        (["diff", "a...b", "--", "x", "-y"], ["diff", "a...b", "--path=x", "--path=-y"]),
        (["diff", "--", "--"], ["diff", "--path=--"]),
    ],
)
def test_what_stands_after_the_dashes_is_a_path(words, turned):
    assert cli.paths_as_options(words) == turned


def test_version_is_that_of_the_distribution(capsys):
    assert cli.run(["--version"]) == 0
    assert re.fullmatch(r"\d+\.\d+\.\d+\S*\n", capsys.readouterr().out)
