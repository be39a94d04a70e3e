"""A CSV file of hands as `sheets.portable` has it: sheets put together again from their rows."""

from __future__ import annotations

import dataclasses
import itertools
import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from sheets import hand_rows, names, numbers, portable
from sheets.hand_rows import COUNTS, HandRow, Seat
from sheets.imports import as_json, headings
from sheets.imports.decoding import MOST_MISTAKES, Decoder, Mistake, Mistaken, at_line
from sheets.models import RoundKind, SheetState
from sheets.models.sheet import POSITION_GAP

FIELDS: Final = tuple(field.name for field in dataclasses.fields(HandRow))
# What every line says of its whole table, and of its whole sheet.
OF_TABLE: Final = ("table_name", "time_zone")
OF_SHEET: Final = (
    *("table", "game", "started", "ended", "played"),
    *("unit_cents", "currency", "review", "review_note"),
)
MOST: Final = 10**12  # whatever a number is of; how large it may be says its column


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
    for number, cells in headings.rows(text):
        try:
            line = _line(number, cells)
            if line.hand.hand_id in seen:
                raise Mistaken(at_line(number, _("This hand is in the file twice.")))
            seen.add(line.hand.hand_id)
            lines.append(line)
        except Mistaken as wrong:
            mistakes += wrong.mistakes
        if len(mistakes) >= MOST_MISTAKES:
            break
    mistakes = mistakes or list(itertools.islice(_told_twice(lines), MOST_MISTAKES))
    if mistakes:
        raise Mistaken(*mistakes)
    return _Builder(lines).file()


def _line(number: int, cells: dict[str, str]) -> _Line:
    wrong: list[Mistake] = []
    data: dict[str, Any] = {}
    for name, text in cells.items():
        try:
            data |= {name: _value(name, text)} if text.strip() else {}
        except numbers.Unread as unread:
            wrong.append(at_line(number, str(unread), name))
    if wrong:
        raise Mistaken(*wrong)
    decoder = Decoder()
    try:
        if data.get("format") not in range(1, portable.FORMAT + 1):
            raise Mistaken(Mistake("format", _("This format can't be read here.")))
        hand = decoder.read(HandRow, {name: data[name] for name in FIELDS if name in data})
        seats = {seat - 1: told for seat in hand_rows.SEATS if (told := _seat(seat, data, decoder))}
    except Mistaken as mistaken:
        told_where = (at_line(number, one.what, one.where) for one in mistaken.mistakes)
        raise Mistaken(*told_where) from mistaken
    counted = {name: data[name] for name in COUNTS if name in data}
    return _Line(number, hand, seats, counted or None)


def _seat(seat: int, data: Mapping[str, Any], decoder: Decoder) -> Seat | None:
    """Return who sat in a seat; raises Mistaken for what is beside nobody's name."""
    named, column, units = hand_rows.seat_columns(seat)
    if named not in data:
        if beside := next((one for one in (column, units) if one in data), None):
            raise Mistaken(Mistake(beside, _("Nobody sits in this seat.")))
        return None
    has_column = str(data.get(column, hand_rows.YES)).strip().casefold()
    if has_column not in (hand_rows.YES, hand_rows.NO):
        said = {"words": f"{hand_rows.YES}, {hand_rows.NO}"}
        raise Mistaken(Mistake(column, _("One of these is expected here: %(words)s.") % said))
    told = {"name": data[named], "units": data.get(units), "column": has_column == hand_rows.YES}
    return decoder.read(Seat, told)


def _value(name: str, text: str) -> str | int:
    if name not in hand_rows.NUMBERS:
        return hand_rows.as_it_was(text)
    return numbers.whole(text, most=MOST, least=-MOST)


def _told_twice(lines: Sequence[_Line]) -> Iterator[Mistake]:
    """Find what lines of one sheet, or of one table, say in different ways."""
    first: dict[tuple[str, str], HandRow] = {}
    for line in sorted(lines, key=lambda line: line.number):
        hand = line.hand
        for whose, fields in ((("", hand.table), OF_TABLE), (("s", hand.sheet), OF_SHEET)):
            known = first.setdefault(whose, hand)
            for field in fields:
                if getattr(known, field) != getattr(hand, field):
                    said = _("An earlier line of the same sheet or table says something else.")
                    yield at_line(line.number, said, field)


class _Builder:
    """Puts tables and sheets together from lines; ids are given as people and rules turn up."""

    def __init__(self, lines: Sequence[_Line]) -> None:
        self.by_sheet: dict[tuple[str, str], list[_Line]] = {}
        for line in lines:
            self.by_sheet.setdefault((line.hand.table, line.hand.sheet), []).append(line)
        self.rules: dict[tuple[str, str], portable.Rules] = {}
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
        return portable.File(
            app=portable.APP,
            format=portable.FORMAT,
            tables=tuple(tables),
            rules=tuple(self.rules.values()),
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

    def _rules(self, line: _Line) -> int:
        """Return the number of a line's house rules, which are kept where they were first read."""
        game, text = line.hand.game, line.hand.house_rules
        if (game, text) not in self.rules:
            number = len(self.rules) + 1
            self.rules[game, text] = portable.Rules(
                id=number, game=game, rules=_rules(text), line=line.number
            )
        return self.rules[game, text].id

    def _round(self, line: _Line, position: int, by_name: dict[str, int]) -> portable.Round:
        hand = line.hand
        units = {seat.name: seat.units for seat in line.seats.values()}
        who: dict[str, Any] = {}
        for field in ("dealer", "sitter", "bidder"):
            name = getattr(hand, field)
            if name is not None and name not in by_name:
                said = _("%(name)s has no seat in this hand.") % {"name": name}
                raise Mistaken(at_line(line.number, said, field))
            who[field] = by_name.get(name)
        return portable.Round(
            id=hand.hand_id,
            kind=RoundKind(hand.kind),
            rules=self._rules(line),
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
        rules = as_json.parsed(text)
    except (ValueError, RecursionError):
        return {}
    return rules if isinstance(rules, dict) else {}
