"""The answer to what no view could answer."""

from __future__ import annotations

import sys

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.defaults import server_error

from sheets import outages
from sheets.outages import Trouble


def failure(request: HttpRequest) -> HttpResponse:
    """Answer a request that failed: 503 and what to do where the database is in trouble, else 500.

    A form that htmx sent stays as it is, and shows the sentence alone.
    """
    trouble = outages.trouble(sys.exc_info()[1])
    if trouble is None:
        return server_error(request)
    looks = request.method in ("GET", "HEAD")
    sentence = _look_again(trouble) if looks else _send_again(trouble)
    if "HX-Request" in request.headers:
        response = HttpResponse(sentence, content_type="text/plain", status=503)
        response["Trouble"] = trouble.value
    else:
        context = {"sentence": sentence, "looks": looks}
        response = HttpResponse(render_to_string("503.html", context), status=503)
    response["Retry-After"] = str(outages.RETRY_AFTER[trouble])
    return response


def _send_again(trouble: Trouble) -> str:
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
