"""Every file of the corpus of real cassettes is read, and what cannot be holds nothing to read."""

from collections import Counter
from functools import cache
from itertools import pairwise

from reviewlib.formats import read_cassettes
from reviewlib.model.cassette import Cassette, File, Unreadable
from reviewlib.trajectory import read_recording
from tests.corpus import CORPUS, needs_corpus

pytestmark = needs_corpus

NO_CASSETTES = {
    "README.md": "prose",
    "recorders/README.md": "prose",
    "public.tsv": "a table",
    "samples/MANIFEST.tsv": "a table",
    "samples/google-adk-go__agent_llmagent_testdata_TestDelegation_02_ChatToTwoTaskSequential.events.yaml": "a golden list "
    "of events that a test compares with, beside the cassette",
}
"""The files that are not read, and what they are."""


@cache
def corpus():
    paths = sorted(path for path in CORPUS.rglob("*") if path.is_file())
    return read_cassettes(
        [
            File(path=path.relative_to(CORPUS).as_posix(), blob=f"{number:040x}", data=path.read_bytes())
            for number, path in enumerate(paths)
        ]
    )


@cache
def recordings():
    return [read_recording(item) for item in corpus() if isinstance(item, Cassette)]


def test_only_what_is_no_cassette_cannot_be_read():
    assert {item.path for item in corpus() if isinstance(item, Unreadable)} == set(NO_CASSETTES)


def test_whatever_was_recorded_becomes_a_conversation_or_other_traffic():
    silent = [item for item in recordings() if not item.conversations and not item.other_traffic]
    assert all(not item.cassette.interactions for item in silent)
    assert len(silent) == 3


def test_every_recorder_of_the_corpus_is_read_by_an_adapter_of_its_own():
    formats = Counter(item.cassette.format for item in recordings())
    assert "generic" not in formats
    assert len(formats) >= 30


def test_no_recording_holds_a_result_without_its_call():
    assert [item.cassette.path for item in recordings() if item.orphans] == []


def test_steps_and_turns_are_numbered_without_gaps():
    for item in recordings():
        for conversation in item.conversations:
            assert [step.index for step in conversation.steps] == list(range(len(conversation.steps)))
            assert [turn.turn for turn in conversation.turns] == list(range(1, len(conversation.turns) + 1))
            bounds = [(turn.first, turn.end) for turn in conversation.turns]
            assert all(first <= end for first, end in bounds)
            assert all(one[1] <= other[0] for one, other in pairwise(bounds))


def test_every_call_belongs_to_the_turn_that_holds_it():
    for item in recordings():
        for conversation in item.conversations:
            for turn in conversation.turns:
                assert {step.turn for step in conversation.steps[turn.first : turn.end]} <= {turn.turn}
