"""Correct a hand, or add a forgotten one, with a reason that stays on record.

For organisers and staff. A hand is corrected on an open sheet too, and added to a banked one only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _

from sheets import http, queries, rows, seats
from sheets.actions import Answer, Refused, Write, add_hand, correct_hand
from sheets.forms.correction import CorrectionForm, form_to_change
from sheets.forms.hand import HandForm, form_for
from sheets.http import PlayerRequest
from sheets.models import Player, Round, RoundKind, Sheet, User

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
    *,
    as_staff: bool = False,
) -> HttpResponse:
    """Show the form of a hand; once it is posted and right, correct the hand and answer `done`.

    `context` has what is around it: the `title`, and `sheet_url`, the way back.
    """
    form = form_to_change(
        row,
        seats.during(players, row),
        request.POST or None,
        seen=row.sheet.table.seen,
        units=rows.units_of(row, players),
        pot=queries.pot_before(row),
        asks_reason=True,
    )
    context = {**context, "row": row, "line": rows.line_of(row, players)}

    def act(write: Write) -> Answer:
        reason = form.cleaned_data["reason"]
        return correct_hand(write, row.public_id, form.entered, reason=reason)

    return _form_page(request, user, row.sheet, context, form, act, done, as_staff)


def addition(
    request: PlayerRequest,
    user: User,
    sheet: Sheet,
    players: list[Player],
    context: Mapping[str, Any],
    done: Callable[[], HttpResponse],
    *,
    before: Round | None = None,
    as_staff: bool = False,
) -> HttpResponse:
    """Show the form of a forgotten hand, before another or as the last, and add it to the sheet.

    Who dealt it is asked, as nobody can know. The rest as in `page`.
    """
    if before is None:
        where, seated, pot = queries.where_next(sheet, players), seats.now(players), sheet.pot
    else:
        where, seated = queries.where_before(before, players), seats.during(players, before)
        pot = queries.pot_before(before)
    form = form_for(
        sheet,
        seated,
        request.POST or None,
        seen=sheet.table.seen,
        before=before,
        likely=where,
        pot=pot,
        asks_reason=True,
    )
    later = None if before is None else rows.line_of(before, players)
    context = {**context, "number": where.number, "later": later}

    def act(write: Write) -> Answer:
        place = None if before is None else before.public_id
        reason = form.cleaned_data["reason"]
        return add_hand(write, sheet.public_id, form.entered, reason=reason, before=place)

    return _form_page(request, user, sheet, context, form, act, done, as_staff)


def added_correction(
    request: PlayerRequest,
    user: User,
    sheet: Sheet,
    players: list[Player],
    context: Mapping[str, Any],
    done: Callable[[], HttpResponse],
) -> HttpResponse:
    """Show the form of a correction, and add it below the hands; what it is for is the reason."""
    form = CorrectionForm(
        request.POST or None,
        seen=sheet.table.seen,
        players=seats.now(players),
        initial={"sheet": sheet.public_id},
    )
    context = {**context, "number": queries.where_next(sheet, players).number, "correction": True}

    def act(write: Write) -> Answer:
        return add_hand(write, sheet.public_id, form.entered, reason=form.entered.reason)

    return _form_page(request, user, sheet, context, form, act, done)


def _form_page(
    request: PlayerRequest,
    user: User,
    sheet: Sheet,
    context: Mapping[str, Any],
    form: HandForm | CorrectionForm,
    act: Callable[[Write], Answer],
    done: Callable[[], HttpResponse],
    as_staff: bool = False,
) -> HttpResponse:
    context = {**context, "form": form, "sheet": sheet, "action": request.get_full_path()}
    if request.method != "POST":
        return http.page(request, TEMPLATE, context)
    if not form.is_valid():
        return http.invalid(request, TEMPLATE, context)
    posted = form.cleaned_data
    write = Write(
        table=sheet.table_id,
        key=posted["key"],
        seen=posted["seen"],
        agreed=posted["agreed"],
        user=user,
        as_staff=as_staff,
    )
    answer = act(write)
    if isinstance(answer, Refused):
        return http.refused(request, TEMPLATE, context, form, sheet.table, answer)
    return done()
