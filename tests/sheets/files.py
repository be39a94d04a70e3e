"""Files for tests: a club written down, and read into another."""

from __future__ import annotations

import uuid

from sheets import actions
from sheets.exports import as_csv, as_json, hands
from sheets.imports import planning, reading
from sheets.models import (
    Change,
    Club,
    ClubChange,
    ClubPerson,
    Entry,
    HouseRules,
    Member,
    NameUsed,
    Person,
    Player,
    Result,
    Round,
    SavedRules,
    Season,
    Sheet,
    Table,
)


def club_file(club):
    """All of a club as JSON."""
    return "".join(as_json.club(club)).encode()


def hands_file(club):
    """The hands of a club's banked sheets as CSV."""
    banked = club.sheets.filter(state="banked").order_by("played_at").select_related("table")
    return "".join(as_csv.lines(hands.rows(club, banked))).encode()


def bring(to, data, *, user=None, key=None):
    """Import a file into a club as an organiser does who has seen what it adds."""
    brought = reading.read(data)
    mark = planning.plan(Club.objects.get(pk=to.club.pk), brought).mark
    return actions.import_file(to.write(user, key=key), brought, mark)


def brought(to, data):
    """The same, where it works."""
    answer = bring(to, data)
    assert isinstance(answer, actions.ClubSaved), answer
    return answer


def empty():
    """Take all that was ever played or done out of the database; clubs and users stay."""
    Sheet.objects.update(dealer_mark=None, dealer_marked_after=None)
    Member.objects.update(removed_by=None)
    ClubPerson.objects.update(merged_into=None)
    of_tables = (Change, SavedRules, Result, Entry, Round, Player, Sheet, Member, NameUsed, Person)
    for model in (*of_tables, Table, Season, ClubPerson, ClubChange, HouseRules):
        model.objects.all().delete()


def set_in(*path, to):
    """A change of a JSON file that was read: what stands at this path becomes something else."""

    def changed(file):
        at = file
        for part in path[:-1]:
            at = at[part]
        at[path[-1]] = to

    return changed


def a_key():
    return uuid.uuid4()
