"""`manage.py purge`: what nobody has played at for long goes; and every table's page says when."""

from __future__ import annotations

import datetime
import io

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains

from sheets import actions, lifetimes
from sheets.models import Change, Table

NAMES = ("Ann", "Bob", "Cid")


def purge(*options):
    out = io.StringIO()
    call_command("purge", *options, stdout=out)
    return out.getvalue()


def quiet_for(game, days):
    """Make it as if the last change at the table had been so many days ago."""
    long = datetime.timedelta(days=days)
    Change.objects.filter(table=game.table).update(at=timezone.now() - long)
    Table.objects.filter(pk=game.table.pk).update(created_at=timezone.now() - long)


@pytest.fixture
def games(new_game):
    """A table that is due, with a hand and an end, and one that is not."""
    due, *_ = new_game()
    due.enter()
    due.end()
    quiet_for(due, 401)
    fresh, *_ = new_game(NAMES)
    quiet_for(fresh, 399)
    return due, fresh


def test_a_dry_run_says_what_would_go_and_deletes_nothing(games, settings):
    due, fresh = games
    said = purge()
    day = due.table.evening(timezone.now() - datetime.timedelta(days=401))
    assert f"{settings.SHARED_URL}{due.url()}  started {day}, last change {day}" in said
    assert "sheets: 1, hands: 1, phones: 2" in said
    assert fresh.table.public_id not in said
    assert "1 table would be deleted" in said
    assert "Nothing is deleted yet" in said
    assert Table.objects.count() == 2


def test_nothing_of_a_club_goes(games, thursday):
    due, _fresh = games
    assert lifetimes.purged_on(due.table) is not None
    thursday.take_in(due)
    assert due.table.public_id not in purge("--delete")
    assert not actions.purge_table(due.table.pk, timezone.now())
    assert lifetimes.purged_on(due.table) is None
    assert Table.objects.count() == 2


@pytest.mark.on_postgresql
def test_told_to_it_deletes_them_and_says_how_many(games):
    due, fresh = games
    said = purge("--delete")
    assert due.table.public_id in said
    assert "1 table deleted" in said
    assert list(Table.objects.all()) == [fresh.table]
    assert "0 tables deleted" in purge("--delete")


@pytest.mark.parametrize("days", [30, 1000])
def test_the_days_are_a_setting(games, settings, days):
    settings.PURGE_AFTER_DAYS = days
    assert ("2 tables would be deleted" in purge()) is (days == 30)


def test_0_days_keep_tables_for_good(games, settings, started):
    settings.PURGE_AFTER_DAYS = 0
    with pytest.raises(CommandError, match="kept for good"):
        purge("--delete")
    assert lifetimes.purged_on(games[0].table) is None


def test_a_table_without_a_hand_lives_from_its_start(new_game):
    game, *_ = new_game()
    quiet_for(game, 401)
    assert "hands: 0" in purge()


@pytest.mark.on_postgresql
def test_any_change_counts_as_life(games):
    due, _fresh = games
    actions.play_again(due.write(), ("Alice", "Ben", "Cass"), 0)
    assert "0 tables would be deleted" in purge()


@pytest.mark.on_postgresql
def test_it_looks_again_under_the_lock(games):
    due, _fresh = games
    cutoff = timezone.now() - datetime.timedelta(days=400)
    ((found, _last),) = lifetimes.unused_since(cutoff)
    actions.play_again(due.write(), ("Alice", "Ben", "Cass"), 0)
    assert actions.purge_table(found.pk, cutoff) is False
    assert Table.objects.count() == 2
    assert actions.purge_table(987_654, cutoff) is False


@pytest.mark.parametrize("days", [400, 0])
def test_result_history_and_privacy_say_when(game, alice, settings, days):
    settings.PURGE_AFTER_DAYS = days
    game.enter()
    game.end()
    Change.objects.update(at=datetime.datetime(2026, 11, 30, 23, 30, tzinfo=datetime.UTC))
    for page in ("", "history/", "privacy/"):
        answer = alice.get(game.url(page))
        # 400 days later, on the clock of Berlin.
        sentence = "This table is deleted on 5 January 2028 unless somebody plays before."
        (assertContains if days else assertNotContains)(answer, sentence)
