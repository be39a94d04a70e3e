"""The pages of a club with 1,000, 10,000 and 100,000 sheets: queries, milliseconds, how they grow.

The sheets are those of `manage.py demo`. Pages are made in this process by Django's test client, so
that the time in the database can be told from the rest.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import statistics
import tempfile
import time
from typing import Any

TIMES = 7


@dataclasses.dataclass(frozen=True, slots=True)
class Page:
    """What one page took: its queries, and the medians in milliseconds."""

    name: str
    queries: int
    database: float
    all: float


def main() -> None:
    """Make the clubs and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, default=[1_000, 10_000])
    parser.add_argument("--quick", action="store_true", help="only show that it runs")
    options = parser.parse_args()
    sizes = [100, 300] if options.quick else options.sizes
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"VAR_DIR": folder, "SECRET_KEY": "bench" * 10, "LAN_URL": "http://bench"}
        os.environ |= {"DJANGO_SETTINGS_MODULE": "squarescores.settings", "DEBUG": "False"}
        os.environ["ALLOWED_HOSTS"] = "testserver"
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        call_command("collectstatic", verbosity=0, interactive=False)
        made = {size: _made(size) for size in sizes}
        _vacuum()
        pages = {size: _pages(size) for size in sizes}
    _print(made, pages)


def _made(size: int) -> float:
    """Make a club of this size; return the seconds it took."""
    from django.core.management import call_command

    began = time.monotonic()
    with open(os.devnull, "w") as nowhere:
        call_command("demo", sheets=size, slug=f"demo-{size}", stdout=nowhere)
    return time.monotonic() - began


def _vacuum() -> None:
    """Let the database know its own tables, as it does by itself in the night."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _pages(size: int) -> list[Page]:
    from django.test import Client

    from sheets.models import Club

    club = Club.objects.get(slug=f"demo-{size}")
    owner = club.organisers.get().user
    client = Client()
    client.force_login(owner, backend="django.contrib.auth.backends.ModelBackend")
    season = club.seasons.order_by("-starts")[1 if club.seasons.count() > 1 else 0]
    person = club.people.order_by("pk")[0]
    at = club.get_absolute_url()
    return [
        _page(client, name, at + path)
        for name, path in (
            ("inbox, to review", "sheets/"),
            ("inbox, all", "sheets/?state=all"),
            ("inbox of a table", f"sheets/?state=all&table={club.tables.all()[0].pk}"),
            ("inbox of a person", f"sheets/?state=all&person={person.pk}"),
            (
                "inbox of an evening",
                f"sheets/?state=all&since={season.starts}&until={season.starts}",
            ),
            ("inbox, two ends (none)", "sheets/?state=all&odd=two_ends"),
            ("standings of a season", f"seasons/{season.pk}/"),
            ("a person", f"people/{person.pk}/"),
        )
    ]


def _page(client: Any, name: str, path: str) -> Page:
    """Fetch a page some times; the first one does not count."""
    from django.db import connection

    runs: list[tuple[int, float, float]] = []
    for _ in range(TIMES + 1):
        asked: list[float] = []

        def timed(execute: Any, *args: Any, asked: list[float] = asked) -> Any:
            began = time.perf_counter()
            try:
                return execute(*args)
            finally:
                asked.append(time.perf_counter() - began)

        began = time.perf_counter()
        with connection.execute_wrapper(timed):
            answer = client.get(path)
        took = time.perf_counter() - began
        assert answer.status_code == 200, (path, answer.status_code)
        runs.append((len(asked), sum(asked) * 1000, took * 1000))
    queries, database, all_ = zip(*runs[1:], strict=True)
    return Page(name, max(queries), statistics.median(database), statistics.median(all_))


def _print(made: dict[int, float], pages: dict[int, list[Page]]) -> None:
    smallest = next(iter(pages))
    for size, seconds in made.items():
        print(f"demo --sheets {size}: {seconds:.0f} s")
    print()
    print("| page | sheets | queries | database ms | ms | database, times the smallest |")
    print("|---|---|---|---|---|---|")
    for n, first in enumerate(pages[smallest]):
        for size, of in pages.items():
            one = of[n]
            ratio = one.database / first.database if first.database else 0
            print(
                f"| {one.name} | {size:,} | {one.queries} | {one.database:.1f} | {one.all:.0f} "
                f"| {ratio:.1f} |"
            )


if __name__ == "__main__":
    main()
