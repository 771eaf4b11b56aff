"""Reading is fast, measured against the parsers that it stands on."""

from tests.benchmarks.reading import files, ratios
from tests.corpus import needs_corpus

BOUND = 1.3


@needs_corpus
def test_reading_a_corpus_to_trajectories_takes_at_most_a_third_longer_than_parsing_it():
    _, cassettes, trajectories = ratios(files(), rounds=3)
    assert cassettes < 1  # 0.7 to 0.9: our own reader of YAML takes 0.45 of the time of PyYAML's
    assert trajectories < BOUND
