"""The one process that serves everything.

Pages go through Django's WSGI handler in a bounded pool of long-lived threads: Django's own ASGI
handler makes a thread and opens a database connection for every request. The phones' streams never
reach it: they stay on the event loop.
"""

from __future__ import annotations

import os
from typing import Any

from a2wsgi import WSGIMiddleware

from squarescores.wsgi import application as pages_wsgi

# Needs the models, so only now: the line above sets Django up.
from sheets.live import stream  # isort: skip

# Each thread keeps one database connection, so this is also the number of connections.
PAGE_THREADS = int(os.getenv("PAGE_THREADS", "8"))

pages = WSGIMiddleware(pages_wsgi, workers=PAGE_THREADS)  # type: ignore[arg-type]


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Answer an HTTP request; there are no web sockets here."""
    if scope["type"] != "http":
        return
    if scope["path"].startswith(stream.PREFIX):
        await stream.answer(scope, receive, send)
    else:
        await pages(scope, receive, send)
