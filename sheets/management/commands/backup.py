"""Copy the database into one file, also while the server runs."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from sheets import database_file
from sheets.models import Round, Table


class Command(BaseCommand):
    """`manage.py backup FILE`: a copy of the database that `manage.py restore` puts back."""

    help = "Copies the SQLite database into a file of its own, also while the server runs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the copy; it must not be there yet")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        if connection.vendor != "sqlite":
            raise CommandError("The data are in PostgreSQL: copy them with its own pg_dump.")
        if file.exists():
            raise CommandError(f"{file} is there already. Choose another name.")
        database = Path(connection.settings_dict["NAME"])
        if not database.exists():
            raise CommandError(f"There is no database {database} yet.")
        try:
            database_file.copy(database, file)
        except (database_file.FileError, OSError, sqlite3.Error) as error:
            raise CommandError(f"Nothing was copied: {error}") from None
        tables, hands = Table.objects.count(), Round.objects.count()
        self.stdout.write(f"{file} is a copy of everything: {tables} tables, {hands} hands.")
