"""Questions that the rules leave open, answered as written down in a file."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path

import pytest

from rules import RuleError, auction
from rules.auction import Fourth, Hand, HouseRules, Outcome, Pot
from rules.cards import Suit

RULINGS = json.loads((Path(__file__).parents[1] / "data" / "rulings.json").read_text())["rulings"]


def about(*keys):
    """The rulings that hold these answers."""
    asked = [one for one in RULINGS if all(key in one for key in keys)]
    return pytest.mark.parametrize(
        "one", asked, ids=[f"{one['id']} {one['says']}" for one in asked]
    )


def house_of(one):
    house = dict(one.get("house", {}))
    if "fourth" in house:
        house["fourth"] = Fourth(house["fourth"])
    if "pot" in house:
        house["pot"] = Pot(**house["pot"])
    return HouseRules(**house)


def hand_of(one):
    hand = dict(one["hand"])
    trump = hand.pop("trump")
    return Hand(
        **hand | {"outcome": Outcome(hand["outcome"]), "trump": Suit(trump) if trump else None}
    )


@about("entries")
def test_hands_settle_as_ruled(one):
    result = auction.settle(hand_of(one), house_of(one), pot=one.get("pot", 0))
    assert list(result.entries) == one["entries"]
    assert result.pot == one.get("into_pot", 0)
    beside = [[p.payer, p.payee, p.units] for p in result.beside_the_sheet]
    assert beside == one.get("beside", [])
    assert bool(auction.doubts(hand_of(one), house_of(one))) == one.get("doubted", False)


@about("times_thrown_in")
def test_a_hand_thrown_in_costs_this_part_of_a_set(one):
    given_up = hand_of(one | {"hand": one["hand"] | {"outcome": "thrown_in"}})
    entries = auction.settle(given_up, house_of(one)).entries
    assert [n * one["times_thrown_in"] for n in entries] == one["entries"]


@about("bid", "legal")
def test_bids_are_legal_or_not_as_ruled(one):
    refused = nullcontext() if one["legal"] else pytest.raises(RuleError)
    with refused:
        auction.check_bid(one["bid"], house_of(one), by_dealer=one["by_dealer"])


@about("stake")
def test_bids_are_in_the_row_ruled(one):
    auction.check_bid(one["bid"], house_of(one))
    assert auction.stake(one["bid"], house_of(one)) == one["stake"]


@about("bracket")
def test_rows_are_called_as_ruled(one):
    assert auction.bracket(one["bid"], house_of(one)) == one["bracket"]


@about("dealers_bid")
def test_the_dealer_is_left_with_the_bid_ruled(one):
    assert house_of(one).dealers_bid == one["dealers_bid"]


@about("melds", "doubted")
def test_melds_are_doubted_as_ruled(one):
    assert bool(auction.count_doubts(one["melds"], house_of(one))) == one["doubted"]


@about("decides")
def test_counts_decide_as_ruled(one):
    found = auction.decide(one["bid"], one["melds"], one["tricks"], house_of(one))
    assert found == one["decides"]


@about("row", "doubted")
def test_typed_rows_are_doubted_as_ruled(one):
    assert bool(auction.row_doubts(one["row"], house_of(one))) == one["doubted"]


def test_every_question_has_an_answer():
    of_the_sheet = {"A1", "A14", "A23"}  # tests/sheets/test_sheet_rulings.py
    of_melds = {"A21"}  # tests/rules/test_melds.py
    answered = {one["id"] for one in RULINGS} | of_the_sheet | of_melds
    assert answered == {f"A{n}" for n in range(1, 25)}
