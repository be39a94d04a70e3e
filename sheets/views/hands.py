"""Enter a hand, look at one, change it, take it back, put it back, put in a forgotten one."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from sheets import http, queries, wording
from sheets.access import for_members, private
from sheets.actions import Refused, edit_hand, enter_hand, put_back, take_back
from sheets.forms.base import WritingForm, translated
from sheets.forms.hand import HandForm, form_for
from sheets.http import PlayerRequest
from sheets.models import Member, Player, Round
from sheets.views.table import base_context, events, payments, sheet_context


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def hand_new(request: PlayerRequest, member: Member) -> HttpResponse:
    """Enter the next hand: the form lies open under the sheet."""
    table = member.table
    posted = request.POST.get("sheet", "")
    sheet, players = (posted and queries.sheet_of(table, posted)) or queries.latest_sheet(table)
    form = form_for(sheet, players, request.POST or None, seen=table.version)
    if request.method != "POST":
        if not sheet.is_open:
            return http.see(table.get_absolute_url())
        context = sheet_context(request, member, sheet, players, form=form)
        return http.page(request, "sheets/sheet.html", context)
    if not form.is_valid():
        context = sheet_context(request, member, sheet, players, form=form)
        return http.page(request, "sheets/sheet.html", context, status=422)
    answer = enter_hand(http.write(member, form), sheet.public_id, form.entered)
    if isinstance(answer, Refused):
        context = sheet_context(request, member, *queries.again(sheet), form=form)
        return http.refused(request, "sheets/sheet.html", context, form, member.table, answer)
    return _to_sheet(member, answer.change.round)


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def hand_before(request: PlayerRequest, member: Member, round_id: uuid.UUID) -> HttpResponse:
    """Put a forgotten hand in its place, before another."""
    found = queries.hand_of(member.table, round_id)
    if found is None:
        return private(request)
    later, players = found
    where = queries.where_before(later, players)
    form = form_for(
        later.sheet,
        players,
        request.POST or None,
        seen=member.table.version,
        likely_dealer=where.dealer.pk,
    )
    context = _form_context(member, later, players, form) | {
        "number": where.number,
        "forgotten": True,
    }
    if request.method != "POST" or not form.is_valid():
        return http.page(request, "sheets/hand_form.html", context, status=_status(request))
    answer = enter_hand(
        http.write(member, form), later.sheet.public_id, form.entered, before=round_id
    )
    if isinstance(answer, Refused):
        return http.refused(request, "sheets/hand_form.html", context, form, member.table, answer)
    return _to_sheet(member, answer.change.round)


@for_members
@require_safe
def hand(request: PlayerRequest, member: Member, round_id: uuid.UUID) -> HttpResponse:
    """Why these numbers, who pays whom, who entered it, and what can be done about it."""
    found = queries.hand_of(member.table, round_id)
    if found is None:
        return private(request)
    form = WritingForm(seen=member.table.version)
    return http.page(request, "sheets/hand.html", _hand_context(member, *found) | {"form": form})


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def hand_edit(request: PlayerRequest, member: Member, round_id: uuid.UUID) -> HttpResponse:
    """Change a hand that stands."""
    found = queries.hand_of(member.table, round_id)
    if found is None:
        return private(request)
    row, players = found
    form = form_for(
        row.sheet,
        players,
        request.POST or None,
        seen=member.table.version,
        row=row,
        units=queries.units_of(row, players),
    )
    context = _form_context(member, row, players, form)
    if request.method != "POST" or not form.is_valid():
        return http.page(request, "sheets/hand_form.html", context, status=_status(request))
    answer = edit_hand(http.write(member, form), round_id, form.entered)
    if isinstance(answer, Refused):
        return http.refused(request, "sheets/hand_form.html", context, form, member.table, answer)
    return http.see(reverse("sheets:hand", args=[member.table.public_id, round_id]))


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def hand_take_back(request: PlayerRequest, member: Member, round_id: uuid.UUID) -> HttpResponse:
    """Take a hand off the sheet."""
    return _stand(request, member, round_id, take_back)


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def hand_put_back(request: PlayerRequest, member: Member, round_id: uuid.UUID) -> HttpResponse:
    """Put a hand back on the sheet."""
    return _stand(request, member, round_id, put_back)


def _stand(
    request: PlayerRequest, member: Member, round_id: uuid.UUID, action: Any
) -> HttpResponse:
    found = queries.hand_of(member.table, round_id)
    if found is None:
        return private(request)
    if request.method != "POST":
        return http.see(reverse("sheets:hand", args=[member.table.public_id, round_id]))
    form = WritingForm(request.POST, seen=member.table.version)
    context = _hand_context(member, *found)
    if not form.is_valid():
        return http.page(request, "sheets/hand.html", context | {"form": form}, status=422)
    answer = action(http.write(member, form), round_id)
    if isinstance(answer, Refused):
        return http.refused(request, "sheets/hand.html", context, form, member.table, answer)
    return _to_sheet(member, answer.change.round)


def _to_sheet(member: Member, row: Round | None) -> HttpResponse:
    """Go back to the sheet, which says what was done to this hand."""
    assert row is not None
    return http.see(f"{member.table.get_absolute_url()}?saved={row.public_id}")


def _status(request: PlayerRequest) -> int:
    return 422 if request.method == "POST" else 200


def _form_context(
    member: Member, row: Round, players: list[Player], form: HandForm
) -> dict[str, Any]:
    return base_context(member, row.sheet, players) | {
        "form": form,
        "row": row,
        "line": queries.line_of(row, players),
        "number": queries.number_of(row),
    }


def _hand_context(member: Member, row: Round, players: list[Player]) -> dict[str, Any]:
    line = queries.line_of(row, players)
    settled = queries.settlement(row, players, line.units)
    return base_context(member, row.sheet, players) | {
        "row": row,
        "line": line,
        "taken_in": list(zip(players, line.cells, strict=True)),
        "counted": wording.counted(row.counts) if row.counts else "",
        "why": translated(settled.reason) if settled else "",
        "payments": payments(line, players),
        "events": events(queries.history(member.table, row=row)),
    }
