"""End match: one question with the final line in it, then the sheet is banked."""

from __future__ import annotations

import datetime
import uuid

import pytest
from pytest_django.asserts import assertContains, assertNotContains

from sheets import actions
from sheets.models import Sheet, SheetState

HTMX = {"HX-Request": "true"}


@pytest.fixture
def url(game):
    return game.url("end/")


def question(game, **changed):
    fields = {"key": str(uuid.uuid4()), "seen": str(game.version), "sheet": game.sheet.public_id}
    return fields | changed


def test_the_question_shows_the_final_line_highest_first(game, alice, url):
    for bidder in (0, 1, 2):
        game.enter(game.played(bidder=bidder, bid=300 + 50 * bidder))
    page = alice.get(url)
    assertContains(page, "<html")
    assertContains(page, "Cass 8, Ben 4, Alice 2.")
    assertContains(page, "Bank this sheet?")
    assertNotContains(page, "uneven")


def test_the_question_as_a_part(game, alice, url):
    game.enter()
    part = alice.get(url, headers=HTMX)
    assertContains(part, '<main id="page">')
    assertNotContains(part, "<html")


@pytest.mark.parametrize(
    ("hands", "said"),
    [
        (2, "2 hands; deals: Alice 2, Ben 0, Cass 0."),
        (3, "3 hands; deals: Alice 3, Ben 0, Cass 0."),
    ],
)
def test_the_question_says_that_the_deals_are_uneven(game, alice, url, hands, said):
    for _ in range(hands):
        game.enter(game.played(dealer=0))
    assertContains(alice.get(url), f"The deals are uneven: {said}")


@pytest.mark.parametrize("hands", [1, 2, 4])
def test_a_round_of_deals_that_is_not_full_yet_is_even_enough(game, alice, url, hands):
    for _ in range(hands):
        game.enter()
    assertNotContains(alice.get(url), "uneven")


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_the_sheet_is_banked_as_it_stands(game, alice, url, headers):
    game.enter()
    answer = alice.post(url, question(game), headers=headers)
    assert (answer.status_code, answer["Location"]) == (303, game.url())
    assert game.sheet.state == SheetState.BANKED
    Sheet.objects.update(ended_at=datetime.datetime(2026, 1, 15, 20, 14, tzinfo=datetime.UTC))
    page = alice.get(game.url(), headers=headers)
    assertContains(page, "Ben wins with 2")
    assertContains(page, "Alice ended this match on 15 January 2026 at 21:14.")
    assertContains(page, "Play again")


@pytest.mark.parametrize("taken_back", [0, 2])
def test_a_sheet_on_which_no_hand_stands_is_discarded(game, alice, url, taken_back):
    for _ in range(taken_back):
        actions.take_back(game.write(), game.enter().public_id)
    page = alice.get(url)
    assertContains(page, "No hand is on the sheet: it is discarded, and nothing is banked.")
    assertContains(page, "Discard it")
    alice.post(url, question(game))
    assert game.sheet.state == SheetState.DISCARDED
    assertContains(alice.get(game.url()), "No hand was entered")
    assertContains(alice.get(game.url("evenings/")), "No sheet of this table has been banked yet.")


@pytest.mark.parametrize(
    ("rows", "headline"),
    [
        ([(0, 2, 0)], "Ben wins with 2"),
        ([(8, 0, 0), (0, 8, 0), (0, 0, 2)], "Tie between Alice and Ben with 8 each"),
        ([(2, 0, 0), (0, 2, 0), (0, 0, 2)], "Tie between Alice, Ben and Cass with 2 each"),
        ([(0, 0, 0)], "No winner: nobody took anything in"),
    ],
)
def test_the_result_fits_what_everybody_took_in(game, alice, url, rows, headline):
    for row in rows:
        game.enter(game.typed(*row))
    alice.post(url, question(game))
    assertContains(alice.get(game.url()), f"<strong>{headline}</strong>")


@pytest.mark.parametrize(
    ("rows", "places"),
    [
        ([(8, 0, 0), (0, 8, 0), (0, 0, 2)], ["1st", "1st", "3rd"]),
        ([(2, 0, 0), (0, 8, 0), (0, 0, 2)], ["2nd", "1st", "2nd"]),
        ([(0, 2, 0), (4, 0, 4)], ["1st", "3rd", "1st"]),
    ],
)
def test_equal_totals_share_a_place(game, alice, url, rows, places):
    for row in rows:
        game.enter(game.typed(*row))
    alice.post(url, question(game))
    page = alice.get(game.url()).content.decode()
    notes = [part.split("<")[0].strip() for part in page.split('<span class="note">')[1:]]
    assert notes == places


def test_no_places_are_shown_where_nobody_won(game, alice, url):
    game.enter(game.passed())
    alice.post(url, question(game))
    assertNotContains(alice.get(game.url()), "1st")


def test_two_taps_end_it_once(game, alice, url):
    game.enter()
    fields = question(game)
    assert [alice.post(url, fields).status_code for _ in range(2)] == [303, 303]
    assert game.sheet.changes.filter(kind="sheet_banked").count() == 1


def test_two_phones_that_end_it_get_one_result(game, alice, ben, url):
    game.enter()
    asked = [question(game), question(game)]
    assert alice.post(url, asked[0]).status_code == 303
    answer = ben.post(url, asked[1])
    assert (answer.status_code, answer["Location"]) == (303, game.url())
    assertContains(ben.get(game.url()), "Alice ended this match at")
    assert game.sheet.changes.filter(kind="sheet_banked").count() == 1


def test_a_question_left_open_does_not_end_the_next_sheet(game, alice, ben, url):
    game.enter()
    fields = question(game)
    game.end(game.ben)
    actions.play_again(game.write(game.ben), ["Alice", "Ben", "Cass"], 0)
    game.enter()
    assert alice.post(url, fields).status_code == 303
    assert game.sheet.is_open


def test_the_question_of_an_ended_match_leads_to_its_result(game, alice, url):
    game.enter()
    game.end()
    answer = alice.get(url)
    assert (answer.status_code, answer["Location"]) == (303, game.url())


@pytest.mark.parametrize("verb", ["enter", "edit", "take back", "put back"])
def test_a_hand_changed_meanwhile_asks_again_with_the_new_line(game, alice, url, verb):
    first, other = game.enter(), game.enter()
    if verb == "put back":
        actions.take_back(game.write(), other.public_id)
    fields = question(game)
    ben = game.write(game.ben)
    if verb == "enter":
        game.enter(game.played(bid=350), game.ben)
        told, line = "Ben entered hand 3", "Ben 8, Alice 0, Cass 0."
    elif verb == "edit":
        actions.edit_hand(ben, first.public_id, game.played(outcome="set"))
        told, line = "Ben changed hand 1", "Alice 2, Ben 2, Cass 2."
    elif verb == "take back":
        actions.take_back(ben, first.public_id)
        told, line = "Ben took back hand 1", "Ben 2, Alice 0, Cass 0."
    else:
        actions.put_back(ben, other.public_id)
        told, line = "Ben put back hand 2", "Ben 4, Alice 0, Cass 0."
    page = alice.post(url, fields)
    assertContains(page, told, status_code=409)
    assertContains(page, line, status_code=409)
    assertContains(page, "<html", status_code=409)
    assert game.sheet.is_open
    fields |= {"seen": str(game.version)}
    assertContains(page, f'name="seen" value="{game.seen}"', status_code=409)
    assert alice.post(url, fields).status_code == 303
    assert not game.sheet.is_open


def test_a_question_asked_again_as_a_part(game, alice, url):
    fields = question(game)
    game.enter(phone=game.ben)
    part = alice.post(url, fields, headers=HTMX)
    assertContains(part, "Ben entered hand 1", status_code=409)
    assertNotContains(part, "<html", status_code=409)


def test_my_own_hand_does_not_ask_again(game, alice, url):
    fields = question(game)
    game.enter()
    assert alice.post(url, fields).status_code == 303


@pytest.mark.parametrize("lost", ["key", "seen", "sheet"])
def test_a_form_that_lost_a_part_says_so_and_ends_nothing(game, alice, url, lost):
    game.enter()
    fields = question(game)
    del fields[lost]
    page = alice.post(url, fields)
    assertContains(page, "Part of this form was missing.", status_code=422)
    assert game.sheet.is_open


def test_a_used_key_ends_nothing(game, alice, url):
    row = game.enter()
    page = alice.post(url, question(game, key=str(row.public_id)))
    assertContains(page, "This form has saved that already.", status_code=422)
    assert game.sheet.is_open
    assert alice.post(url, page.context["form"].data).status_code == 303


@pytest.mark.parametrize("sheet", ["nonsense", "x" * 22])
def test_a_sheet_that_is_not_there_ends_nothing(game, alice, url, sheet):
    game.enter()
    alice.post(url, question(game, sheet=sheet))
    assert game.sheet.is_open


def test_the_banked_sheet_still_shows_its_hands(game, alice, url):
    game.enter()
    sheet = game.sheet
    alice.post(url, question(game))
    page = alice.get(sheet.get_absolute_url())
    assertContains(page, "Ben wins with 2")
    assert [line.cells for line in page.context["lines"]] == [("0", "2", "0")]
    assertNotContains(page, "Enter hand")
    assertNotContains(page, "End match")
