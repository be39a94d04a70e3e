"""The stream of a browser, GET /live/<token>,<token>: plain ASGI, before Django's handler.

No middleware, no thread and no database connection for each phone: the token alone says who it is.
"""

from __future__ import annotations

from typing import Any

from sheets.live import tokens
from sheets.live.hub import Send, hub, out

PREFIX = "/live/"
MOST = 16  # tokens of one stream, each for a table that some tab of the browser shows


async def answer(scope: Any, receive: Any, send: Send) -> None:
    """Tell a phone what happens at its tables until it goes, or until it is taken out of all.

    401 asks it to fetch its part of the sheet first, which carries a fresh token or says why not.
    Where only some of its tokens are good the event `out` names the others.
    """
    if scope["method"] != "GET":
        await _refuse(send, 405, (b"allow", b"GET"))
        return
    named = scope["path"].removeprefix(PREFIX).split(",")
    if len(named) > MOST:
        await _refuse(send, 400)
        return
    known = [viewer for token in named if (viewer := tokens.read_token(token))]
    if not known:
        await _refuse(send, 401)
        return
    if not await hub.ready():
        await _refuse(send, 503, (b"retry-after", b"2"))
        return
    viewers = [viewer for viewer in known if not hub.is_out(viewer)]
    if not viewers:
        await _refuse(send, 401)
        return
    opened = hub.add(viewers, send)
    for name in {tokens.name_in(token) for token in named} - {one.name for one in viewers} - {""}:
        opened.tell(out(name), name)
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
