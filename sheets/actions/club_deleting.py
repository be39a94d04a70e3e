"""The end of a club, by staff: everything that hangs on it goes in one transaction."""

from __future__ import annotations

from sheets.actions.answers import Refusal, Why
from sheets.actions.club_writing import ClubStep, club_action
from sheets.actions.deleting import delete_all_of
from sheets.models import ClubChange, ClubChangeKind, Person, Sheet, Table


@club_action()
def delete_club(at: ClubStep) -> ClubChange:
    """Delete a club with its tables, sheets, people, seasons and history, as staff.

    Refuses when one of its organisers has changed anything of it since the question was asked.
    """
    if at.organiser is not None:
        raise Refusal(Why.NOT_AN_ORGANISER)
    at.refuse_if_others(ClubChangeKind)
    done = at.record(ClubChangeKind.LOCKED)
    club = at.club
    for pk in list(club.tables.order_by("pk").values_list("pk", flat=True)):
        delete_all_of(Table.objects.select_for_update().get(pk=pk))
    # Nothing else points at it any more; what a table once let go should have left behind goes too.
    Person.objects.filter(club_person__club=club).update(club_person=None)
    Sheet.objects.filter(club=club).update(club=None)
    club.seasons.all().delete()
    club.people.update(merged_into=None)
    club.people.all().delete()
    club.invitations.all().delete()
    club.organisers.all().delete()
    club.changes.all().delete()
    club.delete()
    return done
