"""Path patterns name what they say, in time that no pattern and no path can spend."""

import random
import re
import time

import pytest

from reviewlib.policy.globs import matches

HOSTILE = (
    ("*a*a*a*a*a*a*a*a*a*a*b", "a" * 4000),
    ("**/**/**/**/**/**/**/**/**/x", "a/" * 2000),
    ("**/a/**/a/**/a/**/a/**/a/**/a/**/b", "a/" * 2000),
    ("**a**a**a**a**a**a**a**b", "a" * 4000),
    ("*" * 4000 + "b", "a" * 4000),
)


def slowly(glob, path):
    """The same by a regular expression, which may take for ever."""
    wild = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", glob)
    return bool(re.fullmatch("".join(wild.get(part) or re.escape(part) for part in parts), path, re.DOTALL))


@pytest.mark.parametrize("seed", range(20))
def test_patterns_of_many_wildcards_match_what_those_of_few_do(seed):
    chance = random.Random(seed)
    found = 0
    for _ in range(300):
        glob = "".join(chance.choices(["a", "b", "/", "*", "**", "**/", "?", "["], k=chance.randint(1, 9)))
        path = "".join(chance.choices("aab/[", k=chance.randint(0, 7)))
        assert matches([glob], path) is slowly(glob, path), (glob, path)
        found += matches([glob], path)
    assert found > 10


@pytest.mark.parametrize(("glob", "path"), HOSTILE, ids=[glob[:20] for glob, _ in HOSTILE])
def test_no_pattern_takes_longer_than_a_second(glob, path):
    began = time.process_time()
    assert not matches([glob], path)
    assert time.process_time() - began < 1


def test_what_follows_many_wildcards_is_matched_to_its_end():
    glob = "**/evals/**/*_refund*/**/*[[]*.yaml"
    assert matches([glob], "a/evals/b/c/my_refund_1/x[[]y.yaml")
    assert not matches([glob], "a/evals/b/c/my_refund_1/x[[]y.yaml.bak")
    assert not matches([glob], "a/evals/b/c/my_refund_1")
