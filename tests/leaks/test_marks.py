"""What stands in place of a secret tells secrets apart and tells nothing of them."""

import base64
import json

import pytest

from reviewlib.leaks.marks import MARK, digest, mark, marks, plausible
from reviewlib.placeholders import holds_one, stands_for
from tests.planted import KINDS, Draw, secret

DRAW = Draw("marks")
LONG, SHORT = DRAW(40), DRAW(12)


@pytest.mark.parametrize("kind", KINDS)
def test_every_planted_kind_is_plausible_and_has_a_mark(kind):
    assert plausible(secret(kind))
    assert MARK.fullmatch(mark("api-key", secret(kind)))


@pytest.mark.parametrize(
    "value",
    [
        *("", "secret", "opaque", "a1b2", "password", "authentication-is-required", "my-very-long-password-in-words"),
        *(
            f"{LONG}EXAMPLE",
            f"fake-{LONG}",
            f"{LONG[:20]}XXXX{LONG[:4]}",
            f"your-{LONG}",
            f"sk-test-{LONG}",
            f"test_{LONG}",
        ),
        *(
            "aaaaaaaa11111111aaaaaaaa",
            "0" * 40,
            "1234567890abcdef1234",
            "<token>",
            "${TOKEN_1234567}",
            "{{token12345678}}",
        ),
        *("Bearer token", "Bearer sk-fake-000", "Basic dXNlcjpwYXNz", "[masked:api-key:3f9a1c2e]"),
    ],
)
def test_words_examples_and_placeholders_are_not(value):
    assert not plausible(value)
    assert mark("api-key", value) == "[masked:api-key]"


def test_a_json_web_token_of_documentation_is_none_by_what_it_says():
    def token(claims):
        parts = ({"alg": "HS256"}, claims)
        packed = (base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts)
        return ".".join((*packed, LONG))

    assert plausible(token({"sub": DRAW(16)}))
    assert not plausible(token({"sub": "1234567890", "name": "John Doe"}))
    assert not plausible(token({"sub": "u", "iss": "https://example.com"}))


def test_a_long_secret_has_eight_digits_and_what_could_be_guessed_has_two():
    assert len(digest(LONG)) == 8
    for guessable in (SHORT, "hunter2", "4024 0071 0901 2345", "DE75512108001245126199"):
        assert len(digest(guessable)) == 2


def test_a_short_digest_confirms_no_guess():
    """Of 10,000 guesses, some dozens have the digest of the right one."""
    assert 15 < sum(digest(f"password{number}") == digest("password4711") for number in range(10_000)) < 90


def test_digests_are_the_same_in_every_process_and_differ_by_value():
    assert digest("abcdefgh") == "a6"
    assert len({digest(Draw(str(number))(40)) for number in range(500)}) == 500


def test_the_word_before_a_token_is_no_part_of_it():
    assert mark("a", f"Bearer {LONG}") == mark("a", f"bearer  {LONG}") == mark("a", LONG)
    assert digest(f"Token {LONG}") == digest(LONG)


def test_marks_are_read_back_and_marks_without_a_digest_are_none():
    text = f"a {mark('one', LONG)} b {mark('two', SHORT)} c [masked:three] [masked:four:zz]"
    assert list(marks(text)) == [("one", digest(LONG)), ("two", digest(SHORT))]


def test_a_mark_stands_for_one_secret_and_equals_no_other_text():
    assert not stands_for(mark("a", LONG), mark("a", LONG[::-1]))
    assert not stands_for(f"key {mark('a', LONG)} used", "key abc used")
    assert stands_for("[masked:a]", "anything")


def test_a_text_with_a_mark_is_known_to_be_incomplete():
    assert holds_one(f"x {mark('a', LONG)} y")
    assert not holds_one("nothing of the kind")
