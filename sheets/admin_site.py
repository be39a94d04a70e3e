"""The admin's first page says what is wrong with the server; a page of its own lifts limits."""

from __future__ import annotations

import dataclasses
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path
from django.utils.translation import gettext as _

from sheets import account_wording, proxies, slowing
from sheets.models import Club

MAY_LIFT = "axes.delete_accessattempt"
PASSWORDS = "passwords"  # beside the names of `slowing.ALL`


@dataclasses.dataclass(frozen=True, slots=True)
class Waiting:
    """Who waits: what they did too often, from where, and how long they still have to wait."""

    what: str
    says: str
    who: str
    shown: str
    time: str
    ip: str = ""


class Site(admin.AdminSite):
    """Django's admin, with limits that can be lifted."""

    def index(self, request: HttpRequest, extra_context: Any = None) -> TemplateResponse:
        """Say on the first page whether a proxy is not believed, and how many are slowed."""
        more = {
            "unbelieved": proxies.unbelieved(),
            "waiting": len(_waiting()),
            "may_lift": request.user.has_perm(MAY_LIFT),
        }
        return super().index(request, (extra_context or {}) | more)

    def get_urls(self) -> list[URLPattern | URLResolver]:
        slowed = self.admin_view(self.slowed)
        return [path("slowed/", slowed, name="slowed"), *super().get_urls()]

    def slowed(self, request: HttpRequest) -> HttpResponse:
        """Show who has to wait, and let one or all of them go on."""
        if not request.user.has_perm(MAY_LIFT):
            raise PermissionDenied
        found = _waiting()
        if request.method == "POST":
            chosen = [one for one in found if "all" in request.POST or _is_meant(one, request)]
            for one in chosen:
                _lift(one)
            said = _("Lifted: they can go on.") if chosen else _("Nobody waits there now.")
            self.message_user(request, said)
            return redirect("admin:slowed")
        context = self.each_context(request) | {"title": _("Who is slowed"), "found": found}
        return TemplateResponse(request, "admin/slowed.html", context)

    def message_user(self, request: HttpRequest, said: str) -> None:
        """Say on the next page what was done."""
        messages.success(request, said)


def _waiting() -> list[Waiting]:
    clubs = slowing.CLUB_TABLES.waiting()
    names = dict(Club.objects.filter(pk__in=clubs).values_list("pk", "name")) if clubs else {}
    says = _what()
    found = [
        Waiting(
            limit.name,
            says[limit.name],
            who,
            names.get(int(who), who) if limit is slowing.CLUB_TABLES else who,
            account_wording.how_long(seconds),
        )
        for limit in slowing.ALL.values()
        for who, seconds in limit.waiting().items()
    ]
    return found + [
        Waiting(
            PASSWORDS,
            _("wrong passwords"),
            account,
            account,
            account_wording.how_long(seconds),
            ip or "",
        )
        for account, ip, seconds in slowing.locked_accounts()
    ]


def _what() -> dict[str, str]:
    return {
        slowing.WRONG_CODES.name: _("wrong codes typed"),
        slowing.RIGHT_CODES.name: _("codes typed"),
        slowing.NEW_TABLES.name: _("tables started without a club"),
        slowing.CLUB_TABLES.name: _("tables of a club started"),
        slowing.NEW_ACCOUNTS.name: _("accounts made"),
        slowing.NEW_CLUBS.name: _("clubs started"),
        slowing.WRONG_PASSWORDS.name: _("wrong passwords of many accounts"),
        slowing.RESETS.name: _("passwords reset"),
        slowing.RESETS_BY_BOTH.name: _("messages from one address to one mailbox"),
        slowing.RESETS_BY_MAILBOX.name: _("messages to one mailbox"),
    }


def _is_meant(one: Waiting, request: HttpRequest) -> bool:
    sent = request.POST
    return (one.what, one.who, one.ip) == (sent.get("what"), sent.get("who"), sent.get("ip", ""))


def _lift(one: Waiting) -> None:
    if one.what == PASSWORDS:
        slowing.unlock(one.who, one.ip or None)
    else:
        slowing.ALL[one.what].lift(one.who)
