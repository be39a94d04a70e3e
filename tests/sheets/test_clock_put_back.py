"""The clock goes back an hour: what was played later is still later."""

from __future__ import annotations

import datetime

from django.db.models import F
from pytest_django.asserts import assertContains, assertNotContains

from sheets import actions, lifetimes, queries
from sheets.models import Change, Member, Round, Sheet

HOUR = datetime.timedelta(hours=1)


def put_back():
    """Let everything have happened an hour later than it did: that is what the clock says now."""
    for name in ("started_at", "ended_at", "played_at"):
        Sheet.objects.update(**{name: F(name) + HOUR})
    Round.objects.update(entered_at=F("entered_at") + HOUR)
    Change.objects.update(at=F("at") + HOUR)


def test_the_last_result_is_that_of_the_match_that_was_ended_last(game, alice):
    game.enter()
    game.end()
    first = game.sheet
    put_back()
    actions.play_again(game.write(), ["Alice", "Ben", "Cass"], 1)
    second = Sheet.objects.get(state="open")
    game.enter()
    game.end()
    assert queries.latest_sheet(game.table)[0] == second
    assert [sheet for sheet, _players in queries.evenings(game.table)] == [second, first]
    [home] = queries.tables_of(game.alice)
    assert home.sheet == second
    assertContains(alice.get(game.url()), "Take back the end")
    assertNotContains(alice.get(game.url(f"{first.public_id}/")), "Take back the end")
    actions.play_again(game.write(), ["Alice", "Ben", "Cass"], 1)
    assert list(queries.best_first(game.table.sheets.all()))[1:] == [second, first]


def test_the_phone_that_asked_first_comes_first(game):
    actions.agree_to_delete(game.write(game.ben))
    Member.objects.filter(phone=game.ben).update(agreed_to_delete_at=F("joined_at") + HOUR)
    third = "c" * 64
    Member.objects.create(table=game.table, phone=third, number=3)
    actions.agree_to_delete(game.write())
    assert [phone.number for phone in lifetimes.asked_to_delete(game.table).agree] == [2, 1]
