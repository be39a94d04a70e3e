"""End match asks about rows that look like running totals, and makes hands of them."""

from __future__ import annotations

import pytest
from pytest_django.asserts import assertContains, assertNotContains

from sheets import actions
from sheets.models import Change, Player, Round, RoundKind, Sheet
from tests.sheets.posting import opened

TOTALS = ((5, 0, 7), (9, 3, 7), (12, 3, 9))
HANDS = ((5, 0, 7), (4, 3, 0), (3, 0, 2))
QUESTION = "These hands look like running totals"


@pytest.fixture
def typed(game):
    for row in TOTALS:
        game.enter(game.typed(*row))
    return game


def rows(game):
    return rows_of(game.sheet)


def rows_of(sheet):
    return [
        tuple(row.entries.order_by("player__place").values_list("units", flat=True))
        for row in sheet.rounds.filter(taken_back=False).order_by("position")
    ]


def fields(client, game):
    """The fields of the small forms on the page of End match."""
    form = client.get(game.url("end/")).context["beside_form"]
    return {field.name: str(field.value()) for field in form if field.value() is not None}


def test_end_match_asks_once_and_takes_the_differences(typed, alice):
    page = alice.get(typed.url("end/"))
    assertContains(page, QUESTION)
    assertContains(page, "With the differences hand 2 becomes 4 · 3 · 0")
    assertContains(page, "the match ends with Alice 12, Cass 9, Ben 3")
    assertContains(page, "Bank it as it is")
    told = fields(alice, typed)
    answer = alice.post(typed.url("end/totals/"), told)
    assert (answer.status_code, answer["Location"]) == (303, typed.url("end/"))
    assert rows(typed) == list(HANDS)
    assert typed.totals == [12, 3, 9]
    page = alice.get(typed.url("end/"))
    assertNotContains(page, QUESTION)
    assertContains(page, "Alice 12, Cass 9, Ben 3")
    history = alice.get(typed.url("history/"))
    assertContains(history, "took the differences of running totals as hands")
    assertContains(history, "hand 2: Alice 9 becomes 4, Cass 7 becomes 0")
    # Sent again, as by a second tap.
    assert alice.post(typed.url("end/totals/"), told).status_code == 303
    assert rows(typed) == list(HANDS)


def test_it_is_one_change_and_undo_gives_back_what_was_typed(typed, alice):
    before = Change.objects.count()
    alice.post(typed.url("end/totals/"), fields(alice, typed))
    assert Change.objects.count() == before + 1
    assertContains(alice.get(typed.url("end/")), "each of them is a hand now")
    answer = alice.post(typed.url("end/totals/back/"), fields(alice, typed))
    assert answer.status_code == 303
    assert rows(typed) == list(TOTALS)
    assert typed.totals == [26, 6, 23]
    page = alice.get(typed.url("end/"))
    assertContains(page, QUESTION)
    assertNotContains(page, "each of them is a hand now")
    assertContains(alice.get(typed.url("history/")), "put the running totals back")
    # And the whole way once more.
    alice.post(typed.url("end/totals/"), fields(alice, typed))
    assert typed.totals == [12, 3, 9]


def test_they_can_be_banked_as_they_are(typed, alice):
    assert alice.post(typed.url("end/"), opened(alice, typed.url("end/"))).status_code == 303
    assert typed.sheet.state == "banked"
    assert rows(typed) == list(TOTALS)


def test_nothing_is_undone_once_one_of_the_hands_was_changed(typed, alice):
    alice.post(typed.url("end/totals/"), fields(alice, typed))
    told = fields(alice, typed)
    actions.edit_hand(typed.write(), typed.standing[1].public_id, typed.typed(2, 0, 0))
    assertNotContains(alice.get(typed.url("end/")), "each of them is a hand now")
    answer = alice.post(typed.url("end/totals/back/"), told)
    assertContains(answer, "There is nothing to take back any more", status_code=409)
    assert rows(typed) == [(5, 0, 7), (2, 0, 0), (3, 0, 2)]


def test_another_phone_that_was_first_is_told_of(typed, alice, ben):
    told = fields(alice, typed)
    ben.post(typed.url("end/totals/"), fields(ben, typed))
    answer = alice.post(typed.url("end/totals/"), told)
    assertContains(answer, "took the differences of running totals", status_code=409)
    assert typed.totals == [12, 3, 9]


def test_a_form_of_a_hand_that_became_another_one_is_refused(typed):
    seen = typed.version
    actions.replace_totals(typed.write(typed.ben), typed.sheet.public_id)
    row = typed.standing[1]
    answer = actions.edit_hand(typed.write(seen=seen), row.public_id, typed.typed(9, 4, 7))
    assert answer.why == actions.Why.STALE
    assert rows(typed) == list(HANDS)


def test_a_total_typed_on_a_phone_that_does_not_know_yet_is_asked_about(typed):
    seen = typed.version
    actions.replace_totals(typed.write(), typed.sheet.public_id)
    next_total = typed.typed(14, 3, 9)
    answer = actions.enter_hand(
        typed.write(typed.ben, seen=seen), typed.sheet.public_id, next_total
    )
    assert answer.why == actions.Why.STALE
    assert rows(typed) == list(HANDS)


def test_an_end_pressed_before_another_phone_made_hands_of_them_is_asked_again(typed, alice):
    told = opened(alice, typed.url("end/"))
    actions.replace_totals(typed.write(typed.ben), typed.sheet.public_id)
    answer = alice.post(typed.url("end/"), told)
    assertContains(answer, "took the differences", status_code=409)
    assert typed.sheet.is_open


def test_hands_that_were_computed_count_between_the_totals(game, alice):
    game.enter(game.typed(5, 0, 7))
    game.enter()  # Ben collects 2
    game.enter(game.typed(9, 5, 7))
    game.enter(game.typed(12, 5, 9))
    alice.post(game.url("end/totals/"), fields(alice, game))
    assert rows(game) == [(5, 0, 7), (0, 2, 0), (4, 3, 0), (3, 0, 2)]
    assert game.totals == [12, 5, 9]


def test_many_rows_that_the_rules_cannot_give_are_asked_about(game, alice):
    for row in ((1, 2, 3), (3, 1, 2), (2, 3, 1)):
        game.enter(game.typed(*row))
    page = alice.get(game.url("end/"))
    assertContains(page, "The rules can't produce 3 of these hands")
    assertContains(page, "Bank it as it is")
    answer = alice.post(game.url("end/totals/"), fields(alice, game))
    assertContains(answer, "There is nothing to take back", status_code=409)
    assert rows(game) == [(1, 2, 3), (3, 1, 2), (2, 3, 1)]


def test_where_somebody_came_in_between_no_totals_are_told_apart(typed, alice):
    actions.leave(typed.write(), typed.sheet.public_id, typed.players[2].pk, name="Dana")
    there = [one for one in typed.players if one.is_seated]
    units = {one.pk: n for one, n in zip(there, (14, 4, 9), strict=True)}
    typed.enter(actions.EnteredHand(kind=RoundKind.TYPED, units=units))
    page = alice.get(typed.url("end/"))
    assertNotContains(page, "Take the differences")
    assertContains(page, "The rules can't produce 4 of these hands")


def test_a_usual_sheet_is_not_read_twice(game, alice, at_most_queries):
    game.fill(30)
    alice.get(game.url("end/"))
    with at_most_queries(16):
        page = alice.get(game.url("end/"))
    assertNotContains(page, "Bank it as it is")


def test_a_long_sheet_is_rewritten_in_a_few_queries(game, at_most_queries):
    for n in range(1, 31):
        game.enter(game.typed(5 * n, 3 * n, 7 * n))
    with at_most_queries(24):
        answer = actions.replace_totals(game.write(), game.sheet.public_id)
    assert isinstance(answer, actions.Saved)
    assert set(rows(game)) == {(5, 3, 7)}
    assert Round.objects.filter(changed=answer.change.version).count() == 29
    assert sum(Player.objects.values_list("total", flat=True)) == 450


@pytest.fixture
def paper(thursday, otto):
    """Post the page on which a paper sheet is typed in."""

    def post(hands, **changed):
        fields = opened(otto, thursday.url("paper/")) | {"evening": "2026-03-29", "hands": hands}
        names = {"name_0": "Alice", "name_1": "Ben", "name_2": "Cass"}
        return otto.post(thursday.url("paper/"), fields | names | changed)

    return post


TYPED = "5 0 7\n9 3 7\n12 3 9"


@pytest.mark.parametrize(
    ("answer", "kept", "totals"),
    [("totals", list(HANDS), [12, 3, 9]), ("hands", list(TOTALS), [26, 6, 23])],
)
def test_a_paper_sheet_of_running_totals_is_asked_about(paper, answer, kept, totals):
    asked = paper(TYPED)
    assertContains(asked, "These rows look like running totals", status_code=422)
    assertContains(asked, "5 0 7\n9 3 7\n12 3 9", status_code=422)
    banked = paper(TYPED, rows_are=answer)
    assert banked.status_code == 303
    sheet = Sheet.objects.get(public_id=banked["Location"].split("/")[-2])
    assert rows_of(sheet) == kept
    assert [player.total for player in sheet.players.all()] == totals


def test_rows_of_a_paper_sheet_that_no_hand_gives_are_asked_about_too(paper):
    asked = paper("1 2 3\n3 1 2\n2 3 1", rows_are="")
    assertContains(asked, "Many of these rows are none", status_code=422)
    assertNotContains(asked, "Take the differences", status_code=422)
    assert paper("1 2 3\n3 1 2\n2 3 1", rows_are="hands").status_code == 303


def test_usual_rows_of_a_paper_sheet_are_banked_whatever_was_said_of_others_before(paper):
    banked = paper("0 2 0\n0 2 2\n4 0 0\n0 0 8", rows_are="totals")
    assert banked.status_code == 303
    sheet = Sheet.objects.get(public_id=banked["Location"].split("/")[-2])
    assert rows_of(sheet) == [(0, 2, 0), (0, 2, 2), (4, 0, 0), (0, 0, 8)]
