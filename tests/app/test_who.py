import pytest
import streamlit as st
from dashboard import who

from reviewlib.errors import RefusedVerdict, RepositoryError
from tests.app.desk import ME, FakeRepository


@pytest.fixture(autouse=True)
def fresh_cache():
    st.cache_resource.clear()


@pytest.mark.parametrize(
    ("email", "allowed", "expected"),
    [
        ("ann@example.org", ("ann@example.org",), True),
        ("Ann@Example.org", ("ann@example.org",), True),
        ("ann@example.org", ("example.org",), True),
        ("ann@example.org", ("@example.org",), True),
        ("ann@example.org", (), False),
        ("ann@evil-example.org", ("example.org",), False),
        ("ann@example.org.evil.test", ("example.org",), False),
        ("ann@sub.example.org", ("example.org",), False),
        ("example.org", ("example.org",), False),
        ("", ("example.org",), False),
        ("@example.org", ("example.org",), False),
        ("ann@evil.test@example.org", ("example.org",), True),
    ],
)
def test_the_list_holds_addresses_and_domains(email, allowed, expected):
    assert who.is_allowed(email, allowed) is expected


def test_without_a_login_it_is_gits_reviewer():
    assert who.person(FakeRepository()).reviewer == ME
    assert who.reviewer(FakeRepository()) == ME


def test_outside_a_repository_nobody_decides():
    with pytest.raises(RefusedVerdict, match="kept in a git repository"):
        who.reviewer(None)


def test_a_reviewer_without_a_name_is_told_what_to_set(monkeypatch):
    def nobody(_self):
        raise RepositoryError("git does not know who you are")

    monkeypatch.setattr(FakeRepository, "reviewer", nobody)
    assert who.person(FakeRepository()) == who.Person(None, "git does not know who you are")
