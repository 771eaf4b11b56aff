"""Reading is fast, measured against the parsers that it stands on."""

from tests.benchmarks.reading import files, ratios
from tests.corpus import needs_corpus

BOUND = 1.3


@needs_corpus
def test_reading_the_corpus_takes_little_longer_than_parsing_it():
    _, cassettes, trajectories = ratios(files(), rounds=5)
    assert cassettes < BOUND
    assert trajectories < 1.5
