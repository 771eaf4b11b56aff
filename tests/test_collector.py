"""The garbage collector stands still while files are read, and runs again afterwards, whatever happened."""

import gc

import pytest

from reviewlib.collector import collector_paused
from reviewlib.formats import read_cassettes
from reviewlib.model.cassette import File


@pytest.fixture(autouse=True)
def running():
    gc.enable()
    yield
    gc.enable()


def test_it_stands_still_inside_and_runs_afterwards():
    with collector_paused():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_runs_again_after_a_failure():
    with pytest.raises(ValueError, match="broken"), collector_paused():
        raise ValueError("broken")
    assert gc.isenabled()


def test_only_the_outermost_pause_ends_it():
    with collector_paused():
        with collector_paused():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()


def test_who_had_stopped_it_finds_it_stopped():
    gc.disable()
    with collector_paused():
        pass
    assert not gc.isenabled()


@pytest.mark.parametrize("data", [b"interactions: []\nversion: 1\n", b"", b"{"])
def test_it_runs_after_reading(data):
    read_cassettes([File(path="a.yaml", blob="0" * 40, data=data)])
    assert gc.isenabled()
