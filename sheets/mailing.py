"""Messages go out beside the request: one thread of the server sends them, one after the other.

Nobody waits for a mail server, and how long an answer takes tells nobody who has an account: what
is looked up for a message is looked up in that thread too. Where no server runs (a command, a test)
a message goes out within the call.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable

from django.db import connection

log = logging.getLogger(__name__)

MOST_WAITING = 100
LONGEST_LINE = 300  # letters of what a mail server says that go into the log


class Sender:
    """A row of messages, of bounded length, and the thread that sends them."""

    def __init__(self, most: int = MOST_WAITING) -> None:
        self.most = most
        self._waiting: queue.SimpleQueue[Callable[[], object] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._stopped = threading.Event()

    def start(self) -> None:
        """Send beside the requests from now on."""
        self._thread = threading.Thread(target=self._run, name="mail", daemon=True)
        self._thread.start()

    def later(self, send: Callable[[], object]) -> None:
        """Send a message as soon as those before it are out; what fails is one line in the log."""
        if self._thread is None:
            _try(send)
        elif self._waiting.qsize() < self.most:
            self._waiting.put(send)
        else:
            log.warning("A message was not sent: %d wait for the mail server.", self.most)

    def stop(self, within: float) -> None:
        """Finish the message that is on its way, for so many seconds at most, and drop the rest."""
        if self._thread is None:
            return
        self._stopped.set()
        left = self._waiting.qsize()
        self._waiting.put(None)
        self._thread.join(within)
        left += self._thread.is_alive()
        if left:
            log.warning("The server stopped: %d requests for a message were dropped.", left)

    def _run(self) -> None:
        while (send := self._waiting.get()) is not None and not self._stopped.is_set():
            _try(send)
            connection.close()  # the next message may be days away


def _try(send: Callable[[], object]) -> None:
    try:
        send()
    except Exception as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())
        log.warning("A message was not sent. %s", said[:LONGEST_LINE])


sender = Sender()
