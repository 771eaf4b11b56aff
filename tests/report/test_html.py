"""The report as one file: what it says, that nothing in it comes alive, and that it stays within its limit."""

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewlib.model.call import Media
from reviewlib.model.change import Absent, Change, Detail, Diff, Row
from reviewlib.model.review import Finding
from reviewlib.model.trajectory import AssistantText, Failure, Reasoning, UserMessage
from reviewlib.report import html, text
from reviewlib.report.html import page, steps
from reviewlib.report.html.values import Stretch, details, shortened, sides, whole
from reviewlib.report.neutral import visible
from reviewlib.summary import summarise, waiting
from reviewlib.verdicts import PairState
from reviewlib.words import Segment
from tests.corpus import needs_corpus
from tests.report.hostile import HOSTILE, hostile_review
from tests.report.test_gate import COMMANDS
from tests.report.test_junit import FLAG
from tests.reviews import (
    AMOUNT,
    AMOUNT_RESULT,
    PROMPT,
    example,
    pair,
    recording,
    review,
    states,
    tool_call,
    trajectory,
    turn,
    unreadable,
)

REFUND = "tests/cassettes/refund.yaml"
VOID = {"meta", "br"}
ALLOWED = {
    "html", "head", "meta", "title", "style", "body", "main", "section", "div", "p", "span", "h1", "h2", "h3", "h4", "ul", "li", "a",
    "b", "em", "code", "del", "ins", "details", "summary", "br",
}  # fmt: skip


class Read(HTMLParser):
    """A page as a browser reads it: its text, its elements, and whether they are closed in order."""

    def __init__(self, printed):
        super().__init__()
        self.tags, self.attributes, self.texts, self.open = [], [], [], []
        self.feed(printed)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.texts.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.texts).split())


def printed(what, known=None):
    known = known or {}
    return html.render(what, known, summarise(what, known), "cassette-review open main...HEAD")


def gated(what, known=None):
    known = known or {}
    return html.render_gate(what, known, summarise(what, known), waiting(what, known, ("behaviour",)), COMMANDS)


def compared_pair(before, after, *changes, relation="changed", **more):
    """A pair whose third step is the one that is looked at."""
    rows = (
        Row(baseline=(0, 0), head=(0, 0), relation="same"),
        Row(baseline=(0, 1), head=(0, 1), relation="same"),
        Row(
            baseline=(0, 2) if before else None,
            head=(0, 2) if after else None,
            relation=relation,
            changes=tuple(range(len(changes))),
        ),
    )
    return pair(
        REFUND,
        "behaviour",
        changes,
        baseline=recording(REFUND, trajectory(*([before] if before else []))),
        head=recording(REFUND, trajectory(*([after] if after else []))),
        diff=Diff(changes=changes, rows=rows, significance="behaviour"),
        **more,
    )


def row_of(shown, relation):
    (found,) = re.findall(rf'<div class="row {relation}">.*?</div>\n', shown, re.DOTALL)
    return found


# What it says


def test_it_says_what_the_text_report_says_in_the_same_order():
    one = example()
    said = Read(printed(one)).text
    place = 0
    for line in text.render(one, {}, summarise(one, {})).splitlines():
        for word in filter(None, re.split(r"\s{2,}|[()]|: g1", line.strip())):
            if re.fullmatch(r"(tests/cassettes/\S+|\d+ cassettes|main|worktree|[\d,]+ changed.*|tokens .*)", word):
                assert word in said, word
                if word.endswith(".yaml"):
                    assert said.index(word) > place, word
                    place = said.index(word)


def test_it_counts_and_names_what_is_the_same():
    said = Read(printed(example())).text
    assert "8 changed cassettes: 1 unreadable · 2 behaviour · 3 request · 1 cosmetic · 1 identical" in said
    assert "only ids, times, headers and the like moved tests/cassettes/noise.yaml" in said
    assert "Open it: cassette-review open main...HEAD" in said


def test_nothing_changed_is_one_sentence():
    said = Read(printed(review())).text
    assert "No cassettes changed." in said
    assert "Open it" not in said


def test_a_gate_stands_first_with_the_reason_and_the_command():
    known = states(**{REFUND: "flagged"})
    said = Read(gated(example(), known)).text
    assert said.index("3 cassettes of 8 changed need a person.") < said.index("behaviour 2")
    assert f"flagged {REFUND} : issue_refund.amount 39 → 390 see it: cassette-review diff -- {REFUND}" in said
    passed = Read(gated(review(pair("x", "identical")))).text
    assert "1 changed cassette, nothing needs a person." in passed


def test_every_link_leads_to_a_part_of_the_page():
    shown = gated(example(), states(**{"tests/cassettes/noise.yaml": "flagged"}))
    places = set(re.findall(r'id="([^"]+)"', shown))
    links = re.findall(r"href='#([^']+)'", shown)
    assert links
    assert set(links) <= places


def test_a_pair_says_who_decided_what_and_what_was_found():
    comment = FLAG.model_copy(update={"id": "2", "kind": "comment", "verdict": None, "comment": "why ten times?"})
    known = {REFUND: PairState(state="flagged", entries=(FLAG, comment), by=(FLAG.reviewer,))}
    findings = (
        Finding(code="recorded-failure", severity="error", message="HTTP 404", step=(0, 3)),
        Finding(code="retried", severity="info", message="after 1 try", since="known"),
        Finding(code="stale", severity="info", message="old", since="gone"),
    )
    said = Read(printed(review(pair(REFUND, "behaviour", (AMOUNT,), findings=findings)), known)).text
    assert "flagged by Ada: ten times as much" in said
    assert "Ada: why ten times?" in said
    assert "error recorded-failure: HTTP 404 at step 4" in said
    assert "info retried: after 1 try (already in the baseline)" in said
    assert "info stale: old (gone)" in said


def test_a_renamed_cassette_says_what_it_was_called():
    moved = pair("new.yaml", "request", status="renamed", baseline_path="old.yaml")
    assert "new.yaml (was old.yaml )" in Read(printed(review(moved))).text


def test_an_unreadable_pair_says_why_and_has_no_steps():
    broken = pair("x", None, head=unreadable("x"))
    shown = printed(review(broken))
    assert "unreadable at decode" in shown
    assert 'class="grid"' not in shown


# Steps


def test_a_changed_call_shows_both_sides_and_the_path_with_both_values():
    before, after = (tool_call("issue_refund", {"amount": n}, {"ok": True}) for n in (39, 390))
    said = row_of(printed(review(compared_pair(before, after, AMOUNT))), "changed")
    assert "&quot;amount&quot;: 39\n" in said
    assert "&quot;amount&quot;: 390\n" in said
    assert "<code>amount</code>: <del>39</del> → <ins>390</ins>" in said


def test_a_consequence_names_its_cause():
    before, after = (tool_call("issue_refund", {"amount": n}, {"refunded": n}) for n in (39, 390))
    said = Read(printed(review(compared_pair(before, after, AMOUNT, AMOUNT_RESULT)))).text
    assert "issue_refund returns refunded 39 → 390 follows from: issue_refund.amount 39 → 390" in said
    assert "1 consequence: result" in said


def test_reworded_text_has_its_words_marked_on_each_side():
    before, after = (AssistantText(index=2, turn=1, text=f"I refunded {n} to your card.") for n in ("$39", "$390"))
    change = Change(kind="text", significance="cosmetic", baseline_step=(0, 2), head_step=(0, 2))
    said = row_of(printed(review(compared_pair(before, after, change))), "changed")
    assert '<div class="words">I refunded $<del>39</del> to your card.</div>' in said
    assert "I refunded $<ins>390</ins> to your card." in said


def test_reasoning_is_shown_and_never_marked():
    before, after = (Reasoning(index=2, turn=1, text=words) for words in ("think", "think again"))
    shown = printed(review(compared_pair(before, after, relation="changed")))
    assert "think again" in shown
    assert "<ins>" not in shown
    withheld = Reasoning(index=2, turn=1, text=None)
    assert "(withheld by the provider)" in printed(review(compared_pair(withheld, withheld)))


@pytest.mark.parametrize(
    ("relation", "has", "words"),
    [("added", (False, True), "not in the baseline"), ("removed", (True, False), "not in the head")],
)
def test_a_step_of_one_side_leaves_the_other_empty(relation, has, words):
    step = tool_call("check_policy", {"id": 1})
    before, after = (step if there else None for there in has)
    change = Change(kind=f"tool_{relation}", significance="behaviour", tool="check_policy")
    said = row_of(printed(review(compared_pair(before, after, change, relation=relation))), relation)
    assert words in said
    assert "check_policy" in said


def test_a_moved_step_says_where_it_was():
    step = tool_call("send", {"id": 1})
    change = Change(kind="tool_moved", significance="behaviour", tool="send", note="before verify")
    said = row_of(printed(review(compared_pair(step, step, change, relation="moved"))), "moved")
    assert "step 3 of the baseline" in said
    assert "send now before verify" in said


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (tool_call("t", {}, None, is_error=True), "error"),
        (tool_call("t", {}, None, executed=False), "never executed"),
        (tool_call("t", {}, None, server_side=True), "run by the provider"),
        (tool_call("t", {}, None, origin="text"), "called in text"),
        (tool_call("t", {}, None), "not recorded"),
        (tool_call("t", None, None, arguments_raw='{"a": '), "arguments, unparsable"),
        (tool_call("t", {}, b"\x00\x01"), "2 bytes"),
        (Failure(index=2, turn=1, text="overloaded", http_status=529), "HTTP 529"),
        (
            UserMessage(index=2, turn=1, text="see", media=(Media(media_type="image/png", size=3),)),
            "attached: image/png",
        ),
    ],
)
def test_a_step_says_what_is_known_of_it(step, words):
    said = Read(printed(review(compared_pair(None, step, relation="added")))).text
    assert words in said


def test_unchanged_steps_are_folded_into_their_first_words():
    calls = tuple(tool_call("look", {"text": "x" * 500}, "found", index=2 + n) for n in range(4))
    side = recording(REFUND, trajectory(*calls, turns=(turn(end=6),)))
    rows = tuple(Row(baseline=(0, n), head=(0, n), relation="same") for n in range(6))
    shown = printed(
        review(
            pair(
                REFUND,
                "behaviour",
                (AMOUNT,),
                baseline=side,
                head=side,
                diff=Diff(changes=(AMOUNT,), rows=rows, significance="behaviour"),
            )
        )
    )
    assert "<summary>6 unchanged steps</summary>" in shown
    assert "x" * 101 not in shown


def test_conversations_are_numbered_where_there_are_several_and_one_change_of_all_rows_is_told_once():
    side = recording(REFUND, trajectory(), trajectory())
    change = Change(kind="conversation_added", significance="behaviour")
    rows = (
        *(Row(baseline=(0, n), head=(0, n), relation="same") for n in range(3)),
        *(Row(baseline=None, head=(1, n), relation="added", changes=(0,)) for n in range(3)),
    )
    one = pair(
        REFUND, "behaviour", (change,), head=side, diff=Diff(changes=(change,), rows=rows, significance="behaviour")
    )
    said = Read(printed(review(one))).text
    assert "Conversation 1" in said
    assert "Conversation 2" in said
    assert said.partition("Conversation 2")[2].count("a conversation is new") == 1


def test_what_the_harness_sends_is_told_with_both_values_above_the_steps():
    said = printed(review(pair(REFUND, "request", (PROMPT,))))
    assert (
        "<del>&quot;You are a support agent.&quot;</del> → <ins>&quot;You are a kind support agent.&quot;</ins>" in said
    )
    one, other = (f"You are a {word} support agent, and never refund twice." for word in ("good", "kind"))
    longer = PROMPT.model_copy(update={"details": (Detail(path="", baseline=one, head=other),)})
    assert "You are a <del>good</del><ins>kind</ins> support" in printed(review(pair(REFUND, "request", (longer,))))


def test_causes_that_read_alike_are_counted():
    drop = Change(kind="tool_removed", significance="behaviour", tool="get")
    one = pair(REFUND, "behaviour", (drop, drop, drop))
    assert "drops get × 3" in Read(printed(review(one))).text


# Limits


def test_more_rows_than_the_limit_are_counted(monkeypatch):
    monkeypatch.setattr(steps, "MOST_ROWS", 2)
    step = AssistantText(index=2, turn=1, text="the last")
    shown = printed(review(compared_pair(step, step)))
    assert "1 more step not shown here." in shown
    assert "the last" not in shown


def test_what_does_not_fit_is_told_without_its_steps(monkeypatch):
    monkeypatch.setattr(page, "LIMIT", 3_000)
    many = review(*(pair(f"{n}.yaml", "behaviour", (AMOUNT,)) for n in range(20)))
    shown = printed(many)
    assert shown.count("<section ") == 20
    assert shown.count("Its steps are left out") > 10
    assert shown.count("issue_refund.amount 39 → 390") >= 40


@pytest.mark.parametrize("recorded", ["word " * 100_000, "x" * 500_000, "line\n" * 50_000])
def test_long_texts_and_values_are_capped_and_said_so(recorded):
    before, after = (tool_call("t", {"text": recorded + end}, recorded + end) for end in ("a", "b"))
    change = AMOUNT.model_copy(update={"details": (Detail(path="text", baseline=recorded + "a", head=recorded + "b"),)})
    shown = printed(review(compared_pair(before, after, change)))
    assert len(shown) < 60_000
    assert re.search(r"\(\+[\d,]+ characters\)|characters unchanged", shown)


def test_a_hundred_details_are_counted():
    many = tuple(Detail(path=f"a[{n}]", baseline=n, head=n + 1) for n in range(100))
    assert "and 75 more differences" in details(many)
    rest = Detail(path="… 12 more", baseline=Absent(), head=Absent())
    assert "<li>… 12 more</li>" in details((rest,))


@needs_corpus
@pytest.mark.parametrize("name", ["crewai-model-change", "pydantic-ai-gpt5", "openinference-responses"])
def test_real_rerecords_stay_below_three_megabytes(name):
    from tests.test_public import public

    found = public(name)
    shown = printed(found)
    assert len(shown.encode()) < 3_000_000
    assert "Its steps are left out" not in shown
    assert len(Read(shown).text) > 1_000


# Nothing comes alive


def test_there_is_no_script_no_address_and_a_policy_that_forbids_them():
    shown = gated(example())
    read = Read(shown)
    assert set(read.tags) <= ALLOWED
    assert {
        value for name, value in read.attributes if name in {"href", "src"} and not value.startswith("#pair-")
    } == set()
    assert not {name for name, _ in read.attributes if name.startswith("on") or name == "style"}
    assert "://" not in shown
    (style,) = re.findall(r"<style>(.*?)</style>", shown, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'" in shown


EVIL = f"</style></p><script>alert(1)</script><img src=x onerror=alert(1)>\"'& <a href=javascript:x> {HOSTILE}"


def test_recorded_text_is_text_everywhere():
    before = tool_call(EVIL, {EVIL: EVIL}, EVIL)
    after = tool_call(EVIL, {EVIL: 1}, [EVIL])
    changes = (
        AMOUNT.model_copy(update={"tool": EVIL, "details": (Detail(path=EVIL, baseline=EVIL, head=EVIL + "!"),)}),
        Change(kind="text", significance="cosmetic", note=EVIL, baseline_step=(0, 2), head_step=(0, 2)),
    )
    hostile = hostile_review(EVIL)
    one = compared_pair(before, after, *changes, headline=EVIL, findings=hostile.pairs[0].findings)
    known = {
        REFUND: PairState(state="flagged", entries=(FLAG.model_copy(update={"comment": EVIL}),), by=(FLAG.reviewer,))
    }
    for shown in (gated(hostile), gated(review(one), known), printed(review(one), known)):
        read = Read(shown)
        assert set(read.tags) <= ALLOWED
        assert not {name for name, _ in read.attributes if name.startswith("on")}
        assert "<script>alert(1)</script>" in read.text
        assert "\\u202e" in read.text
        assert "\\x1b[2J" in read.text
        assert "\u202e" not in shown


@given(st.text())
def test_any_text_gives_a_page_that_can_be_written(recorded):
    shown = printed(hostile_review(recorded or "x"))
    assert set(Read(shown).tags) <= ALLOWED
    shown.encode()


# Words


def test_common_text_far_from_a_change_is_left_out_and_counted():
    long = "x" * 1_000
    first, said, last = shortened((Segment("same", long), Segment("removed", "y"), Segment("same", long)))[:3]
    assert (first.mark, first.text) == ("cut", "⋯ 760 characters unchanged ⋯")
    assert (said.text, last.mark) == ("x" * 240, "removed")
    (cut,) = shortened((Segment("added", "z" * 5_000),))
    assert cut.text.endswith("… (+3,000 characters)")
    many = [Segment("added" if n % 2 else "same", "a") for n in range(1_000)]
    assert shortened(many)[-1] == Stretch("cut", "… (+700 characters)")


def test_values_are_shown_as_they_are():
    assert whole({"a": [1, "é"]}) == '{\n  "a": [\n    1,\n    "é"\n  ]\n}'.replace('"', "&quot;")
    assert whole("two\nlines") == "two\nlines"
    assert whole(b"123") == "3 bytes"
    assert sides("a b", "a c") == ("a <del>b</del>", "a <ins>c</ins>")
    assert visible("\u202e") in whole("\u202e")
