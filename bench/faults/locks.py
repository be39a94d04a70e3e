"""Another program holds the database while twelve phones save: what becomes of looks and saves.

python -m bench.faults.locks                                  on SQLite: it holds the file
scripts/with-postgres python -m bench.faults.locks            on PostgreSQL: it holds a table's row
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import os
import pathlib
import re
import sqlite3
import tempfile
import threading
import time
from collections.abc import Iterator
from typing import Any

import psycopg

from tests.server import conftest

PHONES = 12
serving: Any = conftest  # which says no types
Asked = list[tuple[int, float]]  # the status of each answer and after how many seconds it came


@contextlib.contextmanager
def held(var: pathlib.Path, url: str, table: str) -> Iterator[None]:
    """Hold what a save at this table needs, from a connection that is none of the server's."""
    if url:
        row = "SELECT 1 FROM sheets_table WHERE public_id = %s FOR UPDATE"
        with psycopg.connect(url) as other:
            other.execute(row, [table.split("/")[2]])
            yield
    else:
        with contextlib.closing(sqlite3.connect(var / "db.sqlite3", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield


def measure(var: pathlib.Path, url: str, seconds: float) -> dict[str, Asked]:
    """Let phones save, look and load a static file for so long, while the lock is held."""
    asked: dict[str, Asked] = {"save": [], "look": [], "static file": []}
    env = {"DATABASE_URL": url} if url else {}
    server = serving.Server(var, serving.free_port(), **env).wait()
    try:
        table = server.start_table()
        page = server.ask("GET", table).text
        form = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))
        form |= {"by": "result", "bid": "320", "trump": "hearts", "outcome": "made"}
        form["bidder"] = re.findall(r'name="bidder" value="(\d+)"', page)[1]
        static = re.findall(r'href="(/static/css/pad\.\w+\.css)"', page)[0]
        until = time.monotonic() + seconds

        def go_on(what: str, method: str, path: str, fields: object) -> None:
            while (began := time.monotonic()) < until:
                answer = serving.ask(server.port, server.cookies, method, path, fields)
                asked[what].append((answer.status, time.monotonic() - began))

        does: list[tuple[str, str, str, object]] = [
            ("save", "POST", f"{table}hands/new/", form)
        ] * PHONES
        does += [("look", "GET", table, None), ("static file", "GET", static, None)]
        threads = [threading.Thread(target=go_on, args=one) for one in does]
        with held(var, url, table):
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    finally:
        server.stop()
    return asked


def main() -> None:
    """Run it once and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float, default=30, help="how long the lock is held")
    seconds = parser.parse_args().seconds
    with tempfile.TemporaryDirectory() as folder:
        asked = measure(pathlib.Path(folder), os.environ.get("DATABASE_URL", ""), seconds)
    print("| what | answers | median s | longest s |")
    print("|---|---|---|---|")
    for what, answers in asked.items():
        times = sorted(took for _status, took in answers)
        counted = collections.Counter(status for status, _took in answers)
        said = ", ".join(f"{n} x {status}" for status, n in counted.items())
        print(f"| {what} | {said} | {times[len(times) // 2]:.2f} | {times[-1]:.2f} |")


if __name__ == "__main__":
    main()
