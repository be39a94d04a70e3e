"""Settings: how a table wants to keep its sheets."""

from __future__ import annotations

from sheets.actions.answers import Refusal, Why
from sheets.actions.writing import Step, action
from sheets.models import Change, ChangeKind


@action
def change_settings(at: Step, own_columns: bool, confirm: bool) -> Change:
    """Switch own columns and confirming on or off.

    Refuses when another phone changed the settings since the form was opened, and to switch
    confirming on at a table with one phone: there is no second one to confirm.
    """
    table = at.table
    at.refuse_if_others([ChangeKind.SETTINGS_CHANGED])
    if confirm and not table.confirm and table.members.filter(removed_at=None).count() < 2:
        raise Refusal(Why.ONE_PHONE)
    before = {"own_columns": table.own_columns, "confirm": table.confirm}
    table.own_columns, table.confirm = own_columns, confirm
    table.save(update_fields=("own_columns", "confirm"))
    after = {"own_columns": own_columns, "confirm": confirm}
    return at.record(ChangeKind.SETTINGS_CHANGED, before=before, after=after)
