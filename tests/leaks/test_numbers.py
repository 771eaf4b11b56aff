"""Numbers of cards and accounts are told from ids by shape, issuer and check digits."""

import random
import time

import pytest
from stdnum import iban, luhn

from reviewlib.leaks.numbers import numbers


def card(prefix="402400", length=16):
    body = prefix + "".join(random.Random(prefix).choices("123456789", k=length - len(prefix) - 1))
    return body + luhn.calc_check_digit(body)


def account(country="DE", body="512108001245126199"):
    return country + iban.calc_check_digits(f"{country}00{body}") + body


def grouped(number, size=4, between=" "):
    return between.join(number[start : start + size] for start in range(0, len(number), size))


CARD, AMEX, ACCOUNT = card(), card("37", 15), account()


def found(text):
    return [(hit.kind, hit.value) for hit in numbers(text.encode())]


@pytest.mark.parametrize(
    "text",
    [
        f"pay with {grouped(CARD)}.",
        f"({grouped(CARD, between='-')})",
        f'"{grouped(CARD)}"',
        f"card: {CARD}",
        f"card_number: {CARD}",
        f'{{"card": "{CARD}"}}',
        f"my Visa is {CARD} ok",
    ],
)
def test_a_card_is_found_grouped_or_behind_a_word_for_it(text):
    assert found(text) == [("card", CARD)]


def test_the_groups_of_another_issuer_are_known():
    assert found(f"{AMEX[:4]} {AMEX[4:10]} {AMEX[10:]}") == [("card", AMEX)]


@pytest.mark.parametrize(
    "text",
    [
        f"id {CARD}",
        f"order-{CARD}",
        f"card {CARD}7",
        f"x-{grouped(CARD)}",
        f"{grouped(CARD)}-1",
        f"{grouped(CARD)}.5",
        f"card: {CARD[:-1]}{(int(CARD[-1]) + 1) % 10}",
        grouped("9" + card("900000")[1:]),
        grouped("4242" * 4),
        grouped("4" + "1" * 15),
        "card 5555555555554444",
        "2026 1130 1754 1200",
    ],
)
def test_ids_times_wrong_digits_and_test_cards_are_none(text):
    assert found(text) == []


@pytest.mark.parametrize("text", [ACCOUNT, f"to {grouped(ACCOUNT)}, please", f'"iban":"{ACCOUNT}"', f"({ACCOUNT})"])
def test_an_account_is_found_in_one_piece_or_grouped(text):
    assert found(text) == [("iban", ACCOUNT)]


@pytest.mark.parametrize(
    "text",
    [
        f"X{ACCOUNT}",
        f"{ACCOUNT}7",
        ACCOUNT[:-1] + str((int(ACCOUNT[-1]) + 1) % 10),
        account("DE", "1" * 18),
        "DE89370400440532013000",
        "GB82 WEST 1234 5698 7654 32",
        "AB12CD34EF56GH78IJ90",
    ],
)
def test_wrong_digits_longer_words_and_documented_accounts_are_none(text):
    assert found(text) == []


def test_a_card_inside_an_account_is_none():
    assert [kind for kind, _ in found(f"{grouped(ACCOUNT)} ok")] == ["iban"]


def test_hostile_digits_take_linear_time():
    begun = time.perf_counter()
    for text in ("0" * 1_000_000, "4024 " * 200_000, "AA00 " * 200_000, "A" * 1_000_000, "card 4" * 100_000):
        found(text)
    assert time.perf_counter() - begun < 5
