"""A club's open sheets by age, ended and discarded by an organiser, and what the table sees."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains

from sheets import actions
from sheets.actions import Why
from sheets.models import Change, Result, Sheet, Table
from tests.sheets.clubs import a_club, signed_in
from tests.sheets.test_history_replay import assert_history_tells_the_sheet


def at(game, **fields):
    posted = {"key": str(uuid.uuid4()), "seen": str(game.version)}
    return posted | {"sheet": game.sheet.public_id} | fields


def url(club, game, rest):
    return club.url(f"sheets/{game.sheet.public_id}/{rest}/")


def discard(club, game, reason="Played twice", **write):
    return actions.discard_sheet(club.at(game.table, **write), game.sheet.public_id, reason)


def test_the_oldest_open_sheet_comes_first_with_how_it_stands(
    thursday, club_game, new_game, otto, at_most_queries
):
    other = thursday.take_in(new_game(names=("Xenia", "Yves", "Zoe"))[0])
    Sheet.objects.filter(table=other.table).update(
        started_at=timezone.now() - timedelta(days=3), club=thursday.club
    )
    club_game.enter()
    new_game(names=("Una", "Vic", "Wim"))  # of no club
    with at_most_queries(9):
        page = otto.get(thursday.url("open/"))
    assert [line["title"] for line in page.context["open_sheets"]] == [
        "Xenia, Yves and Zoe",
        "Alice, Ben and Cass",
    ]
    assertContains(page, "Ben 2, Alice 0, Cass 0")
    assertContains(page, "1 hand, the last")
    assertContains(page, "no hand yet")
    assertNotContains(page, "Una")


def test_an_organiser_ends_a_match_and_its_phones_say_who(thursday, club_game, otto, alice, ben):
    club_game.enter()
    assertContains(otto.get(url(thursday, club_game, "end")), "Ben 2, Alice 0, Cass 0.")
    fields = at(club_game)
    for _ in range(2):
        assert otto.post(url(thursday, club_game, "end"), fields).status_code == 303
    assert club_game.sheet.state == "banked"
    assert Result.objects.filter(sheet=club_game.sheet).count() == 3
    page = alice.get(club_game.url())
    assertContains(page, "Ben wins with 2")
    assertContains(page, "An organiser ended this match at")
    assertContains(page, "Take back the end")
    # A phone that looks on gets the result in the place of the sheet.
    part = ben.get(club_game.url(), headers={"HX-Request": "true", "HX-Target": "sheet"})
    assertContains(part, "An organiser ended this match at")
    assert_history_tells_the_sheet(club_game)


def test_a_hand_that_came_in_since_asks_again_with_the_new_line(thursday, club_game, otto):
    club_game.enter()
    fields = at(club_game)
    club_game.enter()
    stale = otto.post(url(thursday, club_game, "end"), fields)
    assertContains(stale, "entered hand 2", status_code=409)
    assertContains(stale, "Ben 4, Alice 0, Cass 0.", status_code=409)
    stale = otto.post(url(thursday, club_game, "discard"), fields | {"reason": "Old"})
    assertContains(stale, "entered hand 2", status_code=409)
    assertContains(stale, 'value="Old"', status_code=409)
    assert club_game.sheet.is_open


def test_a_half_hand_keeps_a_match_from_being_ended(thursday, club_game, otto):
    Table.objects.update(own_columns=True)
    players = club_game.players
    after = club_game.enter().public_id
    actions.enter_number(
        club_game.write(), club_game.sheet.public_id, players[0].pk, 2, after=after
    )
    page = otto.get(url(thursday, club_game, "end"))
    assertContains(page, "A hand waits for somebody's number")
    refused = otto.post(url(thursday, club_game, "end"), at(club_game))
    assertContains(refused, "still waits for numbers", status_code=409)
    # Nobody may be there any more to finish it.
    answer = otto.post(url(thursday, club_game, "end"), at(club_game, half="yes"))
    assert answer["Location"] == url(thursday, club_game, "end")
    assertContains(otto.get(answer["Location"]), "Bank this sheet")
    assert otto.post(url(thursday, club_game, "end"), at(club_game)).status_code == 303
    assert (club_game.sheet.state, club_game.totals) == ("banked", [0, 2, 0])
    assert_history_tells_the_sheet(club_game)


def test_a_waiting_hand_of_an_ended_sheet_is_refused_and_kept(thursday, club_game, otto, ben):
    club_game.enter()
    fields = club_game.fields()
    otto.post(url(thursday, club_game, "end"), at(club_game))
    refused = ben.post(club_game.url("hands/new/"), fields, headers={"Outbox": "1"})
    assert (refused.status_code, refused["Refused"]) == (409, "ended")
    assertContains(refused, "An organiser ended this match at", status_code=409)
    assertContains(refused, 'value="320" checked', status_code=409)


def test_discarding_takes_a_reason_and_the_table_is_told(thursday, club_game, otto, alice, ben):
    club_game.enter()
    page = otto.post(url(thursday, club_game, "discard"), at(club_game))
    assertContains(page, "Say why: it stays on record.", status_code=422)
    fields = at(club_game, reason="Played twice")
    waiting = club_game.fields()
    for _ in range(2):
        assert otto.post(url(thursday, club_game, "discard"), fields).status_code == 303
    assert (club_game.sheet.state, Result.objects.count()) == ("discarded", 0)
    result = alice.get(club_game.url())
    assertContains(result, "This sheet was discarded")
    assertContains(result, "An organiser discarded this sheet at")
    assertContains(result, "“Played twice”")
    assertNotContains(result, "No hand was entered")
    assertContains(alice.get(club_game.url("history/")), "discarded the sheet with 1 hand, because")
    refused = ben.post(club_game.url("hands/new/"), waiting)
    assertContains(refused, "An organiser discarded this sheet at", status_code=409)
    member = alice.post(club_game.url(f"{club_game.sheet.public_id}/reopen/"), at(club_game))
    assertContains(member, "Only an organiser can take it up again", status_code=409)
    assert_history_tells_the_sheet(club_game)


def test_a_table_with_earlier_evenings_is_told_what_became_of_the_last(thursday, club_game, alice):
    club_game.enter()
    club_game.end()
    actions.play_again(club_game.write(), ["Alice", "Ben", "Cass"], 0)
    club_game.enter()
    discard(thursday, club_game)
    page = alice.get(club_game.url())
    assertContains(page, "Ben wins with 2")
    assertContains(page, "An organiser discarded the last sheet at")


def test_a_discarded_sheet_is_taken_up_again_as_it_was(thursday, club_game, otto, alice):
    club_game.enter()
    discard(thursday, club_game)
    page = otto.get(thursday.url("open/"))
    assertContains(page, "Take it up again")
    assertContains(page, "Played twice")
    take_up = url(thursday, club_game, "take-up")
    assertContains(otto.get(take_up), "Ben 2, Alice 0, Cass 0.")
    fields = at(club_game, reason="It was not")
    for _ in range(2):
        assert otto.post(take_up, fields).status_code == 303
    assert (club_game.sheet.state, club_game.totals) == ("open", [0, 2, 0])
    history = alice.get(club_game.url("history/"))
    assertContains(history, "took the discarded sheet up again, because: It was not")
    assert_history_tells_the_sheet(club_game)


def test_a_newer_sheet_with_a_hand_is_in_the_way(thursday, club_game, otto):
    club_game.enter()
    discarded = club_game.sheet
    discard(thursday, club_game)
    actions.play_again(club_game.write(), ["Alice", "Ben", "Cass"], 0)
    club_game.enter()
    refused = actions.reopen(thursday.at(club_game.table), discarded.public_id, "Why not")
    assert refused.why == Why.BUSY


def test_an_empty_sheet_that_was_discarded_holds_nothing_to_take_up(thursday, club_game, otto):
    otto.post(url(thursday, club_game, "end"), at(club_game))
    assert club_game.sheet.state == "discarded"
    refused = actions.reopen(thursday.at(club_game.table), club_game.sheet.public_id, "Why not")
    assert refused.why == Why.NOT_BANKED
    assertNotContains(otto.get(thursday.url("open/")), "Take it up again")


def test_a_banked_sheet_is_not_discarded(thursday, club_game):
    club_game.enter()
    club_game.end()
    assert discard(thursday, club_game).why == Why.ENDED


@pytest.mark.parametrize("rest", ["end", "discard", "take-up"])
def test_sheets_of_another_club_are_not_there(thursday, club_game, rest):
    club_game.enter()
    other = a_club("friday", "Friday Club")
    theirs = signed_in(other.otto)
    for club in (thursday, other):
        assert theirs.get(url(club, club_game, rest)).status_code == 404
        answer = theirs.post(url(club, club_game, rest), at(club_game, reason="Mine"))
        assert answer.status_code == 404
    assert discard(thursday, club_game, user=other.otto).why == Why.NOT_AN_ORGANISER
    assert club_game.sheet.is_open


def test_only_organisers_discard_hands(thursday, club_game):
    club_game.enter()
    with pytest.raises(AssertionError):
        actions.discard_sheet(club_game.write(), club_game.sheet.public_id, "Bad cards")
    assert not Change.objects.filter(kind="sheet_discarded").exists()
