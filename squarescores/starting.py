"""What is made and looked at before the server serves; whatever is wrong is said in a sentence."""

from __future__ import annotations

import contextlib
import os
import secrets
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import DatabaseError, OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder

from sheets import database_file, outages
from sheets.outages import Trouble
from squarescores.environment import var_dir

WAIT_FOR_POSTGRESQL: Final = 60.0  # seconds
SPARE_CONNECTIONS: Final = 5  # for notices, messages, commands and whoever looks after the database


_held: IO[str] | None = None  # open for as long as this process lives


class CannotStartError(Exception):
    """Why the server does not start, in a sentence that says what to do."""


@contextlib.contextmanager
def in_words() -> Iterator[None]:
    """Turn what a start may fail of, besides our own mistakes, into a CannotStartError."""
    try:
        yield
    except (ImproperlyConfigured, database_file.FileError) as error:
        raise CannotStartError(str(error)) from None
    except OSError as error:
        where = error.filename or var_dir()
        raise CannotStartError(
            f"The server cannot write what it needs: {error.strerror}: {where}. It keeps "
            f"everything in {var_dir()}; VAR_DIR names another folder."
        ) from None
    except DatabaseError as error:
        if sentence := _about(error):
            raise CannotStartError(sentence) from None
        raise


def _about(error: DatabaseError) -> str:
    """Return the sentence about an error of the database; empty: it is our own mistake."""
    said = " ".join(str(error).split())
    place = "PostgreSQL" if connection.vendor == "postgresql" else str(_file())
    code = getattr(error.__cause__, "sqlite_errorname", "") or ""
    if code.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return database_file.damaged(_file(), said)
    if getattr(error.__cause__, "sqlstate", "") == "42501":
        return f"PostgreSQL does not let this user make what the server needs: {said}."
    match outages.trouble(error):
        case Trouble.DISK:
            return f"Nothing can be saved in {place}: {said}. Is the disk full, or read-only?"
        case Trouble.BUSY:
            return f"Another program holds {place}: {said}. Stop it and start again."
        case Trouble.AWAY:
            return f"PostgreSQL does not answer: {said}."
        case None:
            # What stands in the address and means nothing to PostgreSQL.
            wrong = "connection option" in said
            return f"DATABASE_URL cannot be used: {said}." if wrong else ""


def make_secret_key() -> None:
    """Make the key once; sessions and tokens signed with it survive a restart."""
    var = var_dir()
    var.mkdir(parents=True, exist_ok=True)
    path = Path(os.getenv("SECRET_KEY_FILE") or var / "secret_key")
    if os.getenv("SECRET_KEY") or path.exists():
        return
    # Readable by the server alone, and never half written: a key appears whole or not at all.
    half = path.with_name(f"{path.name}.new")
    with open(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(secrets.token_urlsafe(64))
        file.flush()
        os.fsync(file.fileno())
    half.replace(path)


def prepare_database() -> None:
    """Make the tables of the database, or bring those that are there up to date.

    On SQLite this process then holds the file until it ends. Raises what `in_words` knows.
    """
    global _held
    if connection.vendor == "sqlite":
        _held = database_file.hold(_file())
        database_file.look_at(_file())
    else:
        _wait_for_postgresql()
    _refuse_newer()
    call_command("migrate", verbosity=0)
    connection.close()  # pages have their own


def leave_one_file() -> None:
    """Leave all data in the one file of SQLite, so that a copy of it is a copy of everything."""
    if connection.vendor == "sqlite":
        with contextlib.suppress(sqlite3.Error):  # then the log is read at the next start
            database_file.leave_one_file(_file())


def _file() -> Path:
    return Path(connection.settings_dict["NAME"])


def _wait_for_postgresql() -> None:
    until, said = time.monotonic() + WAIT_FOR_POSTGRESQL, ""
    while True:
        try:
            connection.ensure_connection()
            break
        except OperationalError as error:
            why = " ".join(str(error).split())
        if why != said:
            print(f"Waiting a minute at most for PostgreSQL: {why}", flush=True)
        said = why
        if time.monotonic() > until:
            raise CannotStartError(
                f"PostgreSQL did not answer within a minute: {why}. Look at DATABASE_URL, and "
                "whether PostgreSQL runs."
            )
        time.sleep(1)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_setting('max_connections')::int"
            " - current_setting('superuser_reserved_connections')::int"
        )
        (most,) = cursor.fetchone()
        # A change of the tables takes the time it needs; pages come with limits of their own.
        cursor.execute("SET statement_timeout = 0")
    if most - SPARE_CONNECTIONS < settings.PAGE_THREADS:
        raise CannotStartError(
            f"PAGE_THREADS is {settings.PAGE_THREADS}, and each keeps a connection; this "
            f"PostgreSQL allows {most}. Set at most {most - SPARE_CONNECTIONS}."
        )


def _refuse_newer() -> None:
    """Refuse a database that a newer program has changed: this one does not know its tables."""
    ours = {path.stem for path in Path(settings.BASE_DIR, "sheets/migrations").glob("0*.py")}
    applied = MigrationRecorder(connection).applied_migrations()
    if newer := sorted(name for app, name in applied if app == "sheets" and name not in ours):
        raise CannotStartError(
            f"This database belongs to a newer SquareScores (it knows {newer[-1]}). Start that "
            "one, or put a backup from before in its place."
        )
