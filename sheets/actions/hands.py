"""Hands: enter one, put a forgotten one in its place, change it, take it back, put it back."""

from __future__ import annotations

import dataclasses
import uuid
from collections.abc import Sequence
from typing import Any

from django.db.models import F, Max

from sheets import queries, rows, seats
from sheets.actions.answers import Moved, Refusal, Why
from sheets.actions.keeping import (
    EnteredHand,
    add_to_totals,
    change_entries,
    settle,
    state,
    store_entries,
)
from sheets.actions.likening import likens
from sheets.actions.resettling import follow
from sheets.actions.results import keep_results
from sheets.actions.writing import Step, action
from sheets.models import (
    NEVER_DEALT,
    Change,
    ChangeKind,
    HouseRules,
    Player,
    Round,
    RoundKind,
    Sheet,
    SheetState,
)
from sheets.models.sheet import POSITION_GAP

# What another phone may have done meanwhile that makes a new hand a question.
_ENTER_IS_STALE_AFTER = (
    ChangeKind.HAND_ENTERED,
    ChangeKind.HAND_PUT_BACK,
    ChangeKind.SEATS_CHANGED,
    ChangeKind.SAT_DOWN,
    ChangeKind.POT_SHARED,
    ChangeKind.RULES_CHANGED,
    ChangeKind.RULES_RESTORED,
    ChangeKind.TOTALS_REPLACED,
    ChangeKind.TOTALS_RESTORED,
)
# The same for a hand that organisers add after the end: it is another sheet than they looked at.
_ADD_IS_STALE_AFTER = (
    *_ENTER_IS_STALE_AFTER,
    ChangeKind.SHEET_REOPENED,
    ChangeKind.SHEET_BANKED,
    ChangeKind.REVIEWED,
)
# What changes hands without naming them one by one.
_REACHES_EVERY_HAND = (
    ChangeKind.SEATS_CHANGED,
    ChangeKind.RULES_CHANGED,
    ChangeKind.RULES_RESTORED,
    ChangeKind.TOTALS_REPLACED,
    ChangeKind.TOTALS_RESTORED,
)
# What makes a change of the same hand one; confirming it changes nothing of it.
ANY_CHANGE_OF_A_HAND = (
    ChangeKind.HAND_EDITED,
    ChangeKind.HAND_TAKEN_BACK,
    ChangeKind.HAND_PUT_BACK,
    ChangeKind.HAND_CORRECTED,
    ChangeKind.NUMBER_ENTERED,
)


@action
def enter_hand(
    at: Step, sheet_id: str, entered: EnteredHand, *, before: uuid.UUID | None = None
) -> Change:
    """Put a hand at the end of the open sheet, or a forgotten one in its place before another.

    The hand's public id is the key it was sent with. A forgotten hand stands under the rules of the
    one it goes before. Refuses when another phone has entered or put back a hand, or changed the
    seats or the rules, since the form was opened; and while a hand waits for numbers, unless the
    new one is a forgotten hand.
    """
    sheet, players = at.open_sheet(sheet_id)
    at.refuse_if_others(_ENTER_IS_STALE_AFTER, sheet=sheet)
    place = _place(sheet, players, before)
    for change in at.begun_by_others(sheet):
        if change.round is not None and change.round.public_id != place.half:
            raise Refusal(Why.STALE, change=change, sheet=sheet)
    if place.half is not None:
        raise Refusal(Why.HALF, sheet=sheet)
    return _put_in(at, sheet, players, place, entered)


@likens
@action
def add_hand(
    at: Step,
    sheet_id: str,
    entered: EnteredHand,
    *,
    reason: str,
    before: uuid.UUID | None = None,
) -> Change:
    """Add a forgotten hand to a banked sheet as organiser or staff, with a reason that stays on
    record: before another, or as the last. A correction is added the same way.

    Refuses when somebody else entered or reviewed something, or opened the sheet again, since the
    form was opened.
    """
    sheet, players = at.sheet(sheet_id)
    at.refuse_if_others(_ADD_IS_STALE_AFTER, sheet=sheet)
    if sheet.is_open:
        raise Refusal(Why.PLAYERS_ENTER, sheet=sheet)
    if sheet.state != SheetState.BANKED:
        raise Refusal(Why.NOT_BANKED, sheet=sheet)
    place = _place(sheet, players, before)
    done = _put_in(at, sheet, players, place, entered, reason=reason)
    keep_results(sheet)
    return done


@dataclasses.dataclass(frozen=True, slots=True)
class _Place:
    """Where a new hand goes: under which rules, who sits there, `before` which hand if any.

    `half`: the hand that waits for numbers, which nothing goes behind.
    """

    where: queries.Next
    house: HouseRules
    seated: Sequence[Player]
    before: Round | None = None

    @property
    def half(self) -> uuid.UUID | None:
        return self.where.half if self.before is None else None


def _place(sheet: Sheet, players: list[Player], before: uuid.UUID | None) -> _Place:
    """Return the place at the end of the sheet, or that of a forgotten hand before another."""
    if before is None:
        where = queries.where_next(sheet, players)
        return _Place(where, sheet.house_rules, seats.now(players))
    later = _round(sheet, before)
    where = _before(later, players)
    return _Place(where, later.house_rules, seats.during(players, later), later)


def _put_in(
    at: Step,
    sheet: Sheet,
    players: list[Player],
    place: _Place,
    entered: EnteredHand,
    reason: str = "",
) -> Change:
    """Store a hand where it goes, and settle again what comes after it."""
    where, house, seated = place.where, place.house, place.seated
    dealer = _one_of(seated, entered.dealer) or where.dealer
    sitter = _one_of(seated, entered.sitter) or queries.sitter_of(house, seated, dealer)
    settled = settle(house, seated, entered, dealer=dealer, sitter=sitter, pot=sheet.pot)
    new = Round.objects.create(
        public_id=at.write.key,
        sheet=sheet,
        position=where.position,
        house_rules=house,
        changed=at.version,
        entered_by=at.member,
        **settled.fields,
    )
    scoring, units = seats.scoring(seated), settled.units
    store_entries(new, zip(scoring, units, strict=True))
    add_to_totals(scoring, units)
    moves: list[Moved] = []
    if place.before is None:
        _add_to_pot(sheet, settled.into_pot)
    elif sheet.pot is not None:
        moves = follow(at, sheet, players, new)
        units = tuple(rows.entries_of(new)[one.pk] for one in scoring)
    after = state(new, scoring, units, where.number) | _history_of(moves)
    if place.before is not None:
        after["before"] = str(place.before.public_id)
    return at.record(ChangeKind.HAND_ENTERED, sheet=sheet, round=new, after=after, reason=reason)


@action
def edit_hand(at: Step, round_id: uuid.UUID, entered: EnteredHand) -> Change:
    """Change a hand that stands, under the rules it was settled under.

    Refuses when another phone changed the same hand, or the seats, since the form was opened.
    """
    sheet, players, old = open_round(at, round_id)
    # The form holds the dealer and the row; these have given the hand another one.
    at.refuse_if_others(_REACHES_EVERY_HAND, sheet=sheet)
    if old.taken_back:
        raise Refusal(Why.TAKEN_BACK, sheet=sheet)
    return _rewrite(at, ChangeKind.HAND_EDITED, sheet, players, old, entered)


@likens
@action
def correct_hand(at: Step, round_id: uuid.UUID, entered: EnteredHand, *, reason: str) -> Change:
    """Correct a hand as organiser or staff, open or banked, with a reason that stays on record."""
    sheet, players, old = _any_round(at, round_id)
    at.refuse_if_others(ANY_CHANGE_OF_A_HAND, sheet=sheet, round=old)
    at.refuse_if_others(_REACHES_EVERY_HAND, sheet=sheet)
    if old.taken_back:
        raise Refusal(Why.TAKEN_BACK, sheet=sheet)
    done = _rewrite(at, ChangeKind.HAND_CORRECTED, sheet, players, old, entered, reason=reason)
    keep_results(sheet)
    return done


@action
def take_back(at: Step, round_id: uuid.UUID) -> Change:
    """Take a hand off the sheet. It stays in history and can be put back."""
    return _stand(at, round_id, taken_back=True)


@action
def put_back(at: Step, round_id: uuid.UUID) -> Change:
    """Put a hand that was taken back where it stood."""
    return _stand(at, round_id, taken_back=False)


def _stand(at: Step, round_id: uuid.UUID, *, taken_back: bool) -> Change:
    sheet, players, row = open_round(at, round_id)
    if row.taken_back == taken_back:
        raise Refusal(Why.TAKEN_BACK if taken_back else Why.STANDS, sheet=sheet)
    if row.half and not taken_back and queries.where_next(sheet, players).half is not None:
        raise Refusal(Why.HALF, sheet=sheet)
    scoring = seats.scoring(seats.during(players, row))
    units = rows.units_of(row, players)
    number = queries.number_of(row)
    row.taken_back, row.changed, row.confirmed_by = taken_back, at.version, None
    row.save(update_fields=("taken_back", "changed", "confirmed_by"))
    add_to_totals(scoring, [-(n or 0) if taken_back else n or 0 for n in units])
    moves = follow(at, sheet, players, row)
    units = rows.units_of(row, players)  # a hand that is put back may take another pot than before
    kind = ChangeKind.HAND_TAKEN_BACK if taken_back else ChangeKind.HAND_PUT_BACK
    after = state(row, scoring, units, number) | _history_of(moves)
    return at.record(kind, sheet=sheet, round=row, after=after)


def _rewrite(
    at: Step,
    kind: ChangeKind,
    sheet: Sheet,
    players: list[Player],
    row: Round,
    entered: EnteredHand,
    reason: str = "",
) -> Change:
    """Replace what a round says, all its numbers too, and move the totals by the difference.

    A correction stays one, and the pot that was shared has nothing to replace.
    """
    never_dealt = row.kind in NEVER_DEALT or entered.kind in NEVER_DEALT
    if never_dealt and not row.kind == entered.kind == RoundKind.CORRECTION:
        raise Refusal(Why.OTHER_ROW, sheet=sheet)
    number = queries.number_of(row)
    seated = seats.during(players, row)
    scoring = seats.scoring(seated)
    old_units = rows.units_of(row, players)
    before = state(row, scoring, old_units, number)
    dealer = _one_of(seated, entered.dealer or row.dealer_id)
    sitter = _one_of(seated, entered.sitter or row.sitter_id)
    if dealer is not None and dealer.pk != row.dealer_id and entered.sitter is None:
        sitter = queries.sitter_of(row.house_rules, seated, dealer)
    settled = settle(
        row.house_rules,
        seated,
        entered,
        dealer=dealer or seated[0],
        sitter=sitter,
        pot=row.pot,
    )
    row.changed, row.half, row.confirmed_by = at.version, False, None
    for name, value in settled.fields.items():
        setattr(row, name, value)
    row.save(update_fields=("changed", "half", "confirmed_by", *settled.fields))
    change_entries(row, scoring, old_units, settled.units)
    moves = follow(at, sheet, players, row)
    after = state(row, scoring, rows.units_of(row, players), number) | _history_of(moves)
    return at.record(kind, sheet=sheet, round=row, before=before, after=after, reason=reason)


def _add_to_pot(sheet: Sheet, units: int) -> None:
    if units:
        assert sheet.pot is not None
        sheet.pot += units
        sheet.save(update_fields=("pot",))


def _history_of(moves: Sequence[Moved]) -> dict[str, Any]:
    """Return what history keeps of the other hands that moved along; mostly nothing."""
    return {"moved": [one.as_history() for one in moves]} if moves else {}


def _any_round(at: Step, round_id: uuid.UUID) -> tuple[Sheet, list[Player], Round]:
    row = (
        Round.objects.filter(public_id=round_id, sheet__table=at.table)
        .select_related("sheet", "house_rules")
        .first()
    )
    if row is None:
        raise Refusal(Why.NOT_THERE)
    sheet, players = at.sheet(row.sheet.public_id)
    row.sheet = sheet
    return sheet, players, row


def open_round(at: Step, round_id: uuid.UUID) -> tuple[Sheet, list[Player], Round]:
    """Return a round of the open sheet that no other phone has changed meanwhile, or refuse."""
    sheet, players, row = _any_round(at, round_id)
    if not sheet.is_open:
        raise Refusal(Why.ENDED, sheet=sheet)
    at.refuse_if_others(ANY_CHANGE_OF_A_HAND, sheet=sheet, round=row)
    return sheet, players, row


def _round(sheet: Sheet, round_id: uuid.UUID) -> Round:
    found = sheet.rounds.filter(public_id=round_id).select_related("house_rules").first()
    if found is None:
        raise Refusal(Why.NOT_THERE)
    return found


def _one_of(seated: Sequence[Player], pk: int | None) -> Player | None:
    return None if pk is None else seats.player(seated, pk)


def _before(later: Round, players: list[Player]) -> queries.Next:
    """Return where a forgotten hand goes, with room made for it where there is none left."""
    where = queries.where_before(later, players)
    if where.position and not later.sheet.rounds.filter(position=where.position).exists():
        return where
    _space_out(later.sheet)
    moved = [later, *(mark for one in players for mark in (one.since, one.until) if mark)]
    for row in moved:
        row.refresh_from_db(fields=("position",))
    return queries.where_before(later, players)


def _space_out(sheet: Sheet) -> None:
    """Move all positions apart again; two steps, because no two may meet on the way."""
    rounds = list(sheet.rounds.order_by("position"))
    far = (sheet.rounds.aggregate(last=Max("position"))["last"] or 0) + POSITION_GAP
    sheet.rounds.update(position=F("position") + far + POSITION_GAP * len(rounds))
    for place, row in enumerate(rounds, start=1):
        row.position = place * POSITION_GAP
    Round.objects.bulk_update(rounds, ["position"])
