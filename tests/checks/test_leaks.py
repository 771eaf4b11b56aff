"""Secrets and personal data are findings that tell kind and place, and never the value."""

import re

import pytest

from reviewlib.checks.check import Given, Sighting
from reviewlib.checks.leaks import CHECKS, personal_data, secrets
from reviewlib.errors import PolicyError
from reviewlib.model.leak import Leak
from reviewlib.model.trajectory import AssistantText
from reviewlib.policy import DEFAULT_POLICY, Policy, read_policy
from tests.corpus import CORPUS, needs_corpus
from tests.reviews import recording, tool_call, trajectory

GIVEN = Given(DEFAULT_POLICY, None)
MAIL, PHONE = "marie.dubois@orange.fr", "+33 6 12 34 78 91"


def said(*texts):
    return trajectory(*(AssistantText(index=2 + number, turn=1, text=text) for number, text in enumerate(texts)))


def leak(kind="npm-access-token", digest="3f9a1c2e", **more):
    return Leak(kind=kind, digest=digest, **({"place": "a user message"} | more))


@pytest.mark.parametrize(("places", "more"), [(1, ""), (2, " and one more place"), (4, " and 3 more places")])
def test_a_secret_is_told_by_name_place_and_step(places, more):
    (seen,) = secrets(recording(leaks=(leak(step=(0, 1), places=places),)), GIVEN)
    assert seen == Sighting(f"npm access token in a user message{more} (npm-access-token:3f9a1c2e)", (0, 1), "3f9a1c2e")


def test_a_recording_without_one_has_no_finding():
    assert list(secrets(recording(), GIVEN)) == []
    assert list(personal_data(recording(), GIVEN)) == []


def test_a_secret_is_the_same_by_its_digest_and_a_short_one_by_its_kind_too():
    assert [seen.key for seen in secrets(recording(leaks=(leak(), leak("userinfo", "5e"))), GIVEN)] == [
        "3f9a1c2e",
        "userinfo:5e",
    ]


def test_cards_and_accounts_are_personal_data_and_no_secrets():
    holding = recording(leaks=(leak("card", "5e"), leak("iban", "1f")))
    assert list(secrets(holding, GIVEN)) == []
    assert [seen.message for seen in personal_data(holding, GIVEN)] == [
        "a card number in a user message (card:5e)",
        "an account number in a user message (iban:1f)",
    ]


def test_what_the_policy_allows_by_name_is_none():
    given = Given(Policy(allow_secrets=("npm-access-token:3f9a1c2e", "card:5e")), None)
    holding = recording(leaks=(leak(), leak(digest="00000000"), leak("card", "5e")))
    assert [seen.key for seen in secrets(holding, given)] == ["00000000"]
    assert list(personal_data(holding, given)) == []


@pytest.mark.parametrize("name", ["npm", "npm:xyz", "npm:3f9a1c2e0", "secret value", ":3f9a1c2e"])
def test_a_policy_names_a_secret_by_kind_and_digest_only(name):
    with pytest.raises(PolicyError, match="allow_secrets"):
        read_policy(None, f'allow_secrets = ["{name}"]')


def test_people_are_told_by_number_and_place_and_never_by_name():
    held = recording("p", said(f"Write to {MAIL} or {PHONE}.", f"{MAIL} and bob@orange.fr, eve@orange.fr"))
    seen = list(personal_data(held, GIVEN))
    assert [(one.message, one.step) for one in seen] == [
        ("an e-mail address in the model's words", (0, 2)),
        ("a telephone number in the model's words", (0, 2)),
        ("2 e-mail addresses in the model's words", (0, 3)),
    ]
    assert not any(re.search("marie|orange|33", f"{one.message}{one.key}".replace(one.key, "")) for one in seen)
    assert len({one.key for one in seen}) == 3


def test_people_in_a_call_and_its_result_are_seen():
    held = recording("p", trajectory(tool_call("send", {"to": MAIL}, {"cc": "bob@orange.fr"})))
    assert [one.message for one in personal_data(held, GIVEN)] == [
        "an e-mail address in the arguments of a tool call",
        "an e-mail address in the result of a tool call",
    ]


@pytest.mark.parametrize("pattern", ["*@orange.fr", "Marie.Dubois@Orange.FR", "*@orange.*"])
def test_people_of_nobody_are_allowed_by_pattern(pattern):
    given = Given(Policy(allow_personal_data=(pattern, "+336*")), None)
    assert list(personal_data(recording("p", said(f"{MAIL} {PHONE}")), given)) == []


def test_the_same_person_in_the_same_step_has_the_same_key_on_both_sides():
    one, other = (
        list(personal_data(recording("p", said(text)), GIVEN)) for text in (f"Write {MAIL}", f"Mail to {MAIL}!")
    )
    assert [seen.key for seen in one] == [seen.key for seen in other]


def test_a_secret_is_an_error_and_personal_data_a_warning():
    assert [(check.code, check.severity) for check in CHECKS] == [("secret", "error"), ("personal-data", "warning")]
    assert DEFAULT_POLICY.blocking == ("secret",)


@needs_corpus
def test_in_2600_real_cassettes_only_the_real_ones_are_found():
    """One file holds an OAuth client's secret with the token that renews its access, in a form; nothing else fires."""
    from reviewlib import pipeline
    from reviewlib.model.cassette import File
    from reviewlib.model.trajectory import Recording

    paths = [path for path in sorted(CORPUS.rglob("*")) if path.is_file()]
    files = [File(path=str(path), blob=f"{number:040x}", data=path.read_bytes()) for number, path in enumerate(paths)]
    read = [item for item in pipeline.safely_read(files) if isinstance(item, Recording)]
    firing = {item.cassette.path.rpartition("/")[2]: len(list(secrets(item, GIVEN))) for item in read if item.leaks}
    assert firing == {
        "crewAIInc-crewAI__lib_crewai_tests_cassettes_rag_embeddings_test_crew_memory_with_google_vertex_embedder.yaml": 2
    }
    assert sum(len(list(personal_data(item, GIVEN))) for item in read) == 0
