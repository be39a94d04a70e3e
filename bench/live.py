"""Live updates and saving under load: `python -m bench.live idle|notices|writes`.

Starts its own server on loopback and prints a table. SQLite, or the PostgreSQL of DATABASE_URL.
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import dataclasses
import os
import time
from collections.abc import Iterable, Sequence

from bench import phones
from bench.phones import Phone
from bench.server import Server, bare, serving
from bench.tables import make_tables

GOAL = 300  # milliseconds from a saved hand to the last byte of the new part, p99


def show(head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print rows as a table for Markdown."""
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |", flush=True)


def percentile(values: Sequence[float], part: float) -> str:
    """Return a percentile of seconds in milliseconds."""
    if not values:
        return "-"
    ordered = sorted(values)
    return f"{ordered[min(int(len(ordered) * part), len(ordered) - 1)] * 1000:.0f}"


# Idle streams: what a phone costs that only listens.


async def hold(
    server: Server, held: list[Phone], counts: Sequence[int], seconds: float
) -> list[list[object]]:
    """Hold more and more streams, each number for a while; return what they cost the server."""
    heard: collections.Counter[str] = collections.Counter()
    streams: list[phones.Stream] = []
    rows: list[list[object]] = []
    before = server.kib
    for count in counts:
        began = time.monotonic()
        streams += await phones.open_streams(
            server.port,
            held[len(streams) : count],
            lambda phone, name, number, at: heard.update([name]),
        )
        opened = time.monotonic() - began
        heard.clear()
        cpu = server.cpu
        await asyncio.sleep(seconds)
        used = (server.cpu - cpu) / seconds
        kib = (server.kib - before) / len(streams)
        row = [len(streams), f"{opened:.1f}", f"{kib:.1f}", f"{server.kib / 1024:.0f}"]
        rows.append([*row, f"{used:.1%}", heard["beat"], server.threads, "-"])
    began = time.monotonic()
    server.stop()
    rows[-1][-1] = f"{time.monotonic() - began:.1f}"
    for stream in streams:
        stream.transport.abort()
    return rows


def idle(counts: Sequence[int], seconds: float) -> None:
    """Measure ours and, beside it, a server that holds the connection and does nothing else."""
    with serving() as server:
        ((one,),) = make_tables(1, 1)
        from sheets.live import tokens

        # Nobody asks the database about them: a token is all a stream needs.
        held = [
            dataclasses.replace(one, token=tokens.new_token(one.table + n // 3, one.table + n, 1))
            for n in range(counts[-1])
        ]
        asyncio.run(_warm_up(server, one))
        ours = asyncio.run(hold(server, held, counts, seconds))
    with bare() as server:
        floor = asyncio.run(hold(server, held, counts, seconds))
    rows = [["SquareScores", *row] for row in ours] + [["bare uvicorn", *row] for row in floor]
    head = ["server", "streams", "more opened in, s", "KiB a phone", "RSS MiB", "CPU", "beats"]
    show([*head, "threads", "stopped in, s"], rows)
    ratio = float(str(ours[-1][2])) / float(str(floor[-1][2]))
    print(f"\nA phone's memory to the bare server's: {ratio:.2f} times")


async def _warm_up(server: Server, phone: Phone) -> None:
    """Let every thread that makes pages have made one, so that only streams are measured."""
    await asyncio.gather(*(phones.fetch_part(server.port, phone) for _ in range(40)))
    await phones.open_streams(server.port, [phone], lambda *_: None)


# Notices: from a saved hand to the phones that hear of it, and to the sheet they then fetch.


@dataclasses.dataclass
class Run:
    """What was measured while hands were entered at a steady rate."""

    statuses: collections.Counter[int]
    told: list[tuple[int, int, float]]  # table, version and when a phone was told
    shown: list[tuple[int, int, float]]  # ... and when it had the last byte of the new part
    saved: float = 0  # hands a second, as fast as they were answered
    fetches: float = 0  # a second
    cpu: float = 0  # of one core


async def play(
    server: Server, tables: list[list[Phone]], rate: float, seconds: float, *, fetch: bool
) -> Run:
    """Enter hands, each at the next table, while all phones listen and perhaps fetch."""
    run = Run(collections.Counter(), [], [])
    saved = {table[0].table: table[0].version for table in tables}
    busy: set[asyncio.Task[None]] = set()

    def start(work: object) -> None:
        assert asyncio.iscoroutine(work)
        task = asyncio.ensure_future(work)
        busy.add(task)
        task.add_done_callback(busy.discard)

    def heard(phone: Phone, name: str, version: int, at: float) -> None:
        if name == "version":
            run.told.append((phone.table, version, at))
            if fetch:
                start(look(phone, version))

    async def look(phone: Phone, version: int) -> None:
        run.statuses[await phones.fetch_part(server.port, phone)] += 1
        run.shown.append((phone.table, version, time.time()))

    async def enter(phone: Phone) -> None:
        # Nobody else writes at the table, and what this phone saved itself is never news to it.
        status = await phones.enter_hand(server.port, phone, seen=saved[phone.table])
        run.statuses[status] += 1
        saved[phone.table] += status == 303

    streams = await phones.open_streams(
        server.port, [phone for table in tables for phone in table], heard
    )
    cpu, began = server.cpu, time.monotonic()
    for number in range(max(int(rate * seconds), 1)):
        await asyncio.sleep(began + number / rate - time.monotonic())
        start(enter(tables[number % len(tables)][0]))
    await asyncio.sleep(0.5)
    while busy:
        await asyncio.wait(busy)
    passed = time.monotonic() - began
    run.saved, run.fetches = run.statuses[303] / passed, len(run.shown) / passed
    run.cpu = (server.cpu - cpu) / passed
    for stream in streams:
        stream.transport.abort()
    return run


def since_saved(run: Run) -> tuple[list[float], list[float]]:
    """Return how long after its line of history each phone was told, and had the part.

    The line is stamped just before the commit, so the commit itself is counted too.
    """
    from sheets.models import Change

    at = {(c.table_id, c.version): c.at.timestamp() for c in Change.objects.iterator()}
    told = [when - at[table, version] for table, version, when in run.told]
    shown = [when - at[table, version] for table, version, when in run.shown]
    return told, shown


def notices(tables: int, rates: Sequence[float], seconds: float) -> None:
    """Measure 50 hands a second with listeners only, then which rate of fetches holds."""
    rows: list[list[object]] = []
    held: list[float] = []

    def measure(what: str, at: list[list[Phone]], rate: float, *, fetch: bool) -> bool:
        run = asyncio.run(play(server, at, rate, seconds, fetch=fetch))
        told, shown = since_saved(run)
        bad = sum(count for status, count in run.statuses.items() if status not in (200, 303))
        row = [what, sum(map(len, at)), f"{rate:g}", f"{run.saved:.1f}", len(told)]
        row += [percentile(told, 0.5), percentile(told, 0.99), f"{run.fetches:.0f}"]
        row += [percentile(shown, 0.5), percentile(shown, 0.99), f"{run.cpu:.0%}", bad]
        rows.append(row)
        good = bool(shown) and float(percentile(shown, 0.99)) <= GOAL
        if good and at is spread:
            held.append(run.fetches)
        return good

    with serving() as server:
        spread = make_tables(tables, 3)
        crowd = make_tables(1, 200, watching=True)
        asyncio.run(_warm_up(server, spread[0][0]))
        measure("all listen", spread, max(rates), fetch=False)
        for rate in rates:
            # More than what is too much already would only make a queue.
            if not measure("all fetch", spread, rate, fetch=True):
                break
        measure("one table, watch", crowd, 2, fetch=False)
        measure("one table, watch and fetch", crowd, 0.2, fetch=True)
    head = [
        "phones do",
        "phones",
        "hands/s",
        "saved/s",
        "notices",
        "notice p50 ms",
        "p99",
        "fetches/s",
    ]
    show([*head, "part p50 ms", "p99", "server CPU", "errors"], rows)
    print(
        f"\nHighest rate of fetches with a p99 of at most {GOAL} ms: {max(held, default=0):.0f}/s"
    )


# Writes: phones that do nothing but save hands, one after the other.


async def write(server: Server, writing: list[Phone], seconds: float) -> list[object]:
    """Let every phone save hands for a while and return how many, and how long each took."""
    took: list[float] = []
    statuses: collections.Counter[int] = collections.Counter()
    until = time.monotonic() + seconds

    async def one(phone: Phone) -> None:
        seen = phone.version
        while (began := time.monotonic()) < until:
            status = await phones.enter_hand(server.port, phone, seen=seen)
            statuses[status] += 1
            seen += status == 303
            took.append(time.monotonic() - began)

    cpu, began = server.cpu, time.monotonic()
    await asyncio.gather(*(one(phone) for phone in writing))
    passed = time.monotonic() - began
    saved = statuses.pop(303, 0)
    return [
        len(writing),
        f"{saved / passed:.0f}",
        percentile(took, 0.5),
        percentile(took, 0.99),
        f"{(server.cpu - cpu) / max(saved, 1) * 1000:.1f}",
        sum(statuses.values()),
        server.said.count("database is locked"),
    ]


def writes(counts: Sequence[int], seconds: float) -> None:
    """Measure saving with more and more phones, each at a table of its own."""
    with serving() as server:
        tables = make_tables(max(counts), 1)
        asyncio.run(_warm_up(server, tables[0][0]))
        rows = [
            asyncio.run(write(server, [table[0] for table in tables[:count]], seconds))
            for count in counts
        ]
    head = ["phones writing", "hands/s", "p50 ms", "p99", "CPU ms a hand", "errors"]
    show([*head, "database is locked"], rows)


def main() -> None:
    """Run one measurement."""
    parser = argparse.ArgumentParser(prog="bench.live", description=__doc__)
    parser.add_argument("what", choices=("idle", "notices", "writes"))
    parser.add_argument("--quick", action="store_true", help="few phones, short")
    asked = parser.parse_args()
    database = "PostgreSQL" if os.getenv("DATABASE_URL") else "SQLite"
    print(f"{asked.what}, {database}, load of the machine before: {os.getloadavg()[0]:.1f}\n")
    if asked.what == "idle":
        idle(*(((100,), 16) if asked.quick else ((1000, 3000, 10000), 32)))
    elif asked.what == "notices":
        notices(*((10, (5,), 3) if asked.quick else (334, (2, 5, 10, 15, 20, 30, 50), 15)))
    else:
        writes(*(((1, 4), 2) if asked.quick else ((1, 8, 32), 10)))


if __name__ == "__main__":
    main()
