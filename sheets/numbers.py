"""The one reader of numbers that people type, or that stand in files and addresses.

Digits of any script count. "1,234", "1.234" and "1 234" are one number of a thousand and more;
"1.5" and "1,5" are fractions; a dash of any kind before a number makes it less than 0.
"""

from __future__ import annotations

import enum
import re
from typing import Final

from django.utils.translation import gettext as _

MOST_TYPED: Final = 9_999  # in one field: units, points, bids, hands, wherever they come from
MOST_KEY: Final = 2**63 - 1  # of a row in the database
MOST_VERSION: Final = 2**31 - 1  # of a table or a club
MINUS: Final = "-\u2010-\u2015\u2212\ufe58\ufe63\uff0d"  # as part of a set of characters
POINTS: Final = ".,\N{ARABIC DECIMAL SEPARATOR}"
NARROW_SPACES: Final = "\u00a0\u2007\u2009\u202f"  # which part thousands, and never two numbers
GROUPS: Final = rf".,'’\N{{ARABIC THOUSANDS SEPARATOR}} {NARROW_SPACES}"
_SHOWN: Final = 20  # letters of what was typed
_WIDE: Final = str.maketrans("，．", ",.")
# Marks of direction and joiners, which nobody sees.
_UNSEEN = re.compile("[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_SIGNED = re.compile(rf"([{MINUS}]?)\s*(.*)", re.DOTALL)
_GROUPED = re.compile(rf"(?!\D*0)\d{{1,3}}([{GROUPS}])\d{{3}}(?:\1\d{{3}})*")


class Why(enum.Enum):
    """What is wrong with a number."""

    NEGATIVE, FRACTION, TOO_MUCH, NO_NUMBER = range(4)


class Unread(ValueError):  # noqa: N818 - the sentence is for the person who typed
    """What was typed is no number that fits: `str()` says so in words, `why` to the program."""

    def __init__(self, why: Why, sentence: str) -> None:
        super().__init__(sentence)
        self.why = why


def whole(text: str, *, most: int, least: int = 0) -> int:
    """Return a whole number from `least` to `most`; raises Unread."""
    sign, body = _signed(text)
    shown = {"typed": text.strip()[:_SHOWN], "most": most, "least": least}
    digits = _digits(body)
    fraction = not digits and _with_fraction(body)
    if sign and least >= 0 and (digits or fraction):
        raise Unread(Why.NEGATIVE, _("Nothing below 0 goes in here."))
    if fraction:
        raise Unread(Why.FRACTION, _("Whole numbers only: %(typed)s has a fraction.") % shown)
    if not digits:
        raise Unread(Why.NO_NUMBER, _("“%(typed)s” is not a number.") % shown)
    size = most if not sign else -least
    number = int(digits) if len(digits) <= len(str(size)) else size + 1
    if number > size and not sign:
        raise Unread(Why.TOO_MUCH, _("%(typed)s is more than fits: %(most)s at most.") % shown)
    if number > size:
        raise Unread(Why.TOO_MUCH, _("%(typed)s is less than fits: %(least)s at least.") % shown)
    return -number if sign else number


def maybe(text: str, *, most: int) -> int | None:
    """Return a whole number of 0 or more that a page wrote into an address; None for another."""
    try:
        return whole(text, most=most)
    except Unread:
        return None


def amount(text: str, places: int) -> int | None:
    """Return an amount in units of its last of so many decimal places; None where it is none.

    With two places "1,234" is a thousand and more, and 1,23 and 1.23 are the same.
    """
    sign, body = _signed(text)
    after = ""
    if found := re.fullmatch(rf"(.+)([{POINTS}])(\d{{0,{places}}})", body, re.DOTALL):
        head, point, after = found.groups()
        body = "" if point in head else head
    digits = _digits(body)
    if sign or not digits or len(digits) > 12:
        return None
    return int(digits + "".join(map(_digit, after)).ljust(places, "0"))


def _signed(text: str) -> tuple[str, str]:
    """Part what was typed into its minus, of any kind, and the rest."""
    found = _SIGNED.fullmatch(_UNSEEN.sub("", text).strip().translate(_WIDE))
    assert found is not None
    return found[1], found[2]


def _digits(body: str) -> str:
    """Return the digits of a whole number as ASCII, without zeros before it; empty where none."""
    if not (body.isdecimal() or _GROUPED.fullmatch(body)):
        return ""
    return "".join(_digit(one) for one in body if one.isdecimal()).lstrip("0") or "0"


def _digit(one: str) -> str:
    return str(int(one))


def _with_fraction(body: str) -> bool:
    found = re.fullmatch(rf"(.+)([{POINTS}])\d*", body, re.DOTALL)
    return bool(found and found[2] not in found[1] and _digits(found[1]))
