"""What a table can undo or leave behind: the end of a match, a name, the table itself."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.views.decorators.http import require_http_methods, require_safe

from sheets import http, lifetimes, queries, refusal_wording, wording
from sheets.access import for_members, private
from sheets.actions import (
    Answer,
    Refused,
    Saved,
    Write,
    agree_to_delete,
    deleted,
    erase_person,
    keep_table,
    reopen,
    why_not_reopened,
)
from sheets.forms.base import WritingForm
from sheets.forms.leaving import DeleteForm, proves
from sheets.http import PlayerRequest
from sheets.models import Member, SheetState
from sheets.views.table import base_context


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def take_back_end(request: PlayerRequest, member: Member, sheet_id: str) -> HttpResponse:
    """Take back the end of a match."""
    found = queries.sheet_of(member.table, sheet_id)
    if found is None:
        return private(request)
    sheet, players = found
    if request.method != "POST" and sheet.is_open:
        return http.see(member.table.get_absolute_url())
    form = WritingForm(request.POST or None, seen=member.table.seen)
    why_not = why_not_reopened(sheet)
    context = base_context(member, sheet, players) | {
        "ended": wording.ended(sheet) if not sheet.is_open else "",
        "why_not": refusal_wording.refusal(Refused(why=why_not, sheet=sheet)) if why_not else "",
    }

    def act(write: Write) -> Answer:
        return reopen(write, sheet.public_id)

    to = member.table.get_absolute_url()
    return http.form_page(request, member, "sheets/reopen.html", context, form, act, to)


@for_members
@require_safe
def privacy(request: PlayerRequest, member: Member) -> HttpResponse:
    """How long this table is kept, whose name can be erased, and the way to delete it all."""
    context = base_context(member, *queries.latest_sheet(member.table)) | {
        "erasable": lifetimes.erasable(member.table),
        "purged_on": lifetimes.purged_on(member.table),
        "holds": wording.holds(lifetimes.size(member.table)),
    }
    return http.page(request, "sheets/privacy.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: PlayerRequest, table_id: str) -> HttpResponse:
    """Ask whether the table goes; a phone that repeats its last word hears that it is gone."""
    if (
        request.method == "POST"
        and proves(request.POST, table_id, request.phone)
        and not queries.table_exists(table_id)
    ):
        return http.see(_home_after_deletion())
    response: HttpResponse = _delete(request, table_id=table_id)
    return response


@for_members
def _delete(request: PlayerRequest, member: Member) -> HttpResponse:
    table = member.table
    form = DeleteForm(request.POST or None, member=member)
    # Looked up when they are shown: after a refusal that is what is there now.
    context = base_context(member, *queries.latest_sheet(table)) | {
        "asked": SimpleLazyObject(lambda: lifetimes.asked_to_delete(table)),
        "holds": SimpleLazyObject(lambda: wording.holds(lifetimes.size(table))),
    }

    def to(saved: Saved) -> str:
        return _home_after_deletion() if deleted(saved.change) else request.path

    return http.form_page(request, member, "sheets/delete.html", context, form, agree_to_delete, to)


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def keep(request: PlayerRequest, member: Member) -> HttpResponse:
    """Drop that the table is to be deleted."""
    form = WritingForm(request.POST or None, seen=member.table.seen)
    context = base_context(member, *queries.latest_sheet(member.table))
    to = member.table.get_absolute_url()
    return http.form_page(request, member, "sheets/keep.html", context, form, keep_table, to)


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def erase(request: PlayerRequest, member: Member, person_id: int) -> HttpResponse:
    """Erase a person's name from everything the table keeps."""
    person = member.table.people.filter(pk=person_id).first()
    if person is None:
        return private(request)
    form = WritingForm(request.POST or None, seen=member.table.seen)
    context: dict[str, Any] = base_context(member, *queries.latest_sheet(member.table)) | {
        "person": person,
        "phones": person.members.count(),
        "erased": person_id in lifetimes.former_people(member.table),
        "seated": person.players.filter(sheet__state=SheetState.OPEN).exists(),
    }

    def act(write: Write) -> Answer:
        return erase_person(write, person_id)

    to = reverse("sheets:privacy", args=[member.table.public_id])
    return http.form_page(request, member, "sheets/erase.html", context, form, act, to)


def _home_after_deletion() -> str:
    return f"{reverse('sheets:home')}?deleted=1"
