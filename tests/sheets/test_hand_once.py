"""One hand, once: the same form twice, another phone first, lost parts, after the end."""

from __future__ import annotations

import datetime

import pytest
from pytest_django.asserts import assertContains, assertNotContains

from sheets import actions
from sheets.models import Round, Sheet, Table
from tests.sheets.posting import kept, numbers

HTMX = {"HX-Request": "true"}
LOST = "Part of this form was missing. Please send it once more."
QUICKER = "Somebody else was quicker. Nothing of yours was saved yet."


@pytest.fixture
def url(game):
    return game.url("hands/new/")


def play_again(game):
    names = [player.name for player in game.players]
    answer = actions.play_again(game.write(game.ben), names, 0)
    assert isinstance(answer, actions.Saved)


# The hidden parts.


@pytest.mark.parametrize(
    "lost",
    [
        {"key": None},
        {"key": "nonsense"},
        {"seen": None},
        {"seen": "-1"},
        {"seen": "soon"},
        {"sheet": None},
        {"key": None, "seen": None, "sheet": None},
    ],
)
def test_a_form_that_lost_a_part_says_so_and_can_be_sent_again(game, alice, url, lost):
    page = alice.post(url, game.fields(**lost))
    assertContains(page, LOST, status_code=422)
    assert page.context["form"]["bid"].value() == "320"
    assert not Round.objects.exists()
    assert alice.post(url, page.context["form"].data).status_code == 303


def test_what_an_older_page_asked_for_is_shown_and_the_rest_can_be_saved(game, alice, url):
    older = game.fields() | {"units_999999": "4", "gone": "", "note": "Ben led a card too many"}
    page = alice.post(url, older, headers=HTMX | {"Outbox": "1"})
    assert (page.status_code, page["Refused"]) == (422, "invalid")
    assertContains(page, "came from an older page and was loaded again", status_code=422)
    assertContains(page, "any longer: 4 and Ben led a card too many", status_code=422)
    assertContains(page, 'name="bid" value="320" checked', status_code=422)
    assert not Round.objects.exists()
    shown = {name: page.context["form"][name].value() or "" for name in game.fields()}
    assert alice.post(url, shown).status_code == 303


def test_a_version_from_the_far_future_does_no_harm(game, alice, url):
    assert alice.post(url, game.fields(seen="9" * 30)).status_code < 500


@pytest.mark.parametrize("sheet", ["nonsense", "x" * 22, "x" * 80])
def test_a_hand_for_a_sheet_that_is_not_there_lands_nowhere(game, alice, url, sheet):
    page = alice.post(url, game.fields(sheet=sheet))
    assert page.status_code in (404, 422)
    assert not Round.objects.exists()


# The same form twice.


def test_two_taps_on_save_enter_one_hand_and_answer_alike(game, alice, url):
    fields = game.fields()
    answers = [alice.post(url, fields) for _ in range(3)]
    assert {answer.status_code for answer in answers} == {303}
    assert len({answer["Location"] for answer in answers}) == 1
    assert game.totals == [0, 2, 0]


def test_a_repeat_is_answered_even_after_others_went_on(game, alice, url):
    fields = game.fields()
    alice.post(url, fields)
    game.enter(phone=game.ben)
    game.end(game.ben)
    assert alice.post(url, fields).status_code == 303
    assert game.totals == [0, 4, 0]


def test_a_used_form_with_another_hand_is_refused_and_saved_once_more(game, alice, url):
    fields = game.fields()
    alice.post(url, fields)
    page = alice.post(url, fields | {"bid": "350"})
    assertContains(page, "This form has saved that already.", status_code=422)
    form = page.context["form"]
    assert form["bid"].value() == "350"
    assert form["key"].value() != fields["key"]
    assert game.totals == [0, 2, 0]
    assert alice.post(url, form.data).status_code == 303
    assert game.totals == [0, 6, 0]


def test_the_key_of_another_phone_saves_nothing_and_tells_nothing(game, alice, ben, url):
    fields = game.fields()
    alice.post(url, fields)
    page = ben.post(url, fields)
    assertContains(page, "This form has saved something else already.", status_code=422)
    assert game.totals == [0, 2, 0]


# What another phone did meanwhile.


def test_a_hand_that_another_phone_entered_first_is_shown_beside_mine(game, alice, url):
    fields = game.fields(bid="350", outcome="set")
    game.enter(phone=game.ben)
    page = alice.post(url, fields)
    assertContains(page, "Ben entered hand 1: Ben 320 hearts made (0 · 2 · 0)", status_code=409)
    assertContains(page, QUICKER, status_code=409)
    assertContains(page, "Same hand: discard mine", status_code=409)
    assertContains(page, "Another hand: save as hand 2", status_code=409)
    form = page.context["form"]
    assert form["seen"].value() == str(game.seen)
    for field in ("key", "bidder", "bid", "trump", "outcome"):
        assert form[field].value() == fields[field]
    assert game.totals == [0, 2, 0]
    assert alice.post(url, form.data).status_code == 303
    assert game.totals == [4, 2, 4]


def test_a_hand_that_came_second_as_a_part(game, alice, url):
    fields = game.fields()
    game.enter(phone=game.ben)
    part = alice.post(url, fields, headers=HTMX)
    assertContains(part, QUICKER, status_code=409)
    assertNotContains(part, "<html", status_code=409)


def test_a_typed_row_that_came_second_is_kept(game, alice, url):
    fields = numbers(game, "0", " 16 ", "0")
    game.enter(phone=game.ben)
    page = alice.post(url, fields)
    assert page.status_code == 409
    assert kept(page, game, "0", " 16 ", "0")


def test_a_third_hand_meanwhile_is_a_new_question(game, alice, url):
    fields = game.fields()
    game.enter(phone=game.ben)
    form = alice.post(url, fields).context["form"]
    game.enter(phone=game.ben)
    assertContains(alice.post(url, form.data), "Ben entered hand 2", status_code=409)


def test_a_hand_put_back_meanwhile_is_a_question(game, alice, url):
    row = game.enter(phone=game.ben)
    actions.take_back(game.write(game.ben), row.public_id)
    fields = game.fields()
    actions.put_back(game.write(game.ben), row.public_id)
    assertContains(alice.post(url, fields), "Ben put back hand 1", status_code=409)


def test_seats_changed_meanwhile_are_a_question(game, alice, url):
    fields = game.fields()
    order = [player.pk for player in reversed(game.players)]
    actions.change_seats(game.write(game.ben), game.sheet.public_id, order)
    assertContains(alice.post(url, fields), "Ben changed the seats", status_code=409)


def test_what_this_phone_did_meanwhile_is_no_question(game, alice, url):
    fields = game.fields()
    game.enter(phone=game.alice)
    assert alice.post(url, fields).status_code == 303
    assert game.totals == [0, 4, 0]


def test_what_does_not_touch_the_row_is_no_question(game, alice, url):
    row = game.enter()
    fields = game.fields()
    actions.take_back(game.write(game.ben), row.public_id)
    actions.join(game.write(game.ben), None)
    names = {p.pk: f"{p.name} B" for p in game.players}
    actions.rename(game.write(game.ben), game.sheet.public_id, "Thursday", names)
    assert alice.post(url, fields).status_code == 303


@pytest.mark.parametrize(
    ("zone", "time"),
    [("Europe/Berlin", "15 January 2026 at 21:14"), ("Asia/Kolkata", "16 January 2026 at 01:44")],
)
@pytest.mark.parametrize("new_sheet_open", [False, True])
def test_a_hand_after_the_end_is_refused_with_who_ended_it_and_when(
    game, alice, url, zone, time, new_sheet_open
):
    game.enter()
    fields = game.fields(bid="350")
    Table.objects.update(time_zone=zone)
    game.end(game.ben)
    Sheet.objects.update(ended_at=datetime.datetime(2026, 1, 15, 20, 14, tzinfo=datetime.UTC))
    if new_sheet_open:
        play_again(game)
    page = alice.post(url, fields)
    assertContains(page, f"Ben ended this match on {time}.", status_code=409)
    assert page.context["form"]["bid"].value() == "350"
    assertNotContains(page, "Another hand", status_code=409)
    assert Round.objects.count() == 1
    assert sum(game.totals) == (0 if new_sheet_open else 2)


def test_a_hand_typed_after_the_end_stays_refused_when_sent_again(game, alice, url):
    game.enter()
    fields = game.fields()
    game.end(game.ben)
    form = alice.post(url, fields).context["form"]
    play_again(game)
    assert alice.post(url, form.data).status_code == 409
    assert Round.objects.count() == 1


def test_a_phone_that_left_the_table_is_a_stranger(game, alice, url):
    fields = game.fields()
    game.table.members.filter(phone=game.alice).update(phone="left")
    assert alice.post(url, fields).status_code == 404
    assert not Round.objects.exists()
