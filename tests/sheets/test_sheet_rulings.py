"""Questions the written rules leave open that the sheet answers, not the rules of a hand."""

from __future__ import annotations

from sheets import actions, queries, rows, wording


def test_where_all_pass_the_row_is_zeros_and_the_deal_moves_on(game):
    row = game.enter(game.passed())
    assert (row.dealer.name, row.bidder, game.totals) == ("Alice", None, [0, 0, 0])
    assert queries.where_next(game.sheet, game.players).dealer.name == "Ben"
    assert rows.deals(game.sheet, game.players).each[0][1] == 1
    assert not rows.line_of(*queries.hand_of(game.table, row.public_id)).odd


def test_equal_totals_share_the_first_place(game):
    game.enter(game.typed(4, 4, 2))
    game.end()
    assert [one.place for one in rows.standings(game.players)] == [1, 1, 3]
    assert wording.result(game.sheet, game.players) == "Tie between Alice and Ben with 4 each"


def test_after_a_misdeal_the_same_player_deals_again_and_no_row_is_written(game):
    game.enter()
    answer = actions.set_dealer(game.write(), game.sheet.public_id, game.players[0].pk)
    assert isinstance(answer, actions.Saved)
    assert queries.where_next(game.sheet, game.players).dealer.name == "Alice"
    assert len(game.standing) == 1


def test_a_revoke_is_written_down_as_the_set_the_table_agrees_on(game):
    game.enter(game.played(bidder=0, bid=350, outcome="set"))
    assert game.totals == [0, 4, 4]
