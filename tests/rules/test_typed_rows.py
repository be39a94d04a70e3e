"""Rows that look like running totals, and rows that are none the rules can give."""

from __future__ import annotations

import random
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import auction
from rules.auction import HouseRules, Outcome, Pot
from rules.auction_seats import columns
from rules.typed_rows import Doubt, Row, doubt, hands_behind
from tests.rules.test_auction_laws import hands, houses

POT = HouseRules(pot=Pot(ante=1, winning_bid=350))


def typed(*rows, house=None):
    """Rows as a sheet by these rules has them; "computed" rows begin with None."""
    house = house or HouseRules()
    made = []
    for row in rows:
        computed = row[0] is None
        units = row[1:] if computed else row
        odd = not computed and bool(auction.row_doubts(units, house))
        made.append(Row(units=units, typed=not computed, odd=odd))
    return made


@pytest.mark.parametrize(
    ("rows", "asks"),
    [
        ([], None),
        ([(5, 0, 7), (9, 3, 7), (12, 3, 9)], Doubt.TOTALS),
        ([(5, 0, 7), (9, 3, 7)], None),  # two rows may be chance
        ([(2, 0, 0), (2, 2, 0), (4, 2, 0), (4, 6, 0)], Doubt.TOTALS),  # the first could be a hand
        ([(2, 0, 0), (4, 0, 0), (6, 0, 0), (8, 0, 0)], None),  # one player's luck, each row a hand
        ([(2, 0, 0), (2, 0, 0), (4, 0, 0), (8, 0, 0)], None),
        ([(0, 2, 2), (0, 4, 4), (0, 8, 8)], None),  # set ever higher
        ([(2, 0, 0), (0, 4, 4), (0, 0, 6), (8, 0, 0)], None),
        ([(2, 0, 0), (2, 2, 2), (4, 0, 0), (0, 0, 6)], None),  # one slip
        ([(1, 2, 3), (1, 2, 3), (1, 2, 3)], Doubt.ODD),  # nothing grows
        ([(5, 0, 7), (9, 3, 7), (8, 3, 9)], Doubt.ODD),  # a column shrinks
        ([(5, 0, 7), (1, 3, 7), (2, 0, 0), (2, 0, 0), (0, 2, 2), (4, 0, 0)], None),  # two of six
        ([(5, 0, 7), (1, 3, 7), (2, 1, 0), (2, 0, 0), (0, 2, 2), (4, 0, 0)], Doubt.ODD),
        ([(5, 0, 7), (1, 3, 7), (2, 1, 0), (2, 0, 0), (0, 2, 2), (4, 0, 0), (2, 0, 0)], None),
        # Totals that were typed between hands that were computed.
        ([(5, 0, 7), (None, 0, 4, 0), (9, 4, 7), (12, 4, 9)], Doubt.TOTALS),
        ([(5, 0, 7), (None, 0, 4, 0), (9, 3, 7), (12, 4, 9)], Doubt.ODD),  # less than before
        ([(0, 0, 0)] * 5, None),  # somebody off the sheet played them
        ([(5, 0, 7), (9, 3, 7), (12, 3, 9, 1)], Doubt.ODD),  # somebody sat down
        ([(128, 10, 4), (130, 10, 4), (130, 12, 6)], Doubt.TOTALS),  # taken up in the middle
    ],
)
def test_what_is_asked_about_the_rows_of_a_sheet(rows, asks):
    made = [
        Row(units=row[1:], typed=False)
        if row and row[0] is None
        else Row(units=row, odd=len(row) > 3 or bool(auction.row_doubts(row, HouseRules())))
        for row in rows
    ]
    assert doubt(made) is asks


def test_with_a_pot_a_single_entry_may_be_anything():
    won = [(7, 0, 0), (0, 3, 0), (11, 0, 0), (0, 0, 5)]
    assert doubt(typed(*won, house=POT)) is None
    assert doubt(typed(*totals(won), house=POT)) is Doubt.TOTALS


def test_the_hands_behind_totals_are_their_differences():
    rows = typed((5, 0, 7), (9, 3, 7), (12, 3, 9))
    assert hands_behind(rows) == [(5, 0, 7), (4, 3, 0), (3, 0, 2)]
    beside = typed((5, 0, 7), (None, 0, 4, 0), (9, 4, 7))
    assert hands_behind(beside) == [(5, 0, 7), (0, 4, 0), (4, 0, 0)]
    assert hands_behind(typed((5, 0, 7), (4, 0, 8))) is None
    assert hands_behind([]) == []


def totals(rows):
    return list(accumulate(rows, lambda one, other: tuple(map(sum, zip(one, other, strict=True)))))


@st.composite
def sheets(draw):
    """House rules and at least four hands that are legal under them, as rows for the columns."""
    house = draw(houses())
    rows, pot = [], auction.antes(house)
    beside = auction.seats(house) != columns(house)
    for hand in draw(st.lists(hands(house), min_size=4, max_size=20)):
        settled = auction.settle(hand, house, pot=pot)
        pot += settled.pot
        rows.append(settled.entries[: columns(house)] if beside else settled.entries)
    return house, rows


@given(sheets())
def test_no_sheet_of_legal_hands_is_asked_about(sheet):
    house, rows = sheet
    assert doubt(typed(*rows, house=house)) is None


@given(st.lists(st.tuples(*[st.integers(0, 99)] * 3), max_size=12))
def test_totals_give_back_the_hands_they_were_made_of(rows):
    assert hands_behind([Row(units=row) for row in totals(rows)]) == rows


def test_the_totals_of_whole_evenings_are_recognised():
    house, chance = HouseRules(), random.Random(7)
    for n in range(200):
        rows = []
        for _hand in range(6 + n % 19):
            bid = chance.choice([300, 310, 320, 350, 400])
            outcome = chance.choice(list(Outcome))
            trump = None if outcome is Outcome.THROWN_IN else chance.choice(list(auction.Suit))
            hand = auction.Hand(
                bidder=chance.randrange(3), bid=bid, trump=trump, outcome=outcome, dealer=None
            )
            rows.append(auction.settle(hand, house).entries)
        assert doubt(typed(*rows, house=house)) is None
        assert doubt(typed(*totals(rows), house=house)) is Doubt.TOTALS, rows
