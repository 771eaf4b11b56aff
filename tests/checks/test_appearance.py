"""Whether an answer says something, however it writes it."""

import time

import pytest

from reviewlib.checks.appearance import holds, mentions, plain

HELD = [
    ("39.0", "I refunded $39.00."),
    ("39", "It is 39.0 dollars"),
    ("$39.00", "That makes $39, as agreed."),
    ("1000", "1,000 items"),
    ("1,000.50", "a total of 1000.5"),
    ("39", "39%"),
    ("39", "(39)"),
    ("39", "39,00 €"),
    ("ORD-7", "Order ord-7 is on its way"),
    ("ORD-7", "**ORD-7**: shipped"),
    ("refund issued", "Refund\n  issued today"),
    ("STRASSE", "straße"),
    ("4471", "order #4471."),
    ("2026-11-02", "placed on 2026-11-02."),
    ("caf\u00e9", "CAFE\u0301, please"),
    ("１０００", "1,000 items"),
    ("日本", "東京と日本です"),
    ("환불", "환불을 했습니다"),
    ("คืนเงิน", "เราคืนเงินแล้ว"),
]
NOT_HELD = [
    ("39.0", "I refunded $390.00."),
    ("39", "139"),
    ("39", "390"),
    ("39", "39,000"),
    ("39", "1.39"),
    ("39", "39.5"),
    ("39", "x39"),
    ("39", "39th"),
    ("1000", "1,0000"),
    ("1,000", "100"),
    ("ORD-7", "ORD-77"),
    ("ORD-7", "WORD-7"),
    ("refund", "refunded"),
    ("caf\u00e9", "cafe"),
    ("возврат", "возвраты"),
    ("12", "東京12345"),
    ("refund issued", "refund was issued"),
    ("39", ""),
]


@pytest.mark.parametrize(("wanted", "said"), HELD)
def test_what_is_said_is_found_however_it_is_written(wanted, said):
    assert holds(plain(said), plain(wanted))
    assert mentions(plain(said), plain(wanted))


@pytest.mark.parametrize(("wanted", "said"), NOT_HELD)
def test_what_only_looks_like_it_is_not_found(wanted, said):
    assert not holds(plain(said), plain(wanted))


@pytest.mark.parametrize(
    ("unwanted", "said", "expected"),
    [
        ("password", "Your PASSWORDS are safe", True),
        ("internal only", "Internal\nonly", True),
        ("guarante", "We guarantee it", True),
        ("39", "390", False),
        ("39", "$39.00", True),
        ("39", "item39", True),
        ("as an AI", "was an aid", True),
        ("secret", "", False),
    ],
)
def test_what_must_not_be_said_is_found_inside_of_words_too_but_not_of_numbers(unwanted, said, expected):
    assert mentions(plain(said), plain(unwanted)) is expected


def test_the_search_takes_no_time_where_nearly_everything_matches():
    said = plain("a39" * 60_000)
    start = time.process_time()
    assert not holds(said, plain("39"))
    assert not holds(plain("aa" * 90_000), plain("a"))
    assert time.process_time() - start < 2
