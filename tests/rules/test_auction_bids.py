"""The bids: which there are, which are refused, and what each is worth."""

from __future__ import annotations

import itertools

import pytest

from rules import RuleError, auction
from rules.auction import HouseRules

USUAL = HouseRules()
ALL_BIDS = HouseRules(forties_and_nineties=True)
RICH = HouseRules(roundhouse=390)


@pytest.mark.parametrize(
    ("bid", "units", "label", "label_with_forties"),
    [
        (1, 1, "250–330", "250–340"),
        (250, 1, "250–330", "250–340"),
        (330, 1, "250–330", "250–340"),
        (340, 1, "250–330", "250–340"),
        (350, 2, "350–380", "350–390"),
        (380, 2, "350–380", "350–390"),
        (390, 2, "350–380", "350–390"),
        (400, 4, "400–430", "400–440"),
        (430, 4, "400–430", "400–440"),
        (440, 4, "400–430", "400–440"),
        (450, 8, "450–480", "450–490"),
        (480, 8, "450–480", "450–490"),
        (490, 8, "450–480", "450–490"),
        (500, 16, "500–530", "500–540"),
        (530, 16, "500–530", "500–540"),
        (540, 16, "500–530", "500–540"),
        (550, 32, "550+", "550+"),
        (1000, 32, "550+", "550+"),
    ],
)
def test_both_edges_of_every_row(bid, units, label, label_with_forties):
    assert auction.stake(bid, USUAL) == auction.stake(bid, ALL_BIDS) == units
    assert auction.bracket(bid, USUAL) == label
    assert auction.bracket(bid, ALL_BIDS) == label_with_forties


@pytest.mark.parametrize(
    ("house", "bid", "label"),
    [
        (HouseRules(minimum=200), 200, "200–330"),
        (HouseRules(dealer_bid=200), 300, "200–330"),
        (HouseRules(step=50), 350, "350"),
        (HouseRules(minimum=400), 250, "250"),
        (HouseRules(stakes=((250, 1),)), 700, "250+"),
        (HouseRules(minimum=350, dealer_bid=300), 300, "300"),
        (HouseRules(minimum=360, dealer_bid=310), 370, "360–380"),
        (HouseRules(dealer_bid=None), 320, "300–330"),
        (HouseRules(minimum=700, dealer_bid=400), 700, "700+"),
        (HouseRules(minimum=400), 350, "350"),  # no bid falls in this row
    ],
)
def test_rows_are_named_by_the_bids_there_are(house, bid, label):
    assert auction.bracket(bid, house) == label


def test_every_row_begins_and_ends_with_a_bid_whatever_opens_and_is_left_to_the_dealer():
    tens = [bid for bid in range(10, 751, 10) if bid % 50 != 40]
    for minimum, dealer_bid in itertools.product(tens, tens):
        house = HouseRules(minimum=minimum, dealer_bid=dealer_bid)
        rows = {}
        for bid in sorted({*auction.legal_bids(house), house.dealers_bid}):
            rows.setdefault(auction.stake(bid, house), []).append(bid)
        top = house.stakes[-1][1]
        for units, bids in rows.items():
            ends = f"–{bids[-1]}" if len(bids) > 1 else ""
            label = f"{bids[0]}+" if units == top else f"{bids[0]}{ends}"
            assert {auction.bracket(bid, house) for bid in bids} == {label}


def test_the_bids_a_chip_can_offer():
    usual = auction.legal_bids(USUAL)
    assert usual[:10] == (300, 310, 320, 330, 350, 360, 370, 380, 400, 410)
    assert usual[-3:] == (720, 730, 750)
    assert not any(bid % 50 == 40 for bid in usual)
    assert auction.legal_bids(ALL_BIDS) == tuple(range(300, 751, 10))
    assert auction.legal_bids(RICH)[-3:] == (760, 770, 780)
    rich_with_forties = HouseRules(roundhouse=390, forties_and_nineties=True)
    assert auction.legal_bids(rich_with_forties)[-1] == 790
    assert auction.legal_bids(HouseRules(minimum=310, step=200)) == (310, 510, 710)


@pytest.mark.parametrize("bid", [*auction.legal_bids(USUAL), 760, 1000])
def test_legal_bids_pass(bid):
    auction.check_bid(bid, USUAL)


@pytest.mark.parametrize(
    ("bid", "house", "sentence"),
    [
        *((bid, USUAL, "A bid can't end in 40 or 90.") for bid in (40, 290, 340, 390, 440, 990)),
        (250, USUAL, "Only the dealer can be left with 250."),
        (200, HouseRules(dealer_bid=200), "Only the dealer can be left with 200."),
        (250, HouseRules(dealer_bid=None), "The lowest bid here is 300."),
        (260, USUAL, "The lowest bid here is 300."),
        (240, ALL_BIDS, "The lowest bid here is 300."),
        (305, USUAL, "Bids here start at 300 and go up by 10."),
        (310, HouseRules(step=20), "Bids here start at 300 and go up by 20."),
        (1010, USUAL, "Bids go no higher than 1,000."),
        (1040, USUAL, "Bids go no higher than 1,000."),
        *(
            (bid, USUAL, "Write the bid as a whole number, such as 300.")
            for bid in (0, -10, True, 300.0, "300", None, [300])
        ),
    ],
)
def test_other_bids_are_refused_in_plain_words(bid, house, sentence):
    with pytest.raises(RuleError) as refusal:
        auction.check_bid(bid, house)
    assert str(refusal.value) == sentence
    assert refusal.value.field == "bid"


def test_the_dealer_can_be_left_with_less():
    auction.check_bid(250, USUAL, by_dealer=True)
    auction.check_bid(200, HouseRules(minimum=200), by_dealer=True)
    with pytest.raises(RuleError, match="lowest bid here is 300"):
        auction.check_bid(260, USUAL, by_dealer=True)
    with pytest.raises(RuleError, match="lowest bid here is 300"):
        auction.check_bid(250, HouseRules(dealer_bid=None), by_dealer=True)


@pytest.mark.parametrize("bid", [0, -1, 1001, True, 300.0, "300", None])
def test_stakes_are_for_whole_numbers_up_to_1000(bid):
    for look_up in (auction.stake, auction.bracket):
        with pytest.raises(RuleError) as refusal:
            look_up(bid, USUAL)
        assert refusal.value.field == "bid"
