"""Whether a file holds sheets that can have been: what the rules say, hand by hand.

Everything is looked at before anything is written. Pure: no row is read.
"""

from __future__ import annotations

import dataclasses
import zoneinfo
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from rules import RuleError, cards, games
from rules.payments import share
from sheets import codes, history_ids, money, names, numbers, portable
from sheets.history_ids import What
from sheets.imports.decoding import MOST_MISTAKES, Mistake, Mistaken, at_line
from sheets.models import NEVER_DEALT, RoundKind, SheetState

MOST_PLAYERS: Final = 4  # at the table at once
MOST_TAKEN_IN: Final = 1_000_000_000  # on one sheet; a database holds twice that
YEARS: Final = range(1900, 2200)  # in which seasons are

# Where a file of lines says what the fields of a sheet say.
COLUMN_OF: Final = {
    **{name: name for name in ("game", "unit_cents", "review", "review_note")},
    **{"id": "sheet", "ended_at": "ended", "rules": "house_rules"},
}

Houses = Mapping[int, Any]  # house rules as the game's own value, by their number in the file


def check(file: portable.File) -> Houses:
    """Return the file's house rules as values; raises Mistaken with everything that is wrong."""
    mistakes: list[Mistake] = []
    for one in _mistakes(file):
        mistakes.append(one)
        if len(mistakes) >= MOST_MISTAKES:
            break
    if mistakes:
        raise Mistaken(*mistakes)
    return {one.id: house_of(one) for one in file.rules}


def house_of(rules: portable.Rules) -> Any:
    """Return house rules as the game's own value; RuleError for what can't be played."""
    if rules.game not in games.GAMES:
        raise ValueError(rules.game)
    return games.GAMES[rules.game].HouseRules.from_dict(rules.rules)


def _mistakes(file: portable.File) -> Iterator[Mistake]:
    houses: dict[int, Any] = {}
    for n, rules in enumerate(file.rules):
        try:
            houses[rules.id] = house_of(rules)
        except (ValueError, TypeError, AttributeError) as error:
            said = _("These house rules can't be read here.")
            if isinstance(error, RuleError) and error.message.template:
                said = f"{said} {_(error.message.template) % error.message.params}"
            yield (
                at_line(rules.line, said, "house_rules")
                if rules.line
                else Mistake(f"rules[{n}]", said)
            )
    if len({one.id for one in file.rules}) < len(file.rules):
        yield Mistake("rules", _("Something is in this file twice."))
    if len(houses) < len(file.rules):
        return
    roster = {one.id for one in file.club.people} if file.club else set()
    if file.club:
        yield from _club(file.club)
    games_of = {one.id: one.game for one in file.rules}
    yield from _twice(file)
    for n, table in enumerate(file.tables):
        yield from _Table(f"tables[{n}]", table, houses, games_of, roster).mistakes()


def _twice(file: portable.File) -> Iterator[Mistake]:
    """Find what stands in the file more than once."""
    tables = [one.id for one in file.tables]
    sheets = [one.id for table in file.tables for one in table.sheets]
    hands = [row.id for table in file.tables for one in table.sheets for row in one.rounds]
    steps = [step.key for table in file.tables for step in table.history]
    if any(len(set(ids)) < len(ids) for ids in (tables, sheets, hands, steps)):
        yield Mistake("tables", _("Something is in this file twice."))


def _club(club: portable.Club) -> Iterator[Mistake]:
    ids = [one.id for one in club.people]
    into = {one.id: one.merged_into for one in club.people}
    for n, person in enumerate(club.people):
        if not _is_name(person.name):
            yield Mistake(f"club.people[{n}].name", _("This is no name."))
        seen, at = {person.id}, into[person.id]
        while at is not None and at in into and at not in seen:
            seen.add(at)
            at = into[at]
        if at is not None:
            yield Mistake(f"club.people[{n}]", _("This person is merged into nobody."))
    if len(set(ids)) < len(ids):
        yield Mistake("club.people", _("Something is in this file twice."))
    keys = [one.key for one in club.history if one.key is not None]
    if len(set(keys)) < len(keys):
        yield Mistake("club.history", _("Something is in this file twice."))
    for n, step in enumerate(club.history):
        try:
            for told in (step.before, step.after):
                history_ids.pointed(told, _points_in_club, history_ids.OF_CLUBS)
        except (ValueError, TypeError, AttributeError, KeyError):
            yield Mistake(f"club.history[{n}]", _("This points at nobody."))
    for n, season in enumerate(club.seasons):
        years = {season.starts.year, season.ends.year}
        if season.starts > season.ends or not names.key(season.name) or not years <= set(YEARS):
            yield Mistake(f"club.seasons[{n}]", _("This is no season."))


def _points_in_club(what: What, one: Any) -> Any:
    """Look at what a club's history points at; some of it may be gone."""
    if not isinstance(one, str if what in (What.USER, What.TABLE) else int) or isinstance(
        one, bool
    ):
        raise ValueError(one)
    return one


def _is_name(text: str) -> bool:
    return names.clean(text) == text and bool(names.key(text))


def pots_told(file: portable.File, houses: Houses) -> portable.File:
    """Return a checked file that has no word of what the pots hold in the end, with that in it."""
    games_of = {one.id: one.game for one in file.rules}
    tables = []
    for table in file.tables:
        around = _Table("", table, houses, games_of, set())
        sheets = (
            dataclasses.replace(one, pot=SheetCheck("", one, around).pot_at_end())
            for one in table.sheets
        )
        tables.append(dataclasses.replace(table, sheets=tuple(sheets)))
    return dataclasses.replace(file, tables=tuple(tables))


class _Table:
    """One table of a file, while it is looked at."""

    def __init__(
        self,
        where: str,
        table: portable.Table,
        houses: Houses,
        games_of: Mapping[int, str],
        roster: set[int],
    ) -> None:
        self.where, self.table = where, table
        self.houses, self.games_of, self.roster = houses, games_of, roster
        self.people = {one.id for one in table.people}
        self.phones = {one.number for one in table.phones}
        self.players = {one.id for sheet in table.sheets for one in sheet.players}
        self.sheets = {one.id for one in table.sheets}
        self.rounds = {str(row.id) for sheet in table.sheets for row in sheet.rounds}

    def mistakes(self) -> Iterator[Mistake]:
        table, where = self.table, self.where
        if not codes.is_public_id(table.id):
            yield self._says("id", "table", _("This is not the id of a table."))
        if table.time_zone not in zoneinfo.available_timezones():
            yield self._says("time_zone", "time_zone", _("There is no such time zone."))
        if names.clean(table.name) != table.name:
            yield self._says("name", "table_name", _("This is no name."))
        for n, person in enumerate(table.people):
            if not _is_name(person.name):
                yield self._says(f"people[{n}].name", "", _("This is no name."))
            # A file about one sheet holds no roster.
            if self.roster and person.club_person not in {None, *self.roster}:
                yield Mistake(f"{where}.people[{n}]", _("This person is not on the roster."))
            if len({one.name for one in person.names}) < len(person.names):
                yield Mistake(f"{where}.people[{n}]", _("Something is in this file twice."))
        players = sum(len(sheet.players) for sheet in table.sheets)
        if len(self.people) < len(table.people) or len(self.players) < players:
            yield Mistake(where, _("Something is in this file twice."))
        yield from self._phones()
        yield from self._saved()
        if sum(sheet.state == SheetState.OPEN for sheet in table.sheets) > 1:
            yield Mistake(f"{where}.sheets", _("A table has one open sheet."))
        for n, sheet in enumerate(table.sheets):
            yield from SheetCheck(f"{where}.sheets[{n}]", sheet, self).mistakes()
        yield from self._history()

    def _says(self, field: str, column: str, what: str) -> Mistake:
        for sheet in self.table.sheets:
            if sheet.rounds and (line := sheet.rounds[0].line):
                return at_line(line, what, column)
        return Mistake(f"{self.where}.{field}", what)

    def _phones(self) -> Iterator[Mistake]:
        if len(self.phones) < len(self.table.phones):
            yield Mistake(f"{self.where}.phones", _("Something is in this file twice."))
        for n, phone in enumerate(self.table.phones):
            lost = phone.person is not None and phone.person not in self.people
            by = phone.removed_by
            if lost or (by is not None and (by not in self.phones or phone.removed_at is None)):
                yield Mistake(f"{self.where}.phones[{n}]", _("This points at nobody."))

    def _saved(self) -> Iterator[Mistake]:
        keys = [names.key(one.name) for one in self.table.saved_rules]
        wrong = any(one.rules not in self.houses for one in self.table.saved_rules)
        if wrong or "" in keys or len(set(keys)) < len(keys):
            yield Mistake(f"{self.where}.saved_rules", _("These saved house rules can't be read."))

    def _history(self) -> Iterator[Mistake]:
        last = 0
        for n, step in enumerate(self.table.history):
            where = f"{self.where}.history[{n}]"
            if step.version <= last:
                yield Mistake(where, _("This is not in order."))
            last = step.version
            at = (step.sheet, self.sheets), (step.round and str(step.round), self.rounds)
            lost = any(one is not None and one not in there for one, there in at)
            if lost or (step.phone is not None and step.phone not in self.phones):
                yield Mistake(where, _("This points at nobody."))
                continue
            try:
                history_ids.pointed(step.before, self._point)
                history_ids.pointed(step.after, self._point)
            except (ValueError, TypeError, AttributeError, KeyError):
                yield Mistake(where, _("This points at nobody."))

    def _point(self, what: What, one: Any) -> Any:
        """Look up what history points at; some of it may be gone."""
        there: dict[What, set[Any]] = {
            What.PLAYER: self.players,
            What.PERSON: self.people,
            What.ROUND: self.rounds,
            What.RULES: set(self.houses),
        }
        if what in there and one not in there[what]:
            raise ValueError(one)
        return one


class SheetCheck:
    """One sheet of a file, while it is looked at."""

    def __init__(self, where: str, sheet: portable.Sheet, table: _Table) -> None:
        self.where, self.sheet, self.table = where, sheet, table
        self.players = {one.id: one for one in sheet.players}
        self.position = {row.id: row.position for row in sheet.rounds}

    def mistakes(self) -> Iterator[Mistake]:
        shape = list(self._shape())
        yield from shape
        if shape:
            return
        for n, row in enumerate(self.sheet.rounds):
            for what in self._round(row):
                path = Mistake(f"{self.where}.rounds[{n}]", what)
                yield at_line(row.line, what) if row.line else path

    def _shape(self) -> Iterator[Mistake]:
        """Find what is wrong with the sheet around its hands."""
        sheet, said = self.sheet, self._says
        if not codes.is_public_id(sheet.id):
            yield said("id", _("This is not the id of a sheet."))
        if sheet.game not in games.GAMES:
            yield said("game", _("This game is not known here."))
        if self.table.games_of.get(sheet.rules) != sheet.game:
            yield said("rules", _("There are no such house rules in this file."))
        closed = sheet.state != SheetState.OPEN
        if closed != (sheet.ended_at is not None) or (sheet.ended_by is not None and not closed):
            yield said("ended_at", _("A sheet that ended says when, and no other one does."))
        if sheet.state == SheetState.BANKED and not any(not r.taken_back for r in sheet.rounds):
            yield said("rounds", _("No hand stands on this sheet."))
        for number in (sheet.started_by, sheet.ended_by):
            if number is not None and number not in self.table.phones:
                yield said("", _("This points at nobody."))
        worth = sheet.unit_cents is not None
        if worth != bool(sheet.currency) or not 0 < (sheet.unit_cents or 1) <= money.MOST_VALUE:
            yield said("unit_cents", _("What a unit is worth can't be read."))
        if sheet.review != "to_review" and sheet.state != SheetState.BANKED:
            yield said("review", _("Only banked sheets are reviewed."))
        if sheet.review in ("flagged", "set_aside") and not sheet.review_note:
            yield said("review_note", _("The note that says why is missing."))
        if any(abs(total) > MOST_TAKEN_IN for total in portable.totals(sheet).values()):
            yield said("rounds", _("Nobody takes in so much."))
        yield from self._seats()
        if len(set(self.position.values())) < len(sheet.rounds):
            yield said("rounds", _("Two hands have one place."))

    def _says(self, field: str, what: str) -> Mistake:
        if self.sheet.rounds and (line := self.sheet.rounds[0].line):
            return at_line(line, what, COLUMN_OF.get(field, ""))
        return Mistake(f"{self.where}.{field}".rstrip("."), what)

    def _seats(self) -> Iterator[Mistake]:
        sheet = self.sheet
        for n, one in enumerate(sheet.players):
            lost = [at for at in (one.since, one.until) if at is not None]
            if one.person not in self.table.people or any(at not in self.position for at in lost):
                yield self._says(f"players[{n}]", _("This points at nobody."))
            if not one.erased and not _is_name(one.name):
                yield self._says(f"players[{n}].name", _("This is no name."))
        seated = [one for one in sheet.players if one.until is None]
        told: tuple[Callable[[portable.Player], Any], ...] = (
            lambda one: one.place,
            lambda one: one.person,
            lambda one: one.id if one.erased else names.key(one.name),
        )
        twice = any(len({what(one) for one in seated}) < len(seated) for what in told)
        if twice or len(self.players) < len(sheet.players):
            yield self._says("players", _("Somebody sits in two places, or two in one."))
        if not 3 <= len(seated) <= MOST_PLAYERS:
            yield self._says("players", _("Three or four sit at a table."))
        mark = sheet.dealer_mark
        if mark not in self.players:
            yield self._says("dealer_mark", _("This points at nobody."))
        if sheet.dealer_marked_after not in (None, *self.position):
            yield self._says("dealer_marked_after", _("This points at no hand."))

    def at_the_table(self, row: portable.Round) -> list[portable.Player]:
        """Return who was at the table in a hand, by seat."""
        position = self.position

        def was_there(one: portable.Player) -> bool:
            came = one.since is None or position[one.since] < row.position
            return came and (one.until is None or row.position <= position[one.until])

        there = filter(was_there, self.sheet.players)
        return sorted(there, key=lambda one: one.place)

    def _round(self, row: portable.Round) -> Iterator[str]:
        """Say what is wrong with a hand."""
        if self.table.games_of.get(row.rules) != self.sheet.game:
            yield _("There are no such house rules in this file.")
            return
        seated = self.at_the_table(row)
        game = games.GAMES[self.sheet.game]
        house = self.table.houses[row.rules]
        seats = {one.id: seat for seat, one in enumerate(seated)}
        told = {one.place for one in seated}, {one.person for one in seated}
        if any(len(each) < len(seated) for each in told):
            yield _("Somebody sits in two places, or two in one.")
            return
        if len(seated) != game.seats(house):
            yield _("Another number of people sits at the table than these house rules want.")
            return
        if sum(one.scores for one in seated) != game.columns(house):
            yield _("Another number of people has a column than these house rules want.")
            return
        for who in (row.dealer, row.sitter, row.bidder):
            if who is not None and who not in seats:
                yield _("Somebody of this hand does not sit at the table.")
                return
        phones = (row.entered_by, row.confirmed_by)
        if any(number not in (None, *self.table.phones) for number in phones):
            yield _("This points at nobody.")
        yield from self._fields(row)
        yield from self._entries(row, seated, seats, game, house)

    def _fields(self, row: portable.Round) -> Iterator[str]:
        played = row.kind == RoundKind.PLAYED
        if (row.dealer is None) != (row.kind in NEVER_DEALT):
            yield _("A hand has a dealer, a correction and a shared pot have none.")
        if row.kind in NEVER_DEALT and row.sitter is not None:
            yield _("Nobody sits out what was never dealt.")
        if played and (row.bidder is None or row.bid is None or row.outcome is None):
            yield _("A hand that was played has a bidder, a bid and a result.")
        bid = (row.bidder, row.bid, row.trump, row.outcome, row.counts)
        if not played and any(one is not None for one in bid):
            yield _("Only a hand that was played has a bidder, a bid and a result.")
        says_why = row.reason if row.kind != RoundKind.CORRECTION else row.reason.strip()
        if bool(says_why) != (row.kind == RoundKind.CORRECTION):
            yield _("A correction says why, and nothing else does.")
        if row.half and (row.kind != RoundKind.TYPED or row.confirmed_by is not None):
            yield _("Only typed numbers wait for others.")
        if row.half and self.sheet.state == SheetState.BANKED and not row.taken_back:
            yield _("This hand waits for numbers, and the match has ended.")
        if row.counts is not None and not _are_counts(row.counts, self.sheet.game):
            yield _("What was counted can't be read.")

    def _entries(
        self,
        row: portable.Round,
        seated: list[portable.Player],
        seats: Mapping[int, int],
        game: games.Game,
        house: Any,
    ) -> Iterator[str]:
        """Compare the numbers of a hand with what the rules say."""
        columns = [one for one in seated if one.scores]
        units = {entry.player: entry.units for entry in row.entries}
        strangers = set(units) - {one.id for one in columns}
        missing = {one.id for one in columns} - set(units)
        if strangers or len(units) < len(row.entries) or bool(missing) != row.half:
            yield _("There is not one number for each column.")
            return
        if not game.SIGNED and any(n < 0 for n in units.values()):
            yield _("Nobody takes in less than 0.")
            return
        typed = row.kind in (RoundKind.TYPED, RoundKind.CORRECTION)
        if typed and any(abs(n) > numbers.MOST_TYPED for n in units.values()):
            said = {"most": numbers.MOST_TYPED}
            yield _("More than fits in one column of one hand: %(most)s at most.") % said
        if row.sitter is not None and row.sitter == row.bidder:
            yield _("Whoever bids plays: somebody else sat out.")
        try:
            due = self._due(row, seated, seats, game, house)
        except RuleError as error:
            yield _(error.message.template) % error.message.params
            return
        except ValueError:
            yield _("The trumps or the result can't be read.")
            return
        if due is None:
            return
        wanted = [n for one, n in zip(seated, due.entries, strict=True) if one.scores]
        given = [units[one.id] for one in columns]
        if wanted != given:
            yield _("The rules give %(wanted)s for this hand, and the file says %(given)s.") % {
                "wanted": _row(wanted),
                "given": _row(given),
            }

    def _due(
        self,
        row: portable.Round,
        seated: list[portable.Player],
        seats: Mapping[int, int],
        game: games.Game,
        house: Any,
    ) -> games.Settlement | None:
        """Return what a hand comes to by the rules; None where anything may have been typed."""
        off_sheet = next((seat for seat, one in enumerate(seated) if not one.scores), None)
        match row.kind:
            case RoundKind.PLAYED:
                hand = game.Hand(
                    bidder=seats.get(row.bidder or 0),
                    bid=row.bid,
                    trump=None if row.trump is None else cards.Suit(row.trump),
                    outcome=game.Outcome(row.outcome),
                    off_sheet=off_sheet,
                )
                return game.settle(hand, house, pot=row.pot or 0)
            case RoundKind.POT_SHARED:
                return share(row.pot or 0, len(seated), off_sheet)
            case RoundKind.PASSED_OUT:
                return share(0, len(seated), off_sheet)
            case RoundKind.TYPED | RoundKind.CORRECTION:
                return None

    def pot_at_end(self) -> int | None:
        """Return what the pot of a checked sheet holds in the end, where no line tells."""
        game = games.GAMES[self.sheet.game]
        held = [row for row in self.sheet.rounds if row.pot is not None and not row.taken_back]
        if not held:
            return game.antes(self.table.houses[self.sheet.rules]) or None
        last = held[-1]
        seated = self.at_the_table(last)
        seats = {one.id: seat for seat, one in enumerate(seated)}
        due = self._due(last, seated, seats, game, self.table.houses[last.rules])
        return (last.pot or 0) + (due.pot if due else 0)


def _row(units: list[int]) -> str:
    return " · ".join(map(str, units))


def _are_counts(counts: Mapping[str, Any], game: str) -> bool:
    fits = all(type(n) is int and 0 <= n <= numbers.MOST_TYPED for n in counts.values())
    return fits and set(counts) == set(games.GAMES[game].COUNTS)
