"""The JSON that scripts outside rely on: the names in it, its published schemas, and that any recording fits into it."""

import json
import runpy
import warnings
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewlib.model.cassette import Unreadable
from reviewlib.model.change import Absent, Detail
from reviewlib.model.review import Finding, Side
from reviewlib.model.trajectory import AssistantText, Failure, OtherTraffic, Reasoning
from reviewlib.report import json as report
from reviewlib.report.commands import Commands
from reviewlib.report.schema import REPORTS, schema_text
from reviewlib.summary import summarise, waiting
from tests.reviews import (
    AMOUNT,
    AMOUNT_RESULT,
    example,
    pair,
    recording,
    review,
    states,
    tool_call,
    totals,
    trajectory,
    turn,
    unreadable,
)

SCHEMAS = Path(__file__).parents[1] / "docs" / "schemas"


def checked(name, printed):
    """Parse what was printed, and hold it against the published schema."""
    read = json.loads(printed)
    schema = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(read)
    return read


def diffed(what, known=None):
    known = known or {}
    return checked("diff", report.render(what, known, summarise(what, known)))


def shown(read, path="tests/cassettes/refund.yaml", ref="worktree"):
    return checked("show", report.render_recording(read, path, ref))


def gated(what, known=None, require=("behaviour",)):
    found = waiting(what, known or {}, require)
    commands = Commands(
        see=lambda item: f"cassette-review diff -- {item.path}", open=lambda _: "cassette-review open", review=""
    )
    return checked("check", report.render_gate(what, summarise(what, known or {}), found, commands))


# The schemas


@pytest.mark.parametrize("name", REPORTS)
def test_the_published_schema_is_the_one_of_the_models(name):
    published = (SCHEMAS / f"{name}.json").read_text(encoding="utf-8")
    assert published == schema_text(name), (
        f"run: uv run python -m reviewlib.report.schema {name} > docs/schemas/{name}.json"
    )


@pytest.mark.parametrize("name", REPORTS)
def test_a_published_schema_is_a_valid_one_and_requires_every_field(name):
    schema = json.loads(schema_text(name))
    jsonschema.Draft202012Validator.check_schema(schema)
    for model in (schema, *schema["$defs"].values()):
        if "properties" in model:
            assert set(model.get("required", ())) == set(model["properties"]), model["title"]


def test_there_is_a_schema_for_every_report_and_no_other():
    assert {path.name for path in SCHEMAS.iterdir()} == {f"{name}.json" for name in REPORTS}


def test_a_schema_is_printed_by_the_command_that_the_module_names(capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["schema", "check"])
    with warnings.catch_warnings(action="ignore"):  # runpy warns that the module is imported already
        runpy.run_module("reviewlib.report.schema", run_name="__main__")
    assert capsys.readouterr().out == schema_text("check")


# The names. Fields may be added; these stay.

DIFF = {"schema", "baseline", "head", "totals", "pairs", "groups"}
TOTALS = {"pairs", "identical", "cosmetic", "request", "behaviour", "unreadable", "added", "removed", "usage"}
PAIR = {
    "path",
    "baseline_path",
    "status",
    "significance",
    "headline",
    "state",
    "signature",
    "changes",
    "findings",
    "usage",
    "unreadable",
}
CHANGE = {"kind", "significance", "tool", "cause", "baseline_step", "head_step", "details"}
SHOW = {"schema", "path", "ref", "blob", "format", "unreadable", "interactions", "conversations", "other_traffic"}
TURN = {"turn", "interaction", "provider", "requested_model", "model", "stop_reason", "http_status", "usage"}
USAGE = {"input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "reasoning_tokens"}
STEP = {"index", "kind", "turn", "text"}
CALL = STEP | {"tool", "call", "arguments", "arguments_raw", "server_side", "result", "is_error"}


def test_the_names_of_diff_stay():
    read = diffed(
        review(pair(changes=(AMOUNT, AMOUNT_RESULT), findings=(Finding(code="c", severity="error", message="m"),)))
    )
    (one,) = read["pairs"]
    assert read.keys() >= DIFF
    assert read["totals"].keys() >= TOTALS
    assert one.keys() >= PAIR
    assert one["changes"][0].keys() >= CHANGE
    assert one["changes"][0]["details"][0].keys() >= {"path", "baseline", "head"}
    assert one["findings"][0].keys() >= {"code", "severity", "message", "step"}
    assert one["usage"]["head"].keys() == USAGE
    assert diffed(example())["groups"][0].keys() >= {"signature", "headline", "pairs"}


def test_the_names_of_show_stay():
    other = OtherTraffic(interaction=1, method="GET", uri="/x", http_status=200)
    read = shown(
        recording(
            "x", trajectory(tool_call("t", {}, 1), AssistantText(index=3, turn=1, text="a")), other_traffic=(other,)
        )
    )
    (conversation,) = read["conversations"]
    assert read.keys() >= SHOW
    assert conversation.keys() >= {"turns", "steps", "tools", "not_recorded"}
    assert conversation["turns"][0].keys() >= TURN
    assert conversation["turns"][0]["usage"].keys() == USAGE
    assert [step["kind"] for step in conversation["steps"]] == [
        "system_prompt",
        "user_message",
        "tool_call",
        "assistant_text",
    ]
    assert all(step.keys() >= STEP for step in conversation["steps"])
    assert conversation["steps"][2].keys() >= CALL
    assert read["other_traffic"] == [{"interaction": 1, "method": "GET", "uri": "/x", "http_status": 200}]


# What the values mean


def test_diff_counts_and_orders_as_the_summary_does():
    read = diffed(example(), states(**{"tests/cassettes/refund.yaml": "flagged"}))
    assert {name: read["totals"][name] for name in TOTALS - {"usage"}} == {
        "pairs": 8,
        "identical": 1,
        "cosmetic": 1,
        "request": 3,
        "behaviour": 2,
        "unreadable": 1,
        "added": 1,
        "removed": 0,
    }
    assert [each["path"] for each in read["pairs"]] == [each.path for each in example().pairs]
    assert {each["path"]: each["state"] for each in read["pairs"]}["tests/cassettes/refund.yaml"] == "flagged"
    assert read["groups"][0]["pairs"] == [f"tests/cassettes/g{number}.yaml" for number in (1, 2, 3)]


@pytest.mark.parametrize(
    ("side", "label"),
    [
        (Side(label="d" * 40, commit="d" * 40, revision="HEAD"), "d" * 40),
        (Side(label="worktree"), "worktree"),
        (Side(label="/tmp/new"), "/tmp/new"),
    ],
)
def test_a_side_is_a_commit_id_the_worktree_or_a_directory(side, label):
    assert diffed(review(head=side))["head"] == label


def test_a_change_names_its_cause_by_index_and_its_steps_by_side():
    first, second = diffed(review(pair(changes=(AMOUNT, AMOUNT_RESULT))))["pairs"][0]["changes"]
    assert (first["cause"], second["cause"]) == (None, 0)
    assert (first["baseline_step"], first["head_step"]) == ([0, 2], [0, 2])
    assert first["details"] == [{"path": "amount", "baseline": 39, "head": 390, "absent": None}]


@pytest.mark.parametrize(
    ("baseline", "head", "printed"),
    [
        (Absent(), None, {"baseline": None, "head": None, "absent": "baseline"}),
        (1, Absent(), {"baseline": 1, "head": None, "absent": "head"}),
        (None, 0, {"baseline": None, "head": 0, "absent": None}),
        (b"ab", {"x": [b""]}, {"baseline": {"bytes": 2}, "head": {"x": [{"bytes": 0}]}, "absent": None}),
        (float("nan"), 10**30, {"baseline": "nan", "head": 10**30, "absent": None}),
        ("\ud800\u202e\x1b", True, {"baseline": "\ud800\u202e\x1b", "head": True, "absent": None}),
    ],
    ids=["absent from null", "absent", "null", "bytes", "no number", "no text"],
)
def test_values_of_a_detail_survive_and_absence_is_told_from_null(baseline, head, printed):
    change = AMOUNT.model_copy(update={"details": (Detail(path="p", baseline=baseline, head=head),)})
    (shown_detail,) = diffed(review(pair(changes=(change,), headline="x")))["pairs"][0]["changes"][0]["details"]
    assert shown_detail == {"path": "p", **printed}


def test_an_unreadable_pair_has_no_significance_and_says_which_side_and_why():
    (one,) = diffed(review(pair("x", None)))["pairs"]
    assert one["significance"] is None
    assert one["changes"] == []
    assert one["unreadable"] == {
        "baseline": None,
        "head": {"stage": "decode", "reason": "the JSON ends in the middle of a string"},
    }
    assert diffed(review(pair()))["pairs"][0]["unreadable"] is None


def test_usage_is_null_where_a_side_is_absent_and_costs_are_numbers():
    added = pair(
        status="added", baseline_path=None, baseline=None, baseline_totals=totals().model_copy(update={"usage": None})
    )
    priced = added.model_copy(update={"head_totals": totals(cost="0.0051")})
    (one,) = diffed(review(priced))["pairs"]
    assert one["usage"]["baseline"] is None
    assert one["usage"]["head"]["input_tokens"] == 1000
    assert one["cost_usd"] == {"baseline": None, "head": 0.0051}


def test_show_says_what_was_recorded_of_a_call():
    steps = (
        tool_call("a", {"n": 1}, {"ok": True}, is_error=False),
        tool_call("b", index=3, arguments_raw='{"n": '),
        tool_call("c", {}, index=4, server_side=True).model_copy(update={"result": "leftover"}),
        tool_call("d", {}, index=5).model_copy(update={"result_recorded": True}),
    )
    calls = shown(recording("x", trajectory(*steps)))["conversations"][0]["steps"][2:]
    assert [(call["arguments"], call["arguments_raw"]) for call in calls[:2]] == [({"n": 1}, None), (None, '{"n": ')]
    assert [(call["result"], call["result_recorded"]) for call in calls] == [
        ({"ok": True}, True),
        (None, False),
        (None, False),
        (None, True),
    ]
    assert [call["is_error"] for call in calls] == [False, None, None, None]
    assert calls[2]["server_side"] is True


def test_show_numbers_turns_from_one_and_interactions_and_steps_from_zero():
    read = shown(recording("x", trajectory(turns=(turn(), turn(2, stop_reason="other", stop_reason_raw="WEIRD")))))
    (conversation,) = read["conversations"]
    assert [(each["turn"], each["interaction"]) for each in conversation["turns"]] == [(1, 0), (2, 1)]
    assert conversation["turns"][1]["stop_reason_raw"] == "WEIRD"
    assert [step["index"] for step in conversation["steps"]] == [0, 1, 2]


def test_show_says_what_the_format_does_not_hold():
    steps = (Reasoning(index=2, turn=1, text=None), Failure(index=3, turn=1, text="retired", http_status=404))
    read = shown(recording("x", trajectory(*steps, turns=(turn(usage=None),)), not_recorded=("requests", "usage")))
    (conversation,) = read["conversations"]
    assert conversation["not_recorded"] == ["requests", "usage"]
    assert conversation["turns"][0]["usage"] is None
    assert [step["text"] for step in conversation["steps"][2:]] == [None, "retired"]


def test_show_of_an_unreadable_cassette_says_stage_and_reason():
    read = shown(unreadable(), "tests/cassettes/broken.yaml", "HEAD~1")
    assert read["unreadable"] == {"stage": "decode", "reason": "the JSON ends in the middle of a string"}
    assert (read["format"], read["interactions"], read["conversations"]) == (None, 0, [])
    assert (read["path"], read["ref"], read["blob"]) == ("tests/cassettes/broken.yaml", "HEAD~1", "b" * 40)


def test_check_says_whether_it_passed_and_names_what_waits():
    read = gated(example(), states(**{"tests/cassettes/refund.yaml": "approved"}))
    assert (read["passed"], read["pairs"]) == (False, 8)
    assert [(item["path"].rpartition("/")[2], item["reason"]) for item in read["waiting"]] == [
        ("broken.yaml", "unreadable"),
        ("new.yaml", "open"),
    ]
    assert read["waiting"][1]["command"] == "cassette-review diff -- tests/cassettes/new.yaml"
    assert gated(review(pair("x", "identical"))) | {"waiting": []} == gated(review(pair("x", "identical")))
    assert gated(review())["passed"] is True


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.binary()
    | st.text(st.characters(categories=["Cs"]), max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(VALUES)
def test_any_recorded_value_is_printed_as_ascii_that_fits_the_schema(value):
    printed = report.render_recording(recording("x", trajectory(tool_call("t", value, value))), "x", "HEAD")
    assert printed.isascii()
    checked("show", printed)


def test_a_cassette_of_another_name_keeps_the_path_that_was_asked_for():
    read = shown(Unreadable(path="other", content="c", stage="load", reason="r"), "asked/for.yaml")
    assert read["path"] == "asked/for.yaml"
