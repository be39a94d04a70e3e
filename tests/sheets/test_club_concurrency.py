"""Two organisers at once, or an organiser and a table, on the real database."""

from __future__ import annotations

import pytest

from sheets import actions, roster
from sheets.models import ClubChange, Result, Sheet
from tests.sheets.test_concurrency import all_at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_postgresql]
NAMES = ("Alice", "Ben", "Cass")


def test_two_organisers_who_merge_two_people_into_each_other_make_no_circle(thursday):
    ben, benny = thursday.person("Ben"), thursday.person("Benny")
    writes = thursday.write(), thursday.write(thursday.otto)
    answers = all_at_once(
        [
            lambda: actions.merge_people(writes[0], ben.pk, benny.pk),
            lambda: actions.merge_people(writes[1], benny.pk, ben.pk),
        ]
    )
    refused = [one.why for one in answers if isinstance(one, actions.Refused)]
    assert refused == [actions.Why.MERGE_CIRCLE]
    assert len(set(roster.stands_for(thursday.club).values())) == 1


def test_the_same_merge_by_two_organisers_is_made_once(thursday):
    ben, benny = thursday.person("Ben"), thursday.person("Benny")
    writes = thursday.write(), thursday.write(thursday.otto)
    answers = all_at_once(
        [lambda write=write: actions.merge_people(write, ben.pk, benny.pk) for write in writes]
    )
    assert sorted(one.repeated for one in answers) == [False, True]
    assert ClubChange.objects.filter(kind="person_merged").count() == 1


def test_a_name_matched_by_two_organisers_is_matched_once(thursday, club_game):
    ben = club_game.table.people.get(name="Ben")
    people = thursday.person("Ben"), thursday.person("Benny")
    writes = thursday.write(), thursday.write(thursday.otto)
    answers = all_at_once(
        [
            lambda write=write, who=who: actions.match_names(write, {ben.pk: who.pk})
            for write, who in zip(writes, people, strict=True)
        ]
    )
    refused = [one for one in answers if isinstance(one, actions.Refused)]
    assert [one.why for one in refused] == [actions.Why.STALE]


def test_a_sheet_begun_while_its_table_comes_into_a_club_is_the_clubs(thursday, game):
    game.enter()
    game.end()
    again, comes_in = game.write(), thursday.write()
    code = game.table.code
    answers = all_at_once(
        [
            lambda: actions.play_again(again, NAMES, 0),
            lambda: actions.take_in(comes_in, code),
        ]
    )
    assert not [one for one in answers if isinstance(one, actions.Refused)]
    assert set(Sheet.objects.values_list("club", flat=True)) == {thursday.club.pk}
    assert Result.objects.count() == 3


def test_a_table_is_let_go_while_it_plays_on_and_nobody_waits_in_a_circle(thursday, club_game):
    club_game.enter()
    club_game.end()
    again, goes = club_game.write(), thursday.write()
    answers = all_at_once(
        [
            lambda: actions.play_again(again, NAMES, 0),
            lambda: actions.let_go(goes, club_game.table.pk),
        ]
    )
    assert not [one for one in answers if isinstance(one, actions.Refused)]
    assert set(Sheet.objects.values_list("club", flat=True)) == {None}
    assert not Result.objects.exists()


def test_of_ending_and_discarding_one_is_first_and_the_other_is_told(thursday, club_game):
    club_game.enter()
    sheet = club_game.sheet.public_id
    ends, discards = thursday.at(club_game.table), thursday.at(club_game.table, thursday.mara)
    end, discard = all_at_once(
        [
            lambda: actions.end_match(ends, sheet),
            lambda: actions.discard_sheet(discards, sheet, "Played twice"),
        ]
    )
    if club_game.sheet.state == "banked":
        assert discard.why == actions.Why.ENDED
    else:
        assert isinstance(discard, actions.Saved)
        assert end.repeated


def test_two_tables_that_end_one_match_at_once_are_both_warned_of(thursday, new_game):
    games = [thursday.take_in(new_game()[0]) for _n in range(2)]
    for game in games:
        game.enter()
    ends = [(game.write(), game.sheet.public_id) for game in games]
    answers = all_at_once([lambda end=end: actions.end_match(*end) for end in ends])
    assert all(isinstance(one, actions.Saved) for one in answers)
    assert {sheet.oddities for sheet in Sheet.objects.all()} == {" short alike "}


def test_of_two_alike_that_are_excluded_and_corrected_at_once_both_are_told_right(
    thursday, new_game
):
    games = [thursday.take_in(new_game()[0]) for _n in range(2)]
    for game in games:
        row = game.enter()
        game.end()
    excluded, corrected = games
    excludes, corrects = thursday.at(excluded.table), thursday.at(corrected.table)
    sheet, same = excluded.sheet.public_id, corrected.played()
    answers = all_at_once(
        [
            lambda: actions.review(excludes, sheet, "set_aside", "The same match"),
            lambda: actions.correct_hand(corrects, row.public_id, same, reason="Looked at"),
        ]
    )
    assert all(isinstance(one, actions.Saved) for one in answers)
    said = {game.sheet.pk: game.sheet.oddities for game in games}
    assert said == {excluded.sheet.pk: " short ", corrected.sheet.pk: " after_end short "}
