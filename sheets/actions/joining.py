"""Joining: a phone becomes a member, says who it is, and takes a seat or asks for it."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from sheets import names, phone_queries
from sheets.actions.answers import Refusal, Why
from sheets.actions.opening import store_new
from sheets.actions.writing import Step, action, action_for_newcomers, add_member
from sheets.models import Change, ChangeKind, Member, Person


@action_for_newcomers
def join(at: Step, person_id: int | None, *, name: str = "", code: str | None = None) -> Change:
    """Make this phone a member, or let a member say who it is; None: it only keeps score.

    A phone that is not a member needs a code, or the secret of a link, that opens the table now; it
    is asked for under the lock, so that one who was just removed does not slip back in by the old
    one. `code` None is for callers that let the phone in for another reason.
    """
    outside = at.member is None or at.member.removed_at is not None
    if outside and code is not None and phone_queries.table_opened_by(code) != at.table:
        raise Refusal(Why.WRONG_CODE)
    if at.member is not None and not outside:
        return _say_who(at, person_id, name)
    before = {"person": at.member.person_id if at.member else None}
    again = at.member is not None
    member = at.member = at.member or add_member(at.table, at.write.phone)
    member.person = member.removed_at = member.removed_by = None
    after = _sit(at, member, person_id, name)
    return at.record(ChangeKind.JOINED, before=before, after=after | {"again": again})


@action
def say_who(at: Step, person_id: int | None, *, name: str = "") -> Change:
    """Let a member say who it is; None: it only keeps score, under a name if it gives one."""
    return _say_who(at, person_id, name)


def _say_who(at: Step, person_id: int | None, name: str) -> Change:
    before = {"person": at.me.person_id}
    after = _sit(at, at.me, person_id, name)
    kind = ChangeKind.SEAT_ASKED if "asks" in after else ChangeKind.SAID_WHO
    return at.record(kind, before=before, after=after)


def _sit(at: Step, member: Member, person_id: int | None, name: str) -> dict[str, Any]:
    """Give the phone the seat of a person; while another phone uses it, ask for it instead."""
    member.asks = member.asked_at = None
    member.last_seen = timezone.now()
    person = at.table.people.get(pk=person_id) if person_id is not None else None
    asks: dict[str, Any] = {}
    if person and person.pk != member.person_id and _in_use(person, member):
        member.asks, member.asked_at = person, timezone.now()
        at.table.asked_at = member.asked_at
        asks = {"asks": person.pk}
    else:
        member.person = person or (_new_person(at, name) if name else None)
    member.save()
    return {"person": member.person_id} | asks


def _in_use(person: Person, member: Member) -> bool:
    return phone_queries.seat_in_use(person.pk, but_for=member)


def _new_person(at: Step, name: str) -> Person:
    """Store somebody who does not play; the table's people have names that can be told apart."""
    if any(names.key(known.name) == names.key(name) for known in at.table.people.all()):
        raise Refusal(Why.NAME_TAKEN)
    person = Person(table=at.table, name=name)
    store_new(at.table, [person])
    return person


@action
def answer_seat(at: Step, number: int, person_id: int, yes: bool) -> Change:
    """Say for the table whether the phone of this number is this person's.

    One Yes from any other phone gives the seat, a No or two minutes of silence refuse it.
    """
    asker = phone_queries.asker(at.table, number, person_id)
    if asker is None:
        raise Refusal(Why.NOT_ASKED)
    if asker.pk == at.me.pk:
        raise Refusal(Why.NOT_YOURS)
    before = {"person": asker.person_id}
    if yes:
        asker.person = asker.asks
    asker.asks = asker.asked_at = None
    at.table.asked_at = timezone.now()
    asker.save(update_fields=("person", "asks", "asked_at"))
    return at.record(
        ChangeKind.SEAT_GIVEN if yes else ChangeKind.SEAT_REFUSED,
        before=before,
        after={"member": asker.pk, "number": number, "person": person_id},
    )
