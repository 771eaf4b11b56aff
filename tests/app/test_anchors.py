import pytest
from dashboard import anchors

from reviewlib.model.review import Finding
from reviewlib.verdicts import Anchor
from tests.app.test_present import story_pair


@pytest.mark.parametrize(
    ("name", "side", "step"),
    [("h5", "head", (0, 4)), ("b1", "baseline", (0, 0)), ("h2.5", "head", (1, 4)), ("b12.300", "baseline", (11, 299))],
)
def test_a_step_is_named_as_it_is_read(name, side, step):
    assert anchors.parsed(name) == Anchor(side=side, step=step)
    assert anchors.written(side, step) == name


@pytest.mark.parametrize("text", ["", "5", "h", "h0", "h0.5", "x5", "h-1", "h5 ", "h1.2.3", "h99999999", "<script>"])
def test_what_is_no_name_is_none(text):
    assert anchors.parsed(text) is None


def test_a_step_is_spoken_of_as_it_is_counted_on_the_screen():
    assert Anchor(side="head", step=(0, 4)).spoken == "step 5 of the head"
    assert Anchor(side="baseline", step=(1, 0)).spoken == "step 1 of the baseline, conversation 2"


@pytest.mark.parametrize(
    ("since", "step", "side"), [("new", (0, 2), "head"), ("known", (0, 2), "head"), ("gone", (0, 2), "baseline")]
)
def test_a_finding_is_on_the_side_that_has_it(since, step, side):
    finding = Finding(code="c", severity="error", message="", step=step, since=since)
    assert anchors.of_finding(finding) == Anchor(side=side, step=step)


def test_a_finding_about_the_whole_is_nowhere():
    assert anchors.of_finding(Finding(code="c", severity="error", message="")) is None


@pytest.mark.parametrize(
    ("name", "there"), [("h1", True), ("h5", True), ("h6", False), ("b6", True), ("b7", False), ("h2.1", False)]
)
def test_only_steps_that_a_pair_has_can_be_pinned(name, there):
    assert anchors.exists(anchors.parsed(name), story_pair("refund.yaml")) is there
