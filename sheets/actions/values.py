"""What a unit of a sheet is worth in money."""

from __future__ import annotations

from sheets.actions.writing import Step, action
from sheets.models import Change, ChangeKind


@action
def set_unit_value(at: Step, sheet_id: str, unit_cents: int | None, currency: str) -> Change:
    """Say what a unit of a sheet is worth, banked or not; None: it is not counted in money.

    It changes no number of the sheet. Refuses when another phone set it since the form was opened.
    """
    sheet, _players = at.sheet(sheet_id)
    at.refuse_if_others([ChangeKind.VALUE_SET], sheet=sheet)
    if unit_cents is None:
        currency = ""
    before = {"unit_cents": sheet.unit_cents, "currency": sheet.currency}
    sheet.unit_cents, sheet.currency = unit_cents, currency
    sheet.save(update_fields=("unit_cents", "currency"))
    after = {"unit_cents": unit_cents, "currency": currency}
    return at.record(ChangeKind.VALUE_SET, sheet=sheet, before=before, after=after)
