from tests.benchmarks.diffing import measured
from tests.corpus import needs_corpus


@needs_corpus
def test_comparing_takes_at_most_half_the_time_of_reading_and_no_pair_two_seconds():
    reading, comparing, slowest, count = measured()
    assert count > 1000
    assert comparing <= reading / 2
    assert slowest < 2
