"""My other phone or browser: a link that carries tables and seats over, once."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from sheets import access, http, phone_queries, qr, queries, refusal_wording
from sheets.actions import Refused, Why, make_phone_link, use_phone_link
from sheets.actions.phone_links import link_secret
from sheets.forms.base import WritingForm
from sheets.http import PlayerRequest


@require_http_methods(["GET", "HEAD", "POST"])
def phone_link_new(request: PlayerRequest) -> HttpResponse:
    """Make a link for this phone's other phone; it is shown to this phone alone."""
    if not phone_queries.is_anywhere(request.phone):
        return http.see(reverse("sheets:home"))
    form = WritingForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        key = form.cleaned_data["key"]
        answer = make_phone_link(request.phone, key)
        if not isinstance(answer, Refused):
            return http.see(f"{reverse('sheets:phone_link_new')}?made={key}")
    context = {"form": form} | _made(request)
    status = 422 if request.method == "POST" else 200
    return _private(http.page(request, "sheets/phone_link_new.html", context, status=status))


def _made(request: PlayerRequest) -> dict[str, Any]:
    """Return the link that this phone has just made, while it is good for anything."""
    try:
        secret = link_secret(request.phone, uuid.UUID(request.GET.get("made", "")))
    except ValueError:
        return {}
    link = phone_queries.phone_link(secret)
    if link is None:
        return {}
    if not phone_queries.link_is_open(link):
        return {"used": link.used_at is not None, "spent": link.used_at is None}
    url = http.shared_url(reverse("sheets:phone_link", args=[secret]))
    title = _("QR code of the address for the other phone")
    return {"url": url, "qr": qr.svg(url, title), "until": link.made_at + phone_queries.LINK_LASTS}


@require_http_methods(["GET", "HEAD", "POST"])
def phone_link(request: PlayerRequest, secret: str) -> HttpResponse:
    """Show what a link would bring to this phone; sent, bring it. Looking alone brings nothing."""
    form = WritingForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        phone, new_secret = access.phone_for_writing(request)
        answer = use_phone_link(secret, phone)
        if isinstance(answer, Refused):
            return _link_page(request, form, secret, 410, answer)
        response = http.see(reverse("sheets:home"))
        if new_secret:
            access.set_cookie(response, new_secret)
        return response
    return _link_page(request, form, secret, 422 if request.method == "POST" else 200)


def _link_page(
    request: PlayerRequest,
    form: WritingForm,
    secret: str,
    status: int,
    refused: Refused | None = None,
) -> HttpResponse:
    link = phone_queries.phone_link(secret)
    context: dict[str, Any] = {"form": form, "secret": secret}
    if link is None or not phone_queries.link_is_open(link):
        context["refusal"] = refusal_wording.refusal(Refused(why=Why.LINK_USED))
        status = 410
    elif link.phone == request.phone:
        context["own"] = True
        status = min(status, 409)
    elif refused is not None:
        context["refusal"] = refusal_wording.refusal(refused)
    else:
        people = {m.table_id: m.person for m in phone_queries.memberships(link.phone)}
        context["brings"] = [
            (one.title, people[one.table.pk]) for one in queries.tables_of(link.phone)
        ]
    return _private(http.page(request, "sheets/phone_link.html", context, status=status))


def _private(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "private, no-cache"
    return response
