"""What looks odd about a banked sheet: the words it keeps, and the hands they are about."""

from __future__ import annotations

import datetime

import pytest

from sheets import actions, inbox, oddities
from sheets.models import Change, Round, Sheet
from sheets.reckoning import lines_of

QUARTER = datetime.timedelta(minutes=15)
MINUTE = datetime.timedelta(minutes=1)


def odd(game):
    """What is odd about the game's sheet: kind, hands, hands off the sheet."""
    sheet, players = inbox.sheet_of(game.sheet.club, game.sheet.public_id)
    lines, changes = lines_of(sheet, players), oddities.changes_of(sheet)
    found = oddities.oddities(sheet, players, lines, changes, is_alike=False)
    assert oddities.stored(found) == sheet.oddities  # what is kept is what is found afresh
    return [(one.kind.value, one.hands, one.off_sheet) for one in found]


def evening(game, hands=6):
    """So many hands by the rules; six are two deals each."""
    return [game.enter() for _hand in range(hands)]


def entered_before(row, how_long):
    Round.objects.filter(pk=row.pk).update(entered_at=row.entered_at - how_long)


def test_an_evening_by_the_rules_is_not_odd(club_game):
    evening(club_game)
    club_game.end()
    assert odd(club_game) == []
    assert club_game.sheet.oddities == ""


def test_a_typed_row_that_no_hand_gives(club_game):
    evening(club_game, 4)
    club_game.enter(club_game.typed(3, 0, 0))
    club_game.enter(club_game.typed(0, 2, 0))
    club_game.end()
    assert odd(club_game) == [("by_no_rule", ("5",), 0)]
    assert club_game.sheet.oddities == " by_no_rule "


@pytest.mark.parametrize(
    ("after", "is_late"), [(QUARTER - MINUTE, False), (QUARTER + MINUTE, True)]
)
def test_a_hand_changed_a_quarter_of_an_hour_later_is_late(club_game, after, is_late):
    rows = evening(club_game)
    entered_before(rows[1], after)
    actions.edit_hand(club_game.write(), rows[1].public_id, club_game.played(2))
    club_game.end()
    assert odd(club_game) == ([("late", ("2",), 0)] if is_late else [])


def test_hands_taken_back_and_put_back_late(club_game):
    rows = evening(club_game, 8)
    for row in rows[:2]:
        entered_before(row, QUARTER + MINUTE)
        actions.take_back(club_game.write(), row.public_id)
    actions.put_back(club_game.write(), rows[0].public_id)
    club_game.end()
    assert ("late", ("1",), 1) in odd(club_game)


def test_a_hand_changed_after_the_end_was_taken_back(club_game):
    rows = evening(club_game)
    club_game.end()
    actions.reopen(club_game.write(), club_game.sheet.public_id)
    assert club_game.sheet.oddities == ""
    actions.edit_hand(club_game.write(), rows[2].public_id, club_game.played(2))
    club_game.end()
    assert odd(club_game) == [("after_end", ("3",), 0), ("two_ends", (), 0)]
    assert " two_ends " in club_game.sheet.oddities


def test_a_correction_is_made_after_the_end(club_game, thursday):
    rows = evening(club_game)
    club_game.end()
    wanted = club_game.played(0)
    actions.correct_hand(
        thursday.at(club_game.table), rows[5].public_id, wanted, reason="Alice bid it"
    )
    assert odd(club_game) == [("after_end", ("6",), 0)]


def test_uneven_deals(club_game):
    evening(club_game, 5)
    club_game.enter(club_game.played(dealer=0))
    club_game.enter(club_game.played(dealer=0))
    club_game.end()
    assert odd(club_game) == [("uneven", (), 0)]


@pytest.mark.parametrize(("hands", "is_short"), [(5, True), (6, False)])
def test_fewer_than_two_deals_each_is_very_short(club_game, hands, is_short):
    evening(club_game, hands)
    club_game.enter(club_game.correction(1, 0, 0))  # was never dealt
    club_game.end()
    assert odd(club_game) == ([("short", (), 0)] if is_short else [])


def test_hands_that_nobody_confirmed_where_the_club_wants_that(club_game, thursday):
    rows = evening(club_game)
    thursday.club.confirm = True
    thursday.club.save()
    for row in rows[1:]:
        actions.confirm_hand(club_game.write(club_game.ben), row.public_id)
    club_game.end()
    assert odd(club_game) == [("unconfirmed", ("1",), 0)]
    # What the club wants later makes no other sheet of it.
    thursday.club.confirm = False
    thursday.club.save()
    assert odd(club_game) == [("unconfirmed", ("1",), 0)]
    assert not actions.remake_results(club_game.sheet.pk)


def test_what_an_organiser_corrected_wants_no_second_word(club_game, thursday):
    thursday.club.confirm = True
    thursday.club.save()
    rows = evening(club_game)
    for row in rows[1:]:
        actions.confirm_hand(club_game.write(club_game.ben), row.public_id)
    club_game.end()
    at = thursday.at(club_game.table)
    actions.correct_hand(at, rows[0].public_id, club_game.played(0), reason="Alice bid it")
    assert odd(club_game) == [("after_end", ("1",), 0)]


def test_a_sheet_from_elsewhere_ended_when_it_came(club_game, thursday):
    evening(club_game)
    club_game.end()
    Change.objects.filter(sheet=club_game.sheet, kind="sheet_banked").update(kind="sheet_imported")
    actions.remake_results(club_game.sheet.pk)
    assert odd(club_game) == []
    row = club_game.standing[0]
    at = thursday.at(club_game.table)
    actions.correct_hand(at, row.public_id, club_game.played(0), reason="Alice bid it")
    assert odd(club_game) == [("after_end", ("1",), 0)]


def test_all_words_together_fit_the_column_and_are_found_one_by_one():
    every = [oddities.Odd(kind) for kind in oddities.Oddity]
    kept = oddities.stored(every)
    assert len(kept) <= Sheet._meta.get_field("oddities").max_length
    assert oddities.read(kept) == list(oddities.Oddity)
    assert all(f" {kind} " in kept for kind in oddities.Oddity)


def test_a_sheet_of_no_club_keeps_none(game):
    game.enter()
    game.end()
    assert game.sheet.oddities == ""
