"""A forgotten hand is put in its place, before another; nothing else moves."""

from __future__ import annotations

import pytest
from pytest_django.asserts import assertContains, assertNotContains

from sheets import actions

HTMX = {"HX-Request": "true"}


def url(game, row):
    return game.url(f"hands/{row.public_id}/before/")


def opened(client, address):
    """The hidden fields, and the dealer that the form proposes."""
    form = client.get(address).context["form"]
    return {name: str(form[name].value()) for name in ("key", "seen", "sheet", "dealer")}


def put_before(client, game, row, **changed):
    fields = game.fields() | opened(client, url(game, row)) | changed
    return client.post(url(game, row), fields)


def test_the_form_says_where_the_hand_goes(game, alice):
    game.enter()
    page = alice.get(url(game, game.enter()))
    assertContains(page, "<html")
    assertContains(page, "A forgotten hand, as hand 2")
    assertContains(page, "It goes before hand 2:")
    assertContains(page, "Save as hand 2")
    assertContains(page, "Who dealt?")


def test_the_form_as_a_part(game, alice):
    part = alice.get(url(game, game.enter()), headers=HTMX)
    assertContains(part, '<main id="page">')
    assertNotContains(part, "<html")


@pytest.mark.parametrize("place", [1, 2, 3])
def test_the_hand_gets_its_number_and_the_later_ones_move_up(game, alice, place):
    rows = [game.enter(), game.enter(), game.enter()]
    dealers = {row.pk: row.dealer_id for row in rows}
    deals_next = alice.get(game.url()).context["next"].dealer
    assert put_before(alice, game, rows[place - 1], outcome="set").status_code == 303
    now = game.standing
    assert [row.outcome for row in now].index("set") == place - 1
    assert [row for row in now if row.outcome == "made"] == rows
    for row in now:
        assert row.dealer_id == dealers.get(row.pk, row.dealer_id)
    page = alice.get(game.url())
    assert [line.number for line in page.context["lines"]] == ["4", "3", "2", "1"]
    assert page.context["next"].dealer == deals_next
    assert game.totals == [2, 6, 2]


@pytest.mark.parametrize(("place", "dealer"), [(1, "Cass"), (2, "Ben"), (3, "Cass")])
def test_the_form_proposes_who_probably_dealt(game, alice, place, dealer):
    rows = [game.enter(), game.enter(), game.enter()]  # dealt by Alice, Ben and Cass
    form = alice.get(url(game, rows[place - 1])).context["form"]
    assert [chip.label for chip in form.dealers() if chip.chosen] == [dealer]


def test_the_dealer_can_be_somebody_else(game, alice):
    row = game.enter()
    put_before(alice, game, row, dealer=str(game.players[1].pk))
    assert [row.dealer.name for row in game.standing] == ["Ben", "Alice"]


@pytest.mark.parametrize(("dealer", "status"), [(1, 303), (2, 422)])
def test_the_bid_left_with_the_dealer_asks_who_dealt(game, alice, dealer, status):
    row = game.enter()
    page = put_before(alice, game, row, bid="250", dealer=str(game.players[dealer].pk))
    assert page.status_code == status
    if status == 422:
        assertContains(page, "Only the dealer can be left with 250.", status_code=422)


def test_ten_hands_fit_before_one_and_keep_their_order(game, alice):
    first, last = game.enter(), game.enter()
    bids = ["300", "310", "320", "330", "350", "360", "370", "380", "400", "410", "420", "430"]
    for bid in bids:
        assert put_before(alice, game, last, bid=bid).status_code == 303
    now = game.standing
    assert (now[0], now[-1]) == (first, last)
    assert [str(row.bid) for row in now[1:-1]] == bids
    assert [row.dealer.name for row in (now[0], now[-1])] == ["Alice", "Ben"]
    assert alice.get(game.url()).context["next"].dealer.name == "Cass"


def test_twelve_hands_fit_before_the_first_each_time_before_the_newest(game, alice):
    row = game.enter()
    for _ in range(12):
        put_before(alice, game, row)
        row = game.standing[0]
    assert len(game.standing) == 13
    assert game.totals == [0, 26, 0]


def test_a_hand_taken_back_keeps_its_place_beside_a_forgotten_one(game, alice):
    first, second, third = game.enter(), game.enter(), game.enter()
    actions.take_back(game.write(), second.public_id)
    put_before(alice, game, third, outcome="set")
    actions.put_back(game.write(), second.public_id)
    now = game.standing
    assert [now[0], now[1], now[3]] == [first, second, third]


def test_history_says_that_the_hand_was_forgotten(game, alice):
    put_before(alice, game, game.enter(), outcome="set")
    page = alice.get(game.url("history/"))
    sentence = "put in a forgotten hand as hand 1: Ben 320 hearts set (2 · 0 · 2)"
    assertContains(page, sentence)


@pytest.mark.parametrize("older", [1, 40])
def test_the_sheet_says_which_hand_was_saved_however_old_it_is(game, alice, older):
    rows = [game.enter() for _ in range(older)]
    answer = put_before(alice, game, rows[0])
    assertContains(alice.get(answer["Location"]), "Hand 1 is saved.")


def test_two_taps_put_in_one_hand(game, alice):
    row = game.enter()
    fields = game.fields() | opened(alice, url(game, row))
    assert [alice.post(url(game, row), fields).status_code for _ in range(2)] == [303, 303]
    assert len(game.standing) == 2


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_what_is_missing_is_named_and_the_rest_kept(game, alice, headers):
    row = game.enter()
    fields = game.fields(trump=None) | opened(alice, url(game, row))
    page = alice.post(url(game, row), fields, headers=headers)
    assertContains(page, "Choose the trump suit.", status_code=422)
    assertContains(page, "<html", status_code=422, count=0 if headers else 1)
    assertContains(page, 'name="bid" value="320" checked', status_code=422)
    assert len(game.standing) == 1


@pytest.mark.parametrize("lost", ["key", "seen", "sheet"])
def test_a_form_that_lost_a_part_says_so_and_can_be_sent_again(game, alice, lost):
    row = game.enter()
    page = put_before(alice, game, row, **{lost: ""})
    assertContains(page, "Part of this form was missing.", status_code=422)
    assert alice.post(url(game, row), page.context["form"].data).status_code == 303


def test_a_hand_that_came_second_is_a_question(game, alice):
    row = game.enter()
    fields = game.fields(outcome="set") | opened(alice, url(game, row))
    game.enter(phone=game.ben)
    page = alice.post(url(game, row), fields)
    assertContains(page, "Ben entered hand 2", status_code=409)
    assert page.context["form"]["outcome"].value() == "set"
    assert alice.post(url(game, row), page.context["form"].data).status_code == 303
    assert [row.outcome for row in game.standing] == ["set", "made", "made"]


def test_a_banked_sheet_takes_no_forgotten_hand(game, alice):
    row = game.enter()
    fields = game.fields() | opened(alice, url(game, row))
    game.end(game.ben)
    actions.play_again(game.write(game.ben), ["Alice", "Ben", "Cass"], 0)
    page = alice.post(url(game, row), fields)
    assertContains(page, "Ben ended this match at", status_code=409)
    assert game.totals == [0, 0, 0]
    assert row.sheet.rounds.count() == 1
