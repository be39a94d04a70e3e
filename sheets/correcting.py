"""Correct a hand, open or banked, with a reason that stays on record: for organisers and staff."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _

from sheets import http, queries, rows, seats
from sheets.actions import Refused, Write, correct_hand
from sheets.forms.correction import form_to_change
from sheets.http import PlayerRequest
from sheets.models import Player, Round, RoundKind, User

TEMPLATE = "sheets/correct.html"


def why_not(row: Round) -> str:
    """Return why a row can't be corrected; mostly it can."""
    if row.kind == RoundKind.POT_SHARED:
        return _("The pot that was shared can't be corrected, only taken back by players.")
    return ""


def page(
    request: PlayerRequest,
    user: User,
    row: Round,
    players: list[Player],
    context: Mapping[str, Any],
    done: Callable[[], HttpResponse],
) -> HttpResponse:
    """Show the form of a hand; once it is posted and right, correct the hand and answer `done`.

    `context` has what is around it: the `title`, and `sheet_url`, the way back.
    """
    table = row.sheet.table
    form = form_to_change(
        row,
        seats.during(players, row),
        request.POST or None,
        seen=table.version,
        units=rows.units_of(row, players),
        pot=queries.pot_before(row),
        asks_reason=True,
    )
    context = {
        **context,
        "form": form,
        "row": row,
        "line": rows.line_of(row, players),
        "sheet": row.sheet,
        "action": request.get_full_path(),
    }
    if request.method != "POST":
        return http.page(request, TEMPLATE, context)
    if not form.is_valid():
        return http.invalid(request, TEMPLATE, context)
    posted = form.cleaned_data
    write = Write(
        table=table.pk,
        key=posted["key"],
        seen=posted["seen"],
        agreed=posted["agreed"],
        user=user,
    )
    answer = correct_hand(write, row.public_id, form.entered, reason=posted["reason"])
    if isinstance(answer, Refused):
        return http.refused(request, TEMPLATE, context, form, table, answer)
    return done()
