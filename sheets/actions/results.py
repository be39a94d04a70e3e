"""Results: kept by the transaction that banks a sheet of a club, corrects it or opens it again."""

from __future__ import annotations

from sheets import queries
from sheets.models import Result, Sheet, SheetState
from sheets.results import results


def keep_results(sheet: Sheet) -> None:
    """Make the results of a sheet what its rounds say; only banked sheets of a club have any."""
    sheet.results.all().delete()
    if sheet.club_id is None or sheet.state != SheetState.BANKED:
        return
    fresh, players = queries.again(sheet)
    Result.objects.bulk_create(results(fresh, players))
