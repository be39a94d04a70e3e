"""HTTP on a socket, with bounds: how large a head may be, how long it may take, how many may come.

A connection costs a file and a timer until its head is complete, and no thread before its body is
(`door.py`). What breaks a bound is closed with a line of plain text.
"""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol


class BoundedProtocol(HttpToolsProtocol):
    """Uvicorn's protocol, which by itself waits for a head for ever and takes any size of one."""

    MOST_HEAD: ClassVar = 32 * 1024  # bytes: of one request line with its headers
    HEAD_SECONDS: ClassVar = 10.0  # from the first byte, or from connecting, to the end of the head
    STUCK_SECONDS: ClassVar = 60.0  # an answer of which nothing is read for as long is given up
    # Set at start from the number of files that this process may open.
    most_connections: ClassVar = 1000

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._head = 0  # bytes of a head under way
        self._late: asyncio.TimerHandle | None = None  # set while one is
        self._stuck: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, or close it where there are as many as there may be."""
        super().connection_made(transport)
        if len(self.connections) > self.most_connections:
            transport.abort()
        else:
            self._begin_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the timers."""
        self._head_is_complete()
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Count what belongs to a head, and let the parser see it only within the bound."""
        if self._late is None:
            super().data_received(data)
            return
        this_head, room = self._late, self.MOST_HEAD - self._head
        self._head += len(data)
        super().data_received(data[:room])
        if self.transport.is_closing():
            return
        if self._late is this_head and self._head >= self.MOST_HEAD:
            self._refuse(431, "The head of this request is too large.")
        elif data[room:]:  # the head ended within the bound: this is body, or the next head
            self.data_received(data[room:])

    def on_message_begin(self) -> None:
        """Start the clock for the next request on a connection that was kept."""
        super().on_message_begin()
        if self._late is None:
            self._begin_head()

    def on_headers_complete(self) -> None:
        """Stop the clock: the body has a deadline of its own."""
        self._head_is_complete()
        super().on_headers_complete()

    def pause_writing(self) -> None:
        """Give an answer up that nobody reads."""
        super().pause_writing()
        self._stuck = self.loop.call_later(self.STUCK_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on: somebody reads."""
        super().resume_writing()
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None

    def _begin_head(self) -> None:
        self._head = 0
        self._late = self.loop.call_later(
            self.HEAD_SECONDS, self._refuse, 408, "The head of this request took too long."
        )

    def _head_is_complete(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _refuse(self, status: int, sentence: str) -> None:
        """Answer in a line and close, unless an earlier answer is still on its way."""
        if self.cycle is None or self.cycle.response_complete:
            self.transport.write(
                b"%scontent-type: text/plain\r\ncontent-length: %d\r\nconnection: close\r\n\r\n%s"
                % (STATUS_LINE[status], len(sentence), sentence.encode())
            )
        self.transport.close()
