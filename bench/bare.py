"""A stream that says hello and nothing more, to compare with."""

from __future__ import annotations

from typing import Any


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Hold the stream until the phone goes."""
    head = {"type": "http.response.start", "status": 200, "headers": []}
    await send(head)
    await send({"type": "http.response.body", "body": b"event: hello\n\n", "more_body": True})
    while (await receive())["type"] != "http.disconnect":
        pass
