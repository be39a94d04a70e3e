"""What an organiser says of a banked sheet: right, to be looked into, not to be counted."""

from __future__ import annotations

from sheets.actions.answers import Refusal, Saved, Why
from sheets.actions.hands import ANY_CHANGE_OF_A_HAND
from sheets.actions.likening import likens
from sheets.actions.writing import Step, action
from sheets.models import Change, ChangeKind, Review, SheetState

# What makes another sheet of it than the one that was before the organiser's eyes.
_CHANGES_WHAT_WAS_SEEN = (
    *ANY_CHANGE_OF_A_HAND,
    ChangeKind.REVIEWED,
    ChangeKind.HAND_ENTERED,
    ChangeKind.POT_SHARED,
    ChangeKind.TOTALS_REPLACED,
    ChangeKind.TOTALS_RESTORED,
    ChangeKind.RULES_CHANGED,
    ChangeKind.RULES_RESTORED,
    ChangeKind.SEATS_CHANGED,
    ChangeKind.SAT_DOWN,
    ChangeKind.SHEET_REOPENED,
    ChangeKind.SHEET_BANKED,
)


@likens
@action
def review(at: Step, sheet_id: str, state: Review, note: str = "") -> Change | Saved:
    """Approve a banked sheet of the club, flag it, set it aside, or take that back.

    `note` is the reason, without which nothing is flagged or set aside. What is so already is
    answered as done. Refuses when somebody else reviewed, corrected or reopened the sheet since
    it was looked at.
    """
    assert note or state not in (Review.FLAGGED, Review.SET_ASIDE)
    sheet, _players = at.sheet(sheet_id)
    if sheet.club_id is None or sheet.club_id != at.table.club_id:
        raise Refusal(Why.NOT_THERE)
    if sheet.state == SheetState.BANKED and (sheet.review, sheet.review_note) == (state, note):
        reviewed = sheet.changes.filter(kind=ChangeKind.REVIEWED).order_by("version").last()
        return Saved(reviewed or sheet.changes.latest("version"), repeated=True)
    at.refuse_if_others(_CHANGES_WHAT_WAS_SEEN, sheet=sheet)
    if sheet.is_open:
        raise Refusal(Why.STILL_OPEN, sheet=sheet)
    if sheet.state != SheetState.BANKED:
        raise Refusal(Why.NOT_BANKED, sheet=sheet)
    before = {"review": sheet.review}
    sheet.review, sheet.review_note = state, note
    sheet.save(update_fields=("review", "review_note"))
    after = {"review": sheet.review}
    return at.record(ChangeKind.REVIEWED, sheet=sheet, before=before, after=after, reason=note)
