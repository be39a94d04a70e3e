"""Who is at the table in Auction Pinochle: three, or four of whom one sits out.

Seats count from 0, to the left. The deal moves to the left, so whoever is on the dealer's right
dealt before.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from rules import Message, RuleError, gettext_noop
from rules.auction_house import Fourth, HouseRules, Sitter, not_offered

SEATS: Final = 3  # with cards in hand


def seats(house: HouseRules) -> int:
    """Return how many sit at the table."""
    return SEATS if house.fourth is Fourth.NONE else SEATS + 1


def columns(house: HouseRules) -> int:
    """Return how many of those at the table have a column."""
    return SEATS + 1 if house.fourth is Fourth.COLUMN else SEATS


def with_fourth(house: HouseRules, fourth: str, sitter: str = "") -> HouseRules:
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


def sits_out(dealer: int, house: HouseRules) -> int | None:
    """Return the seat that sits a hand out, by who deals it; None where three are at the table."""
    if house.fourth is Fourth.NONE:
        return None
    match house.sitter:
        case Sitter.DEALER:
            return dealer
        case Sitter.RIGHT_OF_DEALER:
            return _right_of(dealer, house)


def dealers_bidder(dealer: int, sitter: int | None, house: HouseRules) -> int:
    """Return the seat that can be left with the dealer's bid.

    That is the dealer; where the dealer sits out, the player on the dealer's right, who speaks last
    of the three, stands in.
    """
    sitter = sits_out(dealer, house) if sitter is None else sitter
    return _right_of(dealer, house) if sitter == dealer else dealer


def antes(house: HouseRules) -> int:
    """Return what the pot holds before the first deal: an ante from everybody at the table."""
    return house.pot.ante * seats(house) if house.pot else 0


def antes_in_words(house: HouseRules) -> Message | None:
    """Return what everybody puts in the pot before the first deal; None where there is no pot."""
    if house.pot is None:
        return None
    sentence = gettext_noop("Everybody puts %(ante)s in the pot: %(pot)s.")
    return Message("antes", sentence, {"ante": house.pot.ante, "pot": antes(house)})


def pot_goes_to(house: HouseRules) -> Message | None:
    """Return which bid takes the pot, the lowest that does; None where there is no pot."""
    if house.pot is None:
        return None
    sentence = gettext_noop("won by a made %(winning)s or more")
    return Message("pot_goes_to", sentence, {"winning": house.pot.winning_bid})


def seated_like(house: HouseRules, other: HouseRules) -> HouseRules:
    """Return the rules for whoever sat at the table under the other ones.

    Who was at the table is a fact of a hand, and no rule that could be changed later.
    """
    return replace(house, fourth=other.fourth)


def _right_of(seat: int, house: HouseRules) -> int:
    return (seat - 1) % seats(house)
