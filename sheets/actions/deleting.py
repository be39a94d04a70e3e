"""The end of a table: its phones agree, or staff decides, or nobody has played for too long."""

from __future__ import annotations

import datetime

from django.utils import timezone

from sheets import lifetimes
from sheets.actions.answers import Answer, Refusal, Saved, Why
from sheets.actions.likening import liken, marked_evenings
from sheets.actions.writing import Step, Write, action, one_transaction
from sheets.models import (
    Change,
    ChangeKind,
    Entry,
    NameUsed,
    Player,
    Result,
    Round,
    Sheet,
    Table,
)

# What another phone may have done since the question was asked that makes it another question.
_ANOTHER_QUESTION = (*lifetimes.PLAYED_ON, ChangeKind.DELETE_DROPPED)


@action
def agree_to_delete(at: Step) -> Change | Saved:
    """Let this phone agree that the table goes; with the last one that is asked it is gone.

    What is asked of whom stands in `sheets.lifetimes`. The change says how many agree, of how many:
    `deleted` reads it. A table of a club is deleted by its organisers alone.
    """
    if at.table.club_id is not None:
        raise Refusal(Why.OF_A_CLUB)
    at.refuse_if_others(_ANOTHER_QUESTION)
    asked = lifetimes.asked_to_delete(at.table)
    if at.me in asked.agree and asked.missing:
        mine = at.table.changes.filter(kind=ChangeKind.DELETE_AGREED, member=at.me)
        return Saved(mine.latest("version"), repeated=True)
    at.me.agreed_to_delete_at = at.me.last_seen = timezone.now()
    at.me.save(update_fields=("agreed_to_delete_at", "last_seen"))
    at.table.to_delete = True
    agree = {phone.pk for phone in asked.agree} | {at.me.pk}
    of = agree | {phone.pk for phone in asked.missing}
    done = at.record(ChangeKind.DELETE_AGREED, after={"agree": len(agree), "of": len(of)})
    if deleted(done):
        delete_all_of(at.table)
    return done


def deleted(agreed: Change) -> bool:
    """Say whether this agreement was the last one, with which the table went."""
    assert agreed.after is not None
    return bool(agreed.after["agree"] == agreed.after["of"])


@action
def keep_table(at: Step) -> Change | Saved:
    """Let anybody drop that the table is to be deleted; all agreements are void."""
    if not lifetimes.asked_to_delete(at.table).agree:
        return Saved(at.table.changes.latest("version"), repeated=True)
    at.table.members.exclude(agreed_to_delete_at=None).update(agreed_to_delete_at=None)
    at.table.to_delete = False
    return at.record(ChangeKind.DELETE_DROPPED)


def delete_table(write: Write) -> Answer:
    """Delete a table as staff, unless somebody has played on since the question was asked."""
    evenings = marked_evenings(Sheet.objects.filter(table=write.table))
    answer = _delete_table(write)
    if isinstance(answer, Saved):
        liken(evenings)
    return answer


@action
def _delete_table(at: Step) -> Change:
    at.refuse_if_others(lifetimes.PLAYED_ON)
    done = at.record(ChangeKind.DELETE_AGREED, after={"agree": 1, "of": 1})
    delete_all_of(at.table)
    return done


def purge_table(table_id: int, unused_since: datetime.datetime) -> bool:
    """Delete a table if nobody has done anything at it since then; say whether it went.

    Looked at once more under the lock: somebody may have sat down since it was found, or an
    organiser have taken it into a club.
    """
    with one_transaction():
        table = Table.objects.select_for_update().filter(pk=table_id, club=None).first()
        if table is None or lifetimes.last_change(table) >= unused_since:
            return False
        delete_all_of(table)
        return True


def delete_all_of(table: Table) -> None:
    """Delete a locked table and every row that hangs on it; house rules are shared and stay.

    In the order in which nothing points at what goes: the database protects the rest.
    """
    table.sheets.update(dealer_mark=None, dealer_marked_after=None)
    table.members.update(removed_by=None)
    table.changes.all().delete()
    table.saved_rules.all().delete()
    Result.objects.filter(sheet__table=table).delete()
    Entry.objects.filter(round__sheet__table=table).delete()
    Round.objects.filter(sheet__table=table).delete()
    Player.objects.filter(sheet__table=table).delete()
    table.sheets.all().delete()
    table.members.all().delete()
    NameUsed.objects.filter(person__table=table).delete()
    table.people.all().delete()
    Table.objects.filter(pk=table.pk).delete()
