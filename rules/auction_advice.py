"""Play it or throw it in: what is at stake either way, and what the kitty may bring."""

from __future__ import annotations

import dataclasses
import enum
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Final

from rules import Message, RuleError, gettext_noop
from rules.auction import Fourth, Hand, HouseRules, Outcome, settle
from rules.cards import COPIES, Rank, Suit

KITTY: Final = 3
DEALT: Final = 15
UNSEEN: Final = COPIES * len(Rank) * len(Suit) - DEALT


class Verdict(enum.StrEnum):
    """What the odds say to do with a hand once the kitty is in it."""

    PLAY = "play"
    THROW_IN = "throw_in"
    EITHER = "either"


@dataclass(frozen=True, slots=True, kw_only=True)
class AtStake:
    """Units between the bidder and each opponent: won when made, lost when set or thrown in."""

    made: int
    lost: int
    thrown_in: int

    @property
    def break_even(self) -> Fraction:
        """The chance of making it from which on playing costs less than throwing in."""
        return Fraction(self.lost - self.thrown_in, self.made + self.lost)

    @property
    def pays(self) -> Fraction:
        """The chance of making it from which on a bid wins something in the long run."""
        return Fraction(self.lost, self.made + self.lost)

    def expected(self, chance: Fraction) -> Fraction:
        """Return what playing wins from each opponent on average; below 0 it loses."""
        return chance * self.made - (1 - chance) * self.lost

    def verdict(self, chance: Fraction) -> Verdict:
        """Say what the player's own estimate of making the bid comes to."""
        if chance == self.break_even:
            return Verdict.EITHER
        return Verdict.PLAY if chance > self.break_even else Verdict.THROW_IN


def at_stake(bid: int, trump: Suit, house: HouseRules) -> AtStake:
    """Return what a bid wins or loses, taken from the payments of the three ways it can end.

    A fourth player changes nothing between two others, and the pot is left out.

    Raises RuleError for a bid that no auction here could end at.
    """
    three = dataclasses.replace(house, fourth=Fourth.NONE, pot=None)

    def each(outcome: Outcome) -> int:
        hand = Hand(bidder=0, bid=bid, trump=trump, outcome=outcome)
        return settle(hand, three).payments[0].units

    return AtStake(
        made=each(Outcome.MADE), lost=each(Outcome.SET), thrown_in=each(Outcome.THROWN_IN)
    )


def kitties() -> int:
    """Return how many different kitties there are for whoever sees only their own cards."""
    return comb(UNSEEN, KITTY)


def kitties_with(useful: int) -> int:
    """Return how many of them hold at least one of so many useful cards.

    Raises RuleError for fewer cards than none or more than are unseen.
    """
    if type(useful) is not int or not 0 <= useful <= UNSEEN:
        sentence = gettext_noop("You can't see %(unseen)s of the cards: 0 to %(unseen)s of them.")
        raise RuleError(Message("useful", sentence, {"unseen": UNSEEN}), field="useful")
    return kitties() - comb(UNSEEN - useful, KITTY)


def kitty_chance(useful: int) -> Fraction:
    """Return the chance that the kitty holds at least one of so many useful cards.

    Raises RuleError for fewer cards than none or more than are unseen.
    """
    return Fraction(kitties_with(useful), kitties())
