"""Make a club with any number of made-up evenings, to try the pages of a club with."""

from __future__ import annotations

import datetime
import time
import uuid
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from rules import games
from sheets import demo, http
from sheets.actions import ClubSaved, start_club
from sheets.actions.demo import demo_owner, demo_seasons, demo_tables, store_evenings


class Command(BaseCommand):
    """`manage.py demo --sheets 1000`: a club whose owner is demo@example.org."""

    help = "Makes a club of plausible evenings, played by the rules; the same seed makes the same."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--sheets", type=int, default=200, help="how many (200)")
        parser.add_argument("--seed", type=int, default=1, help="another one makes other evenings")
        parser.add_argument("--slug", default="demo", help="the club's address (demo)")
        parser.add_argument("--owner", default="demo@example.org", help="whose club it is")
        parser.add_argument("--time-zone", default=settings.TIME_ZONE, help="the club's clock")

    def handle(self, *args: Any, sheets: int, seed: int, **options: Any) -> None:
        began = time.monotonic()
        club = self._club(options)
        last = club.evening(timezone.now()) - datetime.timedelta(days=1)
        house = games.GAMES[games.DEFAULT].HouseRules()
        evenings = demo.evenings(sheets, last=last, seed=seed, house=house)
        tables = demo_tables(club, demo.TABLES)
        for stored in store_evenings(club, tables, house, evenings):
            self.stdout.write(f"{stored} sheets, {time.monotonic() - began:.0f} s")
        oldest = club.sheets.earliest("started_at")
        demo_seasons(club, club.evening(oldest.started_at), last)
        self.stdout.write(f"{http.shared_url(club.get_absolute_url())}  {options['owner']}")
        self.stdout.write(f"Set a password: manage.py changepassword {options['owner']}")

    def _club(self, options: dict[str, Any]) -> Any:
        owner = demo_owner(options["owner"])
        name = f"{options['slug'].capitalize()} Club"
        zone = options["time_zone"]
        key = uuid.uuid4()
        answer = start_club(owner, name, slug=options["slug"], time_zone=zone, key=key)
        if not isinstance(answer, ClubSaved):
            raise CommandError(f"There is a club at {options['slug']} already: choose a --slug.")
        return answer.change.club
