"""The answers to what no view could answer."""

from __future__ import annotations

import sys
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.defaults import server_error

from sheets import outages
from sheets.outages import Trouble
from sheets.readable import Unreadable


def failure(request: HttpRequest) -> HttpResponse:
    """Answer a request that failed: 503 and what to do where the database is in trouble, else 500.

    A form that htmx sent stays as it is, and shows the sentence alone.
    """
    trouble = outages.trouble(sys.exc_info()[1])
    if trouble is None:
        return server_error(request)
    looks = request.method in ("GET", "HEAD")
    sentence = _look_again(trouble) if looks else send_again(trouble)
    response = _answer(request, 503, trouble.value, {"sentence": sentence, "looks": looks})
    response["Retry-After"] = str(outages.RETRY_AFTER[trouble])
    return response


def unreadable(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request that makes no sense with 400; what Django found says nothing of itself."""
    sentence = str(exception) if isinstance(exception, Unreadable) else ""
    context = {"sentence": sentence or _("A part of it is broken or too long.")}
    response = _answer(request, 400, "request", context)
    if request.method == "POST":
        response["Refused"] = "unreadable"  # a phone's queue holds it, and does not try it again
    return response


def _answer(
    request: HttpRequest, status: int, trouble: str, context: dict[str, Any]
) -> HttpResponse:
    """Make a page of a sentence, without a look at the request's form or the database."""
    if "HX-Request" in request.headers:
        response = HttpResponse(context["sentence"], content_type="text/plain", status=status)
        response["Trouble"] = trouble  # the script shows the sentence above the form
        return response
    return HttpResponse(render_to_string(f"{status}.html", context), status=status)


def send_again(trouble: Trouble) -> str:
    """Return the sentence for a form that was not saved because of this trouble."""
    match trouble:
        case Trouble.DISK:
            return _(
                "Nothing can be saved right now: the server's disk is full. What you typed is "
                "kept. Try again later, and tell the person who runs this server."
            )
        case Trouble.BUSY:
            return _(
                "This was not saved: the server is busy. What you typed is kept. Try again in a "
                "few seconds."
            )
        case Trouble.AWAY:
            return _(
                "This was not saved: the server cannot reach its database. What you typed is "
                "kept. Try again in a minute."
            )


def _look_again(trouble: Trouble) -> str:
    match trouble:
        case Trouble.DISK:
            return _(
                "The server's disk is full or broken. Try again later, and tell the person who "
                "runs this server."
            )
        case Trouble.BUSY:
            return _("The server is busy. Try again in a few seconds.")
        case Trouble.AWAY:
            return _("The server cannot reach its database. Try again in a minute.")
