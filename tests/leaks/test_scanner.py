"""The rules' names are plain, and no two names are one key's."""

import re

import pytest
from kingfisher_sdk import Rules

from reviewlib.leaks.marks import MARK, found_mark
from reviewlib.leaks.scanner import scan
from tests.planted import secret

KINDS = {rule["id"] for rule in Rules().metadata()}


def kinds(text):
    return {hit.kind for hit in scan(text)}


@pytest.mark.parametrize("around", ["{}", "with {}", "a={}", '"{}"', "\n{}\n", "{} and {}", "npm: {}"])
@pytest.mark.parametrize(("kind", "name"), [("npm", "npm-access-token"), ("sendgrid", "sendgrid-api-token")])
def test_a_key_has_one_name_whatever_stands_around_it(kind, name, around):
    value = secret(kind)
    assert kinds(around.format(value, value)) == {name}


def test_there_are_hundreds_of_rules():
    assert len(KINDS) > 400


@pytest.mark.parametrize("rule", sorted(KINDS))
def test_every_rule_gives_a_name_that_a_mark_can_hold(rule):
    from reviewlib.leaks.scanner import _kind

    assert MARK.fullmatch(found_mark(_kind(rule), "x" * 30))
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", _kind(rule))


def test_bytes_and_text_are_scanned_alike():
    text = f"é {secret('npm')}"
    assert list(scan(text)) == list(scan(text.encode()))


def test_what_goes_with_a_secret_is_none():
    assert not any(
        hit.kind.endswith(("-client-id", "-account-name")) for hit in scan(f"adobe_client_id: {'0a1b2c3d' * 4}")
    )
