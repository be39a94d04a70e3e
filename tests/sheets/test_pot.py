"""The pot: antes, what a set pays it, who takes it, and what a change does to later hands."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules.auction import HouseRules, Pot
from sheets import actions
from sheets.models import Change
from tests.sheets.test_history_replay import assert_history_tells_the_sheet, step, take

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
    assert [one.number for one in answer.moves] == [2]
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


# A pot that is left is shared.


def shared(game, phone="", **write):
    return actions.share_pot(game.write(phone, **write), game.sheet.public_id)


def test_a_pot_is_shared_in_equal_whole_units_and_hands_go_on_with_the_rest(pot):
    lost(pot)
    change = saved(shared(pot))
    assert (pot.totals, pot.sheet.pot) == ([4 + 2, 4 + 2, 2], 1)
    assert (change.kind, change.round.kind, change.round.pot) == ("pot_shared", "pot_shared", 7)
    row = won(pot)
    assert (row.pot, pot.totals[BEN], pot.sheet.pot) == (1, 6 + 8 + 1, 3)
    # Taken back, it is all there again for the hand that won after it.
    write = pot.write()
    answer = actions.take_back(write, change.round.public_id)
    assert [one.number for one in answer.moves] == [3]
    saved(actions.take_back(agreed(write, answer), change.round.public_id))
    assert (pot.totals, pot.sheet.pot) == ([4, 4 + 8 + 7, 0], 3)


def test_an_edit_before_it_changes_what_was_shared(pot):
    row = lost(pot)
    saved(shared(pot))
    write = pot.write()
    entered = pot.played(bidder=CASS, bid=350, trump="spades", outcome="set")
    answer = actions.edit_hand(write, row.public_id, entered)
    assert [(one.number, [n for _player, n in one.after]) for one in answer.moves] == [(2, [3] * 3)]
    saved(actions.edit_hand(agreed(write, answer), row.public_id, entered))
    assert (pot.totals, pot.sheet.pot) == ([8 + 3, 8 + 3, 3], 2)


def test_a_pot_is_not_shared_twice_nor_without_having_seen_the_line(pot, new_game):
    lost(pot)
    seen = pot.version
    write = pot.write()
    first = saved(actions.share_pot(write, pot.sheet.public_id))
    again = actions.share_pot(write, pot.sheet.public_id)
    assert (again.repeated, again.change) == (True, first)
    assert shared(pot, pot.ben, seen=seen).why == actions.Why.STALE
    assert shared(pot).why == actions.Why.NO_POT  # one unit is left
    saved(actions.change_settings(pot.write(), True, False))
    number = pot.write(), pot.sheet.public_id, pot.players[0].pk, 4
    saved(actions.enter_number(*number, after=first.round.public_id))
    assert shared(pot).why == actions.Why.HALF
    saved(actions.fill_with_zeros(pot.write(), pot.standing[-1].public_id))
    pot.end()
    assert shared(pot).why == actions.Why.ENDED
    without, *_ = new_game(("Ann", "Bob", "Cid"))
    without.enter()
    assert shared(without).why == actions.Why.NO_POT


def test_whoever_enters_while_the_pot_is_shared_is_asked(pot):
    lost(pot)
    seen = pot.version
    saved(shared(pot, pot.ben))
    late = actions.enter_hand(pot.write(seen=seen), pot.sheet.public_id, pot.played())
    assert (late.why, late.change.kind) == (actions.Why.STALE, "pot_shared")


# Whatever happens, the pot holds what a slow look from the first hand on finds.


def slow(game):
    """The pot, and what everybody has taken in and paid in all, worked out from the first hand."""
    ante, winning, seats = 1, 350, range(3)
    pot, net = 3 * ante, [-ante] * 3
    by_place = {player.pk: player.place for player in game.players}
    for row in game.standing:
        taken = [0, 0, 0]
        if row.kind == "played":
            bidder, each = (
                by_place[row.bidder_id],
                {300: 1, 350: 2, 420: 4, 550: 32, 250: 1}[row.bid],
            )
            each *= 2 if row.outcome == "set" else 1
            each *= 2 if row.trump == "spades" and row.outcome != "thrown_in" else 1
            for other in seats:
                winner, loser = (bidder, other) if row.outcome == "made" else (other, bidder)
                if other != bidder:
                    taken[winner] += each
                    net[loser] -= each
            if row.outcome != "made":
                pot, net[bidder] = pot + each, net[bidder] - each
            elif row.bid >= winning:
                taken[bidder] += pot
                pot, net = 3 * ante, [n - ante for n in net]
        elif row.kind == "pot_shared":
            taken, pot = [pot // 3] * 3, pot % 3
        else:
            continue
        by_player = {by_place[entry.player_id]: entry.units for entry in row.entries.all()}
        assert taken == [by_player[seat] for seat in seats]
        net = [n + more for n, more in zip(net, taken, strict=True)]
    return pot, net


same_rules = step.filter(lambda one: one[0] not in {"rules", "rules back"})


@given(steps=st.lists(same_rules, max_size=12))
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_after_any_steps_the_pot_is_what_a_slow_look_finds(new_game, steps):
    game, *_ = new_game(house=HouseRules(pot=Pot(ante=1, winning_bid=350)))
    saved(actions.change_settings(game.write(), True, False))
    for one in steps:
        take(game, one)
    found, net = slow(game)
    assert game.sheet.pot == found
    assert sum(net) + found == 0
    assert_history_tells_the_sheet(game)
