"""A fourth sits down, somebody leaves: seats are closed from a hand on, and nobody's hands move."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules.auction import Fourth, HouseRules, Pot
from sheets import actions, queries, seats
from sheets.models import Entry, Player
from tests.sheets.sitting import (
    at_table,
    columns,
    enter,
    house,
    leave,
    lines,
    names,
    saved,
    sit_down,
)
from tests.sheets.test_history_replay import assert_history_tells_the_sheet

FOUR = ("Alice", "Ben", "Cass", "Dana")


@pytest.fixture
def four(new_game):
    """Dana is the fourth, off the sheet; Alice's and Ben's phones are there."""
    return new_game(FOUR, house=HouseRules(fourth=Fourth.OFF_SHEET), off_sheet=3)


# Somebody leaves and somebody else sits down there.


@pytest.mark.on_postgresql
def test_the_seat_is_closed_and_whoever_sits_down_there_starts_at_0(game):
    for bidder in ("Ben", "Cass"):
        enter(game, bidder)
    entries = list(Entry.objects.order_by("pk").values())
    change = saved(leave(game, "Cass", "Dana"))
    assert change.kind == "sat_down"
    assert names(game) == ["Alice", "Ben", "Dana"]
    assert list(Entry.objects.order_by("pk").values()) == entries
    enter(game, "Dana", bid=400)
    assert columns(game) == {"Alice": 0, "Ben": 2, "Cass": 2, "Dana": 8}
    assert [line.cells for line in lines(game)] == [
        ("0", "0", "8"),
        ("0", "0", "2"),
        ("0", "2", "0"),
    ]
    assert [line.running[2] for line in lines(game)] == ["8", "2", "0"]
    assert_history_tells_the_sheet(game)


def test_the_deal_goes_on_from_the_place_of_whoever_left(game):
    for _ in range(3):
        enter(game, "Ben")  # Cass has dealt the third
    saved(leave(game, "Cass", "Dana"))
    assert queries.where_next(game.sheet, game.players).dealer.name == "Alice"
    for _ in range(2):
        enter(game, "Ben")
    assert queries.where_next(game.sheet, game.players).dealer.name == "Dana"


def test_before_the_first_hand_the_place_only_changes_hands(game):
    before = [one.pk for one in game.players]
    change = saved(leave(game, "Alice", "Dana"))
    assert [one.pk for one in game.players] == before
    assert names(game) == ["Dana", "Ben", "Cass"]
    assert queries.where_next(game.sheet, game.players).dealer.name == "Dana"
    assert "Dana" not in str([change.before, change.after])
    assert_history_tells_the_sheet(game)


def test_the_same_step_the_other_way_round_undoes_it(game):
    enter(game, "Cass")
    before = list(game.players)
    saved(leave(game, "Cass", "Dana"))
    saved(leave(game, "Dana", "Cass"))
    assert at_table(game) == before
    enter(game, "Cass")
    assert columns(game) == {"Alice": 0, "Ben": 0, "Cass": 4}
    assert [line.handovers for line in lines(game)] == [(), ()]
    assert_history_tells_the_sheet(game)


def test_a_newcomer_who_played_no_hand_may_be_followed_by_another(game):
    enter(game, "Cass")
    saved(leave(game, "Cass", "Dana"))
    saved(leave(game, "Dana", "Eve"))
    enter(game, "Eve")
    assert columns(game) == {"Alice": 0, "Ben": 0, "Cass": 2, "Eve": 2}


def test_whoever_comes_back_after_a_hand_starts_at_0_and_is_the_same_person(game):
    enter(game, "Cass")
    saved(leave(game, "Cass", "Dana"))
    enter(game, "Dana")
    saved(leave(game, "Ben", "cass"))
    assert names(game) == ["Alice", "cass", "Dana"]
    back, gone = at_table(game)[1], game.players[3]
    assert (back.total, gone.total) == (0, 2)
    assert back.person_id == gone.person_id
    assert_history_tells_the_sheet(game)


def test_old_hands_can_still_be_changed_and_put_in_for_whoever_sat_there(game):
    first, second = enter(game, "Ben"), enter(game, "Cass")
    saved(leave(game, "Cass", "Dana"))
    third = enter(game, "Dana")
    cass = game.players[2]
    edited = actions.EnteredHand(
        kind="played", bidder=cass.pk, bid=350, trump="hearts", outcome="made"
    )
    saved(actions.edit_hand(game.write(), second.public_id, edited))
    game.enter(edited, before=first.public_id)
    dana = at_table(game)[2]
    game.enter(dataclasses.replace(edited, bidder=dana.pk), before=third.public_id)
    assert columns(game) == {"Alice": 0, "Ben": 2, "Cass": 8, "Dana": 6}
    assert_history_tells_the_sheet(game)


def test_a_name_at_the_table_is_taken(game):
    assert leave(game, "Cass", "ben ").why == actions.Why.NAME_TAKEN
    assert sit_down(game, "Ｂｅｎ").why == actions.Why.NAME_TAKEN
    assert names(game) == ["Alice", "Ben", "Cass"]


def test_whoever_came_back_is_renamed_everywhere(game):
    enter(game, "Cass")
    saved(leave(game, "Cass", "Dana"))
    enter(game, "Dana")
    saved(leave(game, "Dana", "Cass"))
    back = at_table(game)[2]
    new = {one.pk: one.name for one in at_table(game)} | {back.pk: "Cassandra"}
    saved(actions.rename(game.write(), game.sheet.public_id, "", new))
    assert [one.name for one in game.players if one.person_id == back.person_id] == [
        "Cassandra"
    ] * 2


# A fourth sits down, and leaves.


def test_a_fourth_sits_down_from_the_next_hand_on(game):
    enter(game, "Ben")
    saved(sit_down(game))
    assert names(game) == list(FOUR)
    assert (house(game).fourth, house(game).sitter) == ("off_sheet", "right_of_dealer")
    row = enter(game, "Ben")  # Ben deals, Alice sits out
    assert (row.dealer.name, row.sitter.name) == ("Ben", "Alice")
    enter(game, "Dana")
    assert columns(game) == {"Alice": 0, "Ben": 4, "Cass": 0}
    assert game.standing[0].house_rules.value.fourth == "none"
    assert_history_tells_the_sheet(game)


def test_a_fourth_with_a_column_is_paid_by_three(game):
    enter(game, "Ben")
    saved(sit_down(game, fourth="column", sitter="dealer"))
    enter(game, "Dana")  # Ben deals and sits out
    assert columns(game) == {"Alice": 0, "Ben": 2, "Cass": 0, "Dana": 3}
    newest, oldest = lines(game)
    assert (newest.cells, oldest.cells) == (("0", "0", "0", "3"), ("0", "2", "0", ""))


def test_before_the_first_hand_a_fourth_puts_into_the_pot_too(new_game):
    game, *_ = new_game(house=HouseRules(pot=Pot(ante=2)))
    saved(sit_down(game))
    assert game.sheet.pot == 8


def test_a_hand_forgotten_from_before_the_fourth_is_one_of_three(game):
    first = enter(game, "Ben")
    saved(sit_down(game, fourth="column"))
    enter(game, "Cass")
    forgotten = game.enter(before=first.public_id)
    assert (forgotten.sitter, forgotten.entries.count()) == (None, 3)
    assert forgotten.house_rules.value.fourth == "none"
    assert_history_tells_the_sheet(game)


def test_the_fourth_leaves_and_three_play_on(four):
    game = four[0]
    enter(game, "Ben")
    saved(leave(game, "Dana"))
    assert (names(game), house(game).fourth) == (["Alice", "Ben", "Cass"], "none")
    row = enter(game, "Cass")
    assert (row.dealer.name, row.sitter) == ("Ben", None)
    assert_history_tells_the_sheet(game)


def test_another_leaves_and_whoever_had_no_column_gets_one(four):
    game = four[0]
    enter(game, "Ben")
    change = saved(leave(game, "Ben"))
    assert names(game) == ["Alice", "Cass", "Dana"]
    enter(game, "Dana")
    assert columns(game) == {"Alice": 0, "Ben": 2, "Cass": 0, "Dana": 2}
    assert change.after["off_sheet"] == []
    newest, oldest = lines(game)
    assert (newest.cells, oldest.cells) == (("0", "", "0", "2"), ("0", "2", "0", ""))
    assert_history_tells_the_sheet(game)


def test_the_free_place_is_taken_again(four):
    game = four[0]
    enter(game, "Ben")
    saved(leave(game, "Ben"))
    enter(game, "Dana")
    saved(sit_down(game, "Eve", "column"))
    assert [(one.name, one.place) for one in at_table(game)] == [
        ("Alice", 0),
        ("Eve", 1),
        ("Cass", 2),
        ("Dana", 3),
    ]


@pytest.mark.parametrize("why", ["uneven", "no_hand", "gone", "half", "ended"])
def test_what_cannot_be(game, four, why):
    other = four[0]
    match why:
        case "uneven":
            assert leave(game, "Cass").why == why  # three must remain
            answer = sit_down(other, "Eve")
        case "no_hand":
            answer = leave(other, "Cass")
        case "gone":
            cass = game.players[2]
            enter(game, "Cass")
            saved(leave(game, "Cass", "Dana"))
            answer = actions.leave(game.write(), game.sheet.public_id, cass.pk, name="Eve")
        case "half":
            saved(actions.change_settings(game.write(), True, False))
            saved(actions.enter_number(game.write(), game.sheet.public_id, game.players[0].pk, 4))
            answer = leave(game, "Cass", "Dana")
        case _:
            game.enter()
            game.end()
            cass = game.players[2]
            answer = actions.leave(game.write(), game.sheet.public_id, cass.pk, name="Dana")
    assert answer.why == why


@pytest.mark.on_postgresql
def test_what_another_phone_did_meanwhile_is_a_question(game):
    seen = game.version
    game.enter(phone=game.ben)
    assert leave(game, "Cass", "Dana", seen=seen).why == actions.Why.STALE
    seen = game.version
    saved(leave(game, "Cass", "Eve", phone=game.ben))
    for answer in (sit_down(game, seen=seen), leave(game, "Ben", "Dana", seen=seen)):
        assert (answer.why, answer.change.kind) == (actions.Why.STALE, "sat_down")
    hand = actions.enter_hand(game.write(seen=seen), game.sheet.public_id, game.played())
    assert hand.why == actions.Why.STALE


# Seats put right.

ORDERS = st.lists(st.permutations([0, 1, 2, 3]), min_size=1, max_size=3)


def evening_of_all_kinds(new_game):
    """Three play, a fourth sits down, somebody is followed by another, one leaves for good."""
    game, *_ = new_game()
    for bidder in ("Ben", "Cass"):
        enter(game, bidder)
    enter(game, queries.where_next(game.sheet, game.players).dealer.name, bid=250)
    saved(sit_down(game))
    for bidder in ("Dana", "Alice", "Ben"):
        where = queries.where_next(game.sheet, game.players)
        other = next(one.name for one in at_table(game) if one != where.sitter)
        enter(game, bidder if where.sitter.name != bidder else other, bid=350, outcome="set")
    saved(leave(game, "Ben", "Eve"))
    game.enter(game.passed())
    return game


@given(orders=ORDERS, then_three=st.booleans())
@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_seat_order_repair_keeps_each_persons_units(new_game, orders, then_three):
    game = evening_of_all_kinds(new_game)
    if then_three:
        saved(leave(game, "Cass"))
    totals = {one.pk: one.total for one in game.players}
    entries = sorted(Entry.objects.filter(round__sheet=game.sheet).values_list())
    bidders = {row.pk: row.bidder_id for row in game.standing}
    for order in orders:
        seated = at_table(game)
        wanted = [seated[n].pk for n in order if n < len(seated)]
        answer = actions.change_seats(game.write(), game.sheet.public_id, wanted)
        if isinstance(answer, actions.Refused):
            assert answer.why == actions.Why.MOVES
            write = dataclasses.replace(game.write(), agreed=answer.agreed)
            answer = actions.change_seats(write, game.sheet.public_id, wanted)
        saved(answer)
        assert [one.pk for one in at_table(game)] == wanted
    assert {one.pk: one.total for one in game.players} == totals
    assert sorted(Entry.objects.filter(round__sheet=game.sheet).values_list()) == entries
    assert {row.pk: row.bidder_id for row in game.standing} == bidders
    for row in game.standing:
        there = seats.during(list(Player.objects.filter(sheet=game.sheet)), row)
        assert row.dealer in there
        assert row.sitter is None or row.sitter in there
    assert_history_tells_the_sheet(game)
