"""Enter a hand, look at one, change it, take it back, put it back, put in a forgotten one."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from sheets import hand_wording, http, queries, refusal_wording, rows, seats, waiting
from sheets.access import for_members, private
from sheets.actions import (
    Answer,
    EnteredHand,
    Refused,
    Saved,
    Why,
    Write,
    confirm_hand,
    edit_hand,
    enter_hand,
    put_back,
    take_back,
)
from sheets.forms.base import WritingForm
from sheets.forms.correction import form_to_change
from sheets.forms.hand import form_for
from sheets.http import PlayerRequest
from sheets.models import Member, Player, Round, RoundKind
from sheets.seen import read_seen
from sheets.views.table import base_context, events, payments, sheet_context, whom_to_ask


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def hand_new(request: PlayerRequest, member: Member) -> HttpResponse:
    """Enter the next hand: the form lies open under the sheet."""
    table = member.table
    posted = request.POST.get("sheet", "")
    sheet, players = (posted and queries.sheet_of(table, posted)) or queries.latest_sheet(table)
    form = form_for(sheet, seats.now(players), request.POST or None, seen=table.seen)
    if request.method != "POST":
        if not sheet.is_open:
            return http.see(table.get_absolute_url())
        context = sheet_context(request, member, sheet, players, form=form)
        return http.page(request, "sheets/sheet.html", context)
    if not form.is_valid():
        context = sheet_context(request, member, sheet, players, form=form)
        return http.invalid(request, "sheets/sheet.html", context)
    answer = enter_hand(http.write(member, form), sheet.public_id, form.entered)
    if isinstance(answer, Refused):
        context = sheet_context(request, member, *queries.again(sheet), form=form)
        return http.refused(request, "sheets/sheet.html", context, form, member.table, answer)
    return http.saved(request, form, sheet_with(member, answer))


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def hand_before(request: PlayerRequest, member: Member, round_id: uuid.UUID) -> HttpResponse:
    """Put a forgotten hand in its place, before another."""
    found = queries.hand_of(member.table, round_id)
    if found is None:
        return hand_gone(request, member)
    later, players = found
    if request.method != "POST" and not later.sheet.is_open:
        return http.see(reverse("sheets:hand", args=[member.table.public_id, round_id]))
    where = queries.where_before(later, players)
    form = form_for(
        later.sheet,
        seats.during(players, later),
        request.POST or None,
        seen=member.table.seen,
        before=later,
        likely=where,
        pot=queries.pot_before(later),
    )
    context = _form_context(member, later, players)
    context |= {"number": where.number, "forgotten": True, "draft": f"before:{round_id}"}

    def act(write: Write) -> Answer:
        return enter_hand(write, later.sheet.public_id, form.entered, before=round_id)

    to = partial(sheet_with, member)
    return http.form_page(request, member, "sheets/hand_form.html", context, form, act, to)


@for_members
@require_safe
def hand(request: PlayerRequest, member: Member, round_id: uuid.UUID) -> HttpResponse:
    """Why these numbers, who pays whom, who entered it, and what can be done about it."""
    found = queries.hand_of(member.table, round_id)
    if found is None:
        return private(request)
    form = WritingForm(seen=member.table.seen)
    return http.page(request, "sheets/hand.html", _hand_context(member, *found) | {"form": form})


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def hand_edit(request: PlayerRequest, member: Member, round_id: uuid.UUID) -> HttpResponse:
    """Change a hand that stands."""
    found = queries.hand_of(member.table, round_id)
    if found is None:
        return hand_gone(request, member)
    row, players = found
    if request.method != "POST" and not row.sheet.is_open:
        return http.see(reverse("sheets:hand", args=[member.table.public_id, round_id]))
    if row.kind == RoundKind.POT_SHARED:
        return act_on_hand(request, member, round_id, _change_nothing)
    form = form_to_change(
        row,
        seats.during(players, row),
        request.POST or None,
        seen=member.table.seen,
        units=rows.units_of(row, players),
        pot=queries.pot_before(row),
    )
    context = _form_context(member, row, players)

    def act(write: Write) -> Answer:
        return edit_hand(write, round_id, form.entered)

    to = reverse("sheets:hand", args=[member.table.public_id, round_id])
    return http.form_page(request, member, "sheets/hand_form.html", context, form, act, to)


def _change_nothing(write: Write, round_id: uuid.UUID) -> Answer:
    """Ask for a change of a row that has nothing to change, so that the refusal says so."""
    return edit_hand(write, round_id, EnteredHand(kind=RoundKind.POT_SHARED))


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def hand_take_back(request: PlayerRequest, member: Member, round_id: uuid.UUID) -> HttpResponse:
    """Take a hand off the sheet."""
    return act_on_hand(request, member, round_id, take_back)


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def hand_put_back(request: PlayerRequest, member: Member, round_id: uuid.UUID) -> HttpResponse:
    """Put a hand back on the sheet."""
    return act_on_hand(request, member, round_id, put_back)


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def hand_confirm(request: PlayerRequest, member: Member, round_id: uuid.UUID) -> HttpResponse:
    """Say that a hand is right, from another seat."""
    to = member.table.get_absolute_url()
    return act_on_hand(request, member, round_id, confirm_hand, to)


def act_on_hand(
    request: PlayerRequest,
    member: Member,
    round_id: uuid.UUID,
    action: Callable[[Write, uuid.UUID], Answer],
    to: str = "",
) -> HttpResponse:
    """Do what the page of a hand offers to do with it at one tap."""
    found = queries.hand_of(member.table, round_id)
    if found is None:
        return hand_gone(request, member)
    if request.method != "POST":
        return http.see(reverse("sheets:hand", args=[member.table.public_id, round_id]))
    form = WritingForm(request.POST, seen=member.table.seen)
    context = _hand_context(member, *found)

    def act(write: Write) -> Answer:
        return action(write, round_id)

    then = to or partial(sheet_with, member)
    return http.form_page(request, member, "sheets/hand.html", context, form, act, then)


def hand_gone(request: PlayerRequest, member: Member) -> HttpResponse:
    """Answer what is about a hand that the table does not have; a change of one in words.

    A phone may hold a change of a hand that a restored backup has taken away.
    """
    if request.method != "POST":
        return private(request)
    shown = read_seen(request.POST.get("seen", ""))
    gone = shown is not None and queries.is_gone(member.table, shown)
    answer = Refused(why=Why.SET_BACK if gone else Why.NOT_THERE)
    context = base_context(member, *queries.latest_sheet(member.table))
    context |= {"refused": answer.why, "refusal": refusal_wording.refusal(answer)}
    response = http.page(request, "sheets/hand_gone.html", context, status=404)
    response["Refused"] = str(answer.why)
    return response


def sheet_with(member: Member, saved: Saved) -> str:
    """Return the address of the sheet, where it says what was done to this hand."""
    assert saved.change.round is not None
    return f"{member.table.get_absolute_url()}?saved={saved.change.round.public_id}"


def _form_context(member: Member, row: Round, players: list[Player]) -> dict[str, Any]:
    return base_context(member, row.sheet, players) | {
        "row": row,
        "line": rows.line_of(row, players),
        "number": queries.number_of(row),
        "draft": f"edit:{row.public_id}",
    }


def _hand_context(member: Member, row: Round, players: list[Player]) -> dict[str, Any]:
    line = rows.line_of(row, players)
    settled = rows.settlement(line)
    return base_context(member, row.sheet, players) | {
        "row": row,
        "line": line,
        "taken_in": line.taken_in(),
        "counted": hand_wording.counted(row.counts) if row.counts else "",
        "why": hand_wording.why(line, settled),
        "payments": payments(line),
        "events": events(queries.history(member.table, row=row)),
        "whom_to_ask": whom_to_ask(row.sheet),
        "may_confirm": line.unconfirmed
        and seats.of(member, players) is not None
        and not waiting.is_same_seat(member, waiting.last_change(row)),
    }
