"""Start a table."""

from __future__ import annotations

import dataclasses
import uuid
from typing import Any

from sheets.actions.answers import Answer, Refusal, Saved, Why
from sheets.actions.opening import free_code, opening, start_sheet, stored_rules
from sheets.actions.writing import (
    Step,
    Write,
    add_member,
    fingerprint_of,
    first_answer,
    in_one_transaction,
)
from sheets.models import Change, ChangeKind, Club, Table
from sheets.seen import Seen


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class NewTable:
    """What Start a table asks: names in seat order, seats counted from 0.

    `this_phone` is the seat of whoever holds the phone, None for somebody who only keeps score;
    `off_sheet` that of a fourth player without a column. `club` is the key of the club whose code
    was typed.
    """

    names: tuple[str, ...]
    first_dealer: int
    this_phone: int | None
    game: str
    house: Any  # the game's HouseRules
    time_zone: str
    off_sheet: int | None = None
    club: int | None = None


def start_table(new: NewTable, *, phone: str, key: uuid.UUID) -> Answer:
    """Start a table with its first sheet; this phone becomes its first member.

    No row can be locked yet: the unique key is the lock.
    """
    fingerprint = fingerprint_of("start_table", new)

    def work() -> Saved:
        write = Write(table=0, key=key, seen=Seen(), phone=phone)
        earlier = Change.objects.filter(key=key).select_related("member", "user").first()
        if earlier is not None:
            return first_answer(earlier, write, fingerprint)
        club = Club.objects.get(pk=new.club) if new.club else None
        if club is not None and club.locked:
            raise Refusal(Why.CLUB_LOCKED)
        table = Table.objects.create(code=free_code(), time_zone=new.time_zone, club=club)
        member = add_member(table, phone)
        house = stored_rules(new.game, new.house)
        sheet, players = start_sheet(
            table, member, house, new.names, new.first_dealer, off_sheet=new.off_sheet
        )
        if new.this_phone is not None:
            member.person = players[new.this_phone].person
            member.save(update_fields=("person",))
        step = Step(table, write, fingerprint, member, [])
        after = opening(sheet, players) | {"person": member.person_id}
        if club is not None:
            after |= {"club": club.pk, "name": club.name}
        return Saved(step.record(ChangeKind.TABLE_STARTED, sheet=sheet, after=after))

    return in_one_transaction(work, key=key)
