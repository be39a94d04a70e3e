"""What the screens say of the pot: on the pad, around a hand, and before others change."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains

from rules.auction import Fourth, HouseRules, Pot
from sheets import actions
from sheets.models import Round, Sheet, User
from tests.sheets.conftest import client_of

ALICE, BEN, CASS = range(3)
POT = Pot(ante=1, winning_bid=410)


@pytest.fixture
def started(new_game):
    return new_game(house=HouseRules(pot=POT))


def assert_leads(answer, url):
    assert (answer.status_code, answer.headers.get("Location")) == (303, url)


@pytest.fixture
def staff(db):
    client = Client()
    client.force_login(User.objects.create_superuser("staff@example.org", "secret", name="Sam"))
    return client


def lost(game, bid=350):
    return game.enter(game.played(bidder=CASS, bid=bid, outcome="set"))


def won(game, bid=410):
    return game.enter(game.played(bidder=BEN, bid=bid))


def at(game, row, rest=""):
    return game.url(f"hands/{row.public_id}/{rest}")


def tap(game, **more):
    """The fields of a form of one tap."""
    return {"key": str(uuid.uuid4()), "seen": str(game.version), **more}


def moves(answer):
    assert (answer.status_code, answer["Refused"]) == (409, "moves")
    assertContains(answer, "Yes, change these hands too", status_code=409)
    return answer.context["moves"]


def test_the_empty_sheet_says_what_everybody_puts_in_and_what_takes_it(game, alice):
    page = alice.get(game.url())
    assertContains(page, "Everybody puts 1 in the pot: 3.")
    assertContains(page, "Pot <strong>3</strong> <small>won by a made 410 or more</small>")


def test_four_at_the_table_put_in_four(new_game):
    house = HouseRules(pot=POT, fourth=Fourth.COLUMN)
    game, secret, _ben = new_game(("Alice", "Ben", "Cass", "Dana"), house=house)
    assertContains(client_of(secret).get(game.url()), "Everybody puts 1 in the pot: 4.")


def test_a_table_without_a_pot_hears_nothing_of_one(new_game):
    game, secret, _ben = new_game()
    won(game)
    for page in (game.url(), game.url("end/"), at(game, game.standing[0])):
        assertNotContains(client_of(secret).get(page), " pot")


def test_the_pad_its_live_part_the_paper_and_the_watch_page_show_who_took_it(game, alice, client):
    lost(game)
    part = alice.get(game.url(), headers={"HX-Request": "true", "HX-Target": "sheet"})
    assertContains(part, "Pot <strong>7</strong>")
    assertNotContains(part, "takes the pot")
    won(game)
    for page in (game.url(), game.url(f"{game.sheet.public_id}/paper/")):
        assertContains(alice.get(page), "takes the pot of 7", count=1)
    watched = client.get(f"/watch/{game.table.watch_id}/")
    assertContains(watched, "takes the pot of 7")
    assertContains(watched, "Pot <strong>3</strong>")


def test_the_page_of_a_hand_and_the_note_after_it_say_what_went_in_and_out(game, alice):
    row = lost(game)
    page = alice.get(at(game, row))
    assertContains(page, "Cass pays the pot 4")
    assertContains(page, "The pot gets the same as each opponent: 4.")
    row = won(game)
    page = alice.get(at(game, row))
    assertContains(page, "<li>Ben takes 7 from the pot</li>")
    assertContains(page, "<li>Alice, Ben and Cass put 1 each in the pot</li>")
    assertContains(page, "A made bid of 410 or more takes the pot: 7.")
    assertContains(
        alice.get(f"{game.url()}?saved={row.public_id}"),
        "Ben takes 7 from the pot, Alice, Ben and Cass put 1 each in the pot.",
    )


def test_what_is_spelled_out_before_saving_comes_from_the_rules(game, alice):
    lost(game)
    first = won(game)
    pot = alice.get(game.url("hands/new/")).context["form"].spelled_out()["pot"]
    assert pot["holds"] == 3
    assert (400 in pot["takes"], 410 in pot["takes"], 550 in pot["takes"]) == (False, True, True)
    assert pot["gets"]["350–380"] == {"set": [4, 8], "thrown_in": [2, 2]}
    # A hand that is changed, or put in before it, knows what the pot held then.
    for page in ("edit/", "before/"):
        form = alice.get(at(game, first, page)).context["form"]
        assert form.spelled_out()["pot"]["holds"] == 7
    typed = game.enter(game.typed(0, 9, 0))
    won(game)
    lost(game)
    assert alice.get(at(game, typed, "edit/")).context["form"].spelled_out()["pot"]["holds"] == 3


def test_the_pot_is_looked_up_for_a_fourth_off_the_sheet_too(new_game):
    from sheets.forms.auction import _look_up_pot

    table = _look_up_pot(HouseRules(pot=POT, fourth=Fourth.OFF_SHEET))
    assert table == _look_up_pot(HouseRules(pot=POT))


# What else changes is shown first.


def test_an_edit_shows_the_later_winners_first_and_is_saved_when_sent_again(game, alice):
    first, _second = lost(game), won(game)
    posted = game.fields(bidder=game.players[CASS].pk, bid="300", outcome="set")
    answer = alice.post(at(game, first, "edit/"), posted)
    assert moves(answer) == ["hand 2: Ben 15 becomes 13"]
    assert game.totals == [4, 19, 0]
    again = posted | {"agreed": answer.context["form"]["agreed"].value()}
    assert_leads(alice.post(at(game, first, "edit/"), again), at(game, first))
    assert game.totals == [2, 15, 0]
    history = alice.get(game.url("history/"))
    assertContains(history, "(2 · 2 · 0); hand 2: Ben 15 becomes 13")


@pytest.mark.parametrize("from_the_pad", [True, False])
def test_taking_back_and_putting_back_ask_first_too(game, alice, from_the_pad):
    first, _second = lost(game), won(game)
    if from_the_pad:
        assertContains(alice.get(f"{game.url()}?saved={first.public_id}"), "Take back")
    for step, said, totals in (
        ("take-back/", ["hand 2: Ben 15 becomes 11"], [0, 11, 0]),
        ("put-back/", ["hand 2: Ben 11 becomes 15"], [4, 19, 0]),
    ):
        answer = alice.post(at(game, first, step), tap(game))
        assert moves(answer) == said
        # There is one way on and one back, both where the question is.
        assertNotContains(answer, "/edit/", status_code=409)
        assertContains(answer, f'action="{at(game, first, step)}"', count=1, status_code=409)
        yes = {field.name: field.value() for field in answer.context["form"]}
        assert alice.post(at(game, first, step), yes).status_code == 303
        assert game.totals == totals


def test_a_forgotten_hand_asks_first(game, alice):
    row = won(game)
    posted = game.fields(bidder=str(game.players[CASS].pk), bid="350", outcome="set")
    posted |= {"dealer": str(game.players[ALICE].pk)}
    answer = alice.post(at(game, row, "before/"), posted)
    assert moves(answer) == ["hand 2: Ben 11 becomes 15"]
    yes = posted | {"agreed": answer.context["form"]["agreed"].value()}
    assert alice.post(at(game, row, "before/"), yes).status_code == 303
    assert game.totals == [4, 19, 0]


def test_staff_are_asked_too(game, staff):
    first, _second = lost(game), won(game)
    url = f"/admin/sheets/round/{first.pk}/correct/"
    posted = game.fields(bidder=game.players[CASS].pk, bid="300", outcome="set", reason="A slip")
    answer = staff.post(url, posted)
    assert moves(answer) == ["hand 2: Ben 15 becomes 13"]
    yes = posted | {"agreed": answer.context["form"]["agreed"].value()}
    assert staff.post(url, yes).status_code == 302
    assert game.totals == [2, 15, 0]


def test_a_yes_to_one_list_is_no_yes_to_another_that_came_meanwhile(game, alice):
    first, second, _third = lost(game), lost(game), won(game)
    answer = alice.post(at(game, first, "take-back/"), tap(game))
    yes = {field.name: field.value() for field in answer.context["form"]}
    write = game.write(game.ben)
    asked = actions.take_back(write, second.public_id)
    agreed = actions.Write(
        table=write.table, key=write.key, seen=write.seen, phone=write.phone, agreed=asked.agreed
    )
    assert isinstance(actions.take_back(agreed, second.public_id), actions.Saved)
    answer = alice.post(at(game, first, "take-back/"), yes)
    assert moves(answer) == ["hand 2: Ben 15 becomes 11"]
    assert game.totals == [4, 19, 0]


def test_a_phone_that_sends_from_its_queue_is_told_to_ask(game, alice):
    first, _second = lost(game), won(game)
    answer = alice.post(
        at(game, first, "take-back/"), tap(game), headers={"HX-Request": "true", "Outbox": "x"}
    )
    assert moves(answer)
    # The answer goes back into the queue in the place of the one that was held.
    assertContains(answer, 'data-queue="Take back hand 1"', status_code=409)


# A pot that is left.


def test_the_end_offers_to_share_the_pot_and_asks_again_with_the_new_line(game, alice):
    lost(game)
    lost(game, 300)
    row = lost(game, 300)
    actions.take_back(game.write(), row.public_id)
    assert game.sheet.pot == 9
    lost(game, 320)
    lost(game, 350)
    assert game.sheet.pot == 15
    page = alice.get(game.url("end/"))
    assertContains(page, "In the pot: 15.")
    assertContains(page, "Share it: 5 to each<")
    assertContains(page, "Leave it off, bank this sheet")
    posted = tap(game, sheet=game.sheet.public_id)
    answer = alice.post(game.url("pot/share/"), posted)
    assert_leads(answer, game.url("end/"))
    # Sent once more it is still shared once.
    assert_leads(alice.post(game.url("pot/share/"), posted), game.url("end/"))
    assert (game.totals, game.sheet.pot) == ([17, 17, 5], 0)
    page = alice.get(game.url("end/"))
    assertContains(page, "Alice 17, Ben 17, Cass 5.")
    assertNotContains(page, "In the pot")


def test_what_is_left_over_stays_and_is_left_off_without_a_word_too_many(game, alice):
    lost(game)
    page = alice.get(game.url("end/"))
    assertContains(page, "Share it: 2 to each (1 stays in)")
    alice.post(game.url("pot/share/"), tap(game, sheet=game.sheet.public_id))
    page = alice.get(game.url("end/"))
    assertContains(page, "In the pot: 1. That is less than a unit for each")
    assertNotContains(page, "Share it")
    answer = alice.post(game.url("pot/share/"), tap(game, sheet=game.sheet.public_id))
    assertContains(answer, "The pot holds less than a unit for each", status_code=409)
    game.end()
    assertContains(alice.get(game.url()), "Left in the pot: <strong>1</strong>")
    assert Round.objects.filter(kind="pot_shared").count() == 1


def test_a_line_that_changed_meanwhile_is_shown_before_the_pot_is_shared(game, alice):
    lost(game)
    posted = tap(game, sheet=game.sheet.public_id)
    game.enter(game.played(bidder=CASS, bid=300, outcome="set"), game.ben)
    answer = alice.post(game.url("pot/share/"), posted)
    assertContains(answer, "Ben entered hand 2", status_code=409)
    assertContains(answer, "Share it: 3 to each<", status_code=409)
    assert game.sheet.pot == 9
    game.end()
    answer = alice.post(game.url("pot/share/"), tap(game, sheet=game.sheet.public_id))
    assertContains(answer, "Alice ended this match at", status_code=409)
    assertNotContains(answer, "Leave it off", status_code=409)
    assertNotContains(answer, "Share it", status_code=409)
    assert alice.post(game.url("pot/share/"), {"x": "y"}).status_code == 422
    assert Sheet.objects.get().pot == 9


def test_a_shared_pot_can_be_taken_back_and_not_changed(game, alice, staff):
    lost(game)
    alice.post(game.url("pot/share/"), tap(game, sheet=game.sheet.public_id))
    row = Round.objects.get(kind="pot_shared")
    assertContains(alice.get(game.url()), "The pot shared")
    page = alice.get(at(game, row))
    assertContains(page, "The pot of 7 is shared: 2 to each.")
    assertContains(page, "<li>Cass takes 2 from the pot</li>")
    assertContains(page, "shared the pot as hand 2: 2 · 2 · 2")
    assertNotContains(page, "/edit/")
    assert_leads(alice.get(at(game, row, "edit/")), at(game, row))
    answer = alice.post(at(game, row, "edit/"), tap(game))
    assertContains(answer, "This row is no hand.", status_code=409)
    url = f"/admin/sheets/round/{row.pk}/correct/"
    assert staff.get(url).headers["Location"] == f"/admin/sheets/round/{row.pk}/change/"
    assert alice.post(at(game, row, "take-back/"), tap(game)).status_code == 303
    assert (game.totals, game.sheet.pot) == ([4, 4, 0], 7)


def test_a_fourth_without_a_column_gets_the_share_off_the_sheet(new_game):
    house = HouseRules(pot=POT, fourth=Fourth.OFF_SHEET)
    names = ("Alice", "Ben", "Cass", "Dana")
    game, secret, _ben = new_game(names, house=house, off_sheet=3)
    alice = client_of(secret)
    game.enter(game.played(bidder=CASS, bid=350, outcome="set"))
    page = alice.get(game.url("end/"))
    assertContains(page, "Share it: 2 to each<")
    assertContains(page, "Dana takes 2 from the pot, off the sheet.")
    alice.post(game.url("pot/share/"), tap(game, sheet=game.sheet.public_id))
    assert (game.totals, game.sheet.pot) == ([6, 6, 2, 0], 0)


def test_the_antes_of_a_sheet_without_a_hand_go_back(game, alice):
    page = alice.get(game.url("end/"))
    assertContains(page, "Everybody takes back what they put in the pot.")
    assertNotContains(page, "Share it")
