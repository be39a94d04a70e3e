"""Who is this phone or organiser, what may they do? Every view of a table or club asks here."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Concatenate, ParamSpec
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django_htmx.http import HttpResponseClientRedirect

from sheets import (
    club_queries,
    codes,
    http,
    passwords,
    phone_queries,
    presence,
    queries,
    slowing,
)
from sheets.forms.codes import CodeForm, KeyForm
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


class AccountMiddleware:
    """Let no browser keep a page that was made for somebody who has signed in: once they have
    signed out, Back shows nothing of it.

    Pages that never look at the session, those of tables among them, are not asked about it here.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.session.accessed and request.user.is_authenticated:
            response["Cache-Control"] = "private, no-store"
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer a form with a password that others' passwords are in the way of."""
        if not isinstance(exception, passwords.Busy):
            return None
        response = render(request, "clubs/busy.html", status=503)
        response["Retry-After"] = str(passwords.RETRY_AFTER)
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
    context = {"form": CodeForm(), "no_cookie": not request.phone and _comes_from_a_door(request)}
    response = door(request, "sheets/private.html", context, status=404)
    response["Refused"] = "stranger"
    return response


def _comes_from_a_door(request: PlayerRequest) -> bool:
    """Say whether this phone has just joined or started a table: then they were given a cookie."""
    came_from: str = urlsplit(request.META.get("HTTP_REFERER", "")).path
    return came_from.startswith((reverse("sheets:join_code"), reverse("sheets:table_new")))


def code_status(request: PlayerRequest, form: KeyForm, wrong: int) -> int:
    """Look up the code in a form: 200, or `wrong` with a sentence, or 429 after too many of them.

    Codes typed by hand count by address, for members and strangers alike: wrong ones, and right
    ones in a budget of their own. So a right code wins nobody another guess. Links never count.
    """
    who = slowing.who(request)
    form.wait = max(slowing.WRONG_CODES.wait(who), slowing.RIGHT_CODES.wait(who))
    valid = form.is_valid()
    if form.by_hand:
        (slowing.WRONG_CODES if form.guessed else slowing.RIGHT_CODES).note(who)
    if valid:
        return 200
    return 429 if form.waits else wrong


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
            presence.note(member)
            with timezone.override(member.table.zone):
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
    """Send somebody to the sign-in page, and back here afterwards; a whole page, not a part.

    Back is the page with the form that was sent, where its draft is.
    """
    to = redirect_to_login(http.page_of(request))
    return HttpResponseClientRedirect(to.url) if request.htmx else to


def for_accounts(
    view: Callable[Concatenate[OrganiserRequest, P], HttpResponse],
) -> Callable[..., HttpResponse]:
    """Let whoever has signed in into a view, and send others to sign in first."""

    @functools.wraps(view)
    def guarded(request: OrganiserRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not request.user.is_authenticated:
            return sign_in_first(request)
        return view(request, *args, **kwargs)

    return guarded


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
        return response

    return guarded
