"""Four at the table, one of whom sits out, and the pot."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from rules import RuleError, auction
from rules.auction import Fourth, Hand, HouseRules, Outcome, Pot, Sitter
from rules.cards import Suit
from rules.payments import POT, Payment

VECTORS = json.loads((Path(__file__).parents[1] / "data" / "vectors.json").read_text())["vectors"]
OFF_SHEET = HouseRules(fourth=Fourth.OFF_SHEET)
COLUMN = HouseRules(fourth=Fourth.COLUMN)
WITH_POT = HouseRules(pot=Pot(ante=1, winning_bid=410))
DANA = 3  # the seat without a column


def hand(bid=320, outcome=Outcome.MADE, bidder=1, trump=Suit.HEARTS, **more):
    return Hand(bidder=bidder, bid=bid, trump=trump, outcome=outcome, **more)


def paid(result):
    return {(one.payer, one.payee): one.units for one in result.payments}


@pytest.mark.parametrize(
    "vector", [one for one in VECTORS if "fourth" in one], ids=lambda vector: vector["id"]
)
def test_the_vectors_of_four_settle_as_written(vector):
    house = HouseRules(fourth=Fourth(vector["fourth"]))
    bidders = [DANA] if vector["bidder"] == "fourth" else [0, 1, 2]
    for bidder, sitter in itertools.product(bidders, [None, 0, 1, 2, 3]):
        if sitter == bidder:
            continue
        played = hand(
            vector["bid"], Outcome(vector["outcome"]), bidder, sitter=sitter, off_sheet=DANA
        )
        expected = [vector["each_opponent_takes"]] * 3 + [0]
        expected[bidder] = vector["bidder_takes"] or 0
        assert auction.settle(played, house).entries == tuple(expected)


def test_what_the_fourth_pays_or_collects_is_beside_the_sheet():
    made = auction.settle(hand(off_sheet=DANA), OFF_SHEET)
    assert made.beside_the_sheet == (Payment(payer=DANA, payee=1, units=1),)
    lost = auction.settle(hand(outcome=Outcome.SET, off_sheet=DANA), OFF_SHEET)
    assert lost.beside_the_sheet == (Payment(payer=1, payee=DANA, units=2),)
    hers = auction.settle(hand(bidder=DANA, off_sheet=DANA), OFF_SHEET)
    assert hers.entries == (0, 0, 0, 0)
    assert [one.payee for one in hers.beside_the_sheet] == [DANA] * 3


@pytest.mark.parametrize(
    ("fourth", "sitter", "seats", "columns"),
    [("none", "", 3, 3), ("off_sheet", "dealer", 4, 3), ("column", "right_of_dealer", 4, 4)],
)
def test_a_fourth_comes_and_goes_and_the_other_rules_stay(fourth, sitter, seats, columns):
    before = HouseRules(minimum=250, sitter=Sitter.DEALER)
    after = auction.with_fourth(before, fourth, sitter)
    assert (auction.seats(after), auction.columns(after)) == (seats, columns)
    assert after.sitter == (sitter or "dealer")
    assert auction.with_fourth(after, "none", "dealer") == before


@pytest.mark.parametrize(
    ("answers", "field"), [(("five", ""), "fourth"), (("column", "nobody"), "sitter")]
)
def test_an_answer_that_was_never_offered_is_refused(answers, field):
    with pytest.raises(RuleError) as caught:
        auction.with_fourth(HouseRules(), *answers)
    assert caught.value.field == field


def test_with_a_column_the_bidder_takes_from_three_and_pays_three():
    assert auction.settle(hand(), COLUMN).entries == (0, 3, 0, 0)
    assert auction.settle(hand(outcome=Outcome.SET), COLUMN).entries == (2, 0, 2, 2)


@pytest.mark.parametrize(
    ("who_sits", "sitter", "holder"), [("dealer", 2, 1), ("right_of_dealer", 1, 2)]
)
def test_who_sits_out_and_who_can_be_left_with_the_dealers_bid(who_sits, sitter, holder):
    house = HouseRules(fourth=Fourth.COLUMN, sitter=Sitter(who_sits))
    assert auction.sits_out(2, house) == sitter
    assert auction.dealers_bidder(2, None, house) == holder
    at_250 = {"bid": 250, "dealer": 2, "sitter": sitter}
    assert auction.settle(hand(bidder=holder, **at_250), house).entries[holder] == 3
    for bidder in {0, 1, 2, 3} - {holder, sitter}:
        with pytest.raises(RuleError, match="Only the dealer can be left with 250"):
            auction.settle(hand(bidder=bidder, **at_250), house)


def test_the_first_seat_has_the_last_one_on_its_right():
    assert auction.sits_out(0, COLUMN) == 3
    assert auction.sits_out(0, HouseRules()) is None


@pytest.mark.parametrize(
    ("house", "changes", "says"),
    [
        (COLUMN, {"sitter": 1}, "Whoever bids plays"),
        (COLUMN, {"sitter": 4}, "Choose who sat out"),
        (COLUMN, {"off_sheet": 3}, "no column"),
        (OFF_SHEET, {}, "no column"),
        (OFF_SHEET, {"off_sheet": 4}, "no column"),
        (HouseRules(), {"off_sheet": 2}, "no column"),
        (HouseRules(), {"bidder": 3}, "Choose who bid"),
    ],
)
def test_four_that_cannot_be_are_refused(house, changes, says):
    with pytest.raises(RuleError, match=says):
        auction.settle(hand(**changes), house)


def test_a_set_pays_the_pot_like_one_more_opponent():
    plain = auction.settle(hand(350, Outcome.SET), WITH_POT, pot=3)
    assert plain.entries == (4, 0, 4)
    assert paid(plain) == {(1, 0): 4, (1, 2): 4, (1, POT): 4}
    assert plain.pot == 4
    spades = auction.settle(hand(350, Outcome.SET, trump=Suit.SPADES), WITH_POT, pot=3)
    assert paid(spades)[1, POT] == 8
    thrown_in = auction.settle(hand(350, Outcome.THROWN_IN, trump=Suit.SPADES), WITH_POT, pot=3)
    assert paid(thrown_in)[1, POT] == 2


@pytest.mark.parametrize(("bid", "wins"), [(380, False), (400, False), (410, True), (550, True)])
def test_a_made_bid_that_is_high_enough_takes_the_pot(bid, wins):
    result = auction.settle(hand(bid), WITH_POT, pot=11)
    usual = 2 * auction.stake(bid, WITH_POT)
    assert result.entries == (0, usual + 11 * wins, 0)
    # Everybody puts an ante back in.
    assert result.pot == (3 - 11 if wins else 0)


def test_whoever_sat_out_tops_the_pot_up_too_and_the_fourth_takes_it_beside_the_sheet():
    house = HouseRules(fourth=Fourth.OFF_SHEET, pot=Pot(ante=2, winning_bid=300))
    assert auction.antes(house) == 8
    taken = auction.settle(hand(sitter=0, off_sheet=DANA), house, pot=8)
    assert taken.entries == (0, 2 + 8, 0, 0)
    assert taken.pot == 0
    hers = auction.settle(hand(bidder=DANA, off_sheet=DANA), house, pot=8)
    assert hers.entries == (0, 0, 0, 0)
    assert hers.pot == 0
    assert Payment(payer=POT, payee=DANA, units=8) in hers.beside_the_sheet


def test_an_empty_pot_is_topped_up_and_pays_nothing():
    result = auction.settle(hand(410), WITH_POT)
    assert result.entries == (0, 8, 0)
    assert (result.pot, POT in {one.payer for one in result.payments}) == (3, False)


@pytest.mark.parametrize(
    ("house", "row", "off_sheet", "payments"),
    [
        (COLUMN, (0, 3, 0, 0), None, {(0, 1): 1, (2, 1): 1, (3, 1): 1}),
        (COLUMN, (2, 0, 2, 2), None, {(1, 0): 2, (1, 2): 2, (1, 3): 2}),
        (OFF_SHEET, (0, 2, 0), 3, {(0, 1): 1, (2, 1): 1, (3, 1): 1}),
        (OFF_SHEET, (0, 2, 0), 0, {(0, 2): 1, (1, 2): 1, (3, 2): 1}),
        (OFF_SHEET, (4, 4, 0), 3, {(2, 0): 4, (2, 1): 4, (2, 3): 4}),
    ],
)
def test_typed_rows_of_four_are_settled_by_their_shape(house, row, off_sheet, payments):
    assert paid(auction.settle_row(row, house, off_sheet=off_sheet)) == payments


@pytest.mark.parametrize("row", [(0, 2, 0, 0), (2, 2, 0, 0), (1, 1, 1, 1), (0, 0, 0, 0)])
def test_rows_of_four_that_no_hand_gives_are_doubted(row):
    assert auction.settle_row(row, COLUMN) is None
    assert auction.row_doubts(row, COLUMN)


def test_with_a_pot_no_single_entry_is_odd():
    assert auction.settle_row((0, 13, 0), WITH_POT) is None
    assert auction.row_doubts((0, 13, 0), WITH_POT) == ()
    assert auction.row_doubts((0, 13, 0), HouseRules())


@pytest.mark.parametrize("fourth", Fourth)
@pytest.mark.parametrize("pot", [None, Pot()])
@pytest.mark.parametrize("spades_double", [True, False])
def test_no_row_that_a_hand_gives_is_doubted(fourth, pot, spades_double):
    house = HouseRules(fourth=fourth, pot=pot, spades_double=spades_double)
    off_sheet = DANA if fourth is Fourth.OFF_SHEET else None
    for bidder, bid, trump, outcome, held in itertools.product(
        range(auction.seats(house)), auction.legal_bids(house), Suit, Outcome, (0, 13)
    ):
        played = hand(bid, outcome, bidder, trump, off_sheet=off_sheet)
        row = auction.settle(played, house, pot=held).entries[: auction.columns(house)]
        assert auction.row_doubts(row, house) == ()


def test_a_row_of_zeros_is_a_hand_of_the_fourths_without_a_column_and_no_other():
    assert auction.row_doubts((0, 0, 0), OFF_SHEET) == ()
    assert auction.row_doubts((0, 0, 0), HouseRules())
    assert auction.row_doubts((0, 0, 0), WITH_POT)
    assert auction.row_doubts((0, 0, 0, 0), COLUMN)


def test_the_antes_and_what_takes_the_pot_are_said_from_the_rules():
    house = HouseRules(pot=Pot(ante=2, winning_bid=350), fourth=Fourth.COLUMN)
    assert str(auction.antes_in_words(house)) == "Everybody puts 2 in the pot: 8."
    assert str(auction.pot_goes_to(house)) == "won by a made 350 or more"
    assert auction.antes_in_words(HouseRules()) is None
    assert auction.pot_goes_to(HouseRules()) is None
