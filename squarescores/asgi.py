"""The one process that serves everything.

Pages go through Django's WSGI handler in a bounded pool of long-lived threads: Django's own ASGI
handler makes a thread and opens a database connection for every request. The phones' streams never
reach it: they stay on the event loop. What changes something has threads of its own, so that
whoever looks never stands in a queue behind writes that wait for a lock.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from a2wsgi import WSGIMiddleware
from django.conf import settings

from sheets import proxies
from sheets.outages import RETRY_AFTER, Trouble
from squarescores.door import Application, Door, refuse
from squarescores.wsgi import application as pages_wsgi

# Needs the models, so only now: the line above sets Django up.
from sheets.live import stream  # isort: skip
from sheets.views.failure import send_again  # isort: skip

# Each thread keeps one database connection, so this is also the number of connections.
WRITING_THREADS = max(1, settings.PAGE_THREADS // 2)
LOOKING_THREADS = max(1, settings.PAGE_THREADS - WRITING_THREADS)


_executors: list[ThreadPoolExecutor] = []


def _pages(threads: int) -> Application:
    pages = WSGIMiddleware(pages_wsgi, workers=threads)  # type: ignore[arg-type]
    _executors.append(pages.executor)
    return pages  # type: ignore[return-value]


def in_turn(pages: Application, threads: int) -> Application:
    """Wait no longer for a free thread than for a lock: then the phone is told to try again."""
    free = asyncio.Semaphore(threads)

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        try:
            await asyncio.wait_for(free.acquire(), settings.WAIT_FOR_LOCK)
        except TimeoutError:
            trouble = ((b"trouble", b"busy"), (b"retry-after", b"%d" % RETRY_AFTER[Trouble.BUSY]))
            await refuse(send, 503, send_again(Trouble.BUSY), *trouble)
            return
        try:
            await pages(scope, receive, send)
        finally:
            free.release()

    return answer


writing = Door(in_turn(_pages(WRITING_THREADS), WRITING_THREADS))
looking = Door(_pages(LOOKING_THREADS))


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
