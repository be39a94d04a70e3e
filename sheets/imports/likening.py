"""Which sheets of a file hold a match that is in the club already."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Mapping, Sequence

from sheets import alike, names, portable, roster
from sheets.imports.reading import JSON, Brought
from sheets.models import Club, Person, Review, Sheet, SheetState, Table

Wanted = Sequence[tuple[portable.Table, portable.Sheet]]


def alike_here(
    club: Club,
    brought: Brought,
    wanted: Wanted,
    known: Mapping[str, Table],
    on_roster: Mapping[int, int],
) -> dict[str, list[Sheet]]:
    """Return for each of these sheets that would count the sheets here that hold the same match.

    People are who they would be once they are stored: by the roster, else by their names.
    """
    evenings: dict[datetime.date, list[tuple[portable.Table, portable.Sheet]]] = defaultdict(list)
    if club.sheets.filter(state=SheetState.BANKED).exists():
        for table, sheet in wanted:
            if sheet.state == SheetState.BANKED and sheet.review != Review.SET_ASIDE:
                evenings[club.evening(sheet.played_at)].append((table, sheet))
    if not evenings:
        return {}
    people = _People(club, brought, known, on_roster)
    found: dict[str, list[Sheet]] = {}
    for evening, of_evening in evenings.items():
        matches = [people.match(table, sheet) for table, sheet in of_evening]
        for (_table, sheet), same in zip(
            of_evening, alike.like(club, evening, matches), strict=True
        ):
            if same:
                found[sheet.id] = same
    return found


class _People:
    """Who the people of a file would be in the club."""

    def __init__(
        self,
        club: Club,
        brought: Brought,
        known: Mapping[str, Table],
        on_roster: Mapping[int, int],
    ) -> None:
        self.counts = roster.stands_for(club)
        self.on_roster = on_roster
        # A file of rows says nothing of the roster: there a name decides.
        self.offered = [] if brought.kind == JSON else roster.offered(club.pk)
        tables = {table.pk: table.public_id for table in known.values()}
        self.here: dict[tuple[str, str], int | None] = {}
        for person in Person.objects.filter(table__in=tables).order_by("-pk"):
            self.here[tables[person.table_id], names.key(person.name)] = person.club_person_id

    def match(self, table: portable.Table, sheet: portable.Sheet) -> alike.Match:
        """Return what a sheet of the file holds."""
        told = {one.id: one for one in table.people}
        who = {
            one.id: alike.who(
                self._club_person(table, told[one.person]), names.key(one.name), self.counts
            )
            for one in sheet.players
        }
        rows = sorted(sheet.rounds, key=lambda row: row.position)
        return alike.match(
            (who[one.id] for one in sheet.players if one.scores and _sat(one)),
            (
                [(who[entry.player], entry.units) for entry in row.entries]
                for row in rows
                if not row.taken_back
            ),
        )

    def _club_person(self, table: portable.Table, person: portable.Person) -> int | None:
        at_table = table.id, names.key(person.name)
        if at_table in self.here:
            return self.here[at_table]
        found = roster.meant_by(self.offered, person.name)
        return found[0].pk if len(found) == 1 else self.on_roster.get(person.club_person or 0)


def _sat(one: portable.Player) -> bool:
    """Say whether a player was at the table for any hand."""
    return one.until is None or one.until != one.since
