"""Whatever happened to a file, reading it gives a cassette and its recording, or a reason why not, and soon."""

from collections import Counter

import pytest

from reviewlib.formats import read_cassettes
from reviewlib.model.cassette import File, Unreadable
from tests.fuzz import LIMIT, MUTATIONS, Mutant, main, mutant, originals, problem

BATCH = 100


@pytest.mark.parametrize("batch", range(20))
def test_a_damaged_file_is_read_to_the_end_or_refused_with_a_reason(batch):
    found = {
        str(one): wrong for one in map(mutant, range(batch * BATCH, (batch + 1) * BATCH)) if (wrong := problem(one))
    }
    assert found == {}


def test_every_kind_of_damage_is_done_and_most_of_it_changes_the_file():
    whole = {file.path: file.data for file in originals()}
    mutants = [mutant(seed) for seed in range(600)]
    assert {one.how for one in mutants} == MUTATIONS.keys()
    changed = Counter(one.how for one in mutants if one.file.data != whole.get(one.file.path))
    done = Counter(one.how for one in mutants)
    assert all(changed[how] > done[how] / 2 for how in MUTATIONS)


def test_damage_leaves_enough_to_read():
    results = [result for seed in range(400) for result in read_cassettes([mutant(seed).file])]
    unreadable = sum(isinstance(result, Unreadable) for result in results)
    assert 0.1 < unreadable / len(results) < 0.7


def test_a_seed_is_one_mutant():
    assert mutant(17) == mutant(17)
    assert mutant(17) != mutant(18)


def test_reading_that_takes_too_long_is_a_problem(monkeypatch):
    clock = iter([0.0, LIMIT + 1])
    monkeypatch.setattr("tests.fuzz.time.process_time", lambda: next(clock))
    one = Mutant(0, "nothing", File(path="a.yaml", blob="0" * 40, data=b"interactions: []\nversion: 1\n"))
    assert problem(one) == f"it took {LIMIT + 1:.1f} s"


def test_the_long_run_reads_until_its_time_is_over_and_says_what_it_did(capsys):
    assert main(["--seconds", "0.2"]) == 0
    assert ", 0 failures\n" in capsys.readouterr().out


def test_one_seed_is_read_again(capsys):
    assert main(["--seed", "17"]) == 0
    assert capsys.readouterr().out.startswith(str(mutant(17)))
