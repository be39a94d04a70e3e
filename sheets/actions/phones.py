"""The phones at a table: remove one, let it back in, and what opens the table to others."""

from __future__ import annotations

from django.db.models import Q
from django.utils import timezone

from sheets import codes, phone_queries, presence
from sheets.actions.answers import Refusal, Saved, Why
from sheets.actions.opening import FRESH_CODE, freshen_code
from sheets.actions.writing import Step, action, one_transaction
from sheets.models import Change, ChangeKind, Member

_AT_ONCE = 500  # phones in one transaction: it is over in milliseconds


def write_down_heard() -> None:
    """Write down when the phones of `sheets.presence` were last heard of.

    Nothing that others look at changes, so no table is locked or raised to a new version. A phone
    whose row is locked is noted again when it next asks for something: nobody waits here, and so
    nobody waits in a circle.
    """
    noted = list(presence.to_write_down().items())
    for first in range(0, len(noted), _AT_ONCE):
        part = dict(noted[first : first + _AT_ONCE])
        with one_transaction():
            phones = list(
                Member.objects.select_for_update(skip_locked=True).filter(pk__in=part).only("pk")
            )
            for phone in phones:
                phone.last_seen = part[phone.pk]
            Member.objects.bulk_update(phones, ("last_seen",))
        presence.written_down(part)


@action
def remove_phone(at: Step, number: int) -> Change | Saved:
    """Take a phone off the table: the join code and the watch link that it knows change with it.

    The phone that started the table is removed by itself or by an organiser.
    """
    member = _phone(at, number)
    if member.removed_at is not None:
        removals = at.table.changes.filter(kind=ChangeKind.PHONE_REMOVED, after__member=member.pk)
        return Saved(removals.latest("version"), repeated=True)
    if member.number == 1 and at.member is not None and member.pk != at.member.pk:
        raise Refusal(Why.STARTED)
    member.removed_at, member.removed_by = timezone.now(), at.member
    member.asks = member.asked_at = None
    member.save(update_fields=("removed_at", "removed_by", "asks", "asked_at"))
    _fresh(at, code=True, watch=True)
    after = _named(member) | {"watch": True}
    return at.record(ChangeKind.PHONE_REMOVED, after=after)


@action
def let_back(at: Step, number: int) -> Change | Saved:
    """Undo a removal within ten minutes; later the phone joins with the code like any other."""
    member = _phone(at, number)
    if member.removed_at is None:
        came = Q(kind=ChangeKind.PHONE_BACK, after__member=member.pk) | Q(
            kind__in=(ChangeKind.JOINED, ChangeKind.TABLE_STARTED), member=member
        )
        return Saved(at.table.changes.filter(came).latest("version"), repeated=True)
    if timezone.now() - member.removed_at > phone_queries.UNDO_REMOVAL_FOR:
        raise Refusal(Why.UNDO_OVER)
    member.removed_at = member.removed_by = None
    member.save(update_fields=("removed_at", "removed_by"))
    return at.record(ChangeKind.PHONE_BACK, after=_named(member))


@action
def change_code(at: Step, *, watch: bool) -> Change:
    """Make a fresh join code, or a fresh watch link: the old one opens nothing from now on."""
    _fresh(at, code=not watch, watch=watch)
    after = {"watch": True} if watch else {"code": True}
    return at.record(ChangeKind.CODE_CHANGED, after=after)


@action
def lock_joining(at: Step, *, locked: bool) -> Change | Saved:
    """Let nobody join by the code, or let them join again; members stay as they are."""
    kind = ChangeKind.JOINING_LOCKED if locked else ChangeKind.JOINING_OPENED
    done = at.table.changes.filter(kind=kind).order_by("-version").first()
    if done is not None and at.table.joining_locked == locked:
        return Saved(done, repeated=True)
    at.table.joining_locked = locked
    at.table.save(update_fields=("joining_locked",))
    return at.record(kind)


def _phone(at: Step, number: int) -> Member:
    member = phone_queries.phone_of(at.table, number)
    if member is None:
        raise Refusal(Why.NOT_THERE)
    return member


def _named(member: Member) -> dict[str, object]:
    """Return what history keeps of the phone something was done to."""
    return {"member": member.pk, "number": member.number, "person": member.person_id}


def _fresh(at: Step, *, code: bool, watch: bool) -> None:
    if code:
        freshen_code(at.table)
    if watch:
        at.table.watch_id = codes.new_public_id()
    at.table.save(update_fields=(*FRESH_CODE, "watch_id"))
