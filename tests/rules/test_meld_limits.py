"""The most that a number of cards can hold: known figures, and no dealt hand above them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import RuleError, auction, meld_limits, melds
from rules.cards import Card, Rank, Suit

PACK = [Card(rank, suit) for suit in Suit for rank in Rank] * 2
COURT = [card for card in PACK if card.rank not in {Rank.NINE, Rank.TEN}]


@pytest.mark.parametrize(
    ("size", "bonus", "limits"),
    [
        (0, 0, [0, 0, 0, 0]),
        (1, 0, [10, 10, 10, 10]),
        (2, 0, [40, 40, 40, 40]),
        (5, 0, [150, 150, 150, 150]),
        (12, 0, [390, 390, 400, 390]),
        (15, 0, [490, 490, 500, 490]),
        (16, 0, [500, 500, 540, 500]),
        (18, 0, [580, 560, 600, 560]),
        (15, 40, [530, 530, 540, 530]),
        (18, 40, [620, 590, 640, 590]),
        (48, 0, [1080, 1080, 1080, 1080]),
    ],
)
def test_the_most_that_cards_hold(size, bonus, limits):
    assert [meld_limits.most(size, suit, roundhouse_bonus=bonus) for suit in Suit] == limits


def test_counted_hands_are_checked_against_the_same_limits():
    assert meld_limits.most_in_any_suit(meld_limits.KEPT) == auction.BEST_MELDS
    assert meld_limits.most_in_any_suit(meld_limits.TAKEN) == auction.MOST_MELDS
    diamonds, hearts = (meld_limits.most(15, suit) for suit in (Suit.DIAMONDS, Suit.HEARTS))
    assert diamonds - hearts == auction.OFF_SUIT


@given(
    held=st.integers(0, 18).flatmap(
        lambda size: st.sampled_from([PACK, COURT]).flatmap(
            lambda pack: st.permutations(pack).map(lambda shuffled: shuffled[:size])
        )
    ),
    trump=st.sampled_from(Suit),
    bonus=st.sampled_from([0, 40]),
)
def test_no_hand_holds_more(held, trump, bonus):
    total = melds.best(held, trump, roundhouse_bonus=bonus).total
    assert total <= meld_limits.most(len(held), trump, roundhouse_bonus=bonus)
    meld_limits.check(total, len(held), roundhouse_bonus=bonus)


@pytest.mark.parametrize(
    ("total", "cards", "bonus", "says"),
    [
        (10, 19, 0, "nobody ever holds more than 18"),
        (610, 18, 0, "18 cards hold no more than 600 in melds"),
        (650, 18, 40, "no more than 640"),
        (410, 12, 0, "12 cards hold no more than 400 in melds"),
        (500, 12, 0, "no more than 400"),
        (10, 0, 0, "0 cards hold no more than 0"),
    ],
)
def test_what_nobody_can_hold_is_refused(total, cards, bonus, says):
    with pytest.raises(RuleError, match=says):
        meld_limits.check(total, cards, roundhouse_bonus=bonus)


def test_the_edge_is_let_through():
    meld_limits.check(600, 18)
    meld_limits.check(500, 15)
    meld_limits.check(400, 12)
    meld_limits.check(0, 0)
    meld_limits.check(640, 18, roundhouse_bonus=40)


def test_more_than_fifteen_cards_are_noted():
    assert meld_limits.notes(15) == ()
    assert "17 cards" in str(meld_limits.notes(17)[0])
    assert "2 too many" in str(meld_limits.notes(17)[0])
