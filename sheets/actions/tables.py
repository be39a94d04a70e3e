"""Start a table."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import uuid
from typing import Any

from rules import games
from sheets.actions.opening import free_code, opening, start_sheet
from sheets.actions.writing import (
    Answer,
    Saved,
    Step,
    Write,
    add_member,
    fingerprint_of,
    first_answer,
    in_one_transaction,
)
from sheets.models import Change, ChangeKind, HouseRules, Table


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class NewTable:
    """What Start a table asks: names in seat order, seats counted from 0.

    `this_phone` is the seat of whoever holds the phone, None for somebody who only keeps score.
    """

    names: tuple[str, ...]
    first_dealer: int
    this_phone: int | None
    game: str
    house: Any  # the game's HouseRules
    time_zone: str


def start_table(new: NewTable, *, phone: str, key: uuid.UUID) -> Answer:
    """Start a table with its first sheet; this phone becomes its first member.

    No row can be locked yet: the unique key is the lock.
    """
    fingerprint = fingerprint_of("start_table", new)

    def work() -> Saved:
        write = Write(table=0, key=key, seen=0, phone=phone)
        earlier = Change.objects.filter(key=key).select_related("member", "user").first()
        if earlier is not None:
            return first_answer(earlier, write, fingerprint)
        table = Table.objects.create(code=free_code(), time_zone=new.time_zone)
        member = add_member(table, phone)
        house = _stored(new.game, new.house)
        sheet, players = start_sheet(table, member, house, new.names, new.first_dealer)
        if new.this_phone is not None:
            member.person = players[new.this_phone].person
            member.save(update_fields=("person",))
        step = Step(table, write, fingerprint, member, [])
        after = opening(sheet, players) | {"person": member.person_id}
        return Saved(step.record(ChangeKind.TABLE_STARTED, sheet=sheet, after=after))

    return in_one_transaction(work)


def _stored(game: str, house: Any) -> HouseRules:
    """Return the row of these rules, one for all tables that play by them."""
    assert game in games.GAMES
    plain = house.to_dict()
    canonical = json.dumps(plain, sort_keys=True, separators=(",", ":"))
    row, _created = HouseRules.objects.get_or_create(
        game=game,
        digest=hashlib.sha256(canonical.encode()).hexdigest(),
        defaults={"format": plain["format"], "canonical": canonical},
    )
    return row
