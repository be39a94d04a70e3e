"""What a file adds to a club, in one transaction: tables, sheets, history, people, seasons."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sheets import history_ids, names, portable, roster
from sheets.actions.answers import Refusal, Why
from sheets.actions.club_writing import ClubAnswer, ClubSaved, ClubStep, ClubWrite, club_action
from sheets.actions.opening import free_code
from sheets.actions.results import keep_results_of
from sheets.actions.roster import part_doubles
from sheets.actions.storing import Here, store_rules, store_sheets
from sheets.actions.writing import Step, Write
from sheets.history_ids import What
from sheets.imports import planning
from sheets.imports.decoding import Mistaken
from sheets.imports.reading import JSON, Brought
from sheets.models import (
    NEVER_DEALT,
    Change,
    ChangeKind,
    ClubChange,
    ClubChangeKind,
    ClubPerson,
    Member,
    NameUsed,
    Person,
    SavedRules,
    Season,
    Sheet,
    Table,
)

IMPORTED = "imported"  # stands where a change has its fingerprint: nobody sends it again
AT_ONCE = 100  # sheets


def import_file(write: ClubWrite, brought: Brought, mark: str) -> ClubAnswer:
    """Add to the club what a file holds and is not here yet; `mark` names what was shown.

    Looked up once more under the lock: when more or less would be added than was shown, it is asked
    again. What is here already is never rewritten. Results are made once all is in; sent again,
    they are made again.
    """
    answer = _import_file(write, brought, mark)
    if isinstance(answer, ClubSaved):
        ids = [sheet.id for table in brought.file.tables for sheet in table.sheets]
        for begin in range(0, len(ids), AT_ONCE):
            some = Sheet.objects.filter(club=write.club, public_id__in=ids[begin : begin + AT_ONCE])
            keep_results_of(some)
    return answer


@club_action()
def _import_file(at: ClubStep, brought: Brought, mark: str) -> ClubChange:
    try:
        plan = planning.plan(at.club, brought)
    except Mistaken as mistaken:
        raise Refusal(Why.STALE) from mistaken
    if plan.mark != mark or not plan.adds:
        raise Refusal(Why.STALE)
    on_roster = _add_to_roster(at, plan)
    _add_seasons(at, plan)
    wanted = {one.id for one in plan.sheets}
    here = Here()
    store_rules(brought.file.rules, brought.houses, here)
    for table in brought.file.tables:
        sheets = [one for one in table.sheets if one.id in wanted]
        if table.id not in plan.known or sheets:
            _Import(at, plan, table, sheets, here, on_roster).run()
    _add_history(at, plan, on_roster)
    return at.record(ClubChangeKind.IMPORTED, after={"sheets": len(plan.sheets)})


def _add_to_roster(at: ClubStep, plan: planning.Plan) -> dict[int, int]:
    """Store who is new on the roster, and into whom they are merged; return the keys of all."""
    stored = ClubPerson.objects.bulk_create(
        ClubPerson(club=at.club, name=one.name, note=one.note, retired=one.retired)
        for one in plan.people
    )
    keys = plan.on_roster | {one.id: row.pk for one, row in zip(plan.people, stored, strict=True)}
    for one, row in zip(plan.people, stored, strict=True):
        row.merged_into_id = None if one.merged_into is None else keys[one.merged_into]
    ClubPerson.objects.bulk_update(stored, ("merged_into",), batch_size=200)
    return keys


def _add_seasons(at: ClubStep, plan: planning.Plan) -> None:
    Season.objects.bulk_create(
        Season(
            club=at.club,
            name=one.name,
            name_key=names.key(one.name),
            starts=one.starts,
            ends=one.ends,
            least_hands=one.least_hands,
        )
        for one in plan.seasons
    )


def _add_history(at: ClubStep, plan: planning.Plan, on_roster: Mapping[int, int]) -> None:
    """Store the history of the file's club after that of this one, with the keys of rows here."""
    club, told = at.club, plan.brought.file.club
    tables = dict(club.tables.values_list("public_id", "pk"))
    by_name = dict(club.seasons.values_list("name_key", "pk"))
    seasons = {one.id: by_name[names.key(one.name)] for one in (told.seasons if told else ())}

    def point(what: What, one: Any) -> Any:
        match what:
            case What.CLUB_PERSON:
                return on_roster.get(one)
            case What.SEASON:
                return seasons.get(one)
            case What.TABLE:
                return tables.get(one)
            case What.USER:
                return one
            case _:
                return None

    ClubChange.objects.bulk_create(
        (
            ClubChange(
                club=club,
                version=version,
                kind=one.kind,
                by=one.by,
                before=history_ids.pointed(one.before, point, history_ids.OF_CLUBS),
                after=history_ids.pointed(one.after, point, history_ids.OF_CLUBS),
                reason=one.reason,
                at=one.at,
                key=key,
                fingerprint=IMPORTED,
            )
            for version, (key, one) in enumerate(plan.steps.items(), start=club.version + 1)
        ),
        batch_size=500,
    )
    club.version += len(plan.steps)


class _Import:
    """One table of a file on its way in."""

    def __init__(
        self,
        at: ClubStep,
        plan: planning.Plan,
        told: portable.Table,
        sheets: Sequence[portable.Sheet],
        here: Here,
        on_roster: Mapping[int, int],
    ) -> None:
        self.at, self.plan, self.told, self.sheets = at, plan, told, sheets
        self.on_roster = on_roster
        self.here = Here(rules=here.rules)

    def run(self) -> None:
        told, known = self.told, self.told.id in self.plan.known
        if known:
            table = Table.objects.select_for_update().get(public_id=told.id)
            table.club = self.at.club
            self._known_people(table)
        else:
            table = self._new_table()
        in_history = set() if known else {step.sheet for step in told.history}
        plain = [one for one in self.sheets if one.id not in in_history]
        changed = {one.id: table.version + number for number, one in enumerate(plain, start=1)}
        for begin in range(0, len(self.sheets), AT_ONCE):
            some = self.sheets[begin : begin + AT_ONCE]
            store_sheets(table, some, self.here, changed)
        part_doubles(self.at.club, table)
        if not known:
            self._store_history(table)
        for one in plain:
            self._say_imported(table, one)
        if not known and not plain:
            self._say_imported(table, None)

    def _new_table(self) -> Table:
        told, here = self.told, self.here
        began = [one.started_at for one in told.sheets]
        made = told.created_at or (min(began) if began else datetime.datetime.now(datetime.UTC))
        table = Table.objects.create(
            public_id=told.id,
            code=free_code(),
            name=told.name,
            time_zone=told.time_zone,
            own_columns=told.own_columns,
            confirm=told.confirm,
            created_at=made,
            version=told.history[-1].version if told.history else 0,
            club=self.at.club,
        )
        people = Person.objects.bulk_create(self._person(table, one) for one in told.people)
        here.people |= {one.id: row.pk for one, row in zip(told.people, people, strict=True)}
        used = [(person, name) for person in told.people for name in person.names]
        kept = NameUsed.objects.bulk_create(
            NameUsed(person_id=here.people[person.id], name=name.name) for person, name in used
        )
        here.names |= {name.id: row.pk for (_p, name), row in zip(used, kept, strict=True)}
        saved = SavedRules.objects.bulk_create(
            SavedRules(
                table=table,
                name=one.name,
                name_key=names.key(one.name),
                house_rules_id=here.rules[one.rules],
            )
            for one in told.saved_rules
        )
        here.saved |= {one.id: row.pk for one, row in zip(told.saved_rules, saved, strict=True)}
        self._store_phones(table)
        return table

    def _person(self, table: Table, one: portable.Person) -> Person:
        key = self.on_roster.get(one.club_person or 0)
        if key is None and self.plan.brought.kind != JSON:  # a CSV says nothing of the roster
            same = roster.match(self.at.club, one.name)
            key = same.pk if same else None
        return Person(table=table, name=one.name, club_person_id=key)

    def _known_people(self, table: Table) -> None:
        """Find the people of new sheets at a table that is here, by name; others are added."""
        known = {names.key(one.name): one.pk for one in table.people.order_by("pk")}
        wanted = {one.person for sheet in self.sheets for one in sheet.players}
        for told in self.told.people:
            if told.id in wanted:
                key = known.pop(names.key(told.name), None)
                if key is None:
                    person = self._person(table, told)
                    person.save()
                    key = person.pk
                self.here.people[told.id] = key

    def _store_phones(self, table: Table) -> None:
        """Store phones that nobody has: history says who did what with them."""
        people, here = self.here.people, self.here
        rows = Member.objects.bulk_create(
            Member(
                table=table,
                phone=f"imported {uuid.uuid4()}",
                number=one.number,
                person_id=None if one.person is None else people[one.person],
                joined_at=one.joined_at,
                last_seen=one.joined_at,
                removed_at=one.removed_at,
            )
            for one in self.told.phones
        )
        here.phones |= {row.number: row.pk for row in rows}
        for one, row in zip(self.told.phones, rows, strict=True):
            row.removed_by_id = here.phones.get(one.removed_by or 0)
        Member.objects.bulk_update(rows, ("removed_by",), batch_size=200)

    def _store_history(self, table: Table) -> None:
        """Store the history of the table with the keys of the rows that it is about here."""
        steps = self.told.history
        used = _keys_used(one.key for one in steps)
        here = self.here
        Change.objects.bulk_create(
            (
                Change(
                    table=table,
                    version=one.version,
                    kind=one.kind,
                    sheet_id=None if one.sheet is None else here.sheets[one.sheet],
                    round_id=None if one.round is None else here.rounds[one.round],
                    member_id=here.phones.get(one.phone or 0),
                    system=one.phone is None,
                    by=one.by if one.phone is None else "",
                    before=history_ids.pointed(one.before, self._point),
                    after=history_ids.pointed(one.after, self._point),
                    reason=one.reason,
                    at=one.at,
                    key=uuid.uuid4() if one.key in used else one.key,
                    fingerprint=IMPORTED,
                )
                for one in steps
            ),
            batch_size=500,
        )

    def _point(self, what: What, one: Any) -> Any:
        """Return the key of what history points at; None for what is gone."""
        here = self.here
        match what:
            case What.ROUND:
                return here.rounds[uuid.UUID(one)]
            case What.MEMBER:
                return here.phones.get(one)
            case What.CLUB_PERSON:
                return self.on_roster.get(one)
            case What.PLAYER | What.PERSON | What.SHEET | What.RULES | What.SAVED | What.NAME:
                return _TABLE_OF[what](here).get(one)
            case _:
                return None

    def _say_imported(self, table: Table, sheet: portable.Sheet | None) -> None:
        """Add the line of history that says who brought this here."""
        of = self.sheets if sheet is None else [sheet]
        after = {"from": self.plan.brought.kind, "hands": sum(map(hands, of))}
        key = None if sheet is None else self.here.sheets[sheet.id]
        say_imported(self.at, table, Sheet.objects.get(pk=key) if key else None, after)


_TABLE_OF: Mapping[What, Any] = {
    What.PLAYER: lambda here: here.players,
    What.PERSON: lambda here: here.people,
    What.SHEET: lambda here: here.sheets,
    What.RULES: lambda here: here.rules,
    What.SAVED: lambda here: here.saved,
    What.NAME: lambda here: here.names,
}


def hands(sheet: portable.Sheet) -> int:
    """Return how many hands that were dealt stand on a sheet."""
    return sum(row.kind not in NEVER_DEALT and not row.taken_back for row in sheet.rounds)


def say_imported(at: ClubStep, table: Table, sheet: Sheet | None, after: dict[str, Any]) -> Change:
    """Add to the history of a locked or new table that somebody of the club brought a sheet."""
    of = table.public_id if sheet is None else sheet.public_id
    write = Write(
        table=table.pk, key=uuid.uuid5(at.write.key, of), seen=table.seen, user=at.write.user
    )
    step = Step(table, write, at.fingerprint, None, [])
    return step.record(ChangeKind.SHEET_IMPORTED, sheet=sheet, after=after)


def _keys_used(keys: Iterable[uuid.UUID]) -> set[uuid.UUID]:
    every, used = list(keys), set()
    for begin in range(0, len(every), 500):
        found = Change.objects.filter(key__in=every[begin : begin + 500])
        used |= set(found.values_list("key", flat=True))
    return used
