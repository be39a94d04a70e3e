"""Between the event loop and the threads that make pages.

A thread is taken only once a body is here, whole, and is given back as soon as the page is made:
clients that send or read slowly cost memory within bounds, and no thread. A body that breaks off
is never handed to a page.
"""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping
from typing import IO, Any, Final

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Any, Receive, Send], Awaitable[None]]

MOST_BODY: Final = 1024 * 1024  # bytes of a form
MOST_FILE: Final = 22 * 1024 * 1024  # bytes of an import, a little more than its page accepts
IMPORTS: Final = re.compile(r"/clubs/[^/]+/files/import/")
BODY_SECONDS: Final = 30.0  # from the head of a request to the end of its body
FILE_SECONDS: Final = 300.0
# What is too large is read on so far, and thrown away: browsers show an answer only to what they
# have sent whole.
MOST_IGNORED: Final = 10 * MOST_FILE
MOST_AT_ONCE: Final = 128 * 1024 * 1024  # bytes of all bodies that are here and not answered yet
IN_MEMORY: Final = 1024 * 1024  # bytes of an answer that wait for their reader; the rest is a file


class Door:
    """An ASGI application in front of another one that does not wait for its clients."""

    def __init__(self, pages: Application) -> None:
        self.pages = pages
        self.held = 0  # bytes of bodies

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Read the body, let the page be made, and send it as fast as it is read."""
        is_file = IMPORTS.fullmatch(scope["path"]) is not None
        most, seconds = (MOST_FILE, FILE_SECONDS) if is_file else (MOST_BODY, BODY_SECONDS)
        parts: list[bytes] = []
        try:
            try:
                refusal = await asyncio.wait_for(self._read(receive, parts, most), seconds)
            except TimeoutError:
                refusal = (408, "This request took too long to arrive.")
            except ConnectionError:
                return
            if refusal:
                await refuse(send, *refusal)
            else:
                await self._answer(scope, b"".join(parts), receive, send)
        finally:
            self.held -= sum(map(len, parts))

    async def _read(
        self, receive: Receive, parts: list[bytes], most: int
    ) -> tuple[int, str] | None:
        """Collect the body in `parts`; return a refusal where it is too large.

        Raises ConnectionError when the client is gone before its body is whole.
        """
        size, refusal = 0, None
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ConnectionError
            part = message.get("body", b"")
            size += len(part)
            if size > MOST_IGNORED:
                return 413, f"At most {most // 1024} kB fit in here."
            if size > most:
                refusal = (413, f"At most {most // 1024} kB fit in here.")
            elif self.held + len(part) > MOST_AT_ONCE:
                refusal = (503, "Too much arrives at once. Try again in a minute.")
            if refusal:
                self.held -= sum(map(len, parts))
                parts.clear()
            elif part:
                parts.append(part)
                self.held += len(part)
            if not message.get("more_body", False):
                return refusal

    async def _answer(self, scope: Any, body: bytes, receive: Receive, send: Send) -> None:
        waiting = Waiting(send)

        async def whole_body() -> Message:
            nonlocal body
            message = {"type": "http.request", "body": body, "more_body": False}
            body = b""
            return message

        sending = asyncio.create_task(waiting.pass_on())
        try:
            await self.pages(scope, whole_body, waiting.take)
            await sending
        finally:
            sending.cancel()
            waiting.close()


class Waiting:
    """An answer on its way to a client that may read slowly."""

    def __init__(self, send: Send) -> None:
        self.send = send
        self.messages: deque[Message] = deque()
        self.in_memory = 0  # bytes
        self.file: IO[bytes] | None = None
        self.read = self.written = 0  # bytes of the file
        self.last: Message | None = None
        self.news = asyncio.Event()

    async def take(self, message: Message) -> None:
        """Take a part of the answer from the thread that makes it; never waits for the client."""
        body = message.get("body", b"")
        if message["type"] == "http.response.body" and not message.get("more_body", False):
            self.last = message
        elif self.file is not None or self.in_memory + len(body) > IN_MEMORY:
            if self.file is None:
                self.file = tempfile.TemporaryFile()  # noqa: SIM115 - `close` lets it go
            self.file.seek(self.written)
            self.written += self.file.write(body)
        else:
            self.messages.append(message)
            self.in_memory += len(body)
        self.news.set()

    async def pass_on(self) -> None:
        """Send what there is, in order, until the last part is sent."""
        while True:
            if self.messages:
                message = self.messages.popleft()
                self.in_memory -= len(message.get("body", b""))
                await self.send(message)
            elif self.file is not None and self.read < self.written:
                self.file.seek(self.read)
                part = self.file.read(64 * 1024)
                self.read += len(part)
                await self.send({"type": "http.response.body", "body": part, "more_body": True})
            elif self.last is not None:
                await self.send(self.last)
                return
            else:
                self.news.clear()
                await self.news.wait()

    def close(self) -> None:
        """Let the file go."""
        if self.file is not None:
            self.file.close()


async def refuse(send: Send, status: int, sentence: str, *more: tuple[bytes, bytes]) -> None:
    """Answer with a line of plain text, and close."""
    text = sentence.encode()
    headers = [
        *more,
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", b"%d" % len(text)),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text})
