"""Own columns: a hand that comes together number by number, and what a half one holds up."""

from __future__ import annotations

import uuid

import pytest
from pytest_django.asserts import assertContains, assertNotContains

from sheets import actions, queries, rows
from sheets.actions import Why
from sheets.models import Round, RoundKind
from tests.sheets.posting import numbers, opened

HTMX = {"HX-Request": "true"}
MISSING = '<td class="missing"><span role="img" aria-label="missing">?</span></td>'


@pytest.fixture
def game(game):
    saved(actions.change_settings(game.write(), True, False))
    return game


def saved(answer):
    assert isinstance(answer, actions.Saved), answer
    return answer


def number(game, seat, units, phone="", *, hand=None, after=None, **write):
    """Enter a number through the action: of the hand given, else of the one that is next now."""
    if hand is None and after is None:
        where = queries.where_next(game.sheet, game.players)
        hand, after = where.half, None if where.half else where.last
    return actions.enter_number(
        game.write(phone, **write),
        game.sheet.public_id,
        game.players[seat].pk,
        units,
        hand=hand,
        after=after,
    )


def half(game, *seats_and_units):
    """A hand that waits for numbers."""
    for seat, units in seats_and_units or [(0, 4)]:
        saved(number(game, seat, units))
    return game.standing[-1]


def row(line):
    return {entry.player.place: entry.units for entry in line.entries.select_related("player")}


def fields(client, game):
    """The number form of the sheet's page, as a browser would send it back untouched."""
    form = client.get(game.url()).context["number_form"]
    return {field.name: str(field.value() or "") for field in form}


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


def refused(answer, why):
    assert isinstance(answer, actions.Refused), answer
    assert answer.why == why
    return answer


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
    staff = django_user_model.objects.create_user("olga@example.org", name="Olga")
    write = actions.Write(table=game.table.pk, key=uuid.uuid4(), seen=game.version, user=staff)
    saved(actions.correct_hand(write, hand.public_id, game.typed(4, 0, 4), reason="Said so"))
    assert row(hand) == {0: 4, 1: 0, 2: 4}
    assert game.totals == [4, 0, 4]


@pytest.mark.parametrize("hands", [2, 40])
def test_the_sheet_with_a_half_hand_takes_the_same_few_queries(game, alice, at_most_queries, hands):
    for _ in range(hands):
        game.enter()
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
