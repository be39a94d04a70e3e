"""Own columns: enter one number of a hand, or 0 for all that are missing."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods

from sheets import http, queries, rows, waiting
from sheets.access import for_members
from sheets.actions import Refused, Saved, enter_number, fill_with_zeros
from sheets.forms.columns import NumberForm
from sheets.http import PlayerRequest
from sheets.models import Member, Player, Sheet
from sheets.views.hands import act_on_hand, sheet_with
from sheets.views.table import base_context, number_form


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def number(request: PlayerRequest, member: Member) -> HttpResponse:
    """Enter one player's number; refused, it is shown beside what is there now."""
    table = member.table
    posted = request.POST.get("sheet", "")
    sheet, players = (posted and queries.sheet_of(table, posted)) or queries.latest_sheet(table)
    if request.method != "POST" and not (table.own_columns and sheet.is_open):
        return http.see(table.get_absolute_url())
    form = NumberForm(request.POST, players=players)
    if request.method != "POST" or not form.is_valid():
        show = http.invalid if request.method == "POST" else http.page
        return show(request, "sheets/number.html", _context(request, member, sheet, players))
    chosen = form.cleaned_data
    answer = enter_number(
        http.write(member, form),
        sheet.public_id,
        chosen["player"],
        chosen["units"],
        hand=chosen["hand"],
        after=chosen["after"],
    )
    if isinstance(answer, Saved):
        return http.saved(request, form, sheet_with(member, answer))
    context = _context(request, member, *queries.again(sheet), answer)
    form = context["form"]
    return http.refused(request, "sheets/number.html", context, form, table, answer)


def _context(
    request: PlayerRequest,
    member: Member,
    sheet: Sheet,
    players: list[Player],
    refused: Refused | None = None,
) -> dict[str, Any]:
    """Return what the page of a number needs: the form, and the hand it names as it is now."""
    where, half = queries.where_next(sheet, players), waiting.half_hand(sheet, players)
    form = number_form(member, players, where, half, request.POST or None)
    same_column = False
    if form.is_valid() and refused:
        form.name_hand(where, refused)
        same_column = form.fills_the_same_column(refused.change)
    line = None
    if form.hand_named is not None and (found := queries.hand_of(member.table, form.hand_named)):
        line = rows.line_of(*found)
    return base_context(member, sheet, players) | {
        "form": form,
        "same_column": same_column,
        "line": line,
        "taken_in": line.taken_in() if line else [],
        "number": line.number if line else where.number,
    }


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def hand_zeros(request: PlayerRequest, member: Member, round_id: uuid.UUID) -> HttpResponse:
    """Put 0 for every number a hand waits for."""
    return act_on_hand(request, member, round_id, fill_with_zeros)
