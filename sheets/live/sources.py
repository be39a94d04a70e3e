"""Where a process hears of changes: one LISTEN connection, or one watcher of the SQLite file.

Neither uses the ORM, for they run on the event loop beside the streams; and neither can write.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import json
import logging
import sqlite3
import time
import uuid
from collections.abc import AsyncGenerator, Callable, Iterable
from pathlib import Path
from typing import Any

from django.db import connections

from sheets.live import tokens
from sheets.live.notices import CHANNEL, ENDING, Notice, notice_of
from sheets.seen import Seen, mark_of_key

logger = logging.getLogger(__name__)

POLL = 0.025  # seconds between two looks at SQLite's change counter
CHECK = 15  # seconds after which a silent LISTEN connection is asked whether it still stands
AGAIN = 1  # seconds before a source that failed is tried again

# Since a moment: walks back from the newest row, as there is no index on the time.
_RECENT = """
    SELECT table_id, version, key, kind, after FROM sheets_change
    WHERE kind IN ({kinds}) AND id > COALESCE(
        (SELECT id FROM sheets_change WHERE at < {since} ORDER BY id DESC LIMIT 1), 0)
    ORDER BY id
"""
_NEW = """
    SELECT id, table_id, version, key, kind, after FROM sheets_change WHERE id > ? ORDER BY id
"""

Batches = AsyncGenerator[list[Notice], None]


async def follow(publish: Callable[[Notice], None], look: Callable[[], None]) -> None:
    """Publish every notice from now on, for as long as the process serves.

    Whenever the source begins, and begins again after a failure, the notices that end somebody's
    streams are published once more, and then everybody is told to look: what happened in between
    nobody was told.
    """
    source = _listen if connections["default"].vendor == "postgresql" else _watch
    heard = time.time()
    while True:
        batches = source(min(heard, time.time() - tokens.LASTS))
        began = False
        try:
            async with contextlib.aclosing(batches):
                async for batch in batches:
                    for notice in batch:
                        publish(notice)
                    if not began:
                        look()
                    began, heard = True, time.time()
        except Exception as error:  # whatever it was, phones want to hear again
            logger.warning("No notices at the moment (%s); trying again.", error)
        await asyncio.sleep(AGAIN)


async def _listen(since: float) -> Batches:
    """Yield what ended streams since a moment, then each notice that PostgreSQL sends."""
    import psycopg  # only where it is needed: it costs some megabytes

    # Django's own parameters, without what only its own kind of connection understands.
    params = connections["default"].get_connection_params()
    for name in ("cursor_factory", "context", "prepare_threshold"):
        params.pop(name, None)
    params |= {"autocommit": True, "application_name": "squarescores live", "connect_timeout": 5}
    recent = _RECENT.format(kinds=", ".join(["%s"] * len(ENDING)), since="%s")
    async with await psycopg.AsyncConnection.connect(**params) as connection:
        await connection.execute("SET default_transaction_read_only = on")
        await connection.execute(f"LISTEN {CHANNEL}")
        ended = await connection.execute(recent, [*map(str, ENDING), _moment(since)])
        yield _notices(await ended.fetchall())
        while True:
            async for got in connection.notifies(timeout=CHECK):
                yield [Notice.from_json(got.payload)]
            await asyncio.wait_for(connection.execute("SELECT 1"), CHECK)


async def _watch(since: float) -> Batches:
    """Yield what ended streams since a moment, then what each change of the SQLite file brings.

    The counter moves with every commit of any connection and process, and to read it costs some
    microseconds; only then are rows read.
    """
    path = Path(connections["default"].settings_dict["NAME"])
    recent = _RECENT.format(kinds=", ".join("?" * len(ENDING)), since="?")
    database = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, isolation_level=None)
    with contextlib.closing(database):
        seen = _counter(database)
        (last,) = database.execute("SELECT COALESCE(MAX(id), 0) FROM sheets_change").fetchone()
        moment = _moment(since).replace(tzinfo=None).isoformat(" ")
        yield _notices(database.execute(recent, [*map(str, ENDING), moment]))
        while True:
            await asyncio.sleep(POLL)
            # First the counter, then the rows: a commit in between is found by the next look.
            before, seen = seen, _counter(database)
            if seen != before and (rows := database.execute(_NEW, [last]).fetchall()):
                last = rows[-1][0]
                yield _notices(row[1:] for row in rows)


def _counter(database: sqlite3.Connection) -> int:
    (counter,) = database.execute("PRAGMA data_version").fetchone()
    return int(counter)


def _moment(seconds: float) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC)


def _notices(rows: Iterable[Any]) -> list[Notice]:
    """Return the notices of rows; in SQLite's, text stands where PostgreSQL has values."""
    notices = []
    for table, version, key, kind, after in rows:
        if isinstance(key, str):
            key = uuid.UUID(key)
            # Only these kinds say anything to phones; most rows are hands.
            after = json.loads(after) if kind in ENDING and after else None
        seen = Seen(version, mark_of_key(key))
        notices.append(notice_of(table, seen, kind, after))
    return notices
