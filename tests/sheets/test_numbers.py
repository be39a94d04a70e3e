"""Own columns: a hand that comes together number by number, from several phones."""

from __future__ import annotations

import dataclasses
import uuid

import pytest
from pytest_django.asserts import assertContains, assertNotContains

from sheets import actions, queries
from sheets.actions import Why
from sheets.models import Round, RoundKind
from tests.sheets.halves import MISSING, fields, half, number, refused, row, saved, with_own_columns

HTMX = {"HX-Request": "true"}


@pytest.fixture
def game(game):
    return with_own_columns(game)


# One hand from several phones.


def test_the_first_number_begins_the_hand_and_counts_at_once(game, alice):
    game.enter()
    answer = alice.post(game.url("numbers/"), fields(alice, game) | {"units": "4"})
    hand = game.standing[-1]
    assert (answer.status_code, answer["Location"]) == (303, game.url(f"?saved={hand.public_id}"))
    assert (hand.kind, hand.half, hand.dealer.name) == (RoundKind.TYPED, True, "Ben")
    assert row(hand) == {0: 4}
    assert game.totals == [4, 2, 0]
    assert queries.where_next(game.sheet, game.players).dealer.name == "Cass"


def test_a_half_hand_names_who_is_missing_and_shows_a_question_mark(game, alice):
    half(game, (0, 4), (2, 0))
    page = alice.get(game.url())
    assertContains(page, "waits for Ben")
    assertContains(page, MISSING, html=True, count=1)
    assertContains(page, '<span class="total">4</span>')
    assertNotContains(page, "not by the rules")
    paper = alice.get(game.url(f"{game.sheet.public_id}/paper/"))
    assertContains(paper, MISSING, html=True, count=1)


def test_running_totals_pass_over_what_is_missing(game, alice):
    game.enter(game.typed(2, 0, 0))
    half(game, (1, 3))
    lines = alice.get(game.url()).context["lines"]
    assert [line.running for line in lines] == [("2", "3", "0"), ("2", "0", "0")]


@pytest.mark.parametrize(("units", "odd"), [((4, 0, 4), False), ((3, 1, 0), True)])
def test_the_last_number_makes_the_hand_whole(game, alice, ben, units, odd):
    half(game, (0, units[0]), (2, units[2]))
    answer = ben.post(game.url("numbers/"), fields(ben, game) | {"units": str(units[1])})
    page = ben.get(answer["Location"])
    assert not game.standing[0].half
    assert game.totals == list(units)
    assertContains(page, "Hand 1 is saved.")
    # What the rules can't produce is kept and marked, for whoever looks.
    assertContains(page, "not by the rules", count=int(odd))
    assertContains(page, "The rules can't produce this row.", count=int(odd))
    assertContains(page, "Ben pays Alice 4, Ben pays Cass 4.", count=int(not odd))
    assertContains(alice.get(game.url()), "not by the rules", count=int(odd))


def test_the_form_offers_this_phones_own_number_until_it_is_in(game, alice, ben):
    form = alice.get(game.url()).context["number_form"]
    assert form["player"].value() == game.players[0].pk
    half(game, (0, 4))
    form = alice.get(game.url()).context["number_form"]
    assert form["player"].value() is None
    assert [chip.label for chip in form.whose()] == ["Alice · 4", "Ben", "Cass"]
    assert ben.get(game.url()).context["number_form"]["player"].value() == game.players[1].pk


def test_a_phone_without_a_seat_chooses_whose_number_it_is(game, ben):
    actions.join(game.write(game.ben), None)
    posted = fields(ben, game) | {"units": "4"}
    page = ben.post(game.url("numbers/"), posted)
    assertContains(page, "Choose whose number it is.", status_code=422)
    assert page.context["form"]["units"].value() == "4"
    ben.post(game.url("numbers/"), posted | {"player": str(game.players[2].pk)})
    assert row(game.standing[0]) == {2: 4}


@pytest.mark.parametrize("headers", [{}, HTMX])
@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("", "Type the number, 0 for nothing."),
        ("-2", "Nobody takes in less than 0: what was paid out is not written down."),
        ("x", "“x” is not a number."),
    ],
)
def test_what_is_no_number_is_said_in_words_and_kept(game, alice, headers, typed, sentence):
    posted = fields(alice, game) | {"units": typed}
    page = alice.post(game.url("numbers/"), posted, headers=headers)
    assertContains(page, sentence, status_code=422)
    assert page["Refused"] == "invalid"  # or a queue would send it for ever
    assert page.context["form"]["units"].value() == typed
    assert not game.standing


def test_a_number_sent_twice_is_one_number(game, alice):
    posted = fields(alice, game) | {"units": "4"}
    answers = [alice.post(game.url("numbers/"), posted) for _ in range(2)]
    assert answers[0]["Location"] == answers[1]["Location"]
    assert len(game.standing) == 1
    assert game.totals == [4, 0, 0]


def test_ones_own_number_may_be_put_right(game):
    half(game, (0, 4))
    saved(number(game, 0, 6))
    assert row(game.standing[0]) == {0: 6}
    assert game.totals == [6, 0, 0]


def test_own_columns_that_are_off_show_nothing_and_refuse(game, alice):
    posted = fields(alice, game) | {"units": "4"}
    actions.change_settings(game.write(game.ben), False, False)
    page = alice.post(game.url("numbers/"), posted)
    assertContains(page, "Somebody has switched this off at this table.", status_code=409)
    assert page.context["form"]["units"].value() == "4"
    assert alice.get(game.url()).context["number_form"] is None
    assert alice.get(game.url("numbers/"))["Location"] == game.url()
    assert not game.standing


def test_a_number_after_the_end_is_refused_and_kept(game, alice):
    game.enter()
    posted = fields(alice, game) | {"units": "4"}
    game.end(game.ben)
    page = alice.post(game.url("numbers/"), posted)
    assertContains(page, "Ben ended this match", status_code=409)
    assert page.context["form"]["units"].value() == "4"


# Which hand a number belongs to.


def test_first_numbers_named_after_the_same_hand_make_one_hand(game):
    last = game.enter().public_id
    seen = game.version
    for seat, phone in ((0, game.alice), (1, game.ben), (2, game.alice)):
        saved(number(game, seat, 2 * seat, phone, after=last, seen=seen))
    assert len(game.standing) == 2
    assert row(game.standing[1]) == {0: 0, 1: 2, 2: 4}
    assert not game.standing[1].half


def test_a_number_for_a_hand_that_somebody_entered_whole_is_a_question(game, alice):
    posted = fields(alice, game) | {"units": "4"}
    game.enter(phone=game.ben)
    page = alice.post(game.url("numbers/"), posted)
    assertContains(page, "Ben entered hand 1: Ben 320 hearts made", status_code=409)
    assertContains(page, "Discard mine", status_code=409)
    assertContains(page, "Save as a number in hand 2", status_code=409)
    form = page.context["form"]
    assert form["units"].value() == "4"
    again = {field.name: str(field.value() or "") for field in form}
    assert alice.post(game.url("numbers/"), again).status_code == 303
    assert row(game.standing[1]) == {0: 4}


@pytest.mark.parametrize("phone", ["alice", "ben"])
def test_a_number_is_stale_once_another_hand_is_next(game, phone):
    first, second = game.enter().public_id, game.enter().public_id
    actor = getattr(game, phone)
    refused(number(game, 0, 4, after=first, seen=game.version), Why.STALE)
    actions.take_back(game.write(actor), second)
    refused(number(game, 0, 4, after=second, seen=game.version), Why.STALE)
    half(game, (1, 2))
    later = number(game, 2, 2, after=second, seen=game.version)
    assert refused(later, Why.STALE).change.kind == "number_entered"
    assert len(game.standing) == 2


def test_a_number_goes_to_the_hand_it_names(game):
    hand = half(game, (0, 4))
    other = actions.enter_number(
        game.write(), game.sheet.public_id, game.players[1].pk, 2, hand=uuid.uuid4()
    )
    refused(other, Why.NOT_THERE)
    actions.take_back(game.write(), hand.public_id)
    refused(number(game, 1, 2, hand=hand.public_id), Why.TAKEN_BACK)
    actions.put_back(game.write(), hand.public_id)
    actions.edit_hand(game.write(), hand.public_id, game.played())
    refused(number(game, 1, 2, hand=hand.public_id), Why.WHOLE)


def test_a_column_that_another_phone_filled_is_a_question(game, alice, ben):
    half(game, (2, 0))
    posted = fields(alice, game) | {"units": "6"}
    saved(number(game, 0, 4, game.ben))
    page = alice.post(game.url("numbers/"), posted)
    theirs = "Ben entered the number of Alice in hand 1: 4 (4 · ? · 0)"
    assertContains(page, theirs, status_code=409)
    assertContains(page, "Save mine instead", status_code=409)
    form = page.context["form"]
    assert form["units"].value() == "6"
    assert game.totals == [4, 0, 0]
    again = {field.name: str(field.value() or "") for field in form}
    assert alice.post(game.url("numbers/"), again).status_code == 303
    assert game.totals == [6, 0, 0]


def test_mine_instead_goes_into_the_same_hand_though_it_is_whole_by_now(game, alice):
    posted = fields(alice, game) | {"units": "6"}
    hand = half(game, (1, 2))
    saved(number(game, 2, 2, game.ben))
    saved(number(game, 0, 4, game.ben))
    page = alice.post(game.url("numbers/"), posted)
    assertContains(page, "Save mine instead", status_code=409)
    again = {f.name: str(f.value() or "") for f in page.context["form"]}
    assert alice.post(game.url("numbers/"), again).status_code == 303
    assert row(hand) == {0: 6, 1: 2, 2: 2}
    assert len(game.standing) == 1


def test_a_column_filled_by_an_edit_meanwhile_is_a_question(game):
    hand = half(game, (0, 4))
    seen = game.version
    actions.edit_hand(game.write(game.ben), hand.public_id, game.typed(4, 0, 4))
    refused(number(game, 1, 2, hand=hand.public_id, seen=seen), Why.STALE)


# History, and what it costs.


def test_entering_a_number_takes_few_queries(game, alice, at_most_queries):
    game.enter()
    half(game, (1, 2))
    posted = fields(alice, game) | {"units": "4"}
    with at_most_queries(14):
        assert alice.post(game.url("numbers/"), posted).status_code == 303


def test_history_names_whose_number_was_entered_and_by_whom(game, alice):
    saved(number(game, 1, 4, game.ben))
    saved(number(game, 1, 6, game.ben))
    saved(number(game, 2, 3, game.alice))
    saved(number(game, 2, 5, game.alice))
    saved(actions.fill_with_zeros(game.write(game.ben), game.standing[0].public_id))
    events = alice.get(game.url("history/")).context["events"][:5]
    assert [f"{who} {what}" for _at, who, what in reversed(events)] == [
        "Ben entered their own number in hand 1: 4 (? · 4 · ?)",
        "Ben changed their own number in hand 1 from 4 to 6 (? · 6 · ?)",
        "Alice entered the number of Cass in hand 1: 3 (? · 6 · 3)",
        "Alice changed the number of Cass in hand 1 from 3 to 5 (? · 6 · 5)",
        "Ben put 0 for Alice in hand 1 (0 · 6 · 5)",
    ]


def test_staff_can_correct_a_half_hand(game, django_user_model):
    hand = half(game, (0, 4))
    staff = django_user_model.objects.create_user("olga@example.org", name="Olga", is_staff=True)
    write = dataclasses.replace(game.write(), phone="", user=staff, as_staff=True)
    saved(actions.correct_hand(write, hand.public_id, game.typed(4, 0, 4), reason="Said so"))
    assert row(hand) == {0: 4, 1: 0, 2: 4}
    assert game.totals == [4, 0, 4]


@pytest.mark.parametrize("hands", [2, 40])
def test_the_sheet_with_a_half_hand_takes_the_same_few_queries(game, alice, at_most_queries, hands):
    game.fill(hands)
    half(game, (0, 4))
    with at_most_queries(6):
        assert alice.get(game.url()).status_code == 200


def test_moving_the_seats_keeps_numbers_with_their_people(game):
    half(game, (0, 4), (1, 2))
    players = game.players
    actions.change_seats(
        game.write(), game.sheet.public_id, [players[2].pk, players[0].pk, players[1].pk]
    )
    assert [player.name for player in game.players] == ["Cass", "Alice", "Ben"]
    saved(number(game, 0, 2))
    assert not Round.objects.get().half
    assert game.totals == [2, 4, 2]


def test_a_phone_that_is_no_member_enters_nothing(game):
    answer = number(game, 0, 1, "f" * 64)
    refused(answer, Why.NOT_A_MEMBER)
