"""The phones at a table: who is in, who asks for a seat, and what opens the table to others."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from sheets import http, phone_queries, phone_wording, qr, queries
from sheets.access import for_members, private
from sheets.actions import (
    Answer,
    Refused,
    Saved,
    Write,
    answer_seat,
    change_code,
    let_back,
    lock_joining,
    remove_phone,
)
from sheets.forms.base import WritingForm
from sheets.forms.phones import AnswerForm, CodeChangeForm, LockForm
from sheets.http import PlayerRequest
from sheets.models import Member
from sheets.views.asks import Context
from sheets.views.table import base_context, live_context, result_context


@for_members
@require_safe
def share(request: PlayerRequest, member: Member) -> HttpResponse:
    """What brings a second phone to the table, and what lets others watch."""
    return http.page(request, "sheets/share.html", _share_context(member))


@for_members
@require_safe
def phones(request: PlayerRequest, member: Member) -> HttpResponse:
    """The phones at this table; those that were just removed can be let back in."""
    return http.page(request, "sheets/phones.html", _phones_context(member))


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def phone_remove(request: PlayerRequest, member: Member, number: int) -> HttpResponse:
    """One question, then the phone is off the table; one's own leaves it."""
    phone = phone_queries.phone_of(member.table, number)
    if phone is None:
        return private(request)
    own = phone.pk == member.pk
    if request.method != "POST" and phone.removed_at is not None:
        return http.see(_phones_url(member))
    form = WritingForm(request.POST or None, seen=member.table.seen)
    context = _page_context(member) | {
        "phone": phone,
        "own": own,
        "kept": phone.number == 1 and not own,
        "last": own and len(phone_queries.phones(member.table)) == 1,
    }

    def act(write: Write) -> Answer:
        return remove_phone(write, number)

    to = reverse("sheets:home") if own else _phones_url(member)
    return http.form_page(request, member, "sheets/phone_remove.html", context, form, act, to)


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def phone_back(request: PlayerRequest, member: Member, number: int) -> HttpResponse:
    """Let a phone back in that was removed in the last ten minutes."""
    if phone_queries.phone_of(member.table, number) is None:
        return private(request)
    if request.method != "POST":
        return http.see(_phones_url(member))
    form = WritingForm(request.POST, seen=member.table.seen)

    def act(write: Write) -> Answer:
        return let_back(write, number)

    context = _phones_context(member)
    to = _phones_url(member)
    return http.form_page(request, member, "sheets/phones.html", context, form, act, to)


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def code(request: PlayerRequest, member: Member) -> HttpResponse:
    """Change the join code or the watch link."""
    form = CodeChangeForm(request.POST or None, seen=member.table.seen, initial={"what": "code"})

    def act(write: Write) -> Answer:
        return change_code(write, watch=form.cleaned_data["what"] == "watch")

    to = reverse("sheets:share", args=[member.table.public_id])
    context = _page_context(member)
    return http.form_page(request, member, "sheets/code.html", context, form, act, to)


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def lock(request: PlayerRequest, member: Member) -> HttpResponse:
    """Let nobody join by the code, or let them again."""
    to = reverse("sheets:share", args=[member.table.public_id])
    if request.method != "POST":
        return http.see(to)
    form = LockForm(request.POST, seen=member.table.seen)

    def act(write: Write) -> Answer:
        return lock_joining(write, locked=form.cleaned_data["locked"] == "yes")

    return http.form_page(
        request, member, "sheets/share.html", _share_context(member), form, act, to
    )


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def asks(request: PlayerRequest, member: Member) -> HttpResponse:
    """What other phones ask: whether they may have a seat.

    The question stands in the live part of the sheet. There the answer replaces that part alone: a
    half-typed hand below it stays.
    """
    form = AnswerForm(request.POST or None, seen=member.table.seen)
    sheet_url = member.table.get_absolute_url()
    if request.method != "POST":
        return http.page(request, "sheets/asks.html", _page_context(member))
    if not form.is_valid():
        context = _page_context(member) | {"form": form}
        return http.page(request, "sheets/asks.html", context, status=422)
    asked = form.cleaned_data
    answer = answer_seat(
        http.write(member, form), asked["number"], asked["person"], asked["answer"] == "yes"
    )
    if isinstance(answer, Saved):
        return http.saved(request, form, sheet_url)
    return _answer_refused(request, member, form, answer)


def _answer_refused(
    request: PlayerRequest, member: Member, form: AnswerForm, answer: Refused
) -> HttpResponse:
    if not http.wants_live_part(request):
        context = _page_context(member)
        return http.refused(request, "sheets/asks.html", context, form, member.table, answer)
    sheet, players = queries.latest_sheet(member.table)
    if sheet.is_open:
        template, context = "sheets/sheet.html", live_context(request, member, sheet, players)
    else:
        template, context = "sheets/result.html", result_context(request, member, sheet, players)
    return http.refused(request, template, context, form, member.table, answer)


def _page_context(member: Member) -> Context:
    return base_context(member, *queries.latest_sheet(member.table))


def _phones_url(member: Member) -> str:
    return reverse("sheets:phones", args=[member.table.public_id])


def _phones_context(member: Member) -> Context:
    return _page_context(member) | {
        "phones": [
            {"phone": phone, "own": phone.pk == member.pk, "heard": phone_wording.heard(phone)}
            for phone in phone_queries.phones(member.table)
        ],
        "removed_phones": [
            (phone, phone_wording.removed_by(phone))
            for phone in phone_queries.removed_phones(member.table)
        ],
        "form": WritingForm(seen=member.table.seen),
    }


def _share_context(member: Member) -> Context:
    table = member.table
    join_url = http.shared_url(reverse("sheets:join_link", args=[table.join_secret]))
    watch_url = http.shared_url(reverse("sheets:watch", args=[table.watch_id]))
    locked = "no" if table.joining_locked else "yes"
    return _page_context(member) | {
        "join_url": join_url,
        "join_qr": qr.svg(join_url, _("QR code of the address that joins this table")),
        "watch_url": watch_url,
        "watch_qr": qr.svg(watch_url, _("QR code of the address that watches this table")),
        "sleeps": phone_queries.code_sleeps(table),
        "form": LockForm(seen=table.seen, initial={"locked": locked}),
    }
