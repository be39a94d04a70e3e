"""A form whose token was refused: what is the matter with it, and what to do."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpResponse
from django.middleware import csrf

from sheets import http
from sheets.http import PlayerRequest

LONGEST_ORIGIN = 100  # letters of it that are shown
_OF_ANOTHER_SITE = (
    csrf.REASON_NO_REFERER,
    csrf.REASON_MALFORMED_REFERER,
    csrf.REASON_INSECURE_REFERER,
)
_START_OF_BAD_REFERER = csrf.REASON_BAD_REFERER.partition("%s")[0]


def form_refused(request: PlayerRequest, reason: str = "") -> HttpResponse:
    """Answer a form that Django refused with this reason (`django.middleware.csrf`).

    Nothing was saved. Mostly the page was open longer than its token, or cookies were cleared.
    """
    origin = request.META.get("HTTP_ORIGIN", "")
    context = {
        "why": _why(reason, origin),
        "origin": origin[:LONGEST_ORIGIN],
        "here": f"{settings.SHARED_URL}{request.path}",
        "back": http.page_of(request),
    }
    response = http.page(request, "sheets/form_refused.html", context, status=403)
    response["Refused"] = "token"
    return response


def _why(reason: str, origin: str) -> str:
    if reason == csrf.REASON_BAD_ORIGIN % origin:
        return "hidden" if origin == "null" else "elsewhere"
    if reason in _OF_ANOTHER_SITE or reason.startswith(_START_OF_BAD_REFERER):
        return "hidden"
    return "cookie" if reason == csrf.REASON_NO_CSRF_COOKIE else "old"
