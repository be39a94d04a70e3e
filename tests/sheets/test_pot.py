"""The pot: antes, what a set pays it, who takes it, and what a change does to later hands."""

from __future__ import annotations

import dataclasses

import pytest

from rules.auction import HouseRules, Pot
from sheets import actions
from sheets.models import Change

ALICE, BEN, CASS = range(3)


@pytest.fixture
def pot(new_game):
    game, *_ = new_game(house=HouseRules(pot=Pot(ante=1, winning_bid=410)))
    return game


def lost(game, bid=350):
    return game.enter(game.played(bidder=CASS, bid=bid, outcome="set"))


def won(game, bid=410):
    return game.enter(game.played(bidder=BEN, bid=bid))


def agreed(write, answer):
    assert answer.why == actions.Why.MOVES
    return dataclasses.replace(write, agreed=answer.agreed)


def saved(answer):
    assert isinstance(answer, actions.Saved), answer
    return answer.change


def test_the_pot_holds_the_antes_gets_what_is_set_and_goes_to_who_makes_enough(pot):
    assert pot.sheet.pot == 3
    lost(pot)
    assert (pot.sheet.pot, pot.totals) == (3 + 4, [4, 4, 0])
    pot.enter(pot.played(bidder=ALICE, bid=400))
    assert pot.sheet.pot == 7
    row = won(pot)
    # Twice 4 from the others and the pot; then an ante from each of the three.
    assert (row.pot, pot.totals, pot.sheet.pot) == (7, [12, 19, 0], 3)
    pot.enter(pot.typed(0, 9, 0))
    pot.enter(pot.passed())
    assert pot.sheet.pot == 3


def test_an_edit_that_changes_the_pot_shows_first_whose_units_become_what(pot):
    first = lost(pot)
    second = lost(pot)
    row = won(pot)
    assert row.entries.get(player=pot.players[BEN]).units == 8 + 11
    entered = pot.played(bidder=CASS, bid=300, outcome="set")
    write = pot.write()
    answer = actions.edit_hand(write, first.public_id, entered)
    [move] = answer.moves
    ben = pot.players[BEN].pk
    assert (move.number, move.before, move.after) == (3, ((ben, 19),), ((ben, 17),))
    assert pot.totals == [8, 27, 0]  # nothing is written before somebody has said yes
    change = saved(actions.edit_hand(agreed(write, answer), first.public_id, entered))
    assert (pot.totals, pot.sheet.pot) == ([6, 6 + 17, 0], 3)
    assert change.after["moved"] == [
        {"round": row.pk, "number": 3, "before": [[ben, 19]], "after": [[ben, 17]]}
    ]
    # One entry in history, and agreeing to one thing is not agreeing to another.
    assert Change.objects.filter(table=pot.table, kind="hand_edited").count() == 1
    late = actions.take_back(agreed(pot.write(), answer), second.public_id)
    assert late.why == actions.Why.MOVES


def test_taking_back_and_putting_back_move_the_pot_there_and_back(pot):
    first = lost(pot)
    won(pot)
    last = won(pot)
    before = (pot.totals, pot.sheet.pot)
    write = pot.write()
    answer = actions.take_back(write, first.public_id)
    assert [(one.number) for one in answer.moves] == [1]
    saved(actions.take_back(agreed(write, answer), first.public_id))
    assert pot.totals == [0, (8 + 3) + (8 + 3), 0]
    write = pot.write()
    answer = actions.put_back(write, first.public_id)
    saved(actions.put_back(agreed(write, answer), first.public_id))
    assert (pot.totals, pot.sheet.pot) == before
    # The last one moves nobody else's.
    saved(actions.take_back(pot.write(), last.public_id))
    assert pot.sheet.pot == 3


def test_a_forgotten_hand_fills_the_pot_for_those_after_it(pot):
    row = won(pot)
    write = pot.write()
    entered = pot.played(bidder=CASS, bid=350, outcome="set")
    sheet = pot.sheet.public_id
    answer = actions.enter_hand(write, sheet, entered, before=row.public_id)
    assert [one.number for one in answer.moves] == [2]
    write = agreed(write, answer)
    saved(actions.enter_hand(write, sheet, entered, before=row.public_id))
    assert (pot.totals, pot.sheet.pot) == ([4, 4 + 8 + 7, 0], 3)
    # A forgotten one that itself wins takes what was there then.
    write = pot.write()
    entered = pot.played(bidder=ALICE, bid=410)
    answer = actions.enter_hand(write, sheet, entered, before=row.public_id)
    assert [one.number for one in answer.moves] == [3]
    saved(actions.enter_hand(agreed(write, answer), sheet, entered, before=row.public_id))
    assert pot.totals == [4 + 8 + 7, 4 + 8 + 3, 0]
