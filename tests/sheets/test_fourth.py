"""Four at the table: with or without a column, who sits out, and who can be left with 250."""

from __future__ import annotations

import pytest

from rules.auction import Fourth, HouseRules, Sitter
from sheets import actions, queries, rows
from sheets.models import ChangeKind

FOUR = ("Alice", "Ben", "Cass", "Dana")
ALICE, BEN, CASS, DANA = range(4)


@pytest.fixture
def off_sheet(new_game):
    game, *_ = new_game(FOUR, house=HouseRules(fourth=Fourth.OFF_SHEET), off_sheet=DANA)
    return game


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
