"""The one reader of numbers: what is a number, what has a fraction, what is out of bounds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheets import money, numbers
from sheets.numbers import Why

MINUSES = "-‐‑‒–—―−﹘﹣－"


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        *(("0", 0), ("007", 7), (" 12\t", 12), ("٤٢", 42), ("４２", 42), ("४२", 42)),
        *(("1,234", 1234), ("1.234", 1234), ("1 234", 1234), ("1’234", 1234), ("1'234", 1234)),
        *(("1\u202f234", 1234), ("1\u00a0234", 1234), ("١٬٢٣٤", 1234), ("9,999", 9999)),
        *(("\u200e350", 350), ("\u2066350\u2069", 350)),
    ],
)
def test_a_whole_number_is_read_however_it_is_written(typed, number):
    assert numbers.whole(typed, most=9_999) == number


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        *((f"{minus}{space}350", Why.NEGATIVE) for minus in MINUSES for space in ("", " ")),
        *(("-1,234", Why.NEGATIVE), ("−1.5", Why.NEGATIVE), ("-٤", Why.NEGATIVE)),
        *((one, Why.FRACTION) for one in ("1.5", "1,5", "1.50", "0,500", "1٫5", "1,234.5", "5.")),
        *((one, Why.FRACTION) for one in ("1.234,50", "1234,567", "1,2345")),
        *(
            (one, Why.NO_NUMBER)
            for one in ("", "x", "²", "½", "1⁄2", "Ⅷ", "1e3", "4-", "(4)", "+4")
        ),
        *((one, Why.NO_NUMBER) for one in ("1 2", "1,23,4", "1,234.567,8", "0,2,0", "1,234 567")),
        *((one, Why.TOO_MUCH) for one in ("10000", "10,000", "1 000 000", "9" * 5_000)),
    ],
)
def test_whatever_else_is_typed_is_refused_for_what_it_is(typed, why):
    with pytest.raises(numbers.Unread) as unread:
        numbers.whole(typed, most=9_999)
    assert unread.value.why is why


def test_a_thousand_is_not_called_a_fraction():
    for typed in ("1,234", "1.234"):
        with pytest.raises(numbers.Unread, match=r"1.234 is more than fits: 999 at most"):
            numbers.whole(typed, most=999)


@given(st.integers(-9_999, 9_999), st.sampled_from(MINUSES), st.sampled_from(["", ",", ".", "’"]))
def test_a_number_below_0_is_read_where_it_may_be_one(number, minus, group):
    typed = f"{number:,}".replace(",", group).replace("-", minus)
    assert numbers.whole(typed, most=9_999, least=-9_999) == number
    with pytest.raises(numbers.Unread, match="at least" if number < 0 else "at most"):
        numbers.whole(typed, most=number - 1, least=number + 1)


@given(st.text(st.sampled_from("0123456789٤-−–.,’ \u202f\u00a0x½²"), max_size=8))
def test_whatever_is_read_has_every_digit_that_was_typed(typed):
    try:
        number = numbers.whole(typed, most=10**9, least=-(10**9))
    except numbers.Unread:
        return
    digits = "".join(str(int(one)) for one in typed if one.isdecimal())
    assert str(abs(number)) == (digits.lstrip("0") or "0")
    assert (number < 0) == (number != 0 and any(one in MINUSES for one in typed))


@pytest.mark.parametrize(
    ("typed", "currency", "cents"),
    [
        *(("1,234", "USD", 123400), ("1.234", "EUR", 123400), ("1,234.5", "USD", 123450)),
        *(
            ("1.234,50", "EUR", 123450),
            ("0,5", "EUR", 50),
            ("٠٫٥", "USD", 50),
            ("1,234", "JPY", 1234),
        ),
        *(("1.234", "KWD", 1234), ("1 234,5", "KWD", 1_234_500), ("5.", "USD", 500)),
        *(
            ("-1", "USD", None),
            ("1,234,5", "USD", None),
            ("0.505", "USD", None),
            ("x", "USD", None),
        ),
        ("9" * 13, "USD", None),
    ],
)
def test_amounts_of_money_are_read_by_the_same_reader(typed, currency, cents):
    assert money.read(typed, currency) == cents
