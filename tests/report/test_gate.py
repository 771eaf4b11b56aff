"""What the gate says."""

import pytest

from reviewlib.report import markdown, text
from reviewlib.report.commands import Commands
from reviewlib.summary import summarise, waiting
from reviewlib.verdicts import Entry, PairState
from tests.reviews import (
    example,
    pair,
    review,
    states,
)

COMMANDS = Commands(
    see=lambda item: f"cassette-review diff -- {item.path}",
    open=lambda item: f"cassette-review open --pr 7 -- {item.path}",
    review="cassette-review open --pr 7",
)


def test_the_gate_names_each_pair_why_and_the_command_that_shows_it():
    known = states(**{"tests/cassettes/refund.yaml": "flagged"})
    one = example()
    printed = text.render_gate(one, summarise(one, known), waiting(one, known, ("behaviour",)), COMMANDS)
    assert "3 cassettes of 8 changed need a person.\n" in printed
    assert (
        "flagged: tests/cassettes/refund.yaml\n"
        "  issue_refund.amount 39 → 390\n"
        "  see it: cassette-review diff -- tests/cassettes/refund.yaml\n"
        "  open it: cassette-review open --pr 7 -- tests/cassettes/refund.yaml\n"
    ) in printed
    assert "open: tests/cassettes/new.yaml" in printed
    assert "unreadable: tests/cassettes/broken.yaml" in printed


@pytest.mark.parametrize("render", [text.render_gate, markdown.render_gate])
def test_an_open_gate_is_one_sentence(render):
    for one, sentence in (
        (review(pair("x", "identical")), "1 changed cassette, nothing needs a person."),
        (review(), "No cassettes changed."),
    ):
        assert render(one, summarise(one, {}), (), COMMANDS).strip().endswith(sentence)


def test_the_gate_in_markdown_has_a_row_for_each_pair():
    one = example()
    printed = markdown.render_gate(one, summarise(one, {}), waiting(one, {}, ("behaviour",)), COMMANDS)
    assert "**3 cassettes of 8 changed need a person.**" in printed
    assert printed.count("\n| open |") == 2
    assert printed.count("\n| unreadable |") == 1


@pytest.mark.parametrize("render", [text.render_gate, markdown.render_gate])
def test_the_gate_says_what_the_ledger_knows(render):
    one = review(pair("x", "behaviour"))
    flag = Entry.model_validate_json(
        '{"id":"1","kind":"verdict","verdict":"flag","pair":{"baseline":null,"head":null,"path":"x"},"comment":"too much",'
        '"trajectory":{"baseline":{},"head":{}},"normaliser":1,"reviewer":{"name":"Ada","email":"a"},"at":"2026-05-04T12:00Z"}'
    )
    known = {"x": PairState(state="flagged", entries=(flag,), by=(flag.reviewer,))}
    assert "flagged by Ada: too much" in render(one, summarise(one, known), waiting(one, known, ()), COMMANDS)


def test_changed_rules_are_counted_apart():
    one = review(pair("cassette-review.toml", "behaviour", subject="policy"), pair("x", "identical"))
    found = waiting(one, {}, ())
    assert "1 change of 2 needs a person." in text.render_gate(one, summarise(one, {}), found, COMMANDS)
    approved = states(**{"cassette-review.toml": "approved"})
    passed = text.render_gate(one, summarise(one, approved), waiting(one, approved, ()), COMMANDS)
    assert "1 changed cassette and the rules of review, nothing needs a person." in passed
