"""House rules: what can be agreed, what can't, and how it is stored."""

from __future__ import annotations

import json

import pytest

from rules import RuleError
from rules.auction import Fourth, HouseRules, Pot, Sitter
from rules.cards import Counting

STAKES = [[250, 1], [350, 2], [400, 4], [450, 8], [500, 16], [550, 32]]
STORED = {
    "format": 1,
    "minimum": 300,
    "step": 10,
    "forties_and_nineties": False,
    "dealer_bid": 250,
    "spades_double": True,
    "counting": "standard",
    "roundhouse": 350,
    "stakes": STAKES,
    "fourth": "none",
    "sitter": "right_of_dealer",
    "pot": None,
}


def test_the_usual_rules_are_stored_like_this():
    assert HouseRules().to_dict() == STORED
    assert HouseRules.from_dict(STORED) == HouseRules()


def test_other_rules_survive_json():
    house = HouseRules(
        counting=Counting.FIVES,
        roundhouse=390,
        fourth=Fourth.COLUMN,
        sitter=Sitter.DEALER,
        pot=Pot(ante=2, winning_bid=350),
    )
    assert HouseRules.from_dict(json.loads(json.dumps(house.to_dict()))) == house


@pytest.mark.parametrize(
    "change",
    [
        {"format": 2},
        {"format": True},
        {"format": "1"},
        {"colour": "red"},
        {"pot": {"ante": 1}},
        {"pot": {"ante": 1, "winning_bid": 410, "lid": 1}},
        {"pot": 5},
    ],
)
def test_a_form_it_does_not_know_is_refused(change):
    with pytest.raises(RuleError, match="can't be read here") as refusal:
        HouseRules.from_dict(STORED | change)
    assert refusal.value.code == "house_format"


@pytest.mark.parametrize("key", STORED)
def test_a_missing_key_is_refused(key):
    with pytest.raises(RuleError, match="can't be read here"):
        HouseRules.from_dict({name: value for name, value in STORED.items() if name != key})


@pytest.mark.parametrize("data", [None, [], "x", {}])
def test_what_holds_no_rules_is_refused(data):
    with pytest.raises(RuleError, match="can't be read here"):
        HouseRules.from_dict(data)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("minimum", value) for value in (0, -10, 305, 760, True, 300.0, "300", None)),
        *(("minimum", value) for value in (340, 290)),
        *(("step", value) for value in (0, 5, -10, True, "10", 1010)),
        *(("dealer_bid", value) for value in (0, 255, 760, False, "250", 240)),
        *(("forties_and_nineties", value) for value in (1, None, "yes")),
        *(("spades_double", value) for value in (0, None)),
        *(("counting", value) for value in ("standard", "fours", None)),
        *(("roundhouse", value) for value in (0, 380, "350", 350.0)),
        *(("fourth", value) for value in ("none", None)),
        *(("sitter", value) for value in ("dealer", 1)),
        *(("pot", value) for value in ({}, 1)),
        *(("stakes", value) for value in ((), None, 5, "ab", {})),
        *(("stakes", value) for value in (((250,),), ((250, 1, 1),), (250, 1), ("ab",))),
        *(("stakes", (row,)) for row in ((255, 1), (0, 1), (1010, 1), (250, 0), (250, 1001))),
        *(("stakes", (row,)) for row in ((250.0, 1), (250, True), ("250", 1))),
        *(("stakes", ((250, 1), row)) for row in ((250, 2), (200, 2), (350, 0))),
        ("stakes", ((250, 2), (350, 1))),
    ],
)
def test_rules_nobody_could_play_by_are_refused(field, value):
    with pytest.raises(RuleError) as refusal:
        HouseRules(**{field: value})
    assert refusal.value.field == field
    assert str(refusal.value).endswith(".")


@pytest.mark.parametrize(
    ("field", "value"), [("counting", "fours"), ("fourth", []), ("sitter", None)]
)
def test_a_stored_choice_nobody_offers_is_refused(field, value):
    with pytest.raises(RuleError, match="answers offered") as refusal:
        HouseRules.from_dict(STORED | {field: value})
    assert refusal.value.field == field


@pytest.mark.parametrize(
    "pot",
    [
        {"ante": 0},
        {"ante": True},
        {"ante": 1001},
        {"winning_bid": 405},
        {"winning_bid": 760},
        {"winning_bid": "410"},
    ],
)
def test_a_pot_nobody_could_win_is_refused(pot):
    with pytest.raises(RuleError) as refusal:
        Pot(**pot)
    assert refusal.value.field in pot


def test_forties_and_nineties_can_be_allowed():
    house = HouseRules(minimum=340, dealer_bid=240, forties_and_nineties=True)
    assert (house.minimum, house.dealers_bid) == (340, 240)


def test_stakes_given_as_lists_are_kept_as_tuples():
    assert HouseRules(stakes=STAKES) == HouseRules()
    assert hash(HouseRules(stakes=STAKES)) == hash(HouseRules())


@pytest.mark.parametrize(
    ("minimum", "dealer_bid", "expected"),
    [(300, 250, 250), (200, 250, 200), (250, 250, 250), (300, None, None)],
)
def test_the_dealer_is_never_left_with_more_than_the_minimum(minimum, dealer_bid, expected):
    assert HouseRules(minimum=minimum, dealer_bid=dealer_bid).dealers_bid == expected


@pytest.mark.parametrize(
    ("stakes", "said"),
    [
        (((250, 1), (350, 0)), "Give row 2 of the stakes a bid"),
        (((255, 1),), "Give row 1 of the stakes a bid"),
        (((250, 1), (350, 2), (350, 4)), "Start row 3 of the stakes at a higher bid .* at 350"),
        (((250, 1), (350, 4), (400, 2)), "Let row 3 of the stakes pay no less .* pays 4"),
    ],
)
def test_a_stake_table_that_cannot_be_says_which_row_is_wrong(stakes, said):
    with pytest.raises(RuleError, match=said) as refusal:
        HouseRules(stakes=stakes)
    assert refusal.value.params["row"] == len(stakes)
