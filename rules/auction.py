"""Auction Pinochle for three: which bids there are, what each is worth, and who pays whom.

The sheet is take-only. A column holds the units its player took in, so nobody writes a negative;
what was paid out is worked out again from the hand.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Final

from rules import Message, RuleError, gettext_noop
from rules.auction_bids import bracket, check_bid, legal_bids, stake
from rules.auction_house import (
    SET_FACTOR,
    SPADES_FACTOR,
    TOP_BID,
    TOP_MADE,
    Fourth,
    HouseRules,
    Pot,
    Sitter,
)
from rules.auction_presets import PRESETS, Preset
from rules.auction_rows import row_doubts, settle_row
from rules.auction_seats import (
    SEATS,
    antes,
    antes_in_words,
    check_off_sheet,
    columns,
    dealers_bidder,
    pot_goes_to,
    seated_like,
    seats,
    sits_out,
    with_fourth,
)
from rules.auction_words import in_words, notes
from rules.cards import Counting, Suit, possible_trick_points
from rules.checking import Typed, checked
from rules.melds import InMelds
from rules.payments import POT, InPot, Payment, Settlement, entries_of

__all__ = [
    "COUNTS",
    "NAME",
    "PRESETS",
    "SEATS",
    "SIGNED",
    "TOP_BID",
    "Fourth",
    "Hand",
    "HouseRules",
    "Outcome",
    "Payment",
    "Pot",
    "Preset",
    "Settlement",
    "Sitter",
    "antes",
    "antes_in_words",
    "bracket",
    "check_bid",
    "columns",
    "count_doubts",
    "dealers_bidder",
    "decide",
    "doubts",
    "in_words",
    "legal_bids",
    "notes",
    "pot_goes_to",
    "row_doubts",
    "seated_like",
    "seats",
    "settle",
    "settle_row",
    "sits_out",
    "stake",
    "with_fourth",
]

NAME: Final = gettext_noop("Auction Pinochle")
SIGNED: Final = False  # entries are what was taken in, never what was lost
COUNTS: Final = ("meld_points", "trick_points")  # by which a hand can be decided
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

    `dealer` is None where nobody kept track of the deal, `sitter` where nobody sat out or nobody
    kept track of it. `off_sheet` is the seat of a fourth player without a column. A hand is checked
    when it is settled, not when it is made, so that a form may hold one half filled in.
    """

    bidder: int
    bid: int
    trump: Suit | None
    outcome: Outcome
    dealer: int | None = None
    sitter: int | None = None
    off_sheet: int | None = None


@checked
def settle(hand: Hand, house: HouseRules, *, pot: InPot = 0) -> Settlement:
    """Return who pays whom for a hand, what each seat writes down, and why.

    Every legal hand settles. Payments depend on the bid alone and go between the bidder and each
    of the others at the table, whether they played or sat out; spades double them unless the hand
    was thrown in, when trumps don't matter. Where there is a pot, which held `pot` units before the
    hand, a lost bid pays it like one more opponent, and a made one that is high enough takes it;
    then everybody at the table puts an ante back in.

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
    at_table = seats(house)
    others = [seat for seat in range(at_table) if seat != hand.bidder]
    payments = tuple(
        Payment(payer=seat, payee=hand.bidder, units=each)
        if pays_in
        else Payment(payer=hand.bidder, payee=seat, units=each)
        for seat in others
    )
    with_pot, more = _with_pot(hand, house, each, pot)
    payments += with_pot
    params: dict[str, int | str] = {
        "bid": hand.bid,
        "bracket": bracket(hand.bid, house),
        "units": units,
        "each": each,
    }
    return Settlement(
        entries=entries_of(payments, at_table, hand.off_sheet),
        payments=payments,
        reason=_reason(hand.outcome, params, doubled=doubled),
        more=more,
        off_sheet=hand.off_sheet,
    )


def _with_pot(
    hand: Hand, house: HouseRules, each: int, pot: int
) -> tuple[tuple[Payment, ...], tuple[Message, ...]]:
    """What passes between the pot and the table for a hand, and why."""
    if house.pot is None:
        return (), ()
    if hand.outcome is not Outcome.MADE:
        sentence = gettext_noop("The pot gets the same as each opponent: %(each)s.")
        said = Message("pot_paid", sentence, {"each": each})
        return (Payment(payer=hand.bidder, payee=POT, units=each),), (said,)
    if hand.bid < house.pot.winning_bid:
        return (), ()
    ante = house.pot.ante
    taken = (Payment(payer=POT, payee=hand.bidder, units=pot),) if pot else ()
    topped_up = tuple(Payment(payer=s, payee=POT, units=ante) for s in range(seats(house)))
    sentence = gettext_noop(
        "A made bid of %(winning)s or more takes the pot: %(pot)s. "
        "Then everybody at the table puts %(ante)s back in."
    )
    params: dict[str, int | str] = {"winning": house.pot.winning_bid, "pot": pot, "ante": ante}
    return (*taken, *topped_up), (Message("pot_won", sentence, params),)


@checked
def doubts(hand: Hand, house: HouseRules) -> tuple[Message, ...]:
    """Return warnings about a hand that `settle` accepts but that can hardly have been so.

    Raises RuleError for one that it does not.
    """
    _check_hand(hand, house)
    most = TOP_MADE + house.roundhouse_bonus
    if hand.bid > most:
        sentence = gettext_noop("No hand can make more than %(most)s.")
        return (Message("beyond_making", sentence, {"bid": hand.bid, "most": most}),)
    most -= OFF_SUIT
    if hand.outcome is Outcome.MADE and hand.trump is not Suit.DIAMONDS and hand.bid > most:
        sentence = gettext_noop("Only a hand in diamonds can make more than %(most)s.")
        return (Message("beyond_suit", sentence, {"bid": hand.bid, "most": most}),)
    return ()


@checked
def decide(bid: Typed, meld_points: Typed, trick_points: Typed, house: HouseRules) -> Outcome:
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


@checked
def count_doubts(meld_points: InMelds, house: HouseRules) -> tuple[Message, ...]:
    """Return a warning about melds that fifteen cards can't hold, though eighteen might."""
    most = BEST_MELDS + house.roundhouse_bonus
    if meld_points <= most:
        return ()
    sentence = gettext_noop("Fifteen cards can't hold more than %(most)s in melds.")
    return (Message("meld_high", sentence, {"most": most}),)


def _check_hand(hand: Hand, house: HouseRules) -> None:
    _check_seats(hand, house)
    check_bid(hand.bid, house, by_dealer=_may_hold_the_dealers_bid(hand, house))
    if not isinstance(hand.outcome, Outcome):
        sentence = gettext_noop("Choose how the hand ended: made, set or thrown in.")
        raise RuleError(Message("outcome", sentence), field="outcome")
    may_be_unnamed = hand.trump is None and hand.outcome is Outcome.THROWN_IN
    if not isinstance(hand.trump, Suit) and not may_be_unnamed:
        raise RuleError(Message("trump", gettext_noop("Choose the trumps.")), field="trump")


def _check_seats(hand: Hand, house: HouseRules) -> None:
    at_table = seats(house)

    def is_seat(seat: object) -> bool:
        return type(seat) is int and 0 <= seat < at_table

    if not is_seat(hand.bidder):
        raise RuleError(Message("bidder", gettext_noop("Choose who bid.")), field="bidder")
    if hand.dealer is not None and not is_seat(hand.dealer):
        raise RuleError(Message("dealer", gettext_noop("Choose who dealt.")), field="dealer")
    if hand.sitter is not None and not (is_seat(hand.sitter) and at_table > SEATS):
        sentence = gettext_noop("Choose who sat out.")
        raise RuleError(Message("sitter", sentence), field="sitter")
    if hand.sitter == hand.bidder:
        sentence = gettext_noop("Whoever bids plays: somebody else sat out.")
        raise RuleError(Message("sitter_bid", sentence), field="bidder")
    check_off_sheet(hand.off_sheet, house)


def _may_hold_the_dealers_bid(hand: Hand, house: HouseRules) -> bool:
    """Say whether this bidder can have been left with the bid that is the dealer's."""
    if hand.dealer is None:  # nobody kept track of the deal: the bidder may well have dealt
        return True
    return hand.bidder == dealers_bidder(hand.dealer, hand.sitter, house)


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
