"""When the disk takes nothing in: it is full, broken, or may not be written to.

Reading goes on. A write gets a sentence with status 503, which a phone's queue takes as "try again
later", and the log gets one line a minute instead of a traceback for each request.
"""

from __future__ import annotations

import errno
import logging
import threading
import time

from django.db import DatabaseError

LINE_EVERY = 60.0  # seconds between two lines in the log
RETRY_AFTER = 30  # seconds until a phone tries again
_SQLITE = ("SQLITE_FULL", "SQLITE_READONLY", "SQLITE_IOERR", "SQLITE_CANTOPEN")
_POSTGRESQL = {"53100", "58030", "25006"}  # disk full, I/O error, read-only transaction
_FILES = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}

_log = logging.getLogger("sheets.outages")
_lock = threading.Lock()
_next_line = 0.0  # on the monotonic clock


def takes_nothing_in(error: BaseException | None) -> bool:
    """Say whether this error means that nothing can be written down."""
    if isinstance(error, OSError):
        return error.errno in _FILES
    if not isinstance(error, DatabaseError):
        return False
    cause = error.__cause__
    name = getattr(cause, "sqlite_errorname", None) or ""
    return name.startswith(_SQLITE) or getattr(cause, "sqlstate", None) in _POSTGRESQL


def note(error: BaseException) -> None:
    """Write the line in the log, unless there was one within the minute."""
    global _next_line
    with _lock:
        now = time.monotonic()
        if now < _next_line:
            return
        _next_line = now + LINE_EVERY
    _log.error("Nothing can be saved: %s", error)


class OneLine(logging.Filter):
    """Keep tracebacks of a full disk, and the answers that say so, out of the log."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Drop the record where `note` says it better."""
        error = record.exc_info[1] if record.exc_info else None
        if error is None or not takes_nothing_in(error):
            return True
        note(error)
        return False
