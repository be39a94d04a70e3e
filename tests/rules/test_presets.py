"""House rules in words, which never hide a difference, and the sets that tables ask for most."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.auction import (
    PRESETS,
    Fourth,
    HouseRules,
    Pot,
    Sitter,
    in_words,
    notes,
    seated_like,
    stake,
)
from rules.cards import Counting

USUAL = HouseRules()
stakes = st.lists(
    st.tuples(st.integers(20, 60).map(lambda n: n * 10), st.integers(1, 32)),
    min_size=1,
    max_size=4,
    unique_by=lambda row: row[0],
).map(lambda rows: tuple(zip(sorted(r[0] for r in rows), sorted(r[1] for r in rows), strict=True)))
houses = st.builds(
    HouseRules,
    minimum=st.sampled_from([200, 250, 300, 350]),
    step=st.sampled_from([10, 20, 50]),
    forties_and_nineties=st.booleans(),
    dealer_bid=st.sampled_from([None, 200, 250, 300]),
    spades_double=st.booleans(),
    counting=st.sampled_from(Counting),
    roundhouse=st.sampled_from([350, 390]),
    stakes=st.one_of(st.just(USUAL.stakes), stakes),
    fourth=st.sampled_from(Fourth),
    sitter=st.sampled_from(Sitter),
    pot=st.one_of(
        st.none(),
        st.builds(Pot, ante=st.integers(1, 3), winning_bid=st.sampled_from([400, 410])),
    ),
)


def words(house):
    return ", ".join(map(str, in_words(house)))


def as_played(house):
    """The rules without what makes no difference: more than the minimum, who of three sits out."""
    sitter = Sitter.DEALER if house.fourth is Fourth.NONE else house.sitter
    return dataclasses.replace(house, dealer_bid=house.dealers_bid, sitter=sitter)


def test_the_usual_rules_are_short():
    assert words(USUAL) == "opens at 300, no 40s or 90s, spades double"


@pytest.mark.parametrize(
    ("change", "phrase"),
    [
        ({"minimum": 350}, "opens at 350"),
        ({"step": 20}, "goes up by 20"),
        ({"forties_and_nineties": True}, "40s and 90s allowed"),
        ({"dealer_bid": None}, "the dealer is left with no bid"),
        ({"dealer_bid": 280}, "the dealer can be left with 280"),
        ({"spades_double": False}, "spades don't double"),
        ({"counting": Counting.TENS}, "tricks counted in tens"),
        ({"counting": Counting.FIVES}, "tricks counted in fives"),
        ({"roundhouse": 390}, "a run with a roundhouse counts 390"),
        ({"stakes": ((250, 1), (350, 3))}, "stakes 250: 1 · 350: 3"),
        (
            {"fourth": Fourth.OFF_SHEET},
            "a fourth player off the sheet, the player on the dealer's right sits out",
        ),
        (
            {"fourth": Fourth.COLUMN, "sitter": Sitter.DEALER},
            "a fourth player with a column, the dealer sits out",
        ),
        ({"pot": Pot(ante=2, winning_bid=350)}, "a pot: ante 2, won from 350"),
    ],
)
def test_whatever_is_not_usual_is_said(change, phrase):
    assert phrase in words(HouseRules(**change))
    assert phrase not in words(USUAL)


@given(houses, houses)
def test_rules_that_play_differently_never_have_the_same_words(one, other):
    assert (words(one) != words(other)) or as_played(one) == as_played(other)


@given(houses, houses)
def test_one_setting_changed_changes_the_words(house, other):
    for field in dataclasses.fields(HouseRules):
        changed = dataclasses.replace(USUAL, **{field.name: getattr(house, field.name)})
        if as_played(changed) != as_played(USUAL):
            assert words(changed) != words(USUAL)
    assert words(seated_like(house, other)) != words(house) or house.fourth is other.fourth


@given(houses, houses)
def test_whoever_sat_at_the_table_stays_and_all_else_is_new(house, other):
    new = seated_like(house, other)
    assert new.fourth is other.fourth
    assert dataclasses.replace(new, fourth=house.fourth) == house
    assert seated_like(new, other) == new


def test_the_pot_is_a_note_beside_the_stake_table():
    [*_, pot] = notes(HouseRules(pot=Pot(ante=2, winning_bid=350)))
    assert "Everybody puts 2 in the pot" in str(pot)
    assert "350 or more takes it" in str(pot)
    assert len(notes(USUAL)) == 2


def test_the_presets_are_those_that_tables_ask_for_and_the_usual_game_comes_first():
    assert [preset.key for preset in PRESETS] == [
        "standard",
        "lower",
        "simple",
        "four",
        "pot",
        "stakes",
    ]
    assert PRESETS[0].house == USUAL
    assert len({preset.house for preset in PRESETS}) == len(PRESETS)
    assert all(preset.line.endswith(".") for preset in PRESETS)


def test_a_fourth_with_a_column_is_no_presets_default():
    assert all(preset.house.fourth is not Fourth.COLUMN for preset in PRESETS)


def test_what_the_lines_of_the_presets_say_is_what_they_hold():
    by_key = {preset.key: preset.house for preset in PRESETS}
    assert (by_key["lower"].minimum, by_key["lower"].forties_and_nineties) == (250, True)
    assert by_key["lower"].dealers_bid == 250
    assert by_key["simple"].counting is Counting.TENS
    assert by_key["four"].fourth is Fourth.OFF_SHEET
    assert by_key["pot"].pot == Pot(ante=1, winning_bid=410)
    paid = [stake(bid, by_key["stakes"]) for bid in (300, 350, 400, 450, 500, 550)]
    assert paid == [1, 2, 4, 6, 8, 10]
