"""Results: kept when a sheet of a club is banked, corrected and opened again."""

from __future__ import annotations

import pytest

from sheets import actions
from sheets.models import Result
from tests.sheets.clubs import a_club


def figures(game):
    names = dict(game.table.people.values_list("pk", "name"))
    return {
        names[one.person_id]: (one.units, one.net, one.hands, one.bids, one.made, one.sets)
        for one in Result.objects.filter(sheet=game.sheet)
    }


@pytest.fixture
def played(club_game):
    """Ben makes 320 in hearts, Cass is set at 350 in spades, a typed row, nobody bids."""
    club_game.enter()
    club_game.enter(club_game.played(2, 350, "spades", "set"))
    club_game.enter(club_game.typed(0, 2, 0))
    club_game.enter(club_game.passed())
    return club_game


def test_an_open_sheet_and_one_of_no_club_have_none(played, new_game):
    other, *_ = new_game()
    other.enter()
    other.end()
    assert not Result.objects.exists()


def test_a_banked_sheet_has_a_row_for_each(played):
    played.end()
    # 320: 1 from each to Ben. 350 in spades and set: 8 to each of the others. The typed row is that
    # of a made bid: 1 from each to Ben once more.
    assert played.totals == [8, 2 + 8 + 2, 0]
    assert figures(played) == {
        "Alice": (8, 8 - 1 - 1, 4, 0, 0, 0),
        "Ben": (12, 12, 4, 1, 1, 0),
        "Cass": (0, -1 - 16 - 1, 4, 1, 0, 1),
    }
    ben = Result.objects.get(sheet=played.sheet, person__name="Ben")
    assert (ben.won, ben.shared, ben.bid_points, ben.spades) == (True, False, 320, 0)
    cass = Result.objects.get(sheet=played.sheet, person__name="Cass")
    assert (cass.won, cass.bid_points, cass.spades) == (False, 350, 1)


def test_a_tie_is_a_shared_win(club_game):
    club_game.enter(club_game.played(2, 320, "hearts", "thrown_in"))
    club_game.end()
    assert {(one.won, one.shared) for one in Result.objects.all()} == {(True, True), (False, False)}


def test_they_go_when_the_end_is_taken_back(played):
    played.end()
    actions.reopen(played.write(), played.sheet.public_id)
    assert not Result.objects.exists()


def test_they_follow_a_correction(played, thursday):
    played.end()
    before = figures(played)
    row = played.standing[0]
    answer = actions.correct_hand(
        thursday.at(played.table),
        row.public_id,
        played.played(0, 320, "hearts", "made"),
        reason="Alice bid it",
    )
    assert isinstance(answer, actions.Saved), answer
    after = figures(played)
    assert after != before
    assert after["Alice"][3:] == (1, 1, 0)
    assert after["Ben"][3:] == (0, 0, 0)


def test_where_nobody_can_tell_who_paid_there_is_no_net(club_game):
    club_game.enter()
    club_game.enter(club_game.correction(1, 0, 0))
    club_game.end()
    assert {one.net for one in Result.objects.all()} == {None}


def test_a_stranger_to_the_club_corrects_nothing(played, thursday):
    played.end()
    elsewhere = a_club("friday", "Friday Club")
    answer = actions.correct_hand(
        thursday.at(played.table, elsewhere.otto),
        played.standing[0].public_id,
        played.played(0, 320, "hearts", "made"),
        reason="no",
    )
    assert isinstance(answer, actions.Refused)
    assert answer.why == "not_an_organiser"
