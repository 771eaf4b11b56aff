"""Who sits at the screen: git's own reviewer, or on a shared server whoever has signed in."""

from dataclasses import dataclass

import streamlit as st

from reviewlib.errors import RefusedVerdict, RepositoryError
from reviewlib.serve import current_spec
from reviewlib.sources.git import Repository
from reviewlib.verdicts import Reviewer


@dataclass(frozen=True, slots=True)
class Person:
    """Whoever looks. ``reviewer`` is None where nobody may decide, and ``why`` says why in a sentence."""

    reviewer: Reviewer | None
    why: str = ""


def needs_login() -> bool:
    """Whether a login stands before everything, and nobody has signed in."""
    return current_spec().login and not st.user.is_logged_in


def person(repository: Repository | None) -> Person:
    """Tell who looks. The page cannot set it: it is git's setting, or what the login's provider says."""
    spec = current_spec()
    if spec.login:
        return _signed_in(spec.allowed)
    if repository is None:
        return Person(None, "Verdicts are kept in a git repository, and two folders outside any are compared here.")
    try:
        return Person(_of_git(repository, str(repository.root)))
    except RepositoryError as error:
        return Person(None, str(error))


@st.cache_resource(max_entries=2, ttl=5.0, show_spinner=False)
def _of_git(_repository: Repository, root: str) -> Reviewer:  # noqa: ARG001 - the root is what is cached by
    """Git's settings, asked for twice a screen, take 4 ms."""
    return _repository.reviewer()


def reviewer(repository: Repository | None) -> Reviewer:
    """Who decides.

    Raises:
        RefusedVerdict: nobody may, with the reason.

    """
    found = person(repository)
    if found.reviewer is None:
        raise RefusedVerdict(found.why)
    return found.reviewer


def is_allowed(email: str, allowed: tuple[str, ...]) -> bool:
    """Whether an address is on the list: itself, or its domain (``example.org``, ``@example.org``). An empty list allows nobody."""
    address = email.strip().casefold()
    name, at, domain = address.rpartition("@")
    if not name or not at:
        return False
    listed = {entry.strip().casefold().removeprefix("@") for entry in allowed}
    return address in listed or domain in listed


def _signed_in(allowed: tuple[str, ...]) -> Person:
    if not st.user.is_logged_in:
        return Person(None, "Sign in first.")
    email, name = str(st.user.get("email") or ""), str(st.user.get("name") or "")
    if st.user.get("email_verified") is False:
        return Person(None, f"{email} is not a verified address, so it cannot stand behind a verdict.")
    if not is_allowed(email, allowed):
        return Person(
            None, f"{email or 'This account'} may read here, and not decide: it is not on the list of reviewers."
        )
    return Person(Reviewer(name=name or email, email=email))
