"""A hand as a row of a table: the columns of CSV and XLSX files, and text made harmless in them."""

from __future__ import annotations

import dataclasses
import datetime
import re
import uuid
from typing import Annotated, Final

from rules import games
from sheets.models import Review, RoundKind
from sheets.models.sheet import MOST_REASON
from sheets.portable import Count, Moment, Name, PublicId, Range, Small, Units

SEATS: Final = range(1, 5)
COUNTS: Final = tuple(sorted({name for game in games.GAMES.values() for name in game.COUNTS}))
YES, NO = "yes", "no"
COMPUTED, TYPED = "computed", "typed"

Value = str | int | None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class HandRow:
    """One hand that stands, with all that is needed to write its sheet down again.

    What is only there to be read (`ONLY_SHOWN`) is not read back.
    """

    format: int
    table: PublicId
    table_name: Name = ""
    time_zone: Annotated[str, Range(1, 64)]
    sheet: PublicId
    game: Annotated[str, Range(1, 20)]
    evening: str = ""
    started: Moment
    ended: Moment
    played: Moment
    unit_cents: Count | None = None
    currency: Annotated[str, Range(0, 3)] = ""
    review: Review = Review.TO_REVIEW
    review_note: str = ""
    hand: Annotated[int, Range(1, 1_000_000)]
    hand_id: uuid.UUID
    kind: RoundKind
    numbers: str = ""
    dealer: str | None = None
    sitter: str | None = None
    bidder: str | None = None
    bid: Small | None = None
    trump: str | None = None
    outcome: str | None = None
    pot: Count | None = None
    reason: Annotated[str, Range(0, MOST_REASON)] = ""
    entered_by: str = ""
    entered_at: Moment
    house_rules: str


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """Who sat in one seat in a hand."""

    name: Name
    column: bool
    units: Units | None


ONLY_SHOWN: Final = ("evening", "numbers", "entered_by")  # and not read back

_FIELDS: Final = tuple(field.name for field in dataclasses.fields(HandRow))
_LAST: Final = ("reason", "entered_by", "entered_at", "house_rules")


def seat_columns(seat: int) -> tuple[str, str, str]:
    """Return the names of a seat's columns."""
    return f"seat_{seat}", f"seat_{seat}_column", f"seat_{seat}_units"


COLUMNS: Final = (
    *(name for name in _FIELDS if name not in _LAST),
    *COUNTS,
    *(name for seat in SEATS for name in seat_columns(seat)),
    *_LAST,
)
NUMBERS: Final = frozenset(
    {
        *("format", "unit_cents", "hand", "bid", "pot"),
        *COUNTS,
        *(seat_columns(seat)[2] for seat in SEATS),
    }
)

# What a spreadsheet takes for the beginning of a formula, in any width, behind spaces and quotes.
_RUNS = re.compile(
    r"[\s\ufeff\u200b-\u200f\u2060\"'`\u2018-\u201f]*[=+\-@|%＝＋－＠﹦﹢﹣﹫−]|[\t\r\n]"
)


def harmless(text: str) -> str:
    """Return text that no spreadsheet runs: an apostrophe goes before what one might.

    Text that begins with an apostrophe gets one more, so that `as_it_was` knows which is ours.
    """
    return f"'{text}" if text.startswith("'") or _RUNS.match(text) else text


def as_it_was(text: str) -> str:
    """Return the text that was made harmless."""
    return text.removeprefix("'")


def shown(value: object) -> Value:
    """Return a value as a cell has it."""
    if value is None or type(value) is int:
        return value
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.UTC).isoformat().replace("+00:00", "Z")
    return str(value)
