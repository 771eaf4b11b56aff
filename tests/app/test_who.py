import pytest
import streamlit as st
from dashboard import who

from reviewlib.errors import RefusedVerdict, RepositoryError
from reviewlib.serve import LaunchSpec
from reviewlib.verdicts import Reviewer
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
        ("ann@", ("@",), False),
        ("\u212aen@example.org", ("ken@example.org",), False),
        ("ann@exam\u017fple.org", ("examsple.org",), False),
    ],
)
def test_the_list_holds_addresses_and_domains(email, allowed, expected):
    assert who.is_allowed(email, allowed) is expected


SHARED = LaunchSpec(login=True, allowed=("example.org",), readers=("example.com", "ann@example.org"))


def judged(**claims):
    return who.judged({"email": "ann@example.org", "name": "Ann", "is_logged_in": True, **claims}, SHARED)


def test_who_is_on_the_list_decides_under_the_name_that_the_provider_gives():
    assert judged().reviewer == Reviewer(name="Ann", email="ann@example.org")
    assert judged(name=None).reviewer == Reviewer(name="ann@example.org", email="ann@example.org")


def test_a_reader_looks_and_does_not_decide():
    found = judged(email="max@example.com")
    assert (found.reviewer, found.looks) == (None, True)
    assert found.why == "max@example.com may read here, and not decide: it is not on the list of reviewers."


@pytest.mark.parametrize(
    ("claims", "why"),
    [
        ({"email": "eve@example.net"}, "eve@example.net is not on the list"),
        ({"email": ""}, "names no mail address"),
        ({"email": None}, "names no mail address"),
        ({"email_verified": False}, "has not verified that ann@example.org is yours"),
        ({"email_verified": "false"}, "has not verified"),
        ({"email_verified": None}, "has not verified"),
        ({"email": "max@example.com", "email_verified": False}, "has not verified"),
    ],
)
def test_everybody_else_does_not_even_look(claims, why):
    found = judged(**claims)
    assert (found.reviewer, found.looks) == (None, False)
    assert why in found.why


@pytest.mark.parametrize("said", [True, "true"])
def test_an_address_that_the_provider_has_verified_is_believed(said):
    assert judged(email_verified=said).reviewer is not None


def test_without_lists_nobody_looks():
    assert not who.judged({"email": "ann@example.org"}, LaunchSpec(login=True)).looks


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
