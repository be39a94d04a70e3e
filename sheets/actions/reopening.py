"""Taking back the end of a match."""

from __future__ import annotations

from django.utils import timezone

from sheets import lifetimes
from sheets.actions.answers import Refusal, Saved, Why
from sheets.actions.likening import likens
from sheets.actions.results import keep_results
from sheets.actions.writing import Step, action
from sheets.models import Change, ChangeKind, Review, Sheet, SheetState

_ENDED = (ChangeKind.SHEET_BANKED, ChangeKind.SHEET_DISCARDED)
_OPENED = (ChangeKind.TABLE_STARTED, ChangeKind.SHEET_STARTED, ChangeKind.SHEET_REOPENED)


@likens
@action
def reopen(at: Step, sheet_id: str, reason: str = "") -> Change | Saved:
    """Open a banked sheet again: any member within ten minutes, later organisers with a reason.

    They also take up again what one of them discarded with hands. An open sheet on which no hand
    stands makes room, in the same step. Somebody else who was quicker is no refusal; an end that
    was made since the question was asked is one.
    """
    sheet, _players = at.sheet(sheet_id)
    if sheet.is_open:
        return Saved(sheet.changes.filter(kind__in=_OPENED).latest("version"), repeated=True)
    taken_up = at.write.user is not None and lifetimes.discarded_by_organiser(sheet)
    why = None if taken_up else why_not_reopened(sheet)
    # Organisers may do it later, and after a newer match has ended.
    if why is not None and (at.write.user is None or why == Why.NOT_BANKED):
        raise Refusal(why, sheet=sheet)
    # An organiser who opens it again takes back a review too: not one they have not seen.
    reviews = [ChangeKind.REVIEWED] if at.write.user is not None else []
    at.refuse_if_others([*_ENDED, *reviews], sheet=sheet)
    discarded = _make_room(at)
    before = {"ended_by": sheet.ended_by_id, "taken_up": taken_up}
    sheet.state, sheet.ended_at, sheet.ended_by = SheetState.OPEN, None, None
    sheet.review, sheet.review_note = Review.TO_REVIEW, ""
    sheet.save(update_fields=("state", "ended_at", "ended_by", "review", "review_note"))
    done = at.record(
        ChangeKind.SHEET_REOPENED,
        sheet=sheet,
        before=before,
        after={"discarded": discarded.pk if discarded else None},
        reason=reason,
    )
    keep_results(sheet)
    return done


def why_not_reopened(sheet: Sheet) -> Why | None:
    """Return why a member may not take back the end of a sheet; None: they may."""
    if sheet.state != SheetState.BANKED:
        return Why.NOT_BANKED
    if sheet.review == Review.APPROVED:
        return Why.APPROVED
    if lifetimes.newer_hand_stands(sheet):
        return Why.NEWER
    return None if lifetimes.reopens_until(sheet) else Why.TOO_LATE


def _make_room(at: Step) -> Sheet | None:
    """Discard the sheet that is open now; one that holds hands stays, and is in the way."""
    other = at.table.sheets.filter(state=SheetState.OPEN).first()
    if other is None:
        return None
    if lifetimes.a_hand_stands(other):
        raise Refusal(Why.BUSY, sheet=other)
    other.state, other.ended_at, other.ended_by = SheetState.DISCARDED, timezone.now(), at.member
    other.save(update_fields=("state", "ended_at", "ended_by"))
    return other
