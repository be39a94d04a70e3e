"""The one file of SQLite: who holds it, whether it is sound, copies of it and putting one back.

Beside it SQLite keeps a write-ahead log (`-wal`) with what is not in the file yet. A log that lies
beside another file than its own is played into that file all the same, and ruins it.
"""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import os
import re
import sqlite3
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final, NamedTuple

BESIDE: Final = ("-wal", "-shm")
_MAGIC: Final = b"SQLite format 3\0"
_FOREIGN: Final = (
    "{log} belongs to another database than {file}. If you have put a backup in its place, move "
    "{log} and {shm} away and start again."
)


class FileError(Exception):
    """Why the file cannot be used, in a sentence that says what to do."""


def hold(file: Path) -> IO[str]:
    """Hold the database file for a process that serves it, for as long as the result is open.

    Raises FileError while another process holds it, and OSError where the folder takes nothing in.
    """
    lock = open(file.with_name("server.lock"), "a", encoding="ascii")  # noqa: SIM115
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise FileError(
            f"A SquareScores is running on {file}, and only one may. Stop it first, or give this "
            "one a folder of its own with VAR_DIR."
        ) from None
    except OSError:
        pass  # a file system that knows no locks
    return lock


def look_at(file: Path) -> None:
    """Raise FileError where the file, with its log, is not a sound database of its own.

    Changes nothing on the disk. Only after a crash is there a log, and only then is all read.
    """
    log = beside(file, "-wal")
    if not file.exists() or not log.exists() or not log.stat().st_size:
        return
    foreign = _FOREIGN.format(log=log, file=file, shm=beside(file, "-shm").name)
    if is_of_another(log, file):
        raise FileError(foreign)
    if wrong := damage(file):
        alone = "" if damage(file, alone=True) else f" {foreign}"
        raise FileError(damaged(file, wrong) + alone)


def damaged(file: Path, wrong: str) -> str:
    """Say that a database is damaged, and what to do."""
    return (
        f"The database {file} is damaged ({wrong}). Put a backup in its place: "
        "python manage.py restore FILE."
    )


def damage(file: Path, *, alone: bool = False) -> str:
    """Return what is wrong in a database, without its log if `alone`; empty: nothing."""
    try:
        with _opened(file, alone=alone) as database:
            said: str = database.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.DatabaseError as error:
        return str(error)
    return "" if said == "ok" else " ".join(said.split())


def beside(file: Path, suffix: str) -> Path:
    """Return the path of what SQLite keeps beside a file."""
    return file.with_name(file.name + suffix)


@contextlib.contextmanager
def _opened(file: Path, *, alone: bool = False) -> Iterator[sqlite3.Connection]:
    """Open a database for reading only; `alone`: as if there were no log and no writer."""
    mode = "immutable=1" if alone else "mode=ro"
    with contextlib.closing(sqlite3.connect(f"{file.absolute().as_uri()}?{mode}", uri=True)) as db:
        # Some of our constraints ask for it, and so does whatever checks them.
        db.create_function("regexp", 2, lambda form, text: bool(re.search(form, str(text))))
        yield db


def is_of_another(log: Path, file: Path) -> bool:
    """Say whether a write-ahead log was surely not written for this file.

    Only a database that says that it has a log can have one; what `copy` and VACUUM make says not.
    For copies made otherwise there is a count of its own changes on the first page: the log holds
    that page again for each change of it, so the file has the count before the first one in the
    log, or one of those in it.
    """
    with file.open("rb") as whole:
        page = whole.read(100)
    first, last, pages = _logged(log)
    if not page.startswith(_MAGIC) or pages == 0:
        return False  # no database, or nothing in the log counts
    here = _first_page(page)
    if first is None or last is None:
        # No page was added since, or the log would hold the first page.
        return not here.has_log or here.pages != pages
    return not here.has_log or not first.changes - 1 <= here.changes <= last.changes


class FirstPage(NamedTuple):
    """What the first page of a database says of it (SQLite's file format, 1.3)."""

    has_log: bool
    changes: int  # of this page
    pages: int


def _first_page(page: bytes) -> FirstPage:
    return FirstPage(page[18] == 2, *struct.unpack_from(">II", page, 24))


def _logged(log: Path) -> tuple[FirstPage | None, FirstPage | None, int]:
    """Return the first and the last first page in a log, and how many pages there are after it.

    Only what was committed is read: frames with the salt of this log, up to the last that ends a
    transaction (file format, 4.1 and 4.2).
    """
    first = last = under_way = None
    pages = 0
    with log.open("rb") as frames:
        head = frames.read(32)
        if len(head) < 32:
            return None, None, 0
        size, salt = struct.unpack(">I", head[8:12])[0], head[16:24]
        while (frame := frames.read(24))[8:16] == salt:
            number, after = struct.unpack(">II", frame[:8])
            page = frames.read(size) if number == 1 else b""
            if number == 1 and page.startswith(_MAGIC):
                under_way = _first_page(page)
                first = first or under_way
            elif number != 1:
                frames.seek(size, os.SEEK_CUR)
            if after:
                last, pages = under_way, after
    return (first if last else None), last, pages


def leave_one_file(file: Path) -> None:
    """Put everything from the log into the file; whoever closes it last removes the log."""
    with contextlib.closing(sqlite3.connect(file, timeout=1)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def copy(file: Path, to: Path) -> None:
    """Copy a database, also while a server runs; the copy is whole or not there at all.

    Raises FileError where it is damaged, OSError or sqlite3.Error where it cannot be written.
    """
    half = to.with_name(f"{to.name}.new")
    half.unlink(missing_ok=True)
    try:
        # A folder that may not be written to has no place for what SQLite shares with a writer.
        alone = not beside(file, "-wal").exists() and not os.access(file.parent, os.W_OK)
        with _opened(file, alone=alone) as here, contextlib.closing(sqlite3.connect(half)) as there:
            here.backup(there)
            there.execute("PRAGMA journal_mode = DELETE")  # no log is this file's own
        if wrong := damage(half):
            raise FileError(damaged(file, wrong))
        half.chmod(0o600)
        with half.open("rb") as written:
            os.fsync(written.fileno())
        half.replace(to)
    finally:
        half.unlink(missing_ok=True)


def put_back(backup: Path, file: Path) -> Path | None:
    """Put a copy of a backup in the place of a database; return where that one is now.

    Nobody may have the database open. What lies beside it moves with it.
    """
    new = file.with_name(f"{file.name}.restored")
    copy(backup, new)
    names = (file.with_name(f"{file.name}.replaced-{n}") for n in itertools.count(1))
    old = next(name for name in names if not name.exists())
    for suffix in ("", *BESIDE):
        with contextlib.suppress(FileNotFoundError):
            beside(file, suffix).rename(beside(old, suffix))
    new.rename(file)
    return old if old.exists() else None
