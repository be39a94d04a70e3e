"""Confirm: somebody in another seat says that a hand is right."""

from __future__ import annotations

import uuid

from sheets import queries, rows, seats, waiting
from sheets.actions.answers import Refusal, Saved, Why
from sheets.actions.hands import open_round
from sheets.actions.keeping import state
from sheets.actions.writing import Step, action
from sheets.models import Change, ChangeKind


@action
def confirm_hand(at: Step, round_id: uuid.UUID) -> Change | Saved:
    """Say that a hand is right, from another seat than the one it was last changed from.

    Refuses when another phone changed the hand since it was read. Nothing of the hand changes: a
    form for it that lies open elsewhere can still be saved. One confirmed already is answered with
    that.
    """
    sheet, players, row = open_round(at, round_id)
    if not at.table.confirms:
        raise Refusal(Why.SWITCHED_OFF, sheet=sheet)
    if row.taken_back:
        raise Refusal(Why.TAKEN_BACK, sheet=sheet)
    if row.half:
        raise Refusal(Why.WAITS, sheet=sheet)
    if row.confirmed_by_id is not None:
        given = row.changes.filter(kind=ChangeKind.HAND_CONFIRMED)
        return Saved(given.latest("version"), repeated=True)
    if seats.of(at.me, players) is None:
        raise Refusal(Why.NO_SEAT, sheet=sheet)
    if waiting.is_same_seat(at.me, waiting.last_change(row)):
        raise Refusal(Why.SAME_SEAT, sheet=sheet)
    row.confirmed_by = at.me
    row.save(update_fields=("confirmed_by",))
    scoring = seats.scoring(seats.during(players, row))
    now = state(row, scoring, rows.units_of(row, players), queries.number_of(row))
    return at.record(ChangeKind.HAND_CONFIRMED, sheet=sheet, round=row, after=now)
