"""A fourth sits down, somebody leaves: seats are closed from a hand on, and nobody's hands move."""

from __future__ import annotations

import dataclasses

import pytest
from django.utils.html import escape
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django.asserts import assertContains, assertNotContains

from rules.auction import Fourth, HouseRules, Pot, Sitter
from sheets import actions, queries, rows, seats
from sheets.models import Change, Entry, Player
from tests.sheets.conftest import client_of
from tests.sheets.posting import opened
from tests.sheets.test_history_replay import assert_history_tells_the_sheet

HTMX = {"HX-Request": "true"}
FOUR = ("Alice", "Ben", "Cass", "Dana")
LONG = "W" * 40


def sit_down(game, name="Dana", fourth="off_sheet", sitter="right_of_dealer", **write):
    return actions.sit_down(game.write(**write), game.sheet.public_id, name, fourth, sitter)


def leave(game, who, name="", **write):
    player = next(one for one in at_table(game) if one.name == who)
    return actions.leave(game.write(**write), game.sheet.public_id, player.pk, name=name)


def saved(answer):
    assert isinstance(answer, actions.Saved), answer
    return answer.change


def at_table(game):
    return seats.now(game.players)


def names(game):
    return [one.name for one in at_table(game)]


def columns(game):
    return {one.name: one.total for one in seats.scoring(game.players)}


def house(game):
    return game.sheet.house_rules.value


def lines(game):
    found = queries.again(game.sheet)
    return rows.lines(*found, queries.where_next(*found))


def enter(game, bidder, **hand):
    """Enter a hand; the bidder by name."""
    seat = next(n for n, one in enumerate(game.players) if one.is_seated and one.name == bidder)
    return game.enter(game.played(bidder=seat, **hand))


@pytest.fixture
def four(new_game):
    """Dana is the fourth, off the sheet; Alice's and Ben's phones are there."""
    return new_game(FOUR, house=HouseRules(fourth=Fourth.OFF_SHEET), off_sheet=3)


@pytest.fixture
def with_column(new_game):
    return new_game(FOUR, house=HouseRules(fourth=Fourth.COLUMN, sitter=Sitter.DEALER))[0]


# Somebody leaves and somebody else sits down there.


def test_the_seat_is_closed_and_whoever_sits_down_there_starts_at_0(game):
    for bidder in ("Ben", "Cass"):
        enter(game, bidder)
    entries = list(Entry.objects.order_by("pk").values())
    change = saved(leave(game, "Cass", "Dana"))
    assert change.kind == "sat_down"
    assert names(game) == ["Alice", "Ben", "Dana"]
    assert list(Entry.objects.order_by("pk").values()) == entries
    enter(game, "Dana", bid=400)
    assert columns(game) == {"Alice": 0, "Ben": 2, "Cass": 2, "Dana": 8}
    assert [line.cells for line in lines(game)] == [
        ("0", "0", "8"),
        ("0", "0", "2"),
        ("0", "2", "0"),
    ]
    assert [line.running[2] for line in lines(game)] == ["8", "2", "0"]
    assert_history_tells_the_sheet(game)


def test_the_deal_goes_on_from_the_place_of_whoever_left(game):
    for _ in range(3):
        enter(game, "Ben")  # Cass has dealt the third
    saved(leave(game, "Cass", "Dana"))
    assert queries.where_next(game.sheet, game.players).dealer.name == "Alice"
    for _ in range(2):
        enter(game, "Ben")
    assert queries.where_next(game.sheet, game.players).dealer.name == "Dana"


def test_before_the_first_hand_the_place_only_changes_hands(game):
    before = [one.pk for one in game.players]
    change = saved(leave(game, "Alice", "Dana"))
    assert [one.pk for one in game.players] == before
    assert names(game) == ["Dana", "Ben", "Cass"]
    assert queries.where_next(game.sheet, game.players).dealer.name == "Dana"
    assert "Dana" not in str([change.before, change.after])
    assert_history_tells_the_sheet(game)


def test_the_same_step_the_other_way_round_undoes_it(game):
    enter(game, "Cass")
    before = list(game.players)
    saved(leave(game, "Cass", "Dana"))
    saved(leave(game, "Dana", "Cass"))
    assert at_table(game) == before
    enter(game, "Cass")
    assert columns(game) == {"Alice": 0, "Ben": 0, "Cass": 4}
    assert [line.handovers for line in lines(game)] == [(), ()]
    assert_history_tells_the_sheet(game)


def test_a_newcomer_who_played_no_hand_may_be_followed_by_another(game):
    enter(game, "Cass")
    saved(leave(game, "Cass", "Dana"))
    saved(leave(game, "Dana", "Eve"))
    enter(game, "Eve")
    assert columns(game) == {"Alice": 0, "Ben": 0, "Cass": 2, "Eve": 2}


def test_whoever_comes_back_after_a_hand_starts_at_0_and_is_the_same_person(game):
    enter(game, "Cass")
    saved(leave(game, "Cass", "Dana"))
    enter(game, "Dana")
    saved(leave(game, "Ben", "cass"))
    assert names(game) == ["Alice", "cass", "Dana"]
    back, gone = at_table(game)[1], game.players[3]
    assert (back.total, gone.total) == (0, 2)
    assert back.person_id == gone.person_id
    assert_history_tells_the_sheet(game)


def test_old_hands_can_still_be_changed_and_put_in_for_whoever_sat_there(game):
    first, second = enter(game, "Ben"), enter(game, "Cass")
    saved(leave(game, "Cass", "Dana"))
    third = enter(game, "Dana")
    cass = game.players[2]
    edited = actions.EnteredHand(
        kind="played", bidder=cass.pk, bid=350, trump="hearts", outcome="made"
    )
    saved(actions.edit_hand(game.write(), second.public_id, edited))
    game.enter(edited, before=first.public_id)
    dana = at_table(game)[2]
    game.enter(dataclasses.replace(edited, bidder=dana.pk), before=third.public_id)
    assert columns(game) == {"Alice": 0, "Ben": 2, "Cass": 8, "Dana": 6}
    assert_history_tells_the_sheet(game)


def test_a_name_at_the_table_is_taken(game):
    assert leave(game, "Cass", "ben ").why == actions.Why.NAME_TAKEN
    assert sit_down(game, "Ｂｅｎ").why == actions.Why.NAME_TAKEN
    assert names(game) == ["Alice", "Ben", "Cass"]


def test_somebody_elses_name_that_has_left_is_asked_about(game, alice):
    enter(game, "Cass")
    saved(leave(game, "Cass", "Dana"))
    fields = opened_names(alice, game)
    dana = at_table(game)[2]
    page = alice.post(game.url("names/"), fields | {f"name_{dana.pk}": "cass"})
    assertContains(page, "A cass has left this sheet", status_code=422)
    assert names(game) == ["Alice", "Ben", "Dana"]


def test_whoever_came_back_is_renamed_everywhere(game):
    enter(game, "Cass")
    saved(leave(game, "Cass", "Dana"))
    enter(game, "Dana")
    saved(leave(game, "Dana", "Cass"))
    back = at_table(game)[2]
    new = {one.pk: one.name for one in at_table(game)} | {back.pk: "Cassandra"}
    saved(actions.rename(game.write(), game.sheet.public_id, "", new))
    assert [one.name for one in game.players if one.person_id == back.person_id] == [
        "Cassandra"
    ] * 2


def opened_names(client, game):
    form = client.get(game.url("names/")).context["names_form"]
    return {field.name: str(field.value() or "") for field in form}


# A fourth sits down, and leaves.


def test_a_fourth_sits_down_from_the_next_hand_on(game):
    enter(game, "Ben")
    saved(sit_down(game))
    assert names(game) == list(FOUR)
    assert (house(game).fourth, house(game).sitter) == ("off_sheet", "right_of_dealer")
    row = enter(game, "Ben")  # Ben deals, Alice sits out
    assert (row.dealer.name, row.sitter.name) == ("Ben", "Alice")
    enter(game, "Dana")
    assert columns(game) == {"Alice": 0, "Ben": 4, "Cass": 0}
    assert game.standing[0].house_rules.value.fourth == "none"
    assert_history_tells_the_sheet(game)


def test_a_fourth_with_a_column_is_paid_by_three(game):
    enter(game, "Ben")
    saved(sit_down(game, fourth="column", sitter="dealer"))
    enter(game, "Dana")  # Ben deals and sits out
    assert columns(game) == {"Alice": 0, "Ben": 2, "Cass": 0, "Dana": 3}
    newest, oldest = lines(game)
    assert (newest.cells, oldest.cells) == (("0", "0", "0", "3"), ("0", "2", "0", ""))


def test_before_the_first_hand_a_fourth_puts_into_the_pot_too(new_game):
    game, *_ = new_game(house=HouseRules(pot=Pot(ante=2)))
    saved(sit_down(game))
    assert game.sheet.pot == 8


def test_a_hand_forgotten_from_before_the_fourth_is_one_of_three(game):
    first = enter(game, "Ben")
    saved(sit_down(game, fourth="column"))
    enter(game, "Cass")
    forgotten = game.enter(before=first.public_id)
    assert (forgotten.sitter, forgotten.entries.count()) == (None, 3)
    assert forgotten.house_rules.value.fourth == "none"
    assert_history_tells_the_sheet(game)


def test_the_fourth_leaves_and_three_play_on(four):
    game = four[0]
    enter(game, "Ben")
    saved(leave(game, "Dana"))
    assert (names(game), house(game).fourth) == (["Alice", "Ben", "Cass"], "none")
    row = enter(game, "Cass")
    assert (row.dealer.name, row.sitter) == ("Ben", None)
    assert_history_tells_the_sheet(game)


def test_another_leaves_and_whoever_had_no_column_gets_one(four):
    game = four[0]
    enter(game, "Ben")
    change = saved(leave(game, "Ben"))
    assert names(game) == ["Alice", "Cass", "Dana"]
    enter(game, "Dana")
    assert columns(game) == {"Alice": 0, "Ben": 2, "Cass": 0, "Dana": 2}
    assert change.after["off_sheet"] == []
    newest, oldest = lines(game)
    assert (newest.cells, oldest.cells) == (("0", "", "0", "2"), ("0", "2", "0", ""))
    assert_history_tells_the_sheet(game)


def test_the_free_place_is_taken_again(four):
    game = four[0]
    enter(game, "Ben")
    saved(leave(game, "Ben"))
    enter(game, "Dana")
    saved(sit_down(game, "Eve", "column"))
    assert [(one.name, one.place) for one in at_table(game)] == [
        ("Alice", 0),
        ("Eve", 1),
        ("Cass", 2),
        ("Dana", 3),
    ]


@pytest.mark.parametrize("why", ["uneven", "no_hand", "gone", "half", "ended"])
def test_what_cannot_be(game, four, why):
    other = four[0]
    match why:
        case "uneven":
            assert leave(game, "Cass").why == why  # three must remain
            answer = sit_down(other, "Eve")
        case "no_hand":
            answer = leave(other, "Cass")
        case "gone":
            cass = game.players[2]
            enter(game, "Cass")
            saved(leave(game, "Cass", "Dana"))
            answer = actions.leave(game.write(), game.sheet.public_id, cass.pk, name="Eve")
        case "half":
            saved(actions.change_settings(game.write(), True, False))
            saved(actions.enter_number(game.write(), game.sheet.public_id, game.players[0].pk, 4))
            answer = leave(game, "Cass", "Dana")
        case _:
            game.enter()
            game.end()
            cass = game.players[2]
            answer = actions.leave(game.write(), game.sheet.public_id, cass.pk, name="Dana")
    assert answer.why == why


def test_what_another_phone_did_meanwhile_is_a_question(game):
    seen = game.version
    game.enter(phone=game.ben)
    assert leave(game, "Cass", "Dana", seen=seen).why == actions.Why.STALE
    seen = game.version
    saved(leave(game, "Cass", "Eve", phone=game.ben))
    for answer in (sit_down(game, seen=seen), leave(game, "Ben", "Dana", seen=seen)):
        assert (answer.why, answer.change.kind) == (actions.Why.STALE, "sat_down")
    hand = actions.enter_hand(game.write(seen=seen), game.sheet.public_id, game.played())
    assert hand.why == actions.Why.STALE


def test_the_same_form_sent_twice_is_one_step(game, alice):
    enter(game, "Cass")
    cass = game.players[2]
    fields = opened(alice, game.url("leave/")) | {"player": str(cass.pk), "name": "Dana"}
    answers = [alice.post(game.url("leave/"), fields) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [303, 303]
    assert Change.objects.filter(kind="sat_down").count() == 1


# The pages.


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


# Seats put right.

ORDERS = st.lists(st.permutations([0, 1, 2, 3]), min_size=1, max_size=3)


def evening_of_all_kinds(new_game):
    """Three play, a fourth sits down, somebody is followed by another, one leaves for good."""
    game, *_ = new_game()
    for bidder in ("Ben", "Cass"):
        enter(game, bidder)
    enter(game, queries.where_next(game.sheet, game.players).dealer.name, bid=250)
    saved(sit_down(game))
    for bidder in ("Dana", "Alice", "Ben"):
        where = queries.where_next(game.sheet, game.players)
        other = next(one.name for one in at_table(game) if one != where.sitter)
        enter(game, bidder if where.sitter.name != bidder else other, bid=350, outcome="set")
    saved(leave(game, "Ben", "Eve"))
    game.enter(game.passed())
    return game


@given(orders=ORDERS, then_three=st.booleans())
@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_seat_order_repair_keeps_each_persons_units(new_game, orders, then_three):
    game = evening_of_all_kinds(new_game)
    if then_three:
        saved(leave(game, "Cass"))
    totals = {one.pk: one.total for one in game.players}
    entries = sorted(Entry.objects.filter(round__sheet=game.sheet).values_list())
    bidders = {row.pk: row.bidder_id for row in game.standing}
    for order in orders:
        seated = at_table(game)
        wanted = [seated[n].pk for n in order if n < len(seated)]
        answer = actions.change_seats(game.write(), game.sheet.public_id, wanted)
        if isinstance(answer, actions.Refused):
            assert answer.why == actions.Why.MOVES
            write = dataclasses.replace(game.write(), agreed=answer.agreed)
            answer = actions.change_seats(write, game.sheet.public_id, wanted)
        saved(answer)
        assert [one.pk for one in at_table(game)] == wanted
    assert {one.pk: one.total for one in game.players} == totals
    assert sorted(Entry.objects.filter(round__sheet=game.sheet).values_list()) == entries
    assert {row.pk: row.bidder_id for row in game.standing} == bidders
    for row in game.standing:
        there = seats.during(list(Player.objects.filter(sheet=game.sheet)), row)
        assert row.dealer in there
        assert row.sitter is None or row.sitter in there
    assert_history_tells_the_sheet(game)
