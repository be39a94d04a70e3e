"""Four at the table: with or without a column, who sits out, and who can be left with 250."""

from __future__ import annotations

import pytest
from pytest_django.asserts import assertContains, assertNotContains

from rules.auction import Fourth, HouseRules, Sitter
from sheets import actions, hand_wording, queries, rows
from sheets.forms.hand import form_for
from sheets.models import ChangeKind
from tests.sheets.conftest import client_of
from tests.sheets.posting import opened

FOUR = ("Alice", "Ben", "Cass", "Dana")
ALICE, BEN, CASS, DANA = range(4)


@pytest.fixture
def beside(new_game):
    """The game whose fourth is off the sheet, and the secrets of Alice's and Ben's phones."""
    return new_game(FOUR, house=HouseRules(fourth=Fourth.OFF_SHEET), off_sheet=DANA)


@pytest.fixture
def off_sheet(beside):
    return beside[0]


@pytest.fixture
def alice(beside):
    return client_of(beside[1])


@pytest.fixture
def column(new_game):
    game, *_ = new_game(FOUR, house=HouseRules(fourth=Fourth.COLUMN, sitter=Sitter.DEALER))
    return game


def line(game, row):
    row.refresh_from_db()
    found = queries.hand_of(game.table, row.public_id)
    return rows.line_of(*found)


def test_the_fourth_off_the_sheet_pays_and_collects_beside_it(off_sheet):
    row = off_sheet.enter()
    assert off_sheet.totals == [0, 2, 0, 0]
    assert row.entries.count() == 3
    beside = rows.settlement(line(off_sheet, row)).beside_the_sheet
    assert [(one.payer, one.payee, one.units) for one in beside] == [(DANA, BEN, 1)]


def test_a_hand_that_the_fourth_bids_is_a_row_of_zeros_and_no_passed_out_hand(off_sheet):
    row = off_sheet.enter(off_sheet.played(bidder=DANA, dealer=BEN))
    assert (row.kind, off_sheet.totals) == ("played", [0, 0, 0, 0])
    shown = line(off_sheet, row)
    assert shown.bid_off_sheet
    assert shown.cells == ("0", "0", "0")
    assert not shown.odd


def test_the_deal_goes_round_four_and_whoever_is_right_of_the_dealer_sits_out(off_sheet):
    dealt = []
    for bidder in (BEN, CASS, DANA, BEN, CASS):
        row = off_sheet.enter(off_sheet.played(bidder=bidder))
        dealt.append((row.dealer.name, row.sitter.name))
    assert dealt == [
        ("Alice", "Dana"),
        ("Ben", "Alice"),
        ("Cass", "Ben"),
        ("Dana", "Cass"),
        ("Alice", "Dana"),
    ]
    where = queries.where_next(off_sheet.sheet, off_sheet.players)
    assert (where.dealer.name, where.sitter.name) == ("Ben", "Alice")
    assert rows.sit_outs(off_sheet.sheet, off_sheet.players).each[DANA][1] == 2


def test_with_a_column_the_bidder_takes_three(column):
    column.enter(column.played(bidder=BEN))
    column.enter(column.played(bidder=CASS, outcome="set", bid=350))
    assert column.totals == [4, 7, 0, 4]


def test_whoever_sits_out_does_not_bid(column):
    answer = actions.enter_hand(column.write(), column.sheet.public_id, column.played(bidder=ALICE))
    assert answer.why == actions.Why.IMPOSSIBLE
    assert answer.error.field == "bidder"


def test_where_the_dealer_sits_out_250_is_the_right_hand_neighbours(column):
    # Alice deals first and sits out: Dana, on her right, can be left with it.
    row = column.enter(column.played(bidder=DANA, bid=250))
    assert column.totals == [0, 0, 0, 3]
    # Seats put right: bidder and dealer stay, and nobody's units move.
    order = [column.players[seat].pk for seat in (BEN, ALICE, CASS, DANA)]
    answer = actions.change_seats(column.write(), column.sheet.public_id, order)
    assert answer.why == actions.Why.MOVES
    assert [one.number for one in answer.moves] == [1]
    write = column.write()
    agreed = actions.Write(
        table=write.table, key=write.key, seen=write.seen, phone=write.phone, agreed=answer.agreed
    )
    assert isinstance(actions.change_seats(agreed, column.sheet.public_id, order), actions.Saved)
    row.refresh_from_db()
    assert (row.dealer.name, row.bidder.name) == ("Alice", "Dana")
    assert [player.name for player in column.players] == ["Ben", "Alice", "Cass", "Dana"]
    assert column.totals == [0, 0, 0, 3]


def test_seats_put_right_move_dealer_and_sitter_and_nobodys_units(off_sheet):
    first = off_sheet.enter(off_sheet.played(bidder=BEN))
    second = off_sheet.enter(off_sheet.played(bidder=CASS, outcome="set"))
    off_sheet.enter(off_sheet.typed(3, 1, 0))
    units = {player.name: player.total for player in off_sheet.players}
    order = [off_sheet.players[seat].pk for seat in (ALICE, DANA, CASS, BEN)]
    answer = actions.change_seats(off_sheet.write(), off_sheet.sheet.public_id, order)
    # Ben, who bid the first hand, would have sat it out.
    assert [one.number for one in answer.moves] == [1]
    write = off_sheet.write()
    write = actions.Write(
        table=write.table, key=write.key, seen=write.seen, phone=write.phone, agreed=answer.agreed
    )
    saved = actions.change_seats(write, off_sheet.sheet.public_id, order)
    assert saved.change.kind == ChangeKind.SEATS_CHANGED
    assert {player.name: player.total for player in off_sheet.players} == units
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.dealer.name, first.sitter) == ("Alice", None)
    assert (second.dealer.name, second.sitter.name) == ("Dana", "Alice")


# What is shown.


def test_each_hand_says_what_the_fourth_pays_or_collects(off_sheet, alice):
    hands = [
        (BEN, "made", "Dana pays Ben 1, off the sheet"),
        (CASS, "set", "Cass pays Dana 2, off the sheet"),
        (DANA, "made", "settled off the sheet: Dana collects 1 from each"),
        (BEN, "set", "Ben pays Dana 2, off the sheet"),
    ]
    for bidder, outcome, said in hands:
        row = off_sheet.enter(off_sheet.played(bidder=bidder, outcome=outcome))
        assert hand_wording.beside(line(off_sheet, row)) == said
    page = alice.get(off_sheet.url(f"?saved={off_sheet.standing[0].public_id}"))
    assertContains(page, "Alice pays Ben 1, Cass pays Ben 1, Dana pays Ben 1, off the sheet.")
    for _bidder, _outcome, said in hands:
        assertContains(page, said)


def test_a_hand_of_the_fourth_is_said_to_be_settled_off_the_sheet(off_sheet, alice):
    row = off_sheet.enter(off_sheet.played(bidder=DANA, dealer=BEN))
    page = alice.get(off_sheet.url(f"hands/{row.public_id}/"))
    assertContains(page, "dealt by Ben, Alice sat out")
    assertContains(page, "settled off the sheet")
    assertContains(page, "Alice pays Dana 1, off the sheet")
    history = alice.get(off_sheet.url("history/"))
    assertContains(history, "entered hand 1: Dana 320 hearts made, settled off the sheet")


def test_a_typed_row_says_what_the_fourth_pays_where_it_can_be_told(off_sheet):
    told, untold = off_sheet.enter(off_sheet.typed(0, 4, 0)), off_sheet.enter(off_sheet.passed())
    assert hand_wording.beside(line(off_sheet, told)) == "Dana pays Ben 2, off the sheet"
    assert hand_wording.beside(line(off_sheet, untold)) == ""


def test_who_deals_and_who_sits_out_stand_over_the_next_hand(off_sheet, column, alice):
    off_sheet.enter()
    assertContains(alice.get(off_sheet.url()), "Hand 2 · Ben deals, Alice sits out")
    watch = alice.get(f"/watch/{off_sheet.table.watch_id}/")
    assertContains(watch, "Hand 2 · Ben deals, Alice sits out")
    assertContains(watch, "Dana sat out · Dana pays Ben 1, off the sheet")
    where = queries.where_next(column.sheet, column.players)
    assert hand_wording.deal(where.dealer, where.sitter) == "Alice deals and sits out"


def test_the_dealers_page_counts_deals_and_who_sat_out(off_sheet, alice):
    for _ in range(2):
        off_sheet.enter()
    off_sheet.enter(off_sheet.played(bidder=CASS))
    counts = alice.get(off_sheet.url("dealer/")).context["counts"]
    assert [(player.name, dealt, sat_out) for player, dealt, sat_out in counts] == [
        ("Alice", "1", "1"),
        ("Ben", "1", "1"),
        ("Cass", "1", "0"),
        ("Dana", "0", "1"),
    ]
    assertNotContains(alice.get(off_sheet.url("end/")), "Some sat out more often")


def test_end_match_says_who_sat_out_more_often(off_sheet, alice):
    for _ in range(2):
        off_sheet.enter(off_sheet.played(dealer=ALICE))
    page = alice.get(off_sheet.url("end/"))
    assertContains(page, "Some sat out more often than others: Alice 0, Ben 0, Cass 0, Dana 2.")


# What the script looks up: every figure and every seat is what the rules say.


def test_the_script_is_told_who_sits_out_and_who_holds_the_dealers_bid(column, off_sheet):
    for game, sits_out, holds in ((off_sheet, DANA, ALICE), (column, ALICE, DANA)):
        sheet, players = queries.latest_sheet(game.table)
        told = form_for(sheet, players, seen=0).spelled_out()
        keys = [str(player.pk) for player in players]
        deal = told["deals"][keys[ALICE]]
        assert deal["sitter"] == keys[sits_out]
        assert deal["holders"][keys[sits_out]] == keys[holds]


@pytest.mark.parametrize(("bidder", "outcome"), [(BEN, "made"), (BEN, "set"), (CASS, "thrown_in")])
def test_the_script_is_told_what_will_be_saved(column, off_sheet, bidder, outcome):
    for game in (column, off_sheet):
        sheet, players = queries.latest_sheet(game.table)
        told = form_for(sheet, players, seen=0).spelled_out()
        each, take = told["rows"][told["bids"][400]][outcome][1]
        game.enter(game.played(bidder=bidder, bid=400, trump="spades", outcome=outcome))
        scoring = [one for one in game.players if one.scores]
        assert [one.total for one in scoring] == [
            (take if outcome == "made" else 0)
            if one.place == bidder
            else (0 if outcome == "made" else each)
            for one in scoring
        ]
        others = told["players"][str(players[bidder].pk)]["others"]
        assert others == [one.name for one in scoring if one.place != bidder]


# Forms that ask who sat out.


def test_a_hand_is_changed_along_with_who_sat_out(off_sheet, alice):
    row = off_sheet.enter()
    url = off_sheet.url(f"hands/{row.public_id}/edit/")
    assertContains(alice.get(url), "Who sat out?")
    fields = opened(alice, url)
    assert fields["sitter"] == str(off_sheet.players[DANA].pk)
    alice.post(url, fields | {"sitter": str(off_sheet.players[CASS].pk)})
    row.refresh_from_db()
    assert (row.dealer.name, row.sitter.name, off_sheet.totals) == ("Alice", "Cass", [0, 2, 0, 0])
    page = alice.get(off_sheet.url(f"hands/{row.public_id}/"))
    assertContains(page, "dealt by Alice, Cass sat out")
    assertContains(page, "sat out by Cass")


def test_a_forgotten_hand_asks_who_sat_out(off_sheet, alice):
    off_sheet.enter()
    later = off_sheet.enter(off_sheet.played(bidder=CASS))
    url = off_sheet.url(f"hands/{later.public_id}/before/")
    fields = opened(alice, url) | off_sheet.fields(bidder=str(off_sheet.players[DANA].pk))
    players = off_sheet.players
    assert (fields["dealer"], fields["sitter"]) == (str(players[BEN].pk), str(players[ALICE].pk))
    assert alice.post(url, fields).status_code == 303
    dealt = [(row.dealer.name, row.sitter.name) for row in off_sheet.standing]
    assert dealt == [("Alice", "Dana"), ("Ben", "Alice"), ("Ben", "Alice")]


@pytest.mark.parametrize("kind", ["played", "passed", "numbers"])
def test_whoever_sat_out_by_hand_is_kept_in_a_row_of_any_kind(off_sheet, alice, kind):
    row = off_sheet.enter(off_sheet.passed())
    url, players = off_sheet.url(f"hands/{row.public_id}/edit/"), off_sheet.players
    deal = {"dealer": str(players[BEN].pk), "sitter": str(players[CASS].pk)}
    fields = {
        "played": off_sheet.fields(),
        "passed": off_sheet.fields(by="passed"),
        "numbers": off_sheet.fields(by="numbers")
        | {f"units_{one.pk}": n for one, n in zip(players[:3], "020", strict=True)},
    }[kind]
    assert alice.post(url, fields | deal).status_code == 303
    row.refresh_from_db()
    assert (row.dealer.name, row.sitter.name) == ("Ben", "Cass")


def test_whoever_bid_cannot_have_sat_out(off_sheet, alice):
    row = off_sheet.enter()
    url = off_sheet.url(f"hands/{row.public_id}/edit/")
    page = alice.post(url, opened(alice, url) | {"sitter": str(off_sheet.players[BEN].pk)})
    assertContains(page, "Whoever bids plays: somebody else sat out.", status_code=422)


def test_a_bidder_who_sits_out_is_refused_beside_the_bidder(column, alice, beside):
    game, _alice, _ben = beside
    dana = str(game.players[DANA].pk)
    page = alice.post(game.url("hands/new/"), game.fields(bidder=dana))
    assertContains(page, "Whoever bids plays: somebody else sat out.", status_code=422)
    assert "bidder" in page.context["form"].errors
    assert page.context["form"]["bidder"].value() == dana


def test_three_have_nobody_to_sit_out(game, started):
    row = game.enter()
    page = client_of(started[1]).get(game.url(f"hands/{row.public_id}/edit/"))
    assertContains(page, "Who dealt?")
    assertNotContains(page, "Who sat out?")
    assertNotContains(client_of(started[1]).get(game.url()), "sits out")


def test_names_of_four_swapped_to_the_same_are_asked_about(off_sheet, alice):
    form = alice.get(off_sheet.url("names/")).context["names_form"]
    fields = {field.name: str(field.value() or "") for field in form}
    dana = off_sheet.players[DANA]
    page = alice.post(off_sheet.url("names/"), fields | {f"name_{dana.pk}": "ALICE"})
    assertContains(page, "There is already a Alice here", status_code=422)


def test_seats_of_four_are_put_right_by_a_plain_form(off_sheet, alice):
    off_sheet.enter()
    form = alice.get(off_sheet.url("seats/")).context["seats_form"]
    fields = {field.name: str(field.value() or "") for field in form}
    ben, dana = off_sheet.players[BEN], off_sheet.players[DANA]
    fields |= {f"place_{ben.pk}": "4", f"place_{dana.pk}": "2"}
    page = alice.post(off_sheet.url("seats/"), fields)
    assertContains(page, "hand 1 stays as it is: Whoever bids plays", status_code=409)
    answer = alice.post(off_sheet.url("seats/"), page.context["form"].data)
    assert answer.status_code == 303
    assert [one.name for one in off_sheet.players] == ["Alice", "Dana", "Cass", "Ben"]
    assert off_sheet.totals == [0, 0, 0, 2]


def test_play_again_has_the_same_four_and_their_rules(off_sheet, alice):
    off_sheet.enter()
    off_sheet.end()
    url = off_sheet.url("again/")
    fields = opened(alice, url)
    assert {name: fields[name] for name in ("fourth", "sitter", "off_sheet", "name_3")} == {
        "fourth": "off_sheet",
        "sitter": "right_of_dealer",
        "off_sheet": "3",
        "name_3": "Dana",
    }
    alice.post(url, fields | {"off_sheet": "0", "sitter": "dealer"})
    assert [one.scores for one in off_sheet.players] == [False, True, True, True]
    assert off_sheet.sheet.house_rules.value.sitter == "dealer"
    off_sheet.enter(off_sheet.passed())
    off_sheet.end()
    alice.post(url, opened(alice, url) | {"fourth": "none", "name_3": "", "first_dealer": "0"})
    assert [one.name for one in off_sheet.players] == ["Alice", "Ben", "Cass"]
    assert off_sheet.sheet.house_rules.value.fourth == "none"
