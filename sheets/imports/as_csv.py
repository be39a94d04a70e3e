"""A CSV file of hands as `sheets.portable` has it: sheets put together again from their rows."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import re
import uuid
from collections.abc import Iterator, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from sheets import hand_rows, names, portable
from sheets.hand_rows import COUNTS, HandRow, Seat
from sheets.imports.decoding import MOST_MISTAKES, Decoder, Mistake, Mistaken
from sheets.models import RoundKind, SheetState
from sheets.models.sheet import POSITION_GAP

NEEDED: Final = tuple(
    field.name for field in dataclasses.fields(HandRow) if field.default is dataclasses.MISSING
)


@dataclasses.dataclass(frozen=True, slots=True)
class _Line:
    """A line of the file: the hand, who sat where, what was counted."""

    number: int
    hand: HandRow
    seats: dict[int, Seat]
    counts: dict[str, int] | None


def read(text: str) -> portable.File:
    """Return what is in a file; raises Mistaken."""
    mistakes: list[Mistake] = []
    lines = []
    seen: set[uuid.UUID] = set()
    for number, cells in _rows(text):
        try:
            line = _line(number, cells)
            if line.hand.hand_id in seen:
                raise Mistaken(_at(number, _("This hand is in the file twice.")))
            seen.add(line.hand.hand_id)
            lines.append(line)
        except Mistaken as wrong:
            mistakes += wrong.mistakes
        if len(mistakes) >= MOST_MISTAKES:
            break
    if mistakes:
        raise Mistaken(*mistakes)
    return _Builder(lines).file()


def _at(number: int, what: str, column: str = "") -> Mistake:
    where = _("line %(n)s") % {"n": number}
    return Mistake(f"{where}, {column}" if column else where, what)


def _rows(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Return the lines as cells by column, each with its number as an editor counts."""
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)  # some spreadsheets write others than they were given
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        head = next(reader, [])
        missing = [name for name in NEEDED if name not in head]
        if missing:
            sentence = _("These columns are missing: %(names)s.")
            raise Mistaken(_at(1, sentence % {"names": ", ".join(missing)}))
        for cells in reader:
            if any(cells):
                yield reader.line_num, dict(zip(head, cells, strict=False))
    except csv.Error as error:
        raise Mistaken(_at(reader.line_num, _("This line can't be read."))) from error


def _line(number: int, cells: dict[str, str]) -> _Line:
    data = {name: _value(name, text) for name, text in cells.items() if text != ""}
    decoder = Decoder()
    try:
        if data.get("format") not in range(1, portable.FORMAT + 1):
            raise Mistaken(Mistake("format", _("This format can't be read here.")))
        hand = decoder.read(HandRow, data)
        seats = {}
        for seat in hand_rows.SEATS:
            named, column, units = hand_rows.seat_columns(seat)
            if named in data:
                told = {"name": data[named], "units": data.get(units)}
                told["column"] = data.get(column, hand_rows.YES) == hand_rows.YES
                seats[seat - 1] = decoder.read(Seat, told)
    except Mistaken as wrong:
        raise Mistaken(*(_at(number, one.what, one.where) for one in wrong.mistakes)) from wrong
    counted = {name: data[name] for name in COUNTS if name in data}
    return _Line(number, hand, seats, counted or None)  # type: ignore[arg-type]


def _value(name: str, text: str) -> str | int:
    if name not in hand_rows.NUMBERS:
        return hand_rows.as_it_was(text)
    return int(text) if re.fullmatch(r"-?[0-9]{1,12}", text) else text


class _Builder:
    """Puts tables and sheets together from lines; ids are given as people and rules turn up."""

    def __init__(self, lines: Sequence[_Line]) -> None:
        self.by_sheet: dict[tuple[str, str], list[_Line]] = {}
        for line in lines:
            self.by_sheet.setdefault((line.hand.table, line.hand.sheet), []).append(line)
        self.rules: dict[tuple[str, str], int] = {}
        self.people: dict[tuple[str, str], portable.Person] = {}
        self.players = 0

    def file(self) -> portable.File:
        sheets: dict[str, list[portable.Sheet]] = {}
        heads: dict[str, HandRow] = {}
        for (table, _sheet), lines in self.by_sheet.items():
            lines.sort(key=lambda line: line.hand.hand)
            heads.setdefault(table, lines[0].hand)
            sheets.setdefault(table, []).append(self._sheet(lines))
        tables = [
            portable.Table(
                id=table,
                name=head.table_name,
                time_zone=head.time_zone,
                people=tuple(one for (at, _key), one in self.people.items() if at == table),
                sheets=tuple(sorted(sheets[table], key=lambda one: one.started_at)),
            )
            for table, head in heads.items()
        ]
        rules = tuple(
            portable.Rules(id=number, game=game, rules=_rules(text))
            for (game, text), number in self.rules.items()
        )
        return portable.File(
            app=portable.APP, format=portable.FORMAT, tables=tuple(tables), rules=rules
        )

    def _sheet(self, lines: Sequence[_Line]) -> portable.Sheet:
        players, at_hand = self._players(lines)
        rounds = [
            self._round(line, place * POSITION_GAP, at_hand[place - 1])
            for place, line in enumerate(lines, start=1)
        ]
        first = lines[0].hand
        dealt = [row.dealer for row in rounds if row.dealer is not None]
        return portable.Sheet(
            id=first.sheet,
            game=first.game,
            state=SheetState.BANKED,
            rules=rounds[-1].rules,
            started_at=first.started,
            ended_at=first.ended,
            played_at=first.played,
            unit_cents=first.unit_cents,
            currency=first.currency,
            review=first.review,
            review_note=first.review_note,
            dealer_mark=dealt[0] if dealt else players[0].id,
            players=tuple(players),
            rounds=tuple(rounds),
        )

    def _players(
        self, lines: Sequence[_Line]
    ) -> tuple[list[portable.Player], list[dict[str, int]]]:
        """Return everybody who sat at the sheet, and for each hand the players by name.

        A seat in which somebody else sits than in the hand before has changed hands between them.
        """
        players: dict[int, portable.Player] = {}
        there: dict[int, int] = {}
        at_hand = []
        last = None
        for line in lines:
            for place in hand_rows.SEATS:
                seat = line.seats.get(place - 1)
                old = players.get(there.get(place - 1, 0))
                if old and seat and (old.name, old.scores) == (seat.name, seat.column):
                    continue
                if old:
                    players[old.id] = dataclasses.replace(old, until=last)
                    del there[place - 1]
                if seat:
                    self.players += 1
                    there[place - 1] = self.players
                    players[self.players] = portable.Player(
                        id=self.players,
                        person=self._person(line.hand.table, seat.name),
                        place=place - 1,
                        name=seat.name,
                        scores=seat.column,
                        since=last,
                    )
            last = line.hand.hand_id
            at_hand.append({players[pk].name: pk for pk in there.values()})
        return list(players.values()), at_hand

    def _person(self, table: str, name: str) -> int:
        key = (table, names.key(name))
        known = self.people.setdefault(key, portable.Person(id=len(self.people) + 1, name=name))
        return known.id

    def _round(self, line: _Line, position: int, by_name: dict[str, int]) -> portable.Round:
        hand = line.hand
        units = {seat.name: seat.units for seat in line.seats.values()}
        who: dict[str, Any] = {}
        for field in ("dealer", "sitter", "bidder"):
            name = getattr(hand, field)
            if name is not None and name not in by_name:
                said = _("%(name)s has no seat in this hand.") % {"name": name}
                raise Mistaken(_at(line.number, said, field))
            who[field] = by_name.get(name)
        return portable.Round(
            id=hand.hand_id,
            kind=RoundKind(hand.kind),
            rules=self.rules.setdefault((hand.game, hand.house_rules), len(self.rules) + 1),
            position=position,
            bid=hand.bid,
            trump=hand.trump,
            outcome=hand.outcome,
            counts=line.counts,
            pot=hand.pot,
            reason=hand.reason,
            entered_at=hand.entered_at,
            entries=tuple(
                portable.Entry(player=by_name[name], units=n)
                for name, n in units.items()
                if n is not None
            ),
            line=line.number,
            **who,
        )


def _rules(text: str) -> dict[str, Any]:
    """Return house rules as they were written; what can't be read is said by the check."""
    try:
        rules = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return rules if isinstance(rules, dict) else {}
