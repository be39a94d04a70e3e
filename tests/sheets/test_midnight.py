"""An evening that goes on past midnight is one evening, wherever its day is written."""

from __future__ import annotations

import datetime
import html
import re
import zoneinfo

import pytest
from django.utils import timezone

from sheets import evenings, queries
from sheets.models import Change, Round, Sheet
from tests.sheets import clubs
from tests.sheets.conftest import client_of

DAY = datetime.date(2026, 12, 31)


@pytest.fixture
def clock(monkeypatch):
    """Set what time it is."""

    def say(moment):
        monkeypatch.setattr(timezone, "now", lambda: moment.astimezone(datetime.UTC))

    return say


def text_of(page):
    assert page.status_code == 200
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page.content.decode())).split())


def new_years_eve(game, clock, zone):
    """Play from 20:00 to 00:20 and end the match ten minutes later."""
    for minutes in (0, 130, 260):
        game.enter()
        at = datetime.datetime(2026, 12, 31, 20, tzinfo=zone) + datetime.timedelta(minutes=minutes)
        Round.objects.filter(pk=game.standing[-1].pk).update(entered_at=at)
    Sheet.objects.filter(pk=game.sheet.pk).update(
        started_at=datetime.datetime(2026, 12, 31, 20, tzinfo=zone)
    )
    Change.objects.filter(table=game.table).update(
        at=datetime.datetime(2027, 1, 1, 0, 20, tzinfo=zone)
    )
    clock(datetime.datetime(2027, 1, 1, 0, 30, tzinfo=zone))


@pytest.mark.parametrize("name", ["Europe/Berlin", "Pacific/Auckland", "America/Los_Angeles"])
def test_a_match_past_midnight_is_that_evenings_at_a_table_of_no_club(new_game, clock, name):
    zone = zoneinfo.ZoneInfo(name)
    game, secret, _ben = new_game(time_zone=name)
    alice = client_of(secret)
    new_years_eve(game, clock, zone)
    assert "31 December 2026" in text_of(alice.get(game.url(f"{game.sheet.public_id}/paper/")))
    game.end()
    sheet = Sheet.objects.get(pk=game.sheet.pk)
    assert queries.evening(sheet) == DAY
    # That night this year is still the old one; the end was at a time of this evening.
    pages = {
        "earlier evenings": (game.url("evenings/"), "31 December 2026"),
        "print": (game.url(f"{sheet.public_id}/paper/"), "31 December 2026"),
        "home": ("/", "banked 31 Dec"),
        "result": (game.url(), "Alice ended this match at 00:30"),
        "history": (game.url("history/"), "1 Jan 2027 00:20"),
    }
    for where, (address, said) in pages.items():
        text = text_of(alice.get(address))
        assert said in text, (where, text)
    clock(datetime.datetime(2027, 1, 1, 20, tzinfo=zone))
    pages["home"] = ("/", "banked 31 Dec 2026")
    pages["result"] = (game.url(), "Alice ended this match on 1 January 2027 at 00:30")
    pages["history"] = (game.url("history/"), "1 Jan 00:20")
    for where, (address, said) in pages.items():
        text = text_of(alice.get(address))
        assert said in text, (where, text)


def test_a_club_has_the_same_evening_and_its_tables_go_by_its_clock(new_game, thursday, clock):
    game, _alice, _ben = new_game(time_zone="America/Los_Angeles")
    thursday.take_in(game)
    zone = thursday.club.zone
    new_years_eve(game, clock, zone)
    game.end()
    sheet = Sheet.objects.get(pk=game.sheet.pk)
    clock(datetime.datetime(2027, 1, 1, 20, tzinfo=zone))
    assert game.table.zone == zone
    assert queries.evening(sheet) == thursday.club.evening(sheet.played_at) == DAY
    mara = clubs.signed_in(thursday.mara)  # under this clock: a session ends after two weeks
    table = thursday.url(f"tables/{game.table.public_id}/")
    pages = {
        "front": (thursday.url(), "Thursday 31 December 2026: 1 sheet banked"),
        "inbox": (thursday.url("sheets/"), "Thu 31 Dec 2026"),
        "sheet": (thursday.url(f"sheets/{sheet.public_id}/"), "Thursday 31 December 2026"),
        "print": (thursday.url(f"sheets/{sheet.public_id}/paper/"), "31 December 2026"),
        "seats": (thursday.url(f"sheets/{sheet.public_id}/people/"), "31 December 2026"),
        "table": (table, "31 Dec 2026"),
        "tables": (thursday.url("tables/"), "last started 31 Dec 2026"),
    }
    for where, (address, said) in pages.items():
        text = text_of(mara.get(address))
        assert said in text, (where, text)


def test_a_forgotten_hand_or_a_correction_of_the_next_day_moves_no_evening(game):
    first = game.enter()
    last = game.enter()
    entered = datetime.datetime(2026, 12, 31, 23, tzinfo=datetime.UTC)
    Round.objects.filter(pk__in=[first.pk, last.pk]).update(entered_at=entered)
    game.enter(before=last.public_id)
    game.enter(game.correction(0, 1, 0))
    game.end()
    assert game.sheet.played_at == entered


@pytest.mark.parametrize(
    ("moment", "evening"),
    [
        ("2026-12-31 06:00", "2026-12-31"),
        ("2026-12-31 20:00", "2026-12-31"),
        ("2027-01-01 00:20", "2026-12-31"),
        ("2027-01-01 05:59", "2026-12-31"),
        ("2027-01-01 06:00", "2027-01-01"),
        ("2026-10-25 02:30", "2026-10-24"),  # the hour that comes twice
    ],
)
def test_an_evening_lasts_until_six_in_the_morning(moment, evening):
    zone = zoneinfo.ZoneInfo("Europe/Berlin")
    at = datetime.datetime.fromisoformat(moment).replace(tzinfo=zone)
    assert str(evenings.evening(at, zone)) == evening
    assert evenings.begins(datetime.date.fromisoformat(evening), zone) <= at


def test_a_year_is_written_where_it_is_not_this_one(clock):
    clock(datetime.datetime(2027, 1, 1, 3, tzinfo=datetime.UTC))  # of the evening of 31 December
    said = [(DAY, "31 Dec"), (datetime.date(2027, 1, 1), "1 Jan 2027")]
    for day, written in said:
        assert evenings.written(day, "j M") == written
