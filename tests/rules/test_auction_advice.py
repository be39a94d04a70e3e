"""Play or throw in, and the kitty: odds as exact fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import RuleError, auction, auction_advice
from rules.auction import HouseRules
from rules.auction_advice import AtStake, Verdict
from rules.cards import Suit

STANDARD = HouseRules()
SINGLE = HouseRules(spades_double=False)
FOUR_WITH_POT = HouseRules(fourth=auction.Fourth.OFF_SHEET, pot=auction.Pot())


@pytest.mark.parametrize(
    ("bid", "trump", "house", "stakes", "even", "pays"),
    [
        (300, Suit.HEARTS, STANDARD, (1, 2, 1), "1/3", "2/3"),
        (420, Suit.CLUBS, STANDARD, (4, 8, 4), "1/3", "2/3"),
        (420, Suit.SPADES, STANDARD, (8, 16, 4), "1/2", "2/3"),
        (420, Suit.SPADES, SINGLE, (4, 8, 4), "1/3", "2/3"),
        (550, Suit.SPADES, FOUR_WITH_POT, (64, 128, 32), "1/2", "2/3"),
        (250, Suit.DIAMONDS, STANDARD, (1, 2, 1), "1/3", "2/3"),
    ],
)
def test_what_is_at_stake(bid, trump, house, stakes, even, pays):
    found = auction_advice.at_stake(bid, trump, house)
    assert (found.made, found.lost, found.thrown_in) == stakes
    assert (found.break_even, found.pays) == (Fraction(even), Fraction(pays))


@given(
    bid=st.sampled_from(auction.legal_bids(STANDARD)),
    trump=st.sampled_from(Suit),
    percent=st.integers(0, 100),
)
def test_the_verdict_is_what_costs_less_on_average(bid, trump, percent):
    found = auction_advice.at_stake(bid, trump, STANDARD)
    chance = Fraction(percent, 100)
    by_playing = chance * found.made + (1 - chance) * -found.lost
    assert found.expected(chance) == by_playing
    best = Verdict.PLAY if by_playing > -found.thrown_in else Verdict.THROW_IN
    assert found.verdict(chance) is (best if by_playing != -found.thrown_in else Verdict.EITHER)
    assert (found.expected(chance) > 0) == (chance > found.pays)


def test_at_the_very_chance_it_is_all_the_same():
    plain = AtStake(made=1, lost=2, thrown_in=1)
    third = Fraction(1, 3)
    nudge = Fraction(1, 10**9)
    assert [plain.verdict(third + step) for step in (-nudge, 0, nudge)] == [
        Verdict.THROW_IN,
        Verdict.EITHER,
        Verdict.PLAY,
    ]


def test_a_bid_that_cannot_be_has_no_stakes():
    with pytest.raises(RuleError, match="can't end in 40 or 90"):
        auction_advice.at_stake(340, Suit.HEARTS, STANDARD)


@pytest.mark.parametrize(
    ("useful", "with_one"),
    [(0, 0), (1, 496), (2, 961), (3, 1396), (4, 1802), (5, 2180), (6, 2531), (7, 2856), (8, 3156)],
)
def test_kitties_that_help(useful, with_one):
    assert auction_advice.kitties_with(useful) == with_one
    assert auction_advice.kitty_chance(useful) == Fraction(with_one, 5456)


def test_kitties_counted_one_by_one():
    kitties = list(combinations(range(33), 3))
    assert len(kitties) == auction_advice.kitties()
    for useful in (0, 4, 11, 31, 33):
        helped = sum(1 for kitty in kitties if min(kitty) < useful)
        assert auction_advice.kitties_with(useful) == helped


@pytest.mark.parametrize("useful", [-1, 34, 1.0, True])
def test_more_cards_than_are_unseen_are_refused(useful):
    with pytest.raises(RuleError, match="0 to 33"):
        auction_advice.kitty_chance(useful)
