"""`manage.py results`: results and oddities made again, which changes nothing that was right."""

from __future__ import annotations

import io

import pytest
from django.core.management import call_command

from sheets import actions, inbox
from sheets.models import Change, Result, Sheet


def run(*args):
    out = io.StringIO()
    call_command("results", *args, stdout=out)
    return out.getvalue().strip()


def kept():
    figures = [field.attname for field in Result._meta.concrete_fields if field.name != "id"]
    results = Result.objects.order_by("sheet", "person").values_list(*figures)
    return list(results), list(Sheet.objects.order_by("pk").values_list("pk", "oddities"))


@pytest.fixture
def evenings(club_game, thursday, new_game):
    """Two banked sheets of the club, one of them corrected, an open one, and one of no club."""
    club_game.enter()
    club_game.enter(club_game.typed(3, 0, 0))
    club_game.end()
    row = club_game.standing[0]
    at = thursday.at(club_game.table)
    actions.correct_hand(at, row.public_id, club_game.played(0), reason="Alice bid it")
    actions.play_again(club_game.write(), ["Alice", "Ben", "Cass"], 1)
    club_game.enter()
    club_game.end()
    actions.play_again(club_game.write(), ["Alice", "Ben", "Cass"], 1)
    club_game.enter()
    other, *_ = new_game(("Dora", "Emil", "Fay"))
    other.enter()
    other.end()
    return club_game


def test_what_is_right_stays_as_it_is(evenings):
    before, version = kept(), evenings.version
    assert len(before[0]) == 6
    assert run() == "2 banked sheets of clubs looked at, 0 different."
    assert run() == "2 banked sheets of clubs looked at, 0 different."
    assert kept() == before
    assert evenings.version == version


def test_what_is_wrong_is_made_again(evenings):
    before, changes = kept(), Change.objects.count()
    for spoil in (
        lambda: Result.objects.filter(pk=Result.objects.first().pk).update(units=1_000_000),
        lambda: Result.objects.first().delete(),
        lambda: Sheet.objects.filter(pk=before[1][0][0]).update(oddities=" late "),
    ):
        spoil()
        wrong = kept()
        assert run("--check") == "2 banked sheets of clubs looked at, 1 different."
        assert kept() == wrong
        assert run() == "2 banked sheets of clubs looked at, 1 different: made again."
        assert kept() == before
        assert Change.objects.count() == changes


def test_results_that_should_not_be_go(evenings):
    banked = Sheet.objects.filter(club__isnull=False, state="banked").first()
    Sheet.objects.filter(pk=banked.pk).update(club=None)
    assert run() == "2 banked sheets of clubs looked at, 1 different: made again."
    assert not banked.results.exists()
    banked.refresh_from_db()
    assert banked.oddities == ""


def test_it_walks_all_of_them_in_batches(evenings, monkeypatch):
    monkeypatch.setattr(inbox, "_BATCH", 1)
    assert run("--check").startswith("2 banked sheets")


def test_a_sheet_that_was_deleted_meanwhile_is_passed_over(evenings):
    assert actions.remake_results(1_000_000) is False
