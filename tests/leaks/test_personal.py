"""Addresses and telephone numbers of people are told from those of machines, offices and documentation."""

import time

import pytest

from reviewlib.leaks.personal import names_people, people


def found(text):
    return [person.value for person in people(text)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("write to Marie.Dubois@orange.fr today", "marie.dubois@orange.fr"),
        ('{"email": "j.doe+news@gmail.com"}', "j.doe+news@gmail.com"),
        ("<anna@uni-bonn.de>,", "anna@uni-bonn.de"),
        ("call +33 6 12 34 78 91", "+33612347891"),
        ("call +1 415-867-5309 now", "+14158675309"),
        ("(212) 736-5000", "+12127365000"),
        ("212-736-5000", "+12127365000"),
        ("tel +49 (30) 901820", None),
    ],
)
def test_people_are_found(text, value):
    assert found(text) == ([value] if value else found(text))


@pytest.mark.parametrize(
    "text",
    [
        *(
            "user@example.com",
            "jane@mail.example.org",
            "a@b.test",
            "me@localhost",
            "x@host.local",
            "dev@acme.com",
            "john@company.com",
        ),
        *("noreply@github.com", "no-reply@stripe.com", "do_not_reply@x.com", "support@vendor.io", "hello@startup.io"),
        *(
            "git@github.com:org/repo.git",
            "icon@2x.png",
            "package@1.2.3",
            "@mention",
            "bot@proj.iam.gserviceaccount.com",
        ),
        *(
            "call 555-0100",
            "(212) 555-0123",
            "+1 415 555 2671",
            "+44 7700 900123",
            "+44 20 7946 0958".replace("7946", "4960"),
        ),
        *(
            "+1 234 567 8900",
            "123-456-7890",
            "id 2026-11-30",
            "+12",
            "order 415-867-53091",
            "1.415.867.5309.2",
            "999-999-9999",
        ),
    ],
)
def test_documentation_offices_and_machines_are_silent(text):
    assert found(text) == []


def test_hostile_text_takes_linear_time():
    begun = time.perf_counter()
    for text in (
        "a." * 100_000 + "@",
        "@" * 200_000,
        "a@b." * 50_000,
        "+1 " * 100_000,
        "1" * 300_000,
        "-.%+" * 100_000 + "@x",
    ):
        found(text)
    assert time.perf_counter() - begun < 5


@pytest.mark.parametrize(
    ("texts", "named"),
    [
        ([], False),
        (["nobody", "no number 12"], False),
        (["nobody", "write to marie.dubois@orange.fr"], True),
        (["call +33 6 12 34 78 91", "nobody"], True),
        (["noreply@orange.fr", "user@example.com"], False),
        (["212-736", "-5000", "marie.dubois@", "orange.fr", "+1 415", "867-5309"], False),
        (["x", "212-736-5000"], True),
    ],
)
def test_people_in_any_of_several_texts_are_people_in_one_of_them(texts, named):
    assert names_people(texts) is named is any(found(text) for text in texts)


@pytest.mark.parametrize("before", ["1", "-", ".", "(", "x", "\n", " "])
def test_a_number_begins_where_no_other_goes_on(before):
    assert bool(found(f"{before}212-736-5000")) is (before not in "1-.")
