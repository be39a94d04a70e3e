"""A hand that waits for numbers: what it holds up, and what can be done about it."""

from __future__ import annotations

import pytest
from pytest_django.asserts import assertContains, assertNotContains

from sheets import actions, rows
from sheets.actions import Why
from sheets.models import RoundKind
from tests.sheets.halves import MISSING, fields, half, number, refused, row, saved, with_own_columns
from tests.sheets.posting import numbers, opened


@pytest.fixture
def game(game):
    return with_own_columns(game)


# What a half hand holds up.


def test_the_next_hand_asks_about_the_half_one_and_keeps_what_was_typed(game, alice):
    posted = game.fields(bid="350")
    hand = half(game, (0, 4))
    page = alice.post(game.url("hands/new/"), posted)
    assert page["Refused"] == Why.HALF
    assertContains(page, "A hand still waits for numbers.", status_code=409)
    for choice in (f"hands/{hand.public_id}/edit/", f"hands/{hand.public_id}/zeros/", "take-back/"):
        assertContains(page, game.url(choice) if "hands" in choice else choice, status_code=409)
    assert page.context["form"]["bid"].value() == "350"
    assert len(game.standing) == 1


@pytest.mark.parametrize("settle", ["zeros", "take-back"])
def test_once_it_is_settled_the_typed_hand_is_saved_without_another_question(game, alice, settle):
    posted = game.fields(bid="350")
    saved(number(game, 1, 4, game.ben))
    hand = game.standing[0]
    page = alice.post(game.url("hands/new/"), posted)
    assert page["Refused"] == Why.HALF
    settling = game.fields()
    assert alice.post(game.url(f"hands/{hand.public_id}/{settle}/"), settling).status_code == 303
    # The draft on the phone still bears the version at which the form was opened.
    assert alice.post(game.url("hands/new/"), posted).status_code == 303
    assert game.standing[-1].bid == 350


def test_a_hand_that_others_put_together_meanwhile_is_a_question_like_an_entered_one(game, alice):
    posted = game.fields()
    for seat in range(3):
        saved(number(game, seat, 2, game.ben))
    page = alice.post(game.url("hands/new/"), posted)
    assert page["Refused"] == Why.STALE
    assertContains(page, "Another hand: save as hand 2", status_code=409)


def test_a_number_that_completes_a_hand_that_was_seen_holds_nothing_up(game):
    half(game, (0, 4), (1, 0))
    seen = game.version
    saved(number(game, 2, 4, game.ben))
    game.enter(seen=seen)
    actions.set_dealer(game.write(seen=seen), game.sheet.public_id, game.players[0].pk)
    assert len(game.standing) == 2


def test_a_hand_begun_meanwhile_moves_the_deal(game):
    seen = game.version
    saved(number(game, 1, 4, game.ben))
    answer = actions.set_dealer(game.write(seen=seen), game.sheet.public_id, game.players[0].pk)
    refused(answer, Why.STALE)


def test_a_forgotten_hand_still_goes_in_its_place(game):
    first = game.enter()
    half(game, (0, 4))
    game.enter(game.passed(), before=first.public_id)
    assert [line.half for line in game.standing] == [False, False, True]


def test_end_match_asks_about_a_half_hand_and_banks_nothing(game, alice):
    hand = half(game, (0, 4))
    page = alice.get(game.url("end/"))
    assertContains(page, "A hand is half entered.")
    assertContains(page, "waits for Ben and Cass")
    assertContains(page, game.url(f"hands/{hand.public_id}/zeros/"))
    assertNotContains(page, "Bank this sheet")
    page = alice.post(game.url("end/"), game.fields())
    assert page["Refused"] == Why.HALF
    assertContains(page, "waits for Ben and Cass", status_code=409)
    assert game.sheet.is_open
    saved(actions.fill_with_zeros(game.write(), hand.public_id))
    alice.post(game.url("end/"), game.fields())
    assertContains(alice.get(game.url()), "Alice wins with 4")


def test_a_number_entered_since_the_question_changes_the_final_line(game):
    half(game, (0, 4), (1, 0))
    seen = game.version
    saved(number(game, 2, 4, game.ben))
    refused(actions.end_match(game.write(seen=seen), game.sheet.public_id), Why.STALE)


def test_zeros_make_a_hand_whole(game, alice):
    hand = half(game, (0, 4))
    posted = game.fields()
    answer = alice.post(game.url(f"hands/{hand.public_id}/zeros/"), posted)
    assert answer["Location"] == game.url(f"?saved={hand.public_id}")
    assert row(hand) == {0: 4, 1: 0, 2: 0}
    assert not game.standing[0].half
    assert alice.post(game.url(f"hands/{hand.public_id}/zeros/"), posted).status_code == 303
    page = alice.post(game.url(f"hands/{hand.public_id}/zeros/"), game.fields())
    assert page["Refused"] == Why.WHOLE


def test_zeros_are_a_question_once_somebody_entered_a_number(game, alice):
    hand = half(game, (0, 4))
    posted = game.fields()
    saved(number(game, 1, 2, game.ben))
    page = alice.post(game.url(f"hands/{hand.public_id}/zeros/"), posted)
    sentence = "Ben entered their own number in hand 1: 2 (4 · 2 · ?)"
    assertContains(page, sentence, status_code=409)
    assert row(hand) == {0: 4, 1: 2}


# The hand's own page, the edit form, take back and put back.


def test_the_page_of_a_half_hand_says_what_is_missing_and_what_can_be_done(game, alice):
    hand = half(game, (1, 4))
    page = alice.get(game.url(f"hands/{hand.public_id}/"))
    assertContains(page, "waits for Alice and Cass")
    assertContains(page, MISSING, html=True, count=2)
    for choice in ("Finish it", "0 for the missing", "Take it back"):
        assertContains(page, choice)
    assert page.context["payments"] == []


def test_the_edit_form_finishes_a_half_hand(game, alice):
    hand = half(game, (1, 4))
    url = game.url(f"hands/{hand.public_id}/edit/")
    filled_in = opened(alice, url)
    players = game.players
    assert filled_in["by"] == "numbers"
    assert filled_in[f"units_{players[1].pk}"] == "4"
    assert f"units_{players[0].pk}" not in filled_in
    filled_in |= {f"units_{players[0].pk}": "0", f"units_{players[2].pk}": "0"}
    assert alice.post(url, filled_in).status_code == 303
    assert row(hand) == {0: 0, 1: 4, 2: 0}
    assert not game.standing[0].half
    assert game.totals == [0, 4, 0]


def test_a_half_hand_can_become_a_played_one(game):
    hand = half(game, (0, 4))
    saved(actions.edit_hand(game.write(), hand.public_id, game.played()))
    assert row(hand) == {0: 0, 1: 2, 2: 0}
    assert game.totals == [0, 2, 0]
    hand.refresh_from_db()
    assert (hand.kind, hand.half) == (RoundKind.PLAYED, False)


def test_an_edit_is_stale_after_a_number_of_another_phone(game, alice):
    hand = half(game, (0, 4))
    url = game.url(f"hands/{hand.public_id}/edit/")
    posted = opened(alice, url) | numbers(game, "4", "0", "0") | {"seen": str(game.version)}
    saved(number(game, 1, 2, game.ben))
    page = alice.post(url, posted)
    assertContains(page, "Ben entered their own number in hand 1: 2", status_code=409)
    assert row(hand) == {0: 4, 1: 2}


def test_a_half_hand_is_taken_back_and_put_back(game):
    hand = half(game, (0, 4))
    saved(actions.take_back(game.write(), hand.public_id))
    assert game.totals == [0, 0, 0]
    saved(actions.put_back(game.write(), hand.public_id))
    assert game.totals == [4, 0, 0]
    assert game.standing[0].half


def test_two_half_hands_never_stand_at_once(game, alice):
    first = half(game, (0, 4))
    actions.take_back(game.write(), first.public_id)
    half(game, (1, 2))
    page = alice.post(game.url(f"hands/{first.public_id}/put-back/"), game.fields())
    assertContains(page, "A hand still waits for numbers.", status_code=409)
    assert len(game.standing) == 1


def test_a_half_hand_in_the_middle_takes_its_own_numbers_only(game, alice):
    middle = half(game, (0, 4))
    actions.take_back(game.write(), middle.public_id)
    last = game.enter().public_id
    before = fields(alice, game) | {"units": "2"}
    actions.put_back(game.write(game.ben), middle.public_id)
    assert alice.post(game.url("numbers/"), before)["Refused"] == Why.STALE
    refused(number(game, 1, 2, after=last, seen=game.version), Why.STALE)
    named = fields(alice, game)
    assert (named["hand"], named["after"]) == (str(middle.public_id), "")


def test_a_half_hand_older_than_those_shown_is_named_with_a_link(game, alice, at_most_queries):
    old = half(game, (0, 4))
    actions.take_back(game.write(), old.public_id)
    for _ in range(rows.NEWEST):
        game.enter()
    actions.put_back(game.write(), old.public_id)
    with at_most_queries(6):
        page = alice.get(game.url())
    assertContains(page, "An earlier hand still waits for numbers.")
    assertContains(page, game.url(f"hands/{old.public_id}/"))
    assert page.context["number_form"] is None
