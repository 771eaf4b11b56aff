"""How long each call took, where a recorder stores it: shown, and never a difference."""

import math

import pytest

from reviewlib.formats import http, read_cassette
from reviewlib.formats.format import Context
from reviewlib.formats.go_vcr import FORMAT as GO_VCR
from reviewlib.model.cassette import Exchange, File
from reviewlib.model.trajectory import Recording
from reviewlib.pipeline import compare, inspect
from reviewlib.policy import DEFAULT_POLICY
from tests.app.reviews import AT
from tests.corpus import CORPUS, needs_corpus
from tests.formats.http_samples import har, har_entry
from tests.formats.samples import file, readable

TELLING = {
    "agentape": 26,
    "agentcassette": 26,
    "agenttape-anthropic-httpx-yaml": 26,
    "agenttape-openai-json": 26,
    "agenttape-openai-yaml": 26,
    "pollyjs-har": 8,
    "replay-agent-anthropic": 26,
    "replay-agent-openai": 26,
    "replex-anthropic": 26,
    "replex-openai": 26,
    "traceops-anthropic": 26,
    "traceops-openai": 26,
}
"""Recorders whose every file tells how long each call took, and how many files of both sides there are."""


@pytest.mark.parametrize(
    ("milliseconds", "seconds"),
    [
        (7, 0.007),
        (5.4, 0.0054),
        (0, 0.0),
        (-1, None),
        ("7", None),
        (None, None),
        (True, None),
        (math.nan, None),
        (math.inf, None),
        (10**400, None),
        ([7], None),
    ],
)
def test_a_duration_is_a_number_of_milliseconds_not_below_0(milliseconds, seconds):
    assert http.took(milliseconds) == seconds


@pytest.mark.parametrize(
    ("duration", "seconds"),
    [
        ("968.753458ms", 0.968753458),
        ("1.588s", 1.588),
        ("1m2.5s", 62.5),
        ("0s", 0.0),
        ("soon", None),
        ("ms", None),
        (968, None),
        ("9" * 400 + "s", None),
        ("1s" * 9, None),
        (None, None),
    ],
)
def test_a_duration_of_go_is_text(duration, seconds):
    entry = {"request": {"url": "https://example.org"}, "response": {"code": 200, "duration": duration}}
    (exchange,) = GO_VCR.parse({"version": 2, "interactions": [entry]}, Context("cassette.yaml")).interactions
    assert isinstance(exchange, Exchange)
    assert exchange.seconds == seconds


def timed(milliseconds: object) -> Recording:
    read = inspect((file("recording.har", har({**har_entry(), "time": milliseconds})),))
    assert isinstance(read, Recording)
    return read


def test_a_turn_says_how_long_its_call_took_and_two_durations_are_no_difference():
    slow, quick, silent = timed(4210), timed(39), timed(-1)
    assert [one.conversations[0].turns[0].seconds for one in (slow, quick, silent)] == [4.21, 0.039, None]
    for one, other in ((slow, quick), (slow, silent)):
        pair = compare(one, other, DEFAULT_POLICY, AT)
        assert pair.significance == "identical"
        assert pair.baseline_digests == pair.head_digests
    assert pair.baseline_totals.seconds == 4.21
    assert pair.head_totals.seconds is None


@needs_corpus
@pytest.mark.parametrize(("recorder", "count"), TELLING.items())
def test_recorders_that_store_a_duration_tell_it_for_every_answer(recorder, count):
    files = [path for path in (CORPUS / "recorders" / recorder).rglob("*") if path.is_file()]
    cassettes = [readable(read_cassette(File(path=path.name, blob="0" * 40, data=path.read_bytes()))) for path in files]
    took = [
        [each.seconds for each in cassette.interactions if isinstance(each, Exchange) and each.response is not None]
        for cassette in cassettes
    ]
    assert sum(bool(each) for each in took) == count
    assert all(seconds is not None for each in took for seconds in each)
