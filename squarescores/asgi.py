"""The one process that serves everything.

Pages go through Django's WSGI handler in a bounded pool of long-lived threads: Django's own ASGI
handler makes a thread and opens a database connection for every request. The phones' streams never
reach it: they stay on the event loop. What changes something has threads of its own, so that
whoever looks never stands in a queue behind writes that wait for a lock.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from a2wsgi import WSGIMiddleware
from django.conf import settings

from sheets import proxies
from squarescores.door import Door
from squarescores.wsgi import application as pages_wsgi

# Needs the models, so only now: the line above sets Django up.
from sheets.live import stream  # isort: skip

# Each thread keeps one database connection, so this is also the number of connections.
WRITING_THREADS = max(1, settings.PAGE_THREADS // 2)
LOOKING_THREADS = max(1, settings.PAGE_THREADS - WRITING_THREADS)


_executors: list[ThreadPoolExecutor] = []


def _pages(threads: int) -> Door:
    pages = WSGIMiddleware(pages_wsgi, workers=threads)  # type: ignore[arg-type]
    _executors.append(pages.executor)
    return Door(pages)  # type: ignore[arg-type]


writing, looking = _pages(WRITING_THREADS), _pages(LOOKING_THREADS)


def end_threads() -> None:
    """Let the threads finish the pages they are at, and end them."""
    for executor in _executors:
        executor.shutdown(wait=True, cancel_futures=True)


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Answer an HTTP request; there are no web sockets here."""
    if scope["type"] != "http":
        return
    proxies.notice(scope)
    if scope["path"].startswith(stream.PREFIX):
        await stream.answer(scope, receive, send)
    elif scope["method"] in ("GET", "HEAD", "OPTIONS"):
        await looking(scope, receive, send)
    else:
        await writing(scope, receive, send)
