"""Make the results and oddities of all banked sheets of clubs again, from their hands."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from sheets import inbox
from sheets.actions import remake_results


class Command(BaseCommand):
    """`manage.py results`: all results again; `manage.py results --check`: only look."""

    help = "Makes the results and oddities of banked club sheets again; says how many were wrong."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="write nothing")

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        looked_at = different = 0
        for batch in inbox.batches_with_results():
            looked_at += len(batch)
            different += sum(remake_results(pk, check=check) for pk in batch)
            if options["verbosity"] > 1:
                self.stdout.write(f"{looked_at} looked at, {different} different")
        done = "" if check or not different else ": made again"
        self.stdout.write(
            f"{looked_at} banked sheets of clubs looked at, {different} different{done}."
        )
