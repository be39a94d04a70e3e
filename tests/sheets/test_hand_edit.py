"""Change a hand that stands: the form holds it, totals follow, nobody is overwritten unseen."""

from __future__ import annotations

import datetime

import pytest
from django.utils.html import escape
from pytest_django.asserts import assertContains, assertNotContains

from sheets import actions, queries
from sheets.models import Round, Sheet
from tests.sheets.posting import opened

HTMX = {"HX-Request": "true"}


def url(game, row):
    return game.url(f"hands/{row.public_id}/edit/")


def units(row):
    return list(row.entries.order_by("player__place").values_list("units", flat=True))


def hands(game):
    """Different hands, by the way they were entered."""
    return {
        "played": game.played(bid=350, trump="spades", outcome="set"),
        "dealers": game.played(bidder=0, bid=250),
        "beyond": game.played(bid=760, outcome="set"),
        "thrown in": game.played(outcome="thrown_in"),
        "typed": game.typed(3, 0, 0),
        "passed": game.passed(),
    }


def test_the_form_says_what_the_hand_says_now(game, alice):
    page = alice.get(url(game, game.enter()))
    assertContains(page, "<html")
    assertContains(page, "Change hand 1")
    assertContains(page, "Now it says:")
    assertContains(page, "(0 · 2 · 0)")
    assertContains(page, "Save hand 1")


def test_the_form_as_a_part(game, alice):
    part = alice.get(url(game, game.enter()), headers=HTMX)
    assertContains(part, '<main id="page">')
    assertNotContains(part, "<html")


@pytest.mark.parametrize(
    ("which", "held"),
    [
        ("played", {"by": "result", "bid": "350", "trump": "spades", "outcome": "set"}),
        ("dealers", {"by": "result", "bid": "250"}),
        ("beyond", {"by": "result", "other_bid": "760"}),
        ("thrown in", {"by": "result", "outcome": "thrown_in"}),
        ("typed", {"by": "numbers"}),
        ("passed", {"by": "passed"}),
    ],
)
def test_the_form_holds_the_hand_and_saves_it_as_it_was(game, alice, which, held):
    row = game.enter(hands(game)[which])
    before = units(row)
    fields = opened(alice, url(game, row))
    assert {name: fields[name] for name in held} == held
    answer = alice.post(url(game, row), fields)
    if answer.status_code == 422:  # doubts are asked about once more
        answer = alice.post(url(game, row), answer.context["form"].data)
    assert answer.status_code == 303
    assert units(row) == before
    assert game.totals == before


def test_a_counted_hand_is_changed_by_its_count(game, alice):
    fields = game.fields(by="count", outcome=None, meld_points="150", trick_points="170")
    alice.post(game.url("hands/new/"), fields)
    row = Round.objects.get()
    fields = opened(alice, url(game, row))
    assert (fields["by"], fields["meld_points"], fields["trick_points"]) == ("count", "150", "170")
    assert alice.post(url(game, row), fields | {"trick_points": "169"}).status_code == 303
    assert game.totals == [2, 0, 2]


def test_a_hand_that_is_counted_no_more_forgets_its_count(game, alice):
    fields = game.fields(by="count", outcome=None, meld_points="150", trick_points="170")
    alice.post(game.url("hands/new/"), fields)
    row = Round.objects.get()
    alice.post(url(game, row), opened(alice, url(game, row)) | {"by": "result", "outcome": "set"})
    row.refresh_from_db()
    assert (row.outcome, row.counts) == ("set", None)


def test_hand_2_of_9_changed_from_made_to_set_moves_every_figure(game, alice):
    rows = [game.enter() for _ in range(9)]
    answer = alice.post(url(game, rows[1]), opened(alice, url(game, rows[1])) | {"outcome": "set"})
    assert answer["Location"] == game.url(f"hands/{rows[1].public_id}/")
    assert game.totals == [2, 16, 2]
    lines = alice.get(game.url()).context["lines"]
    assert lines[0].running == ("2", "16", "2")
    assert [line.cells for line in lines][-2] == ("2", "0", "2")
    paper = alice.get(f"{game.sheet.get_absolute_url()}paper/").context["lines"]
    assert [line.running for line in paper][:3] == [
        ("0", "2", "0"),
        ("2", "2", "2"),
        ("2", "4", "2"),
    ]
    assertContains(alice.get(game.url("end/")), "Ben 16, Alice 2, Cass 2.")
    assertContains(alice.get(answer["Location"]), "320 is in 250–330: 2 to each on a set.")


@pytest.mark.parametrize("into", ["played", "typed", "passed", "thrown in"])
@pytest.mark.parametrize("out_of", ["played", "typed", "passed"])
def test_a_hand_of_one_kind_becomes_one_of_another(game, alice, out_of, into):
    row = game.enter(hands(game)[out_of])
    fields = opened(alice, url(game, row)) | {"seen": str(game.version)}
    ben = str(game.players[1].pk)
    fields |= {
        "played": {"by": "result", "bidder": ben, "bid": "320", "trump": "hearts"},
        "thrown in": {"by": "result", "bidder": ben, "bid": "320", "outcome": "thrown_in"},
        "typed": {"by": "numbers"},
        "passed": {"by": "passed"},
    }[into]
    if into == "played":
        fields["outcome"] = "made"
    if into == "typed":
        fields |= {f"units_{p.pk}": n for p, n in zip(game.players, "808", strict=True)}
    assert alice.post(url(game, row), fields).status_code == 303
    expected = {"played": [0, 2, 0], "thrown in": [1, 0, 1], "typed": [8, 0, 8]}
    assert game.totals == expected.get(into, [0, 0, 0])


def test_hand_37_of_37_can_be_changed_from_the_sheet(game, alice):
    rows = game.fill(37)
    page = alice.get(f"{game.url()}?hands=all")
    for row in (rows[0], rows[-1]):
        assertContains(page, game.url(f"hands/{row.public_id}/"))
        fields = opened(alice, url(game, row)) | {"outcome": "set"}
        assert alice.post(url(game, row), fields).status_code == 303
    assert game.totals == [4, 70, 4]


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"bid": "340"}, "A bid can't end in 40 or 90."),
        ({"bid": "250"}, "Only the dealer can be left with 250."),
        ({"bidder": ""}, "Choose who bid."),
        ({"outcome": ""}, "Choose how it ended."),
        ({"key": ""}, "Part of this form was missing."),
        ({"seen": ""}, "Part of this form was missing."),
        ({"sheet": ""}, "Part of this form was missing."),
    ],
)
def test_what_is_wrong_is_said_and_what_was_typed_is_kept(game, alice, changed, sentence):
    row = game.enter()
    fields = opened(alice, url(game, row)) | {"trump": "clubs"} | changed
    page = alice.post(url(game, row), fields)
    assertContains(page, escape(sentence), status_code=422)
    assertContains(page, "<html", status_code=422)
    assertContains(page, 'name="trump" value="clubs" checked', status_code=422)
    assert game.totals == [0, 2, 0]


def test_a_refused_change_as_a_part(game, alice):
    row = game.enter()
    part = alice.post(url(game, row), opened(alice, url(game, row)) | {"bid": "340"}, headers=HTMX)
    assertContains(part, "end in 40 or 90.", status_code=422)
    assertNotContains(part, "<html", status_code=422)


def test_the_dealer_of_a_hand_can_be_put_right(game, alice):
    row = game.enter()
    cass = game.players[2]
    fields = opened(alice, url(game, row))
    alice.post(url(game, row), fields | {"dealer": str(cass.pk)})
    assert game.standing[0].dealer == cass
    page = alice.get(game.url("history/"))
    assertContains(page, "dealt by Cass instead of Alice")


def test_the_bid_left_with_the_dealer_goes_with_the_dealer_that_is_chosen(game, alice):
    row = game.enter()
    fields = opened(alice, url(game, row)) | {"bid": "250", "dealer": str(game.players[1].pk)}
    assert alice.post(url(game, row), fields).status_code == 303


def test_a_hand_keeps_its_place_its_dealer_and_who_entered_it(game, alice):
    rows = [game.enter(phone=game.ben) for _ in range(3)]
    alice.post(url(game, rows[1]), opened(alice, url(game, rows[1])) | {"outcome": "set"})
    changed = game.standing[1]
    assert changed.public_id == rows[1].public_id
    assert changed.dealer_id == rows[1].dealer_id
    assert str(changed.entered_by) == "Ben"


def test_two_taps_change_it_once(game, alice):
    row = game.enter()
    fields = opened(alice, url(game, row)) | {"outcome": "set"}
    assert [alice.post(url(game, row), fields).status_code for _ in range(2)] == [303, 303]
    assert game.totals == [2, 0, 2]
    assert row.changes.count() == 2


def test_a_used_form_with_another_change_is_refused_and_saved_once_more(game, alice):
    row = game.enter()
    fields = opened(alice, url(game, row)) | {"outcome": "set"}
    alice.post(url(game, row), fields)
    page = alice.post(url(game, row), fields | {"outcome": "thrown_in"})
    assertContains(page, "This form has saved that already.", status_code=422)
    assertContains(page, "made (0 · 2 · 0) to Ben 320 hearts set (2 · 0 · 2)", status_code=422)
    assert page.context["form"]["outcome"].value() == "thrown_in"
    assert alice.post(url(game, row), page.context["form"].data).status_code == 303
    assert game.totals == [1, 0, 1]


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_change_that_came_second_is_shown_the_newer_hand_and_keeps_what_was_typed(
    game, alice, headers
):
    row = game.enter()
    fields = opened(alice, url(game, row)) | {"trump": "clubs"}
    actions.edit_hand(game.write(game.ben), row.public_id, game.played(outcome="set"))
    page = alice.post(url(game, row), fields, headers=headers)
    assertContains(page, "Ben changed hand 1 from Ben 320 hearts made", status_code=409)
    assertContains(page, "(2 · 0 · 2)", status_code=409)  # what is there now
    assertContains(page, 'name="trump" value="clubs" checked', status_code=409)
    assertContains(page, "<html", status_code=409, count=0 if headers else 1)
    assert queries.hand_of(game.table, row.public_id)[0].trump == "hearts"


def test_a_change_that_came_second_can_be_made_all_the_same(game, alice):
    row = game.enter()
    fields = opened(alice, url(game, row)) | {"trump": "clubs"}
    actions.edit_hand(game.write(game.ben), row.public_id, game.played(bid=400, outcome="set"))
    form = alice.post(url(game, row), fields).context["form"]
    assert form["seen"].value() == str(game.seen)
    assert alice.post(url(game, row), form.data).status_code == 303
    # One of the two as a whole, never a mixture.
    row.refresh_from_db()
    assert (row.bid, row.trump, row.outcome) == (320, "clubs", "made")
    assert game.totals == [0, 2, 0]


def test_my_own_earlier_change_is_not_in_my_way(game, alice):
    row = game.enter()
    fields = opened(alice, url(game, row))
    actions.edit_hand(game.write(), row.public_id, game.played(outcome="set"))
    assert alice.post(url(game, row), fields | {"trump": "clubs"}).status_code == 303


def test_hands_added_meanwhile_are_not_in_the_way_and_stay(game, alice):
    row = game.enter()
    fields = opened(alice, url(game, row))
    for _ in range(2):
        game.enter(phone=game.ben)
    assert alice.post(url(game, row), fields | {"outcome": "set"}).status_code == 303
    assert game.totals == [2, 4, 2]


def test_a_hand_taken_back_meanwhile_is_a_question(game, alice):
    row = game.enter()
    fields = opened(alice, url(game, row))
    actions.take_back(game.write(game.ben), row.public_id)
    page = alice.post(url(game, row), fields | {"outcome": "set"})
    assertContains(page, "Ben took back hand 1", status_code=409)
    assert game.totals == [0, 0, 0]


def test_a_hand_that_was_taken_back_is_not_changed(game, alice):
    row = game.enter()
    fields = opened(alice, url(game, row)) | {"trump": "clubs"}
    actions.take_back(game.write(), row.public_id)
    page = alice.post(url(game, row), fields)
    sentence = "This hand has been taken back already. Put it back to change it."
    assertContains(page, sentence, status_code=409)
    assert page.context["form"]["trump"].value() == "clubs"
    assert game.totals == [0, 0, 0]


@pytest.mark.parametrize("new_sheet_open", [False, True])
def test_a_banked_sheet_is_not_changed(game, alice, new_sheet_open):
    row = game.enter()
    fields = opened(alice, url(game, row)) | {"outcome": "set"}
    game.end(game.ben)
    Sheet.objects.update(ended_at=datetime.datetime(2026, 1, 15, 20, 14, tzinfo=datetime.UTC))
    if new_sheet_open:
        actions.play_again(game.write(game.ben), ["Alice", "Ben", "Cass"], 0)
    page = alice.post(url(game, row), fields)
    assertContains(page, "Ben ended this match on 15 January 2026 at 21:14.", status_code=409)
    assert page.context["form"]["outcome"].value() == "set"
    assert units(row) == [0, 2, 0]


def test_changing_an_old_hand_moves_no_deal(game, alice):
    rows = [game.enter() for _ in range(3)]
    fields = opened(alice, url(game, rows[0])) | {"dealer": str(game.players[2].pk)}
    alice.post(url(game, rows[0]), fields)
    assert [row.dealer.name for row in game.standing] == ["Cass", "Ben", "Cass"]
    assert alice.get(game.url()).context["next"].dealer.name == "Alice"
