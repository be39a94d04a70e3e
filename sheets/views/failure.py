"""The answer to what no view could answer."""

from __future__ import annotations

import sys

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.defaults import server_error

from sheets import outages


def failure(request: HttpRequest) -> HttpResponse:
    """Answer a request that failed: 503 and what to do where the disk takes nothing in, else 500.

    A form that htmx sent stays as it is, and shows the sentence alone.
    """
    if not outages.takes_nothing_in(sys.exc_info()[1]):
        return server_error(request)
    sentence = _(
        "Nothing can be saved right now: the server's disk is full. What you typed is kept. "
        "Try again later, and tell the person who runs this server."
    )
    if "HX-Request" in request.headers:
        response = HttpResponse(sentence, content_type="text/plain", status=503)
        response["Trouble"] = "disk"
    else:
        response = HttpResponse(render_to_string("503.html", {"sentence": sentence}), status=503)
    response["Retry-After"] = str(outages.RETRY_AFTER)
    return response
