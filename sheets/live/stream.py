"""The stream of a table, GET /live/<token>: plain ASGI, before Django's handler.

No middleware, no thread and no database connection for each phone: the token alone says who it is.
"""

from __future__ import annotations

from typing import Any

from sheets.live import tokens
from sheets.live.hub import Send, hub

PREFIX = "/live/"


async def answer(scope: Any, receive: Any, send: Send) -> None:
    """Tell a phone what happens at its table until it goes, or until it is taken out.

    401 asks it to fetch its part of the sheet first, which carries a fresh token or says why not.
    """
    if scope["method"] != "GET":
        await _refuse(send, 405, (b"allow", b"GET"))
        return
    viewer = tokens.read_token(scope["path"].removeprefix(PREFIX))
    if viewer is None:
        await _refuse(send, 401)
        return
    if not await hub.ready():
        await _refuse(send, 503, (b"retry-after", b"2"))
        return
    if hub.is_out(viewer):
        await _refuse(send, 401)
        return
    opened = hub.add(viewer, send)
    try:
        await opened.begin()
        # The server's own task waits here; what is sent is sent by others.
        while (await receive())["type"] != "http.disconnect":
            pass
    finally:
        hub.remove(opened)


async def _refuse(send: Send, status: int, *headers: tuple[bytes, bytes]) -> None:
    always = [(b"content-length", b"0"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": [*always, *headers]})
    await send({"type": "http.response.body", "body": b""})
