"""Three seats and many people: whoever left has a place, a line and a total like everybody."""

from __future__ import annotations

import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains

from rules.auction import Fourth, HouseRules
from sheets import queries, seats
from sheets.models import Result
from tests.sheets import files
from tests.sheets.clubs import a_club, signed_in
from tests.sheets.conftest import client_of
from tests.sheets.posting import opened
from tests.sheets.sitting import at_table, columns, enter, leave, saved

TEN = ("Alice", "Ben", "Cass", "Dana", "Erin", "Fay", "Gustav", "Hugo", "Inge", "Jonas")


def type_a_row(client, game, *units):
    """Post a row of numbers, and once more where the form asks whether it is right."""
    columns_now = seats.scoring(at_table(game))
    typed = {f"units_{p.pk}": str(n) for p, n in zip(columns_now, units, strict=True)}
    answer = {"bidder": None, "bid": None, "trump": None, "outcome": None}
    fields = game.fields(by="numbers", **answer, **typed)
    page = client.post(game.url("hands/new/"), fields)
    if page.status_code == 422:
        sure = page.context["form"]["sure"].value()
        page = client.post(game.url("hands/new/"), fields | {"sure": sure})
    assert page.status_code == 303


def change_places(client, game, gone, came):
    player = next(one for one in at_table(game) if one.name == gone)
    fields = opened(client, game.url("leave/")) | {"player": str(player.pk), "name": came}
    assert client.post(game.url("leave/"), fields).status_code == 303


@pytest.mark.on_postgresql
def test_a_fifth_name_on_a_sheet_has_the_fifth_place(game, alice):
    type_a_row(alice, game, 9, 0, 7)
    change_places(alice, game, "Ben", "Erin")
    type_a_row(alice, game, 0, 3, 0)
    change_places(alice, game, "Cass", "Fay")
    type_a_row(alice, game, 0, 0, 2)
    ended = alice.post(game.url("end/"), opened(alice, game.url("end/")))
    assert ended.status_code == 303
    page = alice.get(ended["Location"])
    assertContains(page, "Alice wins with 9")
    assertContains(page, "Ben left with 0 (5th).")
    assertContains(page, "Cass left with 7 (2nd).")
    places = {one.player.name: one.place for one in page.context["standings"]}
    assert places == {"Alice": 1, "Cass": 2, "Erin": 3, "Fay": 4, "Ben": 5}
    assertContains(alice.get(game.url()), "Alice wins with 9")


@pytest.mark.parametrize("four", [False, True])
def test_ten_people_in_turn_are_on_every_page_and_in_every_file(new_game, four):
    house = HouseRules(fourth=Fourth.COLUMN) if four else HouseRules()
    club, other = a_club(), a_club("friday", "Friday Club")
    started, secret, _ben = new_game(TEN[: 3 + four], house=house)
    game = club.take_in(started)
    phone = client_of(secret)
    for n in range(len(TEN)):
        sitter = queries.where_next(game.sheet, game.players).sitter
        bidder = next(one for one in at_table(game) if one != sitter)
        enter(game, bidder.name, bid=(300, 350, 400)[n % 3])
        if n + 3 + four < len(TEN):
            saved(leave(game, at_table(game)[n % (3 + four)].name, TEN[n + 3 + four]))
    game.end()
    assert set(columns(game)) == set(TEN)
    of_sheet = game.url(f"{game.sheet.public_id}/")
    for address in (game.url(), of_sheet, *(of_sheet + p for p in ("paper/", "settle/", "chart/"))):
        page = phone.get(address)
        assert [name for name in TEN if name not in page.content.decode()] == [], address
    for address in ("history/", "evenings/", "again/"):
        assert phone.get(game.url(address)).status_code == 200
    result = phone.get(game.url())
    last = max(one.place for one in result.context["standings"])
    assert last > 4
    watched = reverse("sheets:watch", args=[game.table.watch_id])
    assertContains(phone.get(watched), result.context["headline"])
    _is_in_the_club(club, other, game)


def _is_in_the_club(club, other, game):
    """See the sheet in the club's pages and files, and bring the files into another club."""
    club.match_all()
    organiser = signed_in(club.otto)
    for address in (f"sheets/{game.sheet.public_id}/", f"sheets/{game.sheet.public_id}/paper/"):
        page = organiser.get(club.url(address))
        assert [name for name in TEN if name not in page.content.decode()] == [], address
    for address in ("", "sheets/", "standings/", "people/", "history/"):
        assert organiser.get(club.url(address)).status_code == 200
    assert b"".join(organiser.get(club.url("files/hands.xlsx")).streaming_content)
    before, kept = columns(game), Result.objects.count()
    assert kept == len(TEN)
    for data in (files.hands_file(club.club), files.club_file(club.club)):
        files.empty()
        files.brought(other, data)
        brought = other.club.sheets.get()
        assert {p.name: p.total for p in seats.scoring(list(brought.players.all()))} == before
        assert Result.objects.count() == len(TEN)
