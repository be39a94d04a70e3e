"""Confirm: somebody in another seat says that a hand is right."""

from __future__ import annotations

import uuid

import pytest
from pytest_django.asserts import assertContains, assertNotContains

from sheets import actions, codes
from sheets.actions import Why
from sheets.models import Change, Member, Sheet
from sheets.seen import Seen
from tests.sheets.conftest import client_of
from tests.sheets.posting import opened

HTMX = {"HX-Request": "true"}


@pytest.fixture
def game(game):
    saved(actions.change_settings(game.write(), False, True))
    return game


def saved(answer):
    assert isinstance(answer, actions.Saved), answer
    return answer


def refused(answer, why):
    assert isinstance(answer, actions.Refused), answer
    assert answer.why == why


def confirm(game, row, phone, **write):
    return actions.confirm_hand(game.write(phone, **write), row.public_id)


def confirmed(row):
    row.refresh_from_db()
    return row.confirmed_by and str(row.confirmed_by)


def third_phone(game, seat=None):
    secret = codes.new_phone()
    person = None if seat is None else game.players[seat].person_id
    saved(actions.join(game.write(codes.phone_hash(secret)), person))
    return codes.phone_hash(secret), client_of(secret)


def url(game, row, rest=""):
    return game.url(f"hands/{row.public_id}/{rest}")


# Asking.


def test_another_seat_is_asked_and_the_one_that_entered_it_is_not(game, alice, ben):
    row = game.enter(game.played(bid=350, trump="spades", outcome="set"))
    asked = "Alice entered hand 1: Ben 350 spades set (8 · 0 · 8)."
    page = ben.get(game.url())
    assertContains(page, asked)
    assertContains(page, url(game, row, "confirm/"))
    page = alice.get(game.url())
    assertNotContains(page, asked)
    for looker in (alice, ben):
        assertContains(looker.get(game.url()), '<span class="todo">to confirm</span>', count=1)


def test_the_card_is_part_of_what_live_updates_replace(game, ben):
    row = game.enter()
    part = ben.get(game.url(), headers=HTMX | {"HX-Target": "sheet"})
    assertContains(part, url(game, row, "confirm/"))
    assertNotContains(part, '<main id="page">')


def test_the_newest_is_asked_first_and_the_rest_are_counted(game, ben):
    rows = [game.enter() for _ in range(3)]
    page = ben.get(game.url())
    assertContains(page, url(game, rows[2], "confirm/"))
    assertNotContains(page, url(game, rows[1], "confirm/"))
    assertContains(page, "2 more wait for your word.")


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_one_tap_confirms(game, alice, ben, headers):
    row = game.enter()
    posted = game.fields()
    answer = ben.post(url(game, row, "confirm/"), posted, headers=headers)
    assert (answer.status_code, answer["Location"]) == (303, game.url())
    assert confirmed(row) == "Ben"
    assertNotContains(alice.get(game.url()), "to confirm")
    assertContains(alice.get(url(game, row)), "Ben has confirmed it.")
    assertContains(alice.get(game.url("history/")), "confirmed hand 1: Ben 320 hearts made")
    assert ben.post(url(game, row, "confirm/"), posted).status_code == 303


def test_what_two_phones_confirm_at_once_is_confirmed_once(game):
    row = game.enter()
    third, _browser = third_phone(game, 2)
    seen = game.version
    saved(confirm(game, row, game.ben, seen=seen))
    assert saved(confirm(game, row, third, seen=seen)).repeated
    assert Change.objects.filter(kind="hand_confirmed").count() == 1
    assert confirmed(row) == "Ben"


def test_the_page_of_a_hand_offers_it_to_another_seat_only(game, alice, ben):
    row = game.enter()
    assertContains(ben.get(url(game, row)), "Right: confirm it")
    page = alice.get(url(game, row))
    assertNotContains(page, "Right: confirm it")
    assertContains(page, "Somebody in another seat")


# Refusing.


def test_the_seat_that_entered_it_is_refused(game, alice):
    row = game.enter()
    page = alice.post(url(game, row, "confirm/"), game.fields())
    assertContains(page, "entered or changed from your own seat", status_code=409)
    assert confirmed(row) is None


def test_a_second_phone_of_the_same_seat_is_refused(game):
    row = game.enter()
    second, _browser = third_phone(game, 0)
    # The seat is in use, so the others were asked.
    actions.answer_seat(game.write(game.ben), 3, game.players[0].person_id, True)
    refused(confirm(game, row, second), Why.SAME_SEAT)


def test_the_phone_that_entered_it_is_refused_in_whatever_seat_it_says_to_be(game):
    row = game.enter()
    actions.join(game.write(), game.players[2].person_id)
    refused(confirm(game, row, game.alice), Why.SAME_SEAT)


def test_a_phone_without_a_seat_is_refused(game):
    row = game.enter()
    phone, browser = third_phone(game)
    page = browser.post(url(game, row, "confirm/"), game.fields())
    assertContains(page, "Only somebody who plays can confirm a hand.", status_code=409)
    assertNotContains(browser.get(game.url()), "confirm/")
    refused(confirm(game, row, phone), Why.NO_SEAT)


def test_what_a_phone_without_a_seat_entered_any_seat_confirms(game):
    phone, _browser = third_phone(game)
    row = game.enter(phone=phone)
    saved(confirm(game, row, game.alice))


def test_a_hand_that_changed_since_it_was_read_is_shown_as_it_is_now(game, ben):
    row = game.enter()
    posted = opened(ben, url(game, row))
    actions.edit_hand(game.write(), row.public_id, game.played(bid=350))
    page = ben.post(url(game, row, "confirm/"), posted)
    assertContains(page, "Alice changed hand 1 from Ben 320 hearts", status_code=409)
    assertContains(page, "Ben</span> 350", status_code=409)
    assert confirmed(row) is None
    again = {field.name: str(field.value()) for field in page.context["form"]}
    assert ben.post(url(game, row, "confirm/"), again).status_code == 303


def test_a_half_hand_is_confirmed_once_it_is_whole(game, alice, ben):
    actions.change_settings(game.write(), True, True)
    sheet, players = game.sheet.public_id, game.players
    row = saved(actions.enter_number(game.write(), sheet, players[0].pk, 4)).change.round
    refused(confirm(game, row, game.ben), Why.WAITS)
    assertNotContains(ben.get(game.url()), "to confirm")
    saved(actions.fill_with_zeros(game.write(), row.public_id))
    saved(confirm(game, row, game.ben))
    # Another number of it asks again.
    hand = {"hand": row.public_id}
    saved(actions.enter_number(game.write(game.ben), sheet, players[1].pk, 2, **hand))
    assert confirmed(row) is None
    saved(confirm(game, row, game.alice))


def test_a_hand_off_the_sheet_and_a_match_that_ended_are_refused(game):
    row, other = game.enter(), game.enter()
    actions.take_back(game.write(), row.public_id)
    refused(confirm(game, row, game.ben), Why.TAKEN_BACK)
    game.end()
    refused(confirm(game, other, game.ben), Why.ENDED)


def test_with_confirming_off_nothing_of_it_shows(game, alice, ben):
    row = game.enter()
    saved(confirm(game, game.enter(), game.ben))
    actions.change_settings(game.write(), False, False)
    for page in (game.url(), url(game, row), game.url("end/")):
        assertNotContains(ben.get(page), "onfirm")
    page = ben.post(url(game, row, "confirm/"), game.fields())
    assertContains(page, "Somebody has switched this off", status_code=409)


def test_a_banked_sheet_asks_for_no_word(game, ben):
    game.enter()
    game.end()
    for page in (game.url(), game.url(f"{game.sheet.public_id}/")):
        assertNotContains(ben.get(page), "to confirm")


# Asking again.


@pytest.mark.parametrize("change", ["edit", "put back", "correct"])
def test_any_change_asks_again(game, django_user_model, change):
    row = game.enter()
    saved(confirm(game, row, game.ben))
    match change:
        case "edit":
            saved(actions.edit_hand(game.write(game.ben), row.public_id, game.played(bid=350)))
        case "put back":
            saved(actions.take_back(game.write(game.ben), row.public_id))
            saved(actions.put_back(game.write(game.ben), row.public_id))
        case "correct":
            staff = django_user_model.objects.create_user(
                "olga@example.org", name="Olga", is_staff=True
            )
            write = actions.Write(
                table=game.table.pk,
                key=uuid.uuid4(),
                seen=Seen(game.version),
                user=staff,
                as_staff=True,
            )
            saved(actions.correct_hand(write, row.public_id, game.played(bid=350), reason="Slip"))
    assert confirmed(row) is None
    if change != "correct":
        refused(confirm(game, row, game.ben), Why.SAME_SEAT)
    saved(confirm(game, row, game.alice))


def test_confirming_makes_no_edit_stale(game, alice):
    row = game.enter()
    posted = opened(alice, url(game, row, "edit/")) | {"outcome": "set"}
    ending = game.version
    saved(confirm(game, row, game.ben))
    saved(actions.take_back(game.write(seen=ending), game.enter(seen=ending).public_id))
    assert alice.post(url(game, row, "edit/"), posted).status_code == 303
    saved(actions.end_match(game.write(seen=game.version), game.sheet.public_id))


# End match.


def test_end_match_lists_what_nobody_confirmed_and_banks_it_all_the_same(game, alice):
    rows = [game.enter(), game.enter(game.typed(4, 0, 4))]
    saved(confirm(game, rows[0], game.ben))
    page = alice.get(game.url("end/"))
    assertContains(page, "1 hand is not confirmed:")
    assertContains(page, url(game, rows[1]))
    assertNotContains(page, url(game, rows[0]))
    alice.post(game.url("end/"), game.fields())
    assert Sheet.objects.get().state == "banked"


@pytest.mark.parametrize("hands", [3, 40])
def test_asking_takes_the_same_few_queries_however_long_the_sheet(
    game, ben, at_most_queries, hands
):
    game.fill(hands)
    with at_most_queries(6):
        assert ben.get(game.url()).status_code == 200
    assert Member.objects.count() == 2
