"""Who is this phone or organiser, what may they do? Every view of a table or club asks here."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Concatenate, ParamSpec

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django_htmx.http import HttpResponseClientRedirect

from sheets import club_queries, codes, http, phone_queries, queries, slowing
from sheets.actions import note_seen
from sheets.forms.club_code import ClubCodeForm
from sheets.forms.tables import CodeForm
from sheets.http import OrganiserRequest, PlayerRequest, door, removed
from sheets.models import Member, Organiser

COOKIE = "phone"
COOKIE_AGE = 400 * 24 * 3600  # seconds; the longest that browsers keep one

P = ParamSpec("P")


class PhoneMiddleware:
    """Recognise the phone by its cookie, and renew the cookie whenever it opens a page."""

    def __init__(self, get_response: Callable[[PlayerRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: PlayerRequest) -> HttpResponse:
        secret = request.COOKIES.get(COOKIE, "")
        if not codes.is_phone(secret):
            secret = ""
        request.phone = codes.phone_hash(secret) if secret else ""
        response = self.get_response(request)
        # A page that anybody may keep carries nobody's cookie.
        public = "public" in response.get("Cache-Control", "")
        if secret and request.method == "GET" and COOKIE not in response.cookies and not public:
            set_cookie(response, secret)
        return response


def set_cookie(response: HttpResponse, secret: str) -> None:
    """Let the phone keep its secret."""
    response.set_cookie(
        COOKIE, secret, COOKIE_AGE, httponly=True, samesite="Lax", secure=settings.HTTPS
    )


def phone_for_writing(request: PlayerRequest) -> tuple[str, str]:
    """Return this phone's hash and, for a phone that has none yet, the secret to give it."""
    if request.phone:
        return request.phone, ""
    secret = codes.new_phone()
    return codes.phone_hash(secret), secret


def private(request: PlayerRequest) -> HttpResponse:
    """Answer a stranger: the same page whether the table exists or not."""
    response = door(request, "sheets/private.html", {"form": CodeForm()}, status=404)
    response["Refused"] = "stranger"
    return response


def code_status(request: PlayerRequest, form: CodeForm | ClubCodeForm, wrong: int) -> int:
    """Look up the code in a form: 200, or `wrong` with a sentence, or 429 after too many of those.

    Wrong codes are counted for a phone that is a member somewhere, so that nobody who shares its
    address is slowed by it; for all others by their address. While one waits no code is looked at,
    or waiting would slow nobody.
    """
    if phone_queries.is_anywhere(request.phone):
        who = request.phone
    else:
        who = slowing.address(request.META.get("REMOTE_ADDR", ""))
    form.wait = slowing.WRONG_CODES.wait(who)
    if form.is_valid():
        return 200
    if form.guessed:
        slowing.WRONG_CODES.note(who)
    return 429 if form.wait else wrong


def for_members(
    view: Callable[Concatenate[PlayerRequest, Member, P], HttpResponse],
) -> Callable[..., HttpResponse]:
    """Let only members of the table into a view, which is handed the membership and runs on the
    table's clock; note that the phone was heard of, and tell a removed one that it was removed.
    """

    @functools.wraps(view)
    def guarded(
        request: PlayerRequest, table_id: str, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponse:
        member = queries.membership(table_id, request.phone) if request.phone else None
        if member is None:
            gone = phone_queries.removal(table_id, request.phone)
            response = removed(request, gone) if gone else private(request)
        else:
            note_seen(member)
            with timezone.override(member.table.time_zone):
                try:
                    response = view(request, member, *args, **kwargs)
                except Exception:
                    # Rows may have vanished in the middle: the table was deleted.
                    if queries.membership(table_id, request.phone) is not None:
                        raise
                    response = private(request)
        # What one phone may see is nobody else's to keep.
        response["Cache-Control"] = "private, no-cache"
        return response

    return guarded


def sign_in_first(request: PlayerRequest) -> HttpResponse:
    """Send somebody to the sign-in page, and back here afterwards; a whole page, not a part."""
    to = redirect_to_login(request.get_full_path())
    return HttpResponseClientRedirect(to.url) if request.htmx else to


def for_organisers(
    view: Callable[Concatenate[OrganiserRequest, Organiser, P], HttpResponse],
) -> Callable[..., HttpResponse]:
    """Let only organisers of the club into a view, which is handed what they are in it.

    Whoever has not signed in is asked to; everybody else gets the same 404 whether there is such a
    club or not. The view runs on the club's clock.
    """
    return _for_organisers(view, owners=False)


def for_owners(
    view: Callable[Concatenate[OrganiserRequest, Organiser, P], HttpResponse],
) -> Callable[..., HttpResponse]:
    """The same for what only owners of the club may do: its other organisers get a 403."""
    return _for_organisers(view, owners=True)


def _for_organisers(
    view: Callable[Concatenate[OrganiserRequest, Organiser, P], HttpResponse], *, owners: bool
) -> Callable[..., HttpResponse]:
    @functools.wraps(view)
    def guarded(
        request: OrganiserRequest, slug: str, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponse:
        if not request.user.is_authenticated:
            return sign_in_first(request)
        organiser = club_queries.organiser(slug, request.user)
        if organiser is None:
            response = render(request, "404.html", status=404)
            response["Refused"] = "stranger"  # a page that follows a table live goes
        elif owners and not organiser.is_owner:
            context = {"organiser": organiser, "club": organiser.club}
            response = http.page(request, "clubs/owners_only.html", context, status=403)
        else:
            with timezone.override(organiser.club.zone):
                response = view(request, organiser, *args, **kwargs)
        response["Cache-Control"] = "private, no-cache"
        return response

    return guarded
