"""`manage.py demo`: made-up evenings stored in bulk are what hands entered one by one are."""

from __future__ import annotations

import io

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from sheets import queries, rows, seats
from sheets.models import Change, Club, Entry, Player, Round, RoundKind, Sheet
from sheets.reckoning import lines_of

# PostgreSQL is filled over two connections, which a test's own transaction would keep apart.
pytestmark = pytest.mark.django_db(transaction=connection.vendor == "postgresql")


def made(sheets=30, **options):
    call_command("demo", sheets=sheets, stdout=io.StringIO(), **options)
    return Club.objects.get(slug=options.get("slug", "demo"))


@pytest.fixture
def club():
    return made()


def test_there_are_as_many_banked_sheets_as_were_asked_for(club):
    assert club.sheets.filter(state="banked").count() == Sheet.objects.count() == 30
    assert club.organisers.get().is_owner
    assert club.seasons.exists()


def test_every_hand_comes_to_what_the_rules_give(club):
    seen = 0
    for sheet in club.sheets.all():
        sheet, players = queries.again(sheet)
        for line in lines_of(sheet, players):
            if line.round.kind == RoundKind.PLAYED:
                assert rows.settlement(line).entries == line.units
                seen += 1
    assert seen > 500


def test_the_totals_are_those_of_the_columns(club):
    for player in Player.objects.all():
        assert player.total == sum(player.entries.values_list("units", flat=True))


@pytest.mark.on_postgresql
def test_results_and_oddities_are_those_of_sheets_that_were_banked(club):
    assert {" short ", " by_no_rule "} <= set(club.sheets.values_list("oddities", flat=True))
    said = io.StringIO()
    call_command("results", check=True, stdout=said)
    assert "30 banked sheets of clubs looked at, 0 different." in said.getvalue()


def test_each_sheet_has_one_line_of_history_and_every_table_its_version(club):
    assert set(Change.objects.values_list("kind", flat=True)) == {"sheet_imported"}
    assert Change.objects.count() == 30
    for table in club.tables.all():
        assert table.version == table.changes.count()


def test_the_deal_goes_round_and_the_next_hand_is_known(club):
    sheet, players = queries.again(club.sheets.first())
    dealers = list(sheet.rounds.values_list("dealer__place", flat=True))
    assert dealers == [n % len(players) for n in range(len(dealers))]
    assert queries.where_next(sheet, players).dealer in seats.now(players)


def test_the_same_seed_makes_the_same_evenings(club):
    def hands(of):
        return list(
            Round.objects.filter(sheet__club=of)
            .order_by("pk")
            .values_list("kind", "bid", "trump", "outcome")
        )

    again, other = made(slug="again"), made(slug="other", seed=2)
    assert hands(again) == hands(club)
    assert hands(other) != hands(club)


def test_a_club_that_is_there_stays_as_it_is(club):
    with pytest.raises(CommandError, match="choose a --slug"):
        made()
    assert Club.objects.count() == 1
    assert Entry.objects.count() == 3 * Round.objects.count()
