"""Beside the sheet: the chart of the running totals, and who owes whom."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from sheets import http, queries
from sheets.access import for_members, private
from sheets.actions import Answer, Write, set_unit_value
from sheets.forms.money import ValueForm
from sheets.http import PlayerRequest
from sheets.models import Member
from sheets.reckoning import lines_of
from sheets.views.figures import chart_context, locale_of, settle_context
from sheets.views.table import base_context


@for_members
@require_safe
def chart(request: PlayerRequest, member: Member, sheet_id: str) -> HttpResponse:
    """The running totals of a sheet as lines, and as a table."""
    found = queries.sheet_of(member.table, sheet_id)
    if found is None:
        return private(request)
    context = base_context(member, *found) | chart_context(found[1], lines_of(*found))
    return http.page(request, "sheets/chart.html", context)


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def settle(request: PlayerRequest, member: Member, sheet_id: str) -> HttpResponse:
    """Who owes whom over a sheet, the fewest payments, and what a unit is worth."""
    found = queries.sheet_of(member.table, sheet_id)
    if found is None:
        return private(request)
    sheet, players = found
    form = ValueForm(
        request.POST or None, seen=member.table.seen, sheet=sheet, locale=locale_of(request)
    )
    context = base_context(member, sheet, players)
    context |= settle_context(request, sheet, players, lines_of(sheet, players), everything=True)

    def act(write: Write) -> Answer:
        value, currency = form.cleaned_data["value"], form.cleaned_data["currency"]
        return set_unit_value(write, sheet.public_id, value, currency)

    to = reverse("sheets:settle", args=[member.table.public_id, sheet.public_id])
    return http.form_page(request, member, "sheets/settle.html", context, form, act, to)
