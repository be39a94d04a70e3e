"""Who comes and who leaves while a match goes on."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods

from sheets import http, lifetimes, queries, roster, seats
from sheets.access import for_members
from sheets.actions import Answer, Write, leave, sit_down
from sheets.forms.sitting import FourthForm, LeaveForm
from sheets.http import PlayerRequest
from sheets.models import Member, Player, Sheet
from sheets.views.match import sheet_of_form
from sheets.views.table import base_context


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def fourth_sits_down(request: PlayerRequest, member: Member) -> HttpResponse:
    """A fourth sits down from the next hand on."""
    sheet, players = sheet_of_form(request, member)
    if request.method != "POST" and not sheet.is_open:
        return http.see(member.table.get_absolute_url())
    form = FourthForm(
        request.POST or None,
        seen=member.table.seen,
        sheet=sheet,
    )

    def act(write: Write) -> Answer:
        chosen = form.cleaned_data
        return sit_down(write, sheet.public_id, chosen["name"], chosen["fourth"], chosen["sitter"])

    context, to = _context(member, sheet, players), member.table.get_absolute_url()
    return http.form_page(request, member, "sheets/fourth.html", context, form, act, to)


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def somebody_leaves(request: PlayerRequest, member: Member) -> HttpResponse:
    """Somebody leaves after the last hand; somebody else sits down there, or three play on."""
    sheet, players = sheet_of_form(request, member)
    if request.method != "POST" and not sheet.is_open:
        return http.see(member.table.get_absolute_url())
    form = LeaveForm(
        request.POST or None,
        seen=member.table.seen,
        sheet=sheet,
        players=players,
    )

    def act(write: Write) -> Answer:
        chosen = form.cleaned_data
        return leave(write, sheet.public_id, chosen["player"], name=chosen["name"])

    context, to = _context(member, sheet, players), member.table.get_absolute_url()
    return http.form_page(request, member, "sheets/leave.html", context, form, act, to)


def _context(member: Member, sheet: Sheet, players: list[Player]) -> dict[str, Any]:
    seated = {player.person_id for player in seats.now(players)} | lifetimes.former_people(
        member.table
    )
    here = [person.name for person in member.table.people.all() if person.pk not in seated]
    return base_context(member, sheet, players) | {
        "next": queries.where_next(sheet, players),
        "known": list(dict.fromkeys([*here, *roster.labels_for(member.table.club_id)])),
    }
