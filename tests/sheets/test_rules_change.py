"""Other house rules on a running sheet: from the next hand, for the whole of it, and back again."""

from __future__ import annotations

import dataclasses

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules.auction import Fourth, HouseRules, Pot
from rules.cards import Counting
from sheets import actions, queries, wording
from sheets.models import Change, Entry
from sheets.models import HouseRules as RulesRow

USUAL = HouseRules()
PLAIN = HouseRules(spades_double=False)
POT = HouseRules(pot=Pot(ante=1, winning_bid=410))
ALICE, BEN, CASS = range(3)


def change(game, house, *, whole=False, agrees=True, phone=""):
    """Change the rules; what moves is agreed to."""
    write = game.write(phone)
    answer = actions.change_rules(write, game.sheet.public_id, house, whole=whole)
    if agrees and isinstance(answer, actions.Refused) and answer.why == actions.Why.MOVES:
        write = dataclasses.replace(write, agreed=answer.agreed)
        answer = actions.change_rules(write, game.sheet.public_id, house, whole=whole)
    return answer


def restore(game, done, *, agrees=True):
    write, version = game.write(), done.change.version
    answer = actions.restore_rules(write, game.sheet.public_id, version)
    if agrees and isinstance(answer, actions.Refused) and answer.why == actions.Why.MOVES:
        write = dataclasses.replace(write, agreed=answer.agreed)
        answer = actions.restore_rules(write, game.sheet.public_id, version)
    return answer


def saved(answer):
    assert isinstance(answer, actions.Saved), answer
    return answer


def spades(game, bidder=BEN, bid=350, outcome="made"):
    return game.enter(game.played(bidder, bid, "spades", outcome))


def as_it_is(game):
    """All that rules decide: the sheet's, each hand's, what everybody took in, the pot."""
    rows = game.sheet.rounds.order_by("position")
    entries = Entry.objects.filter(round__sheet=game.sheet)
    return (
        game.sheet.house_rules.value,
        [(row.public_id, row.house_rules.value, row.pot) for row in rows],
        sorted(entries.values_list("round", "player", "units")),
        game.totals,
        game.sheet.pot,
    )


def said(game, one):
    return wording.change(one, queries.past_of(game.table, [one]))


def test_with_no_hand_on_the_sheet_they_simply_change(game):
    done = saved(change(game, PLAIN))
    assert game.sheet.house_rules.value == PLAIN
    spades(game)
    assert game.totals == [0, 4, 0]
    assert said(game, done.change) == (
        "changed the house rules from hand 1 on: now spades don't double; no longer spades double"
    )


def test_from_the_next_hand_on_the_hands_before_keep_theirs(game):
    first = spades(game)
    saved(change(game, PLAIN))
    second = spades(game)
    assert game.totals == [0, 8 + 4, 0]
    assert [row.house_rules.value for row in game.standing] == [USUAL, PLAIN]
    # An edit of the first still goes by the rules of the first, and one of the second by its own.
    saved(actions.edit_hand(game.write(), first.public_id, game.played(BEN, 400, "spades")))
    saved(actions.edit_hand(game.write(), second.public_id, game.played(BEN, 400, "spades")))
    assert game.totals == [0, 16 + 8, 0]


def test_for_the_whole_sheet_the_difference_is_shown_before_anything_is_written(game):
    spades(game)
    game.enter()
    game.enter(game.typed(4, 0, 4))
    spades(game, CASS, 420, "set")
    before = as_it_is(game)
    answer = change(game, PLAIN, whole=True, agrees=False)
    assert (answer.why, as_it_is(game)) == (actions.Why.MOVES, before)
    alice, ben, _cass = (player.pk for player in game.players)
    assert [(one.number, one.before, one.after) for one in answer.moves] == [
        (1, ((ben, 8),), ((ben, 4),)),
        (4, ((alice, 16), (ben, 16)), ((alice, 8), (ben, 8))),
    ]
    done = saved(change(game, PLAIN, whole=True))
    assert game.totals == [4 + 8, 4 + 2 + 8, 4]
    rules = [row.house_rules.value for row in game.standing]
    assert rules == [PLAIN, PLAIN, USUAL, PLAIN]  # what was typed was settled by nobody
    assert Change.objects.filter(kind="rules_changed").count() == 1
    assert said(game, done.change) == (
        "changed the house rules for the whole sheet: now spades don't double; "
        "no longer spades double; hand 1: Ben 8 becomes 4; "
        "hand 4: Alice 16 becomes 8, Ben 16 becomes 8"
    )


def test_a_hand_that_the_new_rules_would_not_have_stays_under_its_own(game):
    game.enter(game.played(BEN, 300))
    spades(game)
    answer = change(game, HouseRules(minimum=350, spades_double=False), whole=True, agrees=False)
    [stays, moves] = answer.moves
    assert (stays.number, str(stays.stays)) == (1, "The lowest bid here is 350.")
    assert moves.number == 2
    done = saved(change(game, HouseRules(minimum=350, spades_double=False), whole=True))
    assert game.totals == [0, 2 + 4, 0]
    assert [row.house_rules.value.minimum for row in game.standing] == [300, 350]
    assert said(game, done.change).endswith("hand 2: Ben 8 becomes 4; hand 1 stayed as it was")


def test_a_change_of_the_whole_sheet_is_taken_back_in_one_step(game):
    spades(game)
    game.enter(game.typed(4, 0, 4))
    saved(change(game, HouseRules(counting=Counting.TENS)))
    spades(game, CASS)
    before = as_it_is(game)
    done = saved(change(game, PLAIN, whole=True))
    assert as_it_is(game) != before
    back = saved(restore(game, done, agrees=False))  # what comes back was shown before
    assert as_it_is(game) == before
    assert said(game, back.change).startswith("took back the change of the house rules: now spades")
    # Each hand had rules of its own before, and has them again.
    counted = [row.house_rules.value.counting for row in game.standing]
    assert counted == [Counting.STANDARD, Counting.STANDARD, Counting.TENS]


def test_a_hand_edited_since_keeps_its_edit_and_goes_by_the_old_rules_again(game):
    row = spades(game)
    done = saved(change(game, PLAIN, whole=True))
    saved(actions.edit_hand(game.write(), row.public_id, game.played(CASS, 450, "spades")))
    assert game.totals == [0, 0, 16]
    # That was shown to nobody: it is asked.
    answer = restore(game, done, agrees=False)
    assert (answer.why, game.totals) == (actions.Why.MOVES, [0, 0, 16])
    saved(restore(game, done))
    row.refresh_from_db()
    assert (game.totals, row.bid, row.house_rules.value) == ([0, 0, 32], 450, USUAL)


def test_a_hand_entered_since_keeps_the_rules_it_was_settled_under(game):
    spades(game)
    done = saved(change(game, PLAIN, whole=True))
    spades(game)
    saved(restore(game, done))
    assert game.totals == [0, 8 + 4, 0]
    assert game.sheet.house_rules.value == USUAL


def test_only_the_newest_change_is_taken_back_and_once(game):
    first = saved(change(game, PLAIN))
    second = saved(change(game, HouseRules(minimum=350)))
    assert restore(game, first).why == actions.Why.NOTHING
    saved(restore(game, second))
    assert game.sheet.house_rules.value == PLAIN
    assert restore(game, second).why == actions.Why.NOTHING
    assert restore(game, first).why == actions.Why.NOTHING


def test_the_same_rules_once_more_change_nothing(game):
    game.enter(game.played(BEN, 300))
    spades(game)
    assert change(game, USUAL, whole=True).why == actions.Why.SAME_RULES
    house = HouseRules(minimum=350, spades_double=False)
    saved(change(game, house, whole=True))
    before, version = as_it_is(game), game.version
    for whole in (True, False):  # the hand that stays is no difference either
        assert change(game, house, whole=whole).why == actions.Why.SAME_RULES
    assert (as_it_is(game), game.version) == (before, version)


def test_from_the_next_hand_and_then_after_all_for_the_whole_sheet(game):
    spades(game)
    saved(change(game, PLAIN))
    done = saved(change(game, PLAIN, whole=True))
    assert game.totals == [0, 4, 0]
    assert "as they were for the next hand" in said(game, done.change)


def test_sent_twice_it_is_one_change_and_under_its_key_nothing_else(game):
    write = game.write()
    one = saved(actions.change_rules(write, game.sheet.public_id, PLAIN, whole=False))
    two = saved(actions.change_rules(write, game.sheet.public_id, PLAIN, whole=False))
    assert (two.repeated, two.change) == (True, one.change)
    other = actions.change_rules(write, game.sheet.public_id, PLAIN, whole=True)
    assert other.why == actions.Why.KEY_USED


def test_rules_that_another_phone_changed_are_a_question(game):
    seen = game.version
    done = saved(change(game, PLAIN, phone=game.ben))
    sheet, house = game.sheet.public_id, HouseRules(minimum=350)
    late = actions.change_rules(game.write(seen=seen), sheet, house, whole=False)
    assert (late.why, late.change.kind) == (actions.Why.STALE, "rules_changed")
    # And whoever is about to enter a hand hears of it.
    assert actions.enter_hand(game.write(seen=seen), sheet, game.played()).why == actions.Why.STALE
    seen = game.version
    saved(restore(game, done))
    late = actions.change_rules(game.write(game.ben, seen=seen), sheet, house, whole=False)
    assert (late.why, late.change.kind) == (actions.Why.STALE, "rules_restored")


def test_after_the_match_nothing_changes(game):
    game.enter()
    done = saved(change(game, PLAIN))
    sheet = game.sheet.public_id
    game.end()
    answer = actions.change_rules(game.write(), sheet, USUAL, whole=True)
    assert answer.why == actions.Why.ENDED
    answer = actions.restore_rules(game.write(), sheet, done.change.version)
    assert answer.why == actions.Why.ENDED


def test_a_removed_phone_changes_nothing(game):
    actions.remove_phone(game.write(), 2)
    assert change(game, PLAIN, phone=game.ben).why == actions.Why.REMOVED


def test_how_many_sit_at_the_table_is_no_rule_to_change_here(new_game, game):
    saved(change(game, HouseRules(fourth=Fourth.OFF_SHEET, minimum=350)))
    assert game.sheet.house_rules.value == HouseRules(minimum=350)
    four, *_ = new_game(("Ann", "Bob", "Cid", "Dee"), house=HouseRules(fourth=Fourth.COLUMN))
    four.enter(four.played(BEN, 350, "spades"))
    saved(change(four, PLAIN, whole=True))
    assert four.totals == [0, 6, 0, 0]
    assert [row.house_rules.value.fourth for row in four.standing] == [Fourth.COLUMN]


# The pot.


def test_a_pot_that_begins_mid_sheet_is_filled_at_once(game):
    game.enter(game.played(BEN, 350, "hearts", "set"))
    done = saved(change(game, POT))
    assert game.sheet.pot == 3
    game.enter(game.played(BEN, 350, "hearts", "set"))
    assert game.sheet.pot == 3 + 4
    game.enter(game.played(BEN, 410))
    assert game.totals == [8, 8 + 7, 8]
    saved(restore(game, done))
    assert (game.sheet.pot, game.sheet.house_rules.value) == (3, USUAL)


def test_without_a_hand_under_it_the_pot_is_gone_again(game):
    game.enter()
    done = saved(change(game, POT))
    saved(restore(game, done))
    assert game.sheet.pot is None


def test_a_pot_that_is_given_up_stays_until_the_end(new_game):
    game, *_ = new_game(house=POT)
    game.enter(game.played(BEN, 350, "hearts", "set"))
    saved(change(game, USUAL))
    assert game.sheet.pot == 3 + 4
    game.enter(game.played(BEN, 410))
    assert (game.sheet.pot, game.totals[BEN]) == (7, 8)
    # For the whole sheet there never was one, whatever was typed first.
    saved(change(game, USUAL, whole=True))
    assert game.sheet.pot is None


def test_a_pot_for_the_whole_sheet_gives_winners_what_was_in_it(game):
    game.enter(game.typed(0, 2, 0))
    game.enter(game.played(BEN, 350, "hearts", "set"))
    game.enter(game.played(CASS, 410))
    before = as_it_is(game)
    done = saved(change(game, POT, whole=True))
    assert (game.totals, game.sheet.pot) == ([4, 2, 4 + 8 + 7], 3)
    saved(restore(game, done))
    assert as_it_is(game) == before
    richer = HouseRules(pot=Pot(ante=2, winning_bid=410))
    saved(change(game, richer, whole=True))
    saved(actions.take_back(game.write(), game.standing[2].public_id))
    assert game.sheet.pot == 6 + 4  # a row that was typed under other rules starts no other pot


# Saved sets.


def test_the_rules_are_kept_under_a_name_used_and_forgotten(game):
    saved(change(game, POT))
    kept = saved(actions.save_rules(game.write(), game.sheet.public_id, "Fridays"))
    [one] = queries.saved_rules(game.table)
    assert (one.name, one.house_rules.value) == ("Fridays", POT)
    again = actions.save_rules(game.write(), game.sheet.public_id, "ＦＲＩＤＡＹＳ")
    assert again.why == actions.Why.SAVED_NAME
    done = saved(actions.forget_rules(game.write(), one.pk))
    assert queries.saved_rules(game.table) == []
    # Another phone that forgets it too finds it done.
    assert saved(actions.forget_rules(game.write(game.ben), one.pk)).change == done.change
    words = "opens at 300, no 40s or 90s, spades double, a pot: ante 1, won from 410"
    assert said(game, kept.change) == f"saved these house rules: {words}"
    assert said(game, done.change) == f"forgot these saved house rules: {words}"


def test_nobody_forgets_the_rules_of_another_table(new_game, game):
    other, *_ = new_game(("Ann", "Bob", "Cid"))
    saved(actions.save_rules(other.write(), other.sheet.public_id, "Ours"))
    theirs = other.table.saved_rules.get().pk
    assert actions.forget_rules(game.write(), theirs).why == actions.Why.NOT_THERE
    assert other.table.saved_rules.exists()


def test_play_again_goes_by_the_rules_that_were_chosen(game):
    game.enter()
    game.end()
    answer = saved(actions.play_again(game.write(), ("Alice", "Ben", "Cass"), 0, house=PLAIN))
    assert answer.change.sheet.house_rules.value == PLAIN
    assert RulesRow.objects.count() == 2  # one row for all who play by the same


houses = st.builds(
    HouseRules,
    minimum=st.sampled_from([250, 300, 350]),
    spades_double=st.booleans(),
    stakes=st.sampled_from([USUAL.stakes, ((250, 1), (350, 3))]),
    pot=st.sampled_from([None, Pot(), Pot(ante=2, winning_bid=350)]),
)
hands = st.lists(
    st.tuples(
        st.integers(0, 2),
        st.sampled_from([300, 350, 410]),
        st.sampled_from(["hearts", "spades"]),
        st.sampled_from(["made", "set"]),
    ),
    min_size=1,
    max_size=4,
)


@given(houses, houses, hands)
@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_for_the_whole_sheet_twice_is_once_and_taken_back_is_as_it_was(new_game, first, new, dealt):
    game, *_ = new_game(house=first)
    for hand in dealt:
        if hand[1] >= first.minimum:
            game.enter(game.played(*hand))
    before = as_it_is(game)
    done = change(game, new, whole=True)
    if isinstance(done, actions.Saved):
        after = as_it_is(game)
        assert change(game, new, whole=True).why == actions.Why.SAME_RULES
        assert as_it_is(game) == after
        saved(restore(game, done, agrees=False))
    assert as_it_is(game) == before
