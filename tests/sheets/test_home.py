"""Home: the tables of this phone, and the way to one by its code."""

from __future__ import annotations

import datetime

import pytest
from django.test import Client
from django.utils.html import escape
from pytest_django.asserts import assertContains, assertNotContains

from sheets.models import Sheet, Table

HTMX = {"HX-Request": "true"}
NO_SUCH_CODE = "No table has this code. Ask somebody at the table to read it out again."


@pytest.fixture
def code(game):
    Table.objects.update(code="AB01K9")
    return "AB01K9"


def test_home_offers_a_stranger_to_start_or_join_and_lists_no_tables(game, client):
    page = client.get("/")
    assertContains(page, "<html")
    assertContains(page, "Start a table")
    assertContains(page, "Join with a code")
    assertNotContains(page, "My tables")
    assertNotContains(page, "Alice")


def test_home_as_a_part(alice):
    part = alice.get("/", headers=HTMX)
    assertContains(part, '<main id="page">')
    assertNotContains(part, "<html")
    assertContains(part, "Alice, Ben and Cass")


def test_home_lists_the_tables_of_this_phone_with_their_state(game, alice):
    page = alice.get("/")
    assertContains(page, "Alice, Ben and Cass")
    assertContains(page, "sheet open")
    game.enter()
    game.end()
    assertContains(alice.get("/"), "banked")


def test_a_table_is_listed_by_its_name_once_it_has_one(game, alice):
    Table.objects.update(name="Thursday table")
    page = alice.get("/")
    assertContains(page, "Thursday table")
    assertNotContains(page, "Alice, Ben and Cass")


def test_the_table_played_at_last_comes_first(new_game):
    _, secret, _ = new_game(["Ann", "Bob", "Cid"])
    phone = Client()
    phone.cookies["phone"] = secret
    fields = {"key": "0b3b1c9e-5b1f-4b4e-9c39-2f6f1f7a0001", "seen": "0", "time_zone": "UTC"}
    fields |= {"name_0": "Dan", "name_1": "Eve", "name_2": "Fay"}
    phone.post("/tables/new/", fields | {"first_dealer": "0", "this_phone": "0"})
    page = phone.get("/").content.decode()
    assert page.index("Dan, Eve and Fay") < page.index("Ann, Bob and Cid")


def test_home_lists_no_table_of_another_phone(new_game, alice):
    new_game(["Ann", "Bob", "Cid"])
    assertNotContains(alice.get("/"), "Ann, Bob and Cid")


def test_a_table_whose_only_sheet_was_discarded_is_still_found(game, alice):
    game.end()
    assertContains(alice.get("/"), "Alice, Ben and Cass")


def test_a_sheet_was_banked_on_the_evening_it_was_at_the_table(game, alice):
    game.enter()
    game.end()
    late = datetime.datetime(2025, 3, 2, 4, 30, tzinfo=datetime.UTC)  # half past five there
    Sheet.objects.update(played_at=late, ended_at=late)
    assertContains(alice.get("/"), "banked 1 Mar 2025")


@pytest.mark.parametrize(
    "typed",
    ["AB01K9", "ab01k9", " ab01k9 ", "AB0 1K9", "AB-01-K9", "ABOIK9", "abolk9", "ＡＢ０１Ｋ９"],
)
def test_a_code_is_forgiven_how_it_was_typed(client, code, typed):
    answer = client.post("/join/", {"code": typed})
    assert answer.status_code == 303
    page = client.get(answer["Location"])
    assertContains(page, "Join Alice, Ben and Cass")


@pytest.mark.parametrize("typed", ["ZZZZZZ", "AB01K", "AB01K99", "UUUUUU", "", "   ", "😀", "<b>"])
def test_a_wrong_code_is_refused_in_words_and_kept(client, code, typed):
    page = client.post("/join/", {"code": typed})
    assertContains(page, NO_SUCH_CODE, status_code=422)
    assertContains(page, "<html", status_code=422)
    if kept := typed.strip():
        assertContains(page, f'value="{escape(kept)}"', status_code=422)


def test_a_code_that_is_far_too_long_is_refused_and_kept(client, code):
    page = client.post("/join/", {"code": "7" * 41})
    assertContains(page, 'role="alert"', status_code=422)
    assertContains(page, "7" * 41, status_code=422)


def test_a_wrong_code_as_a_part_keeps_the_list_of_tables(alice, code):
    part = alice.post("/join/", {"code": "ZZZZZZ"}, headers=HTMX)
    assertContains(part, NO_SUCH_CODE, status_code=422)
    assertContains(part, "My tables", status_code=422)
    assertNotContains(part, "<html", status_code=422)


def test_a_refused_code_leaves_an_address_that_can_be_loaded_again(client):
    # The address bar then says /join/, and a phone that wakes up loads it again.
    answer = client.get("/join/")
    assert (answer.status_code, answer.get("Location")) == (303, "/")


def test_typing_a_code_alone_makes_nobody_a_member(game, client, code):
    client.post("/join/", {"code": code})
    assert game.table.members.count() == 2
    assert client.get(game.url()).status_code == 404
