"""Put a backup in the place of the database, while no server runs."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from sheets import database_file


class Command(BaseCommand):
    """`manage.py restore FILE`: what `manage.py backup` copied is the database again."""

    help = "Puts a copy of a backup in the place of the SQLite database, which is kept beside it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="what `backup` made")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        if connection.vendor != "sqlite":
            raise CommandError("The data are in PostgreSQL: put them back with its pg_restore.")
        if not file.is_file():
            raise CommandError(f"There is no file {file}.")
        database = Path(connection.settings_dict["NAME"])
        connection.close()
        try:
            with database_file.hold(database):
                old = database_file.put_back(file, database)
        except (database_file.FileError, OSError, sqlite3.Error) as error:
            raise CommandError(f"Nothing was put back: {error}") from None
        self.stdout.write(f"{file} is the database again. Start the server.")
        if old is not None:
            self.stdout.write(f"What was the database is kept as {old}.")
