"""What a whole sheet comes to: the running totals, and what each owes whom."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from rules.settling import Debt
from sheets import queries
from sheets.charts import Series
from sheets.models import Player, Sheet


@dataclasses.dataclass(frozen=True, slots=True)
class Reckoning:
    """The payments of all hands of a sheet, between players by their keys.

    `left_out`: the hands of which nobody can tell who paid whom, oldest first.
    """

    payments: list[Debt[int]]
    left_out: list[queries.Line]


def reckon(sheet: Sheet, players: Sequence[Player]) -> Reckoning:
    """Return who paid whom over a sheet, each hand under the rules it was settled under."""
    payments, left_out = [], []
    for line in _lines(sheet, players):
        settled = queries.settlement(line.round, players, line.units)
        if settled is None and any(line.units):
            left_out.append(line)
        for one in settled.payments if settled else ():
            payer, payee = players[one.payer].pk, players[one.payee].pk
            payments.append(Debt(payer=payer, payee=payee, units=one.units))
    return Reckoning(payments, left_out)


def running_totals(sheet: Sheet, players: Sequence[Player]) -> list[Series]:
    """Return every player's totals, from before the first hand to after the last that stands."""
    totals = [line.running for line in _lines(sheet, players)]
    return [
        Series(player.name, [0, *(int(after[n]) for after in totals)])
        for n, player in enumerate(players)
    ]


def _lines(sheet: Sheet, players: Sequence[Player]) -> list[queries.Line]:
    where = queries.where_next(sheet, players)
    return queries.lines(sheet, players, where, newest=None)[::-1]
