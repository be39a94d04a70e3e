"""The bids of Auction Pinochle: which an auction can end at, and what each is worth."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache

from rules import Message, RuleError, gettext_noop
from rules.auction_house import (
    CACHED_HOUSES,
    TOP_BID,
    TOP_MADE,
    HouseRules,
    ends_in_forty_or_ninety,
)
from rules.checking import Typed, checked


@checked
@lru_cache(maxsize=CACHED_HOUSES)
def legal_bids(house: HouseRules) -> tuple[int, ...]:
    """Return the bids an auction can end at and a hand could make, lowest first.

    The dealer's bid is not among them when it is below the minimum.
    """
    return _bids(house, TOP_MADE + house.roundhouse_bonus)


@checked
def check_bid(bid: Typed, house: HouseRules, *, by_dealer: bool = False) -> None:
    """Refuse a bid no auction here could end at; a dealer may also be left with his own.

    More than any hand can make is still a bid, since it can be set, up to 1,000.

    Raises RuleError for the field "bid".
    """
    _check_range(bid)
    if by_dealer and bid == house.dealers_bid:
        return
    params: dict[str, int | str] = {"bid": bid, "minimum": house.minimum, "step": house.step}
    if ends_in_forty_or_ninety(bid) and not house.forties_and_nineties:
        sentence = gettext_noop("A bid can't end in 40 or 90.")
        raise RuleError(Message("forty_ninety", sentence, params), field="bid")
    if bid < house.minimum and bid == house.dealers_bid:
        sentence = gettext_noop("Only the dealer can be left with %(bid)s.")
        raise RuleError(Message("dealer_only", sentence, params), field="bid")
    if bid < house.minimum:
        sentence = gettext_noop("The lowest bid here is %(minimum)s.")
        raise RuleError(Message("bid_low", sentence, params), field="bid")
    if (bid - house.minimum) % house.step:
        sentence = gettext_noop("Bids here start at %(minimum)s and go up by %(step)s.")
        raise RuleError(Message("bid_step", sentence, params), field="bid")


@checked
def stake(bid: Typed, house: HouseRules) -> int:
    """Return the units each opponent pays when the bid is made, spades aside.

    Below the first row of the stakes counts as the first row. Whether the bid is one an auction
    can end at is `check_bid`'s to say.

    Raises RuleError when the bid is not a whole number from 1 to 1,000.
    """
    _check_range(bid)
    return house.stakes[_row(bid, house)][1]


@checked
def bracket(bid: Typed, house: HouseRules) -> str:
    """Return the row of the stakes the bid falls in, as people read it: "350–380" or "550+".

    A row is called by the bids there are in it, the dealer's among them; a row that no bid falls in
    by where it starts.

    Raises RuleError when the bid is not a whole number from 1 to 1,000.
    """
    _check_range(bid)
    return _brackets(house)[_row(bid, house)]


@lru_cache(maxsize=CACHED_HOUSES)
def _brackets(house: HouseRules) -> tuple[str, ...]:
    bids = {*_bids(house, TOP_BID), house.dealers_bid or house.minimum}
    in_rows: list[list[int]] = [[] for _row in house.stakes]
    for bid in sorted(bids):
        in_rows[_row(bid, house)].append(bid)
    ends = [
        (bids[0], bids[-1]) if bids else (low, low)
        for bids, (low, _units) in zip(in_rows, house.stakes, strict=True)
    ]
    named = [f"{low}–{high}" if low < high else str(low) for low, high in ends]
    return (*named[:-1], f"{ends[-1][0]}+")


def _check_range(bid: object) -> None:
    if type(bid) is not int or bid < 1:
        sentence = gettext_noop("Write the bid as a whole number, such as 300.")
        raise RuleError(Message("bid_number", sentence), field="bid")
    if bid > TOP_BID:
        sentence = gettext_noop("Bids go no higher than 1,000.")
        raise RuleError(Message("bid_high", sentence), field="bid")


def _bids(house: HouseRules, top: int) -> tuple[int, ...]:
    return tuple(
        bid
        for bid in range(house.minimum, top + 1, house.step)
        if house.forties_and_nineties or not ends_in_forty_or_ninety(bid)
    )


def _row(bid: int, house: HouseRules) -> int:
    return max(0, bisect_right(house.stakes, bid, key=lambda row: row[0]) - 1)
