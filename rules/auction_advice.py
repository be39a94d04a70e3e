"""Play it or throw it in: what is at stake either way, and what the kitty may bring."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Annotated, Final

from rules import Message, RuleError, gettext_noop
from rules.auction import SEATS, Fourth, Hand, HouseRules, Outcome, settle
from rules.cards import PACK, Suit
from rules.checking import Typed, checked, checked_fields
from rules.payments import TOP_POT, InPot, Payment

BIDDER: Final = 0  # a seat: any will do
KITTY: Final = 3
DEALT: Final = 15
UNSEEN: Final = PACK - DEALT


class Verdict(enum.StrEnum):
    """What the odds say to do with a hand once the kitty is in it."""

    PLAY = "play"
    THROW_IN = "throw_in"
    EITHER = "either"


@checked_fields
@dataclass(frozen=True, slots=True, kw_only=True)
class AtStake:
    """Units of the bidder, by how the hand ends: won when made, lost when set or thrown in.

    `made` is below zero where the ante costs more than the bid and the pot bring.
    """

    made: Annotated[int, range(-TOP_POT, TOP_POT + 1)]
    lost: Annotated[int, range(1, TOP_POT + 1)]
    thrown_in: Annotated[int, range(1, TOP_POT + 1)]

    def __post_init__(self) -> None:
        if self.lost <= self.thrown_in:
            sentence = gettext_noop("A set costs more than throwing in.")
            raise RuleError(Message("cheap_set", sentence), field="lost")

    @property
    def break_even(self) -> Fraction:
        """The chance of making it from which on playing costs less than throwing in.

        1 where throwing in costs less even than making it.
        """
        return Fraction(self.lost - self.thrown_in, self.lost + max(self.made, -self.thrown_in))

    @property
    def pays(self) -> Fraction:
        """The chance from which on a bid that is always played wins something in the long run.

        1 where it never does.
        """
        return Fraction(self.lost, self.lost + max(self.made, 0))

    @property
    def pays_at_best(self) -> Fraction:
        """The same where every hand that would be set is thrown in: no bid wins at less."""
        return Fraction(self.thrown_in, self.thrown_in + max(self.made, 0))

    @checked
    def expected(self, chance: Fraction) -> Fraction:
        """Return what playing wins on average; below 0 it loses.

        Raises RuleError for a chance below 0 or above 1.
        """
        if not 0 <= chance <= 1:
            sentence = gettext_noop("A chance goes from 0 to 1.")
            raise RuleError(Message("chance", sentence), field="chance")
        return chance * self.made - (1 - chance) * self.lost

    @checked
    def verdict(self, chance: Fraction) -> Verdict:
        """Say what the player's own estimate of making the bid comes to.

        Raises RuleError for a chance below 0 or above 1.
        """
        playing = self.expected(chance)
        if playing == -self.thrown_in:
            return Verdict.EITHER
        return Verdict.PLAY if playing > -self.thrown_in else Verdict.THROW_IN


@checked
def at_stake(bid: Typed, trump: Suit, house: HouseRules, *, pot: InPot = 0) -> AtStake:
    """Return what a bid wins or loses in all, taken from the payments of the three ways it can end.

    All others at the table pay or are paid, a fourth without a column too. Where there is a pot,
    which holds `pot` units, the bidder pays it or takes it and puts in the next ante.

    Raises RuleError for a bid that no auction here could end at, and for a pot below 0.
    """

    def won(outcome: Outcome) -> int:
        payments = _payments(bid, trump, outcome, house, pot)
        paid_in = sum(one.units for one in payments if one.payee == BIDDER)
        return paid_in - sum(one.units for one in payments if one.payer == BIDDER)

    return AtStake(
        made=won(Outcome.MADE), lost=-won(Outcome.SET), thrown_in=-won(Outcome.THROWN_IN)
    )


@checked
def with_each(bid: Typed, trump: Suit, house: HouseRules) -> AtStake:
    """Return what passes between the bidder and each of the others, the pot left out.

    Raises RuleError for a bid that no auction here could end at.
    """

    def each(outcome: Outcome) -> int:
        return _payments(bid, trump, outcome, house)[0].units

    return AtStake(
        made=each(Outcome.MADE), lost=each(Outcome.SET), thrown_in=each(Outcome.THROWN_IN)
    )


def _payments(
    bid: int, trump: Suit, outcome: Outcome, house: HouseRules, pot: int = 0
) -> tuple[Payment, ...]:
    """Return who pays whom; those between the players come first."""
    off_sheet = SEATS if house.fourth is Fourth.OFF_SHEET else None  # not the bidder; all the same
    hand = Hand(bidder=BIDDER, bid=bid, trump=trump, outcome=outcome, off_sheet=off_sheet)
    return settle(hand, house, pot=pot).payments


def kitties() -> int:
    """Return how many different kitties there are for whoever sees only their own cards."""
    return comb(UNSEEN, KITTY)


@checked
def kitties_with(useful: Typed) -> int:
    """Return how many of them hold at least one of so many useful cards.

    Raises RuleError for fewer cards than none or more than are unseen.
    """
    if type(useful) is not int or not 0 <= useful <= UNSEEN:
        sentence = gettext_noop("You can't see %(unseen)s of the cards: 0 to %(unseen)s of them.")
        raise RuleError(Message("useful", sentence, {"unseen": UNSEEN}), field="useful")
    return kitties() - comb(UNSEEN - useful, KITTY)


@checked
def kitty_chance(useful: Typed) -> Fraction:
    """Return the chance that the kitty holds at least one of so many useful cards.

    Raises RuleError for fewer cards than none or more than are unseen.
    """
    return Fraction(kitties_with(useful), kitties())
