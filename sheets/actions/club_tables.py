"""Tables of a club: taken in by an organiser, and let go again."""

from __future__ import annotations

from typing import Any

from sheets import phone_queries
from sheets.actions.answers import Refusal, Why
from sheets.actions.club_writing import ClubAnswer, ClubSaved, ClubStep, ClubWrite, club_action
from sheets.actions.likening import liken, marked_evenings
from sheets.actions.results import keep_results_of
from sheets.actions.roster import part_doubles
from sheets.actions.writing import Step, Write
from sheets.models import (
    Change,
    ChangeKind,
    ClubChange,
    ClubChangeKind,
    ClubPerson,
    Person,
    Result,
    Review,
    Sheet,
    Table,
)


def take_in(write: ClubWrite, code: str) -> ClubAnswer:
    """Make the table with this join code, or link's secret, one of the club's with all its sheets.

    One that was let go before has its people matched as they were. Refuses a table of another club.
    Its results are made once it is in; sent again, they are made again.
    """
    answer = _take_in(write, code)
    if isinstance(answer, ClubSaved) and answer.change.after is not None:
        keep_results_of(Sheet.objects.filter(table=answer.change.after["table"]))
    return answer


@club_action()
def _take_in(at: ClubStep, code: str) -> ClubChange:
    found = phone_queries.table_opened_by(code)
    table = None if found is None else _locked(found.pk)
    if table is None or code not in (table.code, table.join_secret):
        raise Refusal(Why.WRONG_CODE)
    if table.club_id is not None:
        raise Refusal(Why.IN_CLUB if table.club_id == at.club.pk else Why.OTHER_CLUB)
    table.club = at.club
    table.save(update_fields=("club",))
    table.sheets.update(club=at.club)
    _match_as_before(at, table)
    part_doubles(at.club, table)  # two may have been merged meanwhile
    _record(at, table, ChangeKind.CLUB_JOINED)
    return at.record(ClubChangeKind.TABLE_TAKEN_IN, after={"table": table.pk})


def let_go(write: ClubWrite, table_id: int) -> ClubAnswer:
    """Let a table leave the club with all its sheets; what was said in their reviews goes.

    Somebody else who was quicker is no refusal.
    """
    evenings = marked_evenings(Sheet.objects.filter(table=table_id, club=write.club))
    answer = _let_go(write, table_id)
    if isinstance(answer, ClubSaved):
        liken(evenings)
    return answer


@club_action()
def _let_go(at: ClubStep, table_id: int) -> ClubChange | ClubSaved:
    table = _locked(table_id)
    if table is None or table.club_id != at.club.pk:
        done = at.club.changes.filter(
            kind=ClubChangeKind.TABLE_LET_GO, after__table=table_id
        ).order_by("-version")
        if not done:
            raise Refusal(Why.NOT_THERE)
        return ClubSaved(done[0], repeated=True)
    people = table.people.exclude(club_person=None).order_by("pk")
    matched = [list(pair) for pair in people.values_list("pk", "club_person")]
    people.update(club_person=None)
    Result.objects.filter(sheet__table=table).delete()
    table.sheets.update(club=None, review=Review.TO_REVIEW, review_note="", oddities="")
    table.club = None
    table.save(update_fields=("club",))
    _record(at, table, ChangeKind.CLUB_LEFT)
    return at.record(
        ClubChangeKind.TABLE_LET_GO, before={"matched": matched}, after={"table": table_id}
    )


def _locked(pk: int) -> Table | None:
    return Table.objects.select_for_update().filter(pk=pk).first()


def _match_as_before(at: ClubStep, table: Table) -> None:
    """Let people be who they were when the table was let go, as far as they are on the roster."""
    left = at.club.changes.filter(kind=ClubChangeKind.TABLE_LET_GO, after__table=table.pk)
    last = left.order_by("-version").first()
    before: dict[str, Any] = (last.before if last else None) or {"matched": []}
    was = dict(before["matched"])
    there = set(
        ClubPerson.objects.filter(club=at.club, pk__in=was.values()).values_list("pk", flat=True)
    )
    people = [one for one in table.people.filter(pk__in=was) if was[one.pk] in there]
    for person in people:
        person.club_person_id = was[person.pk]
    Person.objects.bulk_update(people, ("club_person",))


def _record(at: ClubStep, table: Table, kind: ChangeKind) -> Change:
    """Write into the table's own history what its phones are to know."""
    write = Write(table=table.pk, key=at.write.key, seen=table.seen, user=at.write.user)
    step = Step(table, write, at.fingerprint, None, [])
    return step.record(kind, after={"club": at.club.pk, "name": at.club.name})
