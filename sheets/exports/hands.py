"""The hands of banked sheets as rows, a hundred sheets at a time."""

from __future__ import annotations

import dataclasses
import itertools
import json
from collections.abc import Iterable, Iterator
from typing import Any

from sheets import hand_rows, names, portable
from sheets.exports import reading
from sheets.hand_rows import COLUMNS, HandRow, Value
from sheets.models import Club, Round, RoundKind, Sheet, Table

AT_ONCE = 100  # sheets


def rows(club: Club, sheets: Iterable[Sheet]) -> Iterator[list[Value]]:
    """Return a row for every hand that stands, in the order of the columns."""
    ids = reading.Ids()
    remaining = iter(sheets)
    while some := list(itertools.islice(remaining, AT_ONCE)):
        entered = _entered_by(some)
        read = reading.read_sheets(some, ids)
        rules = {one.id: _canonical(one) for one in reading.read_rules(ids)}
        for stored, sheet in zip(some, read, strict=True):
            yield from _Rows(club, stored.table, sheet, rules, entered).all()


def _entered_by(sheets: list[Sheet]) -> dict[Any, str]:
    """Return who entered each hand: a phone's person, or its number."""
    found = Round.objects.filter(sheet__in=sheets, entered_by__isnull=False)
    return {
        row.public_id: str(row.entered_by) for row in found.select_related("entered_by__person")
    }


def _canonical(rules: portable.Rules) -> str:
    return json.dumps(rules.rules, sort_keys=True, separators=(",", ":"))


class _Rows:
    """One sheet, while its rows are written."""

    def __init__(
        self,
        club: Club,
        table: Table,
        sheet: portable.Sheet,
        rules: dict[int, str],
        entered: dict[Any, str],
    ) -> None:
        self.club, self.table, self.sheet = club, table, sheet
        self.rules, self.entered = rules, entered
        self.position = {row.id: row.position for row in sheet.rounds}
        self.names = _told_apart(sheet.players)

    def all(self) -> Iterator[list[Value]]:
        standing = [row for row in self.sheet.rounds if not row.taken_back]
        for number, row in enumerate(standing, start=1):
            cells = self._row(number, row)
            values = (cells.get(name) for name in COLUMNS)
            yield [names.bare(one) if isinstance(one, str) else one for one in values]

    def _row(self, number: int, row: portable.Round) -> dict[str, Value]:
        sheet = self.sheet
        name = self.names.get
        said = HandRow(
            format=portable.FORMAT,
            table=self.table.public_id,
            table_name=self.table.name,
            time_zone=self.table.time_zone,
            sheet=sheet.id,
            game=sheet.game,
            evening=self.club.evening(sheet.played_at).isoformat(),
            started=sheet.started_at,
            ended=sheet.ended_at or sheet.played_at,
            played=sheet.played_at,
            unit_cents=sheet.unit_cents,
            currency=sheet.currency,
            review=sheet.review,
            review_note=sheet.review_note,
            hand=number,
            hand_id=row.id,
            kind=row.kind,
            numbers=hand_rows.COMPUTED if row.kind in _COMPUTED else hand_rows.TYPED,
            dealer=name(row.dealer or 0),
            sitter=name(row.sitter or 0),
            bidder=name(row.bidder or 0),
            bid=row.bid,
            trump=row.trump,
            outcome=row.outcome,
            pot=row.pot,
            reason=row.reason,
            entered_by=self.entered.get(row.id, ""),
            entered_at=row.entered_at,
            house_rules=self.rules[row.rules],
        )
        cells = {field: hand_rows.shown(getattr(said, field)) for field in _FIELDS}
        cells |= row.counts or {}
        units = {entry.player: entry.units for entry in row.entries}
        for one in sheet.players:
            if self._was_there(one, row):
                named, column, taken_in = hand_rows.seat_columns(one.place + 1)
                cells[named] = self.names[one.id]
                cells[column] = hand_rows.YES if one.scores else hand_rows.NO
                cells[taken_in] = units.get(one.id)
        return cells

    def _was_there(self, one: portable.Player, row: portable.Round) -> bool:
        at = self.position
        came = one.since is None or at[one.since] < row.position
        return came and (one.until is None or row.position <= at[one.until])


_FIELDS = tuple(field.name for field in dataclasses.fields(HandRow))
_COMPUTED = (RoundKind.PLAYED, RoundKind.PASSED_OUT, RoundKind.POT_SHARED)


def _told_apart(players: tuple[portable.Player, ...]) -> dict[int, str]:
    """Return the name of everybody on a sheet; former players, who have none, get a number."""
    named, former = {}, 0
    for one in players:
        named[one.id] = one.name
        if one.erased:
            former += 1
            named[one.id] = f"{one.name} ({former})"
    return named
