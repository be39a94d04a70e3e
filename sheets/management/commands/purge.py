"""Delete the tables nobody has played at for a long time; deletes only when told to."""

from __future__ import annotations

import datetime
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from sheets import http, lifetimes
from sheets.actions import purge_table
from sheets.models import Table


class Command(BaseCommand):
    """`manage.py purge`: which tables would go; `manage.py purge --delete`: they go."""

    help = "Lists the tables whose last change is older than PURGE_AFTER_DAYS days."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--delete", action="store_true", help="delete them, too")

    def handle(self, *args: Any, delete: bool, **options: Any) -> None:
        days = settings.PURGE_AFTER_DAYS
        if not days:
            raise CommandError("PURGE_AFTER_DAYS is 0: tables are kept for good.")
        before = timezone.now() - datetime.timedelta(days=days)
        found = lifetimes.unused_since(before)
        gone = 0
        for table, last in found:
            line = _line(table, last)
            # Somebody may have sat down since it was found: then it stays.
            if delete and not purge_table(table.pk, before):
                line += ": stays, it was played at just now"
            else:
                gone += 1
            self.stdout.write(line)
        tables = f"{gone} table" if gone == 1 else f"{gone} tables"
        if delete:
            self.stdout.write(f"{tables} deleted: nothing was done there for {days} days.")
        else:
            self.stdout.write(
                f"{tables} would be deleted: nothing was done there for {days} days. "
                "Nothing is deleted yet; --delete does it."
            )


def _line(table: Table, last: datetime.datetime) -> str:
    size = lifetimes.size(table)
    started, ended = map(table.evening, (table.created_at, last))
    return (
        f"{http.shared_url(table.get_absolute_url())}  started {started}, last change {ended}, "
        f"sheets: {size.sheets}, hands: {size.hands}, phones: {size.phones}"
    )
