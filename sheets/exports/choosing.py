"""Which banked sheets of a club go into a file."""

from __future__ import annotations

import datetime

from django.db.models import QuerySet

from sheets.models import Club, Sheet, SheetState


def banked(
    club: Club,
    starts: datetime.date | None = None,
    ends: datetime.date | None = None,
    *,
    sheet: str = "",
) -> QuerySet[Sheet]:
    """Return the banked sheets of these evenings, the oldest first; `sheet` asks for one alone."""
    found = club.sheets.filter(state=SheetState.BANKED)
    if sheet:
        found = found.filter(public_id=sheet)
    if starts is not None:
        found = found.filter(played_at__gte=club.evening_begins(starts))
    if ends is not None:
        after = ends + datetime.timedelta(days=1)
        found = found.filter(played_at__lt=club.evening_begins(after))
    with_names = found.select_related("table", "started_by", "ended_by")
    return with_names.order_by("played_at", "pk")


def any_sheet(club: Club, sheet: str) -> Sheet | None:
    """Return one sheet of a club, whatever its state."""
    found = club.sheets.filter(public_id=sheet)
    return found.select_related("table", "started_by", "ended_by").first()
