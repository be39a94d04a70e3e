"""Play or throw in, and the kitty: odds as exact fractions."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from itertools import combinations, product

import pytest

from rules import RuleError, auction, auction_advice
from rules.auction import Hand, HouseRules, Outcome
from rules.auction_advice import AtStake, Verdict
from rules.cards import Suit

STANDARD = HouseRules()
SINGLE = HouseRules(spades_double=False)
POT = HouseRules(pot=auction.Pot(ante=1, winning_bid=410))
COLUMN = HouseRules(fourth=auction.Fourth.COLUMN)
OFF_SHEET = HouseRules(fourth=auction.Fourth.OFF_SHEET)
HOUSES = [
    dataclasses.replace(house, fourth=fourth)
    for fourth in auction.Fourth
    for house in (STANDARD, SINGLE, POT, HouseRules(pot=auction.Pot(ante=50, winning_bid=300)))
]


@pytest.mark.parametrize(
    ("bid", "trump", "house", "pot", "stakes", "even", "pays", "at_best"),
    [
        (300, Suit.HEARTS, STANDARD, 0, (2, 4, 2), "1/3", "2/3", "1/2"),
        (300, Suit.SPADES, STANDARD, 0, (4, 8, 2), "1/2", "2/3", "1/3"),
        (420, Suit.CLUBS, STANDARD, 0, (8, 16, 8), "1/3", "2/3", "1/2"),
        (420, Suit.SPADES, SINGLE, 0, (8, 16, 8), "1/3", "2/3", "1/2"),
        (250, Suit.DIAMONDS, STANDARD, 0, (2, 4, 2), "1/3", "2/3", "1/2"),
        (300, Suit.HEARTS, COLUMN, 0, (3, 6, 3), "1/3", "2/3", "1/2"),
        (300, Suit.HEARTS, OFF_SHEET, 0, (3, 6, 3), "1/3", "2/3", "1/2"),
        (300, Suit.HEARTS, POT, 3, (2, 6, 3), "3/8", "3/4", "3/5"),
        (300, Suit.SPADES, POT, 3, (4, 12, 3), "9/16", "3/4", "3/7"),
        (410, Suit.HEARTS, POT, 3, (10, 24, 12), "6/17", "12/17", "6/11"),
        (400, Suit.HEARTS, POT, 3, (8, 24, 12), "3/8", "3/4", "3/5"),
        # An ante that costs more than all there is to win.
        (300, Suit.HEARTS, HOUSES[3], 0, (-48, 6, 3), "1", "1", "1"),
    ],
)
def test_what_is_at_stake(bid, trump, house, pot, stakes, even, pays, at_best):
    found = auction_advice.at_stake(bid, trump, house, pot=pot)
    assert (found.made, found.lost, found.thrown_in) == stakes
    assert (found.break_even, found.pays) == (Fraction(even), Fraction(pays))
    assert found.pays_at_best == Fraction(at_best)


def test_at_35_in_100_a_bid_that_may_take_a_small_pot_is_thrown_in():
    found = auction_advice.at_stake(410, Suit.HEARTS, POT, pot=3)
    assert found.verdict(Fraction(35, 100)) is Verdict.THROW_IN
    plain = auction_advice.at_stake(410, Suit.HEARTS, STANDARD)
    assert plain.verdict(Fraction(35, 100)) is Verdict.PLAY


def test_a_bid_may_pay_below_two_thirds_where_hopeless_hands_are_thrown_in():
    found = auction_advice.at_stake(300, Suit.SPADES, STANDARD)
    each = auction_advice.with_each(300, Suit.SPADES, STANDARD)
    assert (each.made, each.lost, each.thrown_in) == (2, 4, 1)
    assert Fraction(4, 10) * each.made - Fraction(6, 10) * each.thrown_in == Fraction(2, 10)
    assert found.pays_at_best == each.pays_at_best < Fraction(4, 10) < found.pays


@pytest.mark.parametrize("house", HOUSES)
def test_the_figures_are_what_many_hands_come_to_settled_one_by_one(house):
    off_sheet = 3 if house.fourth is auction.Fourth.OFF_SHEET else None
    bids = [250, 300, 320, 350, 400, 410, 450, 500, 550]
    for bid, trump, pot in product(bids, Suit, (0, 3, 40)):
        found = auction_advice.at_stake(bid, trump, house, pot=pot)
        for bidder in range(auction.seats(house)):
            made, lost, thrown_in = (
                comes_to(auction.settle(hand, house, pot=pot), bidder)
                for outcome in (Outcome.MADE, Outcome.SET, Outcome.THROWN_IN)
                for hand in [
                    Hand(bidder=bidder, bid=bid, trump=trump, outcome=outcome, off_sheet=off_sheet)
                ]
            )
            for good in (0, 10, 33, 34, 38, 50, 57, 67, 75, 100):
                chance = Fraction(good, 100)
                by_playing, by_giving_up = good * made + (100 - good) * lost, 100 * thrown_in
                assert found.expected(chance) * 100 == by_playing
                sign = (by_playing > by_giving_up) - (by_playing < by_giving_up)
                assert found.verdict(chance) is VERDICTS[sign]
                assert (sign > 0) == (chance > found.break_even)
                assert (by_playing > 0) == (chance > found.pays)
                at_best = good * made + (100 - good) * thrown_in
                assert (at_best > 0) == (chance > found.pays_at_best)


VERDICTS = {1: Verdict.PLAY, 0: Verdict.EITHER, -1: Verdict.THROW_IN}


def comes_to(settled, bidder):
    """What the bidder has in hand after a hand that he had not before."""
    purse = 0
    for one in settled.payments:
        purse += one.units * ((one.payee == bidder) - (one.payer == bidder))
    return purse


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
