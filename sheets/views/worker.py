"""The service worker, which lets a sheet that was opened once open without network."""

from __future__ import annotations

import hashlib
import json

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.views.decorators.http import require_safe

from sheets import http

HTMX = "django_htmx/htmx-2.min.js"


@require_safe
def service_worker(request: http.PlayerRequest) -> HttpResponse:
    """Serve the worker from the root, which is what it may look after."""
    files = [static(name) for name in ("css/pad.css", "icon.svg", HTMX, *http.SCRIPTS)]
    context = {
        "files": json.dumps(files),
        "build": hashlib.sha256("".join(files).encode()).hexdigest()[:12],
        "static_url": settings.STATIC_URL,
    }
    response = render(request, "sw.js", context, content_type="text/javascript")
    response["Cache-Control"] = "no-cache"
    return response
