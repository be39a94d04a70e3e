"""Own columns: a hand that comes together number by number, each from another phone."""

from __future__ import annotations

import uuid
from typing import Any

from sheets import queries, rows, seats, waiting
from sheets.actions.answers import Refusal, Why
from sheets.actions.hands import ANY_CHANGE_OF_A_HAND, open_round
from sheets.actions.keeping import add_to_totals, state, store_entries
from sheets.actions.writing import Step, action
from sheets.models import Change, ChangeKind, Player, Round, RoundKind, Sheet

# What puts a hand on the sheet, takes it off or rewrites it.
_WHAT_HANDS_DO = (ChangeKind.HAND_ENTERED, ChangeKind.POT_SHARED, *ANY_CHANGE_OF_A_HAND)


@action
def enter_number(
    at: Step,
    sheet_id: str,
    player: int,
    units: int,
    *,
    hand: uuid.UUID | None = None,
    after: uuid.UUID | None = None,
) -> Change:
    """Enter one player's number of a hand; with the last one missing the hand is whole.

    `hand` names it. Without, it is the hand next after `after` (None: the first of the sheet),
    whether somebody has begun that one meanwhile or not: so the first numbers from several phones
    at once make one hand, with the key of the first as its public id. Refuses when the next hand
    is another one by now, or when another phone has filled the same column since.
    """
    sheet, players = at.open_sheet(sheet_id)
    if not at.table.own_columns:
        raise Refusal(Why.SWITCHED_OFF, sheet=sheet)
    at.refuse_if_others([ChangeKind.SAT_DOWN], sheet=sheet)
    whose = seats.player(seats.scoring(seats.now(players)), player)
    row = _named(at, sheet, hand) if hand else _next_after(at, sheet, players, after)
    if row is None:
        return _begin(at, sheet, players, whose, units)
    _refuse_if_filled(at, sheet, row, whose)
    return _fill(at, sheet, players, row, {whose.pk: units})


@action
def fill_with_zeros(at: Step, round_id: uuid.UUID) -> Change:
    """Put 0 for every number a hand waits for.

    Refuses when another phone changed that hand since the question was asked.
    """
    sheet, players, row = open_round(at, round_id)
    if row.taken_back:
        raise Refusal(Why.TAKEN_BACK, sheet=sheet)
    if not row.half:
        raise Refusal(Why.WHOLE, sheet=sheet)
    scoring = seats.scoring(seats.during(players, row))
    units = zip(scoring, rows.units_of(row, players), strict=True)
    missing = {player.pk: 0 for player, n in units if n is None}
    return _fill(at, sheet, players, row, missing, zeros=True)


def _named(at: Step, sheet: Sheet, hand: uuid.UUID) -> Round:
    row = sheet.rounds.filter(public_id=hand).first()
    if row is None:
        raise Refusal(Why.NOT_THERE)
    rewritten = (ChangeKind.HAND_EDITED, ChangeKind.HAND_CORRECTED)
    at.refuse_if_others(rewritten, sheet=sheet, round=row)
    if row.taken_back:
        raise Refusal(Why.TAKEN_BACK, sheet=sheet)
    if row.kind != RoundKind.TYPED:
        raise Refusal(Why.WHOLE, sheet=sheet)
    return row


def _next_after(
    at: Step, sheet: Sheet, players: list[Player], after: uuid.UUID | None
) -> Round | None:
    """Return the half hand that follows `after`; None where it is still to be begun."""
    where = queries.where_next(sheet, players)
    if where.half is None:
        if where.last == after:
            return None
    else:
        half = sheet.rounds.get(public_id=where.half)
        earlier = sheet.rounds.filter(taken_back=False, position__lt=half.position)
        before = earlier.order_by("position").last()
        if (before.public_id if before else None) == after:
            return half
    # Another hand is next by now; whoever changed that says which.
    changed = sheet.changes.filter(kind__in=_WHAT_HANDS_DO)
    last = changed.select_related("member__person", "user", "round").order_by("version").last()
    raise Refusal(Why.STALE, change=last, sheet=sheet)


def _refuse_if_filled(at: Step, sheet: Sheet, row: Round, whose: Player) -> None:
    """Refuse when another phone has filled this column since the form was opened."""
    for change in reversed(at.since):
        if change.round_id == row.pk and whose.pk in waiting.columns_filled(change):
            raise Refusal(Why.STALE, change=change, sheet=sheet)


def _begin(at: Step, sheet: Sheet, players: list[Player], whose: Player, units: int) -> Change:
    """Put a hand on the sheet that has one number so far."""
    where = queries.where_next(sheet, players)
    row = Round.objects.create(
        public_id=at.write.key,
        sheet=sheet,
        position=where.position,
        kind=RoundKind.TYPED,
        house_rules=sheet.house_rules,
        dealer=where.dealer,
        sitter=where.sitter,
        half=True,
        changed=at.version,
        entered_by=at.me,
    )
    store_entries(row, [(whose, units)])
    scoring = seats.scoring(seats.now(players))
    now = [units if player == whose else None for player in scoring]
    add_to_totals(scoring, [n or 0 for n in now])
    after = state(row, scoring, now, where.number) | _who_did(at, players, [whose.pk])
    return at.record(ChangeKind.NUMBER_ENTERED, sheet=sheet, round=row, after=after)


def _fill(
    at: Step,
    sheet: Sheet,
    players: list[Player],
    row: Round,
    numbers: dict[int, int],
    *,
    zeros: bool = False,
) -> Change:
    """Put numbers into the columns of a hand; they count at once."""
    row.sheet = sheet
    number = queries.number_of(row)
    scoring = seats.scoring(seats.during(players, row))
    old = rows.units_of(row, players)
    new = [numbers.get(player.pk, n) for player, n in zip(scoring, old, strict=True)]
    row.half, row.changed, row.confirmed_by = None in new, at.version, None
    row.save(update_fields=("half", "changed", "confirmed_by"))
    for player, before, n in zip(scoring, old, new, strict=True):
        if before is not None and n != before:
            row.entries.filter(player=player).update(units=n)
    pairs = list(zip(scoring, old, new, strict=True))
    store_entries(row, [(p, n) for p, before, n in pairs if before is None and n is not None])
    add_to_totals(scoring, [(n or 0) - (before or 0) for _player, before, n in pairs])
    after = state(row, scoring, new, number) | _who_did(at, players, list(numbers), zeros=zeros)
    return at.record(
        ChangeKind.NUMBER_ENTERED,
        sheet=sheet,
        round=row,
        before=state(row, scoring, old, number),
        after=after,
    )


def _who_did(
    at: Step, players: list[Player], filled: list[int], *, zeros: bool = False
) -> dict[str, Any]:
    """Return what history adds about numbers: whose they are, and whether it was their own phone.

    The phone may be somebody else's later.
    """
    mine = seats.of(at.me, players)
    own = not zeros and mine is not None and filled == [mine.pk]
    return {"numbers": filled, "own": own, "zeros": zeros}
