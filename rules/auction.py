"""Auction Pinochle for three: which bids there are, what each is worth, and who pays whom.

The sheet is take-only. A column holds the units its player took in, so nobody writes a negative;
what was paid out is worked out again from the hand.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rules import Message, RuleError, gettext_noop
from rules.auction_bids import bracket, check_bid, legal_bids, stake
from rules.auction_house import TOP_BID, TOP_MADE, Fourth, HouseRules, Pot, Sitter, in_words, notes
from rules.cards import Counting, Suit, possible_trick_points

__all__ = [
    "NAME",
    "SEATS",
    "SIGNED",
    "TOP_BID",
    "Fourth",
    "Hand",
    "HouseRules",
    "Outcome",
    "Payment",
    "Pot",
    "Settlement",
    "Sitter",
    "bracket",
    "check_bid",
    "count_doubts",
    "decide",
    "doubts",
    "in_words",
    "legal_bids",
    "notes",
    "row_doubts",
    "settle",
    "settle_row",
    "stake",
]

NAME: Final = gettext_noop("Auction Pinochle")
SEATS: Final = 3
SIGNED: Final = False  # entries are what was taken in, never what was lost
SET_FACTOR: Final = 2  # a lost bid pays each opponent twice what it would have won from him
SPADES_FACTOR: Final = 2  # on makes and sets; a hand thrown in is never doubled
OFF_SUIT: Final = 10  # the best melds of a suit other than diamonds fall this far short
BEST_MELDS: Final = 500  # the most that fifteen cards can hold
MOST_MELDS: Final = 600  # and eighteen, at tables that meld before they bury


class Outcome(enum.StrEnum):
    """How a bid ended; thrown in means given up before the first card was played."""

    MADE = "made"
    SET = "set"
    THROWN_IN = "thrown_in"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """One hand as written down. Seats count from 0, to the left.

    `dealer` is None where nobody kept track of the deal, `sitter` where nobody sat out. A hand
    is checked when it is settled, not when it is made, so that a form may hold one half filled in.
    """

    bidder: int
    bid: int
    trump: Suit | None
    outcome: Outcome
    dealer: int | None = None
    sitter: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Payment:
    """Units one seat hands another."""

    payer: int
    payee: int
    units: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """What each seat took in, the payments it came from, and why, in a sentence."""

    entries: tuple[int, ...]
    payments: tuple[Payment, ...]
    reason: Message


def settle(hand: Hand, house: HouseRules) -> Settlement:
    """Return who pays whom for a hand, what each seat writes down, and why.

    Every legal hand settles. Payments depend on the bid alone and go between the bidder and each
    opponent; spades double them unless the hand was thrown in, when trumps don't matter.

    Raises RuleError, with the field at fault, for a hand that can't have happened.
    """
    _check_hand(hand, house)
    units = stake(hand.bid, house)
    doubled = house.spades_double and hand.trump is Suit.SPADES
    match hand.outcome:
        case Outcome.MADE:
            pays_in = True
        case Outcome.SET:
            pays_in = False
            units *= SET_FACTOR
        case Outcome.THROWN_IN:
            pays_in = doubled = False
    each = units * SPADES_FACTOR if doubled else units
    payments = _payments(hand.bidder, each, pays_in=pays_in)
    params: dict[str, int | str] = {
        "bid": hand.bid,
        "bracket": bracket(hand.bid, house),
        "units": units,
        "each": each,
    }
    return Settlement(
        entries=_entries(payments),
        payments=payments,
        reason=_reason(hand.outcome, params, doubled=doubled),
    )


def settle_row(entries: Sequence[int], house: HouseRules) -> Settlement | None:
    """Return who paid whom for a row typed without its hand, where the numbers alone tell.

    One entry and the rest zeros: its player took half of it from each. One zero and the rest
    alike: its player paid that much to each. Any other row, and any units the stakes can't come
    to, is None.

    Raises RuleError unless there is a whole number, 0 or more, for each seat.
    """
    _check_entries(entries)
    row = tuple(entries)
    stakes = {units for _, units in house.stakes}
    won = stakes | {units * SPADES_FACTOR for units in stakes if house.spades_double}
    lost = stakes | {units * SET_FACTOR for units in won}  # thrown in, or set
    most = max(row)
    for seat in range(SEATS):
        taken = _payments(seat, most // (SEATS - 1), pays_in=True)
        if most // (SEATS - 1) in won and _entries(taken) == row:
            sentence = gettext_noop("Column %(column)s took %(each)s from each.")
            return _settled_row(taken, Message("row_took", sentence, _column(seat, taken)))
        paid = _payments(seat, most, pays_in=False)
        if most in lost and _entries(paid) == row:
            sentence = gettext_noop("Column %(column)s paid %(each)s to each.")
            return _settled_row(paid, Message("row_paid", sentence, _column(seat, paid)))
    return None


def doubts(hand: Hand, house: HouseRules) -> tuple[Message, ...]:
    """Return warnings about a hand that `settle` accepts but that can hardly have been so."""
    most = TOP_MADE + house.roundhouse_bonus
    if hand.bid > most:
        sentence = gettext_noop("No hand can make more than %(most)s.")
        return (Message("beyond_making", sentence, {"bid": hand.bid, "most": most}),)
    most -= OFF_SUIT
    if hand.outcome is Outcome.MADE and hand.trump is not Suit.DIAMONDS and hand.bid > most:
        sentence = gettext_noop("Only a hand in diamonds can make more than %(most)s.")
        return (Message("beyond_suit", sentence, {"bid": hand.bid, "most": most}),)
    return ()


def row_doubts(entries: Sequence[int], house: HouseRules) -> tuple[Message, ...]:
    """Return a warning when no hand gives the typed row.

    Raises RuleError unless there is a whole number, 0 or more, for each seat.
    """
    if settle_row(entries, house) is not None:
        return ()
    row = " / ".join(str(entry) for entry in entries)
    sentence = gettext_noop("The rules can't produce %(row)s.")
    return (Message("impossible_row", sentence, {"row": row}),)


def decide(bid: int, meld_points: int, trick_points: int, house: HouseRules) -> Outcome:
    """Say whether melds and tricks (buried cards and the last trick included) make the bid.

    Reaching the bid exactly makes it; by how much it is missed doesn't matter.

    Raises RuleError for a bid, melds or tricks that can't be.
    """
    check_bid(bid, house, by_dealer=True)
    most = MOST_MELDS + house.roundhouse_bonus
    if type(meld_points) is not int or not 0 <= meld_points <= most or meld_points % 10:
        sentence = gettext_noop("Melds come in tens, from 0 to %(most)s.")
        raise RuleError(Message("meld_points", sentence, {"most": most}), field="meld_points")
    if type(trick_points) is not int or trick_points not in possible_trick_points(house.counting):
        raise RuleError(_uncountable(house.counting), field="trick_points")
    return Outcome.MADE if meld_points + trick_points >= bid else Outcome.SET


def count_doubts(meld_points: int, house: HouseRules) -> tuple[Message, ...]:
    """Return a warning about melds that fifteen cards can't hold, though eighteen might."""
    most = BEST_MELDS + house.roundhouse_bonus
    if meld_points <= most:
        return ()
    sentence = gettext_noop("Fifteen cards can't hold more than %(most)s in melds.")
    return (Message("meld_high", sentence, {"most": most}),)


def _payments(bidder: int, each: int, *, pays_in: bool) -> tuple[Payment, ...]:
    """What passes between the bidder and each opponent, in order of the opponents' seats."""
    return tuple(
        Payment(payer=seat, payee=bidder, units=each)
        if pays_in
        else Payment(payer=bidder, payee=seat, units=each)
        for seat in range(SEATS)
        if seat != bidder
    )


def _entries(payments: tuple[Payment, ...]) -> tuple[int, ...]:
    return tuple(sum(p.units for p in payments if p.payee == seat) for seat in range(SEATS))


def _settled_row(payments: tuple[Payment, ...], reason: Message) -> Settlement:
    return Settlement(entries=_entries(payments), payments=payments, reason=reason)


def _column(seat: int, payments: tuple[Payment, ...]) -> dict[str, int | str]:
    return {"column": seat + 1, "each": payments[0].units}


def _check_hand(hand: Hand, house: HouseRules) -> None:
    if hand.sitter is not None or house.fourth is not Fourth.NONE or house.pot is not None:
        sentence = gettext_noop("Four at the table and the pot can't be settled here yet.")
        raise RuleError(Message("not_yet", sentence))
    if not _is_seat(hand.bidder):
        raise RuleError(Message("bidder", gettext_noop("Choose who bid.")), field="bidder")
    if hand.dealer is not None and not _is_seat(hand.dealer):
        raise RuleError(Message("dealer", gettext_noop("Choose who dealt.")), field="dealer")
    # Where nobody kept track of the deal, the bidder may well have dealt.
    check_bid(hand.bid, house, by_dealer=hand.dealer in {None, hand.bidder})
    if not isinstance(hand.outcome, Outcome):
        sentence = gettext_noop("Choose how the hand ended: made, set or thrown in.")
        raise RuleError(Message("outcome", sentence), field="outcome")
    may_be_unnamed = hand.trump is None and hand.outcome is Outcome.THROWN_IN
    if not isinstance(hand.trump, Suit) and not may_be_unnamed:
        raise RuleError(Message("trump", gettext_noop("Choose the trumps.")), field="trump")


def _is_seat(seat: object) -> bool:
    return type(seat) is int and 0 <= seat < SEATS


def _check_entries(entries: Sequence[int]) -> None:
    if len(entries) != SEATS:
        sentence = gettext_noop("A row has %(seats)s numbers, one for each player.")
        raise RuleError(Message("row_length", sentence, {"seats": SEATS}), field="entries")
    if not all(type(entry) is int and entry >= 0 for entry in entries):
        sentence = gettext_noop("Write a whole number for each player, 0 or more.")
        raise RuleError(Message("row_entry", sentence), field="entries")


def _reason(outcome: Outcome, params: dict[str, int | str], *, doubled: bool) -> Message:
    match outcome:
        case Outcome.MADE if doubled:
            sentence = gettext_noop(
                "%(bid)s is in %(bracket)s: %(units)s from each, doubled for spades: %(each)s."
            )
        case Outcome.MADE:
            sentence = gettext_noop("%(bid)s is in %(bracket)s: %(each)s from each.")
        case Outcome.SET if doubled:
            sentence = gettext_noop(
                "%(bid)s is in %(bracket)s: %(units)s to each on a set, "
                "doubled for spades: %(each)s."
            )
        case Outcome.SET:
            sentence = gettext_noop("%(bid)s is in %(bracket)s: %(each)s to each on a set.")
        case Outcome.THROWN_IN:
            sentence = gettext_noop(
                "%(bid)s is in %(bracket)s: thrown in, %(each)s to each, never doubled."
            )
    return Message(f"{outcome}_doubled" if doubled else outcome.value, sentence, params)


def _uncountable(scheme: Counting) -> Message:
    match scheme:
        case Counting.STANDARD:
            sentence = gettext_noop(
                "Tricks come to a whole number from 0 to 250, and 1 and 249 can't be counted: "
                "the lowest card that counts is a jack, for 2."
            )
        case Counting.TENS:
            sentence = gettext_noop(
                "Tricks come to a multiple of 10 from 0 to 250: aces, tens, kings and "
                "the last trick count 10 each."
            )
        case Counting.FIVES:
            sentence = gettext_noop(
                "Tricks come to a multiple of 5 from 0 to 250: aces and tens count 10 each, "
                "kings and queens 5."
            )
    return Message("trick_points", sentence)
