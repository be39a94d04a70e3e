"""The pages on which people come and leave, and what is shown of it."""

from __future__ import annotations

import pytest
from django.utils.html import escape
from pytest_django.asserts import assertContains, assertNotContains

from rules.auction import Fourth, HouseRules
from sheets import actions
from sheets.models import Change
from tests.sheets.conftest import client_of
from tests.sheets.posting import opened
from tests.sheets.sitting import (
    at_table,
    enter,
    leave,
    names,
    opened_names,
    saved,
    sit_down,
)

HTMX = {"HX-Request": "true"}
FOUR = ("Alice", "Ben", "Cass", "Dana")
LONG = "W" * 40


@pytest.fixture
def four(new_game):
    """Dana is the fourth, off the sheet; Alice's and Ben's phones are there."""
    return new_game(FOUR, house=HouseRules(fourth=Fourth.OFF_SHEET), off_sheet=3)


def test_the_same_form_sent_twice_is_one_step(game, alice):
    enter(game, "Cass")
    cass = game.players[2]
    fields = opened(alice, game.url("leave/")) | {"player": str(cass.pk), "name": "Dana"}
    answers = [alice.post(game.url("leave/"), fields) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [303, 303]
    assert Change.objects.filter(kind="sat_down").count() == 1


def test_somebody_elses_name_that_has_left_is_asked_about(game, alice):
    enter(game, "Cass")
    saved(leave(game, "Cass", "Dana"))
    fields = opened_names(alice, game)
    dana = at_table(game)[2]
    page = alice.post(game.url("names/"), fields | {f"name_{dana.pk}": "cass"})
    assertContains(page, "A cass has left this sheet", status_code=422)
    assert names(game) == ["Alice", "Ben", "Dana"]


@pytest.mark.parametrize("page", ["fourth/", "leave/"])
@pytest.mark.parametrize("headers", [{}, HTMX])
def test_the_pages_come_whole_and_as_a_part(game, alice, page, headers):
    answer = alice.get(game.url(page), headers=headers)
    assertContains(answer, '<main id="page">')
    assertContains(answer, "<html", count=0 if headers else 1)
    assertContains(alice.get(game.url("names/")), f'href="{game.url(page)}"')


def test_a_fourth_sits_down_by_a_plain_form(game, alice, ben):
    enter(game, "Ben")
    fields = opened(alice, game.url("fourth/")) | {"name": LONG}
    answer = alice.post(game.url("fourth/"), fields)
    assert (answer.status_code, answer["Location"]) == (303, game.url())
    page = ben.get(game.url())
    assertContains(page, "Hand 2 · Ben deals, Alice sits out")
    assertContains(page, f"{LONG} sits down from hand 2, off the sheet.")
    assertContains(ben.get(game.url("names/")), LONG)
    assertNotContains(ben.get(game.url("names/")), game.url("fourth/"))
    told = ben.get(game.url("history/"))
    assertContains(told, f"wrote that {LONG} sits down from hand 2, off the sheet")


def test_somebody_leaves_by_a_plain_form(game, alice):
    enter(game, "Cass")
    fields = opened(alice, game.url("leave/")) | {"player": str(game.players[2].pk)}
    page = alice.post(game.url("leave/"), fields)
    assertContains(page, "Type a name.", status_code=422)
    assert alice.post(game.url("leave/"), fields | {"name": "Dana"}).status_code == 303
    enter(game, "Dana", bid=350)
    page = alice.get(game.url())
    assertContains(page, "Cass left with 2. Dana sits here from hand 2.")
    assert [one.player.name for one in page.context["standings"] if one.heads] == [
        "Alice",
        "Ben",
        "Dana",
    ]
    told = alice.get(game.url("history/"))
    assertContains(told, "wrote that Cass left and Dana sits there from hand 2")


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({}, "Choose whether somebody sits down there."),
        ({"follows": "nobody", "name": "Eve"}, "Nobody sits down there: empty this"),
        ({"follows": "somebody"}, "Type a name."),
        ({"follows": "somebody", "name": "dana"}, "There is already a dana here"),
        ({"follows": "nobody", "player": "999999"}, "The players have changed: choose again."),
        ({"follows": "nobody", "player": ""}, "Choose who leaves."),
    ],
)
def test_a_form_of_four_that_cannot_be_is_answered_in_words(four, changed, sentence):
    game, alice = four[0], client_of(four[1])
    game.enter()
    fields = opened(alice, game.url("leave/")) | {"player": str(game.players[2].pk)} | changed
    page = alice.post(game.url("leave/"), fields)
    assertContains(page, escape(sentence), status_code=422)
    assert names(game) == list(FOUR)


def test_four_become_three_by_a_plain_form(four):
    game, alice = four[0], client_of(four[1])
    game.enter()
    fields = opened(alice, game.url("leave/")) | {"follows": "nobody"}
    alice.post(game.url("leave/"), fields | {"player": str(game.players[2].pk)})
    page = alice.get(game.url())
    assertContains(page, "Cass left with 0. Three play from hand 2.")
    assertContains(page, "Dana has a column from hand 2.")
    told = alice.get(game.url("history/"))
    assertContains(told, "three play from hand 2, and Dana has a column from there")


def test_a_change_that_came_second_is_shown_with_what_was_typed(game, alice):
    fields = opened(alice, game.url("fourth/")) | {"name": "Dana"}
    game.enter(phone=game.ben)
    page = alice.post(game.url("fourth/"), fields)
    assertContains(page, "Ben entered hand 1", status_code=409)
    assertContains(page, 'value="Dana"', status_code=409)
    assert alice.post(game.url("fourth/"), page.context["form"].data).status_code == 303


def test_names_and_seats_that_were_open_meanwhile_say_who_came(game, alice):
    enter(game, "Ben")
    fields, form = opened_names(alice, game), alice.get(game.url("names/")).context["seats_form"]
    places = {field.name: str(field.value() or "") for field in form}
    saved(leave(game, "Cass", "Dana", phone=game.ben))
    for page, sent in (("names/", fields), ("seats/", places)):
        answer = alice.post(game.url(page), sent)
        assertContains(answer, "Cass left and Dana sits there", status_code=409)
    assert names(game) == ["Alice", "Ben", "Dana"]


def test_a_hand_of_whoever_left_that_comes_late_is_asked_about(game, ben):
    fields = game.fields(bidder=str(game.players[2].pk))
    enter(game, "Ben")
    saved(leave(game, "Cass", "Dana"))
    answer = ben.post(game.url("hands/new/"), fields)
    assertContains(answer, "The players have changed: choose again.", status_code=422)


# The phones.


def test_the_phone_of_whoever_left_stays_and_has_no_seat(started):
    game, _alice, ben = started
    enter(game, "Cass")
    saved(actions.change_settings(game.write(), False, True))
    saved(leave(game, "Ben", "Dana"))
    row = enter(game, "Cass")
    assert actions.confirm_hand(game.write(game.ben), row.public_id).why == actions.Why.NO_SEAT
    page = client_of(ben).get(game.url())
    assertContains(page, "Enter hand 3")
    assertNotContains(page, ">Right</button>")


def test_a_fourth_off_the_sheet_is_asked_for_no_number_and_may_confirm(four):
    game, alice, ben = four[0], client_of(four[1]), client_of(four[2])
    dana = game.players[3]
    saved(actions.say_who(game.write(game.ben), dana.person_id))
    saved(actions.change_settings(game.write(), True, True))
    form = ben.get(game.url()).context["number_form"]
    assert (form.mine, [chip.label for chip in form.whose()]) == (None, ["Alice", "Ben", "Cass"])
    row = game.enter()
    assertContains(ben.get(game.url()), ">Right</button>")
    assertNotContains(alice.get(game.url()), ">Right</button>")
    saved(actions.confirm_hand(game.write(game.ben), row.public_id))


# What is shown at the end.


def test_whoever_left_is_named_with_the_total_and_may_have_won(game, alice):
    enter(game, "Cass", bid=400)
    saved(leave(game, "Cass", "Dana"))
    enter(game, "Ben")
    assertContains(alice.get(game.url("end/")), "Cass 8, Ben 2, Alice 0, Dana 0.")
    game.end()
    page = alice.get(game.url())
    assertContains(page, "Cass wins with 8")
    assertContains(page, "Cass left with 8 (1st).")
    paper = alice.get(game.url(f"{game.sheet.public_id}/paper/"))
    assertContains(paper, "Cass left with 8. Dana sits here from hand 2.")


def test_deals_are_counted_by_person_and_compared_by_seat(game, alice):
    for _ in range(4):
        enter(game, "Ben")
    saved(leave(game, "Alice", "Dana"))
    for _ in range(2):
        enter(game, "Ben")
    assertNotContains(alice.get(game.url("end/")), "uneven")
    page = alice.get(game.url("dealer/"))
    assert [(one.name, n) for one, n, _out in page.context["counts"]] == [
        ("Alice", "2"),
        ("Dana", "0"),
        ("Ben", "2"),
        ("Cass", "2"),
    ]


def test_the_pad_costs_no_more_with_hands_of_other_rules(game, alice, at_most_queries):
    for _ in range(3):
        enter(game, "Ben")
    saved(sit_down(game, fourth="column"))
    for _ in range(3):
        enter(game, "Cass", dealer=0)
    with at_most_queries(10):
        alice.get(game.url(), headers=HTMX | {"HX-Target": "sheet"})
