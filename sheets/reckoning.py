"""What a whole sheet comes to: the running totals, and what each owes whom."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from rules import games
from rules.settling import Debt
from sheets import queries, rows, seats
from sheets.charts import Series
from sheets.models import Player, Sheet


@dataclasses.dataclass(frozen=True, slots=True)
class Reckoning:
    """The payments of all hands of a sheet, between players by their keys and the pot.

    `parties`: everybody who was ever at the table, and the pot where there was one. `left_out`: the
    hands of which nobody can tell who paid whom, oldest first.
    """

    parties: list[int]
    payments: list[Debt[int]]
    left_out: list[rows.Line]


def lines_of(sheet: Sheet, players: Sequence[Player]) -> list[rows.Line]:
    """Return all hands of a sheet that stand, oldest first."""
    where = queries.where_next(sheet, players)
    return rows.lines(sheet, players, where, newest=None)[::-1]


def reckon(sheet: Sheet, players: Sequence[Player], lines: Sequence[rows.Line]) -> Reckoning:
    """Return who paid whom over a sheet, each hand under the rules it was settled under."""
    payments, left_out = _antes(sheet, players, lines), []
    for line in lines:
        settled = rows.settlement(line)
        if settled is None and any(line.units):
            left_out.append(line)
        at = [player.pk for player in line.seated]
        payments += [
            Debt(payer=_party(at, one.payer), payee=_party(at, one.payee), units=one.units)
            for one in (settled.payments if settled else ())
        ]
    parties = [player.pk for player in players]
    if any(games.POT in (one.payer, one.payee) for one in payments):
        parties.append(games.POT)
    return Reckoning(parties, payments, left_out)


def _party(at: Sequence[int], seat: int) -> int:
    return games.POT if seat == games.POT else at[seat]


def _antes(sheet: Sheet, players: Sequence[Player], lines: Sequence[rows.Line]) -> list[Debt[int]]:
    """Return what everybody put into the pot before the first hand that was played for one."""
    tables = [(line.round.house_rules, line.seated) for line in lines]
    for house, seated in [*tables, (sheet.house_rules, seats.now(players))]:
        if antes := games.GAMES[house.game].antes(house.value):
            each = antes // len(seated)
            return [Debt(payer=one.pk, payee=games.POT, units=each) for one in seated]
    return []


def running_totals(players: Sequence[Player], lines: Sequence[rows.Line]) -> list[Series]:
    """Return the totals of all who have or had a column, hand by hand while they were there."""
    began: dict[int, int] = {}
    totals: dict[int, list[int]] = {}
    for played, line in enumerate(lines):
        for player, units in zip(line.scoring, line.units, strict=True):
            began.setdefault(player.pk, played)
            so_far = totals.setdefault(player.pk, [0])
            so_far.append(so_far[-1] + (units or 0))
    return [
        Series(one.name, totals.get(one.pk, [0]), began.get(one.pk, len(lines)))
        for one in seats.scoring(players)
    ]
