"""The command line: words in, one exit code out.

    0   done; for ``check``: nothing needs a person
    1   ``check``: something needs a person; ``audit``: a cassette is to be mended
    2   wrong use, or an environment that does not allow it: one sentence on stderr, no traceback

Each command lives in a module that is imported when the command is called, and no earlier: ``--version`` answers without pydantic,
GitPython or streamlit.
"""

import io
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version

from cyclopts import App, CycloptsError, Parameter

from reviewlib.errors import ReviewError
from reviewlib.report.neutral import one_line

REVISIONS = """
REVISIONS: `A...B` (the merge base of A and B, against B), `A..B` (A against B), `A` (A against the working tree), or nothing: HEAD
against the working tree if a cassette differs there, else the merge base of the default branch against HEAD. Paths stand after `--`.
"""

app = App(
    name="cassette-review",
    help=f"Review what your LLM agent does differently when its recorded cassettes change.\n{REVISIONS}",
    version=lambda: version("cassette-review"),
    # No --no-write beside --write, and no words such as `[default: ()]` for what is simply not there.
    default_parameter=Parameter(negative="", show_default=lambda value: value or None),
    result_action="return_value",
    suppress_keyboard_interrupt=False,
)
_reviews = App(name="reviews", help="List and share the verdicts and comments that are kept in the repository.")
app.command(_reviews)

COMMANDS = (
    (app, "demo", "dashboard:demo", "Build a repository of sample cassettes, and open the dashboard on its re-record."),
    (app, "open", "dashboard:open_dashboard", "Open the dashboard on a comparison."),
    (app, "diff", "reading:diff", "Say what changed, riskiest first; with paths, every change in them."),
    (app, "show", "reading:show", "Show one cassette step by step."),
    (app, "check", "reading:check", "Fail with exit code 1 while a changed cassette needs a person."),
    (
        app,
        "policy",
        "policies:policy",
        "Print the rules that a comparison is judged by, as TOML, each with where it comes from; with --init a first policy.",
    ),
    (
        app,
        "audit",
        "auditing:audit",
        "Judge all cassettes of one revision by themselves; fail with exit code 1 while one has an error.",
    ),
    (app, "approve", "deciding:approve", "Approve exactly what the cassettes hold now."),
    (app, "flag", "deciding:flag", "Flag cassettes: what they hold now must not be merged."),
    (app, "withdraw", "deciding:withdraw", "Take your own verdicts back, or set another reviewer's flag aside."),
    (app, "promote", "promoting:promote", "Replace committed cassettes by scratch recordings that were approved."),
    (_reviews, "list", "sharing:list_reviews", "List all verdicts and comments, and what became of them."),
    (_reviews, "push", "sharing:push", "Take in the verdicts of a remote, and give it yours."),
    (_reviews, "fetch", "sharing:fetch", "Take in the verdicts of a remote."),
    (
        _reviews,
        "export",
        "sharing:export_reviews",
        "Write verdicts and comments to a file, for somebody with the right to push to import.",
    ),
    (_reviews, "import", "sharing:import_reviews", "Take in verdicts and comments that somebody exported."),
)
"""Group, name, where it is, and what it does in a sentence: listing them imports none of them."""

for _group, _name, _target, _summary in COMMANDS:
    _group.command(f"reviewlib.cli.{_target}", name=_name, help=_summary)


def main() -> None:
    """Run the command of this process, and end it."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    code = run(sys.argv[1:])
    try:
        sys.stdout.flush()
    except OSError:
        # What could not be written stays unwritten: Python would try again on its way out, and complain with a traceback.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run one command, and give its exit code. Whatever goes wrong is one sentence on stderr."""
    try:
        code = app(paths_as_options(arguments), exit_on_error=False, print_error=False)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return _refuse("Interrupted.")
    except Exception as error:
        # Uncaught, it would end the process with 1, which says "something needs a person".
        if os.environ.get("CASSETTE_REVIEW_TRACEBACK"):
            raise
        return _refuse(_sentence(error))
    return code if isinstance(code, int) else 0


def paths_as_options(arguments: Sequence[str]) -> list[str]:
    """Turn what stands after ``--`` into ``--path`` options: ``diff -- a.yaml`` has paths and no revisions."""
    words = list(arguments)
    if "--" not in words:
        return words
    at = words.index("--")
    return [*words[:at], *(f"--path={path}" for path in words[at + 1 :])]


def _sentence(error: Exception) -> str:
    match error:
        case ReviewError():
            return str(error)
        case CycloptsError():
            return (
                f"{error} `cassette-review --help` lists the commands, `cassette-review COMMAND --help` their options."
            )
        case BrokenPipeError():
            return "The output was closed before everything was written."
        case OSError():
            return f"The system refused: {error}."
        case _:
            told = f"{type(error).__name__}: {error}"
            return (
                f"This is a bug in cassette-review ({told}). CASSETTE_REVIEW_TRACEBACK=1 shows where; please report it."
            )


def _refuse(sentence: str) -> int:
    sys.stderr.write(f"cassette-review: {one_line(sentence)}\n")
    return 2
