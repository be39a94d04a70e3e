"""Who is at the table in Auction Pinochle: three, or four of whom one sits out.

Seats count from 0, to the left. The deal moves to the left, so whoever is on the dealer's right
dealt before.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Final

from rules import Message, RuleError, gettext_noop
from rules.auction_house import Fourth, HouseRules, Sitter, not_offered
from rules.checking import Seat, Typed, checked

_Answer = Annotated[str, range(101)]
SEATS: Final = 3  # with cards in hand


@checked
def seats(house: HouseRules) -> int:
    """Return how many sit at the table."""
    return SEATS if house.fourth is Fourth.NONE else SEATS + 1


@checked
def columns(house: HouseRules) -> int:
    """Return how many of those at the table have a column."""
    return SEATS + 1 if house.fourth is Fourth.COLUMN else SEATS


@checked
def with_fourth(house: HouseRules, fourth: _Answer, sitter: _Answer = "") -> HouseRules:
    """Return the rules with a fourth at the table, or without; `sitter` empty: it stays.

    Raises RuleError for an answer that is none of those offered.
    """
    try:
        return replace(house, fourth=Fourth(fourth), sitter=Sitter(sitter or house.sitter))
    except ValueError as error:
        if isinstance(error, RuleError):
            raise
        field = "sitter" if fourth in tuple(Fourth) else "fourth"
        raise not_offered(field) from None


@checked
def sits_out(dealer: Seat, house: HouseRules) -> int | None:
    """Return the seat that sits a hand out, by who deals it; None where three are at the table.

    Raises RuleError for a dealer that nobody at the table is.
    """
    _check_seat(dealer, house, "dealer")
    if house.fourth is Fourth.NONE:
        return None
    match house.sitter:
        case Sitter.DEALER:
            return dealer
        case Sitter.RIGHT_OF_DEALER:
            return _right_of(dealer, house)


@checked
def dealers_bidder(dealer: Seat, sitter: Seat | None, house: HouseRules) -> int:
    """Return the seat that can be left with the dealer's bid.

    That is the dealer; where the dealer sits out, the player on the dealer's right, who speaks last
    of the three, stands in.

    Raises RuleError for a dealer, or somebody sitting out, that nobody at the table is.
    """
    _check_seat(dealer, house, "dealer")
    _check_seat(sitter, house, "sitter")
    sitter = sits_out(dealer, house) if sitter is None else sitter
    return _right_of(dealer, house) if sitter == dealer else dealer


@checked
def antes(house: HouseRules) -> int:
    """Return what the pot holds before the first deal: an ante from everybody at the table."""
    return house.pot.ante * seats(house) if house.pot else 0


@checked
def antes_in_words(house: HouseRules) -> Message | None:
    """Return what everybody puts in the pot before the first deal; None where there is no pot."""
    if house.pot is None:
        return None
    sentence = gettext_noop("Everybody puts %(ante)s in the pot: %(pot)s.")
    return Message("antes", sentence, {"ante": house.pot.ante, "pot": antes(house)})


@checked
def pot_goes_to(house: HouseRules) -> Message | None:
    """Return which bid takes the pot, the lowest that does; None where there is no pot."""
    if house.pot is None:
        return None
    sentence = gettext_noop("won by a made %(winning)s or more")
    return Message("pot_goes_to", sentence, {"winning": house.pot.winning_bid})


@checked
def seated_like(house: HouseRules, other: HouseRules) -> HouseRules:
    """Return the rules for whoever sat at the table under the other ones.

    Who was at the table is a fact of a hand, and no rule that could be changed later.
    """
    return replace(house, fourth=other.fourth)


@checked
def check_off_sheet(off_sheet: Typed | None, house: HouseRules) -> None:
    """Refuse a seat without a column where all have one, and none where a fourth has not."""
    if house.fourth is Fourth.OFF_SHEET:
        is_right = type(off_sheet) is int and 0 <= off_sheet < seats(house)
    else:
        is_right = off_sheet is None
    if not is_right:
        sentence = gettext_noop("Say which of the four at the table has no column.")
        raise RuleError(Message("off_sheet", sentence))


def _check_seat(seat: int | None, house: HouseRules, field: str) -> None:
    if seat is not None and seat >= seats(house):
        sentence = gettext_noop("Nobody sits in this seat.")
        raise RuleError(Message("no_seat", sentence), field=field)


def _right_of(seat: int, house: HouseRules) -> int:
    return (seat - 1) % seats(house)
