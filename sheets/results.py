"""What a banked sheet comes to for each person: the figures that standings add up."""

from __future__ import annotations

from collections.abc import Sequence

from sheets import reckoning, rows
from sheets.models import NEVER_DEALT, Player, Result, RoundKind, Sheet

# Where the outcomes of a bid are counted.
_COUNTED = {"made": "made", "set": "sets", "thrown_in": "thrown_in"}


def results(
    sheet: Sheet, players: Sequence[Player], lines: Sequence[rows.Line] | None = None
) -> list[Result]:
    """Return the figures of everybody who played a hand or took something in, not yet stored.

    One row a person, who may have left and come back. Typed rows count as hands and for what was
    taken in, and not as bids: nobody wrote down who bid. A hand somebody sat out is not theirs.
    `lines` are all its hands, for whoever has read them already.
    """
    if lines is None:
        lines = reckoning.lines_of(sheet, players)
    by_person: dict[int, Result] = {}
    for player in players:
        one = by_person.setdefault(player.person_id, _nothing(sheet, player.person_id))
        one.units += player.total
    of = {player.pk: by_person[player.person_id] for player in players}
    for line in lines:
        _add(line, of)
    _add_nets(sheet, players, lines, of)
    won = rows.winners(players)
    for player in won:
        of[player.pk].won, of[player.pk].shared = True, len(won) > 1
    return [one for one in by_person.values() if one.hands or one.units]


def _nothing(sheet: Sheet, person: int) -> Result:
    counted = ("units", "hands", "bids", "made", "sets", "thrown_in", "bid_points", "spades")
    return Result(
        sheet=sheet, person_id=person, won=False, shared=False, **dict.fromkeys(counted, 0)
    )


def _add(line: rows.Line, of: dict[int, Result]) -> None:
    """Count a hand for those who played it, and its bid for the bidder."""
    row = line.round
    if row.kind in NEVER_DEALT:
        return
    for player in line.seated:
        if player.pk != row.sitter_id:
            of[player.pk].hands += 1
    if row.kind == RoundKind.PLAYED:
        assert row.bidder_id is not None
        assert row.outcome is not None
        bidder = of[row.bidder_id]
        bidder.bids += 1
        bidder.bid_points += row.bid or 0
        bidder.spades += row.trump == "spades"
        counted = _COUNTED[row.outcome]
        setattr(bidder, counted, getattr(bidder, counted) + 1)


def _add_nets(
    sheet: Sheet, players: Sequence[Player], lines: Sequence[rows.Line], of: dict[int, Result]
) -> None:
    """Add up who paid whom; where that cannot be told of some hand it is nobody's net."""
    reckoned = reckoning.reckon(sheet, players, lines)
    for one in of.values():
        one.net = None if reckoned.left_out else 0
    if reckoned.left_out:
        return
    for debt in reckoned.payments:
        for party, units in ((debt.payer, -debt.units), (debt.payee, debt.units)):
            if party in of:  # the pot is nobody
                of[party].net = (of[party].net or 0) + units
