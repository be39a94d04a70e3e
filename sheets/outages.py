"""When the database does not do what it should: the disk takes nothing in, a lock is not to be had
in time, or nobody answers.

Then a page gets a sentence with status 503, which a phone's queue takes as "try again later", and
the log gets one line a minute instead of a traceback for each request.
"""

from __future__ import annotations

import enum
import errno
import logging
import threading
import time
from typing import Final

from django.db import DatabaseError, OperationalError, connection

LINE_EVERY: Final = 60.0  # seconds between two lines in the log about one trouble


class Trouble(enum.Enum):
    """What is wrong, as the header `Trouble` says it."""

    DISK = "disk"  # full, broken, or may not be written to: reading goes on
    BUSY = "busy"  # somebody else holds what this request waited for
    AWAY = "away"  # no database answers


# Seconds until a phone tries again.
RETRY_AFTER: Final = {Trouble.DISK: 30, Trouble.BUSY: 5, Trouble.AWAY: 10}
_LINES: Final = {
    Trouble.DISK: "Nothing can be saved: %s",
    Trouble.BUSY: "A request waited too long for the database: %s",
    Trouble.AWAY: "The database does not answer: %s",
}
_SQLITE: Final = {
    "SQLITE_FULL": Trouble.DISK,
    "SQLITE_READONLY": Trouble.DISK,
    "SQLITE_IOERR": Trouble.DISK,
    "SQLITE_CANTOPEN": Trouble.DISK,
    "SQLITE_BUSY": Trouble.BUSY,
    "SQLITE_LOCKED": Trouble.BUSY,
}
_POSTGRESQL: Final = {
    "53100": Trouble.DISK,  # disk full
    "58030": Trouble.DISK,  # I/O error
    "25006": Trouble.DISK,  # read-only transaction
    "55P03": Trouble.BUSY,  # no lock within lock_timeout
    "57014": Trouble.BUSY,  # no end within statement_timeout
    "25P03": Trouble.BUSY,  # idle in a transaction for too long
    "40P01": Trouble.BUSY,  # two waited in a circle
    "53300": Trouble.AWAY,  # too many connections
    "57P01": Trouble.AWAY,  # being stopped
    "57P02": Trouble.AWAY,  # crashed
    "57P03": Trouble.AWAY,  # starting
}
_FILES: Final = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}

_log = logging.getLogger("sheets.outages")
_lock = threading.Lock()
_next_line: dict[Trouble | None, float] = {}  # on the monotonic clock


class BusyError(OperationalError):
    """Others of this process were writing for longer than a write may wait."""


def trouble(error: BaseException | None) -> Trouble | None:
    """Return what this error says is wrong with the database; None: it is our own mistake."""
    if isinstance(error, BusyError):
        return Trouble.BUSY
    if isinstance(error, OSError):
        return Trouble.DISK if error.errno in _FILES else None
    if not isinstance(error, DatabaseError):
        return None
    cause = error.__cause__
    if name := getattr(cause, "sqlite_errorname", None):
        return _SQLITE.get("_".join(name.split("_")[:2]))
    if state := getattr(cause, "sqlstate", None):
        return Trouble.AWAY if state.startswith("08") else _POSTGRESQL.get(state)
    # What is said about a connection that cannot be made, or broke, has no code.
    lost = isinstance(error, OperationalError) and connection.vendor == "postgresql"
    return Trouble.AWAY if lost else None


def note(error: BaseException) -> None:
    """Write a line in the log, unless there was one about the same trouble within the minute."""
    kind = trouble(error)
    with _lock:
        now = time.monotonic()
        if now < _next_line.get(kind, 0.0):
            return
        _next_line[kind] = now + LINE_EVERY
    said = " ".join(str(error).split())
    if kind is None:
        _log.error("Something failed: %s", said, exc_info=error)
    else:
        _log.error(_LINES[kind], said)


def forget() -> None:
    """Forget what the log was told."""
    _next_line.clear()


class OneLine(logging.Filter):
    """Keep tracebacks of a database in trouble, and the answers that say so, out of the log."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Drop the record where `note` says it better."""
        error = record.exc_info[1] if record.exc_info else None
        if error is None or trouble(error) is None:
            return True
        note(error)
        return False
