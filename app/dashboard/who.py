"""Who sits at the screen: git's own reviewer, or on a shared server whoever has signed in."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from reviewlib.errors import RefusedVerdict, RepositoryError
from reviewlib.serve import LaunchSpec, current_spec
from reviewlib.sources.git import Repository
from reviewlib.verdicts import Reviewer


@dataclass(frozen=True, slots=True)
class Person:
    """Whoever looks. ``reviewer`` is None where they may not decide, and ``why`` says why in a sentence; ``looks`` is whether they may look."""

    reviewer: Reviewer | None
    why: str = ""
    looks: bool = True


def needs_login() -> bool:
    """Whether a login stands before everything, and nobody has signed in."""
    return current_spec().login and not _has_signed_in()


def may_look() -> bool:
    """Whether the page is shown at all."""
    return not current_spec().login or visitor().looks


def person(repository: Repository | None) -> Person:
    """Tell who looks. The page cannot set it: it is git's setting, or what the login's provider says."""
    spec = current_spec()
    if spec.login:
        return visitor()
    if repository is None:
        return Person(None, "Verdicts are kept in a git repository, and two folders outside any are compared here.")
    try:
        return Person(_of_git(repository, str(repository.root)))
    except RepositoryError as error:
        return Person(None, str(error))


def visitor() -> Person:
    """Tell who has signed in on a shared server, and what they may do."""
    return (
        judged(st.user.to_dict(), current_spec()) if _has_signed_in() else Person(None, "Sign in first.", looks=False)
    )


def judged(claims: Mapping[str, Any], spec: LaunchSpec) -> Person:
    """Tell what somebody may do by what the login's provider says of them.

    A provider that says nothing about the address being verified is taken at its word; the word "false" counts as no.
    """
    email, name = str(claims.get("email") or "").strip(), str(claims.get("name") or "").strip()
    if not email:
        return Person(None, "The login's provider names no mail address for this account.", looks=False)
    if claims.get("email_verified", True) not in (True, "true"):
        return Person(None, f"The login's provider has not verified that {email} is yours.", looks=False)
    if is_allowed(email, spec.allowed):
        return Person(Reviewer(name=name or email, email=email))
    if is_allowed(email, spec.readers):
        return Person(None, f"{email} may read here, and not decide: it is not on the list of reviewers.")
    return Person(None, f"{email} is not on the list of those who may read here.", looks=False)


def _has_signed_in() -> bool:
    return st.user.get("is_logged_in") is True


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
    """Whether an address is on the list: itself, or its domain (``example.org``, ``@example.org``). An empty list allows nobody.

    Only plain letters are compared without their case: elsewhere two addresses fold to one.
    """
    address = email.strip().lower()
    name, at, domain = address.rpartition("@")
    if not name or not at or not domain or not email.isascii():
        return False
    listed = {entry.strip().lower().removeprefix("@") for entry in allowed}
    return address in listed or domain in listed
