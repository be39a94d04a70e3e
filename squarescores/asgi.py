"""The one process that serves everything.

Pages go through Django's WSGI handler in a bounded pool of long-lived threads: Django's own ASGI
handler makes a thread and opens a database connection for every request. The phones' streams never
reach it: they stay on the event loop.
"""

from __future__ import annotations

from typing import Any

from a2wsgi import WSGIMiddleware
from django.conf import settings

from sheets import proxies
from squarescores.wsgi import application as pages_wsgi

# Needs the models, so only now: the line above sets Django up.
from sheets.live import stream  # isort: skip

pages = WSGIMiddleware(pages_wsgi, workers=settings.PAGE_THREADS)  # type: ignore[arg-type]


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Answer an HTTP request; there are no web sockets here."""
    if scope["type"] != "http":
        return
    proxies.notice(scope)
    if scope["path"].startswith(stream.PREFIX):
        await stream.answer(scope, receive, send)
    else:
        await pages(scope, receive, send)
