"""What a file would add to a club: looked up, and told before anything is written."""

from __future__ import annotations

import dataclasses
import datetime
import hashlib
import json
import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

from django.utils.translation import gettext as _

from sheets import names, portable
from sheets.imports.decoding import Mistake, Mistaken
from sheets.imports.likening import alike_here
from sheets.imports.reading import Brought
from sheets.models import NEVER_DEALT, Club, ClubChange, Round, Sheet, SheetState, Table

AT_ONCE = 500

T = TypeVar("T")


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class PlannedSheet:
    """A sheet that would be added, as the page tells it.

    `alike` are the sheets here that hold the same match.
    """

    id: str
    table: str
    evening: datetime.date
    hands: int
    line: str
    state: SheetState
    alike: tuple[Sheet, ...] = ()


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What would be added. `known` are the tables of the file that are in the club already."""

    brought: Brought
    known: dict[str, Table]
    new_tables: tuple[str, ...]
    sheets: tuple[PlannedSheet, ...]
    already_there: int
    left_out: int  # sheets without an end, or without a hand, of tables that are here already
    people: tuple[portable.OnRoster, ...]
    on_roster: dict[int, int]  # keys of those who are on the roster already
    seasons: tuple[portable.Season, ...]
    steps: dict[uuid.UUID, portable.ClubStep]  # of the club's own history, oldest first

    @property
    def adds(self) -> bool:
        """Whether there is anything to add."""
        return bool(self.sheets or self.people or self.seasons or self.new_tables or self.steps)

    @property
    def hands(self) -> int:
        """How many hands would be added."""
        return sum(one.hands for one in self.sheets)

    @property
    def alike(self) -> list[PlannedSheet]:
        """Those that hold a match that is here already."""
        return [one for one in self.sheets if one.alike]

    @property
    def mark(self) -> str:
        """What tells this plan from any other: of another file, or made when more was here."""
        told: list[Any] = [
            str(self.brought),
            sorted(self.known),
            [[one.id, [same.public_id for same in one.alike]] for one in self.sheets],
            [one.id for one in self.people],
            [one.name for one in self.seasons],
            [str(key) for key in self.steps],
        ]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()


def plan(club: Club, brought: Brought) -> Plan:
    """Look up what of a file is here; raises Mistaken for what is here elsewhere."""
    file = brought.file
    known = _known_tables(club, file.tables)
    there = _sheets_there(club, file.tables)
    wanted, new_tables, left_out = [], [], 0
    for table in file.tables:
        if table.id not in known:
            new_tables.append(title(table))
        for sheet in table.sheets:
            if sheet.id in there:
                continue
            if table.id in known and sheet.state != SheetState.BANKED:
                left_out += 1
                continue
            wanted.append((table, sheet))
    _refuse_known_hands(sheet for _table, sheet in wanted)
    people, on_roster = _roster(club, file.club)
    same = alike_here(club, brought, wanted, known, on_roster)
    return Plan(
        brought=brought,
        known=known,
        new_tables=tuple(new_tables),
        sheets=tuple(
            planned(club, table, sheet, same.get(sheet.id, ())) for table, sheet in wanted
        ),
        already_there=len(there),
        left_out=left_out,
        people=people,
        on_roster=on_roster,
        seasons=_seasons(club, file.club),
        steps=_steps(file.club),
    )


def planned(
    club: Club, table: portable.Table, sheet: portable.Sheet, alike: Sequence[Sheet] = ()
) -> PlannedSheet:
    """Return what the page tells of a sheet."""
    standing = [row for row in sheet.rounds if not row.taken_back]
    return PlannedSheet(
        id=sheet.id,
        table=title(table),
        evening=club.evening(sheet.played_at),
        hands=sum(row.kind not in NEVER_DEALT for row in standing),
        line=final_line(sheet),
        state=sheet.state,
        alike=tuple(alike),
    )


def title(table: portable.Table) -> str:
    """Return the name of a table, or of those who sit at its last sheet."""
    if table.name or not table.sheets:
        return table.name or _("a table")
    seated = [one for one in table.sheets[-1].players if one.until is None]
    return names.listed([one.name for one in seated])


def final_line(sheet: portable.Sheet) -> str:
    """Return the totals, highest first: "Ben 12, Cass 10, Alice 8"."""
    of = portable.totals(sheet)
    columns = [one for one in sheet.players if one.scores]
    ordered = sorted(columns, key=lambda one: -of[one.id])
    return ", ".join(f"{one.name} {of[one.id]}" for one in ordered)


def _known_tables(club: Club, tables: Sequence[portable.Table]) -> dict[str, Table]:
    known = {}
    for ids in _some([one.id for one in tables]):
        for table in Table.objects.filter(public_id__in=ids):
            if table.club_id != club.pk:
                raise Mistaken(_elsewhere())
            known[table.public_id] = table
    return known


def _sheets_there(club: Club, tables: Sequence[portable.Table]) -> set[str]:
    """Return which sheets of the file are here, at the tables they are of."""
    table_of = {sheet.id: table.id for table in tables for sheet in table.sheets}
    there = set()
    for ids in _some(list(table_of)):
        found = Sheet.objects.filter(public_id__in=ids)
        for sheet, table in found.values_list("public_id", "table__public_id"):
            if table_of[sheet] != table:
                raise Mistaken(_elsewhere())
            there.add(sheet)
    return there


def _refuse_known_hands(sheets: Iterable[portable.Sheet]) -> None:
    hands = [row.id for sheet in sheets for row in sheet.rounds]
    for ids in _some(hands):
        if Round.objects.filter(public_id__in=ids).exists():
            raise Mistaken(_elsewhere())


def _elsewhere() -> Mistake:
    """Say that something belongs elsewhere, and not where."""
    return Mistake("", _("A sheet of this file is kept elsewhere: it can't be imported here."))


def _some(all_of: Sequence[T]) -> Iterator[list[T]]:
    rest = iter(all_of)
    while some := list(islice(rest, AT_ONCE)):
        yield some


def _roster(
    club: Club, told: portable.Club | None
) -> tuple[tuple[portable.OnRoster, ...], dict[int, int]]:
    """Tell who of the file's roster is on the club's: by name and note, one for one."""
    here: dict[tuple[str, str], list[int]] = defaultdict(list)
    for one in club.people.order_by("pk"):
        here[names.key(one.name), names.key(one.note)].append(one.pk)
    new, there = [], {}
    for person in told.people if told else ():
        same = here[names.key(person.name), names.key(person.note)]
        if same:
            there[person.id] = same.pop(0)
        else:
            new.append(person)
    return tuple(new), there


def _seasons(club: Club, told: portable.Club | None) -> tuple[portable.Season, ...]:
    taken = set(club.seasons.values_list("name_key", flat=True))
    new = []
    for season in told.seasons if told else ():
        if (key := names.key(season.name)) not in taken:
            taken.add(key)
            new.append(season)
    return tuple(new)


def _steps(told: portable.Club | None) -> dict[uuid.UUID, portable.ClubStep]:
    """Return the lines of the club's own history that are not here, oldest first."""
    history = sorted(told.history if told else (), key=lambda one: one.version)
    of = {one.key: one for one in history if one.key is not None}
    for keys in _some(list(of)):
        for key in ClubChange.objects.filter(key__in=keys).values_list("key", flat=True):
            del of[key]
    return of
