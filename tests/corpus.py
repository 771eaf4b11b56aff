"""Where the corpus of real cassettes lies, for the tests that use it; they are skipped, with this reason, where it is absent."""

from pathlib import Path

import pytest

CORPUS = Path(__file__).parents[2] / "shared" / "corpus"

needs_corpus = pytest.mark.skipif(
    not CORPUS.is_dir(), reason="the corpus of real cassettes (../shared/corpus) is not here"
)
