"""What must not be merged is the first thing that every report says: by rerecords in which successes became failures, and by hand."""

import json
import re
import xml.etree.ElementTree as ET

import pytest

from reviewlib.model.review import Finding
from reviewlib.report import html, junit, markdown, sarif, text
from reviewlib.report import json as report
from reviewlib.summary import summarise, waiting
from tests.cli.cassettes import cassette, interaction
from tests.corpus import CORPUS, needs_corpus
from tests.report.hostile import HOSTILE
from tests.report.test_gate import COMMANDS
from tests.reviews import pair, review, states

FOLDER = "tests/cassettes"
KINDS = {401: "authentication_error", 404: "not_found_error"}


def refused(status):
    """The same request, and an error in place of the answer."""
    asked = [{"role": "user", "content": "Refund order 1234."}]
    body = {"type": "error", "error": {"type": KINDS[status], "message": "no"}}
    return json.dumps(
        {"interactions": [interaction(asked, body, "You are a support agent.", status=status)], "version": 1}, indent=1
    )


def rerecorded(folder, every, failed, status):
    """Two folders: ``every`` cassettes of which ``failed`` hold an error now; the others moved by their ids alone."""
    for side in ("base", "head"):
        (folder / side / FOLDER).mkdir(parents=True)
        for number in range(every):
            error = side == "head" and number >= every - failed
            content = refused(status) if error else cassette(request_id=f"req_{side}")
            (folder / side / FOLDER / f"test_{number:02}.yaml").write_text(content)
    return "--baseline-dir", str(folder / "base"), "--head-dir", str(folder / "head")


CASES = {"thirteen of fifty-two": (52, 13, 404), "two of forty-eight": (48, 2, 401)}


@pytest.fixture(scope="module", params=CASES.values(), ids=CASES)
def case(request, tmp_path_factory):
    return (*request.param, rerecorded(tmp_path_factory.mktemp("case"), *request.param))


def first_line(word, out):
    """What a reader of a report sees first."""
    match word:
        case "json":
            read = json.loads(out)
            (first, *_) = read["findings"]
            return f"{first['severity']}: {first['messages'][0]['message']} {first['code']} {len(first['pairs'])} of {read['pairs'] if 'passed' in read else read['totals']['pairs']}"
        case "html":
            return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", out.partition("<main>")[2].partition("</p>")[0])).strip()
        case "junit":
            first = next(ET.fromstring(out.encode()).iter("testcase"))
            return f"{first[0].tag}: {first[0].get('message')}"
        case "sarif":
            run = json.loads(out)["runs"][0]
            (first, *_) = run["results"]
            return f"{first['level']}: {first['message']['text']} {first['ruleId']}"
        case _:
            return out.splitlines()[0].replace("\\", "").replace("*", "")


@pytest.mark.usefixtures("isolated")
@pytest.mark.parametrize("command", ["diff", "check"])
@pytest.mark.parametrize("word", ["text", "markdown", "json", "html", "junit", "sarif"])
def test_successes_that_became_failures_are_the_first_line_of_every_report(run, case, command, word):
    every, failed, status, sides = case
    code, out, _ = run(command, *sides, "--format", word)
    line = first_line(word, out)
    assert code == (1 if command == "check" else 0)
    assert line.startswith("error")
    assert f"HTTP {status} was recorded in place of an answer" in line
    assert "recorded-failure" in line
    if word != "sarif":
        assert f"{failed} of {every}" in line
    if word in {"text", "markdown", "html"}:
        assert f"test_{every - 1}.yaml" in line or "and 9 more" in line


@pytest.mark.usefixtures("isolated")
def test_the_line_names_some_cassettes_and_counts_the_rest(run, tmp_path):
    out = run("diff", *rerecorded(tmp_path, 52, 13, 404))[1]
    assert out.splitlines()[0] == (
        "error: HTTP 404 was recorded in place of an answer, new in 13 of 52 cassettes (recorded-failure): "
        "tests/cassettes: test_39.yaml, test_40.yaml, test_41.yaml, test_42.yaml and 9 more"
    )


@needs_corpus
@pytest.mark.usefixtures("isolated")
def test_the_refused_calls_of_a_real_rerecord_are_its_first_line(run):
    folder = CORPUS / "public" / "crewai-model-change"
    sides = ("--baseline-dir", str(folder / "base"), "--head-dir", str(folder / "head"), "--all")
    for command in ("diff", "check"):
        first = run(command, *sides)[1].splitlines()[0]
        assert first.startswith("error: HTTP 401 was recorded in place of an answer (2); ")
        assert "(recorded-failure): lib/crewai/tests/cassettes/agents: " in first


FAILED = Finding(code="recorded-failure", severity="error", message="HTTP 404 was recorded")
BUDGET = Finding(code="cost-budget", severity="error", message="$5.10 is over the budget of $5.00")
HINT = Finding(code="mixed-providers", severity="info", message="two providers answer")


def printed(word, one, known=None, *, gate=False):
    known = known or {}
    summary, needed = summarise(one, known), waiting(one, known, ("behaviour",))
    if word in {"junit", "sarif"}:
        more = (sarif.Tool("1"),) if word == "sarif" else ()
        return {"junit": junit, "sarif": sarif}[word].render(one, known, summary, needed, COMMANDS, *more)
    module = {"text": text, "markdown": markdown, "json": report, "html": html}[word]
    if not gate:
        return module.render(one, known, summary)
    own = (known,) if word == "html" else ()
    return module.render_gate(one, *own, summary, needed, COMMANDS)


@pytest.mark.parametrize("gate", [False, True])
@pytest.mark.parametrize("word", ["text", "markdown", "json", "html", "junit", "sarif"])
def test_an_error_of_all_pairs_together_is_among_the_first(word, gate):
    one = review(pair("x", "identical"), findings=(BUDGET, HINT))
    out = printed(word, one, gate=gate)
    line = first_line(word, out)
    assert line.startswith("error")
    assert "$5.10 is over the budget of $5.00" in line.replace("\u200b", "").replace("\\", "")
    if word != "junit":
        assert "two providers answer" in out


@pytest.mark.parametrize("word", ["text", "markdown", "json", "html"])
def test_the_gate_says_that_all_pairs_together_shut_it(word):
    one = review(pair("x", "identical"), findings=(BUDGET,))
    out = printed(word, one, gate=True)
    assert ('"passed": false' if word == "json" else "they have an error that no verdict clears") in out
    assert "nothing needs a person" not in out


@pytest.mark.parametrize("word", ["text", "markdown", "html", "junit"])
def test_what_everybody_has_decided_is_not_first_any_more(word):
    one = review(pair("a", findings=(FAILED,)), pair("b", findings=(FAILED,)))
    assert first_line(word, printed(word, one, states(a="approved"))).startswith("error")
    settled = states(a="approved", b="approved")
    out = printed(word, one, settled)
    assert not first_line(word, out).startswith("error")
    assert "recorded-failure" in out.replace("\\", "")


def test_how_many_are_decided_is_said():
    one = review(pair("a", findings=(FAILED,)), pair("b", findings=(FAILED,)))
    line = first_line("text", printed("text", one, states(a="approved")))
    assert "new in 2 of 2 cassettes, 1 of them decided (recorded-failure)" in line


def test_a_check_with_many_sentences_is_one_line_with_the_most_frequent_ones():
    others = [FAILED.model_copy(update={"message": f"HTTP {status}"}) for status in (401, 403, 429)]
    pairs = [pair(f"p{number}", findings=(FAILED, *others[:number])) for number in range(4)]
    assert first_line("text", printed("text", review(*pairs))) == (
        "error: HTTP 404 was recorded (4); HTTP 401 (3); 2 others, new in 4 of 4 cassettes (recorded-failure): p0, p1, p2, p3"
    )


def test_findings_are_told_before_changes():
    findings = (FAILED, FAILED.model_copy(update={"severity": "warning", "code": "loop", "message": "again"}))
    one = review(pair("a", findings=findings), pair("b", "cosmetic"), findings=(HINT,))
    for word in ("text", "markdown", "html"):
        out = printed(word, one).replace("\\", "").partition("<main>")[2 * (word == "html")]
        places = [out.index(part) for part in ("HTTP 404", "main (", "two providers", "findings: 1 recorded-failure")]
        assert places == sorted(places), word
        assert places[-1] < out.index("behaviour change"), word


@pytest.mark.parametrize("word", ["text", "markdown", "html", "junit"])
def test_a_line_of_recorded_text_stays_a_line_of_text(word):
    finding = FAILED.model_copy(update={"message": f"{HOSTILE}\n::error::<script>"})
    out = printed(word, review(pair(f"{HOSTILE}.yaml", findings=(finding,))))
    assert "\u202e" not in out
    assert "\x1b" not in out
    if word != "text":
        assert "<script>" not in out
    assert not any(line.startswith("::") for line in out.splitlines())


def test_a_comment_with_errors_of_every_check_stays_within_the_limit():
    findings = tuple(Finding(code=f"check-{number}", severity="error", message="*" * 3000) for number in range(100))
    out = printed("markdown", review(pair("x" * 5000, findings=findings), pair("y"), findings=findings))
    assert len(out) <= markdown.LIMIT
    assert "error: of 200 checks" in out.replace("\\", "") or "error: of 100 checks" in out.replace("\\", "")
    assert "<code>y</code>" in out
